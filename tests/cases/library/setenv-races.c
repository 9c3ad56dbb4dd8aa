//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <stdlib.h>

void *look(void *unused) {
    getenv("A"); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, look, 0);
    setenv("A", "b", 1); //~ BUG data-race
    pthread_join(a, 0);
}
