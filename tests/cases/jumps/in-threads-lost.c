//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>

static int count;

static void step(jmp_buf back) {
    int seen = count;
    count = seen + 1;
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
    run(0);
    pthread_join(thread, 0);
    assert(count == 2); //~ BUG assertion
    return 0;
}
