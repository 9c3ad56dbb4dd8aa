//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock;

int main(void) {
    pthread_mutex_init(&lock, 0);
    pthread_mutex_init(&lock, 0); //~ BUG lock-misuse thread=t0
}
