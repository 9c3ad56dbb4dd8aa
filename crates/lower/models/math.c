/* <math.h>. What IEEE 754 defines is exact, on the bits of numbers; the rest is what the virtual machine gives, kept in its range. The
   functions on `float` are those on `double`, rounded, which for all of these is the same; other spellings of both (`sinf32`,
   `__sin`) are known to the lowering. `long double` is refused by its type. */

double __raddle_sin(double x);
double __raddle_cos(double x);
double __raddle_tan(double x);
double __raddle_asin(double x);
double __raddle_acos(double x);
double __raddle_atan(double x);
double __raddle_atan2(double y, double x);
double __raddle_sinh(double x);
double __raddle_cosh(double x);
double __raddle_tanh(double x);
double __raddle_asinh(double x);
double __raddle_acosh(double x);
double __raddle_atanh(double x);
double __raddle_exp(double x);
double __raddle_exp2(double x);
double __raddle_expm1(double x);
double __raddle_log(double x);
double __raddle_log1p(double x);
double __raddle_log2(double x);
double __raddle_log10(double x);
double __raddle_pow(double x, double y);
double __raddle_cbrt(double x);
double __raddle_hypot(double x, double y);
double __raddle_fmod(double x, double y);
double __raddle_fma(double x, double y, double z);
double __raddle_fma_single(double x, double y, double z);
double sqrt(double x);
double fabs(double x);
int *__model___errno_location(void);
int signgam;

typedef unsigned long long __math_word;

static __math_word __math_bits(double value) {
    union { double value; __math_word bits; } both = {value};
    return both.bits;
}
static double __math_number(__math_word bits) {
    union { __math_word bits; double value; } both = {bits};
    return both.value;
}
static unsigned __math_single_bits(float value) {
    union { float value; unsigned bits; } both = {value};
    return both.bits;
}
static float __math_single(unsigned bits) {
    union { unsigned bits; float value; } both = {bits};
    return both.value;
}
static int __math_is_nan(double x) { return x != x; }
static int __math_is_infinite(double x) { return fabs(x) > 1.7976931348623157e308; }
static int __math_is_negative(double x) { return (int)(__math_bits(x) >> 63); }
static double __math_nan(void) { return __math_number(0x7ff8000000000000ull); }
static double __math_infinity(void) { return __math_number(0x7ff0000000000000ull); }

/* Kinds of numbers, as <math.h> numbers them: NaN, infinite, zero, subnormal, normal. */
int __model___fpclassify(double x) {
    if (__math_is_nan(x))
        return 0;
    if (__math_is_infinite(x))
        return 1;
    if (x == 0)
        return 2;
    return fabs(x) < 2.2250738585072014e-308 ? 3 : 4;
}
int __model___fpclassifyf(float x) {
    if (x != 0 && fabs(x) < 1.17549435e-38)
        return 3;
    return __model___fpclassify(x);
}
int __model___signbit(double x) { return __math_is_negative(x); }
int __model___signbitf(float x) { return __math_is_negative(x); }
int __model_isinf(double x) { return __math_is_infinite(x) ? (x > 0 ? 1 : -1) : 0; }
int __model_isinff(float x) { return __model_isinf(x); }
int __model_isnan(double x) { return __math_is_nan(x); }
int __model_isnanf(float x) { return __math_is_nan(x); }
int __model_finite(double x) { return !__math_is_nan(x) && !__math_is_infinite(x); }
int __model_finitef(float x) { return __model_finite(x); }
int __model___iseqsig(double x, double y) { return x == y; }
int __model___iseqsigf(float x, float y) { return x == y; }
int __model___issignaling(double x) { return __math_is_nan(x) && !(__math_bits(x) & 0x8000000000000ull); }
int __model___issignalingf(float x) { return x != x && !(__math_single_bits(x) & 0x400000); }
double __model_nan(const char *payload) {
    while (*payload)
        payload++;
    return __math_nan();
}
float __model_nanf(const char *payload) { return (float)__model_nan(payload); }

double __model_copysign(double x, double y) {
    return __math_number((__math_bits(x) & ~(1ull << 63)) | (__math_bits(y) & 1ull << 63));
}

/* Errors are told by errno, as glibc does (math_errhandling has MATH_ERRNO): a result that is no number, of arguments that are; an infinite one, of
   finite arguments. Whether what is too small for a normal number is told is the implementation's. */
static double __math_told(double result, int no_nan, int all_finite) {
    if (__raddle_program_uses("__errno_location")) {
        if (__math_is_nan(result) && no_nan)
            *__model___errno_location() = 33; /* EDOM */
        else if (__math_is_infinite(result) && all_finite)
            *__model___errno_location() = 34; /* ERANGE */
    }
    return result;
}
int __model_finite(double x);
static double __math_told_one(double result, double x) { return __math_told(result, !__math_is_nan(x), __model_finite(x)); }
static double __math_told_two(double result, double x, double y) {
    return __math_told(result, !__math_is_nan(x) && !__math_is_nan(y), __model_finite(x) && __model_finite(y));
}
/* Where a result that is not zero became zero: too small. */
static double __math_told_small(double result, int is_small) {
    if (__raddle_program_uses("__errno_location") && is_small && (result == 0 || __raddle_nondet_bool()))
        *__model___errno_location() = 34; /* ERANGE */
    return result;
}
static int __math_is_small(double x) { return fabs(x) < 2.2250738585072014e-308; }

/* What has no room in a `float`. */
static float __math_to_single(double result) {
    float single = (float)result;
    if (__raddle_program_uses("__errno_location") && !__math_is_infinite(result) && __math_is_infinite(single))
        *__model___errno_location() = 34; /* ERANGE */
    __math_told_small(single, result != 0 && fabs(single) < 1.17549435e-38 && !__math_is_small(result));
    return single;
}

/* To whole numbers. */
double __model_trunc(double x) {
    __math_word bits = __math_bits(x);
    int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    if (exponent < 0)
        return __math_number(bits & 1ull << 63);
    if (exponent >= 52)
        return x;
    return __math_number(bits & ~(0xfffffffffffffull >> exponent));
}
double __model_floor(double x) {
    double whole = __model_trunc(x);
    return x < whole ? whole - 1 : whole;
}
double __model_ceil(double x) {
    double whole = __model_trunc(x);
    return __model_copysign(x > whole ? whole + 1 : whole, x);
}
double __model_round(double x) {
    double whole = __model_trunc(x);
    return fabs(x - whole) >= 0.5 ? whole + __model_copysign(1, x) : whole;
}
/* To nearest, ties to even: what is left of a number when nothing behind the point fits. */
double __model_rint(double x) {
    if (!(fabs(x) < 4503599627370496.0))
        return x;
    double large = __model_copysign(4503599627370496.0, x);
    return __model_copysign((x + large) - large, x);
}
double __model_nearbyint(double x) { return __model_rint(x); }
double __model_roundeven(double x) { return __model_rint(x); }

double __model_modf(double x, double *whole) {
    double part = __model_trunc(x);
    *whole = part;
    return __model_copysign(__math_is_infinite(x) ? 0 : x - part, x);
}
float __model_modff(float x, float *whole) {
    double part = 0;
    float rest = (float)__model_modf(x, &part);
    *whole = (float)part;
    return rest;
}

/* The exponent of a number that is neither zero nor infinite. */
static int __math_exponent(double x) {
    int biased = (int)(__math_bits(x) >> 52 & 0x7ff);
    if (biased != 0)
        return biased - 1023;
    return (int)(__math_bits(x * 18014398509481984.0) >> 52 & 0x7ff) - 1023 - 54;
}

double __model_frexp(double x, int *exponent) {
    if (x == 0 || !__model_finite(x)) {
        *exponent = 0;
        return x;
    }
    double large = (__math_bits(x) >> 52 & 0x7ff) == 0 ? x * 18014398509481984.0 : x;
    *exponent = __math_exponent(x) + 1;
    return __math_number((__math_bits(large) & ~(0x7ffull << 52)) | 1022ull << 52);
}

/* In steps of powers that are numbers themselves, so that only the last one rounds. */
static double __math_scale(double x, int n) {
    if (n > 1023) {
        x *= 8.98846567431158e307;
        n -= 1023;
        if (n > 1023) {
            x *= 8.98846567431158e307;
            n = n - 1023 > 1023 ? 1023 : n - 1023;
        }
    } else if (n < -1022) {
        x *= 2.004168360008973e-292;
        n += 969;
        if (n < -1022) {
            x *= 2.004168360008973e-292;
            n = n + 969 < -1022 ? -1022 : n + 969;
        }
    }
    return x * __math_number((__math_word)(n + 1023) << 52);
}
double __model_scalbn(double x, int n) {
    double result = __math_scale(x, n);
    return __math_told_small(__math_told_one(result, x), __math_is_small(result) && x != 0 && __model_finite(x));
}
double __model_ldexp(double x, int n) { return __model_scalbn(x, n); }
double __model_scalbln(double x, long n) { return __model_scalbn(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n); }
float __model_scalbnf(float x, int n) { return __math_to_single(__model_scalbn(x, n)); }
float __model_ldexpf(float x, int n) { return __math_to_single(__model_scalbn(x, n)); }
float __model_scalblnf(float x, long n) { return __math_to_single(__model_scalbln(x, n)); }
double __model_scalb(double x, double n) {
    if (__math_is_nan(x) || __math_is_nan(n))
        return x * n;
    if (__math_is_infinite(n))
        return n > 0 ? x * n : x / -n;
    if (__model_rint(n) != n)
        return __math_told_two(__math_nan(), x, n);
    return __model_scalbn(x, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n);
}

double __model_logb(double x) {
    if (x == 0)
        return __math_told_one(-__math_infinity(), x);
    if (!__model_finite(x))
        return x * x;
    return __math_exponent(x);
}
int __model_ilogb(double x) {
    if (x == 0 || __math_is_nan(x))
        return (int)0x80000000;
    return __math_is_infinite(x) ? 0x7fffffff : __math_exponent(x);
}
int __model_ilogbf(float x) { return __model_ilogb(x); }
long __model_llogb(double x) {
    if (x == 0 || __math_is_nan(x))
        return (long)1 << (8 * sizeof(long) - 1);
    return __math_is_infinite(x) ? ~((long)1 << (8 * sizeof(long) - 1)) : __math_exponent(x);
}
long __model_llogbf(float x) { return __model_llogb(x); }
double __model_significand(double x) {
    if (x == 0 || !__model_finite(x))
        return x;
    return __math_scale(x, -__math_exponent(x));
}

/* The neighbours of a number: its bits count up away from zero. */
static double __math_away(double x) { return __math_number(__math_bits(x) + 1); }
static double __math_towards(double x) { return __math_number(__math_bits(x) - 1); }
double __model_nextafter(double x, double y) {
    if (__math_is_nan(x) || __math_is_nan(y))
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return __model_copysign(__math_number(1), y);
    return (y > x) == (x > 0) ? __math_away(x) : __math_towards(x);
}
float __model_nextafterf(float x, float y) {
    if (x != x || y != y)
        return x + y;
    if (x == y)
        return y;
    if (x == 0)
        return __math_single(1 | (y < 0 ? 0x80000000u : 0));
    return __math_single((y > x) == (x > 0) ? __math_single_bits(x) + 1 : __math_single_bits(x) - 1);
}
double __model_nextup(double x) { return __model_nextafter(x, __math_infinity()); }
double __model_nextdown(double x) { return __model_nextafter(x, -__math_infinity()); }
float __model_nextupf(float x) { return __model_nextafterf(x, (float)__math_infinity()); }
float __model_nextdownf(float x) { return __model_nextafterf(x, -(float)__math_infinity()); }

/* Least and greatest; a NaN is no number. */
double __model_fmin(double x, double y) { return __math_is_nan(y) || x < y ? x : y; }
double __model_fmax(double x, double y) { return __math_is_nan(y) || x > y ? x : y; }
double __model_fdim(double x, double y) {
    if (__math_is_nan(x) || __math_is_nan(y))
        return x + y;
    return x > y ? x - y : 0;
}
double __model_fmaxmag(double x, double y) {
    return fabs(x) > fabs(y) ? x : fabs(x) < fabs(y) ? y : __model_fmax(x, y);
}
double __model_fminmag(double x, double y) {
    return fabs(x) < fabs(y) ? x : fabs(x) > fabs(y) ? y : __model_fmin(x, y);
}
/* The same with zeros told apart; a NaN comes through unless `num` is in the name. */
double __model_fmaximum(double x, double y) {
    if (__math_is_nan(x) || __math_is_nan(y))
        return x + y;
    return x > y || (x == y && !__math_is_negative(x)) ? x : y;
}
double __model_fminimum(double x, double y) {
    if (__math_is_nan(x) || __math_is_nan(y))
        return x + y;
    return x < y || (x == y && __math_is_negative(x)) ? x : y;
}
double __model_fmaximum_num(double x, double y) {
    if (__math_is_nan(x))
        return y;
    return __math_is_nan(y) ? x : __model_fmaximum(x, y);
}
double __model_fminimum_num(double x, double y) {
    if (__math_is_nan(x))
        return y;
    return __math_is_nan(y) ? x : __model_fminimum(x, y);
}
double __model_fmaximum_mag(double x, double y) {
    return fabs(x) > fabs(y) ? x : fabs(x) < fabs(y) ? y : __model_fmaximum(x, y);
}
double __model_fminimum_mag(double x, double y) {
    return fabs(x) < fabs(y) ? x : fabs(x) > fabs(y) ? y : __model_fminimum(x, y);
}
double __model_fmaximum_mag_num(double x, double y) {
    return fabs(x) > fabs(y) ? x : fabs(x) < fabs(y) ? y : __model_fmaximum_num(x, y);
}
double __model_fminimum_mag_num(double x, double y) {
    return fabs(x) < fabs(y) ? x : fabs(x) > fabs(y) ? y : __model_fminimum_num(x, y);
}

/* To integers. What does not fit is unspecified. */
static long long __math_integer(double whole) {
    if (whole >= -9223372036854775808.0 && whole < 9223372036854775808.0)
        return (long long)whole;
    return (long long)(1ull << 63);
}
long long __model_llrint(double x) { return __math_integer(__model_rint(x)); }
long long __model_llround(double x) { return __math_integer(__model_round(x)); }
long __model_lrint(double x) { return (long)__model_llrint(x); }
long __model_lround(double x) { return (long)__model_llround(x); }
long long __model_llrintf(float x) { return __model_llrint(x); }
long long __model_llroundf(float x) { return __model_llround(x); }
long __model_lrintf(float x) { return __model_lrint(x); }
long __model_lroundf(float x) { return __model_lround(x); }

static double __math_rounded(double x, int how) {
    switch (how) {
    case 0: return __model_ceil(x);
    case 1: return __model_floor(x);
    case 2: return __model_trunc(x);
    case 3: return __model_round(x);
    default: return __model_rint(x);
    }
}
long long __model_fromfp(double x, int how, unsigned width) {
    (void)width;
    return __math_integer(__math_rounded(x, how));
}
unsigned long long __model_ufromfp(double x, int how, unsigned width) {
    (void)width;
    double whole = __math_rounded(x, how);
    return whole >= 9223372036854775808.0 && whole < 18446744073709551616.0 ? (unsigned long long)whole
                                                                           : (unsigned long long)__math_integer(whole);
}
long long __model_fromfpx(double x, int how, unsigned width) { return __model_fromfp(x, how, width); }
unsigned long long __model_ufromfpx(double x, int how, unsigned width) { return __model_ufromfp(x, how, width); }
long long __model_fromfpf(float x, int how, unsigned width) { return __model_fromfp(x, how, width); }
unsigned long long __model_ufromfpf(float x, int how, unsigned width) { return __model_ufromfp(x, how, width); }
long long __model_fromfpxf(float x, int how, unsigned width) { return __model_fromfp(x, how, width); }
unsigned long long __model_ufromfpxf(float x, int how, unsigned width) { return __model_ufromfp(x, how, width); }

/* Remainders are exact. */
double __model_fmod(double x, double y) { return __math_told_two(__raddle_fmod(x, y), x, y); }
double __model_remainder(double x, double y) {
    if (__math_is_nan(x) || __math_is_nan(y) || __math_is_infinite(x) || y == 0)
        return __math_told_two(__math_nan(), x, y);
    if (__math_is_infinite(y))
        return x;
    double size = fabs(y), rest = size < 8.98846567431158e307 ? fabs(__raddle_fmod(x, size + size)) : fabs(x);
    if (size < 4.450147717014403e-308) {
        if (rest + rest > size) {
            rest -= size;
            if (rest + rest >= size)
                rest -= size;
        }
    } else if (rest > size * 0.5) {
        rest -= size;
        if (rest >= size * 0.5)
            rest -= size;
    }
    return __math_is_negative(x) ? -rest : rest;
}
double __model_drem(double x, double y) { return __model_remainder(x, y); }
/* At least the three low bits of the quotient and its sign are given. */
double __model_remquo(double x, double y, int *quotient) {
    double rest = __model_remainder(x, y);
    int low = 0;
    if (__model_finite(x) && !__math_is_nan(y) && y != 0 && !__math_is_infinite(y)) {
        double most = fabs(y) < 2.2471164185778949e307 ? fabs(__raddle_fmod(x, fabs(y) * 8)) : fabs(x);
        low = (int)__model_rint((most - (__math_is_negative(x) ? -rest : rest)) / fabs(y)) & 7;
        if (__math_is_negative(x) != __math_is_negative(y))
            low = -low;
    }
    *quotient = low;
    return rest;
}
float __model_remquof(float x, float y, int *quotient) { return (float)__model_remquo(x, y, quotient); }
double __model_fma(double x, double y, double z) { return __raddle_fma(x, y, z); }
float __model_fmaf(float x, float y, float z) { return (float)__raddle_fma_single(x, y, z); }

/* Sums, products and quotients of doubles rounded once, to single precision: what was lost before makes the last bit odd. */
static float __math_narrow(double rounded, double lost) {
    if (lost != 0 && __model_finite(rounded) && !__math_is_nan(lost) && !(__math_bits(rounded) & 1))
        rounded = (lost > 0) == (rounded > 0) ? __math_away(rounded) : __math_towards(rounded);
    return (float)rounded;
}
float __model_fadd(double x, double y) {
    double sum = x + y, part = sum - x;
    return __math_narrow(sum, (x - (sum - part)) + (y - part));
}
float __model_fsub(double x, double y) { return __model_fadd(x, -y); }
float __model_fmul(double x, double y) {
    double product = x * y;
    return __math_narrow(product, __raddle_fma(x, y, -product));
}
float __model_fdiv(double x, double y) {
    double quotient = x / y, rest = -__raddle_fma(quotient, y, -x);
    return __math_narrow(quotient, y < 0 ? -rest : rest);
}
float __model_fsqrt(double x) {
    double root = sqrt(x);
    return __math_narrow(root, -__raddle_fma(root, root, -x));
}
float __model_ffma(double x, double y, double z) {
    (void)x;
    (void)y;
    (void)z;
    __raddle_unsupported("a product and sum rounded to a narrower type (ffma)");
}

/* Representations. */
static int __math_total_order(double x, double y, __math_word keep) {
    __math_word a = __math_bits(x) & keep, b = __math_bits(y) & keep;
    long long left = (long long)(a >> 63 ? ~a : a | 1ull << 63), right = (long long)(b >> 63 ? ~b : b | 1ull << 63);
    return (unsigned long long)left <= (unsigned long long)right;
}
int __model_totalorder(const double *x, const double *y) { return __math_total_order(*x, *y, ~0ull); }
int __model_totalordermag(const double *x, const double *y) { return __math_total_order(*x, *y, ~0ull >> 1); }
int __model_totalorderf(const float *x, const float *y) { return __math_total_order(*x, *y, ~0ull); }
int __model_totalordermagf(const float *x, const float *y) { return __math_total_order(*x, *y, ~0ull >> 1); }
int __model_canonicalize(double *to, const double *from) { *to = *from; return 0; }
int __model_canonicalizef(float *to, const float *from) { *to = *from; return 0; }
double __model_getpayload(const double *x) {
    return __math_is_nan(*x) ? (double)(__math_bits(*x) & 0x7ffffffffffffull) : -1.0;
}
float __model_getpayloadf(const float *x) { return *x != *x ? (float)(__math_single_bits(*x) & 0x3fffff) : -1.0f; }
static int __math_set_payload(double *to, double payload, __math_word quiet) {
    if (!(payload >= 0 && payload < 2251799813685248.0) || __model_trunc(payload) != payload || (!quiet && payload == 0)) {
        *to = 0;
        return 1;
    }
    *to = __math_number(0x7ff0000000000000ull | quiet | (__math_word)payload);
    return 0;
}
int __model_setpayload(double *to, double payload) { return __math_set_payload(to, payload, 0x8000000000000ull); }
int __model_setpayloadsig(double *to, double payload) { return __math_set_payload(to, payload, 0); }
static int __math_set_single_payload(float *to, float payload, unsigned quiet) {
    if (!(payload >= 0 && payload < 4194304.0f) || (float)(unsigned)payload != payload || (!quiet && payload == 0)) {
        *to = 0;
        return 1;
    }
    *to = __math_single(0x7f800000u | quiet | (unsigned)payload);
    return 0;
}
int __model_setpayloadf(float *to, float payload) { return __math_set_single_payload(to, payload, 0x400000); }
int __model_setpayloadsigf(float *to, float payload) { return __math_set_single_payload(to, payload, 0); }

/* What has no exact definition: the virtual machine's value, in the range that the function has. */
static double __math_between(double value, double least, double most) {
    __raddle_assume(__math_is_nan(value) || (value >= least && value <= most));
    return value;
}
/* An argument that is no number gives none; numbers in the domain give one. */
static double __math_defined(double value, int defined) {
    __raddle_assume(__math_is_nan(value) == !defined);
    return value;
}
double __model_sin(double x) { return __math_told_one(__math_between(__math_defined(__raddle_sin(x), __model_finite(x)), -1, 1), x); }
double __model_cos(double x) { return __math_told_one(__math_between(__math_defined(__raddle_cos(x), __model_finite(x)), -1, 1), x); }
double __model_tan(double x) { return __math_told_one(__math_between(__math_defined(__raddle_tan(x), __model_finite(x)), -__math_infinity(), __math_infinity()), x); }
double __model_asin(double x) { return __math_told_one(__math_between(__math_defined(__raddle_asin(x), fabs(x) <= 1), -1.5707963267948966, 1.5707963267948966), x); }
double __model_acos(double x) { return __math_told_one(__math_between(__math_defined(__raddle_acos(x), fabs(x) <= 1), 0, 3.141592653589793), x); }
double __model_atan(double x) { return __math_between(__math_defined(__raddle_atan(x), !__math_is_nan(x)), -1.5707963267948966, 1.5707963267948966); }
double __model_sinh(double x) { return __math_told_one(__math_between(__math_defined(__raddle_sinh(x), !__math_is_nan(x)), -__math_infinity(), __math_infinity()), x); }
double __model_cosh(double x) { return __math_told_one(__math_between(__math_defined(__raddle_cosh(x), !__math_is_nan(x)), 1, __math_infinity()), x); }
double __model_tanh(double x) { return __math_between(__math_defined(__raddle_tanh(x), !__math_is_nan(x)), -1, 1); }
double __model_asinh(double x) { return __math_between(__math_defined(__raddle_asinh(x), !__math_is_nan(x)), -__math_infinity(), __math_infinity()); }
double __model_acosh(double x) { return __math_told_one(__math_between(__math_defined(__raddle_acosh(x), x >= 1), 0, __math_infinity()), x); }
double __model_atanh(double x) { return __math_told_one(__math_between(__math_defined(__raddle_atanh(x), fabs(x) <= 1), -__math_infinity(), __math_infinity()), x); }
double __model_exp(double x) {
    double result = __math_between(__math_defined(__raddle_exp(x), !__math_is_nan(x)), 0, __math_infinity());
    return __math_told_small(__math_told_one(result, x), __math_is_small(result) && __model_finite(x));
}
double __model_exp2(double x) {
    double result = __math_between(__math_defined(__raddle_exp2(x), !__math_is_nan(x)), 0, __math_infinity());
    return __math_told_small(__math_told_one(result, x), __math_is_small(result) && __model_finite(x));
}
double __model_expm1(double x) { return __math_told_one(__math_between(__math_defined(__raddle_expm1(x), !__math_is_nan(x)), -1, __math_infinity()), x); }
double __model_log(double x) { return __math_told_one(__math_between(__math_defined(__raddle_log(x), x >= 0), -__math_infinity(), __math_infinity()), x); }
double __model_log1p(double x) { return __math_told_one(__math_between(__math_defined(__raddle_log1p(x), x >= -1), -__math_infinity(), __math_infinity()), x); }
double __model_log2(double x) { return __math_told_one(__math_between(__math_defined(__raddle_log2(x), x >= 0), -__math_infinity(), __math_infinity()), x); }
double __model_log10(double x) { return __math_told_one(__math_between(__math_defined(__raddle_log10(x), x >= 0), -__math_infinity(), __math_infinity()), x); }
double __model_cbrt(double x) { return __math_between(__math_defined(__raddle_cbrt(x), !__math_is_nan(x)), -__math_infinity(), __math_infinity()); }
double __model_exp10(double x) {
    double result = __math_between(__math_defined(__raddle_pow(10, x), !__math_is_nan(x)), 0, __math_infinity());
    return __math_told_small(__math_told_one(result, x), __math_is_small(result) && __model_finite(x));
}
double __model_pow10(double x) { return __model_exp10(x); }
double __model_atan2(double y, double x) {
    return __math_between(__math_defined(__raddle_atan2(y, x), !__math_is_nan(x) && !__math_is_nan(y)), -3.141592653589793,
                          3.141592653589793);
}
double __model_hypot(double x, double y) {
    int defined = __math_is_infinite(x) || __math_is_infinite(y) || !(__math_is_nan(x) || __math_is_nan(y));
    return __math_told_two(__math_between(__math_defined(__raddle_hypot(x, y), defined), 0, __math_infinity()), x, y);
}
double __model_pow(double x, double y) {
    if (y == 0 || x == 1)
        return 1;
    double least = x >= 0 && !__math_is_negative(x) ? 0 : -__math_infinity();
    double result = __math_told_two(__math_between(__raddle_pow(x, y), least, __math_infinity()), x, y);
    return __math_told_small(result, __math_is_small(result) && x != 0 && __model_finite(x) && __model_finite(y));
}
void __model_sincos(double x, double *sine, double *cosine) {
    *sine = __model_sin(x);
    *cosine = __model_cos(x);
}
void __model_sincosf(float x, float *sine, float *cosine) {
    *sine = (float)__model_sin(x);
    *cosine = (float)__model_cos(x);
}
/* What the virtual machine has none of: where the value is known it is given, and elsewhere refused, for an invented one could break an
   assertion that holds. */
double __model_erf(double x) {
    if (x == 0 || __math_is_nan(x))
        return x;
    if (fabs(x) >= 6)
        return x > 0 ? 1 : -1;
    __raddle_unsupported("values of the error function (erf)");
}
double __model_erfc(double x) {
    if (__math_is_nan(x))
        return x;
    if (x == 0)
        return 1;
    if (x <= -6 || x >= 28)
        return __math_told_small(x > 0 ? 0 : 2, x > 0 && __model_finite(x));
    __raddle_unsupported("values of the error function (erfc)");
}
double __model_tgamma(double x) {
    if (__math_is_nan(x) || (__math_is_infinite(x) && x > 0))
        return x;
    if (x == 0)
        return __math_told_one(1 / x, x);
    if (x < 0 && (__math_is_infinite(x) || __model_trunc(x) == x))
        return __math_told(__math_nan(), 1, 0);
    if (x >= 172)
        return __math_told_one(__math_infinity(), x);
    if (__model_trunc(x) != x || x < 0 || x > 23)
        __raddle_unsupported("values of the gamma function (tgamma)");
    double value = 1;
    for (double factor = 2; factor < x; factor++)
        value *= factor;
    return value;
}
/* The sign of the gamma function. */
static int __math_gamma_sign(double x) {
    if (!(x < 0) || __math_is_infinite(x))
        return __math_is_negative(x) && x == 0 ? -1 : 1;
    double below = __model_floor(x);
    return below != x && __raddle_fmod(below, 2) != 0 ? -1 : 1;
}
double __model_lgamma_r(double x, int *sign) {
    *sign = __math_gamma_sign(x);
    if (__math_is_nan(x))
        return x;
    if (__math_is_infinite(x))
        return __math_infinity();
    if (x <= 0 && __model_trunc(x) == x)
        return __math_told_one(__math_infinity(), x);
    if (x == 1 || x == 2)
        return 0;
    __raddle_unsupported("values of the gamma function (lgamma)");
}
double __model_lgamma(double x) { return __model_lgamma_r(x, &signgam); }
double __model_gamma(double x) { return __model_lgamma(x); }
float __model_lgammaf_r(float x, int *sign) { return (float)__model_lgamma_r(x, sign); }
static double __math_bessel(double x) {
    if (__math_is_nan(x))
        return x;
    __raddle_unsupported("values of Bessel functions");
}
double __model_jn(int order, double x) { return x == 0 ? (order == 0 ? 1 : 0) : __math_bessel(x); }
double __model_j0(double x) { return __model_jn(0, x); }
double __model_j1(double x) { return __model_jn(1, x); }
double __model_y0(double x) {
    if (x == 0)
        return __math_told_one(-__math_infinity(), x);
    return x < 0 ? __math_told_one(__math_nan(), x) : __math_bessel(x);
}
double __model_y1(double x) { return __model_y0(x); }
double __model_yn(int order, double x) { (void)order; return __model_y0(x); }
float __model_jnf(int order, float x) { return (float)__model_jn(order, x); }
float __model_ynf(int order, float x) { return (float)__model_yn(order, x); }
float __model_frexpf(float x, int *exponent) { return (float)__model_frexp(x, exponent); }

/* On `float`. */
float __model_truncf(float x) { return (float)__model_trunc(x); }
float __model_floorf(float x) { return (float)__model_floor(x); }
float __model_ceilf(float x) { return (float)__model_ceil(x); }
float __model_roundf(float x) { return (float)__model_round(x); }
float __model_rintf(float x) { return (float)__model_rint(x); }
float __model_nearbyintf(float x) { return (float)__model_nearbyint(x); }
float __model_roundevenf(float x) { return (float)__model_roundeven(x); }
float __model_logbf(float x) { return (float)__model_logb(x); }
float __model_significandf(float x) { return (float)__model_significand(x); }
float __model_sinf(float x) { return (float)__model_sin(x); }
float __model_cosf(float x) { return (float)__model_cos(x); }
float __model_tanf(float x) { return (float)__model_tan(x); }
float __model_asinf(float x) { return (float)__model_asin(x); }
float __model_acosf(float x) { return (float)__model_acos(x); }
float __model_atanf(float x) { return (float)__model_atan(x); }
float __model_sinhf(float x) { return __math_to_single(__model_sinh(x)); }
float __model_coshf(float x) { return __math_to_single(__model_cosh(x)); }
float __model_tanhf(float x) { return (float)__model_tanh(x); }
float __model_asinhf(float x) { return (float)__model_asinh(x); }
float __model_acoshf(float x) { return (float)__model_acosh(x); }
float __model_atanhf(float x) { return (float)__model_atanh(x); }
float __model_expf(float x) { return __math_to_single(__model_exp(x)); }
float __model_exp2f(float x) { return __math_to_single(__model_exp2(x)); }
float __model_expm1f(float x) { return __math_to_single(__model_expm1(x)); }
float __model_logf(float x) { return (float)__model_log(x); }
float __model_log1pf(float x) { return (float)__model_log1p(x); }
float __model_log2f(float x) { return (float)__model_log2(x); }
float __model_log10f(float x) { return (float)__model_log10(x); }
float __model_cbrtf(float x) { return (float)__model_cbrt(x); }
float __model_exp10f(float x) { return __math_to_single(__model_exp10(x)); }
float __model_pow10f(float x) { return __math_to_single(__model_pow10(x)); }
float __model_erff(float x) { return (float)__model_erf(x); }
float __model_erfcf(float x) { return (float)__model_erfc(x); }
float __model_tgammaf(float x) { return __math_to_single(__model_tgamma(x)); }
float __model_lgammaf(float x) { return (float)__model_lgamma(x); }
float __model_gammaf(float x) { return (float)__model_gamma(x); }
float __model_j0f(float x) { return (float)__model_j0(x); }
float __model_j1f(float x) { return (float)__model_j1(x); }
float __model_y0f(float x) { return (float)__model_y0(x); }
float __model_y1f(float x) { return (float)__model_y1(x); }
float __model_copysignf(float x, float y) { return (float)__model_copysign(x, y); }
float __model_fminf(float x, float y) { return (float)__model_fmin(x, y); }
float __model_fmaxf(float x, float y) { return (float)__model_fmax(x, y); }
float __model_fdimf(float x, float y) { return (float)__model_fdim(x, y); }
float __model_fmaxmagf(float x, float y) { return (float)__model_fmaxmag(x, y); }
float __model_fminmagf(float x, float y) { return (float)__model_fminmag(x, y); }
float __model_fmaximumf(float x, float y) { return (float)__model_fmaximum(x, y); }
float __model_fminimumf(float x, float y) { return (float)__model_fminimum(x, y); }
float __model_fmaximum_numf(float x, float y) { return (float)__model_fmaximum_num(x, y); }
float __model_fminimum_numf(float x, float y) { return (float)__model_fminimum_num(x, y); }
float __model_fmaximum_magf(float x, float y) { return (float)__model_fmaximum_mag(x, y); }
float __model_fminimum_magf(float x, float y) { return (float)__model_fminimum_mag(x, y); }
float __model_fmaximum_mag_numf(float x, float y) { return (float)__model_fmaximum_mag_num(x, y); }
float __model_fminimum_mag_numf(float x, float y) { return (float)__model_fminimum_mag_num(x, y); }
float __model_remainderf(float x, float y) { return (float)__model_remainder(x, y); }
float __model_dremf(float x, float y) { return (float)__model_drem(x, y); }
float __model_fmodf(float x, float y) { return (float)__model_fmod(x, y); }
float __model_powf(float x, float y) { return __math_to_single(__model_pow(x, y)); }
float __model_atan2f(float x, float y) { return (float)__model_atan2(x, y); }
float __model_hypotf(float x, float y) { return __math_to_single(__model_hypot(x, y)); }
float __model_scalbf(float x, float y) { return __math_to_single(__model_scalb(x, y)); }

/* These are instructions; as functions they are for those who take their addresses, or look at errno. */
double __model_sqrt(double x) { return __math_told_one(sqrt(x), x); }
double __model_fabs(double x) { return fabs(x); }
float sqrtf(float x);
float fabsf(float x);
float __model_sqrtf(float x) { return (float)__math_told_one(sqrtf(x), x); }
float __model_fabsf(float x) { return fabsf(x); }
double __model___math_add(double x, double y) { return x + y; }
double __model___math_sub(double x, double y) { return x - y; }
double __model___math_mul(double x, double y) { return x * y; }
double __model___math_div(double x, double y) { return x / y; }
double __model___math_sqrt(double x) { return sqrt(x); }
double __model___math_fma(double x, double y, double z) { return __raddle_fma(x, y, z); }
