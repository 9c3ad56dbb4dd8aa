//@ property: data-race, assertion
//@ verdict: safe
/* What a thread has written is read when it has ended. */
#include <assert.h>
#include <pthread.h>

static int result;

static void *work(void *argument) {
    (void)argument;
    for (int i = 0; i < 3; i++)
        result = i;
    return 0;
}

int main(void) {
    pthread_t thread;
    result = 7;
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    assert(result >= 0);
    result = 1;
    assert(result == 1);
}
