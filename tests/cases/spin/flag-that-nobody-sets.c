// Nobody gets to where the flag is set, so the loop is never left: by what is learnt about the flag, its rounds are all the same.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);
atomic_int flag;

void *give(void *unused) {
    __VERIFIER_assume(0);
    atomic_store(&flag, 1);
    return unused;
}
void *take(void *unused) {
    int seen = atomic_load(&flag);
    while (seen != 1)
        seen = atomic_load(&flag);
    assert(0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, give, 0);
    pthread_create(&b, 0, take, 0);
}
