/* Threads: creation, end, joining; keys; once; cleanup handlers. A pthread_t is the thread's number and more, so that zero
   and other small numbers are no thread. */

enum { THREAD_ESRCH = 3, THREAD_EAGAIN = 11, THREAD_EBUSY = 16, THREAD_EINVAL = 22, THREAD_EDEADLK = 35, THREAD_ETIMEDOUT = 110 };
enum { THREAD_KEYS = 32, THREAD_LIMIT = 256, THREAD_FIRST = 0x7ead0000 };

/* The number of a thread that was started, or the limit. */
static unsigned __thread_number(unsigned long thread) {
    unsigned long number = thread - THREAD_FIRST;
    return number < THREAD_LIMIT && __raddle_thread_exists((unsigned)number) ? (unsigned)number : THREAD_LIMIT;
}

/* What the API knows of a thread beyond what the machine does. */
static unsigned char __thread_detached[THREAD_LIMIT];
static unsigned char __thread_joined[THREAD_LIMIT];
static unsigned char __thread_ended[THREAD_LIMIT];

struct __thread_start {
    void *(*function)(void *);
    void *argument;
};

int __model___cancel_pending(void);
void __model_pthread_testcancel(void);
static void __thread_run_destructors(void);
static void __thread_destroy_values(void);

/* How a thread begins in a program with keys: their destructors run also when its function just returns. */
static void *__thread_entry(void *packed) {
    __raddle_atomic_begin();
    struct __thread_start start = *(struct __thread_start *)packed;
    __raddle_free(packed);
    __raddle_atomic_end();
    void *result = start.function(start.argument);
    __thread_run_destructors();
    return result;
}

/* Whether somebody may ask if a thread has ended, without waiting for it. */
static int __thread_may_be_tried(void) {
    return __raddle_program_uses("pthread_tryjoin_np") || __raddle_program_uses("pthread_timedjoin_np") ||
           __raddle_program_uses("pthread_clockjoin_np") || __raddle_program_uses("pthread_cancel");
}

static int __thread_may_have_keys(void) {
    return __raddle_program_uses("pthread_key_create") || __raddle_program_uses("tss_create");
}

/* The number is stored once the thread is started: POSIX does not say that the thread finds it there. Who looks while it is stored
   races. */
int __model_pthread_create(unsigned long *thread, const void *attributes, void *(*function)(void *), void *argument) {
    if (__ENVIRONMENT_CREATE_MAY_FAIL && __raddle_nondet_bool())
        return THREAD_EAGAIN;
    int detached = attributes ? *(const unsigned char *)attributes == 1 : 0;
    unsigned number = 0;
    __raddle_atomic_begin();
    if (__thread_may_have_keys() || __thread_may_be_tried()) {
        struct __thread_start *start = __raddle_alloc_own(sizeof *start, 0);
        start->function = function;
        start->argument = argument;
        number = __raddle_fork(__thread_entry, start);
    } else {
        number = __raddle_fork(function, argument);
    }
    if (number >= THREAD_LIMIT)
        __raddle_unsupported("more than 256 threads");
    if (detached)
        __thread_detached[number] = 1;
    __raddle_atomic_end();
    *thread = THREAD_FIRST + number;
    return 0;
}

int __model_pthread_join(unsigned long thread, void **result) {
    unsigned number = __thread_number(thread);
    if (number == THREAD_LIMIT) {
        __raddle_check_lock(0, "a thread that was never started is joined");
        return THREAD_ESRCH;
    }
    if (number == __raddle_self()) {
        __raddle_check_lock(0, "a thread joins itself");
        return THREAD_EDEADLK;
    }
    if (__raddle_program_uses("pthread_cancel")) {
        __raddle_atomic_begin();
        __raddle_wait_until(__atomic_load_n(&__thread_ended[number], 2) || __model___cancel_pending());
        __raddle_atomic_end();
        __model_pthread_testcancel();
    }
    __raddle_atomic_begin();
    __raddle_check_lock(!__thread_detached[number], "a detached thread is joined");
    __raddle_check_lock(!__thread_joined[number], "a thread is joined twice");
    void *value = __raddle_join(number);
    __thread_joined[number] = 1;
    __raddle_atomic_end();
    if (result)
        *result = value;
    return 0;
}

int __model_pthread_detach(unsigned long thread) {
    unsigned number = __thread_number(thread);
    if (number == THREAD_LIMIT) {
        __raddle_check_lock(0, "a thread that was never started is detached");
        return THREAD_ESRCH;
    }
    __raddle_atomic_begin();
    __raddle_check_lock(!__thread_detached[number], "a thread is detached twice");
    __raddle_check_lock(!__thread_joined[number], "a thread is detached that was joined");
    __thread_detached[number] = 1;
    __raddle_atomic_end();
    return 0;
}

unsigned long __model_pthread_self(void) { return THREAD_FIRST + __raddle_self(); }
int __model_pthread_equal(unsigned long left, unsigned long right) { return left == right; }

/* Without waiting: a thread that has done everything but end is waited for, which takes nobody's help. */
int __model_pthread_tryjoin_np(unsigned long thread, void **result) {
    unsigned number = __thread_number(thread);
    __raddle_atomic_begin();
    int ended = number < THREAD_LIMIT ? __atomic_load_n(&__thread_ended[number], 2) : 1;
    __raddle_atomic_end();
    return ended ? __model_pthread_join(thread, result) : THREAD_EBUSY;
}
/* Time runs out exactly when this is asked before the thread has ended; see pthread_mutex_timedlock. */
int __model_pthread_timedjoin_np(unsigned long thread, void **result, const long *deadline) {
    if (deadline && !__time_is_valid(deadline))
        return THREAD_EINVAL;
    if (!deadline)
        return __model_pthread_join(thread, result);
    int tried = __model_pthread_tryjoin_np(thread, result);
    return tried == THREAD_EBUSY ? THREAD_ETIMEDOUT : tried;
}
int __model_pthread_clockjoin_np(unsigned long thread, void **result, int clock, const long *deadline) {
    (void)clock;
    return __model_pthread_timedjoin_np(thread, result, deadline);
}
/* fork itself is refused; functions without a body may call it. */
static void (*__atfork_handlers[3])(void);
int __model_pthread_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void)) {
    __raddle_atomic_begin();
    __atfork_handlers[0] = prepare;
    __atfork_handlers[1] = parent;
    __atfork_handlers[2] = child;
    __raddle_atomic_end();
    return 0;
}

/* Cleanup handlers. What pthread_cleanup_push expands to in glibc's headers keeps the handler in local variables and a jump
   buffer; the lowering hands both over when the buffer is registered. */
static _Thread_local struct { void (*function)(void *); void *argument; } __cleanup_stack[16];
static _Thread_local int __cleanup_depth;

void __model__pthread_cleanup_push(void *buffer, void (*function)(void *), void *argument) {
    (void)buffer;
    if (__cleanup_depth == 16)
        __raddle_unsupported("more than 16 cleanup handlers");
    __cleanup_stack[__cleanup_depth].function = function;
    __cleanup_stack[__cleanup_depth].argument = argument;
    __cleanup_depth++;
}

void __model__pthread_cleanup_pop(void *buffer, int execute) {
    (void)buffer;
    __cleanup_depth--;
    if (execute)
        __cleanup_stack[__cleanup_depth].function(__cleanup_stack[__cleanup_depth].argument);
}

/* Nobody jumps back to a handler's buffer: pthread_exit calls the handlers itself. */
int __model___sigsetjmp_cancel(void *buffer, int mask) {
    (void)buffer;
    (void)mask;
    return 0;
}
void __model___pthread_unwind_next(void *buffer) {
    (void)buffer;
    __raddle_unsupported("unwinding a stack (__pthread_unwind_next)");
}
void __model___pthread_unregister_cancel(void *buffer) { __model__pthread_cleanup_pop(buffer, 0); }

void __model_pthread_exit(void *result) {
    while (__cleanup_depth > 0) {
        __cleanup_depth--;
        __cleanup_stack[__cleanup_depth].function(__cleanup_stack[__cleanup_depth].argument);
    }
    /* The stack is gone when the destructors run. */
    if (__thread_may_have_keys())
        __raddle_end_locals();
    __thread_run_destructors();
    __raddle_exit_thread(result);
}

/* Keys. */
/* A place is used once: a new key must hold null in every thread. */
static struct { _Bool used, live; void (*destructor)(void *); } __thread_keys[THREAD_KEYS];
static _Thread_local void *__thread_values[THREAD_KEYS];

int __model_pthread_key_create(unsigned *key, void (*destructor)(void *)) {
    if (__ENVIRONMENT_CREATE_MAY_FAIL && __raddle_nondet_bool())
        return THREAD_EAGAIN;
    __raddle_atomic_begin();
    for (unsigned i = 0; i < THREAD_KEYS; i++) {
        if (!__thread_keys[i].used) {
            __thread_keys[i].used = 1;
            __thread_keys[i].live = 1;
            __thread_keys[i].destructor = destructor;
            __raddle_atomic_end();
            *key = i;
            return 0;
        }
    }
    __raddle_unsupported("more than 32 keys for thread-specific data");
}

/* Whether there is a key of that number; to use another is a mistake. */
static int __thread_has_key(unsigned key) {
    __raddle_atomic_begin();
    int live = key < THREAD_KEYS && __thread_keys[key].live;
    __raddle_check_lock(live, "a key is used that was not created, or that is deleted");
    __raddle_atomic_end();
    return live;
}

int __model_pthread_key_delete(unsigned key) {
    if (!__thread_has_key(key))
        return THREAD_EINVAL;
    __raddle_atomic_begin();
    int known = __thread_keys[key].live;
    __thread_keys[key].live = 0;
    __thread_keys[key].destructor = 0;
    __raddle_atomic_end();
    return known ? 0 : THREAD_EINVAL;
}

int __model_pthread_setspecific(unsigned key, const void *value) {
    if (!__thread_has_key(key))
        return THREAD_EINVAL;
    __thread_values[key] = (void *)value;
    return 0;
}

void *__model_pthread_getspecific(unsigned key) {
    return __thread_has_key(key) ? __thread_values[key] : 0;
}

/* What comes last in every thread: destructors of keys, and the note that it has ended. */
static void __thread_run_destructors(void) {
    if (__thread_may_have_keys())
        __thread_destroy_values();
    if (__thread_may_be_tried()) {
        __raddle_atomic_begin();
        __atomic_store_n(&__thread_ended[__raddle_self()], 1, 3);
        __raddle_atomic_end();
    }
}

static void __thread_destroy_values(void) {
    for (int round = 0; round < 4; round++) {
        int again = 0;
        for (unsigned i = 0; i < THREAD_KEYS; i++) {
            void *value = __thread_values[i];
            if (!value)
                continue;
            __raddle_atomic_begin();
            void (*destructor)(void *) = __thread_keys[i].destructor;
            __raddle_atomic_end();
            if (destructor) {
                __thread_values[i] = 0;
                destructor(value);
                again = 1;
            }
        }
        if (!again)
            return;
    }
}

/* Once: 0 not begun, 1 running, 2 done. */
int __model_pthread_once(int *once, void (*function)(void)) {
    __raddle_atomic_begin();
    int state = __raddle_peek(once, OBJECT_UNWRITTEN);
    __raddle_check_lock(state >= 0 && state <= 2, "a once control is used that was not initialised");
    state = __atomic_load_n(once, 2);
    if (state == 0)
        *once = 1;
    __raddle_atomic_end();
    if (state == 0) {
        function();
        __raddle_atomic_begin();
        __atomic_store_n(once, 2, 3);
        __raddle_atomic_end();
    } else if (state == 1) {
        __raddle_atomic_begin();
        __raddle_wait_until(__atomic_load_n(once, 2) == 2);
        __raddle_atomic_end();
    }
    return 0;
}
