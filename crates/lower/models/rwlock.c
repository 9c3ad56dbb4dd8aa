/* Readers-writer locks. Words of 4 bytes: 0 the writer's lock word, 1 the number of readers, 2 whether it is destroyed, 3 what
   writers release to readers through, 4 the mark. Which locks it reads under is known to each thread itself. */

enum { RWLOCK_EBUSY = 16, RWLOCK_EINVAL = 22, RWLOCK_EDEADLK = 35, RWLOCK_ETIMEDOUT = 110, RWLOCK_READS = 8 };

/* The locks that this thread reads under, and how often. */
static _Thread_local struct { int *lock; unsigned count; } __rwlock_reads[RWLOCK_READS];

static void __rwlock_begin_read(int *lock) {
    int place = -1;
    for (int i = RWLOCK_READS - 1; i >= 0; i--)
        if (__rwlock_reads[i].count == 0)
            place = i;
    for (int i = 0; i < RWLOCK_READS; i++)
        if (__rwlock_reads[i].count != 0 && __rwlock_reads[i].lock == lock)
            place = i;
    if (place < 0)
        __raddle_unsupported("more than 8 readers-writer locks that one thread reads under");
    __rwlock_reads[place].lock = lock;
    __rwlock_reads[place].count++;
}

/* Whether it did read under the lock. */
static int __rwlock_end_read(int *lock) {
    for (int i = 0; i < RWLOCK_READS; i++)
        if (__rwlock_reads[i].count != 0 && __rwlock_reads[i].lock == lock) {
            __rwlock_reads[i].count--;
            return 1;
        }
    return 0;
}

static unsigned long *__rwlock_self(int *lock) {
    return (unsigned long *)(lock + (sizeof(long) == 8 ? 8 : 5));
}

__attribute__((raddle_reads(initialised)))
static void __rwlock_check(int *lock) {
    int state = __raddle_peek(&lock[2], OBJECT_UNWRITTEN);
    __raddle_check_lock(state != OBJECT_DESTROYED, "a readers-writer lock is used that is destroyed");
    __raddle_check_lock(state == 0, "a readers-writer lock is used that was not initialised");
    if (!__raddle_program_uses("pthread_rwlock_init"))
        return;
    __raddle_check_lock(!__object_is_copy(&lock[4], __rwlock_self(lock), lock), "a copy of a readers-writer lock is used");
    if (__raddle_peek(&lock[4], 0) != OBJECT_LIVE)
        __object_begin(&lock[4], __rwlock_self(lock), lock);
}

int __model_pthread_rwlock_init(int *lock, const int *attributes) {
    if (attributes && *attributes == 2)
        __raddle_unsupported("readers-writer locks that prefer writers (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)");
    if (__ENVIRONMENT_CREATE_MAY_FAIL && __raddle_nondet_bool())
        return THREAD_EAGAIN;
    __raddle_atomic_begin();
    __raddle_check_lock(!__object_is_live(&lock[4], __rwlock_self(lock), lock),
                        "a readers-writer lock is initialised that is in use already");
    lock[0] = 0;
    lock[1] = 0;
    lock[2] = 0;
    __object_begin(&lock[4], __rwlock_self(lock), lock);
    __raddle_atomic_end();
    lock[0] = lock[3] = 0; /* plain accesses: who uses the lock at the same time races */
    return 0;
}

__attribute__((raddle_reads(initialised)))
int __model_pthread_rwlock_destroy(int *lock) {
    __raddle_atomic_begin();
    __rwlock_check(lock);
    __raddle_check_lock(__raddle_lock_is_free(lock) && lock[1] == 0, "a readers-writer lock is destroyed while it is held");
    lock[2] = OBJECT_DESTROYED;
    lock[4] = 0;
    __raddle_atomic_end();
    lock[3] = 0; /* the same */
    return 0;
}

/* A reader sees what the last writer released; a writer sees what the readers released. Readers do not order each other. */
__attribute__((raddle_reads(acquired)))
static void __rwlock_enter_reader(int *lock) {
    __atomic_load_n(&lock[3], 2);
    __atomic_fetch_add(&lock[1], 1, 0);
    __rwlock_begin_read(lock);
}

__attribute__((raddle_reads(acquired)))
static void __rwlock_enter_writer(int *lock) {
    __atomic_load_n(&lock[1], 2);
    __atomic_load_n(&lock[3], 0);
    __raddle_lock(lock);
}

__attribute__((raddle_reads(acquired)))
int __model_pthread_rwlock_rdlock(int *lock) {
    int result = 0;
    __raddle_atomic_begin();
    __rwlock_check(lock);
    if (__raddle_holds(lock)) {
        result = RWLOCK_EDEADLK;
    } else {
        __raddle_wait_until(__raddle_lock_is_free(lock));
        __rwlock_enter_reader(lock);
    }
    __raddle_atomic_end();
    return result;
}

int __model_pthread_rwlock_tryrdlock(int *lock) {
    int result = 0;
    __raddle_atomic_begin();
    __rwlock_check(lock);
    if (!__raddle_lock_is_free(lock))
        result = RWLOCK_EBUSY;
    else
        __rwlock_enter_reader(lock);
    __raddle_atomic_end();
    return result;
}

__attribute__((raddle_reads(acquired)))
int __model_pthread_rwlock_wrlock(int *lock) {
    int result = 0;
    __raddle_atomic_begin();
    __rwlock_check(lock);
    if (__raddle_holds(lock)) {
        result = RWLOCK_EDEADLK;
    } else {
        __raddle_wait_until(__raddle_lock_is_free(lock) && lock[1] == 0);
        __rwlock_enter_writer(lock);
    }
    __raddle_atomic_end();
    return result;
}

int __model_pthread_rwlock_trywrlock(int *lock) {
    int result = 0;
    __raddle_atomic_begin();
    __rwlock_check(lock);
    if (!__raddle_lock_is_free(lock) || lock[1] != 0)
        result = RWLOCK_EBUSY;
    else
        __rwlock_enter_writer(lock);
    __raddle_atomic_end();
    return result;
}

/* Time runs out exactly when the step is made while the lock cannot be had; see pthread_mutex_timedlock. */
int __model_pthread_rwlock_timedrdlock(int *lock, const long *deadline) {
    int valid = __time_is_valid(deadline);
    if (!valid && __raddle_nondet_bool())
        return RWLOCK_EINVAL;
    return __model_pthread_rwlock_tryrdlock(lock) == 0 ? 0 : valid ? RWLOCK_ETIMEDOUT : RWLOCK_EINVAL;
}

int __model_pthread_rwlock_timedwrlock(int *lock, const long *deadline) {
    int valid = __time_is_valid(deadline);
    if (!valid && __raddle_nondet_bool())
        return RWLOCK_EINVAL;
    return __model_pthread_rwlock_trywrlock(lock) == 0 ? 0 : valid ? RWLOCK_ETIMEDOUT : RWLOCK_EINVAL;
}

int __model_pthread_rwlock_clockrdlock(int *lock, int clock, const long *deadline) {
    (void)clock;
    return __model_pthread_rwlock_timedrdlock(lock, deadline);
}

int __model_pthread_rwlock_clockwrlock(int *lock, int clock, const long *deadline) {
    (void)clock;
    return __model_pthread_rwlock_timedwrlock(lock, deadline);
}

__attribute__((raddle_reads(ordered)))
int __model_pthread_rwlock_unlock(int *lock) {
    __raddle_atomic_begin();
    __rwlock_check(lock);
    if (__raddle_holds(lock)) {
        __atomic_store_n(&lock[3], 0, 3);
        __raddle_unlock(lock);
    } else {
        __raddle_check_lock(__rwlock_end_read(lock), "a readers-writer lock is unlocked by a thread that does not hold it");
        if (lock[1] > 0)
            __atomic_fetch_sub(&lock[1], 1, 3);
    }
    __raddle_atomic_end();
    return 0;
}

