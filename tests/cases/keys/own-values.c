//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_key_t key;

void *work(void *value) {
    assert(pthread_getspecific(key) == 0);
    pthread_setspecific(key, value);
    assert(pthread_getspecific(key) == value);
    return 0;
}

int main(void) {
    pthread_t a, b;
    int x, y;
    pthread_key_create(&key, 0);
    pthread_create(&a, 0, work, &x);
    pthread_create(&b, 0, work, &y);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(pthread_getspecific(key) == 0);
    pthread_key_delete(key);
}
