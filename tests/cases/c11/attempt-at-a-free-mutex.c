// C17 lets `mtx_trylock` fail though nobody holds the mutex. What the thread itself holds, and may lock again, is not free.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <threads.h>

int main(void) {
    mtx_t mutex, again;
    mtx_init(&again, mtx_plain | mtx_recursive);
    mtx_lock(&again);
    assert(mtx_trylock(&again) == thrd_success);
    mtx_init(&mutex, mtx_plain);
    assert(mtx_trylock(&mutex) == thrd_success); //~ BUG assertion
    assert(mtx_trylock(&mutex) == thrd_busy);
}
