// So may thread-local variables of such threads.
//@ property: assertion
//@ verdict: unknown
//@ reason: whose address may be in use again
#include <assert.h>
#include <pthread.h>

_Thread_local int own;
int *kept[2];

void *work(void *argument) {
    *(int **)argument = &own;
    return 0;
}

int main(void) {
    pthread_t thread;
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, 0, work, &kept[i]);
        pthread_join(thread, 0);
    }
    assert(kept[0] != kept[1]);
}
