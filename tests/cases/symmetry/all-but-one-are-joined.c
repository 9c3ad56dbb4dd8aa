//@ property: assertion, data-race
//@ verdict: bug
// The last one may still run.
#include <assert.h>
#include <pthread.h>

int count;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&m);
    count++; //~ BUG data-race
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    pthread_join(t[0], 0);
    pthread_join(t[2], 0);
    int seen = count; //~ BUG data-race
    assert(seen == 3); //~ BUG assertion
}
