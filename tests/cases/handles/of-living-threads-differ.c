// Also where they are numbers, and where one of them was in use before.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

void *work(void *unused) { return unused; }

int main(void) {
    pthread_t a, b, c;
    unsigned long number;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_create(&b, 0, work, 0);
    pthread_create(&c, 0, work, 0);
    number = b;
    assert(number != c && number != pthread_self() && c != pthread_self());
    pthread_join(b, 0);
    pthread_join(c, 0);
}
