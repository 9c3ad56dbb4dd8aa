//@ property: data-race
//@ verdict: bug
#include <pthread.h>
#include <setjmp.h>

static jmp_buf back;

static void *run(void *argument) {
    setjmp(back); //~ BUG data-race
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    setjmp(back); //~ BUG data-race
    pthread_join(thread, 0);
    return 0;
}
