//@ property: data-race
//@ verdict: unknown
//@ reason: depends on `
// Two functions may know the same name.
#include <pthread.h>

int shared;
void one(void);
void other(void);

static void *work(void *unused) {
    one();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    other();
    pthread_join(thread, 0);
    return 0;
}
