// The usual form: a function of the program's own, and an ERROR label.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

extern void abort(void);
void reach_error(void) { assert(0); }
void __VERIFIER_assert(int condition) {
    if (!condition) {
    ERROR:
        reach_error(); //~ BUG assertion thread=t0
        abort();
    }
}
int x;

void *work(void *unused) {
    x++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_assert(x == 2);
    goto out;
out:
    return 0;
}
