//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <time.h>

struct timespec pause_for = {0, 1};

void *longer(void *unused) {
    pause_for.tv_nsec = 2; //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, longer, 0);
    nanosleep(&pause_for, 0); //~ BUG data-race
    pthread_join(a, 0);
}
