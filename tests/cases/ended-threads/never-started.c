//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>
#include <signal.h>

pthread_t nobody;

int main(void) {
    pthread_kill(nobody, 0); //~ BUG lock-misuse
}
