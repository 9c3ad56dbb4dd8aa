// A circle through two kinds of locks.
//@ property: deadlock
//@ verdict: bug
#include <pthread.h>

pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t entry = PTHREAD_MUTEX_INITIALIZER;

void *remove_entry(void *unused) {
    pthread_mutex_lock(&entry);
    pthread_rwlock_wrlock(&table); //~ BUG deadlock
    pthread_rwlock_unlock(&table);
    pthread_mutex_unlock(&entry);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, 0, remove_entry, 0);
    pthread_rwlock_rdlock(&table);
    pthread_mutex_lock(&entry); //~ BUG deadlock
    pthread_mutex_unlock(&entry);
    pthread_rwlock_unlock(&table);
    pthread_join(a, 0);
}
