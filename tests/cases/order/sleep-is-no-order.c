//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

int done;

void *work(void *unused) {
    done = 1;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    sleep(10);
    assert(done); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
