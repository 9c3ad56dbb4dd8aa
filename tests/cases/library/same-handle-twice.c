//@ property: data-race
//@ verdict: bug
#include <pthread.h>

pthread_t inner;

void *nothing(void *unused) { return unused; }

void *start(void *unused) {
    pthread_create(&inner, 0, nothing, 0); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, start, 0);
    pthread_create(&b, 0, start, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
