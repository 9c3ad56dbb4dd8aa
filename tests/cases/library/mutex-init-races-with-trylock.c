//@ property: data-race
//@ verdict: bug
// The object is all zeros before, so that using it is no mistake of another kind.
#include <pthread.h>

pthread_mutex_t mutex;

void *begin(void *unused) {
    pthread_mutex_init(&mutex, 0); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, begin, 0);
    pthread_mutex_trylock(&mutex); //~ BUG data-race
    pthread_join(a, 0);
}
