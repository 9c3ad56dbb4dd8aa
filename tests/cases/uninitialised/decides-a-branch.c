//@ property: uninitialised
//@ verdict: bug
#include <pthread.h>
#include <stdlib.h>

int *_Atomic box;
_Atomic int done;

void *work(void *unused) {
    int *fresh = malloc(2 * sizeof *fresh);
    fresh[0] = 1;
    box = fresh;
    fresh[1] = 2;
    done = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    if (box && !done) {
        if (box[1] == 2) //~ BUG uninitialised thread=t0
            done = 2;
    }
    pthread_join(a, 0);
}
