//@ property: assertion
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// It may call fork, and then the handlers run.
#include <assert.h>
#include <pthread.h>

static int own;
static void prepare(void) { own = 1; }
void other(void);

int main(void) {
    pthread_atfork(prepare, 0, 0);
    other();
    assert(own == 0);
    return 0;
}
