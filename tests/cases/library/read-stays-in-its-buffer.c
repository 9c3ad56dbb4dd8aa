//@ property: memory-safety, assertion
//@ verdict: safe
//@ explore: random
#include <assert.h>
#include <unistd.h>

int main(void) {
    char buffer[3] = {7, 7, 7};
    ssize_t count = read(0, buffer, 2);
    assert(count >= -1 && count <= 2 && buffer[2] == 7);
}
