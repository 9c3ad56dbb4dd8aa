//@ property: memory-safety
//@ verdict: bug
//@ explore: random
/* Looking at the number of references and dropping one are two steps: two threads may both find one left, or none. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

struct shared {
    atomic_ulong references;
    int number;
};

static void drop(struct shared *s) {
    atomic_fetch_sub(&s->references, 1);
    if (atomic_load(&s->references) == 0) //~ BUG memory-safety
        free(s);
}

static void *use(void *argument) {
    struct shared *s = argument;
    int number = s->number;
    (void)number;
    drop(s);
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
