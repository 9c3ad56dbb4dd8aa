//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `work`, which has no body
// What the thread does is not known.
#include <assert.h>
#include <pthread.h>

void *work(void *place);

int main(void) {
    int x = 0;
    pthread_t thread;
    pthread_create(&thread, 0, work, &x);
    pthread_join(thread, 0);
    assert(x == 0);
    return 0;
}
