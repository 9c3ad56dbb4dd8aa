//@ property: data-race
//@ verdict: bug
// POSIX does not say that a thread finds its number where its creator wants it.
#include <pthread.h>

pthread_t a;

void *look(void *unused) {
    return pthread_equal(a, pthread_self()) ? unused : 0; //~ BUG data-race
}

int main(void) {
    pthread_create(&a, 0, look, 0); //~ BUG data-race
    pthread_join(a, 0);
}
