// A thread writes, and an assertion of it fails. Before that ends the process, another thread may come upon what was written.
//@ property: lock-misuse
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *fail(void *unused) {
    x = 1;
    assert(0);
    return unused;
}
void *look(void *unused) {
    if (x == 1)
        pthread_mutex_unlock(&m); //~ BUG lock-misuse thread=t2
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, fail, 0);
    pthread_create(&b, 0, look, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
