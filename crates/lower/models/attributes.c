/* Attributes: what was set is given back. Those of threads keep four small numbers in the first word (detached, scope, inheritance,
   policy), the priority in the second, and then words of the size of a pointer: guard, stack size, stack, and sets that do
   not fit. Those of mutexes are one word: the kind below, the ceiling and the protocol above, robustness and sharing on top, as
   glibc has them. */

enum { ATTRIBUTE_EINVAL = 22, ATTRIBUTE_ENOTSUP = 95 };

struct __attribute_sets {
    _Bool has_mask;
    unsigned char mask[128];
    unsigned long size;
    unsigned char processors[128];
};
struct __attributes {
    unsigned char detached, scope, inherit, policy;
    int priority;
    unsigned long guard, size;
    void *stack;
    struct __attribute_sets *sets;
};

/* Who is given attributes reads them. */
static void __attribute_read_word(const int *attributes) {
    int word = attributes ? *attributes : 0;
    (void)word;
}
static int __attribute_read(const struct __attributes *attributes) {
    struct __attributes copy = *attributes;
    return copy.detached;
}

static struct __attributes __attribute_default = {0, 0, 0, 0, 0, 4096, 8388608, 0, 0};

int __model_pthread_attr_init(struct __attributes *attributes) {
    attributes->detached = 0;
    attributes->scope = 0;
    attributes->inherit = 0;
    attributes->policy = 0;
    attributes->priority = 0;
    attributes->guard = 4096;
    attributes->size = 8388608;
    attributes->stack = 0;
    attributes->sets = 0;
    return 0;
}
int __model_pthread_attr_destroy(struct __attributes *attributes) {
    __raddle_free(attributes->sets);
    attributes->sets = 0;
    return 0;
}
int __model_pthread_attr_setdetachstate(struct __attributes *attributes, int state) {
    if (state != 0 && state != 1)
        return ATTRIBUTE_EINVAL;
    attributes->detached = (unsigned char)state;
    return 0;
}
int __model_pthread_attr_getdetachstate(const struct __attributes *attributes, int *state) {
    *state = attributes->detached;
    return 0;
}
int __model_pthread_attr_setscope(struct __attributes *attributes, int scope) {
    if (scope == 1)
        return ATTRIBUTE_ENOTSUP; /* PTHREAD_SCOPE_PROCESS */
    if (scope != 0)
        return ATTRIBUTE_EINVAL;
    attributes->scope = (unsigned char)scope;
    return 0;
}
int __model_pthread_attr_getscope(const struct __attributes *attributes, int *scope) { *scope = attributes->scope; return 0; }
int __model_pthread_attr_setinheritsched(struct __attributes *attributes, int inherit) {
    if (inherit != 0 && inherit != 1)
        return ATTRIBUTE_EINVAL;
    attributes->inherit = (unsigned char)inherit;
    return 0;
}
int __model_pthread_attr_getinheritsched(const struct __attributes *attributes, int *inherit) {
    *inherit = attributes->inherit;
    return 0;
}
int __model_pthread_attr_setschedpolicy(struct __attributes *attributes, int policy) {
    if (policy < 0 || policy > 2)
        return ATTRIBUTE_EINVAL;
    attributes->policy = (unsigned char)policy;
    return 0;
}
int __model_pthread_attr_getschedpolicy(const struct __attributes *attributes, int *policy) {
    *policy = attributes->policy;
    return 0;
}
static int __attribute_is_priority(int policy, int priority) {
    return policy == 0 ? priority == 0 : priority >= 1 && priority <= 99;
}
int __model_pthread_attr_setschedparam(struct __attributes *attributes, const int *parameters) {
    int priority = *parameters;
    if (!__attribute_is_priority(attributes->policy, priority))
        return ATTRIBUTE_EINVAL;
    attributes->priority = priority;
    return 0;
}
int __model_pthread_attr_getschedparam(const struct __attributes *attributes, int *parameters) {
    *parameters = attributes->priority;
    return 0;
}
int __model_pthread_attr_setguardsize(struct __attributes *attributes, unsigned long size) { attributes->guard = size; return 0; }
int __model_pthread_attr_getguardsize(const struct __attributes *attributes, unsigned long *size) {
    *size = attributes->guard;
    return 0;
}
int __model_pthread_attr_setstacksize(struct __attributes *attributes, unsigned long size) {
    if (size < 16384)
        return ATTRIBUTE_EINVAL;
    attributes->size = size;
    return 0;
}
int __model_pthread_attr_getstacksize(const struct __attributes *attributes, unsigned long *size) {
    *size = attributes->size;
    return 0;
}
/* Where a stack lies is kept and changes nothing. */
int __model_pthread_attr_setstackaddr(struct __attributes *attributes, void *stack) { attributes->stack = stack; return 0; }
int __model_pthread_attr_getstackaddr(const struct __attributes *attributes, void **stack) { *stack = attributes->stack; return 0; }
int __model_pthread_attr_setstack(struct __attributes *attributes, void *stack, unsigned long size) {
    if (size < 16384)
        return ATTRIBUTE_EINVAL;
    attributes->stack = stack;
    attributes->size = size;
    return 0;
}
int __model_pthread_attr_getstack(const struct __attributes *attributes, void **stack, unsigned long *size) {
    *stack = attributes->stack;
    *size = attributes->size;
    return 0;
}
static struct __attribute_sets *__attribute_room(struct __attributes *attributes) {
    if (!attributes->sets)
        attributes->sets = __raddle_alloc(sizeof *attributes->sets, 1);
    return attributes->sets;
}
int __model_pthread_attr_setaffinity_np(struct __attributes *attributes, unsigned long size, const unsigned char *processors) {
    if (size > 128)
        return ATTRIBUTE_EINVAL;
    if (__ENVIRONMENT_MALLOC_MAY_FAIL && __raddle_nondet_bool())
        return 12; /* ENOMEM */
    struct __attribute_sets *sets = __attribute_room(attributes);
    sets->size = size;
    for (unsigned long i = 0; i < size; i++)
        sets->processors[i] = processors[i];
    return 0;
}
int __model_pthread_attr_getaffinity_np(const struct __attributes *attributes, unsigned long size, unsigned char *processors) {
    struct __attribute_sets *sets = attributes->sets;
    unsigned long known = sets ? sets->size : 0;
    for (unsigned long i = 0; i < size; i++)
        processors[i] = known == 0 ? 255 : i < known ? sets->processors[i] : 0;
    return 0;
}
int __model_pthread_attr_setsigmask_np(struct __attributes *attributes, const unsigned char *mask) {
    struct __attribute_sets *sets = __attribute_room(attributes);
    sets->has_mask = mask != 0;
    for (int i = 0; mask && i < 128; i++)
        sets->mask[i] = mask[i];
    return 0;
}
int __model_pthread_attr_getsigmask_np(const struct __attributes *attributes, unsigned char *mask) {
    struct __attribute_sets *sets = attributes->sets;
    int known = sets && sets->has_mask;
    for (int i = 0; i < 128; i++)
        mask[i] = known ? sets->mask[i] : 0;
    return known ? 0 : -1; /* PTHREAD_ATTR_NO_SIGMASK_NP */
}
int __model_pthread_getattr_default_np(struct __attributes *attributes) {
    __raddle_atomic_begin();
    struct __attributes now = __attribute_default;
    __raddle_atomic_end();
    *attributes = now;
    return 0;
}
int __model_pthread_setattr_default_np(const struct __attributes *attributes) {
    struct __attributes wanted = *attributes;
    if (wanted.stack)
        return ATTRIBUTE_EINVAL;
    __raddle_atomic_begin();
    __attribute_default = wanted;
    __raddle_atomic_end();
    return 0;
}
/* Those of a running thread: where its stack lies, nobody knows. */
int __model_pthread_getattr_np(unsigned long thread, struct __attributes *attributes) {
    unsigned number = __thread_id_in_use(thread);
    if (number == THREAD_NONE)
        return THREAD_ESRCH;
    __model_pthread_attr_init(attributes);
    __raddle_atomic_begin();
    int detached = __raddle_keeps_threads_apart() ? __thread_detached[number] : __raddle_nondet_bool();
    __raddle_atomic_end();
    attributes->detached = (unsigned char)detached;
    attributes->stack = (void *)__raddle_nondet_ulong();
    return 0;
}

/* Mutexes. */
enum { MUTEX_SHARED = (int)0x80000000, MUTEX_ROBUST = 0x40000000, MUTEX_PROTOCOL = 0x30000000, MUTEX_CEILING = 0x00fff000,
       MUTEX_KIND = 3 };

int __model_pthread_mutexattr_init(int *attributes) { *attributes = 0; return 0; }
int __model_pthread_mutexattr_destroy(int *attributes) { (void)attributes; return 0; }
int __model_pthread_mutexattr_settype(int *attributes, int kind) {
    if (kind < 0 || kind > 3)
        return ATTRIBUTE_EINVAL;
    *attributes = (*attributes & ~MUTEX_KIND) | kind;
    return 0;
}
int __model_pthread_mutexattr_gettype(const int *attributes, int *kind) { *kind = *attributes & MUTEX_KIND; return 0; }
int __model_pthread_mutexattr_setpshared(int *attributes, int shared) {
    if (shared != 0 && shared != 1)
        return ATTRIBUTE_EINVAL;
    *attributes = shared ? *attributes | MUTEX_SHARED : *attributes & ~MUTEX_SHARED;
    return 0;
}
int __model_pthread_mutexattr_getpshared(const int *attributes, int *shared) { *shared = *attributes < 0; return 0; }
int __model_pthread_mutexattr_setrobust(int *attributes, int robust) {
    if (robust != 0 && robust != 1)
        return ATTRIBUTE_EINVAL;
    *attributes = robust ? *attributes | MUTEX_ROBUST : *attributes & ~MUTEX_ROBUST;
    return 0;
}
int __model_pthread_mutexattr_getrobust(const int *attributes, int *robust) {
    *robust = (*attributes & MUTEX_ROBUST) != 0;
    return 0;
}
int __model_pthread_mutexattr_setprotocol(int *attributes, int protocol) {
    if (protocol < 0 || protocol > 2)
        return ATTRIBUTE_EINVAL;
    *attributes = (*attributes & ~MUTEX_PROTOCOL) | protocol << 28;
    return 0;
}
int __model_pthread_mutexattr_getprotocol(const int *attributes, int *protocol) {
    *protocol = (*attributes & MUTEX_PROTOCOL) >> 28;
    return 0;
}
/* A ceiling that was never set is the least priority of those that have any. */
int __model_pthread_mutexattr_setprioceiling(int *attributes, int ceiling) {
    if (ceiling < 1 || ceiling > 99)
        return ATTRIBUTE_EINVAL;
    *attributes = (*attributes & ~MUTEX_CEILING) | ceiling << 12;
    return 0;
}
int __model_pthread_mutexattr_getprioceiling(const int *attributes, int *ceiling) {
    int known = (*attributes & MUTEX_CEILING) >> 12;
    *ceiling = known == 0 ? 1 : known;
    return 0;
}

/* Readers-writer locks, condition variables and barriers: kind, clock and sharing. */
struct __rwlock_attributes { int kind, shared; };
int __model_pthread_rwlockattr_init(struct __rwlock_attributes *attributes) {
    attributes->kind = 0;
    attributes->shared = 0;
    return 0;
}
int __model_pthread_rwlockattr_destroy(void *attributes) { (void)attributes; return 0; }
int __model_pthread_rwlockattr_setpshared(struct __rwlock_attributes *attributes, int shared) {
    if (shared != 0 && shared != 1)
        return ATTRIBUTE_EINVAL;
    attributes->shared = shared;
    return 0;
}
int __model_pthread_rwlockattr_getpshared(const struct __rwlock_attributes *attributes, int *shared) {
    *shared = attributes->shared;
    return 0;
}
int __model_pthread_rwlockattr_setkind_np(struct __rwlock_attributes *attributes, int kind) {
    if (kind < 0 || kind > 2)
        return ATTRIBUTE_EINVAL;
    attributes->kind = kind;
    return 0;
}
int __model_pthread_rwlockattr_getkind_np(const struct __rwlock_attributes *attributes, int *kind) {
    *kind = attributes->kind;
    return 0;
}

/* One word: sharing in the lowest bit, the clock above. */
int __model_pthread_condattr_init(int *attributes) { *attributes = 0; return 0; }
int __model_pthread_condattr_destroy(int *attributes) { (void)attributes; return 0; }
int __model_pthread_condattr_setclock(int *attributes, int clock) {
    if (clock != 0 && clock != 1)
        return ATTRIBUTE_EINVAL;
    *attributes = (*attributes & 1) | clock << 1;
    return 0;
}
int __model_pthread_condattr_getclock(const int *attributes, int *clock) { *clock = *attributes >> 1; return 0; }
int __model_pthread_condattr_setpshared(int *attributes, int shared) {
    if (shared != 0 && shared != 1)
        return ATTRIBUTE_EINVAL;
    *attributes = (*attributes & ~1) | shared;
    return 0;
}
int __model_pthread_condattr_getpshared(const int *attributes, int *shared) { *shared = *attributes & 1; return 0; }

int __model_pthread_barrierattr_init(int *attributes) { *attributes = 0; return 0; }
int __model_pthread_barrierattr_destroy(int *attributes) { (void)attributes; return 0; }
int __model_pthread_barrierattr_setpshared(int *attributes, int shared) {
    if (shared != 0 && shared != 1)
        return ATTRIBUTE_EINVAL;
    *attributes = shared;
    return 0;
}
int __model_pthread_barrierattr_getpshared(const int *attributes, int *shared) { *shared = *attributes; return 0; }

/* What a running thread is given: policy, priority, name, processors. Threads that were given none have the system's. */
static struct { _Bool scheduled, named, placed; int policy, priority; char name[16]; unsigned char processors[128]; }
    __attribute_threads[256];

int __model_pthread_setschedparam(unsigned long thread, int policy, const int *parameters) {
    unsigned number = __thread_id_in_use(thread);
    int priority = *parameters;
    if (number == THREAD_NONE)
        return THREAD_ESRCH;
    if (policy < 0 || policy > 5 || (policy <= 2 && !__attribute_is_priority(policy, priority)))
        return ATTRIBUTE_EINVAL;
    if (policy != 0 && __raddle_nondet_bool())
        return 1; /* EPERM */
    __raddle_atomic_begin();
    __attribute_threads[number].scheduled = 1;
    __attribute_threads[number].policy = policy;
    __attribute_threads[number].priority = priority;
    __raddle_atomic_end();
    return 0;
}
int __model_pthread_getschedparam(unsigned long thread, int *policy, int *parameters) {
    unsigned number = __thread_id_in_use(thread);
    if (number == THREAD_NONE)
        return THREAD_ESRCH;
    __raddle_atomic_begin();
    int known = __attribute_threads[number].policy, priority = __attribute_threads[number].priority;
    __raddle_atomic_end();
    *policy = known;
    *parameters = priority;
    return 0;
}
int __model_pthread_setschedprio(unsigned long thread, int priority) {
    unsigned number = __thread_id_in_use(thread);
    if (number == THREAD_NONE)
        return THREAD_ESRCH;
    if (__raddle_nondet_bool())
        return 1; /* EPERM */
    __raddle_atomic_begin();
    __attribute_threads[number].priority = priority;
    __raddle_atomic_end();
    return 0;
}
int __model_pthread_setname_np(unsigned long thread, const char *name) {
    unsigned number = __thread_id_in_use(thread);
    char copy[16];
    int length = 0;
    for (; length < 16 && (copy[length] = name[length]); length++)
        ;
    if (length == 16)
        return 34; /* ERANGE */
    if (number == THREAD_NONE)
        return THREAD_ESRCH;
    __raddle_atomic_begin();
    __attribute_threads[number].named = 1;
    for (int i = 0; i <= length; i++)
        __attribute_threads[number].name[i] = copy[i];
    __raddle_atomic_end();
    return 0;
}
/* A thread that was given no name has that of the program, which nobody knows. */
int __model_pthread_getname_np(unsigned long thread, char *name, unsigned long size) {
    unsigned number = __thread_id_in_use(thread);
    char copy[16];
    if (number == THREAD_NONE)
        return THREAD_ESRCH;
    if (size < 16)
        return 34; /* ERANGE */
    __raddle_atomic_begin();
    int named = __attribute_threads[number].named;
    for (int i = 0; i < 16; i++)
        copy[i] = named ? __attribute_threads[number].name[i] : i < 15 ? (char)__raddle_nondet_uchar() : 0;
    __raddle_atomic_end();
    for (int i = 0; i < 16; i++) {
        name[i] = copy[i];
        if (!copy[i])
            break;
    }
    return 0;
}
int __model_pthread_setaffinity_np(unsigned long thread, unsigned long size, const unsigned char *set) {
    unsigned number = __thread_id_in_use(thread);
    unsigned char copy[128];
    if (size > 128)
        return ATTRIBUTE_EINVAL;
    for (unsigned long i = 0; i < 128; i++)
        copy[i] = i < size ? set[i] : 0;
    if (number == THREAD_NONE)
        return THREAD_ESRCH;
    __raddle_atomic_begin();
    __attribute_threads[number].placed = 1;
    for (int i = 0; i < 128; i++)
        __attribute_threads[number].processors[i] = copy[i];
    __raddle_atomic_end();
    return 0;
}
int __model_pthread_getaffinity_np(unsigned long thread, unsigned long size, unsigned char *set) {
    unsigned number = __thread_id_in_use(thread);
    if (number == THREAD_NONE)
        return THREAD_ESRCH;
    __raddle_atomic_begin();
    int placed = __attribute_threads[number].placed;
    __raddle_atomic_end();
    for (unsigned long i = 0; i < size; i++)
        set[i] = i >= 128 ? 0 : placed ? __attribute_threads[number].processors[i] : i == 0 ? 15 : 0;
    return 0;
}
static int __attribute_concurrency;
int __model_pthread_setconcurrency(int level) {
    if (level < 0)
        return ATTRIBUTE_EINVAL;
    __raddle_atomic_begin();
    __attribute_concurrency = level;
    __raddle_atomic_end();
    return 0;
}
int __model_pthread_getconcurrency(void) {
    __raddle_atomic_begin();
    int level = __attribute_concurrency;
    __raddle_atomic_end();
    return level;
}
