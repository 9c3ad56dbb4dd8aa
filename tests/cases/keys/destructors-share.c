// Destructors run in their threads, so what they share must be protected.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_key_t key;
int destroyed;

void destroy(void *value) {
    (void)value;
    destroyed++;
}

void *work(void *unused) {
    pthread_setspecific(key, &key);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_key_create(&key, destroy);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(destroyed == 2); //~ BUG assertion thread=t0
}
