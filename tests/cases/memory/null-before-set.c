//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>

int storage, *pointer;

void *work(void *unused) {
    *pointer = 1; //~ BUG memory-safety thread=t1
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pointer = &storage;
    pthread_join(a, 0);
}
