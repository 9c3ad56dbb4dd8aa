//@ property: leak, cleanup
//@ verdict: safe
#include <stdlib.h>

int main(void) {
    int *object = malloc(sizeof *object);
    object = 0;
    abort();
}
