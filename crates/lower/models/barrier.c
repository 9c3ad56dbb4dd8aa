/* Barriers. Words of 4 bytes: 0 how many must come, 1 how many have come in this round, 2 the round, 3 set when usable, 4 how
   many have come and not yet left. The last to come opens the barrier by beginning the next round. */

int __model_pthread_barrier_init(unsigned *barrier, const void *attributes, unsigned count) {
    (void)attributes;
    if (count == 0)
        return 22;
    __raddle_atomic_begin();
    barrier[0] = count;
    barrier[1] = 0;
    barrier[2] = 0;
    barrier[3] = 1;
    barrier[4] = 0;
    __raddle_atomic_end();
    return 0;
}

/* Whoever was let through may still have to leave; it needs nobody's help for that. */
int __model_pthread_barrier_destroy(unsigned *barrier) {
    __raddle_atomic_begin();
    __raddle_check_lock(barrier[3] == 1, "a barrier is destroyed that was not initialised, or twice");
    __raddle_check_lock(barrier[1] == 0, "a barrier is destroyed while a thread waits at it");
    __raddle_wait_until(barrier[4] == 0);
    barrier[3] = 0;
    __raddle_atomic_end();
    return 0;
}

int __model_pthread_barrier_wait(unsigned *barrier) {
    __raddle_atomic_begin();
    __raddle_check_lock(barrier[3] == 1, "a barrier is used that was not initialised, or that is destroyed");
    unsigned round = barrier[2];
    __atomic_fetch_add(&barrier[1], 1, 4);
    if (barrier[1] == barrier[0]) {
        barrier[1] = 0;
        __atomic_fetch_add(&barrier[2], 1, 4);
        __raddle_atomic_end();
        return -1; /* PTHREAD_BARRIER_SERIAL_THREAD */
    }
    barrier[4]++;
    __raddle_atomic_end();
    __raddle_atomic_begin();
    __raddle_wait_until(__atomic_load_n(&barrier[2], 2) != round);
    barrier[4]--;
    __raddle_atomic_end();
    return 0;
}

int __model_pthread_barrierattr_init(int *attributes) { attributes[0] = 0; return 0; }
int __model_pthread_barrierattr_destroy(int *attributes) { (void)attributes; return 0; }
int __model_pthread_barrierattr_setpshared(int *attributes, int shared) { (void)attributes; (void)shared; return 0; }
int __model_pthread_barrierattr_getpshared(const int *attributes, int *shared) { (void)attributes; *shared = 0; return 0; }
