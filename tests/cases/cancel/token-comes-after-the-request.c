// Either may win.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t tokens;
int taken;

void *work(void *unused) {
    sem_wait(&tokens);
    taken = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&tokens, 0, 0);
    pthread_create(&a, 0, work, 0);
    pthread_cancel(a);
    sem_post(&tokens);
    pthread_join(a, 0);
    assert(!taken); //~ BUG assertion
}
