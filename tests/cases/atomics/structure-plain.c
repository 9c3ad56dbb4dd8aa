// The same structure without `_Atomic` is torn.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

struct pair { int left, right; };
struct pair shared;

void *work(void *unused) {
    struct pair both = {1, 1};
    shared = both;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    struct pair seen = shared;
    assert(seen.left == seen.right); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
