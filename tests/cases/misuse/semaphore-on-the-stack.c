//@ property: lock-misuse, assertion
//@ verdict: safe
#include <assert.h>
#include <semaphore.h>

int main(void) {
    sem_t items;
    int value = 0;
    sem_init(&items, 0, 1);
    sem_wait(&items);
    sem_getvalue(&items, &value);
    assert(value == 0);
    sem_destroy(&items);
    sem_init(&items, 0, 2);
    sem_destroy(&items);
}
