/* Signals that a thread sends to itself: the handler runs at once, in the thread. A signal that nobody handles ends the process, or
   is nothing. Signals to other threads are supported as far as nobody would notice when they come. */

enum { SIGNAL_COUNT = 65, SIGNAL_WORDS = 128 / sizeof(long), SIGNAL_BITS = 8 * sizeof(long) };
enum { SIGNAL_RESETS = (int)0x80000000, SIGNAL_STAYS_OPEN = 0x40000000 };

typedef void (*__signal_handler)(int);

/* glibc's `struct sigaction`. */
struct __signal_action {
    __signal_handler handler;
    unsigned long mask[128 / sizeof(long)];
    int flags;
    void (*restorer)(void);
};

static struct { __signal_handler handler; unsigned long long mask; int flags; } __signal_actions[65];
static _Thread_local unsigned long long __signal_blocked, __signal_pending;

/* A thread begins with the mask of the one that starts it. */
static unsigned long long __signal_inherited[256];
static _Thread_local _Bool __signal_begun;

static int __signal_has_masks(void) {
    return __raddle_program_uses("pthread_sigmask") || __raddle_program_uses("sigprocmask") || __raddle_program_uses("sigaction") ||
           __raddle_program_uses("signal");
}
__attribute__((raddle_reads(ordered)))
static unsigned long long *__signal_mask(void) {
    if (!__signal_begun) {
        __raddle_atomic_begin();
        __signal_begun = 1;
        __signal_blocked = __signal_inherited[__raddle_self()];
        __raddle_atomic_end();
    }
    return &__signal_blocked;
}
/* Inside an atomic block. */
__attribute__((raddle_reads(ordered)))
static void __signal_inherit(unsigned number) {
    if (!__signal_has_masks())
        return;
    if (!__signal_begun) {
        __signal_begun = 1;
        __signal_blocked = __signal_inherited[__raddle_self()];
    }
    __signal_inherited[number] = __signal_blocked;
}

static int __signal_error(void) {
    *__model___errno_location() = 22; /* EINVAL */
    return -1;
}
static int __signal_is(int number) { return number > 0 && number < SIGNAL_COUNT; }
static unsigned long long __signal_bit(int number) { return 1ull << (number - 1); }
static unsigned long long __signal_read(const unsigned long *set) {
    unsigned long long mask = set[0];
    return sizeof(long) == 8 ? mask : mask | (unsigned long long)set[1] << 16 << 16;
}
static void __signal_write(unsigned long *set, unsigned long long mask) {
    for (unsigned i = 0; i < SIGNAL_WORDS; i++)
        set[i] = i == 0 ? (unsigned long)mask : i == 1 && sizeof(long) == 4 ? (unsigned long)(mask >> 16 >> 16) : 0;
}

int __model_sigemptyset(unsigned long *set) { __signal_write(set, 0); return 0; }
int __model_sigfillset(unsigned long *set) { __signal_write(set, ~0ull & ~(3ull << 31)); return 0; }
int __model_sigaddset(unsigned long *set, int number) {
    if (!__signal_is(number))
        return __signal_error();
    set[(unsigned)(number - 1) / SIGNAL_BITS] |= 1ul << (unsigned)(number - 1) % SIGNAL_BITS;
    return 0;
}
int __model_sigdelset(unsigned long *set, int number) {
    if (!__signal_is(number))
        return __signal_error();
    set[(unsigned)(number - 1) / SIGNAL_BITS] &= ~(1ul << (unsigned)(number - 1) % SIGNAL_BITS);
    return 0;
}
int __model_sigismember(const unsigned long *set, int number) {
    if (!__signal_is(number))
        return __signal_error();
    return set[(unsigned)(number - 1) / SIGNAL_BITS] >> (unsigned)(number - 1) % SIGNAL_BITS & 1;
}

/* Signals that are nothing where nobody handles them: CHLD, CONT, URG, WINCH. */
static int __signal_is_nothing(int number) { return number == 17 || number == 18 || number == 23 || number == 28; }

static void __signal_unblock_abort(void) { *__signal_mask() &= ~__signal_bit(6); }

static void __signal_deliver(int number) {
    __raddle_atomic_begin();
    __signal_handler handler = __signal_actions[number].handler;
    unsigned long long mask = __signal_actions[number].mask;
    int flags = __signal_actions[number].flags;
    if (flags & SIGNAL_RESETS)
        __signal_actions[number].handler = 0;
    __raddle_atomic_end();
    if (handler == (__signal_handler)1 || (handler == 0 && __signal_is_nothing(number)))
        return;
    if (handler == 0)
        __raddle_abort();
    unsigned long long before = *__signal_mask();
    *__signal_mask() |= mask | (flags & SIGNAL_STAYS_OPEN ? 0 : __signal_bit(number));
    handler(number);
    *__signal_mask() = before;
}

/* What is no longer blocked comes now. */
static void __signal_open(void) {
    while (__signal_pending & ~*__signal_mask()) {
        int number = __builtin_ctzll(__signal_pending & ~*__signal_mask()) + 1;
        __signal_pending &= ~__signal_bit(number);
        __signal_deliver(number);
    }
}

int __model_raise(int number) {
    if (!__signal_is(number))
        return __signal_error();
    if (number != 9 && number != 19 && (*__signal_mask() & __signal_bit(number)))
        __signal_pending |= __signal_bit(number);
    else
        __signal_deliver(number);
    __signal_open();
    return 0;
}

static __signal_handler __signal_set(int number, __signal_handler handler, unsigned long long mask, int flags) {
    __raddle_atomic_begin();
    __signal_handler old = __signal_actions[number].handler;
    __signal_actions[number].handler = handler;
    __signal_actions[number].mask = mask;
    __signal_actions[number].flags = flags;
    __raddle_atomic_end();
    return old;
}
__signal_handler __model_signal(int number, __signal_handler handler) {
    if (!__signal_is(number) || number == 9 || number == 19) {
        __signal_error();
        return (__signal_handler)-1;
    }
    return __signal_set(number, handler, 0, 0x10000000);
}
int __model_sigaction(int number, const struct __signal_action *action, struct __signal_action *old) {
    if (!__signal_is(number) || (action && (number == 9 || number == 19)))
        return __signal_error();
    __raddle_atomic_begin();
    __signal_handler handler = __signal_actions[number].handler;
    unsigned long long mask = __signal_actions[number].mask;
    int flags = __signal_actions[number].flags;
    __raddle_atomic_end();
    if (action) {
        if (action->flags & 4)
            __raddle_unsupported("signal handlers that are told more than the number (SA_SIGINFO)");
        __signal_set(number, action->handler, __signal_read(action->mask), action->flags);
    }
    if (old) {
        old->handler = handler;
        __signal_write(old->mask, mask);
        old->flags = flags;
    }
    return 0;
}

int __model_pthread_sigmask(int how, const unsigned long *set, unsigned long *old) {
    unsigned long long before = *__signal_mask();
    if (set) {
        unsigned long long mask = __signal_read(set) & ~(__signal_bit(9) | __signal_bit(19));
        if (how == 0)
            *__signal_mask() |= mask;
        else if (how == 1)
            *__signal_mask() &= ~mask;
        else if (how == 2)
            *__signal_mask() = mask;
        else
            return 22; /* EINVAL */
    }
    if (old)
        __signal_write(old, before);
    __signal_open();
    return 0;
}
int __model_sigprocmask(int how, const unsigned long *set, unsigned long *old) {
    return __model_pthread_sigmask(how, set, old) == 0 ? 0 : __signal_error();
}
int __model_sigpending(unsigned long *set) { __signal_write(set, __signal_pending); return 0; }

/* To another thread or process: nothing is there to notice it, or the process ends. */
static void __signal_elsewhere(int number) {
    __raddle_atomic_begin();
    __signal_handler handler = __signal_actions[number].handler;
    __raddle_atomic_end();
    if (handler == (__signal_handler)1 || (handler == 0 && __signal_is_nothing(number)))
        return;
    if (handler == 0)
        __raddle_abort();
    __raddle_unsupported("signals that another thread handles (pthread_kill)");
}
/* One that has ended gets no signal any more. That it has not is no order either. */
static int __signal_comes_too_late(unsigned thread) {
    __raddle_atomic_begin();
    int ended = __thread_has_ended(thread);
    __raddle_atomic_end();
    return ended;
}
int __model_pthread_kill(unsigned long thread, int number) {
    unsigned other = __thread_id_in_use(thread);
    if (other == THREAD_NONE)
        return THREAD_ESRCH;
    if (number < 0 || number >= SIGNAL_COUNT)
        return 22; /* EINVAL */
    if (number == 0)
        return 0;
    if (other == __raddle_self())
        return __model_raise(number) == 0 ? 0 : 22;
    if (__signal_comes_too_late(other))
        return __raddle_nondet_bool() ? THREAD_ESRCH : 0; /* POSIX says the latter since 2008 */
    __signal_elsewhere(number);
    return 0;
}
int __model_getpid(void);
int __model_kill(int process, int number) {
    if (number < 0 || number >= SIGNAL_COUNT)
        return __signal_error();
    if (process != __model_getpid() && process != 0)
        return __raddle_nondet_bool() ? __signal_error() : 0;
    if (number == 0)
        return 0;
    /* Any thread that does not block it may handle a signal to the process; a program of one thread has only itself. */
    if (__raddle_program_uses("pthread_create") || __raddle_program_uses("thrd_create"))
        __signal_elsewhere(number);
    else
        __model_raise(number);
    return 0;
}
int __model_sigwait(const void *set, int *number) {
    (void)set;
    (void)number;
    __raddle_unsupported("waiting for a signal (sigwait)");
}
int __model_sigsuspend(const void *set) { (void)set; __raddle_unsupported("waiting for a signal (sigsuspend)"); }
