/* Cancellation. A request is kept until the thread comes to a cancellation point and has not disabled them; there it ends as by
   pthread_exit, with its cleanup handlers. Who waits for a condition, a semaphore or a thread is woken by it. */

enum { CANCEL_ASYNCHRONOUS = 1 };

static _Thread_local int __cancel_disabled, __cancel_type;
static unsigned char __cancel_requested[256];

static int __cancel_is_used(void) { return __raddle_program_uses("pthread_cancel"); }

/* Inside an atomic block: whether the running thread is to end at the next cancellation point. */
__attribute__((raddle_reads(acquired)))
int __model___cancel_pending(void) {
    return __cancel_is_used() && !__cancel_disabled && __atomic_load_n(&__cancel_requested[__raddle_self()], 2);
}

int __model_pthread_setcancelstate(int state, int *old) {
    if (state != 0 && state != 1)
        return 22; /* EINVAL */
    if (old)
        *old = __cancel_disabled;
    __cancel_disabled = state;
    return 0;
}

int __model_pthread_setcanceltype(int type, int *old) {
    if (type != 0 && type != 1)
        return 22; /* EINVAL */
    if (type == CANCEL_ASYNCHRONOUS && __cancel_is_used())
        __raddle_unsupported("threads that can be cancelled anywhere (PTHREAD_CANCEL_ASYNCHRONOUS)");
    if (old)
        *old = __cancel_type;
    __cancel_type = type;
    return 0;
}

/* The thread ends; handlers are not cancelled. */
void __model___cancel_act(void) {
    __cancel_disabled = 1;
    __model_pthread_exit((void *)-1l);
}

void __model_pthread_testcancel(void) {
    if (!__cancel_is_used())
        return;
    __raddle_atomic_begin();
    int pending = __model___cancel_pending();
    __raddle_atomic_end();
    if (pending)
        __model___cancel_act();
}

/* What may be a cancellation point, and need not. */
void __model___cancel_optional(void) {
    __raddle_atomic_begin();
    int acts = __model___cancel_pending() && __raddle_nondet_bool();
    __raddle_atomic_end();
    if (acts)
        __model___cancel_act();
}

/* A thread that has ended and not been joined is still known: asking for its end changes nothing. */
int __model_pthread_cancel(unsigned long thread) {
    unsigned number = __thread_id_in_use(thread);
    if (number == THREAD_NONE)
        return THREAD_ESRCH;
    __raddle_atomic_begin();
    __atomic_store_n(&__cancel_requested[number], 1, 3);
    __raddle_atomic_end();
    return 0;
}

/* The older macros for cleanup handlers that change the type for a while; they keep their handlers as the others do. */
void __model___pthread_unregister_cancel_restore(void *buffer) { __model__pthread_cleanup_pop(buffer, 0); }
void __model___pthread_register_cancel(void *buffer) {
    (void)buffer;
    __raddle_unsupported("a cleanup handler that is not registered by pthread_cleanup_push");
}
void __model___pthread_register_cancel_defer(void *buffer) { __model___pthread_register_cancel(buffer); }
