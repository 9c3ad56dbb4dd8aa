// A union is copied by units of its alignment, which is that of `int` here.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

union both { int parts[2]; char bytes[8]; } to, from = {{1, 2}};

void *work(void *argument) {
    to = from;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    int a = to.parts[0];
    int b = to.parts[1];
    assert(!(a == 1 && b == 0)); //~ BUG assertion
    pthread_join(thread, 0);
}
