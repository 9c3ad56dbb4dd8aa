//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_destroy(&lock);
    pthread_mutex_destroy(&lock); //~ BUG lock-misuse thread=t0
}
