// A structure holds a lock, numbers and a pointer, and several of them are in an array.
//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

struct cell { pthread_mutex_t lock; int value; struct cell *next; };
struct cell cells[2] = { { PTHREAD_MUTEX_INITIALIZER, 0, &cells[1] }, { PTHREAD_MUTEX_INITIALIZER, 0, &cells[0] } };

void *work(void *argument)
{
    struct cell *cell = argument, *next;
    pthread_mutex_lock(&cell->lock);
    cell->value++;
    next = cell->next;
    pthread_mutex_unlock(&cell->lock);
    pthread_mutex_lock(&next->lock);
    next->value++;
    pthread_mutex_unlock(&next->lock);
    return argument;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, work, &cells[0]);
    work(&cells[1]);
    pthread_join(thread, 0);
    assert(cells[0].value == 2 && cells[1].value == 2);
}
