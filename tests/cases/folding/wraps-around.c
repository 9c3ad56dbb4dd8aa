// A counter of eight bits goes round.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

unsigned char count = 254;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *add(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        count++;
        assert(count >= 254); //~ BUG assertion thread=t1
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, add, 0);
    pthread_join(a, 0);
}
