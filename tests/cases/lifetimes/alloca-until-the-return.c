// What alloca gives lives until the function returns, not only in its block.
//@ property: memory-safety
//@ verdict: bug
#include <alloca.h>

int *escaped;

static int use(void) {
    int *kept;
    {
        kept = alloca(sizeof *kept);
        *kept = 1;
    }
    escaped = kept;
    return *escaped;
}

int main(void) {
    int one = use();
    return one + *escaped; //~ BUG memory-safety
}
