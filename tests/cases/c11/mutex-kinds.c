//@ property: assertion, deadlock, lock-misuse
//@ verdict: safe
#include <assert.h>
#include <threads.h>
#include <time.h>

mtx_t recursive, timed;

int work(void *unused) {
    struct timespec deadline = {1, 0};
    (void)unused;
    assert(mtx_trylock(&recursive) == thrd_busy);
    assert(mtx_timedlock(&timed, &deadline) == thrd_timedout);
    return 0;
}

int main(void) {
    thrd_t a;
    mtx_init(&recursive, mtx_plain | mtx_recursive);
    mtx_init(&timed, mtx_timed);
    mtx_lock(&recursive);
    mtx_lock(&recursive);
    mtx_lock(&timed);
    thrd_create(&a, work, 0);
    thrd_join(a, 0);
    mtx_unlock(&recursive);
    mtx_unlock(&recursive);
    mtx_unlock(&timed);
}
