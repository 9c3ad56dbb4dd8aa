//@ property: data-race
//@ verdict: bug
/* The lock is given back too early. */
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int counter;

static void *work(void *argument) {
    (void)argument;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&lock);
        int next = counter + 1; //~ BUG data-race
        pthread_mutex_unlock(&lock);
        counter = next; //~ BUG data-race
    }
    return 0;
}

int main(void) {
    counter = 1;
    for (int i = 0; i < 2; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
    }
}
