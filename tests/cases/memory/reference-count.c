// The last one to drop its reference frees.
//@ property: memory-safety, data-race
//@ verdict: safe
#include <pthread.h>
#include <stdlib.h>

struct object { int references, value; } *object;

void drop(struct object *target) {
    if (__atomic_sub_fetch(&target->references, 1, __ATOMIC_ACQ_REL) == 0)
        free(target);
}

void *work(void *unused) {
    int value = object->value;
    (void)value;
    drop(object);
    return unused;
}

int main(void) {
    pthread_t a;
    object = malloc(sizeof *object);
    object->references = 2;
    object->value = 1;
    pthread_create(&a, 0, work, 0);
    work(0);
    pthread_join(a, 0);
}
