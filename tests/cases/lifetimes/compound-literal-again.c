// As in C11 6.5.2.5: without leaving the block it is the same object each time.
//@ property: memory-safety, assertion
//@ verdict: safe
#include <assert.h>

struct s { int i; };

static int f(void) {
    struct s *p = 0, *q;
    int j = 0;
again:
    q = p, p = &((struct s){ j++ });
    if (j < 2)
        goto again;
    return p == q && q->i == 1;
}

int main(void) {
    assert(f() == 1);
}
