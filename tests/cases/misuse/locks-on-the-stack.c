//@ property: lock-misuse
//@ verdict: safe
// Memory that was never written is no lock, whatever it holds.
#include <pthread.h>

struct shared {
    pthread_mutex_t mutex;
    pthread_cond_t condition;
    int number;
};

static void *add(void *argument) {
    struct shared *shared = argument;
    pthread_mutex_lock(&shared->mutex);
    shared->number++;
    pthread_mutex_unlock(&shared->mutex);
    return 0;
}

int main(void) {
    struct shared shared;
    pthread_t thread;
    pthread_mutex_init(&shared.mutex, 0);
    pthread_cond_init(&shared.condition, 0);
    shared.number = 0;
    pthread_create(&thread, 0, add, &shared);
    pthread_join(thread, 0);
    pthread_cond_destroy(&shared.condition);
    pthread_mutex_destroy(&shared.mutex);
}
