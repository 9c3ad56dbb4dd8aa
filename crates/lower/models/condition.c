/* Condition variables. Words of 8 bytes: 0 the threads that wait, 1 those of them that were woken, as sets of thread ids;
   word 2 is two words of 4 bytes, whether it is destroyed and the mark; 3 the mutex that waiters gave; 4 where it is itself. A waiter may also wake up without reason, as POSIX allows: that is one of its
   nondeterministic choices, made when it begins to wait. */

enum { CONDITION_EPERM = 1, CONDITION_EINVAL = 22, CONDITION_ETIMEDOUT = 110 };

int __model___cancel_pending(void);
void __model___cancel_act(void);
void __model_pthread_testcancel(void);

static unsigned long long __condition_bit(void) {
    unsigned self = __raddle_self();
    if (self >= 64)
        __raddle_unsupported("more than 64 threads at condition variables");
    return 1ull << self;
}

static int *__condition_mark(unsigned long long *condition) {
    return (int *)&condition[2] + 1;
}

static unsigned long *__condition_self(unsigned long long *condition) {
    return (unsigned long *)&condition[4];
}

__attribute__((raddle_reads(initialised)))
static void __condition_check(unsigned long long *condition) {
    int state = __raddle_peek((int *)&condition[2], OBJECT_UNWRITTEN);
    __raddle_check_lock(state != OBJECT_DESTROYED, "a condition variable is used that is destroyed");
    __raddle_check_lock(state == 0, "a condition variable is used that was not initialised");
    if (!__raddle_program_uses("pthread_cond_init") && !__raddle_program_uses("cnd_init"))
        return;
    __raddle_check_lock(!__object_is_copy(__condition_mark(condition), __condition_self(condition), condition),
                        "a copy of a condition variable is used");
    if (__raddle_peek(__condition_mark(condition), 0) != OBJECT_LIVE)
        __object_begin(__condition_mark(condition), __condition_self(condition), condition);
}

static void __attribute_read_word(const int *attributes);
int __model_pthread_cond_init(unsigned long long *condition, const void *attributes) {
    __attribute_read_word(attributes);
    if (__ENVIRONMENT_CREATE_MAY_FAIL && __raddle_nondet_bool())
        return THREAD_EAGAIN;
    __raddle_atomic_begin();
    __raddle_check_lock(!__object_is_live(__condition_mark(condition), __condition_self(condition), condition),
                        "a condition variable is initialised that is in use already");
    condition[0] = 0;
    condition[1] = 0;
    *(int *)&condition[2] = 0;
    __object_begin(__condition_mark(condition), __condition_self(condition), condition);
    __raddle_atomic_end();
    condition[0] = condition[1] = 0; /* plain accesses: who uses the condition variable at the same time races */
    return 0;
}

/* POSIX lets a condition variable go as soon as all who wait for it are woken; they still have to leave it. */
__attribute__((raddle_reads(initialised)))
int __model_pthread_cond_destroy(unsigned long long *condition) {
    __raddle_atomic_begin();
    __condition_check(condition);
    if (__raddle_keeps_threads_apart()) {
        __raddle_check_lock((condition[0] & ~condition[1]) == 0, "a condition variable is destroyed while a thread waits for it");
        __raddle_wait_until(condition[0] == 0);
    }
    *(int *)&condition[2] = OBJECT_DESTROYED;
    *__condition_mark(condition) = 0;
    __raddle_atomic_end();
    condition[1] = 0; /* the same */
    return 0;
}

/* Any one of those who wait and are not woken may be the one that is woken. */
static unsigned long long __condition_choose(unsigned long long candidates) {
    while (candidates & (candidates - 1)) {
        unsigned long long lowest = candidates & -candidates;
        if (__raddle_nondet_bool())
            candidates = lowest;
        else
            candidates &= ~lowest;
    }
    return candidates;
}

/* Where threads are not kept apart it is not known who waits: what the condition variable says of that is any value, for the program as well, which
   may look at its bytes. */
static unsigned long long __condition_any(void) {
    return (unsigned long long)__raddle_nondet_ulong() << 32 ^ __raddle_nondet_ulong();
}

/* Then accesses are as those of all who use it. */
static int __condition_touch(unsigned long long *condition) {
    __raddle_atomic_begin();
    __condition_check(condition);
    __atomic_store_n(&condition[1], __condition_any(), 0);
    __raddle_atomic_end();
    return 0;
}

__attribute__((raddle_reads(any)))
int __model_pthread_cond_signal(unsigned long long *condition) {
    if (!__raddle_keeps_threads_apart())
        return __condition_touch(condition);
    __raddle_atomic_begin();
    __condition_check(condition);
    unsigned long long chosen = __condition_choose(condition[0] & ~__atomic_load_n(&condition[1], 0));
    if (chosen)
        __atomic_fetch_or(&condition[1], chosen, 0);
    __raddle_atomic_end();
    return 0;
}

__attribute__((raddle_reads(any)))
int __model_pthread_cond_broadcast(unsigned long long *condition) {
    if (!__raddle_keeps_threads_apart())
        return __condition_touch(condition);
    __raddle_atomic_begin();
    __condition_check(condition);
    if (condition[0] & ~__atomic_load_n(&condition[1], 0))
        __atomic_store_n(&condition[1], condition[0], 0);
    __raddle_atomic_end();
    return 0;
}

int __model_pthread_mutex_unlock(int *mutex);
int __model_pthread_mutex_lock(int *mutex);

/* Whether the wait fails at once: a mutex that checks for errors is not the caller's. With any other kind that is misuse. */
static int __condition_refuses(int *mutex) {
    __raddle_atomic_begin();
    int refuses = __mutex_checked_kind(mutex) == MUTEX_ERRORCHECK && !__raddle_holds(mutex);
    __raddle_atomic_end();
    return refuses;
}

/* Begins to wait and lets the mutex go, in one step. */
__attribute__((raddle_reads(hidden)))
static void __condition_enter(unsigned long long *condition, int *mutex, unsigned long long self) {
    __raddle_atomic_begin();
    __condition_check(condition);
    __raddle_check_lock(__raddle_holds(mutex), "a condition variable is waited for without holding the mutex");
    /* Whoever is woken does not wait any more, though it may not have left. */
    if ((condition[0] & ~__atomic_load_n(&condition[1], 0)) == 0)
        *(unsigned long *)&condition[3] = (unsigned long)mutex;
    else
        __raddle_check_lock(*(unsigned long *)&condition[3] == (unsigned long)mutex,
                            "a condition variable is waited for with two different mutexes");
    condition[0] |= self;
    __atomic_fetch_and(&condition[1], ~self, 0);
    __model_pthread_mutex_unlock(mutex);
    __raddle_atomic_end();
}

/* Leaves, once woken or for no reason; says whether the thread is to end by a request that came meanwhile. Where it was woken too,
   either may win; a signal that it does not take goes to another. The mutex is taken in a step of its own, so that a
   woken thread has left the condition variable even while somebody else holds the mutex. */
__attribute__((raddle_reads(any)))
static int __condition_leave(unsigned long long *condition, unsigned long long self, int patient) {
    __raddle_atomic_begin();
    int woken = (condition[1] & self) != 0, cancelled = __model___cancel_pending();
    __raddle_wait_until(woken || !patient || cancelled);
    int acts = cancelled && ((patient && !woken) || __raddle_nondet_bool());
    condition[0] &= ~self;
    condition[1] &= ~self;
    if (woken && acts)
        condition[1] |= __condition_choose(condition[0] & ~condition[1]); /* not atomic: who destroys it waits for who leaves */
    __raddle_atomic_end();
    return acts;
}

/* Lets the mutex go and takes it again, at any time: whoever waits may wake up for no reason. It is still at the condition variable in between. */
static int __condition_pause(unsigned long long *condition, int *mutex) {
    __raddle_atomic_begin();
    __condition_check(condition);
    __raddle_check_lock(__raddle_holds(mutex), "a condition variable is waited for without holding the mutex");
    condition[0] = __condition_any();
    condition[3] = __condition_any();
    __atomic_store_n(&condition[1], __condition_any(), 0);
    __model_pthread_mutex_unlock(mutex);
    __raddle_atomic_end();
    __raddle_atomic_begin();
    int acts = __model___cancel_pending() && __raddle_nondet_bool();
    condition[0] = __condition_any();
    condition[1] = __condition_any();
    __raddle_atomic_end();
    int result = __model_pthread_mutex_lock(mutex);
    if (acts)
        __model___cancel_act();
    return result;
}

static int __condition_wait(unsigned long long *condition, int *mutex, int patient) {
    /* Static initialisers name the kind, too. */
    if (__raddle_program_uses("pthread_mutexattr_settype") || __raddle_program_uses("PTHREAD_MUTEX_ERRORCHECK_NP"))
        if (__condition_refuses(mutex))
            return CONDITION_EPERM;
    __model_pthread_testcancel();
    if (!__raddle_keeps_threads_apart())
        return __condition_pause(condition, mutex);
    unsigned long long self = __condition_bit();
    __condition_enter(condition, mutex, self);
    int acts = __condition_leave(condition, self, patient);
    int result = __model_pthread_mutex_lock(mutex);
    if (acts)
        __model___cancel_act();
    return result;
}

/* A waiter may wake up for no reason. Who goes back to waiting then has changed nothing, unless the mutex remembers who held it. */
static _Bool __condition_spurious(void) {
    if (!__raddle_keeps_threads_apart())
        return 1;
    if (__mutex_may_be_robust())
        return __raddle_nondet_bool();
    return __raddle_nondet_spurious();
}

int __model_pthread_cond_wait(unsigned long long *condition, int *mutex) {
    return __condition_wait(condition, mutex, !__condition_spurious());
}

/* The deadline may come at any time: nobody is stuck here. It may also come just when somebody signals, and take the signal with
   it. */
int __model_pthread_cond_timedwait(unsigned long long *condition, int *mutex, const long *deadline) {
    if (!__time_is_valid(deadline))
        return CONDITION_EINVAL;
    int result = __condition_wait(condition, mutex, 0);
    return result != 0 ? result : __raddle_nondet_bool() ? 0 : CONDITION_ETIMEDOUT;
}

int __model_pthread_cond_clockwait(unsigned long long *condition, int *mutex, int clock, const long *deadline) {
    (void)clock;
    return __model_pthread_cond_timedwait(condition, mutex, deadline);
}

