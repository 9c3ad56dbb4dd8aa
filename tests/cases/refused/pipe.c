//@ property: assertion
//@ verdict: unknown
//@ reason: pipe
#include <unistd.h>

int main(void) {
    int files[2];
    return pipe(files);
}
