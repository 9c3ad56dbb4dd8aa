//@ property: data-race, lock-misuse, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_t first, second;
int done;

void *begin(void *unused) {
    done = 1;
    return unused;
}

void *wait_for_first(void *unused) {
    pthread_join(first, 0);
    assert(done == 1);
    return unused;
}

int main(void) {
    pthread_create(&first, 0, begin, 0);
    pthread_create(&second, 0, wait_for_first, 0);
    pthread_join(second, 0);
}
