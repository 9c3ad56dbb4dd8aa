//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

void *work(void *number) {
    long i = (long)number;
    pthread_mutex_lock(&lock[i]);
    pthread_mutex_lock(&lock[(i + 1) % 3]); //~ BUG deadlock
    pthread_mutex_unlock(&lock[(i + 1) % 3]);
    pthread_mutex_unlock(&lock[i]);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, (void *)1);
    pthread_create(&b, 0, work, (void *)2);
    work((void *)0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
