// Who ends does not take it.
//@ property: assertion
//@ verdict: safe
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
    int left = 0;
    sem_init(&tokens, 0, 1);
    pthread_create(&a, 0, work, 0);
    pthread_cancel(a);
    pthread_join(a, 0);
    sem_getvalue(&tokens, &left);
    assert(left + taken == 1);
}
