//@ property: data-race
//@ verdict: bug
// Blocks order each other, also one in which main joins; what one does before its block, and another behind an earlier block, they do not.
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x;
int tickets;

void *work(void *unused) {
    if (__atomic_fetch_add(&tickets, 1, __ATOMIC_RELAXED) == 0)
        x++; //~ BUG data-race
    __VERIFIER_atomic_begin();
    __VERIFIER_atomic_end();
    if (__atomic_fetch_add(&tickets, 1, __ATOMIC_RELAXED) == 3)
        x++; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    __VERIFIER_atomic_begin();
    pthread_join(t[0], 0);
    __VERIFIER_atomic_end();
    pthread_join(t[1], 0);
}
