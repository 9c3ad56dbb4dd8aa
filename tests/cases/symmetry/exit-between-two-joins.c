//@ property: leak
//@ verdict: bug
// Main drops its pointer between two joins; whoever draws the second ticket ends the process meanwhile.
#include <pthread.h>
#include <stdlib.h>

_Atomic int tickets;

void *work(void *unused) {
    if (tickets++ == 1)
        exit(0);
    return unused;
}

int main(void) {
    pthread_t t[2];
    void *kept, **keeps = &kept;
    for (int i = 0; i < 2; i++)
        pthread_create(&t[i], 0, work, 0);
    *keeps = malloc(1); //~ BUG leak
    pthread_join(t[0], 0);
    *keeps = 0;
    pthread_join(t[1], 0);
}
