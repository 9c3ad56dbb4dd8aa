// Before the write the section reads through a null pointer and ends its thread; behind it, it comes to its end.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int y, *p;

void *look(void *unused) {
    __VERIFIER_atomic_begin();
    int seen = *p; //~ BUG data-race thread=t1 //~ UNDEFINED memory-safety
    (void)seen;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, look, 0);
    p = &y; //~ BUG data-race thread=t0
}
