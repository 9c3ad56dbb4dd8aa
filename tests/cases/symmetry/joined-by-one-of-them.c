//@ property: assertion, lock-misuse, deadlock
//@ verdict: safe
// One of the three joins another.
#include <assert.h>
#include <pthread.h>

pthread_t t[3];
_Atomic int ready, done;

void *work(void *unused) {
    if (ready && pthread_equal(pthread_self(), t[0])) {
        pthread_join(t[1], 0);
        assert(done >= 1);
    } else {
        done++;
    }
    return unused;
}

int main(void) {
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    ready = 1;
    pthread_join(t[0], 0);
    pthread_exit(0);
}
