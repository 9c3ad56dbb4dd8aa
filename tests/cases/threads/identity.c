//@ property: assertion, lock-misuse
//@ verdict: safe
#include <assert.h>
#include <errno.h>
#include <pthread.h>

pthread_t main_thread;

void *work(void *unused) {
    assert(!pthread_equal(pthread_self(), main_thread));
    assert(pthread_equal(pthread_self(), pthread_self()));
    return unused;
}

int main(void) {
    pthread_t a;
    main_thread = pthread_self();
    pthread_create(&a, 0, work, 0);
    assert(!pthread_equal(a, main_thread));
    pthread_join(a, 0);
}
