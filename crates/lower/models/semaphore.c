/* Semaphores and spin locks. Words of a semaphore: 0 its value, 1 the mark. */

static unsigned long *__semaphore_self(int *semaphore) {
    return (unsigned long *)(semaphore + 2);
}

static void __semaphore_check(int *semaphore) {
    __raddle_check_lock(__object_is_live(&semaphore[1], __semaphore_self(semaphore), semaphore),
                        "a semaphore is used that was not initialised, or that is destroyed");
}

int *__model___errno_location(void);
int __model___cancel_pending(void);
void __model___cancel_act(void);
void __model_pthread_testcancel(void);

static void __semaphore_begin(int *semaphore, unsigned value) {
    __raddle_atomic_begin();
    __raddle_check_lock(!__object_is_live(&semaphore[1], __semaphore_self(semaphore), semaphore),
                        "a semaphore is initialised that is in use already");
    semaphore[0] = (int)value;
    __object_begin(&semaphore[1], __semaphore_self(semaphore), semaphore);
    __raddle_atomic_end();
    semaphore[0] = (int)value; /* a plain access: who uses the semaphore at the same time races */
}

int __model_sem_init(int *semaphore, int shared, unsigned value) {
    (void)shared;
    if (value > 0x7fffffff) {
        *__model___errno_location() = 22; /* EINVAL */
        return -1;
    }
    if (__ENVIRONMENT_CREATE_MAY_FAIL && __raddle_nondet_bool()) {
        *__model___errno_location() = 28; /* ENOSPC */
        return -1;
    }
    __semaphore_begin(semaphore, value);
    return 0;
}

int __model_sem_destroy(int *semaphore) {
    __raddle_atomic_begin();
    __semaphore_check(semaphore);
    semaphore[1] = 0;
    __raddle_atomic_end();
    semaphore[0] = 0; /* the same */
    return 0;
}

/* Where a request to end and a token have both come while the thread waits, either may win. */
__attribute__((raddle_reads(acquired)))
int __model_sem_wait(int *semaphore) {
    __model_pthread_testcancel();
    __raddle_atomic_begin();
    __semaphore_check(semaphore);
    int cancelled = __model___cancel_pending();
    __raddle_wait_until(semaphore[0] > 0 || cancelled);
    int acts = cancelled && (semaphore[0] <= 0 || __raddle_nondet_bool());
    if (acts) {
        __raddle_atomic_end();
        __model___cancel_act();
        return 0;
    }
    __atomic_fetch_sub(&semaphore[0], 1, 4);
    __raddle_atomic_end();
    return 0;
}

int __model_sem_trywait(int *semaphore) {
    int taken = 0;
    __raddle_atomic_begin();
    __semaphore_check(semaphore);
    if (__atomic_load_n(&semaphore[0], 0) > 0) {
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
int __model_sem_timedwait(int *semaphore, const long *deadline) {
    int valid = __time_is_valid(deadline);
    __model_pthread_testcancel();
    if ((valid || __raddle_nondet_bool()) && __model_sem_trywait(semaphore) == 0)
        return 0;
    *__model___errno_location() = valid ? 110 : 22; /* ETIMEDOUT, EINVAL */
    return -1;
}

int __model_sem_clockwait(int *semaphore, int clock, const long *deadline) {
    (void)clock;
    return __model_sem_timedwait(semaphore, deadline);
}

__attribute__((raddle_reads(acquired)))
int __model_sem_post(int *semaphore) {
    __raddle_atomic_begin();
    __semaphore_check(semaphore);
    int full = __atomic_load_n(&semaphore[0], 2) == 0x7fffffff;
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
    int now = __atomic_load_n(&semaphore[0], 0);
    __raddle_atomic_end();
    *value = now;
    return 0;
}

/* Semaphores by name. No other process uses the names, and those that are there were made by the program. */
char __semaphore_texts[8][64];
struct __semaphore_named { int *semaphore; } __semaphore_names[8];

/* The place of a name, inside an atomic block; 8 for none. */
__attribute__((raddle_reads(hidden)))
static int __semaphore_place(const char *name) {
    for (int i = 0; i < 8; i++) {
        int same = __semaphore_names[i].semaphore != 0;
        for (int at = 0; same && at < 64; at++) {
            same = __semaphore_texts[i][at] == name[at];
            if (!name[at])
                break;
        }
        if (same)
            return i;
    }
    return 8;
}
static void __semaphore_copy(const char *name, char *copy) {
    int length = 0;
    while ((copy[length] = name[length]))
        if (++length == 64)
            __raddle_unsupported("names of semaphores of more than 63 bytes");
}
static int *__semaphore_error(int number) {
    *__model___errno_location() = number;
    return 0;
}
int *__model_sem_open(const char *name, int flags, ...) {
    char copy[64];
    __builtin_va_list list;
    __semaphore_copy(name, copy);
    unsigned value = 0;
    if (flags & 0100) { /* O_CREAT: mode and value */
        __builtin_va_start(list, flags);
        (void)__builtin_va_arg(list, unsigned);
        value = __builtin_va_arg(list, unsigned);
    }
    if (value > 0x7fffffff)
        return __semaphore_error(22); /* EINVAL */
    if (__ENVIRONMENT_MALLOC_MAY_FAIL && __raddle_nondet_bool())
        return __semaphore_error(12); /* ENOMEM */
    if ((flags & 0100) && __raddle_nondet_bool())
        return __semaphore_error(13); /* EACCES: what the system allows nobody knows */
    int *made = __raddle_alloc_own(40, 1);
    __raddle_atomic_begin();
    int place = __semaphore_place(copy), missing = place == 8, *found = 0;
    if (!missing) {
        found = __semaphore_names[place].semaphore;
    } else if (flags & 0100) {
        for (int i = 0; i < 8 && place == 8; i++)
            if (!__semaphore_names[i].semaphore)
                place = i;
        if (place == 8)
            __raddle_unsupported("more than 8 names of semaphores");
        __semaphore_begin(made, value);
        for (int i = 0; (__semaphore_texts[place][i] = copy[i]); i++)
            ;
        __semaphore_names[place].semaphore = made;
        found = made;
    }
    if (found != made)
        __raddle_free(made);
    int taken = !missing && (flags & 0300) == 0300;
    if (found && !taken)
        found[8]++;
    __raddle_atomic_end();
    if (!found)
        return __semaphore_error(2); /* ENOENT */
    return taken ? __semaphore_error(17) : found; /* EEXIST */
}
/* It stays until its name is gone and all have closed it: behind the semaphore stand how many have it open, and whether it has no name. */
__attribute__((raddle_reads(hidden)))
static void __semaphore_leave(int *semaphore) {
    if (semaphore[8] == 0 && semaphore[9])
        __raddle_free(semaphore);
}
__attribute__((raddle_reads(hidden)))
int __model_sem_close(int *semaphore) {
    __raddle_atomic_begin();
    semaphore[8]--;
    __semaphore_leave(semaphore);
    __raddle_atomic_end();
    return 0;
}
int __model_sem_unlink(const char *name) {
    char copy[64];
    __semaphore_copy(name, copy);
    __raddle_atomic_begin();
    int place = __semaphore_place(copy);
    if (place < 8) {
        int *semaphore = __semaphore_names[place].semaphore;
        __semaphore_names[place].semaphore = 0;
        semaphore[9] = 1;
        __semaphore_leave(semaphore);
    }
    __raddle_atomic_end();
    if (place < 8)
        return 0;
    __semaphore_error(2);
    return -1;
}

/* Spin locks have one word, which says all: free once initialised, held by a thread, destroyed. Any other value, zero too, is that of
   one that was never initialised, and nobody gets it. What others see of it is ordered as by any lock. */
enum { SPIN_FREE = 0x5350494e, SPIN_HELD = 0x5350494f, SPIN_THREADS = 1 << 24 };

static int __spin_own(void) { return SPIN_HELD + (int)__raddle_self(); }
static int __spin_is_held(int word) { return word >= SPIN_HELD && word < SPIN_HELD + SPIN_THREADS; }

/* Its word, if it may be used. */
__attribute__((raddle_reads(hidden)))
static int __spin_word(int *lock) {
    int word = __raddle_peek(lock, OBJECT_UNWRITTEN);
    __raddle_check_lock(word != OBJECT_DESTROYED, "a spin lock is used that is destroyed");
    __raddle_check_lock(word == SPIN_FREE || __spin_is_held(word), "a spin lock is used that was not initialised");
    return word;
}

__attribute__((raddle_reads(initialised)))
int __model_pthread_spin_init(volatile int *lock, int shared) {
    (void)shared;
    if (__ENVIRONMENT_CREATE_MAY_FAIL && __raddle_nondet_bool())
        return THREAD_EAGAIN;
    __raddle_atomic_begin();
    int word = __raddle_peek((int *)lock, OBJECT_UNWRITTEN);
    __raddle_check_lock(!__spin_is_held(word), "a spin lock is initialised while it is held");
    __raddle_check_lock(word != SPIN_FREE, "a spin lock is initialised that is in use already");
    *lock = SPIN_FREE;
    __raddle_atomic_end();
    *lock = SPIN_FREE; /* a plain access: who uses the lock at the same time races */
    return 0;
}

int __model_pthread_spin_destroy(volatile int *lock) {
    __raddle_atomic_begin();
    int word = __spin_word((int *)lock);
    __raddle_check_lock(word == SPIN_FREE, "a spin lock is destroyed while it is held");
    *lock = OBJECT_DESTROYED;
    __raddle_atomic_end();
    *lock = OBJECT_DESTROYED; /* the same */
    return 0;
}

__attribute__((raddle_reads(acquired)))
int __model_pthread_spin_lock(volatile int *lock) {
    __raddle_atomic_begin();
    int word = __spin_word((int *)lock);
    __raddle_check_lock(word != __spin_own(), "a spin lock is locked again by the thread that holds it");
    __raddle_wait_until(__atomic_load_n(lock, 2) == SPIN_FREE);
    __atomic_store_n(lock, __spin_own(), 0);
    __raddle_atomic_end();
    return 0;
}

int __model_pthread_spin_trylock(volatile int *lock) {
    int result = 16; /* EBUSY */
    __raddle_atomic_begin();
    __spin_word((int *)lock);
    if (__atomic_load_n(lock, 0) == SPIN_FREE) {
        __atomic_load_n(lock, 2);
        __atomic_store_n(lock, __spin_own(), 0);
        result = 0;
    }
    __raddle_atomic_end();
    return result;
}

int __model_pthread_spin_unlock(volatile int *lock) {
    __raddle_atomic_begin();
    int word = __spin_word((int *)lock);
    __raddle_check_lock(word == __spin_own(), "a spin lock is unlocked by a thread that does not hold it");
    __atomic_store_n(lock, SPIN_FREE, 3);
    __raddle_atomic_end();
    return 0;
}
