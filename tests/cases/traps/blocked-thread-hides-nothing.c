// The child waits for ever for main's lock; main's assertion fails meanwhile.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x;

void *work(void *unused) {
    x = 1;
    pthread_mutex_lock(&lock);
    x = 0;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_mutex_lock(&lock);
    pthread_create(&a, 0, work, 0);
    assert(x == 0); //~ BUG assertion thread=t0
}
