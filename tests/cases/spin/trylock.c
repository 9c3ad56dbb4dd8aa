//@ property: assertion, lock-misuse
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_spinlock_t lock;
int inside;

void *work(void *unused) {
    int result = pthread_spin_trylock(&lock);
    assert(result == 0 || result == EBUSY);
    if (result == 0) {
        inside++;
        assert(inside == 1);
        inside--;
        pthread_spin_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
}
