//@ property: leak
//@ verdict: bug
// The result is joined and freed only where the flag is seen.
#include <pthread.h>
#include <stdlib.h>

_Atomic int flag;

void *work(void *unused) {
    int *result = malloc(sizeof *result); //~ BUG leak
    flag = 1;
    return result;
}

void *other(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    void *result;
    int *own = malloc(sizeof *own);
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, other, 0);
    int early = flag;
    pthread_join(a, &result);
    pthread_join(b, 0);
    free(own);
    if (!early)
        free(result);
}
