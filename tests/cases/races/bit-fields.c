// Neighbouring bit-fields are one memory location (C11 3.14).
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

struct { unsigned left : 4, right : 4; } shared;

void *work(void *unused) {
    shared.left = 1; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    shared.right = 2; //~ BUG data-race
    pthread_join(a, 0);
    return shared.left;
}
