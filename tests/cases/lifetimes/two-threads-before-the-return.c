// Two threads race on a local variable before main returns.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

void *one(void *argument) {
    *(int *)argument = 2; //~ BUG data-race //~ UNDEFINED memory-safety
    return 0;
}

void *two(void *argument) {
    *(int *)argument = 3; //~ BUG data-race
    return 0;
}

int main(void) {
    pthread_t a, b;
    int local;
    pthread_create(&a, 0, one, &local);
    pthread_create(&b, 0, two, &local);
    return 0; //~ BUG data-race
}
