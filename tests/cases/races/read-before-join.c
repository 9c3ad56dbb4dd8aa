//@ property: data-race
//@ verdict: bug
#include <pthread.h>

int result;

void *work(void *unused) {
    result = 42; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    int early = result; //~ BUG data-race
    pthread_join(a, 0);
    return early;
}
