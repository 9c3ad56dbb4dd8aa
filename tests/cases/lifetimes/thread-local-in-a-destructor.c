// Destructors of keys run before the thread's own variables end.
//@ property: memory-safety, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

_Thread_local int own;
pthread_key_t key;
int seen;

static void destroy(void *value) { seen = *(int *)value; }

void *work(void *unused) {
    (void)unused;
    own = 4;
    pthread_setspecific(key, &own);
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_key_create(&key, destroy);
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(seen == 4);
}
