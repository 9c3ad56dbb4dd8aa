/* Ends of the process, numbers in texts, sorting, random numbers, and what else <stdlib.h> has. */

/* Handlers run in the reverse of the order in which they were noted; those of on_exit take the status and an argument. */
static struct { void (*function)(void); void (*with_status)(int, void *); void *argument; } __exit_handlers[32];
static int __exit_count;

__attribute__((raddle_reads(hidden)))
static int __exit_note(void (*function)(void), void (*with_status)(int, void *), void *argument) {
    __raddle_atomic_begin();
    int place = __exit_count;
    if (place == 32)
        __raddle_unsupported("more than 32 exit handlers");
    __exit_count = place + 1;
    __exit_handlers[place].function = function;
    __exit_handlers[place].with_status = with_status;
    __exit_handlers[place].argument = argument;
    __raddle_atomic_end();
    return 0;
}
int __model_atexit(void (*function)(void)) { return __exit_note(function, 0, 0); }
int __model_on_exit(void (*function)(int, void *), void *argument) { return __exit_note(0, function, argument); }

/* Calls the last handler, if there is one. Others may note handlers meanwhile: C leaves open whether those are called, and nothing orders
   what they did before. */
static int __exit_call(int status) {
    __raddle_atomic_begin();
    int place = __exit_count - 1;
    if (place < 0) {
        __raddle_atomic_end();
        return 0;
    }
    void (*function)(void) = __exit_handlers[place].function;
    void (*with_status)(int, void *) = __exit_handlers[place].with_status;
    void *argument = __exit_handlers[place].argument;
    __exit_count = place;
    __raddle_atomic_end();
    if (function)
        function();
    else
        with_status(status, argument);
    return 1;
}

void __model_exit(int status) {
    if (__raddle_program_uses("atexit") || __raddle_program_uses("on_exit"))
        while (__exit_call(status))
            ;
    __stdio_end();
    __raddle_exit_process(status);
}

static struct { void (*function)(void); } __quick_handlers[32];
static int __quick_count;

__attribute__((raddle_reads(hidden)))
int __model_at_quick_exit(void (*function)(void)) {
    __raddle_atomic_begin();
    int place = __quick_count;
    if (place == 32)
        __raddle_unsupported("more than 32 exit handlers");
    __quick_count = place + 1;
    __quick_handlers[place].function = function;
    __raddle_atomic_end();
    return 0;
}
static int __quick_call(void) {
    __raddle_atomic_begin();
    int place = __quick_count - 1;
    if (place < 0) {
        __raddle_atomic_end();
        return 0;
    }
    void (*function)(void) = __quick_handlers[place].function;
    __quick_count = place;
    __raddle_atomic_end();
    function();
    return 1;
}
void __model_quick_exit(int status) {
    if (__raddle_program_uses("at_quick_exit"))
        while (__quick_call())
            ;
    __raddle_exit_process(status);
}

void __model__exit(int status) { __raddle_exit_process(status); }
void __model__Exit(int status) { __raddle_exit_process(status); }

static _Thread_local int __errno_value;
int *__model___errno_location(void) { return &__errno_value; }

int __model_abs(int value) { return value < 0 ? -value : value; }
long __model_labs(long value) { return value < 0 ? -value : value; }
long long __model_llabs(long long value) { return value < 0 ? -value : value; }

struct __stdlib_div { int quotient, rest; };
struct __stdlib_ldiv { long quotient, rest; };
struct __stdlib_lldiv { long long quotient, rest; };
struct __stdlib_div __model_div(int number, int by) { return (struct __stdlib_div){number / by, number % by}; }
struct __stdlib_ldiv __model_ldiv(long number, long by) { return (struct __stdlib_ldiv){number / by, number % by}; }
struct __stdlib_lldiv __model_lldiv(long long number, long long by) { return (struct __stdlib_lldiv){number / by, number % by}; }

/* Random numbers are any, but the same seed gives the same ones again. That is remembered for so many seeds and numbers. */
enum { RANDOM_SEEDS = 4, RANDOM_NUMBERS = 16 };
static struct { unsigned seed; int count; int numbers[16]; } __random_known[4] = {{1, 0, {0}}};
static int __random_seeds = 1, __random_current, __random_taken;

static int __random_repeats(void) { return __raddle_program_uses("srand") || __raddle_program_uses("srandom"); }
int __model_rand(void) {
    int number = __raddle_nondet_int() & 0x7fffffff;
    if (!__random_repeats())
        return number;
    __raddle_atomic_begin();
    int seed = __random_current, taken = __random_taken;
    if (seed >= 0 && taken < RANDOM_NUMBERS) {
        __random_taken = taken + 1;
        if (taken < __random_known[seed].count) {
            number = __random_known[seed].numbers[taken];
        } else {
            __random_known[seed].numbers[taken] = number;
            __random_known[seed].count++;
        }
    }
    __raddle_atomic_end();
    return number;
}
__attribute__((raddle_reads(hidden)))
void __model_srand(unsigned seed) {
    if (!__random_repeats())
        return;
    __raddle_atomic_begin();
    int place = 0;
    while (place < __random_seeds && __random_known[place].seed != seed)
        place++;
    if (place == __random_seeds && place < RANDOM_SEEDS)
        __random_known[__random_seeds++].seed = seed;
    __random_taken = 0;
    __random_current = place < RANDOM_SEEDS ? place : -1;
    __raddle_atomic_end();
}
long __model_random(void) { return __model_rand(); }
void __model_srandom(unsigned seed) { __model_srand(seed); }
unsigned __model_arc4random(void) { return (unsigned)__raddle_nondet_int(); }
unsigned __model_arc4random_uniform(unsigned limit) {
    unsigned number = (unsigned)__raddle_nondet_int();
    __raddle_assume(limit < 2 ? number == 0 : number < limit);
    return number;
}
void __model_arc4random_buf(void *to, unsigned long size) {
    unsigned char *bytes = to;
    for (unsigned long i = 0; i < size; i++)
        bytes[i] = __raddle_nondet_uchar();
}
char *__model_initstate(unsigned seed, char *state, unsigned long size) {
    (void)seed;
    if (size < 8)
        return 0;
    __model_arc4random_buf(state, size);
    return state;
}
char *__model_setstate(char *state) { return state; }

/* rand_r is a function of its seed; this is glibc's. */
int __model_rand_r(unsigned *seed) {
    unsigned next = *seed * 1103515245 + 12345;
    unsigned result = next / 65536 % 2048;
    next = next * 1103515245 + 12345;
    result = result << 10 ^ next / 65536 % 1024;
    next = next * 1103515245 + 12345;
    result = result << 10 ^ next / 65536 % 1024;
    *seed = next;
    return (int)result;
}

/* The reentrant forms keep their state in the caller's object, which they read and write. */
static int __random_touch(unsigned long *state) {
    unsigned long now = *state;
    *state = __raddle_nondet_ulong();
    (void)now;
    return __raddle_nondet_int();
}
int __model_random_r(void *state, int *result) { *result = __random_touch(state) & 0x7fffffff; return 0; }
int __model_srandom_r(unsigned seed, void *state) { (void)seed; __random_touch(state); return 0; }
int __model_initstate_r(unsigned seed, char *bytes, unsigned long size, void *state) {
    if (size < 8)
        return -1;
    __model_initstate(seed, bytes, size);
    *(unsigned long *)state = __raddle_nondet_ulong();
    return 0;
}
int __model_setstate_r(char *bytes, void *state) { (void)bytes; __random_touch(state); return 0; }

/* The 48-bit generators are defined by POSIX: X' = (a X + c) mod 2^48. The state of those without an argument is one for all
   threads, and nothing guards it. */
static unsigned short __random_state[3], __random_factor[3] = {0xe66d, 0xdeec, 5};
static unsigned short __random_addend = 11;

static unsigned long long __random_word(const unsigned short *parts) {
    return parts[0] | (unsigned long long)parts[1] << 16 | (unsigned long long)parts[2] << 32;
}
static unsigned long long __random_step(unsigned short *state, const unsigned short *factor, unsigned short addend) {
    unsigned long long next = (__random_word(state) * __random_word(factor) + addend) & 0xffffffffffffull;
    state[0] = (unsigned short)next;
    state[1] = (unsigned short)(next >> 16);
    state[2] = (unsigned short)(next >> 32);
    return next;
}
static unsigned long long __random_next(unsigned short *state) {
    return __random_step(state, __random_factor, __random_addend);
}
static double __random_fraction(unsigned long long word) { return (double)word / 281474976710656.0; }
double __model_erand48(unsigned short *state) { return __random_fraction(__random_next(state)); }
long __model_nrand48(unsigned short *state) { return (long)(__random_next(state) >> 17); }
long __model_jrand48(unsigned short *state) { return (int)(__random_next(state) >> 16); }
double __model_drand48(void) { return __model_erand48(__random_state); }
long __model_lrand48(void) { return __model_nrand48(__random_state); }
long __model_mrand48(void) { return __model_jrand48(__random_state); }
void __model_srand48(long seed) {
    __random_state[0] = 0x330e;
    __random_state[1] = (unsigned short)seed;
    __random_state[2] = (unsigned short)(seed >> 16);
    __random_factor[0] = 0xe66d;
    __random_factor[1] = 0xdeec;
    __random_factor[2] = 5;
    __random_addend = 11;
}
static unsigned short __random_old[3];
unsigned short *__model_seed48(unsigned short *seed) {
    for (int i = 0; i < 3; i++) {
        __random_old[i] = __random_state[i];
        __random_state[i] = seed[i];
    }
    __random_factor[0] = 0xe66d;
    __random_factor[1] = 0xdeec;
    __random_factor[2] = 5;
    __random_addend = 11;
    return __random_old;
}
void __model_lcong48(unsigned short *parameters) {
    for (int i = 0; i < 3; i++) {
        __random_state[i] = parameters[i];
        __random_factor[i] = parameters[3 + i];
    }
    __random_addend = parameters[6];
}

/* glibc's `struct drand48_data`: the state, the old one, the addend, whether it was set up, the factor. */
struct __random_data { unsigned short state[3], old[3], addend, ready; unsigned long long factor; };
static unsigned long long __random_data_next(unsigned short *state, struct __random_data *data) {
    unsigned long long factor = data->ready ? data->factor : 0x5deece66dull;
    unsigned long long next = __random_word(state) * factor + (data->ready ? data->addend : 11);
    state[0] = (unsigned short)next;
    state[1] = (unsigned short)(next >> 16);
    state[2] = (unsigned short)(next >> 32);
    return next & 0xffffffffffffull;
}
int __model_erand48_r(unsigned short *state, struct __random_data *data, double *result) {
    *result = __random_fraction(__random_data_next(state, data));
    return 0;
}
int __model_nrand48_r(unsigned short *state, struct __random_data *data, long *result) {
    *result = (long)(__random_data_next(state, data) >> 17);
    return 0;
}
int __model_jrand48_r(unsigned short *state, struct __random_data *data, long *result) {
    *result = (int)(__random_data_next(state, data) >> 16);
    return 0;
}
int __model_drand48_r(struct __random_data *data, double *result) { return __model_erand48_r(data->state, data, result); }
int __model_lrand48_r(struct __random_data *data, long *result) { return __model_nrand48_r(data->state, data, result); }
int __model_mrand48_r(struct __random_data *data, long *result) { return __model_jrand48_r(data->state, data, result); }
static void __random_data_reset(struct __random_data *data) {
    data->addend = 11;
    data->ready = 1;
    data->factor = 0x5deece66dull;
}
int __model_srand48_r(long seed, struct __random_data *data) {
    data->state[0] = 0x330e;
    data->state[1] = (unsigned short)seed;
    data->state[2] = (unsigned short)(seed >> 16);
    __random_data_reset(data);
    return 0;
}
int __model_seed48_r(unsigned short *seed, struct __random_data *data) {
    for (int i = 0; i < 3; i++) {
        data->old[i] = data->state[i];
        data->state[i] = seed[i];
    }
    __random_data_reset(data);
    return 0;
}
int __model_lcong48_r(unsigned short *parameters, struct __random_data *data) {
    for (int i = 0; i < 3; i++)
        data->state[i] = parameters[i];
    data->factor = __random_word(parameters + 3);
    data->addend = parameters[6];
    data->ready = 1;
    return 0;
}

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
    if (base < 0 || base == 1 || base > 36) {
        __errno_value = 22; /* EINVAL */
        return 0;
    }
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

/* Numbers with a point. Up to nineteen digits are read exactly, and rounded once. */
static int __stdlib_is_word(const char *text, const char *word) {
    for (; *word; text++, word++)
        if ((*text | 32) != *word)
            return 0;
    return 1;
}

static double __stdlib_hexadecimal(const char **text) {
    const char *at = *text + 2;
    unsigned long long mantissa = 0;
    int exponent = 0, digits = 0, behind = 0;
    for (;; at++) {
        if (*at == '.' && !behind) {
            behind = 1;
            continue;
        }
        int digit = __stdlib_digit(*at);
        if (digit > 15)
            break;
        digits = 1;
        if (mantissa >> 60)
            __raddle_unsupported("reading hexadecimal numbers with more than sixteen digits");
        mantissa = mantissa * 16 + (unsigned)digit;
        exponent -= 4 * behind;
    }
    if (!digits) {
        ++*text; /* only the zero */
        return 0;
    }
    *text = at;
    if ((*at | 32) == 'p') {
        int negative = at[1] == '-', power = 0;
        at += at[1] == '-' || at[1] == '+' ? 2 : 1;
        if (*at >= '0' && *at <= '9') {
            for (; *at >= '0' && *at <= '9'; at++)
                power = power > 9999 ? power : power * 10 + (*at - '0');
            exponent += negative ? -power : power;
            *text = at;
        }
    }
    /* A mantissa of more than 53 bits is rounded here, and a tiny one perhaps again by the power. */
    double value = __math_scale((double)mantissa, exponent);
    if (__math_is_infinite(value) ||
        (mantissa != 0 && value < 2.2250738585072014e-308 && __math_scale(value, -exponent) != (double)mantissa))
        __errno_value = 34; /* ERANGE */
    return value;
}

static double __stdlib_decimal(const char **text) {
    const char *at = *text;
    unsigned long long mantissa = 0;
    int exponent = 0, digits = 0, behind = 0, significant = 0;
    for (;; at++) {
        if (*at == '.' && !behind) {
            behind = 1;
            continue;
        }
        if (*at < '0' || *at > '9')
            break;
        digits = 1;
        if (significant < 19) {
            mantissa = mantissa * 10 + (unsigned)(*at - '0');
            significant += mantissa != 0;
            exponent -= behind;
        } else {
            if (*at != '0')
                __raddle_unsupported("reading floating numbers with more than nineteen digits");
            exponent += !behind;
        }
    }
    if (!digits)
        return 0;
    *text = at;
    if ((*at | 32) == 'e') {
        int negative = at[1] == '-', power = 0;
        at += at[1] == '-' || at[1] == '+' ? 2 : 1;
        if (*at >= '0' && *at <= '9') {
            for (; *at >= '0' && *at <= '9'; at++)
                power = power > 9999 ? power : power * 10 + (*at - '0');
            exponent += negative ? -power : power;
            *text = at;
        }
    }
    if (mantissa == 0)
        return 0;
    double value = __raddle_decimal(mantissa, exponent);
    if (__math_is_infinite(value) || value < 2.2250738585072014e-308)
        __errno_value = 34; /* ERANGE */
    return value;
}

double __model_strtod(const char *text, char **end) {
    const char *at = text;
    while (__stdlib_is_space(*at))
        at++;
    int negative = *at == '-';
    if (*at == '-' || *at == '+')
        at++;
    const char *start = at;
    double value = 0;
    if (__stdlib_is_word(at, "inf")) {
        at += __stdlib_is_word(at, "infinity") ? 8 : 3;
        value = __math_infinity();
    } else if (__stdlib_is_word(at, "nan")) {
        at += 3;
        value = __math_nan();
        /* Letters, digits and underscores in parentheses belong to it. */
        const char *inside = at + 1;
        if (*at == '(') {
            while (__stdlib_digit(*inside) < 36 || *inside == '_')
                inside++;
            if (*inside == ')')
                at = inside + 1;
        }
    } else if (at[0] == '0' && (at[1] | 32) == 'x') {
        value = __stdlib_hexadecimal(&at);
    } else {
        value = __stdlib_decimal(&at);
    }
    if (end)
        *end = (char *)(at == start ? text : at);
    return negative && at != start ? -value : value;
}
/* Rounded twice, which differs from once only where nineteen digits are just beside the middle of two numbers. */
float __model_strtof(const char *text, char **end) {
    double value = __model_strtod(text, end);
    float narrow = (float)value;
    if (__model_finite(value) && (__math_is_infinite(narrow) || (value != 0 && fabs(narrow) < 1.17549435e-38 && narrow != value)))
        __errno_value = 34; /* ERANGE */
    return narrow;
}
double __model_atof(const char *text) { return __model_strtod(text, 0); }

long long __model_atoll(const char *text) { return __model_strtoll(text, 0, 10); }
/* What the type does not have is undefined (C17 7.22.1p1): any number. */
int __model_atoi(const char *text) {
    long long number = __model_atoll(text);
    return number == (int)number ? (int)number : __raddle_nondet_int();
}
long __model_atol(const char *text) {
    long long number = __model_atoll(text);
    return number == (long)number ? (long)number : (long)__raddle_nondet_ulong();
}

static void __stdlib_swap(unsigned char *left, unsigned char *right, unsigned long size) {
    unsigned long done = 0;
    /* Elements with a pointer in them consist of whole words, and pointers stay pointers. */
    if (size % sizeof(long) == 0)
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

/* Whether two elements are the same, so that nobody sees which is which. */
static int __stdlib_same(const unsigned char *left, const unsigned char *right, unsigned long size) {
    unsigned long done = 0;
    if (size % sizeof(long) == 0)
        for (; done < size; done += sizeof(long))
            if (*(const unsigned long *)(left + done) != *(const unsigned long *)(right + done))
                return 0;
    for (; done < size; done++)
        if (left[done] != right[done])
            return 0;
    return 1;
}
/* Elements that compare equal come in any order. */
static int __stdlib_comes_later(int order, const unsigned char *left, const unsigned char *right, unsigned long size) {
    return order > 0 || (order == 0 && !__stdlib_same(left, right, size) && __raddle_nondet_bool());
}
/* Sorting may write every element, also where it is in its place; only other threads notice. */
static void __stdlib_sort_writes(unsigned char *bytes, unsigned long count, unsigned long size) {
    if (__raddle_program_uses("pthread_create") || __raddle_program_uses("thrd_create"))
        for (unsigned long i = 0; count > 1 && i < count; i++)
            __stdlib_swap(bytes + i * size, bytes + i * size, size);
}

/* Sorting by insertion: short arrays are what programs under analysis have. How often two elements are compared is not said: perhaps once
   more than here. */
void __model_qsort(void *base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *)) {
    unsigned char *bytes = base;
    __stdlib_sort_writes(bytes, count, size);
    if (count > 1 && __raddle_nondet_bool())
        compare(bytes, bytes + size);
    for (unsigned long i = 1; i < count; i++)
        for (unsigned long j = i; j > 0; j--) {
            unsigned char *left = bytes + (j - 1) * size, *right = bytes + j * size;
            if (!__stdlib_comes_later(compare(left, right), left, right, size))
                break;
            __stdlib_swap(left, right, size);
        }
}

/* Which of several equal elements is found is not said: any of those beside each other. */
void *__model_bsearch(const void *key, const void *base, unsigned long count, unsigned long size,
                      int (*compare)(const void *, const void *)) {
    const unsigned char *bytes = base;
    unsigned long least = 0, most = count;
    while (least < most) {
        unsigned long middle = least + (most - least) / 2;
        int order = compare(key, bytes + middle * size);
        if (order > 0) {
            least = middle + 1;
        } else if (order < 0) {
            most = middle;
        } else {
            unsigned long found = middle;
            while (found + 1 < most && compare(key, bytes + (found + 1) * size) == 0 && __raddle_nondet_bool())
                found++;
            while (found == middle && middle > least && compare(key, bytes + (middle - 1) * size) == 0 && __raddle_nondet_bool())
                found = --middle;
            return (void *)(bytes + found * size);
        }
    }
    return 0;
}

void __model_qsort_r(void *base, unsigned long count, unsigned long size, int (*compare)(const void *, const void *, void *),
                     void *argument) {
    unsigned char *bytes = base;
    __stdlib_sort_writes(bytes, count, size);
    if (count > 1 && __raddle_nondet_bool())
        compare(bytes, bytes + size, argument);
    for (unsigned long i = 1; i < count; i++)
        for (unsigned long j = i; j > 0; j--) {
            unsigned char *left = bytes + (j - 1) * size, *right = bytes + j * size;
            if (!__stdlib_comes_later(compare(left, right, argument), left, right, size))
                break;
            __stdlib_swap(left, right, size);
        }
}
void *__model_lfind(const void *key, const void *base, unsigned long *count, unsigned long size,
                    int (*compare)(const void *, const void *)) {
    const unsigned char *bytes = base;
    for (unsigned long i = 0; i < *count; i++)
        if (compare(key, bytes + i * size) == 0)
            return (void *)(bytes + i * size);
    return 0;
}
void *__model_lsearch(const void *key, void *base, unsigned long *count, unsigned long size,
                      int (*compare)(const void *, const void *)) {
    void *found = __model_lfind(key, base, count, size, compare);
    if (found)
        return found;
    unsigned char *place = (unsigned char *)base + *count * size;
    ++*count;
    return __model_memcpy(place, key, size);
}

/* Six bits a letter, the least first. */
static char __a64l_text[7];
static char __a64l_letter(unsigned value) {
    return (char)(value < 12 ? '.' + value : value < 38 ? 'A' + value - 12 : 'a' + value - 38);
}
char *__model_l64a(long number) {
    unsigned value = (unsigned)number;
    int length = 0;
    for (; value != 0; value >>= 6)
        __a64l_text[length++] = __a64l_letter(value & 63);
    __a64l_text[length] = 0;
    return __a64l_text;
}
long __model_a64l(const char *text) {
    unsigned value = 0;
    for (int i = 0; i < 6 && text[i]; i++) {
        char byte = text[i];
        unsigned digit = byte >= 'a' ? (unsigned)(byte - 'a') + 38 : byte >= 'A' ? (unsigned)(byte - 'A') + 12
                                                                                 : (unsigned)(byte - '.');
        value |= digit << 6 * i;
    }
    return (int)value;
}

/* The C locale: a byte is a character, and bytes beyond ASCII are none. */
int __model_mbtowc(int *wide, const char *text, unsigned long size) {
    if (!text)
        return 0;
    if (size == 0)
        return -1;
    unsigned char byte = (unsigned char)*text;
    if (byte > 127) {
        __errno_value = 84; /* EILSEQ */
        return -1;
    }
    if (wide)
        *wide = byte;
    return byte != 0;
}
int __model_mblen(const char *text, unsigned long size) { return __model_mbtowc(0, text, size); }
int __model_wctomb(char *text, int wide) {
    if (!text)
        return 0;
    if (wide < 0 || wide > 127) {
        __errno_value = 84; /* EILSEQ */
        return -1;
    }
    *text = (char)wide;
    return 1;
}
unsigned long __model_mbstowcs(int *to, const char *from, unsigned long size) {
    for (unsigned long i = 0; !to || i < size; i++) {
        unsigned char byte = (unsigned char)from[i];
        if (byte > 127)
            return ~0ul;
        if (to)
            to[i] = byte;
        if (byte == 0)
            return i;
    }
    return size;
}
unsigned long __model_wcstombs(char *to, const int *from, unsigned long size) {
    for (unsigned long i = 0; !to || i < size; i++) {
        int wide = from[i];
        if (wide < 0 || wide > 127)
            return ~0ul;
        if (to)
            to[i] = (char)wide;
        if (wide == 0)
            return i;
    }
    return size;
}
int __model_rpmatch(const char *text) {
    char byte = *text;
    return byte == 'y' || byte == 'Y' ? 1 : byte == 'n' || byte == 'N' ? 0 : -1;
}

int __model_getsubopt(char **option, char *const *tokens, char **value) {
    char *start = *option;
    if (!*start)
        return -1;
    char *end = start + __model_strcspn(start, ","), *sign = start;
    while (sign < end && *sign != '=')
        sign++;
    unsigned long length = (unsigned long)(sign - start);
    *value = sign < end ? sign + 1 : 0;
    if (*end)
        *end++ = 0;
    *option = end;
    for (int i = 0; tokens[i]; i++)
        if (__model_strncmp_sign(tokens[i], start, length) == 0 && tokens[i][length] == 0)
            return i;
    *value = start;
    return -1;
}

/* Numbers as digits, with the place of the point and the sign apart; and back through the models of printing. */
int __model_sprintf(char *buffer, const char *format, ...);
int __model_snprintf(char *buffer, unsigned long size, const char *format, ...);
int __model_strfromd(char *buffer, unsigned long size, const char *format, double value) {
    return __model_snprintf(buffer, size, format, value);
}
int __model_strfromf(char *buffer, unsigned long size, const char *format, float value) {
    return __model_snprintf(buffer, size, format, (double)value);
}
char *__model_gcvt(double value, int digits, char *buffer) {
    __model_sprintf(buffer, "%.*g", digits, value);
    return buffer;
}
static char __cvt_digits[400];
static int __cvt(double value, int digits, int *point, int *sign, char *buffer, unsigned long size, int fixed) {
    char text[400];
    *sign = __math_is_negative(value);
    value = *sign ? -value : value;
    if (fixed)
        __model_snprintf(text, 400, "%.*f", digits < 0 ? 0 : digits, value);
    else
        __model_snprintf(text, 400, "%.*e", digits > 0 ? digits - 1 : 0, value);
    unsigned long length = 0;
    int before = 0, seen = 0, i = 0;
    for (; text[i] && text[i] != 'e'; i++) {
        if (text[i] == '.') {
            seen = 1;
            continue;
        }
        if (fixed && length == 0 && text[i] == '0' && value != 0) {
            before -= seen;
            continue;
        }
        before += !seen;
        if (length + 1 < size)
            buffer[length++] = text[i];
    }
    if (length + 1 > size)
        return -1;
    buffer[fixed || digits > 0 ? length : 0] = 0;
    if (!fixed && value != 0)
        before = (int)__stdlib_number(text + i + 1, 0, 10, ~0ull >> 1, 1) + 1;
    *point = before;
    return 0;
}
char *__model_ecvt(double value, int digits, int *point, int *sign) {
    __cvt(value, digits, point, sign, __cvt_digits, 400, 0);
    return __cvt_digits;
}
char *__model_fcvt(double value, int digits, int *point, int *sign) {
    __cvt(value, digits, point, sign, __cvt_digits, 400, 1);
    return __cvt_digits;
}
int __model_ecvt_r(double value, int digits, int *point, int *sign, char *buffer, unsigned long size) {
    return __cvt(value, digits, point, sign, buffer, size, 0);
}
int __model_fcvt_r(double value, int digits, int *point, int *sign, char *buffer, unsigned long size) {
    return __cvt(value, digits, point, sign, buffer, size, 1);
}

/* The handler of SIGABRT runs, also where it is blocked; then the process ends. */
int __model_raise(int number);
static void __signal_unblock_abort(void);
void __model_abort(void) {
    if (__raddle_program_uses("signal") || __raddle_program_uses("sigaction")) {
        __signal_unblock_abort();
        __model_raise(6);
    }
    __raddle_abort();
}
/* These are instructions; as functions they are for those who take their addresses. */
int ffs(int value);
int ffsl(long value);
int ffsll(long long value);
int __model_ffs(int value) { return ffs(value); }
int __model_ffsl(long value) { return ffsl(value); }
int __model_ffsll(long long value) { return ffsll(value); }
void *__model_alloca(unsigned long size) {
    (void)size;
    __raddle_unsupported("memory of a caller's frame through a pointer to alloca");
}
