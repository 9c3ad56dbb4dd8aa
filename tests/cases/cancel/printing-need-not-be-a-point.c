//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

sem_t asked;
int after;

void *work(void *unused) {
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
    sem_wait(&asked);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
    puts("here");
    after = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&asked, 0, 0);
    pthread_create(&a, 0, work, 0);
    pthread_cancel(a);
    sem_post(&asked);
    pthread_join(a, 0);
    assert(!after); //~ BUG assertion
}
