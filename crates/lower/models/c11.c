/* <threads.h>, on the POSIX models: glibc's types have the same layout. */

enum { C11_SUCCESS = 0, C11_BUSY = 1, C11_ERROR = 2, C11_NOMEM = 3, C11_TIMEDOUT = 4 };

int __model_pthread_create(unsigned long *thread, const void *attributes, void *(*function)(void *), void *argument);
int __model_pthread_join(unsigned long thread, void **result);
int __model_pthread_detach(unsigned long thread);
void __model_pthread_exit(void *result);
int __model_pthread_once(int *once, void (*function)(void));
int __model_pthread_mutex_init(int *mutex, const int *attributes);
int __model_pthread_mutex_destroy(int *mutex);
int __model_pthread_mutex_lock(int *mutex);
int __model_pthread_mutex_timedlock(int *mutex, const long *deadline);
int __model_pthread_mutex_unlock(int *mutex);
int __model_pthread_cond_init(unsigned long long *condition, const void *attributes);
int __model_pthread_cond_destroy(unsigned long long *condition);
int __model_pthread_cond_signal(unsigned long long *condition);
int __model_pthread_cond_broadcast(unsigned long long *condition);
int __model_pthread_cond_timedwait(unsigned long long *condition, int *mutex, const long *deadline);
int __model_pthread_key_create(unsigned *key, void (*destructor)(void *));
int __model_pthread_key_delete(unsigned key);
int __model_pthread_setspecific(unsigned key, const void *value);
void *__model_pthread_getspecific(unsigned key);

struct __c11_start {
    int (*function)(void *);
    void *argument;
};

/* Threads give pointers back; these give numbers. */
__attribute__((raddle_reads(ordered)))
static void *__c11_entry(void *packed) {
    __raddle_atomic_begin();
    struct __c11_start start = *(struct __c11_start *)packed;
    __raddle_free(packed);
    __raddle_atomic_end();
    return (void *)(long)start.function(start.argument);
}

int __model_thrd_create(unsigned long *thread, int (*function)(void *), void *argument) {
    struct __c11_start *start = __raddle_alloc_own(sizeof *start, 0);
    start->function = function;
    start->argument = argument;
    if (__model_pthread_create(thread, 0, __c11_entry, start) == 0)
        return C11_SUCCESS;
    __raddle_free(start);
    return __raddle_nondet_bool() ? C11_NOMEM : C11_ERROR;
}

int __model_thrd_join(unsigned long thread, int *result) {
    void *value = 0;
    if (__model_pthread_join(thread, result ? &value : 0) != 0)
        return C11_ERROR;
    if (result)
        *result = (int)(long)value;
    return C11_SUCCESS;
}

int __model_thrd_detach(unsigned long thread) { return __model_pthread_detach(thread) == 0 ? C11_SUCCESS : C11_ERROR; }
void __model_thrd_exit(int result) { __model_pthread_exit((void *)(long)result); }
unsigned long __model_pthread_self(void);
unsigned long __model_thrd_current(void) { return __model_pthread_self(); }
int __model_thrd_equal(unsigned long left, unsigned long right) { return left == right; }
void __model_thrd_yield(void) {}
int __model_thrd_sleep(const long *time, long *rest) {
    (void)rest;
    return time[0] >= 0 && __time_is_valid(time) ? 0 : -2;
}

int __model_mtx_init(int *mutex, int type) {
    int attributes = type & 1; /* mtx_recursive */
    return __model_pthread_mutex_init(mutex, &attributes) == 0 ? C11_SUCCESS : C11_ERROR;
}
void __model_mtx_destroy(int *mutex) { __model_pthread_mutex_destroy(mutex); }
static int __c11_result(int error) { return error == 0 ? C11_SUCCESS : error == MUTEX_ETIMEDOUT ? C11_TIMEDOUT : C11_ERROR; }
int __model_mtx_lock(int *mutex) { return __model_pthread_mutex_lock(mutex) == 0 ? C11_SUCCESS : C11_ERROR; }
int __model_mtx_unlock(int *mutex) { return __model_pthread_mutex_unlock(mutex) == 0 ? C11_SUCCESS : C11_ERROR; }
/* It may fail though nobody holds the mutex (C17, 7.26.4.5). */
int __model_mtx_trylock(int *mutex) { return __mutex_try(mutex, __raddle_nondet_bool()) == 0 ? C11_SUCCESS : C11_BUSY; }
int __model_mtx_timedlock(int *mutex, const long *deadline) {
    return __c11_result(__model_pthread_mutex_timedlock(mutex, deadline));
}

int __model_cnd_init(unsigned long long *condition) {
    return __model_pthread_cond_init(condition, 0) == 0 ? C11_SUCCESS : C11_NOMEM;
}
void __model_cnd_destroy(unsigned long long *condition) { __model_pthread_cond_destroy(condition); }
int __model_cnd_signal(unsigned long long *condition) { return __model_pthread_cond_signal(condition); }
int __model_cnd_broadcast(unsigned long long *condition) { return __model_pthread_cond_broadcast(condition); }
int __model_cnd_wait(unsigned long long *condition, int *mutex) {
    return __condition_wait(condition, mutex, !__condition_spurious());
}
int __model_cnd_timedwait(unsigned long long *condition, int *mutex, const long *deadline) {
    return __c11_result(__model_pthread_cond_timedwait(condition, mutex, deadline));
}

int __model_tss_create(unsigned *key, void (*destructor)(void *)) {
    return __model_pthread_key_create(key, destructor) == 0 ? C11_SUCCESS : C11_ERROR;
}
void __model_tss_delete(unsigned key) { __model_pthread_key_delete(key); }
int __model_tss_set(unsigned key, void *value) { return __model_pthread_setspecific(key, value) == 0 ? C11_SUCCESS : C11_ERROR; }
void *__model_tss_get(unsigned key) { return __model_pthread_getspecific(key); }
void __model_call_once(int *once, void (*function)(void)) { __model_pthread_once(once, function); }

/* Of the sizes that the processor has instructions for. */
_Bool __model___atomic_is_lock_free(unsigned long size, const volatile void *object) {
    (void)object;
    return size == 1 || size == 2 || size == 4 || size == 8;
}
_Bool __model___c11_atomic_is_lock_free(unsigned long size) { return __model___atomic_is_lock_free(size, 0); }
