// Who gets a lock by trying is ordered behind who gave it back.
//@ property: data-race, assertion
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int data, given;

void *owner(void *unused) {
    pthread_mutex_lock(&lock);
    data = given = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, owner, 0);
    if (pthread_mutex_trylock(&lock) == 0) {
        int seen = given;
        pthread_mutex_unlock(&lock);
        if (seen)
            assert(data == 1);
    }
    pthread_join(a, 0);
}
