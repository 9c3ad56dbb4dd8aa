// Pointers that move to a block that is too small.
//@ property: assertion, memory-safety
//@ verdict: bug
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static struct { void **items; size_t count, room; pthread_mutex_t mutex; } vector;
static int one = 1, two = 2;

static void *add(void *item) {
    pthread_mutex_lock(&vector.mutex);
    if (vector.count == vector.room) {
        vector.room++;
        vector.items = realloc(vector.items, vector.count * sizeof *vector.items + (vector.count == 0));
    }
    vector.items[vector.count++] = item; //~ BUG memory-safety
    pthread_mutex_unlock(&vector.mutex);
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&vector.mutex, 0);
    add(&two);
    pthread_create(&thread, 0, add, &one);
    pthread_join(thread, 0);
    assert(vector.count == 2);
    assert(*(int *)vector.items[0] + *(int *)vector.items[1] == 3);
    free(vector.items);
}
