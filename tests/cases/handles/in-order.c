//@ property: assertion
//@ verdict: bug
//@ finds: exhaustive
#include <assert.h>
#include <pthread.h>

void *work(void *unused) { return unused; }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    assert(a < b); //~ BUG assertion
    pthread_join(a, 0);
    pthread_join(b, 0);
}
