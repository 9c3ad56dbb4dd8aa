//@ property: assertion, deadlock, lock-misuse, data-race, memory-safety
//@ verdict: bug
//@ verdict-tso: bug
// Only whoever comes last leaves the lock out, and its access races with that of the second only if it did not see its end.
#include <assert.h>
#include <pthread.h>

int count;
_Atomic int tickets;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

void *work(void *unused) {
    if (tickets++ == 2) {
        count++; //~ BUG data-race
        return unused;
    }
    pthread_mutex_lock(&m);
    count++; //~ BUG data-race
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t t[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
}
