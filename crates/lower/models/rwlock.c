/* Readers-writer locks. Words of 4 bytes: 0 the writer's lock word, 1 the number of readers, 2 set when destroyed, 3 what
   writers release to readers through.
   Who reads is not recorded, so an unlock by a thread that holds nothing is found only when nobody reads. */

enum { RWLOCK_EBUSY = 16, RWLOCK_EDEADLK = 35, RWLOCK_ETIMEDOUT = 110 };

int __model_pthread_rwlock_init(int *lock, const void *attributes) {
    (void)attributes;
    __raddle_atomic_begin();
    lock[0] = 0;
    lock[1] = 0;
    lock[2] = 0;
    __raddle_atomic_end();
    return 0;
}

int __model_pthread_rwlock_destroy(int *lock) {
    __raddle_atomic_begin();
    __raddle_check_lock(lock[2] == 0, "a readers-writer lock is destroyed twice, or was not initialised");
    __raddle_check_lock(__raddle_lock_is_free(lock) && lock[1] == 0, "a readers-writer lock is destroyed while it is held");
    lock[2] = 1;
    __raddle_atomic_end();
    return 0;
}

/* A reader sees what the last writer released; a writer sees what the readers released. Readers do not order each other. */
static void __rwlock_enter_reader(int *lock) {
    __atomic_load_n(&lock[3], 2);
    __atomic_fetch_add(&lock[1], 1, 0);
}

static void __rwlock_enter_writer(int *lock) {
    __atomic_load_n(&lock[1], 2);
    __raddle_lock(lock);
}

int __model_pthread_rwlock_rdlock(int *lock) {
    int result = 0;
    __raddle_atomic_begin();
    __raddle_check_lock(lock[2] == 0, "a readers-writer lock is locked that was destroyed or not initialised");
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
    __raddle_check_lock(lock[2] == 0, "a readers-writer lock is locked that was destroyed or not initialised");
    if (!__raddle_lock_is_free(lock))
        result = RWLOCK_EBUSY;
    else
        __rwlock_enter_reader(lock);
    __raddle_atomic_end();
    return result;
}

int __model_pthread_rwlock_wrlock(int *lock) {
    int result = 0;
    __raddle_atomic_begin();
    __raddle_check_lock(lock[2] == 0, "a readers-writer lock is locked that was destroyed or not initialised");
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
    __raddle_check_lock(lock[2] == 0, "a readers-writer lock is locked that was destroyed or not initialised");
    if (!__raddle_lock_is_free(lock) || lock[1] != 0)
        result = RWLOCK_EBUSY;
    else
        __rwlock_enter_writer(lock);
    __raddle_atomic_end();
    return result;
}

/* Time runs out exactly when the step is made while the lock cannot be had; see pthread_mutex_timedlock. */
int __model_pthread_rwlock_timedrdlock(int *lock, const void *deadline) {
    (void)deadline;
    return __model_pthread_rwlock_tryrdlock(lock) == 0 ? 0 : RWLOCK_ETIMEDOUT;
}

int __model_pthread_rwlock_timedwrlock(int *lock, const void *deadline) {
    (void)deadline;
    return __model_pthread_rwlock_trywrlock(lock) == 0 ? 0 : RWLOCK_ETIMEDOUT;
}

int __model_pthread_rwlock_clockrdlock(int *lock, int clock, const void *deadline) {
    (void)clock;
    return __model_pthread_rwlock_timedrdlock(lock, deadline);
}

int __model_pthread_rwlock_clockwrlock(int *lock, int clock, const void *deadline) {
    (void)clock;
    return __model_pthread_rwlock_timedwrlock(lock, deadline);
}

int __model_pthread_rwlock_unlock(int *lock) {
    __raddle_atomic_begin();
    __raddle_check_lock(lock[2] == 0, "a readers-writer lock is unlocked that was destroyed or not initialised");
    if (__raddle_holds(lock)) {
        __atomic_store_n(&lock[3], 0, 3);
        __raddle_unlock(lock);
    } else {
        __raddle_check_lock(lock[1] > 0, "a readers-writer lock is unlocked that nobody holds, or that another thread writes under");
        if (lock[1] > 0)
            __atomic_fetch_sub(&lock[1], 1, 3);
    }
    __raddle_atomic_end();
    return 0;
}

int __model_pthread_rwlockattr_init(int *attributes) { attributes[0] = 0; return 0; }
int __model_pthread_rwlockattr_destroy(int *attributes) { (void)attributes; return 0; }
int __model_pthread_rwlockattr_setpshared(int *attributes, int shared) { (void)attributes; (void)shared; return 0; }
int __model_pthread_rwlockattr_getpshared(const int *attributes, int *shared) { (void)attributes; *shared = 0; return 0; }

int __model_pthread_rwlockattr_setkind_np(int *attributes, int kind) {
    (void)attributes;
    if (kind == 2)
        __raddle_unsupported("readers-writer locks that prefer writers (PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)");
    return 0;
}

int __model_pthread_rwlockattr_getkind_np(const int *attributes, int *kind) { (void)attributes; *kind = 0; return 0; }
