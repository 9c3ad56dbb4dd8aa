#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *up(void *unused) {
    pthread_mutex_lock(&a);
    count++;
    count--;
    pthread_mutex_unlock(&a);
    return unused;
}

static void *look(void *unused) {
    for (;;) {
        pthread_mutex_lock(&b);
        pthread_mutex_lock(&a);
        assert(count == 0);
        pthread_mutex_unlock(&a);
        pthread_mutex_unlock(&b);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    for (;;) {
        pthread_create(&thread, 0, up, 0);
        pthread_create(&thread, 0, look, 0);
    }
}
