// A handle that was never set is no thread, whatever its value.
//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

pthread_t never;
void *work(void *unused) { return unused; }

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(never, 0); //~ BUG lock-misuse thread=t0
}
