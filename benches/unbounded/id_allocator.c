/*
 * Identifiers from 0 up to a limit, given out once each, without a lock. Any
 * number of threads ask for one and enter themselves into a table.
 *
 * BUG: the next identifier is stored, not exchanged if it is still the same.
 *   Two threads read the same next identifier, and both get it.
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

struct allocator {
    atomic_uint next;
    unsigned int limit;
};

struct slot {
    atomic_bool used;
    unsigned int payload;
};

static struct allocator ids;
static struct slot *slots;

static bool id_take(struct allocator *a, unsigned int *id)
{
    unsigned int next = atomic_load(&a->next);

    while (next < a->limit) {
#ifdef BUG
        atomic_store(&a->next, next + 1);
        *id = next;
        return true;
#else
        if (atomic_compare_exchange_weak(&a->next, &next, next + 1)) {
            *id = next;
            return true;
        }
#endif
    }
    return false;
}

static void *client_main(void *arg)
{
    unsigned int id;
    bool used;

    (void)arg;
    if (!id_take(&ids, &id))
        return NULL;
    assert(id < ids.limit);
    used = atomic_exchange(&slots[id].used, true);
    assert(!used);
    slots[id].payload = id + 1;
    assert(slots[id].payload == id + 1);
    return NULL;
}

int main(void)
{
    unsigned int limit = __VERIFIER_nondet_uint();

    if (limit == 0 || limit > 65536)
        return EXIT_FAILURE;
    ids.limit = limit;
    slots = calloc(limit, sizeof *slots);
    if (slots == NULL)
        return EXIT_FAILURE;
    while (__VERIFIER_nondet_int()) {
        pthread_t thread;

        if (pthread_create(&thread, NULL, client_main, NULL) != 0)
            break;
        pthread_detach(thread);
    }
    assert(atomic_load(&ids.next) <= limit);
    pthread_exit(NULL);
}
