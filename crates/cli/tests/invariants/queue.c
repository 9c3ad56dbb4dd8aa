#include <assert.h>
#include <pthread.h>

#define SIZE 8

static struct {
    unsigned tail, used;
} q;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *producer(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        if (q.used < SIZE) {
            assert(q.tail < SIZE);

            q.tail++;
            if (q.tail == SIZE)
                q.tail = 0;
            q.used++;
        }
        pthread_mutex_unlock(&m);
    }
    return unused;
}

static void *consumer(void *unused) {
    for (;;) {
        pthread_mutex_lock(&m);
        if (q.used > 0) {
            q.used--;
            assert(q.used < SIZE);
        }
        pthread_mutex_unlock(&m);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    for (;;) {
        pthread_create(&thread, 0, producer, 0);
        pthread_create(&thread, 0, consumer, 0);
    }
}
