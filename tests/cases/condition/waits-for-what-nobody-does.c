// Nobody gets to where the condition is made true, so the loop is never left, but every round changes something. The bug is elsewhere.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
int done, x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;

void *give(void *unused) {
    pthread_mutex_lock(&m);
    x = x + 1;
    pthread_mutex_unlock(&m);
    __VERIFIER_assume(0);
    done = 1;
    pthread_cond_broadcast(&c);
    return unused;
}
void *take(void *unused) {
    pthread_mutex_lock(&m);
    while (!done)
        pthread_cond_wait(&c, &m);
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, give, 0);
    pthread_create(&b, 0, take, 0);
    pthread_mutex_lock(&m);
    assert(x == 0); //~ BUG assertion thread=t0
    pthread_mutex_unlock(&m);
}
