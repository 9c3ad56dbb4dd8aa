// A lock of one's own that remembers its owner takes a new thread for the old one.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

unsigned long owner;
int entered;

int enter(void) {
    unsigned long self = (unsigned long)pthread_self();
    if (owner == self)
        return 1;
    if (owner)
        return 0;
    owner = self;
    return 1;
}

void *leaves_it_locked(void *unused) {
    enter();
    return unused;
}

void *finds_it_locked(void *unused) {
    entered = enter();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, leaves_it_locked, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, finds_it_locked, 0);
    pthread_join(b, 0);
    assert(!entered); //~ BUG assertion
}
