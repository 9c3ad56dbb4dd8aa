//@ property: data-race
//@ verdict: bug
#include <pthread.h>

volatile int stop;

void *work(void *unused) {
    for (int i = 0; i < 2; i++)
        if (stop) //~ BUG data-race
            break;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    stop = 1; //~ BUG data-race
    pthread_join(a, 0);
}
