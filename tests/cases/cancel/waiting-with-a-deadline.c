//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t none;

void *work(void *unused) {
    struct timespec late = {1000000, 0};
    sem_timedwait(&none, &late);
    return unused;
}

int main(void) {
    pthread_t a;
    void *result = 0;
    sem_init(&none, 0, 0);
    pthread_create(&a, 0, work, 0);
    pthread_cancel(a);
    pthread_join(a, &result);
    assert(result != PTHREAD_CANCELED); //~ BUG assertion
}
