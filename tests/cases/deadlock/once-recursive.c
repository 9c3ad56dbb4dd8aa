// The initialisation calls itself through pthread_once.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
int depth;

void initialise(void) {
    if (depth++ == 0)
        pthread_once(&once, initialise); //~ BUG deadlock
}

void *work(void *unused) {
    pthread_once(&once, initialise); //~ BUG deadlock
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0); //~ BUG deadlock
}
