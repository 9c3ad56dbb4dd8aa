//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>

int *kept;

static void leave(void) { pthread_exit(0); }

void *work(void *unused) {
    int local = 1;
    (void)unused;
    kept = &local;
    leave();
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    return *kept; //~ BUG memory-safety thread=t0
}
