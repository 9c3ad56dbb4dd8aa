// A counter under a lock is at most the number of increments: the array is never left.
//@ property: assertion,memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int top, stack[6];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *push(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        assert(top != 6);
        stack[top] = i;
        top++;
        pthread_mutex_unlock(&m);
    }
    return unused;
}
void *pop(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&m);
        if (top > 0) {
            top--;
            assert(stack[top] < 3);
        }
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, push, 0);
    pthread_create(&b, 0, pop, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(top >= 0 && top <= 3);
}
