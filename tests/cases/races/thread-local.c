//@ property: data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

_Thread_local int counter = 10;

void *work(void *unused) {
    counter++;
    counter++;
    assert(counter == 12);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    counter--;
    assert(counter == 9);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 9);
}
