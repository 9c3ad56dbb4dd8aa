// Writing to a file that another thread has closed fails: who sees that knows of the other thread, and nothing orders the two.
//@ property: data-race
//@ verdict: bug
//@ finds: random
#include <pthread.h>
#include <unistd.h>

int x;
char byte;

void *closes(void *unused) {
    x = 1; //~ BUG data-race thread=t1
    close(1);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, closes, 0);
    if (write(1, &byte, 1) < 0)
        x = 2; //~ BUG data-race thread=t0
    return 0;
}
