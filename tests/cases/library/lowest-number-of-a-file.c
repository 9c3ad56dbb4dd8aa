//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    if (close(0) == 0) {
        int a = open("a", O_RDONLY);
        assert(a != 0); //~ BUG assertion
    }
}
