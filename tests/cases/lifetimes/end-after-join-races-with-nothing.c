// The join orders the thread's accesses before the end of the variable.
//@ property: data-race, memory-safety, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

void *work(void *argument) {
    *(int *)argument += 1;
    return 0;
}

static int once(int from) {
    pthread_t a;
    int local = from;
    pthread_create(&a, 0, work, &local);
    pthread_join(a, 0);
    return local;
}

int main(void) {
    assert(once(once(0)) == 2);
}
