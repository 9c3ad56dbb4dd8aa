#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int balance = 100;

static int get(void) {
    pthread_mutex_lock(&lock);
    int amount = balance;
    pthread_mutex_unlock(&lock);
    return amount;
}

static void set(int amount) {
    pthread_mutex_lock(&lock);
    balance = amount;
    pthread_mutex_unlock(&lock);
}

static void *deposit(void *amount) {
    set(get() + (int)(long)amount);
    return 0;
}

int main(void) {
    pthread_t monday, tuesday;
    pthread_create(&monday, 0, deposit, (void *)50L);
    pthread_create(&tuesday, 0, deposit, (void *)30L);
    pthread_join(monday, 0);
    pthread_join(tuesday, 0);
    assert(get() == 180);
    return 0;
}
