// Compared without the library's help.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

void *work(void *unused) { return unused; }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_detach(a);
    pthread_create(&b, 0, work, 0);
    assert(a != b); //~ BUG assertion
    pthread_join(b, 0);
}
