//@ property: data-race
//@ verdict: bug
#include <pthread.h>

pthread_barrierattr_t attributes;
pthread_barrier_t barrier;

void *change(void *unused) {
    pthread_barrierattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_barrierattr_init(&attributes);
    pthread_create(&a, 0, change, 0);
    pthread_barrier_init(&barrier, &attributes, 1); //~ BUG data-race
    pthread_join(a, 0);
}
