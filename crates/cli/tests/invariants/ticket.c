#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static unsigned next, len;

static void *take(void *unused) {
    pthread_mutex_lock(&m);
    unsigned mine = next;
    if (mine < len)
        next = mine + 1;
    assert(next <= len);
    pthread_mutex_unlock(&m);
    return unused;
}

extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
    pthread_t thread;
    len = __VERIFIER_nondet_uint();
    for (;;)
        pthread_create(&thread, 0, take, 0);
}
