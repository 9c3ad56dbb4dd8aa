// What a message holds, its kind says: a number and a pointer in the same bytes, one after the other.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>

struct message { int kind; union { int number; const char *text; } with; };
static struct message box;
static int full;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void put(struct message message) {
    pthread_mutex_lock(&mutex);
    if (!full) {
        box = message;
        full = 1;
    }
    pthread_mutex_unlock(&mutex);
}

static void *work(void *argument) {
    struct message message = {1, {.number = 5}};
    put(message);
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    struct message message = {2, {.text = "hi"}};
    put(message);
    pthread_mutex_lock(&mutex);
    struct message got = box;
    full = 0;
    pthread_mutex_unlock(&mutex);
    if (got.kind == 1)
        assert(got.with.number == 5);
    else
        assert(got.with.text[0] == 'h');
    pthread_join(thread, 0);
}
