// Nothing orders the read of the variable and its end, as if it were freed.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

int seen;

void *work(void *argument) {
    seen = *(int *)argument; //~ BUG data-race //~ UNDEFINED memory-safety
    return 0;
}

int main(void) {
    pthread_t a;
    int local = 1;
    pthread_create(&a, 0, work, &local);
    pthread_detach(a);
    return 0; //~ BUG data-race
}
