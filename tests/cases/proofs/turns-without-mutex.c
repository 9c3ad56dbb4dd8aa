// Two turns may be given away as one: the number is read outside of the mutex.
//@ property: assertion
//@ verdict: bug
//@ explore: random
#include <assert.h>
#include <pthread.h>

_Bool __VERIFIER_nondet_bool(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
unsigned long turn, drawn;
int owner;

void *work(void *unused) {
    unsigned long own = __atomic_load_n(&drawn, __ATOMIC_SEQ_CST);
    if (own == 1000000)
        return unused;
    pthread_mutex_lock(&mutex);
    drawn = own + 1;
    pthread_mutex_unlock(&mutex);
    for (;;) {
        pthread_mutex_lock(&mutex);
        int is_mine = turn == own;
        pthread_mutex_unlock(&mutex);
        if (is_mine)
            break;
    }
    owner = 1;
    assert(owner == 1); //~ BUG assertion
    owner = 0;
    pthread_mutex_lock(&mutex);
    turn = turn + 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_bool())
        pthread_create(&thread, 0, work, 0);
    pthread_exit(0);
}
