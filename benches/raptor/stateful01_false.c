/* Two threads change two counters under one lock; SV-COMP's stateful01, from its description. */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int data1, data2;

static void *one(void *unused) {
    pthread_mutex_lock(&mutex);
    data1++;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    data2++;
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void *two(void *unused) {
    pthread_mutex_lock(&mutex);
    data1 += 5;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    data2 -= 6;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    pthread_t first, second;
    data1 = 10;
    data2 = 10;
    pthread_create(&first, 0, one, 0);
    pthread_create(&second, 0, two, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(!(data1 == 16 && data2 == 5));
    return 0;
}
