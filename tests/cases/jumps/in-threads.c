//@ property: assertion, data-race, memory-safety, lock-misuse, deadlock
//@ verdict: safe
// Each thread has its own buffer, and jumps within itself.
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static _Thread_local jmp_buf back;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void step(int *fails) {
    pthread_mutex_lock(&mutex);
    count++;
    pthread_mutex_unlock(&mutex);
    if (*fails)
        longjmp(back, 2);
}

static void *run(void *argument) {
    int fails = 1;
    if (setjmp(back) == 0) {
        step(&fails);
        assert(0);
    }
    return argument;
}

int main(void) {
    pthread_t first, second;
    pthread_create(&first, 0, run, 0);
    pthread_create(&second, 0, run, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(count == 2);
    return 0;
}
