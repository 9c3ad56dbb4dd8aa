//@ property: data-race
//@ verdict: bug
// The object is all zeros before, so that using it is no mistake of another kind.
#include <pthread.h>

pthread_cond_t condition;

void *begin(void *unused) {
    pthread_cond_init(&condition, 0); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, begin, 0);
    pthread_cond_signal(&condition); //~ BUG data-race
    pthread_join(a, 0);
}
