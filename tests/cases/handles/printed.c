// What only people see is not looked at: these have two interleavings and no more.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

int done;

void *work(void *unused) {
    printf("%lu\n", (unsigned long)pthread_self());
    done = 1;
    return unused;
}

int main(void) {
    pthread_t *all = malloc(2 * sizeof *all);
    for (int i = 0; i < 2; i++) {
        pthread_create(&all[i], 0, work, 0);
        pthread_join(all[i], 0);
    }
    free(all);
    assert(done);
}
