// Each adds two, so one can see what both have added.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int top;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *add(void *unused) {
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&m);
        assert(top != 3); //~ BUG assertion
        top++;
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
