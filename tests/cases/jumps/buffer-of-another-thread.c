//@ property: memory-safety
//@ verdict: bug
#include <pthread.h>
#include <setjmp.h>

static jmp_buf back;

static void *run(void *argument) {
    longjmp(back, 1); //~ BUG memory-safety thread=t1
    return argument;
}

int main(void) {
    pthread_t thread;
    if (setjmp(back) == 0) {
        pthread_create(&thread, 0, run, 0);
        pthread_join(thread, 0);
    }
    return 0;
}
