//@ property: memory-safety
//@ verdict: bug
// POSIX leaves it undefined to jump out of the part between `pthread_cleanup_push` and `pthread_cleanup_pop`.
#include <pthread.h>
#include <setjmp.h>

static void clean(void *argument) { (void)argument; }

static void *run(void *argument) {
    jmp_buf back;
    if (setjmp(back) == 0) {
        pthread_cleanup_push(clean, 0);
        longjmp(back, 1); //~ BUG memory-safety
        pthread_cleanup_pop(1);
    }
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
    return 0;
}
