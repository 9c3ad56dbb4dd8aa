// Nobody's handle is zero, also not the main thread's; handles are told apart.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

void *work(void *unused) {
    assert(pthread_self() != 0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    assert(pthread_self() != 0);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    assert(!pthread_equal(a, b) && !pthread_equal(a, pthread_self()));
    pthread_join(a, 0);
    pthread_join(b, 0);
}
