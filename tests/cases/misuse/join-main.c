// The main thread can be joined like any other.
//@ property: lock-misuse, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_t first;
int done;
void *work(void *unused) {
    pthread_join(first, 0);
    assert(done == 1);
    return unused;
}

int main(void) {
    pthread_t a;
    first = pthread_self();
    pthread_create(&a, 0, work, 0);
    pthread_detach(a);
    done = 1;
    pthread_exit(0);
}
