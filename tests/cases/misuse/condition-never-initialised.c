//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>
#include <stdlib.h>

int main(void) {
    pthread_cond_t *changed = malloc(sizeof *changed);
    pthread_cond_signal(changed); //~ BUG lock-misuse thread=t0
    free(changed);
}
