//@ property: memory-safety
//@ verdict: bug
//@ explore: random
/* The object is looked at once more behind the reference. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct shared {
    atomic_ulong references;
    int number;
};

static void drop(struct shared *s) {
    if (atomic_fetch_sub(&s->references, 1) == 1)
        free(s);
}

static void *use(void *argument) {
    struct shared *s = argument;
    drop(s);
    int number = s->number; //~ BUG memory-safety
    (void)number;
    return 0;
}

int main(void) {
    struct shared *s = malloc(sizeof *s);
    s->number = 7;
    atomic_init(&s->references, 1);
    while (__VERIFIER_nondet_bool()) {
        pthread_t thread;
        if (atomic_load(&s->references) > 1000000)
            break;
        atomic_fetch_add(&s->references, 1);
        pthread_create(&thread, 0, use, s);
        pthread_detach(thread);
    }
    drop(s);
    pthread_exit(0);
}
