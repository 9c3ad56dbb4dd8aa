// One increments under the lock, the other sets it to something else: no counter.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int top;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *add(void *unused) {
    pthread_mutex_lock(&m);
    top++;
    assert(top <= 1); //~ BUG assertion thread=t1
    pthread_mutex_unlock(&m);
    return unused;
}
void *set(void *unused) {
    pthread_mutex_lock(&m);
    top = 7;
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, set, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
