//@ property: data-race
//@ verdict: bug
//@ contexts: 2
// Both must have come to their access: the main thread starts them and is not needed then.
#include <pthread.h>

static int x;

static void *write_it(void *argument) {
    x = 1; //~ BUG data-race
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, write_it, 0);
    pthread_create(&second, 0, write_it, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    return 0;
}
