//! Functions of the C library, on memory that threads share and on their own.

use super::super::sketch::Sketch;

/// A text that workers change, each call under a lock.
pub(super) fn texts(s: &mut Sketch) {
    let (text, lock) = (s.name("text"), s.lock());
    let first = s.pick(&["ab", "x1y2", "", "Hello", "7 8"]);
    s.global(format!("static char {text}[24] = \"{first}\";"));
    for worker in s.some_workers() {
        for _ in 0..1 + s.below(2) {
            let (number, letter) = (s.below(5), s.pick(&["a", "y", "Q", "7"]));
            let statement = match s.below(14) {
                0 => format!("if (strlen({text}) < 12) strcat({text}, \"{letter}z\");"),
                1 => format!(
                    "char copy[24]; strcpy(copy, {text}); snprintf({text}, 10, \"%d%s\", {number}, copy);"
                ),
                2 => format!("memmove({text} + 1, {text}, 8); {text}[0] = '{letter}';"),
                3 => format!("strncpy({text}, \"{letter}bcdef\", {number});"),
                4 => format!("for (char *p = {text}; *p; p++) *p = (char)toupper((unsigned char)*p);"),
                5 => format!("memset({text} + {number}, '{letter}', 2);"),
                6 => format!("char *p = strchr({text}, '{letter}'); if (p) *p = '-';"),
                7 => format!("if (strcmp({text}, \"b\") > 0) {text}[0] = 'A'; else {text}[1] = 'Z';"),
                8 => format!(
                    "long n = strtol({text}, 0, 16); snprintf({text}, sizeof {text}, \"%lx\", n + {number});"
                ),
                9 => format!("strncat({text}, \"pqrs\", {text}[8] ? 0 : {number});"),
                10 => format!("size_t n = strcspn({text}, \"yz2\"); {text}[n] = '{letter}';"),
                11 => format!("char *p = strstr({text}, \"b\"); if (p) memcpy(p, \"{letter}\", 1);"),
                12 => format!(
                    "char *p = strrchr({text}, 'a'); {text}[0] = (char)('0' + (p ? (p - {text}) % 10 : 9));"
                ),
                _ => format!("{text}[2] = (char)('a' + memcmp({text}, \"bb\", 2) % 2 + 1);"),
            };
            let statement = Sketch::surely_locked(&lock, &statement);
            s.work(worker, statement);
        }
    }
    let (sum, i) = (s.local("sum"), s.local("i"));
    s.ending(format!("unsigned {sum} = 0; for (int {i} = 0; {i} < 24; {i}++) {sum} = {sum} * 31 + (unsigned char){text}[{i}];"));
    s.observe(&sum, 10_007);
    s.observe(&format!("strlen({text})"), 25);
}

/// An array that workers sort and search, under a lock.
pub(super) fn sorting(s: &mut Sketch) {
    let (a, up, lock) = (s.name("a"), s.name("up"), s.lock());
    s.global(format!("static int {a}[3] = {{ 2, 0, 1 }};"));
    s.function(format!(
        "static int {up}(const void *left, const void *right)\n{{\n    return *(const int *)left - *(const int *)right;\n}}"
    ));
    for worker in s.some_workers() {
        let (number, got) = (s.below(4), s.got(5));
        let statement = match s.below(4) {
            0 => format!("qsort({a}, 3, sizeof *{a}, {up});"),
            1 => format!("{a}[{}] += {number};", number % 3),
            2 => format!(
                "qsort({a}, 3, sizeof(int), {up}); int *p = bsearch(&(int){{ {number} }}, {a}, 3, sizeof(int), {up}); {got} = p ? (int)(p - {a}) : 3;"
            ),
            _ => format!("qsort({a}, 2, sizeof(int), {up}); {a}[0] ^= 3;"),
        };
        let statement = Sketch::surely_locked(&lock, &statement);
        s.work(worker, statement);
    }
    for number in 0..3 {
        s.observe(&format!("{a}[{number}]"), 8);
    }
}

/// Calls whose results depend on nobody else: what is declared first, and what is looked at.
const CALLS: &[(&str, &str)] = &[
    ("char *end; long n = strtol(\"  -12ab\", &end, 10);", "n * 10 + *end"),
    ("char *end; unsigned long n = strtoul(\"0x1fg\", &end, 0);", "n + (unsigned long)*end"),
    ("char *end; long n = strtol(\"zz\", &end, 36);", "n"),
    (
        "errno = 0; long n = strtol(\"99999999999999999999\", 0, 10);",
        "(n == LONG_MAX) * 2 + (errno == ERANGE)",
    ),
    ("long long n = strtoll(\"-077\", 0, 8);", "n"),
    ("int n = atoi(\" 42x\");", "n"),
    ("double d = strtod(\"2.5e1q\", 0);", "(int)(d * 2)"),
    ("char b[16]; int n = snprintf(b, 5, \"%05d\", -42);", "n * 100 + b[3]"),
    ("char b[16]; int n = snprintf(b, sizeof b, \"%s|%-4c|%x\", \"ab\", 'c', 255);", "n * 100 + b[9]"),
    ("char b[32]; int n = snprintf(b, sizeof b, \"%+.2f %e\", 1.005, 12345.678);", "n * 100 + b[7]"),
    ("char b[16]; int m; snprintf(b, sizeof b, \"abc%nd\", &m);", "m"),
    ("char b[8]; int n = snprintf(b, sizeof b, \"%*d%%\", 4, 7);", "n * 100 + b[3] + b[4]"),
    (
        "char b[] = \"a,b;;c\"; char *rest; char *t = strtok_r(b, \",;\", &rest); t = strtok_r(0, \",;\", &rest); t = strtok_r(0, \",;\", &rest);",
        "*t",
    ),
    ("size_t n = strspn(\"aabbc\", \"ab\"), m = strcspn(\"xyz\", \"z\");", "n * 10 + m"),
    ("const char *p = strpbrk(\"hello\", \"ol\");", "*p"),
    ("char b[8] = \"abcdefg\"; memmove(b + 2, b, 4);", "b[5] * 2 + b[6]"),
    ("char b[4]; memset(b, 0x41, 3); b[3] = 0;", "strlen(b) + (size_t)b[1]"),
    ("char *p = strdup(\"dup\"); int n = p[2]; free(p);", "n"),
    ("div_t d = div(-7, 2);", "d.quot * 10 + d.rem"),
    ("ldiv_t d = ldiv(17, -5);", "d.quot * 10 + d.rem"),
    ("int n = abs(-5) + (int)labs(-6L);", "n"),
    (
        "int n = isalpha('x') != 0; n = n * 2 + (isdigit('x') != 0); n = n * 2 + (isspace('\\t') != 0); n = n * 2 + (ispunct('!') != 0);",
        "n",
    ),
    ("int n = toupper('q') + tolower('Q');", "n"),
    ("int e; double m = frexp(10.0, &e);", "(int)(m * 16) + e"),
    ("double w; double f = modf(-3.25, &w);", "(int)(f * 8) + (int)w"),
    ("double d = fmin(2.5, fmax(-1.0, 3.5));", "(int)(d * 2)"),
    ("double d = floor(-2.5) + ceil(2.1) + trunc(-2.7) + round(2.5);", "(int)d"),
    ("double d = sqrt(6.25) + fabs(-1.5);", "(int)(d * 4)"),
    ("double d = fmod(7.5, 2.0) + ldexp(0.75, 3);", "(int)(d * 4)"),
    ("long n = lround(-2.5) + lrint(2.5);", "n"),
    ("double d = copysign(3.0, -0.0) + fdim(5.0, 2.0);", "(int)d"),
    ("int n = isnan(NAN) != 0; n = n * 2 + (isinf(-INFINITY) != 0); n = n * 2 + (signbit(-1.0) != 0);", "n"),
    ("int a, b; int n = sscanf(\"12 -7x\", \"%d%d\", &a, &b);", "n * 100 + a + b"),
    ("char w[8]; int a = 0; int n = sscanf(\"key=9\", \"%3[a-z]=%i\", w, &a);", "n * 10 + a + w[1]"),
    ("int n = (int)(strchr(\"abc\", 0) - strchr(\"abc\", 'a'));", "n"),
    (
        "int n = strncmp(\"abcd\", \"abzz\", 2) * 4 + (strcmp(\"a\", \"b\") < 0) * 2 + (strcasecmp(\"AbC\", \"aBc\") == 0);",
        "n",
    ),
    ("const char *p = memchr(\"a\\0b\", 'b', 3);", "*p"),
    (
        "unsigned seed = 5; int one = rand_r(&seed); unsigned again = 5; int two = rand_r(&again);",
        "one == two",
    ),
    ("srand(3); int a = rand(); srand(3); int b = rand();", "a == b"),
    (
        "struct tm t = { .tm_year = 100, .tm_mday = 1 }; time_t n = 86400; struct tm *u = gmtime_r(&n, &t);",
        "u->tm_mday * 10 + u->tm_mon",
    ),
    ("char b[4]; int n = snprintf(b, sizeof b, \"%s\", \"abcdef\");", "n * 10 + (int)strlen(b)"),
    ("int n = __builtin_popcount(0xf0f) + __builtin_ctz(8) + __builtin_clz(1);", "n"),
    ("unsigned char b[4]; unsigned n = 0x01020304; memcpy(b, &n, 4);", "b[0]"),
    ("char b[10]; strcpy(stpcpy(b, \"ab\"), \"cd\");", "strlen(b) * 100 + (size_t)b[2]"),
    ("int n = strnlen(\"abcdef\", 4);", "n"),
    ("float f = strtof(\"-1.25x\", 0);", "(int)(f * 8)"),
    ("char *end; double d = strtod(\"0x1p3z\", &end);", "(int)d * 200 + *end"),
    ("errno = 0; unsigned long n = strtoul(\"-1\", 0, 10);", "(n == ULONG_MAX) * 2 + (errno == 0)"),
    ("errno = 0; long n = strtol(\"7\", 0, 99);", "n * 2 + (errno == EINVAL)"),
    ("lldiv_t d = lldiv(-9LL, 4LL);", "d.quot * 10 + d.rem"),
    (
        "char b[] = \"x=1=2\"; char *p = b; char *k = strsep(&p, \"=\"); char *v = strsep(&p, \"=\");",
        "*k + *v + *p",
    ),
    ("const char *p = memrchr(\"abcabc\", 'b', 6); const char *q = strchrnul(\"abc\", 'z');", "*p + *q"),
    ("char b[8] = \"\"; char *p = memccpy(b, \"abcd\", 'c', 8);", "(p - b) * 100 + b[2]"),
    ("char *p = strndup(\"abcdef\", 3); int n = (int)strlen(p); free(p);", "n"),
    (
        "int n = 0; for (int c = 0; c < 128; c++) n += (isalnum(c) != 0) + 2 * (isxdigit(c) != 0) + 3 * (iscntrl(c) != 0);",
        "n",
    ),
    (
        "int n = 0; for (int c = 0; c < 128; c++) n += (isupper(c) != 0) * c + (islower(c) != 0) + (isgraph(c) != 0) + (isprint(c) != 0) + (isblank(c) != 0);",
        "n",
    ),
    ("setenv(\"RADDLE_X\", \"42\", 1); const char *p = getenv(\"RADDLE_X\");", "p ? atoi(p) : 0"),
    ("double d = remainder(7.0, 4.0) + nearbyint(2.5) + rint(3.5);", "(int)d"),
    ("double d = fma(2.0, 3.0, 1.0) + scalbn(1.0, 4) + logb(9.0);", "(int)d"),
    ("int n = ilogb(20.0) * 10 + (fpclassify(0.0) == FP_ZERO) + (isgreater(2.0, 1.0) != 0);", "n"),
    ("double d = nextafter(1.0, 2.0);", "d > 1.0 && d - 1.0 < 1e-15"),
    ("double d = pow(2.0, 10.0) + exp(0.0);", "d > 1024.9 && d < 1025.1"),
    ("int n = (int)llround(2.5) * 10 + (int)llrint(-2.5);", "n"),
    ("char b[20]; int n = snprintf(b, sizeof b, \"%08.3f\", -3.14159);", "n * 100 + b[7]"),
    ("char b[20]; int n = snprintf(b, sizeof b, \"%g %o\", 0.0001, 8u);", "n * 100 + b[3]"),
    ("char b[20]; int n = snprintf(b, sizeof b, \"%lld %hhd\", -5LL, 300);", "n * 100 + b[4]"),
    ("char b[20]; int n = snprintf(b, sizeof b, \"%#x %5.3d|\", 17, 7);", "n * 100 + b[8]"),
    ("char b[4]; unsigned u; int n = sscanf(\"ff zz\", \"%x %2s\", &u, b);", "n * 300 + (int)u + b[1]"),
    ("int a = 5; int n = sscanf(\"x\", \"%d\", &a);", "n * 10 + a"),
    ("int a, m; int n = sscanf(\"17,\", \"%d,%n\", &a, &m);", "n * 100 + a + m"),
    ("time_t n = 0; struct tm t; gmtime_r(&n, &t);", "t.tm_year * 10 + t.tm_wday"),
    (
        "char b[] = \"one two\"; int n = 0; for (char *p = strtok(b, \" \"); p; p = strtok(0, \" \")) n = n * 10 + (int)strlen(p);",
        "n",
    ),
];

/// More of them.
const MORE_CALLS: &[(&str, &str)] = &[
    ("char b[8] = \"abc\"; char *p = mempcpy(b + 3, \"de\", 3);", "(p - b) * 10 + (int)strlen(b)"),
    ("char b[8]; char *p = stpncpy(b, \"xy\", 5);", "(p - b) * 10 + b[4]"),
    (
        "int n = strncasecmp(\"ABcd\", \"abXX\", 2); const char *p = strcasestr(\"fooBar\", \"bA\");",
        "n * 300 + *p",
    ),
    ("long n = atol(\"-12\") + (long)atoll(\"70000\");", "n"),
    ("double d = atof(\" 1.25e2\");", "(int)(d * 4)"),
    ("void *p = calloc(SIZE_MAX, 16);", "p == 0"),
    (
        "void *p = 0; int n = posix_memalign(&p, 64, 10); int m = (uintptr_t)p % 64 == 0; free(p);",
        "n * 10 + m",
    ),
    ("char *p = malloc(3); memcpy(p, \"ab\", 3); p = realloc(p, 300); int n = p[1]; free(p);", "n"),
    ("char *p = calloc(5, 1); int n = p[0] + p[4]; free(p);", "n"),
    ("setenv(\"RADDLE_Y\", \"1\", 1); unsetenv(\"RADDLE_Y\");", "getenv(\"RADDLE_Y\") == 0"),
    ("double d = hypot(3.0, 4.0) + cbrt(27.0);", "(int)(d + 0.5)"),
    ("int q; double d = remquo(7.0, 2.0, &q);", "(int)(d * 2) + (q & 3) * 10"),
    (
        "int n = isless(1.0, NAN) != 0; n = n * 2 + (isunordered(NAN, 1.0) != 0); n = n * 2 + (fmax(NAN, 2.0) == 2.0);",
        "n",
    ),
    ("float f = fmaf(2.0f, 3.0f, 0.5f) + truncf(-1.5f) + roundf(0.5f);", "(int)(f * 2)"),
    ("double d = round(-0.5);", "(signbit(d) != 0) * 2 + (d == 0)"),
    ("char b[16]; int n = snprintf(b, sizeof b, \"%-6s|%3d\", \"ab\", 7);", "n * 100 + b[6] + b[9]"),
    ("char b[24]; int n = snprintf(b, sizeof b, \"%#o %+d % d\", 9, 3, 4);", "n * 100 + b[4] + b[7]"),
    ("char b[24]; int n = snprintf(b, sizeof b, \"%.3s%c%s\", \"abcdef\", 0, \"x\");", "n * 100 + b[4]"),
    (
        "char b[24]; int n = snprintf(b, sizeof b, \"%zu %jd %td\", (size_t)5, (intmax_t)-6, (ptrdiff_t)7);",
        "n * 100 + b[3]",
    ),
    ("char b[24]; int n = snprintf(b, sizeof b, \"%a\", 1.0);", "n * 100 + b[2]"),
    ("char b[24]; int n = snprintf(b, sizeof b, \"%.0f %5.1e\", 2.5, 12345.0);", "n * 100 + b[0]"),
    ("int n = snprintf(0, 0, \"%d-%s\", 12345, \"abc\");", "n"),
    ("int a = 1, b = 2; int n = sscanf(\"3 x 4\", \"%d %*c %d\", &a, &b);", "n * 100 + a * 10 + b"),
    ("char a[4], b[4]; int n = sscanf(\"ab12\", \"%2[a-z]%2[0-9]\", a, b);", "n * 300 + a[1] + b[1]"),
    (
        "long a = 0; unsigned char c = 9; int n = sscanf(\"-5 300\", \"%ld %hhu\", &a, &c);",
        "n * 100 + (int)a + c",
    ),
    (
        "double d = 0; float f = 0; int n = sscanf(\"1.5 2.25\", \"%lf%f\", &d, &f);",
        "n * 100 + (int)(d * 2) + (int)(f * 4)",
    ),
    (
        "char *end; unsigned long long n = strtoull(\"18446744073709551615!\", &end, 10);",
        "(n == ULLONG_MAX) * 200 + *end",
    ),
    ("char *end; strtol(\"+-3\", &end, 10);", "*end"),
    ("char *end; long n = strtol(\"0x\", &end, 16);", "n * 200 + *end"),
    ("char *end; double d = strtod(\"infx\", &end);", "(isinf(d) != 0) * 200 + *end"),
    (
        "struct tm t; time_t n = 951782400; gmtime_r(&n, &t); char b[16]; size_t k = strftime(b, sizeof b, \"%Y-%m-%d\", &t);",
        "k * 100 + (size_t)b[6] + (size_t)b[9]",
    ),
    ("struct tm t = { .tm_year = 70, .tm_mday = 2 }; time_t n = timegm(&t);", "n / 3600"),
    ("int n = (int)difftime(10, 4);", "n"),
    (
        "wchar_t w = 0; int n = mbtowc(&w, \"A\", 1); int m = mblen(\"\", 1);",
        "n * 100 + m * 10 + (w == L'A')",
    ),
    ("int n = ffs(0x50) * 10 + __builtin_parity(7) + __builtin_clzll(1);", "n"),
    ("unsigned n = __builtin_bswap32(0x01020304u);", "n & 0xff"),
    ("int r; int n = __builtin_add_overflow(2147483647, 1, &r) * 2 + (r == (-2147483647 - 1));", "n"),
    ("int a[4] = { 3, 1, 2, 0 }; int n = 0; for (int i = 0; i < 4; i++) n = n * 4 + a[a[i]];", "n"),
    ("char b[12] = \"hello\"; memmove(b, b + 1, 5); strcat(b, \"!\");", "b[3] * 2 + b[4]"),
    ("char b[6] = { 'a', 'b', 'c' }; int n = (int)strnlen(b, 2) * 10 + (int)strlen(b);", "n"),
    ("int n = memcmp(\"a\\0b\", \"a\\0c\", 3) < 0; n = n * 2 + (strcmp(\"\\xff\", \"a\") > 0);", "n"),
];

/// What is set is remembered, and what is wrong is refused.
const ATTRIBUTES: &[(&str, &str)] = &[
    (
        "pthread_attr_t a; size_t n; pthread_attr_init(&a); pthread_attr_setstacksize(&a, 1 << 20); pthread_attr_getstacksize(&a, &n);",
        "n >> 16",
    ),
    (
        "pthread_attr_t a; int n; pthread_attr_init(&a); pthread_attr_getdetachstate(&a, &n);",
        "n == PTHREAD_CREATE_JOINABLE",
    ),
    (
        "pthread_attr_t a; int n; pthread_attr_init(&a); pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED); pthread_attr_getdetachstate(&a, &n);",
        "n == PTHREAD_CREATE_DETACHED",
    ),
    (
        "pthread_attr_t a; size_t n; pthread_attr_init(&a); pthread_attr_setguardsize(&a, 8192); pthread_attr_getguardsize(&a, &n);",
        "n",
    ),
    (
        "pthread_attr_t a; int n; pthread_attr_init(&a); pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED); pthread_attr_getinheritsched(&a, &n);",
        "n == PTHREAD_EXPLICIT_SCHED",
    ),
    (
        "pthread_attr_t a; int n; pthread_attr_init(&a); n = pthread_attr_setdetachstate(&a, 77);",
        "n == EINVAL",
    ),
    (
        "pthread_mutexattr_t a; int n; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE); pthread_mutexattr_gettype(&a, &n);",
        "n == PTHREAD_MUTEX_RECURSIVE",
    ),
    (
        "pthread_mutexattr_t a; int n; pthread_mutexattr_init(&a); n = pthread_mutexattr_settype(&a, 77);",
        "n == EINVAL",
    ),
    (
        "pthread_mutexattr_t a; int n; pthread_mutexattr_init(&a); pthread_mutexattr_setprotocol(&a, PTHREAD_PRIO_INHERIT); pthread_mutexattr_getprotocol(&a, &n);",
        "n == PTHREAD_PRIO_INHERIT",
    ),
    (
        "pthread_mutexattr_t a; int n; pthread_mutexattr_init(&a); pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST); pthread_mutexattr_getrobust(&a, &n);",
        "n == PTHREAD_MUTEX_ROBUST",
    ),
    (
        "pthread_mutexattr_t a; int n; pthread_mutexattr_init(&a); pthread_mutexattr_setpshared(&a, PTHREAD_PROCESS_SHARED); pthread_mutexattr_getpshared(&a, &n);",
        "n == PTHREAD_PROCESS_SHARED",
    ),
    (
        "pthread_condattr_t a; clockid_t n; pthread_condattr_init(&a); pthread_condattr_setclock(&a, CLOCK_MONOTONIC); pthread_condattr_getclock(&a, &n);",
        "n == CLOCK_MONOTONIC",
    ),
    (
        "pthread_rwlockattr_t a; int n; pthread_rwlockattr_init(&a); pthread_rwlockattr_setpshared(&a, PTHREAD_PROCESS_SHARED); pthread_rwlockattr_getpshared(&a, &n);",
        "n == PTHREAD_PROCESS_SHARED",
    ),
    (
        "pthread_barrierattr_t a; int n; pthread_barrierattr_init(&a); pthread_barrierattr_getpshared(&a, &n);",
        "n == PTHREAD_PROCESS_PRIVATE",
    ),
    (
        "int n; pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &n); int m; pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &m);",
        "(n == PTHREAD_CANCEL_ENABLE) * 2 + (m == PTHREAD_CANCEL_DISABLE)",
    ),
    ("int n; pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &n);", "n == PTHREAD_CANCEL_DEFERRED"),
    ("pthread_barrier_t b; int n = pthread_barrier_init(&b, 0, 0);", "n == EINVAL"),
    ("sem_t s; int n = sem_init(&s, 0, SEM_VALUE_MAX + 1u); int e = errno;", "(n == -1) * 2 + (e == EINVAL)"),
    (
        "sem_t s; sem_init(&s, 0, SEM_VALUE_MAX); int n = sem_post(&s); int e = errno;",
        "(n == -1) * 2 + (e == EOVERFLOW)",
    ),
    ("sem_t s; int n; sem_init(&s, 0, 7); sem_getvalue(&s, &n); sem_destroy(&s);", "n"),
    (
        "pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER; int n = pthread_rwlock_rdlock(&r) + pthread_rwlock_rdlock(&r); int m = pthread_rwlock_trywrlock(&r); pthread_rwlock_unlock(&r); pthread_rwlock_unlock(&r); int k = pthread_rwlock_trywrlock(&r); pthread_rwlock_unlock(&r);",
        "n * 4 + (m == EBUSY) * 2 + (k == 0)",
    ),
    (
        "pthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; int n = pthread_mutex_lock(&m) + pthread_mutex_trylock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&m);",
        "n",
    ),
    ("pthread_once_t o = PTHREAD_ONCE_INIT; pthread_once_t q = o; (void)q;", "0"),
    ("int n = pthread_equal(pthread_self(), pthread_self()) != 0;", "n"),
    (
        "mtx_t m; mtx_init(&m, mtx_recursive); int n = mtx_lock(&m) == thrd_success; n = n * 2 + (mtx_trylock(&m) == thrd_success); mtx_unlock(&m); mtx_unlock(&m); mtx_destroy(&m);",
        "n",
    ),
    (
        "mtx_t m; mtx_init(&m, mtx_plain); mtx_lock(&m); int n = mtx_trylock(&m) == thrd_busy; mtx_unlock(&m);",
        "n",
    ),
];

/// Attributes and states.
pub(super) fn attributes(s: &mut Sketch) {
    play(s, ATTRIBUTES);
}

/// What library functions return.
pub(super) fn calls(s: &mut Sketch) {
    let table = s.pick(&[CALLS, MORE_CALLS]);
    play(s, table);
}

/// Two workers make calls of a table.
fn play(s: &mut Sketch, table: &[(&'static str, &'static str)]) {
    let workers = s.some_workers();
    for worker in workers {
        for _ in 0..2 {
            let (before, value) = s.pick(table);
            let got = s.got(997);
            s.work(worker, format!("{{ {before} {got} = (int)({value}) & 0xffff; }}"));
        }
    }
}

/// What is left in memory of the caller: scratch space, copies, counts.
pub(super) fn outputs(s: &mut Sketch) {
    let (buffer, lock) = (s.name("buffer"), s.lock());
    s.global(format!("static char {buffer}[16];\nstatic int {buffer}_n;"));
    for worker in s.some_workers() {
        let (number, width) = (s.below(100), 1 + s.below(6));
        let statement = match s.below(5) {
            0 => format!("{buffer}_n += snprintf({buffer}, {width}, \"%d\", {number} * 37);"),
            1 => format!(
                "{buffer}_n += snprintf({buffer}, sizeof {buffer}, \"%.*s.\", {width}, \"abcdefghij\");"
            ),
            2 => format!("{buffer}_n += sprintf({buffer} + 8, \"%u\", {number}u);"),
            3 => format!("{buffer}_n = (int)strtoul({buffer}, 0, 10) + {number};"),
            _ => format!("int read = sscanf({buffer}, \"%2d\", &{buffer}_n); {buffer}_n += read;"),
        };
        let statement = Sketch::surely_locked(&lock, &statement);
        s.work(worker, statement);
    }
    s.observe(&format!("{buffer}_n"), 1_009);
    s.observe(&format!("{buffer}[0] * 5 + {buffer}[1] * 3 + {buffer}[8] + {buffer}[9]"), 1_013);
}
