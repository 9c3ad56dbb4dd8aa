// Both variables are protected, but not together.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int x, y;

void *writer(void *unused) {
    pthread_mutex_lock(&lock);
    x++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    y++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, writer, 0);
    pthread_mutex_lock(&lock);
    assert(x == y); //~ BUG assertion thread=t0
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
