//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_key_t key;

void *work(void *unused) {
    pthread_setspecific(key, &key); //~ BUG lock-misuse thread=t1
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_key_create(&key, 0);
    pthread_create(&a, 0, work, 0);
    pthread_key_delete(key);
    pthread_join(a, 0);
}
