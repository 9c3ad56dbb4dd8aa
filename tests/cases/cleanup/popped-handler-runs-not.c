//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int cleaned;

void clean(void *unused) {
    (void)unused;
    cleaned = 1;
}

void *work(void *unused) {
    pthread_cleanup_push(clean, 0);
    pthread_cleanup_pop(0);
    pthread_exit(unused);
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    assert(cleaned); //~ BUG assertion thread=t0
}
