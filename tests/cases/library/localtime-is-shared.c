//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <time.h>

void *ask(void *unused) {
    time_t zero = 0;
    gmtime(&zero); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, ask, 0);
    ask(0);
    pthread_join(a, 0);
}
