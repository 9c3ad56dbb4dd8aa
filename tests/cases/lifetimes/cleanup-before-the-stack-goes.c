//@ property: memory-safety, assertion
//@ verdict: safe
// Cleanup handlers run while the variables of their functions live, and destructors of keys while thread-local ones do.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static _Thread_local int own;

static void destroy(void *value) {
    assert(*(int *)value == 7);
}

static void clean(void *value) {
    assert(*(int *)value == 1);
    own = 7;
}

static void *thread(void *unused) {
    int local = 1;
    pthread_setspecific(key, &own);
    pthread_cleanup_push(clean, &local);
    pthread_exit(unused);
    pthread_cleanup_pop(0);
    return 0;
}

int main(void) {
    pthread_t id;
    pthread_key_create(&key, destroy);
    pthread_create(&id, 0, thread, 0);
    pthread_join(id, 0);
}
