//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>

_Thread_local int own;
int *published;

void *work(void *unused) {
    (void)unused;
    own = 1;
    published = &own;
    return 0;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    return *published; //~ BUG memory-safety thread=t0
}
