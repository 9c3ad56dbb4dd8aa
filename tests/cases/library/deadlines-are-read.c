//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <time.h>

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
struct timespec deadline = {1, 0};

void *later(void *unused) {
    deadline.tv_sec = 2; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, later, 0);
    pthread_mutex_timedlock(&mutex, &deadline); //~ BUG data-race
    pthread_join(a, 0);
}
