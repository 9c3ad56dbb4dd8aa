//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdlib.h>

unsigned seed = 1;

void *draw(void *unused) {
    rand_r(&seed); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, draw, 0);
    pthread_create(&b, 0, draw, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
