//@ property: assertion
//@ verdict: bug
//@ reason: depends on `other`, which has no body
//@ finds: exhaustive
// What goes wrong in one thread needs no call of the other.
#include <assert.h>
#include <pthread.h>

int shared;
void other(void);

void *talk(void *unused) {
    other();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, talk, 0);
    assert(shared == 1); //~ BUG assertion
    pthread_join(thread, 0);
    return 0;
}
