/* Mutexes. Words of glibc's pthread_mutex_t: 0 the lock, 1 the count of a recursive one, 2 the mark, and its kind.
   One that was initialised statically gets its mark when it is locked first. */

enum { MUTEX_NORMAL = 0, MUTEX_RECURSIVE = 1, MUTEX_ERRORCHECK = 2 };
enum { MUTEX_EBUSY = 16, MUTEX_EINVAL = 22, MUTEX_EDEADLK = 35, MUTEX_EPERM = 1, MUTEX_ETIMEDOUT = 110 };

static int *__mutex_kind(int *mutex) {
    return mutex + (sizeof(long) == 8 ? 4 : 3);
}

static unsigned long *__mutex_self(int *mutex) {
    return (unsigned long *)(mutex + (sizeof(long) == 8 ? 6 : 5));
}

/* Its kind, if it may be used. */
static int __mutex_checked_kind(int *mutex) {
    int kind = __raddle_peek(__mutex_kind(mutex), OBJECT_UNWRITTEN);
    __raddle_check_lock(kind != OBJECT_DESTROYED, "a mutex is used that is destroyed");
    __raddle_check_lock(kind >= 0 && kind <= 3, "a mutex is used that was not initialised");
    return kind;
}

static int *__mutex_ceiling(int *mutex);
int __model_pthread_mutex_init(int *mutex, const int *attributes) {
    if (attributes && (*attributes & 0x40000000))
        __raddle_unsupported("robust mutexes (pthread_mutexattr_setrobust)");
    if (__ENVIRONMENT_CREATE_MAY_FAIL && __raddle_nondet_bool())
        return THREAD_EAGAIN;
    if (attributes && (*attributes & 0x30000000) == 0x20000000) /* PTHREAD_PRIO_PROTECT */
        *__mutex_ceiling(mutex) = (*attributes & 0xfff000) == 0 ? 1 : (*attributes & 0xfff000) >> 12;
    __raddle_atomic_begin();
    if (__object_is_live(&mutex[2], __mutex_self(mutex), mutex)) {
        __raddle_check_lock(__raddle_lock_is_free(mutex), "a mutex is initialised while it is held");
        __raddle_check_lock(0, "a mutex is initialised that is in use already");
    }
    mutex[0] = 0;
    mutex[1] = 0;
    __object_begin(&mutex[2], __mutex_self(mutex), mutex);
    *__mutex_kind(mutex) = attributes ? (attributes[0] & 3) : MUTEX_NORMAL;
    __raddle_atomic_end();
    mutex[1] = 0; /* a plain access: who uses the mutex at the same time races */
    return 0;
}

int __model_pthread_mutex_destroy(int *mutex) {
    __raddle_atomic_begin();
    __mutex_checked_kind(mutex);
    __raddle_check_lock(__raddle_lock_is_free(mutex), "a mutex is destroyed while it is held");
    *__mutex_kind(mutex) = OBJECT_DESTROYED;
    mutex[2] = 0;
    __raddle_atomic_end();
    return 0;
}

/* Whether the caller has it already: then `result` is the answer. */
static int __mutex_held(int *mutex, int *result) {
    int kind = __mutex_checked_kind(mutex);
    if (__raddle_program_uses("pthread_mutex_init") && __raddle_peek(&mutex[2], 0) != OBJECT_LIVE)
        __object_begin(&mutex[2], __mutex_self(mutex), mutex);
    __atomic_load_n(&mutex[1], 0);
    if (!__raddle_holds(mutex))
        return 0;
    if (kind == MUTEX_RECURSIVE) {
        mutex[1]++;
        *result = 0;
        return 1;
    }
    *result = MUTEX_EDEADLK;
    return 1;
}

int __model_pthread_mutex_lock(int *mutex) {
    int result = 0;
    __raddle_atomic_begin();
    if (!__mutex_held(mutex, &result)) {
        __raddle_lock(mutex);
    } else if (result != 0 && *__mutex_kind(mutex) != MUTEX_ERRORCHECK) {
        __raddle_check_lock(0, "a mutex is locked again by the thread that holds it");
        __raddle_lock(mutex); /* for ever */
    }
    __raddle_atomic_end();
    return result;
}

int __model_pthread_mutex_trylock(int *mutex) {
    int result = 0;
    __raddle_atomic_begin();
    if (__mutex_held(mutex, &result)) {
        if (result != 0)
            result = MUTEX_EBUSY;
    } else if (!__raddle_lock_is_free(mutex)) {
        result = MUTEX_EBUSY;
    } else {
        __raddle_lock(mutex);
    }
    __raddle_atomic_end();
    return result;
}

/* Time runs out exactly when this step is made while somebody holds the mutex: to wait for it is to make the step later.
   So there is nothing to choose, and a thread that waits with a deadline is never stuck. */
int __model_pthread_mutex_timedlock(int *mutex, const long *deadline) {
    int result = 0;
    if (!__time_is_valid(deadline))
        return MUTEX_EINVAL;
    __raddle_atomic_begin();
    if (__mutex_held(mutex, &result)) {
        if (result != 0 && *__mutex_kind(mutex) != MUTEX_ERRORCHECK)
            result = MUTEX_ETIMEDOUT;
    } else if (!__raddle_lock_is_free(mutex)) {
        result = MUTEX_ETIMEDOUT;
    } else {
        __raddle_lock(mutex);
    }
    __raddle_atomic_end();
    return result;
}

int __model_pthread_mutex_clocklock(int *mutex, int clock, const long *deadline) {
    (void)clock;
    return __model_pthread_mutex_timedlock(mutex, deadline);
}

int __model_pthread_mutex_unlock(int *mutex) {
    int result = 0;
    __raddle_atomic_begin();
    int kind = __mutex_checked_kind(mutex);
    __atomic_load_n(&mutex[1], 0);
    if (!__raddle_holds(mutex)) {
        __raddle_check_lock(kind == MUTEX_ERRORCHECK || kind == MUTEX_RECURSIVE,
                            "a mutex is unlocked by a thread that does not hold it");
        result = MUTEX_EPERM;
    } else if (kind == MUTEX_RECURSIVE && mutex[1] > 0) {
        mutex[1]--;
    } else {
        __raddle_unlock(mutex);
    }
    __raddle_atomic_end();
    return result;
}

int __model_pthread_mutex_consistent(int *mutex) {
    (void)mutex;
    return MUTEX_EINVAL; /* it is not robust */
}

/* Mutexes with a ceiling have it where nothing else is. */
static int *__mutex_ceiling(int *mutex) { return mutex + (sizeof(long) == 8 ? 9 : 4); }
int __model_pthread_mutex_getprioceiling(int *mutex, int *ceiling) {
    __raddle_atomic_begin();
    int known = *__mutex_ceiling(mutex);
    __raddle_atomic_end();
    if (known == 0)
        return MUTEX_EINVAL;
    *ceiling = known;
    return 0;
}
int __model_pthread_mutex_lock(int *mutex);
int __model_pthread_mutex_unlock(int *mutex);
int __model_pthread_mutex_setprioceiling(int *mutex, int ceiling, int *old) {
    if (ceiling < 1 || ceiling > 99)
        return MUTEX_EINVAL;
    int locked = __model_pthread_mutex_lock(mutex);
    if (locked != 0)
        return locked;
    int known = *__mutex_ceiling(mutex);
    if (known != 0) {
        if (old)
            *old = known;
        *__mutex_ceiling(mutex) = ceiling;
    }
    __model_pthread_mutex_unlock(mutex);
    return known != 0 ? 0 : MUTEX_EINVAL;
}
