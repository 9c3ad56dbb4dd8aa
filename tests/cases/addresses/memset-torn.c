// `memset` writes a structure by units of its alignment.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair { int a, b; } pair = {1, 1};

void *work(void *argument) {
    memset(&pair, 0, sizeof pair);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int a = pair.a;
    int b = pair.b;
    assert(!(a == 0 && b == 1)); //~ BUG assertion
    pthread_join(thread, 0);
}
