//@ property: deadlock, lock-misuse
//@ verdict: safe
#include <pthread.h>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second);
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    for (;;) {
        pthread_mutex_lock(&second);
        if (pthread_mutex_trylock(&first) == 0)
            break;
        pthread_mutex_unlock(&second);
    }
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    pthread_join(a, 0);
}
