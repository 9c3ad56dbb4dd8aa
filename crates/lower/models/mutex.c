/* Mutexes. Words of glibc's pthread_mutex_t: 0 the lock, 1 the count of a recursive one, and its kind. */

enum { MUTEX_NORMAL = 0, MUTEX_RECURSIVE = 1, MUTEX_ERRORCHECK = 2, MUTEX_DESTROYED = -1 };
enum { MUTEX_EBUSY = 16, MUTEX_EINVAL = 22, MUTEX_EDEADLK = 35, MUTEX_EPERM = 1, MUTEX_ETIMEDOUT = 110 };

static int *__mutex_kind(int *mutex) {
    return mutex + (sizeof(long) == 8 ? 4 : 3);
}

/* Memory that nobody initialised holds anything, also what is no kind. */
static int __mutex_usable(int *mutex) {
    int kind = *__mutex_kind(mutex);
    return kind >= 0 && kind <= 3;
}

int __model_pthread_mutex_init(int *mutex, const int *attributes) {
    __raddle_atomic_begin();
    mutex[0] = 0;
    mutex[1] = 0;
    *__mutex_kind(mutex) = attributes ? (attributes[0] & 3) : MUTEX_NORMAL;
    __raddle_atomic_end();
    return 0;
}

int __model_pthread_mutex_destroy(int *mutex) {
    __raddle_atomic_begin();
    __raddle_check_lock(*__mutex_kind(mutex) != MUTEX_DESTROYED, "a mutex is destroyed twice");
    __raddle_check_lock(__mutex_usable(mutex), "a mutex is destroyed that was not initialised");
    __raddle_check_lock(__raddle_lock_is_free(mutex), "a mutex is destroyed while it is held");
    *__mutex_kind(mutex) = MUTEX_DESTROYED;
    __raddle_atomic_end();
    return 0;
}

/* Whether the caller has it already: then `result` is the answer. */
static int __mutex_held(int *mutex, int *result) {
    int kind = *__mutex_kind(mutex);
    __raddle_check_lock(kind != MUTEX_DESTROYED, "a destroyed mutex is locked");
    __raddle_check_lock(__mutex_usable(mutex), "a mutex is locked that was not initialised");
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
int __model_pthread_mutex_timedlock(int *mutex, const void *deadline) {
    int result = 0;
    (void)deadline;
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

int __model_pthread_mutex_clocklock(int *mutex, int clock, const void *deadline) {
    (void)clock;
    return __model_pthread_mutex_timedlock(mutex, deadline);
}

int __model_pthread_mutex_unlock(int *mutex) {
    int result = 0;
    __raddle_atomic_begin();
    int kind = *__mutex_kind(mutex);
    __raddle_check_lock(kind != MUTEX_DESTROYED, "a destroyed mutex is unlocked");
    __raddle_check_lock(__mutex_usable(mutex), "a mutex is unlocked that was not initialised");
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

int __model_pthread_mutexattr_init(int *attributes) {
    attributes[0] = 0;
    return 0;
}

int __model_pthread_mutexattr_destroy(int *attributes) {
    (void)attributes;
    return 0;
}

int __model_pthread_mutexattr_settype(int *attributes, int kind) {
    if (kind < 0 || kind > 3)
        return MUTEX_EINVAL;
    attributes[0] = kind;
    return 0;
}

int __model_pthread_mutexattr_gettype(const int *attributes, int *kind) {
    *kind = attributes[0];
    return 0;
}

/* One process, and no priorities. */
int __model_pthread_mutexattr_setpshared(int *attributes, int shared) { (void)attributes; (void)shared; return 0; }
int __model_pthread_mutexattr_getpshared(const int *attributes, int *shared) { (void)attributes; *shared = 0; return 0; }
int __model_pthread_mutexattr_setprotocol(int *attributes, int protocol) { (void)attributes; (void)protocol; return 0; }
int __model_pthread_mutexattr_getprotocol(const int *attributes, int *protocol) { (void)attributes; *protocol = 0; return 0; }
int __model_pthread_mutexattr_setprioceiling(int *attributes, int ceiling) { (void)attributes; (void)ceiling; return 0; }

int __model_pthread_mutexattr_setrobust(int *attributes, int robust) {
    (void)attributes;
    if (robust)
        __raddle_unsupported("robust mutexes (pthread_mutexattr_setrobust)");
    return 0;
}

int __model_pthread_mutexattr_getrobust(const int *attributes, int *robust) { (void)attributes; *robust = 0; return 0; }

int __model_pthread_mutex_consistent(int *mutex) {
    (void)mutex;
    return MUTEX_EINVAL; /* it is not robust */
}
