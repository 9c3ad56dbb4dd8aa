//@ property: deadlock, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int stage;

void *wait_for(void *wanted) {
    pthread_mutex_lock(&lock);
    while (stage < (long)wanted)
        pthread_cond_wait(&changed, &lock);
    stage++;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, wait_for, (void *)1);
    pthread_create(&b, 0, wait_for, (void *)2);
    wait_for((void *)0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(stage == 3);
}
