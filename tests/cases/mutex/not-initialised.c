// What malloc gives is no mutex yet: its bytes may be anything.
//@ property: lock-misuse
//@ verdict: bug
//@ finds: random
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_mutex_t *lock = malloc(sizeof *lock);
    pthread_mutex_lock(lock); //~ BUG lock-misuse thread=t0
    pthread_mutex_unlock(lock); //~ BUG lock-misuse thread=t0
    free(lock);
}
