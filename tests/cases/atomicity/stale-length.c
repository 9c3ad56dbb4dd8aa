// The length is read before the lock is taken.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int length, cells[4];

void *append(void *value) {
    int end = length;
    pthread_mutex_lock(&lock);
    cells[end] = (int)(long)value;
    length = end + 1;
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, append, (void *)1);
    append((void *)2);
    pthread_join(a, 0);
    assert(length == 2); //~ BUG assertion thread=t0
}
