// Two clerks move money between two accounts. Each transfer looks right on its own; together they can lose money,
// because `balance` is read before the lock is taken.
#include <assert.h>
#include <pthread.h>

enum { CLERKS = 2 };

struct account {
    pthread_mutex_t lock;
    int balance;
};

static struct account checking = { PTHREAD_MUTEX_INITIALIZER, 100 };
static struct account savings = { PTHREAD_MUTEX_INITIALIZER, 100 };

static void transfer(struct account *from, struct account *to, int amount) {
    int before = from->balance; // should be read under the lock
    pthread_mutex_lock(&from->lock);
    from->balance = before - amount;
    pthread_mutex_unlock(&from->lock);
    pthread_mutex_lock(&to->lock);
    to->balance += amount;
    pthread_mutex_unlock(&to->lock);
}

static void *clerk(void *unused) {
    (void)unused;
    transfer(&checking, &savings, 10);
    return 0;
}

int main(void) {
    pthread_t clerks[CLERKS];
    for (int i = 0; i < CLERKS; i++)
        pthread_create(&clerks[i], 0, clerk, 0);
    for (int i = 0; i < CLERKS; i++)
        pthread_join(clerks[i], 0);
    assert(checking.balance + savings.balance == 200);
    return 0;
}
