// The first look at the pointer is not protected by anything.
//@ property: data-race
//@ verdict: bug
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int storage, *instance;

void *get(void *unused) {
    if (!instance) { //~ BUG data-race
        pthread_mutex_lock(&lock);
        if (!instance)
            instance = &storage; //~ BUG data-race
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, get, 0);
    get(0);
    pthread_join(a, 0);
}
