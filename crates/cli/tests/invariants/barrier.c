#include <assert.h>
#include <pthread.h>

extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
static int n, arrived, passed;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    pthread_mutex_lock(&m);
    arrived++;
    pthread_mutex_unlock(&m);
    for (;;) {
        pthread_mutex_lock(&m);
        int open = arrived >= n;
        pthread_mutex_unlock(&m);
        if (open)
            break;
    }
    assert(arrived >= n);
    return unused;
}

int main(void) {
    pthread_t thread;
    n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 1000);
    for (int i = 0; i < n; i++)
        pthread_create(&thread, 0, worker, 0);
    return 0;
}
