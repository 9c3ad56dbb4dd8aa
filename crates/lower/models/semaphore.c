/* Semaphores and spin locks. Words of a semaphore: 0 its value, 1 the mark. */

static void **__semaphore_self(int *semaphore) {
    return (void **)(semaphore + 2);
}

static void __semaphore_check(int *semaphore) {
    __raddle_check_lock(__object_is_live(&semaphore[1], __semaphore_self(semaphore), semaphore),
                        "a semaphore is used that was not initialised, or that is destroyed");
}

int *__model___errno_location(void);

int __model_sem_init(int *semaphore, int shared, unsigned value) {
    (void)shared;
    if (value > 0x7fffffff) {
        *__model___errno_location() = 22; /* EINVAL */
        return -1;
    }
    __raddle_atomic_begin();
    __raddle_check_lock(!__object_is_live(&semaphore[1], __semaphore_self(semaphore), semaphore),
                        "a semaphore is initialised that is in use already");
    semaphore[0] = (int)value;
    __object_begin(&semaphore[1], __semaphore_self(semaphore), semaphore);
    __raddle_atomic_end();
    return 0;
}

int __model_sem_destroy(int *semaphore) {
    __raddle_atomic_begin();
    __semaphore_check(semaphore);
    semaphore[1] = 0;
    __raddle_atomic_end();
    return 0;
}

int __model_sem_wait(int *semaphore) {
    __raddle_atomic_begin();
    __semaphore_check(semaphore);
    __raddle_wait_until(semaphore[0] > 0);
    __atomic_fetch_sub(&semaphore[0], 1, 4);
    __raddle_atomic_end();
    return 0;
}

int __model_sem_trywait(int *semaphore) {
    int taken = 0;
    __raddle_atomic_begin();
    __semaphore_check(semaphore);
    if (semaphore[0] > 0) {
        __atomic_fetch_sub(&semaphore[0], 1, 4);
        taken = 1;
    }
    __raddle_atomic_end();
    if (taken)
        return 0;
    *__model___errno_location() = 11; /* EAGAIN */
    return -1;
}

/* Time runs out exactly when the step is made while the value is zero; see pthread_mutex_timedlock. */
int __model_sem_timedwait(int *semaphore, const void *deadline) {
    (void)deadline;
    if (__model_sem_trywait(semaphore) == 0)
        return 0;
    *__model___errno_location() = 110; /* ETIMEDOUT */
    return -1;
}

int __model_sem_clockwait(int *semaphore, int clock, const void *deadline) {
    (void)clock;
    return __model_sem_timedwait(semaphore, deadline);
}

int __model_sem_post(int *semaphore) {
    __raddle_atomic_begin();
    __semaphore_check(semaphore);
    int full = semaphore[0] == 0x7fffffff;
    if (!full)
        __atomic_fetch_add(&semaphore[0], 1, 4);
    __raddle_atomic_end();
    if (!full)
        return 0;
    *__model___errno_location() = 75; /* EOVERFLOW */
    return -1;
}

int __model_sem_getvalue(int *semaphore, int *value) {
    __raddle_atomic_begin();
    __semaphore_check(semaphore);
    int now = semaphore[0];
    __raddle_atomic_end();
    *value = now;
    return 0;
}

/* Semaphores that other processes can see. */
void *__model_sem_open(const char *name, int flags, ...) {
    (void)name;
    (void)flags;
    __raddle_unsupported("named semaphores (sem_open)");
}
int __model_sem_close(void *semaphore) {
    (void)semaphore;
    __raddle_unsupported("named semaphores (sem_close)");
}
int __model_sem_unlink(const char *name) {
    (void)name;
    __raddle_unsupported("named semaphores (sem_unlink)");
}

/* Spin locks have one word, so the lock word itself says -1 when destroyed, and locking has to read it. */
static void __spin_check(int *lock) {
    int word = __raddle_peek(lock, OBJECT_UNWRITTEN);
    __raddle_check_lock(word != OBJECT_DESTROYED, "a spin lock is used that is destroyed");
    __raddle_check_lock(word != OBJECT_UNWRITTEN, "a spin lock is used that was not initialised");
}

int __model_pthread_spin_init(volatile int *lock, int shared) {
    (void)shared;
    __raddle_atomic_begin();
    __raddle_check_lock(!__raddle_holds((int *)lock), "a spin lock is initialised while it is held");
    *lock = 0;
    __raddle_atomic_end();
    return 0;
}

int __model_pthread_spin_destroy(volatile int *lock) {
    __raddle_atomic_begin();
    __spin_check((int *)lock);
    __raddle_check_lock(__raddle_lock_is_free((int *)lock), "a spin lock is destroyed while it is held");
    *lock = -1;
    __raddle_atomic_end();
    return 0;
}

int __model_pthread_spin_lock(volatile int *lock) {
    __raddle_atomic_begin();
    __spin_check((int *)lock);
    __raddle_check_lock(!__raddle_holds((int *)lock), "a spin lock is locked again by the thread that holds it");
    __raddle_lock((int *)lock);
    __raddle_atomic_end();
    return 0;
}

int __model_pthread_spin_trylock(volatile int *lock) {
    int result = 16; /* EBUSY */
    __raddle_atomic_begin();
    __spin_check((int *)lock);
    if (__raddle_lock_is_free((int *)lock)) {
        __raddle_lock((int *)lock);
        result = 0;
    }
    __raddle_atomic_end();
    return result;
}

int __model_pthread_spin_unlock(volatile int *lock) {
    __raddle_atomic_begin();
    __spin_check((int *)lock);
    __raddle_check_lock(__raddle_holds((int *)lock), "a spin lock is unlocked by a thread that does not hold it");
    __raddle_unlock((int *)lock);
    __raddle_atomic_end();
    return 0;
}
