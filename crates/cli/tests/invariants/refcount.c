#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int references = 1, freed;

static void drop(void) {
    pthread_mutex_lock(&m);
    references--;
    if (references == 0)
        freed = 1;
    pthread_mutex_unlock(&m);
}

static void *user(void *unused) {
    assert(!freed);
    drop();
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int()) {
        pthread_mutex_lock(&m);
        references++;
        pthread_mutex_unlock(&m);
        pthread_create(&thread, 0, user, 0);
    }
    drop();
    return 0;
}
