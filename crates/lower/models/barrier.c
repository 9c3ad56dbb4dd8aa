/* Barriers. Words of 4 bytes: 0 how many must come, or zero when it is not usable, 1 how many have come in this round, 2 the
   round, then how many have come and not yet left, and where it is itself. The last to come opens the barrier by beginning the
   next round. */

static unsigned *__barrier_leaving(unsigned *barrier) {
    return barrier + (sizeof(long) == 8 ? 3 : 4);
}

static unsigned long *__barrier_self(unsigned *barrier) {
    return (unsigned long *)(barrier + (sizeof(long) == 8 ? 4 : 3));
}

__attribute__((raddle_reads(initialised)))
static int __barrier_is_live(unsigned *barrier) {
    return __raddle_peek((int *)barrier, 0) != 0 && *__barrier_self(barrier) == (unsigned long)barrier;
}

static void __attribute_read_word(const int *attributes);
int __model_pthread_barrier_init(unsigned *barrier, const void *attributes, unsigned count) {
    __attribute_read_word(attributes);
    if (count == 0)
        return 22; /* EINVAL */
    if (__ENVIRONMENT_CREATE_MAY_FAIL && __raddle_nondet_bool())
        return THREAD_EAGAIN;
    __raddle_atomic_begin();
    __raddle_check_lock(!__barrier_is_live(barrier), "a barrier is initialised that is in use already");
    barrier[0] = count;
    barrier[1] = 0;
    barrier[2] = 0;
    *__barrier_leaving(barrier) = 0;
    *__barrier_self(barrier) = (unsigned long)barrier;
    __raddle_atomic_end();
    barrier[0] = count; /* plain accesses: who comes to the barrier at the same time races */
    barrier[1] = 0;
    return 0;
}

/* Whoever was let through may still have to leave; it needs nobody's help for that. Destroying waits for it, and happens after it. */
__attribute__((raddle_reads(initialised)))
int __model_pthread_barrier_destroy(unsigned *barrier) {
    __raddle_atomic_begin();
    __raddle_check_lock(__barrier_is_live(barrier), "a barrier is destroyed that was not initialised, or twice");
    __raddle_check_lock(barrier[1] == 0, "a barrier is destroyed while a thread waits at it");
    __raddle_wait_until(__atomic_load_n(__barrier_leaving(barrier), 2) == 0);
    barrier[0] = 0;
    __raddle_atomic_end();
    barrier[1] = 0; /* the same; who leaves the barrier touches other words */
    return 0;
}

__attribute__((raddle_reads(acquired)))
int __model_pthread_barrier_wait(unsigned *barrier) {
    __raddle_atomic_begin();
    __raddle_check_lock(__barrier_is_live(barrier), "a barrier is used that was not initialised, or that is destroyed");
    unsigned round = barrier[2];
    __atomic_fetch_add(&barrier[1], 1, 4);
    if (barrier[1] == barrier[0]) {
        barrier[1] = 0;
        __atomic_fetch_add(&barrier[2], 1, 4);
        __raddle_atomic_end();
        return -1; /* PTHREAD_BARRIER_SERIAL_THREAD */
    }
    *__barrier_leaving(barrier) += 1;
    __raddle_atomic_end();
    __raddle_atomic_begin();
    __raddle_wait_until(__atomic_load_n(&barrier[2], 2) != round);
    __atomic_fetch_sub(__barrier_leaving(barrier), 1, 3);
    __raddle_atomic_end();
    return 0;
}

