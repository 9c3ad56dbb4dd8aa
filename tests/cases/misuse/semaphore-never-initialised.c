//@ property: lock-misuse
//@ verdict: bug
#include <semaphore.h>

int main(void) {
    sem_t items;
    sem_post(&items); //~ BUG lock-misuse thread=t0
}
