/* Threads: creation, end, joining; keys; once; cleanup handlers. Where nobody looks at it, a pthread_t is the thread's id and
   more, so that zero and other small numbers are no thread. */

enum { THREAD_ESRCH = 3, THREAD_EAGAIN = 11, THREAD_EBUSY = 16, THREAD_EINVAL = 22, THREAD_EDEADLK = 35, THREAD_ETIMEDOUT = 110 };
enum { THREAD_KEYS = 32, THREAD_LIMIT = 256, THREAD_FIRST = 0x7ead0000, THREAD_LEAST = 0x10000 };
enum { THREAD_NONE = 0xffffffff };

/* What the API knows of a thread beyond what the machine does. Where threads are not kept apart it is not written, and any value where it is
   read: so there is no limit, and every execution of the program that keeps them apart is one of that, too. */
static unsigned char __thread_detached[THREAD_LIMIT];
static unsigned char __thread_joined[THREAD_LIMIT];
static unsigned char __thread_ended[THREAD_LIMIT];

/* Only the first threads have entries in these tables. Any number of threads may run where nobody looks there. */
static unsigned __thread_with_entry(unsigned number) {
    if (number >= THREAD_LIMIT)
        __raddle_unsupported("more than 256 threads of which one is joined, detached, or otherwise used by its handle");
    return number;
}

/* Whether POSIX lets another thread have its handle. */
__attribute__((raddle_reads(hidden)))
static int __thread_is_over(unsigned number) {
    if (!__raddle_keeps_threads_apart())
        return __raddle_nondet_bool();
    return __thread_joined[number] || (__thread_detached[number] && __thread_ended[number]);
}

/* Handles that the program looks at: the main thread's, and the others' in the order in which they were started. A program that
   compares handles may find that of a thread that is over in a new one; to one that takes them for numbers they may be any
   but small ones. Of a handle that went on to another thread zero is left. All have one size, which is simpler to follow. */
static unsigned long __thread_main_handle, __thread_handles[THREAD_LIMIT];
static unsigned long __thread_handle_numbers[THREAD_LIMIT], __thread_handle_count;

__attribute__((raddle_reads(any)))
static unsigned long __thread_any_handle(unsigned number) {
    unsigned long own = (unsigned long)THREAD_FIRST + number;
    if (__raddle_threads_looked_at() < 2)
        return own;
    /* Turned around, so that the first inputs that come to mind lie apart. */
    unsigned long any = __raddle_nondet_ulong(), handle = own + (any << 20 | any >> (8 * sizeof any - 20));
    if (handle < THREAD_LEAST || handle - THREAD_FIRST < THREAD_LIMIT || handle == __thread_main_handle)
        return own;
    for (unsigned long i = 0; i < __thread_handle_count; i++)
        if (__thread_handles[i] == handle)
            return own;
    return handle;
}

/* The main thread has its own from the start, which nobody saw yet. */
__attribute__((raddle_reads(any)))
static void __thread_know_main(void) {
    if (__thread_main_handle == 0)
        __thread_main_handle = __thread_any_handle(0);
}

/* The handle of a new thread, inside an atomic block. */
static unsigned long __thread_new_handle(unsigned number) {
    if (!__raddle_threads_looked_at())
        return (unsigned long)THREAD_FIRST + number;
    if (!__raddle_keeps_threads_apart())
        return __raddle_nondet_ulong();
    __thread_know_main();
    unsigned long handle = __thread_any_handle(number);
    int reused = 0;
    for (unsigned long i = 0; i < __thread_handle_count; i++)
        if (!reused && __thread_handles[i] && __thread_is_over((unsigned)__thread_handle_numbers[i]) && __raddle_nondet_bool()) {
            reused = 1;
            handle = __thread_handles[i];
            __thread_handles[i] = 0;
        }
    __thread_handles[__thread_handle_count] = handle;
    __thread_handle_numbers[__thread_handle_count] = number;
    __thread_handle_count++;
    return handle;
}

__attribute__((raddle_reads(initialised)))
static unsigned __thread_find(unsigned long thread) {
    unsigned number = THREAD_NONE;
    __raddle_atomic_begin();
    __thread_know_main();
    for (unsigned long i = 0; i < __thread_handle_count; i++)
        if (thread && __thread_handles[i] == thread)
            number = (unsigned)__thread_handle_numbers[i];
    if (number == THREAD_NONE && thread == __thread_main_handle)
        number = 0;
    __raddle_atomic_end();
    return number;
}

__attribute__((raddle_reads(initialised)))
static int __thread_was_started(unsigned long number) {
    return number <= 0xffffffff && __raddle_thread_exists((unsigned)number);
}

/* The id of a thread that was started, or none. Where threads are not kept apart, a handle that the program looks at may be any one's. */
static unsigned __thread_id(unsigned long thread) {
    if (__raddle_threads_looked_at() && __raddle_keeps_threads_apart())
        return __thread_find(thread);
    unsigned long number = __raddle_threads_looked_at() ? __raddle_nondet_ulong() : thread - THREAD_FIRST;
    return __thread_was_started(number) ? __thread_with_entry((unsigned)number) : THREAD_NONE;
}

/* The same for who wants something of a thread that is still there: with its end its handle means nothing any more. */
static unsigned __thread_id_in_use(unsigned long thread) {
    unsigned number = __thread_id(thread);
    if (number == THREAD_NONE) {
        __raddle_check_lock(0, "a thread is used that was never started");
        return THREAD_NONE;
    }
    __raddle_atomic_begin();
    int over = __thread_is_over(number);
    __raddle_check_lock(!over, "a thread is used that was joined, or that was detached and has ended");
    __raddle_atomic_end();
    return over ? THREAD_NONE : number;
}

struct __thread_start {
    void *(*function)(void *);
    void *argument;
};

int __model___cancel_pending(void);
void __model___cancel_act(void);
void __model_pthread_testcancel(void);
void __model_exit(int status);
static int __mutex_may_be_robust(void);
static void __mutex_abandon(void);
static void __thread_run_destructors(void);
static void __thread_destroy_values(void);

/* How a thread begins where its end matters: destructors of keys, for one, run also when its function just returns. */
__attribute__((raddle_reads(ordered)))
static void *__thread_entry(void *packed) {
    __raddle_atomic_begin();
    struct __thread_start start = *(struct __thread_start *)packed;
    __raddle_free(packed);
    __raddle_atomic_end();
    void *result = start.function(start.argument);
    __thread_run_destructors();
    return result;
}

/* Inside an atomic block: whether a thread has done everything but end. */
static int __thread_has_ended(unsigned number) {
    return __raddle_keeps_threads_apart() ? __atomic_load_n(&__thread_ended[number], 2) : __raddle_nondet_bool();
}

/* Whether somebody may ask if a thread has ended, without waiting for it: by the function above, in joining that can be cancelled, or
   about one that is over by its own end (`__thread_is_over`). Whoever asks in another way has to be added here. */
static int __thread_may_be_tried(void) {
    return __raddle_keeps_threads_apart() &&
           (__raddle_program_reaches("__thread_has_ended") || __raddle_program_uses("pthread_cancel") ||
            ((__raddle_threads_looked_at() || __raddle_program_reaches("__thread_id_in_use")) &&
             (__raddle_program_uses("pthread_detach") || __raddle_program_uses("pthread_attr_setdetachstate") ||
              __raddle_program_uses("thrd_detach"))));
}

static int __thread_may_have_keys(void) {
    return __raddle_program_uses("pthread_key_create") || __raddle_program_uses("tss_create");
}

/* Whether the last thread may end the process by its own end, and that can be seen. */
static int __thread_last_exits(void) {
    return (__raddle_program_uses("atexit") || __raddle_program_uses("on_exit")) &&
           (__raddle_program_uses("pthread_exit") || __raddle_program_uses("thrd_exit") ||
            __raddle_program_uses("pthread_cancel"));
}
static unsigned __thread_running = 1;

static int __signal_has_masks(void);

static int __thread_end_matters(void) {
    return __thread_may_have_keys() || __thread_may_be_tried() || __thread_last_exits() || __mutex_may_be_robust();
}

/* Whether a new thread gets entries in tables. */
static int __thread_needs_entry(int detached) {
    return __signal_has_masks() || __raddle_program_uses("pthread_cancel") ||
           (__raddle_keeps_threads_apart() && (detached || __thread_end_matters() || __raddle_threads_looked_at()));
}

struct __attributes;
static int __attribute_read(const struct __attributes *attributes);
static void __signal_inherit(unsigned number);

/* The handle is stored once the thread is started: POSIX does not say that the thread finds it there. Who looks while it is stored
   races. */
__attribute__((raddle_reads(hidden)))
int __model_pthread_create(unsigned long *thread, const void *attributes, void *(*function)(void *), void *argument) {
    if (__ENVIRONMENT_CREATE_MAY_FAIL && __raddle_nondet_bool())
        return THREAD_EAGAIN;
    int detached = attributes ? __attribute_read(attributes) == 1 : 0;
    unsigned number = 0;
    __raddle_atomic_begin();
    if (__thread_end_matters()) {
        struct __thread_start *start = __raddle_alloc_own(sizeof *start, 0);
        start->function = function;
        start->argument = argument;
        number = __raddle_fork(__thread_entry, start);
    } else {
        number = __raddle_fork(function, argument);
    }
    if (__thread_needs_entry(detached))
        __thread_with_entry(number);
    if (__raddle_keeps_threads_apart() && detached)
        __thread_detached[number] = 1;
    if (__thread_last_exits())
        __atomic_fetch_add(&__thread_running, 1, 0);
    unsigned long handle = __thread_new_handle(number);
    __signal_inherit(number);
    __raddle_atomic_end();
    *thread = handle;
    return 0;
}

/* Whoever joins a thread may be cancelled while it waits. */
__attribute__((raddle_reads(acquired)))
static void __thread_await_cancellably(unsigned number) {
    if (!__raddle_program_uses("pthread_cancel"))
        return;
    __model_pthread_testcancel();
    __raddle_atomic_begin();
    int ended = __raddle_keeps_threads_apart() ? __atomic_load_n(&__thread_ended[number], 2) : __raddle_nondet_bool();
    int cancelled = __model___cancel_pending();
    __raddle_wait_until(ended || cancelled);
    int acts = cancelled && (!ended || __raddle_nondet_bool());
    __raddle_atomic_end();
    if (acts)
        __model___cancel_act();
}

/* The same where threads are not kept apart: a handle that the program looks at may be anyone's. */
static int __thread_join_alike(unsigned long thread, void **result) {
    unsigned long number = __raddle_threads_looked_at() ? __raddle_nondet_ulong() : thread - THREAD_FIRST;
    if (__raddle_threads_looked_at() ? __raddle_nondet_bool() : !__thread_was_started(number))
        return THREAD_ESRCH;
    if ((unsigned)number == __raddle_self())
        return THREAD_EDEADLK;
    __thread_await_cancellably((unsigned)number);
    void *value = __raddle_join((unsigned)number);
    if (result)
        *result = value;
    return 0;
}

__attribute__((raddle_reads(acquired)))
int __model_pthread_join(unsigned long thread, void **result) {
    if (!__raddle_keeps_threads_apart())
        return __thread_join_alike(thread, result);
    unsigned number = __thread_id(thread);
    if (number == THREAD_NONE) {
        __raddle_check_lock(0, "a thread that was never started is joined");
        return THREAD_ESRCH;
    }
    if (number == __raddle_self()) {
        __raddle_check_lock(0, "a thread joins itself");
        return THREAD_EDEADLK;
    }
    __thread_await_cancellably(number);
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

__attribute__((raddle_reads(hidden)))
int __model_pthread_detach(unsigned long thread) {
    if (!__raddle_keeps_threads_apart())
        return __raddle_nondet_bool() ? THREAD_ESRCH : 0;
    unsigned number = __thread_id(thread);
    if (number == THREAD_NONE) {
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

static _Thread_local unsigned long __thread_own_handle;
__attribute__((raddle_reads(ordered)))
unsigned long __model_pthread_self(void) {
    unsigned self = __raddle_self();
    if (!__raddle_threads_looked_at())
        return (unsigned long)THREAD_FIRST + self;
    if (!__raddle_keeps_threads_apart())
        return __raddle_nondet_ulong();
    if (__thread_own_handle)
        return __thread_own_handle;
    __raddle_atomic_begin();
    if (self == 0) {
        __thread_know_main();
        __thread_own_handle = __thread_main_handle;
    }
    for (unsigned long i = 0; self != 0 && i < __thread_handle_count; i++)
        if (__thread_handle_numbers[i] == self)
            __thread_own_handle = __thread_handles[i];
    __raddle_atomic_end();
    return __thread_own_handle;
}
int __model_pthread_equal(unsigned long left, unsigned long right) { return left == right; }

/* One that nobody waits for must be such that it can be waited for. */
__attribute__((raddle_reads(hidden)))
static void __thread_check_joinable(unsigned number) {
    __raddle_atomic_begin();
    __raddle_check_lock(!__thread_detached[number], "a detached thread is joined");
    __raddle_atomic_end();
}

/* Without waiting: a thread that has done everything but end is waited for, which takes nobody's help. */
int __model_pthread_tryjoin_np(unsigned long thread, void **result) {
    if (!__raddle_keeps_threads_apart())
        return __raddle_nondet_bool() ? THREAD_EBUSY : __thread_join_alike(thread, result);
    unsigned number = __thread_id(thread);
    if (number == THREAD_NONE || number == __raddle_self())
        return __model_pthread_join(thread, result);
    __thread_check_joinable(number);
    __raddle_atomic_begin();
    int ended = __thread_has_ended(number);
    __raddle_atomic_end();
    return ended ? __model_pthread_join(thread, result) : THREAD_EBUSY;
}
/* Time runs out exactly when this is asked before the thread has ended; see pthread_mutex_timedlock. */
int __model_pthread_timedjoin_np(unsigned long thread, void **result, const long *deadline) {
    if (deadline && !__time_is_valid(deadline))
        return THREAD_EINVAL;
    if (!deadline)
        return __model_pthread_join(thread, result);
    __model_pthread_testcancel();
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

/* Keys. A place is used once: a new key must hold null in every thread. The number of a key is that of its place, unless the
   program looks at it: then it may be that of a deleted one, or any. */
static struct { _Bool used, live; void (*destructor)(void *); } __thread_keys[THREAD_KEYS];
static unsigned __thread_key_numbers[THREAD_KEYS];
static _Thread_local void *__thread_values[THREAD_KEYS];

static unsigned __thread_key_number(unsigned place) {
    enum { OWN = 0x40000000 };
    unsigned number = __raddle_nondet_bool() ? (unsigned)__raddle_nondet_int() : place;
    for (unsigned i = 0; i < THREAD_KEYS; i++)
        if (__thread_keys[i].used && !__thread_keys[i].live && __raddle_nondet_bool())
            number = __thread_key_numbers[i];
    for (unsigned i = 0; i < THREAD_KEYS; i++)
        if (i != place && __thread_keys[i].live && __thread_key_numbers[i] == number)
            return OWN + place;
    return number - OWN < THREAD_KEYS ? OWN + place : number;
}

__attribute__((raddle_reads(hidden)))
int __model_pthread_key_create(unsigned *key, void (*destructor)(void *)) {
    if (__ENVIRONMENT_CREATE_MAY_FAIL && __raddle_nondet_bool())
        return THREAD_EAGAIN;
    __raddle_atomic_begin();
    for (unsigned i = 0; i < THREAD_KEYS; i++) {
        if (!__thread_keys[i].used) {
            unsigned number = __raddle_keys_looked_at() ? __thread_key_number(i) : i;
            __thread_keys[i].used = 1;
            __thread_keys[i].live = 1;
            if (__raddle_keys_looked_at())
                __thread_key_numbers[i] = number;
            __thread_keys[i].destructor = destructor;
            __raddle_atomic_end();
            *key = number;
            return 0;
        }
    }
    __raddle_unsupported("more than 32 keys for thread-specific data");
}

/* The place of a key, or their number where there is none; to use another is a mistake. */
__attribute__((raddle_reads(initialised)))
static unsigned __thread_key_place(unsigned key) {
    unsigned place = THREAD_KEYS;
    __raddle_atomic_begin();
    if (__raddle_keys_looked_at()) {
        for (unsigned i = 0; i < THREAD_KEYS; i++)
            if (__thread_keys[i].live && __thread_key_numbers[i] == key)
                place = i;
    } else if (key < THREAD_KEYS && __thread_keys[key].live) {
        place = key;
    }
    __raddle_check_lock(place < THREAD_KEYS, "a key is used that was not created, or that is deleted");
    __raddle_atomic_end();
    return place;
}

__attribute__((raddle_reads(initialised)))
int __model_pthread_key_delete(unsigned key) {
    unsigned place = __thread_key_place(key);
    if (place >= THREAD_KEYS)
        return THREAD_EINVAL;
    __raddle_atomic_begin();
    int known = __thread_keys[place].live;
    __thread_keys[place].live = 0;
    __thread_keys[place].destructor = 0;
    __raddle_atomic_end();
    return known ? 0 : THREAD_EINVAL;
}

int __model_pthread_setspecific(unsigned key, const void *value) {
    unsigned place = __thread_key_place(key);
    if (place >= THREAD_KEYS)
        return THREAD_EINVAL;
    __thread_values[place] = (void *)value;
    return 0;
}

void *__model_pthread_getspecific(unsigned key) {
    unsigned place = __thread_key_place(key);
    return place < THREAD_KEYS ? __thread_values[place] : 0;
}

/* What comes last in every thread: destructors of keys, locks that it leaves behind, the note that it has ended; and the end of the
   process, if there is no other thread. */
__attribute__((raddle_reads(acquired)))
static void __thread_run_destructors(void) {
    if (__thread_may_have_keys())
        __thread_destroy_values();
    if (__mutex_may_be_robust())
        __mutex_abandon();
    if (__thread_may_be_tried()) {
        __raddle_atomic_begin();
        __atomic_store_n(&__thread_ended[__raddle_self()], 1, 3);
        __raddle_atomic_end();
    }
    if (__thread_last_exits()) {
        __raddle_atomic_begin();
        unsigned others = __atomic_sub_fetch(&__thread_running, 1, 4);
        __raddle_atomic_end();
        if (others == 0)
            __model_exit(0);
    }
}

/* Inside an atomic block: whether the key is still there. Another thread may have deleted it, which orders nothing. */
static int __thread_key_is_live(unsigned place) { return __thread_keys[place].live; }

/* Whether there was something to call. */
__attribute__((raddle_reads(initialised)))
static int __thread_destroy_value(unsigned place) {
    void *value = __thread_values[place];
    if (!value)
        return 0;
    __raddle_atomic_begin();
    void (*destructor)(void *) = __thread_keys[place].destructor;
    if (__raddle_program_uses("pthread_key_delete") || __raddle_program_uses("tss_delete"))
        if (!__thread_key_is_live(place))
            destructor = 0;
    __raddle_atomic_end();
    if (!destructor)
        return 0;
    __thread_values[place] = 0;
    destructor(value);
    return 1;
}

/* POSIX says nothing of the order; it is one or the other way round here. */
static void __thread_destroy_values(void) {
    for (int round = 0; round < 4; round++) {
        int again = 0, values = 0;
        for (unsigned i = 0; i < THREAD_KEYS; i++)
            values += __thread_values[i] != 0;
        if (values > 1 && __raddle_nondet_bool())
            for (unsigned i = 0; i < THREAD_KEYS; i++)
                again |= __thread_destroy_value(THREAD_KEYS - 1 - i);
        else
            for (unsigned i = 0; i < THREAD_KEYS; i++)
                again |= __thread_destroy_value(i);
        if (!again)
            return;
    }
}

/* Once: 0 not begun, 1 running, 2 done. A routine that its thread does not return from was never called. */
static void __once_undo(void *once) {
    __raddle_atomic_begin();
    __atomic_store_n((int *)once, 0, 3);
    __raddle_atomic_end();
}
static int __once_may_be_left(void) {
    return __raddle_program_uses("pthread_cancel") || __raddle_program_uses("pthread_exit") ||
           __raddle_program_uses("thrd_exit");
}

__attribute__((raddle_reads(acquired)))
int __model_pthread_once(int *once, void (*function)(void)) {
    __raddle_atomic_begin();
    int state = __raddle_peek(once, OBJECT_UNWRITTEN);
    __raddle_check_lock(state >= 0 && state <= 2, "a once control is used that was not initialised");
    state = __atomic_load_n(once, 2);
    __raddle_wait_until(state != 1);
    if (state == 0)
        *once = 1;
    __raddle_atomic_end();
    if (state != 0)
        return 0;
    if (__once_may_be_left())
        __model__pthread_cleanup_push(0, __once_undo, once);
    function();
    if (__once_may_be_left())
        __model__pthread_cleanup_pop(0, 0);
    __raddle_atomic_begin();
    __atomic_store_n(once, 2, 3);
    __raddle_atomic_end();
    return 0;
}
