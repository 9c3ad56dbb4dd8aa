//! Which standard header declares a name: for hints to whoever forgot to include it.

/// Headers with names that they declare, or how such names begin: before a `*`.
const HEADERS: &[(&str, &[&str])] = &[
    ("assert.h", &["assert"]),
    ("pthread.h", &["pthread_*"]),
    ("semaphore.h", &["sem_*"]),
    ("threads.h", &["thrd_*", "mtx_*", "cnd_*", "tss_*", "call_once"]),
    ("stdatomic.h", &["atomic_*"]),
    (
        "stdio.h",
        &[
            "printf",
            "fprintf",
            "sprintf",
            "snprintf",
            "vprintf",
            "vfprintf",
            "vsnprintf",
            "puts",
            "putchar",
            "fputs",
            "fputc",
            "putc",
            "getchar",
            "getc",
            "fgetc",
            "fgets",
            "gets",
            "scanf",
            "fscanf",
            "sscanf",
            "fopen",
            "fclose",
            "fread",
            "fwrite",
            "fflush",
            "fseek",
            "ftell",
            "rewind",
            "feof",
            "ferror",
            "perror",
            "remove",
            "rename",
        ],
    ),
    (
        "stdlib.h",
        &[
            "malloc",
            "calloc",
            "realloc",
            "free",
            "aligned_alloc",
            "posix_memalign",
            "abort",
            "exit",
            "atexit",
            "_Exit",
            "quick_exit",
            "abs",
            "labs",
            "llabs",
            "atoi",
            "atol",
            "atoll",
            "atof",
            "strtol",
            "strtoul",
            "strtoll",
            "strtoull",
            "strtod",
            "strtof",
            "rand",
            "srand",
            "rand_r",
            "random",
            "srandom",
            "qsort",
            "bsearch",
            "getenv",
            "system",
            "div",
            "ldiv",
        ],
    ),
    (
        "string.h",
        &[
            "memcpy", "memmove", "memset", "memcmp", "memchr", "strlen", "strnlen", "strcpy", "strncpy",
            "strcat", "strncat", "strcmp", "strncmp", "strchr", "strrchr", "strstr", "strtok", "strtok_r",
            "strdup", "strndup", "strerror", "strspn", "strcspn", "strpbrk", "strcoll",
        ],
    ),
    (
        "unistd.h",
        &[
            "sleep", "usleep", "read", "write", "close", "getpid", "sysconf", "fork", "pipe", "isatty",
            "_exit",
        ],
    ),
    ("sched.h", &["sched_yield", "sched_getcpu"]),
    (
        "time.h",
        &[
            "time",
            "clock",
            "nanosleep",
            "clock_gettime",
            "difftime",
            "mktime",
            "localtime",
            "gmtime",
            "ctime",
            "strftime",
        ],
    ),
    ("signal.h", &["signal", "raise", "sigaction", "kill"]),
    ("setjmp.h", &["setjmp", "longjmp"]),
    (
        "ctype.h",
        &[
            "isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint",
            "ispunct", "isspace", "isupper", "isxdigit", "tolower", "toupper",
        ],
    ),
    (
        "math.h",
        &[
            "sqrt", "sin", "cos", "tan", "exp", "log", "log2", "log10", "pow", "fabs", "floor", "ceil",
            "fmod", "round", "trunc", "fmin", "fmax", "modf", "frexp", "ldexp", "isnan", "isinf", "isfinite",
        ],
    ),
    ("stdarg.h", &["va_start", "va_arg", "va_end", "va_copy"]),
    ("stddef.h", &["offsetof"]),
];

/// The standard header that declares a function or macro of this name.
#[must_use]
pub fn header_of(name: &str) -> Option<&'static str> {
    let is_it = |entry: &&str| match entry.strip_suffix('*') {
        Some(start) => name.starts_with(start),
        None => *entry == name,
    };
    HEADERS.iter().find(|(_, names)| names.iter().any(is_it)).map(|(header, _)| *header)
}

#[cfg(test)]
mod tests {
    use super::header_of;

    #[test]
    fn names_lead_to_headers() {
        assert_eq!(header_of("assert"), Some("assert.h"));
        assert_eq!(header_of("pthread_create"), Some("pthread.h"));
        assert_eq!(header_of("assertion"), None);
    }
}
