// The cells overlap: one is made before the other is counted.
//@ property: assertion, memory-safety
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct cell { int value; struct cell *next; };
static _Alignas(16) char arena[64];
static size_t used;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct cell *first;

static void *get(size_t size) {
    pthread_mutex_lock(&mutex);
    void *start = arena + used;
    size_t before = used;
    pthread_mutex_unlock(&mutex);
    pthread_mutex_lock(&mutex);
    used = before + ((size + 15) & ~(size_t)15);
    pthread_mutex_unlock(&mutex);
    return start;
}

static void *work(void *argument) {
    struct cell *cell = get(sizeof *cell);
    cell->value = 2;
    cell->next = 0;
    first = cell;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    struct cell *cell = get(sizeof *cell);
    cell->value = 1;
    pthread_join(thread, 0);
    cell->next = first;
    int sum = 0;
    for (int i = 0; i < 2; i++, cell = cell->next)
        sum += cell->value;
    assert(sum == 3 && cell == 0); //~ BUG assertion
}
