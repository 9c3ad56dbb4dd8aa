#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int top, full;

static void *push(void *unused) {
    pthread_mutex_lock(&m);
    if (top < 5) {
        top++;
        full = 1;
    }
    pthread_mutex_unlock(&m);
    return unused;
}

static void *pop(void *unused) {
    pthread_mutex_lock(&m);
    if (full) {
        assert(top > 0);
        top--;
        if (top == 0)
            full = 0;
    }
    pthread_mutex_unlock(&m);
    return unused;
}

int main(void) {
    pthread_t thread;
    for (;;) {
        pthread_create(&thread, 0, push, 0);
        pthread_create(&thread, 0, pop, 0);
    }
}
