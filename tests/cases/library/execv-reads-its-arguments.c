//@ property: memory-safety
//@ verdict: bug
#include <unistd.h>

int main(void) {
    char *arguments[1] = {"a"};
    execv("a", arguments); //~ BUG memory-safety
}
