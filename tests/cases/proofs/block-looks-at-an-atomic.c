//@ property: data-race
//@ verdict: bug
/* The block writes only while nobody has begun, which it reads from an atomic. So the two writes are never both next; but who writes the
   atomic is not ordered behind who has read it. */
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int data;
static _Atomic int begun;

static void *try_it(void *argument) {
    (void)argument;
    __VERIFIER_atomic_begin();
    if (begun == 0)
        data = 1; //~ BUG data-race
    __VERIFIER_atomic_end();
    return 0;
}

static void *begin_it(void *argument) {
    (void)argument;
    begun = 1;
    data = 2; //~ BUG data-race
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, try_it, 0);
    pthread_create(&thread, 0, begin_it, 0);
}
