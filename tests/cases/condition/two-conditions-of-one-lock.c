// Two threads hand a number to and fro, each with a condition variable of its own.
//@ property: assertion, data-race, deadlock, lock-misuse
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t asked = PTHREAD_COND_INITIALIZER, answered = PTHREAD_COND_INITIALIZER;
int question, answer;

void *work(void *unused) {
    pthread_mutex_lock(&lock);
    while (!question)
        pthread_cond_wait(&asked, &lock);
    answer = question + 1;
    pthread_cond_signal(&answered);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&lock);
    question = 1;
    pthread_cond_signal(&asked);
    while (!answer)
        pthread_cond_wait(&answered, &lock);
    assert(answer == 2);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
}
