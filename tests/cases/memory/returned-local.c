// A thread's local variables are gone when it is joined.
//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>

void *work(void *unused) {
    int local = 5, *result = &local;
    (void)unused;
    return result;
}

int main(void) {
    pthread_t a;
    void *result;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, &result);
    return *(int *)result; //~ BUG memory-safety thread=t0
}
