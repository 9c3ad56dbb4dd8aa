//@ property: deadlock
//@ verdict: bug
// A jump releases nothing.
#include <pthread.h>
#include <setjmp.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void step(jmp_buf back) {
    pthread_mutex_lock(&mutex);
    longjmp(back, 1);
}

static void *run(void *argument) {
    jmp_buf back;
    if (setjmp(back) == 0)
        step(back);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    pthread_mutex_lock(&mutex); //~ BUG deadlock
    return 0;
}
