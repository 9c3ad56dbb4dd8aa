// The thread that main starts does not write, but the one that it starts does.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

int x = 1;

void *grandchild(void *unused) {
    x = 2;
    return unused;
}
void *child(void *unused) {
    pthread_t b;
    pthread_create(&b, 0, grandchild, 0);
    pthread_join(b, 0);
    return unused;
}

int main(void) {
    pthread_t a;
    assert(x == 1);
    pthread_create(&a, 0, child, 0);
    assert(x == 1); //~ BUG assertion thread=t0
    pthread_join(a, 0);
}
