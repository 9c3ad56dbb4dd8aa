// The number of readers is changed without its lock.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t room;
int readers, x, y;

void *reader(void *unused) {
    if (++readers == 1)
        sem_wait(&room);
    assert(x == y); //~ BUG assertion
    if (--readers == 0)
        sem_post(&room);
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
    pthread_exit(0);
}
