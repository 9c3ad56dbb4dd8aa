//@ property: lock-misuse
//@ verdict: bug
#include <semaphore.h>

sem_t items;

int main(void) {
    sem_init(&items, 0, 1);
    sem_init(&items, 0, 2); //~ BUG lock-misuse thread=t0
}
