// With two free places the semaphores let producers in together.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

sem_t empty;
int cells[2], end;

void *producer(void *unused) {
    sem_wait(&empty);
    cells[end] = 1;
    end++;
    return unused;
}

int main(void) {
    pthread_t a;
    sem_init(&empty, 0, 2);
    pthread_create(&a, 0, producer, 0);
    producer(0);
    pthread_join(a, 0);
    assert(cells[0] + cells[1] == 2); //~ BUG assertion thread=t0
}
