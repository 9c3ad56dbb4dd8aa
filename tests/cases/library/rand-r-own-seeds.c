//@ property: data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

void *draw(void *unused) {
    unsigned seed = 1, same = 1;
    assert(rand_r(&seed) == rand_r(&same) && seed == same);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, draw, 0);
    draw(0);
    pthread_join(a, 0);
}
