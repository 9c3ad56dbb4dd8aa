//@ property: lock-misuse
//@ verdict: bug
#include <pthread.h>

struct guarded {
    pthread_rwlock_t lock;
};

int main(void) {
    struct guarded first, second;
    pthread_rwlock_init(&first.lock, 0);
    second = first;
    pthread_rwlock_rdlock(&second.lock); //~ BUG lock-misuse
}
