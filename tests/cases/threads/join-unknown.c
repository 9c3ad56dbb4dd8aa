//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_t never_started = 77;

int main(void) {
    pthread_join(never_started, 0); //~ BUG lock-misuse thread=t0
}
