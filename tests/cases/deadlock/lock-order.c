// The child takes first, second; main takes second, first. Each side is lock, lock, unlock, unlock.
// Each takes its first lock before the other asks for it: both are stuck, 2 executions, by who came first.
// Else one side takes both. Say the child: main comes in once second is free again, before or after the child's last
// step, the unlock of first: 2 executions. The same with main first: 2. Together 6.
//@ property: deadlock
//@ verdict: bug
//@ executions: 6
#include <pthread.h>

pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    pthread_mutex_lock(&first);
    pthread_mutex_lock(&second); //~ BUG deadlock
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, 0);
    pthread_mutex_lock(&second);
    pthread_mutex_lock(&first); //~ BUG deadlock
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    pthread_join(a, 0);
}
