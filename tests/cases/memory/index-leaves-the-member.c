// Behind an array in a structure is the next member: that is memory, and the thread goes on.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

struct {
    int array[2];
    int next;
} both;
int behind = 2;

void *work(void *unused) {
    both.array[behind] = 7;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    assert(both.next == 0); //~ BUG assertion thread=t0
}
