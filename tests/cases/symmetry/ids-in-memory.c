//@ property: assertion, data-race
//@ verdict: bug
// Each leaves its id; only that of the second breaks the assertion.
#include <assert.h>
#include <pthread.h>

pthread_t last;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&m);
    last = pthread_self();
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 2; i++)
        pthread_join(t[i], 0);
    assert(pthread_equal(last, t[0])); //~ BUG assertion
}
