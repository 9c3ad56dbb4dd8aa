//@ property: assertion
//@ verdict: unknown
//@ reason: fork
#include <unistd.h>

int main(void) {
    return fork() == 0;
}
