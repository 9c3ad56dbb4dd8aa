//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// What pthread_exit leaves is anything.
#include <assert.h>
#include <pthread.h>

static int own;
void other(void);

static void *work(void *unused) {
    other();
    return 0;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, &result);
    assert(result == 0 || result == &own);
    return 0;
}
