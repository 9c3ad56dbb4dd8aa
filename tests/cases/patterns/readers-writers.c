// The first readers-writers problem: the first reader locks the writers out, the last one lets them in.
//@ property: assertion, deadlock
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

pthread_mutex_t count_lock = PTHREAD_MUTEX_INITIALIZER;
sem_t room;
int readers, x, y;

void *reader(void *unused) {
    pthread_mutex_lock(&count_lock);
    if (++readers == 1)
        sem_wait(&room);
    pthread_mutex_unlock(&count_lock);
    assert(x == y);
    pthread_mutex_lock(&count_lock);
    if (--readers == 0)
        sem_post(&room);
    pthread_mutex_unlock(&count_lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&room, 0, 1);
    pthread_create(&a, 0, reader, 0);
    pthread_create(&b, 0, reader, 0);
    sem_wait(&room);
    x++;
    y++;
    sem_post(&room);
    pthread_join(a, 0);
    pthread_join(b, 0);
}
