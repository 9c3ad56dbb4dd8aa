/* Mutexes. Words of glibc's pthread_mutex_t: 0 the lock, 1 the count of a recursive one, 2 the mark, and its kind.
   One that was initialised statically gets its mark when it is locked first. A robust one says in its kind what became of
   who held it. */

enum { MUTEX_NORMAL = 0, MUTEX_RECURSIVE = 1, MUTEX_ERRORCHECK = 2 };
enum { MUTEX_EBUSY = 16, MUTEX_EINVAL = 22, MUTEX_EDEADLK = 35, MUTEX_EPERM = 1, MUTEX_ETIMEDOUT = 110 };
enum { MUTEX_EOWNERDEAD = 130, MUTEX_ENOTRECOVERABLE = 131, MUTEX_HELD_ROBUST = 8 };
enum { MUTEX_TYPE = 3, MUTEX_SURVIVES = 16, MUTEX_INCONSISTENT = 32, MUTEX_LOST = 64 };

static int *__mutex_kind(int *mutex) {
    return mutex + (sizeof(long) == 8 ? 4 : 3);
}

static unsigned long *__mutex_self(int *mutex) {
    return (unsigned long *)(mutex + (sizeof(long) == 8 ? 6 : 5));
}

static int __mutex_is_made(void) { return __raddle_program_uses("pthread_mutex_init") || __raddle_program_uses("mtx_init"); }

static int __mutex_may_be_robust(void) {
    return __raddle_program_uses("pthread_mutexattr_setrobust") || __raddle_program_uses("pthread_mutexattr_setrobust_np");
}

/* Its kind, if it may be used. */
__attribute__((raddle_reads(initialised)))
static int __mutex_checked_kind(int *mutex) {
    int kind = __raddle_peek(__mutex_kind(mutex), OBJECT_UNWRITTEN);
    int type = __mutex_may_be_robust() && kind >= 0 ? kind & ~(MUTEX_SURVIVES | MUTEX_INCONSISTENT | MUTEX_LOST) : kind;
    __raddle_check_lock(kind != OBJECT_DESTROYED, "a mutex is used that is destroyed");
    __raddle_check_lock(type >= 0 && type <= 3, "a mutex is used that was not initialised");
    if (__mutex_is_made())
        __raddle_check_lock(!__object_is_copy(&mutex[2], __mutex_self(mutex), mutex), "a copy of a mutex is used");
    return type;
}

/* Whether locking it twice is an error that is reported. */
__attribute__((raddle_reads(initialised)))
static int __mutex_reports_errors(int *mutex) { return (*__mutex_kind(mutex) & MUTEX_TYPE) == MUTEX_ERRORCHECK; }

/* The robust mutexes that this thread holds. */
static _Thread_local int *__mutex_robust[MUTEX_HELD_ROBUST];

/* Just locked, inside the atomic block: what locking returns. */
__attribute__((raddle_reads(ordered)))
static int __mutex_taken(int *mutex) {
    if (!__mutex_may_be_robust() || !(*__mutex_kind(mutex) & MUTEX_SURVIVES))
        return 0;
    int place = 0;
    while (place < MUTEX_HELD_ROBUST && __mutex_robust[place])
        place++;
    if (place == MUTEX_HELD_ROBUST)
        __raddle_unsupported("more than 8 robust mutexes that one thread holds");
    __mutex_robust[place] = mutex;
    return *__mutex_kind(mutex) & MUTEX_INCONSISTENT ? MUTEX_EOWNERDEAD : 0;
}

/* Before it is unlocked: one that nobody made consistent is lost. */
__attribute__((raddle_reads(ordered)))
static void __mutex_given_up(int *mutex) {
    if (!__mutex_may_be_robust() || !(*__mutex_kind(mutex) & MUTEX_SURVIVES))
        return;
    for (int i = 0; i < MUTEX_HELD_ROBUST; i++)
        if (__mutex_robust[i] == mutex)
            __mutex_robust[i] = 0;
    if (*__mutex_kind(mutex) & MUTEX_INCONSISTENT)
        *__mutex_kind(mutex) |= MUTEX_LOST;
}

static int __mutex_is_lost(int *mutex) { return __mutex_may_be_robust() && (*__mutex_kind(mutex) & MUTEX_LOST); }

/* The thread ends. */
__attribute__((raddle_reads(ordered)))
static void __mutex_abandon(void) {
    for (int i = 0; i < MUTEX_HELD_ROBUST; i++) {
        int *mutex = __mutex_robust[i];
        if (!mutex)
            continue;
        __raddle_atomic_begin();
        *__mutex_kind(mutex) |= MUTEX_INCONSISTENT;
        mutex[1] = 0;
        __raddle_unlock(mutex);
        __raddle_atomic_end();
    }
}

static int *__mutex_ceiling(int *mutex);
__attribute__((raddle_reads(initialised)))
int __model_pthread_mutex_init(int *mutex, const int *attributes) {
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
    *__mutex_kind(mutex) = attributes ? (attributes[0] & MUTEX_TYPE) : MUTEX_NORMAL;
    if (__mutex_may_be_robust() && attributes && (attributes[0] & 0x40000000))
        *__mutex_kind(mutex) |= MUTEX_SURVIVES;
    __raddle_atomic_end();
    mutex[0] = mutex[1] = 0; /* plain accesses: who uses the mutex at the same time races */
    return 0;
}

__attribute__((raddle_reads(initialised)))
int __model_pthread_mutex_destroy(int *mutex) {
    __raddle_atomic_begin();
    __mutex_checked_kind(mutex);
    __raddle_check_lock(__raddle_lock_is_free(mutex), "a mutex is destroyed while it is held");
    *__mutex_kind(mutex) = OBJECT_DESTROYED;
    mutex[2] = 0;
    __raddle_atomic_end();
    mutex[1] = 0; /* the same */
    return 0;
}

/* Whether the caller has it already: then `result` is the answer. */
__attribute__((raddle_reads(ordered)))
static int __mutex_held(int *mutex, int *result) {
    int kind = __mutex_checked_kind(mutex);
    if (__mutex_is_made() && __raddle_peek(&mutex[2], 0) != OBJECT_LIVE)
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
        if (__mutex_is_lost(mutex)) {
            result = MUTEX_ENOTRECOVERABLE;
        } else {
            __raddle_lock(mutex);
            result = __mutex_taken(mutex);
        }
    } else if (result != 0 && !__mutex_reports_errors(mutex)) {
        __raddle_check_lock(0, "a mutex is locked again by the thread that holds it");
        __raddle_lock(mutex); /* for ever */
    }
    __raddle_atomic_end();
    return result;
}

static int __mutex_try(int *mutex, _Bool fails) {
    int result = 0;
    __raddle_atomic_begin();
    if (__mutex_held(mutex, &result)) {
        if (result != 0)
            result = MUTEX_EBUSY;
    } else if (fails || !__raddle_lock_is_free(mutex)) {
        result = MUTEX_EBUSY;
    } else if (__mutex_is_lost(mutex)) {
        result = MUTEX_ENOTRECOVERABLE;
    } else {
        __raddle_lock(mutex);
        result = __mutex_taken(mutex);
    }
    __raddle_atomic_end();
    return result;
}
int __model_pthread_mutex_trylock(int *mutex) { return __mutex_try(mutex, 0); }

/* Time runs out exactly when this step is made while somebody holds the mutex: to wait for it is to make the step later.
   So there is nothing to choose, and a thread that waits with a deadline is never stuck. A time that is none need not be noticed
   where nobody waits. */
int __model_pthread_mutex_timedlock(int *mutex, const long *deadline) {
    int result = 0, valid = __time_is_valid(deadline), late = valid ? MUTEX_ETIMEDOUT : MUTEX_EINVAL;
    if (!valid && __raddle_nondet_bool())
        return MUTEX_EINVAL;
    __raddle_atomic_begin();
    if (__mutex_held(mutex, &result)) {
        if (result != 0 && !__mutex_reports_errors(mutex))
            result = late;
    } else if (!__raddle_lock_is_free(mutex)) {
        result = late;
    } else if (__mutex_is_lost(mutex)) {
        result = MUTEX_ENOTRECOVERABLE;
    } else {
        __raddle_lock(mutex);
        result = __mutex_taken(mutex);
    }
    __raddle_atomic_end();
    return result;
}

int __model_pthread_mutex_clocklock(int *mutex, int clock, const long *deadline) {
    (void)clock;
    return __model_pthread_mutex_timedlock(mutex, deadline);
}

__attribute__((raddle_reads(ordered)))
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
        __mutex_given_up(mutex);
        __raddle_unlock(mutex);
    }
    __raddle_atomic_end();
    return result;
}

__attribute__((raddle_reads(ordered)))
int __model_pthread_mutex_consistent(int *mutex) {
    int result = MUTEX_EINVAL;
    __raddle_atomic_begin();
    __mutex_checked_kind(mutex);
    if (__mutex_may_be_robust() && (*__mutex_kind(mutex) & MUTEX_INCONSISTENT) && __raddle_holds(mutex)) {
        *__mutex_kind(mutex) &= ~MUTEX_INCONSISTENT;
        result = 0;
    }
    __raddle_atomic_end();
    return result;
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
