//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char byte = 0;
    int a = open("a", O_RDONLY), b = open("b", O_RDONLY);
    if (a < 0 || b < 0)
        return 0;
    assert(a != b && a > 2);
    close(a);
    assert(read(a, &byte, 1) == -1 && write(-1, &byte, 1) == -1);
}
