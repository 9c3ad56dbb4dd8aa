// Checked outside only: two instances.
//@ property: assertion
//@ verdict: bug
#include <assert.h>
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int instance, made;

void *get(void *unused) {
    if (!instance) {
        pthread_mutex_lock(&lock);
        instance = 1;
        made++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, get, 0);
    get(0);
    pthread_join(a, 0);
    assert(made == 1); //~ BUG assertion thread=t0
}
