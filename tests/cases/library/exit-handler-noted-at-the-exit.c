// Noting a handler while another thread exits is no error; whether it is called is open.
//@ property: memory-safety, data-race, assertion
//@ verdict: safe
#include <pthread.h>
#include <stdlib.h>

void first(void) {}
void second(void) {}

void *work(void *unused) {
    atexit(first);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    atexit(second);
    return 0;
}
