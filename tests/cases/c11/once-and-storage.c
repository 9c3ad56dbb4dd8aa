//@ property: assertion, data-race
//@ verdict: safe
#include <assert.h>
#include <threads.h>

once_flag once = ONCE_FLAG_INIT;
tss_t key;
int destroyed;

void destroy(void *value) {
    destroyed += *(int *)value;
}

void make_key(void) {
    tss_create(&key, destroy);
}

int work(void *value) {
    call_once(&once, make_key);
    tss_set(key, value);
    assert(tss_get(key) == value);
    return 0;
}

int main(void) {
    thrd_t a;
    int own = 4;
    thrd_create(&a, work, &own);
    call_once(&once, make_key);
    assert(tss_get(key) == 0);
    thrd_join(a, 0);
    assert(destroyed == 4);
}
