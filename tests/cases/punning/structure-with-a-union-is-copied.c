// Copies of what may be a pointer or a number are what they were copied from.
//@ property: assertion, memory-safety
//@ verdict: safe
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct value { char kind; union { long number; double real; int *pointer; } is; };
static volatile int chosen;

static void *choose(void *argument) {
    chosen = 1;
    return argument;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, choose, 0);
    int object = 4;
    struct value values[3] = {{0}}, copy;
    if (chosen) {
        values[0].kind = 'p';
        values[0].is.pointer = &object;
    } else {
        values[0].kind = 'n';
        values[0].is.number = 4;
    }
    copy = values[0];
    memcpy(&values[2], &copy, sizeof copy);
    values[1] = values[2];
    assert(values[1].kind == 'p' ? *values[1].is.pointer == 4 : values[1].is.number == 4);
    pthread_join(thread, 0);
}
