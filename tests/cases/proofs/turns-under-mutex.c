// Numbers are drawn and looked at under a mutex: who has the number that is served goes on without the mutex.
//@ property: assertion
//@ verdict: safe
//@ explore: random
#include <assert.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
unsigned long turn, drawn;
int owner;

void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    if (drawn == 1000000) {
        pthread_mutex_unlock(&mutex);
        return unused;
    }
    unsigned long own = drawn;
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
    assert(owner == 1);
    owner = 0;
    pthread_mutex_lock(&mutex);
    turn = turn + 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t thread;
    while (__VERIFIER_nondet_int())
        pthread_create(&thread, 0, work, 0);
    return 0;
}
