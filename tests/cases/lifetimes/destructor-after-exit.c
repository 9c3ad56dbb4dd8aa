//@ property: memory-safety
//@ verdict: bug
// pthread_exit leaves all functions of the thread. Only then the destructors of keys run.
#include <pthread.h>

static pthread_key_t key;

static void destroy(void *value) {
    *(int *)value = 0; //~ BUG memory-safety
}

static void *thread(void *unused) {
    int local = 1;
    (void)unused;
    pthread_setspecific(key, &local);
    pthread_exit(0);
}

int main(void) {
    pthread_t id;
    pthread_key_create(&key, destroy);
    pthread_create(&id, 0, thread, 0);
    pthread_join(id, 0);
}
