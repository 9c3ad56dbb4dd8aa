//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

void setup(void) {}

int main(void) {
    pthread_once_t once;
    pthread_once(&once, setup); //~ BUG lock-misuse thread=t0
}
