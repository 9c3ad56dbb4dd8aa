// Whoever looks at the bytes of a lock sees that it is taken.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    assert(*(int *)&lock == 0); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
