// An atomic counter, up and down: never more than the ups, never less than the downs.
//@ property: assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int users;

void *use(void *unused) {
    for (int i = 0; i < 2; i++) {
        int before = atomic_fetch_add(&users, 1);
        assert(before >= 0 && before < 2);
        before = atomic_fetch_sub(&users, 1);
        assert(before >= 1 && before <= 2);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, use, 0);
    use(0);
    pthread_join(a, 0);
    assert(users == 0);
}
