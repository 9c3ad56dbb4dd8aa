//@ property: memory-safety, assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_t a;

void *work(void *argument) {
    int seen = *(int *)argument; //~ BUG memory-safety thread=t1
    assert(seen != 5); //~ BUG assertion thread=t1
    return 0;
}

static void start(int value) { pthread_create(&a, 0, work, &value); }

int main(void) {
    start(5);
    pthread_join(a, 0);
}
