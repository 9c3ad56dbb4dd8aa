//@ property: data-race
//@ verdict: unknown
//@ reason: depends on `other`, which has no body
// It may write what the other thread reads.
#include <pthread.h>

int shared;
void other(void);

static void *look(void *unused) {
    return shared ? unused : 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, look, 0);
    other();
    pthread_join(thread, 0);
    return 0;
}
