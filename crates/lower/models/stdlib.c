/* Process, numbers, time, and what else concurrent programs call. */

static struct { void (*function)(void); } __exit_handlers[32];
static int __exit_count;

int __model_atexit(void (*function)(void)) {
    __raddle_atomic_begin();
    if (__exit_count == 32)
        __raddle_unsupported("more than 32 exit handlers");
    __exit_handlers[__exit_count++].function = function;
    __raddle_atomic_end();
    return 0;
}

void __model_exit(int status) {
    if (__raddle_program_uses("atexit"))
        while (__exit_count > 0)
            __exit_handlers[--__exit_count].function();
    __raddle_exit_process(status);
}

void __model__exit(int status) { __raddle_exit_process(status); }
void __model__Exit(int status) { __raddle_exit_process(status); }
void __model_quick_exit(int status) { __raddle_exit_process(status); }

static _Thread_local int __errno_value;
int *__model___errno_location(void) { return &__errno_value; }

int __model_abs(int value) { return value < 0 ? -value : value; }
long __model_labs(long value) { return value < 0 ? -value : value; }
long long __model_llabs(long long value) { return value < 0 ? -value : value; }

int __model_rand(void) { return __raddle_nondet_int() & 0x7fffffff; }
void __model_srand(unsigned seed) { (void)seed; }
long __model_random(void) { return __raddle_nondet_int() & 0x7fffffff; }
void __model_srandom(unsigned seed) { (void)seed; }
int __model_rand_r(unsigned *seed) { (void)seed; return __raddle_nondet_int() & 0x7fffffff; }

static int __stdlib_is_space(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

static int __stdlib_digit(char byte) {
    if (byte >= '0' && byte <= '9')
        return byte - '0';
    if (byte >= 'a' && byte <= 'z')
        return byte - 'a' + 10;
    if (byte >= 'A' && byte <= 'Z')
        return byte - 'A' + 10;
    return 99;
}

/* The number at the start of a text. Up to `most` it is exact; beyond, it is `most` and errno is ERANGE. For signed results
   `most` is that of positive numbers, and negative ones may be one larger. */
static unsigned long long __stdlib_number(const char *text, char **end, int base, unsigned long long most, int is_signed) {
    const char *at = text;
    while (__stdlib_is_space(*at))
        at++;
    int negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') && __stdlib_digit(at[2]) < 16) {
        at += 2;
        base = 16;
    } else if (base == 0) {
        base = *at == '0' ? 8 : 10;
    }
    if (is_signed && negative)
        most++;
    unsigned long long value = 0;
    int overflow = 0, digits = 0;
    for (; __stdlib_digit(*at) < base; at++) {
        unsigned digit = (unsigned)__stdlib_digit(*at);
        digits = 1;
        if (value > (most - digit) / (unsigned)base)
            overflow = 1;
        else
            value = value * (unsigned)base + digit;
    }
    if (end)
        *end = (char *)(digits ? at : text);
    if (overflow) {
        __errno_value = 34; /* ERANGE */
        return is_signed && negative ? -most : most;
    }
    return negative ? -value : value;
}

long long __model_strtoll(const char *text, char **end, int base) {
    return (long long)__stdlib_number(text, end, base, ~0ull >> 1, 1);
}
unsigned long long __model_strtoull(const char *text, char **end, int base) { return __stdlib_number(text, end, base, ~0ull, 0); }
long __model_strtol(const char *text, char **end, int base) { return (long)__stdlib_number(text, end, base, ~0ul >> 1, 1); }
unsigned long __model_strtoul(const char *text, char **end, int base) {
    return (unsigned long)__stdlib_number(text, end, base, ~0ul, 0);
}
/* What newer headers call them. */
long __model___isoc23_strtol(const char *text, char **end, int base) { return __model_strtol(text, end, base); }
long long __model___isoc23_strtoll(const char *text, char **end, int base) { return __model_strtoll(text, end, base); }
unsigned long __model___isoc23_strtoul(const char *text, char **end, int base) { return __model_strtoul(text, end, base); }

double __model_strtod(const char *text, char **end) {
    (void)text;
    (void)end;
    __raddle_unsupported("reading floating numbers from text (strtod)");
}
double __model_atof(const char *text) {
    (void)text;
    __raddle_unsupported("reading floating numbers from text (atof)");
}

long long __model_atoll(const char *text) { return __model_strtoll(text, 0, 10); }
int __model_atoi(const char *text) { return (int)__model_atoll(text); }
long __model_atol(const char *text) { return (long)__model_atoll(text); }

static void __stdlib_swap(unsigned char *left, unsigned char *right, unsigned long size) {
    unsigned long done = 0;
    /* Whole words where both are aligned: pointers stay pointers. */
    if (__memory_is_aligned(left) && __memory_is_aligned(right))
        for (; done + sizeof(long) <= size; done += sizeof(long)) {
            unsigned long held = *(unsigned long *)(left + done);
            *(unsigned long *)(left + done) = *(unsigned long *)(right + done);
            *(unsigned long *)(right + done) = held;
        }
    for (; done < size; done++) {
        unsigned char held = left[done];
        left[done] = right[done];
        right[done] = held;
    }
}

/* Sorting by insertion: short arrays are what programs under analysis have. */
void __model_qsort(void *base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *)) {
    unsigned char *bytes = base;
    for (unsigned long i = 1; i < count; i++)
        for (unsigned long j = i; j > 0 && compare(bytes + (j - 1) * size, bytes + j * size) > 0; j--)
            __stdlib_swap(bytes + (j - 1) * size, bytes + j * size, size);
}

void *__model_bsearch(const void *key, const void *base, unsigned long count, unsigned long size,
                      int (*compare)(const void *, const void *)) {
    const unsigned char *bytes = base;
    while (count > 0) {
        const void *middle = bytes + count / 2 * size;
        int order = compare(key, middle);
        if (order == 0)
            return (void *)middle;
        if (order > 0) {
            bytes += (count / 2 + 1) * size;
            count -= count / 2 + 1;
        } else {
            count /= 2;
        }
    }
    return 0;
}

/* Time passes as it likes, but never back. Sleeping is to be scheduled later, which every thread may be anyway. */
static unsigned long long __time_nanoseconds;

static unsigned long long __time_now(void) {
    unsigned long long passed = (unsigned)__raddle_nondet_int();
    __raddle_atomic_begin();
    unsigned long long now = __time_nanoseconds + passed;
    __time_nanoseconds = now;
    __raddle_atomic_end();
    return now;
}

/* Seconds and nanoseconds of a timespec; a timeval has microseconds. */
int __model_clock_gettime(int clock, long *result) {
    (void)clock;
    unsigned long long now = __time_now();
    result[0] = (long)(now / 1000000000);
    result[1] = (long)(now % 1000000000);
    return 0;
}
int __model_clock_getres(int clock, long *result) {
    (void)clock;
    if (result) {
        result[0] = 0;
        result[1] = 1;
    }
    return 0;
}
int __model_timespec_get(long *result, int base) {
    __model_clock_gettime(0, result);
    return base;
}
int __model_gettimeofday(long *result, void *zone) {
    (void)zone;
    unsigned long long now = __time_now();
    result[0] = (long)(now / 1000000000);
    result[1] = (long)(now % 1000000000 / 1000);
    return 0;
}
double __model_difftime(long later, long earlier) { return (double)later - (double)earlier; }
int __model_clock_nanosleep(int clock, int flags, const void *time, void *rest) {
    (void)clock;
    (void)flags;
    (void)time;
    (void)rest;
    return 0;
}
int __model_select(int count, void *read, void *write, void *except, void *timeout) {
    (void)read;
    (void)write;
    (void)except;
    (void)timeout;
    if (count > 0)
        __raddle_unsupported("waiting for files (select)");
    return 0;
}
unsigned __model_sleep(unsigned seconds) { (void)seconds; return 0; }
int __model_usleep(unsigned microseconds) { (void)microseconds; return 0; }
int __model_nanosleep(const void *time, void *rest) { (void)time; (void)rest; return 0; }
int __model_sched_yield(void) { return 0; }
int __model_pthread_yield(void) { return 0; }
long __model_time(long *result) {
    long now = (long)(__time_now() / 1000000000);
    if (result)
        *result = now;
    return now;
}
long __model_clock(void) { return (long)(__time_now() / 1000 & 0x7fffffff); }

/* Numbers of this process and its only machine. */
int __model_getpid(void) { return 1000; }
int __model_gettid(void) { return 1000 + (int)__raddle_self(); }
int __model_sched_getcpu(void) { return __raddle_nondet_int() & 3; }
long __model_sysconf(int name) {
    if (name == 83 || name == 84) /* _SC_NPROCESSORS_CONF, _SC_NPROCESSORS_ONLN */
        return 1 + (__raddle_nondet_int() & 3);
    if (name == 30) /* _SC_PAGESIZE */
        return 4096;
    return -1;
}

/* Other processes. */
int __model_fork(void) { __raddle_unsupported("other processes (fork)"); }
int __model_vfork(void) { __raddle_unsupported("other processes (vfork)"); }
int __model_system(const char *command) {
    (void)command;
    __raddle_unsupported("other processes (system)");
}
char *__model_getenv(const char *name) { (void)name; return 0; }

/* Jumps out of functions. */
int __model_setjmp(void *buffer) {
    (void)buffer;
    __raddle_unsupported("jumps between functions (setjmp)");
}
int __model__setjmp(void *buffer) {
    (void)buffer;
    __raddle_unsupported("jumps between functions (setjmp)");
}
int __model___sigsetjmp(void *buffer, int mask) {
    (void)buffer;
    (void)mask;
    __raddle_unsupported("jumps between functions (sigsetjmp)");
}
void __model_longjmp(void *buffer, int value) {
    (void)buffer;
    (void)value;
    __raddle_unsupported("jumps between functions (longjmp)");
}
void __model_siglongjmp(void *buffer, int value) {
    (void)buffer;
    (void)value;
    __raddle_unsupported("jumps between functions (siglongjmp)");
}
