// That both write the same value does not help.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

int initialised;

void *work(void *unused) {
    initialised = 1; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
