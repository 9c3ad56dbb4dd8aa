//@ property: data-race
//@ verdict: bug
#include <pthread.h>

int value;
int seen;

void *reader(void *unused) {
    seen = value; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, reader, 0);
    value = 1; //~ BUG data-race
    pthread_join(a, 0);
    return seen;
}
