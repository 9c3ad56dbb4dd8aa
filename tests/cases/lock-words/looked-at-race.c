//@ property: data-race
//@ verdict: bug
// Taking a lock writes its word: who looks at its bytes meanwhile races with that.
#include <pthread.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int seen;

void *work(void *unused) {
    pthread_mutex_lock(&lock); //~ BUG data-race
    pthread_mutex_unlock(&lock); //~ BUG data-race
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    seen = *(int *)&lock; //~ BUG data-race
    pthread_join(a, 0);
}
