//@ property: uninitialised
//@ verdict: bug
#include <pthread.h>

void *work(void *unused) {
    long result[2];
    result[0] = 1;
    return (void *)result[1];
}

int main(void) {
    pthread_t a;
    void *result;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, &result);
    return result ? 1 : 0; //~ BUG uninitialised thread=t0
}
