// What is on the stack is no mutex before it is initialised.
//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

int main(void) {
    pthread_mutex_t lock;
    pthread_mutex_lock(&lock); //~ BUG lock-misuse thread=t0
}
