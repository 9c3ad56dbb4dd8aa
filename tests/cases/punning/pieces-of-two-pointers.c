// Halves of two pointers are no pointer; all of one, copied half by half, is.
//@ property: assertion
//@ verdict: unknown
//@ reason: where objects lie in memory
#include <assert.h>
#include <pthread.h>

union halves { int *pointer; char parts[2][sizeof(int *) / 2]; };
static int a[4], b[4];
static union halves from, to;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void copy(int part) {
    pthread_mutex_lock(&mutex);
    for (unsigned i = 0; i < sizeof from.parts[0]; i++)
        to.parts[part][i] = from.parts[part][i];
    pthread_mutex_unlock(&mutex);
}

static void *work(void *argument) {
    pthread_mutex_lock(&mutex);
    from.pointer = b;
    pthread_mutex_unlock(&mutex);
    return argument;
}

int main(void) {
    pthread_t thread;
    from.pointer = to.pointer = a;
    pthread_create(&thread, 0, work, 0);
    copy(0);
    copy(1);
    pthread_join(thread, 0);
    assert(to.pointer == a || to.pointer == b);
}
