// A lock that another thread gives back orders all the same; beside it a flag that does not.
//@ property: data-race
//@ verdict: safe
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int data, told;

void *writer(void *unused) {
    data = 1;
    __atomic_store_n(&told, 1, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    int seen = 0;
    pthread_mutex_lock(&lock);
    pthread_create(&a, 0, writer, 0);
    pthread_mutex_lock(&lock);
    if (__atomic_load_n(&told, __ATOMIC_RELAXED))
        seen = data;
    return seen;
}
