// The Bluetooth driver (Qadeer and Wu, 2004): the stop flag is checked before the request is counted.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int pending = 1, stopping, stopped;

void count(int change) {
    pthread_mutex_lock(&lock);
    pending += change;
    if (pending == 0)
        stopped = 1;
    pthread_mutex_unlock(&lock);
}

void *request(void *unused) {
    if (!stopping) {
        count(1);
        assert(!stopped); //~ BUG assertion thread=t1
        count(-1);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, request, 0);
    stopping = 1;
    count(-1);
    pthread_join(a, 0);
}
