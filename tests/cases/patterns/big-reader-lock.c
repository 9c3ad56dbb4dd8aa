// Readers take their own lock, the writer takes all of them.
//@ property: assertion, data-race, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
int x, y;

void *reader(void *number) {
    pthread_mutex_lock(&lock[(long)number]);
    assert(x == y);
    pthread_mutex_unlock(&lock[(long)number]);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, reader, (void *)0);
    pthread_create(&b, 0, reader, (void *)1);
    pthread_mutex_lock(&lock[0]);
    pthread_mutex_lock(&lock[1]);
    x++;
    y++;
    pthread_mutex_unlock(&lock[1]);
    pthread_mutex_unlock(&lock[0]);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
