//@ property: assertion
//@ verdict: bug
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <time.h>

pthread_t first;

void *nothing(void *unused) { return unused; }

void *work(void *unused) {
    struct timespec late = {1000000, 0};
    pthread_timedjoin_np(first, 0, &late);
    return unused;
}

int main(void) {
    pthread_t second;
    void *result = 0;
    pthread_create(&first, 0, nothing, 0);
    pthread_create(&second, 0, work, 0);
    pthread_cancel(second);
    pthread_join(second, &result);
    assert(result != PTHREAD_CANCELED); //~ BUG assertion
}
