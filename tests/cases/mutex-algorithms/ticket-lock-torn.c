// The ticket is read and counted in two steps: two threads draw the same one.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int next_ticket, now_serving;
int inside;

void *work(void *unused) {
    int mine = atomic_load(&next_ticket);
    atomic_store(&next_ticket, mine + 1);
    while (atomic_load(&now_serving) < mine)
        ;
    inside++;
    assert(inside == 1); //~ BUG assertion
    inside--;
    atomic_store(&now_serving, mine + 1);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
}
