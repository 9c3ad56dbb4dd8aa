// The key is made by the threads themselves; their values are destroyed all the same, also after pthread_exit.
//@ property: assertion, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_key_t key;
int destroyed;

void destroy(void *value) {
    __atomic_fetch_add(&destroyed, *(int *)value, __ATOMIC_SEQ_CST);
}

void make_key(void) {
    pthread_key_create(&key, destroy);
}

int values[2] = {1, 2};

void *work(void *number) {
    pthread_once(&once, make_key);
    pthread_setspecific(key, &values[(long)number]);
    if (number)
        pthread_exit(0);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, (void *)0);
    pthread_create(&b, 0, work, (void *)1);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(destroyed == 3);
}
