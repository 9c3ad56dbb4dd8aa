// Main sets the pointer after it has started the thread that uses it.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int storage, *pointer;

void *work(void *unused) {
    assert(pointer != 0); //~ BUG assertion thread=t1
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pointer = &storage;
    pthread_join(a, 0);
}
