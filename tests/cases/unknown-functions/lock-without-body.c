//@ property: assertion, data-race
//@ verdict: unknown
//@ reason: depends on `enter`, which has no body
// Perhaps they lock and unlock.
#include <assert.h>
#include <pthread.h>

static int own;
void enter(void);
void leave(void);

static void *add(void *unused) {
    enter();
    own++;
    leave();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, add, 0);
    add(0);
    pthread_join(thread, 0);
    assert(own == 2);
    return 0;
}
