// One side is atomic, the other is not: a race all the same.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

int counter;

void *work(void *unused) {
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    counter = 5; //~ BUG data-race
    pthread_join(a, 0);
}
