// Creating a thread orders what came before; joining it orders what it did.
//@ property: data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

int value;

void *work(void *unused) {
    value = value * 2;
    return unused;
}

int main(void) {
    pthread_t a;
    value = 4;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    value++;
    assert(value == 9);
}
