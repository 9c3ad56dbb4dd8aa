//! One library function goes by many names: `sin`, `__sin` and `sinf64` are the same, and so are `fopen` and `fopen64`.
//!
//! Only names that glibc's headers declare are led to another; a function of the program's own is never taken for one of them.

use std::borrow::Cow;

/// Functions of `<math.h>` that come for several types.
const MATHEMATICS: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "canonicalize",
    "cbrt",
    "ceil",
    "copysign",
    "cos",
    "cosh",
    "drem",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "fabs",
    "fdim",
    "finite",
    "floor",
    "fma",
    "fmax",
    "fmaximum",
    "fmaximum_mag",
    "fmaximum_mag_num",
    "fmaximum_num",
    "fmaxmag",
    "fmin",
    "fminimum",
    "fminimum_mag",
    "fminimum_mag_num",
    "fminimum_num",
    "fminmag",
    "fmod",
    "frexp",
    "fromfp",
    "fromfpx",
    "gamma",
    "getpayload",
    "hypot",
    "ilogb",
    "isinf",
    "isnan",
    "j0",
    "j1",
    "jn",
    "ldexp",
    "lgamma",
    "llogb",
    "llrint",
    "llround",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "lrint",
    "lround",
    "modf",
    "nan",
    "nearbyint",
    "nextafter",
    "nextdown",
    "nextup",
    "pow",
    "remainder",
    "remquo",
    "rint",
    "round",
    "roundeven",
    "scalb",
    "scalbln",
    "scalbn",
    "setpayload",
    "setpayloadsig",
    "significand",
    "sin",
    "sincos",
    "sinh",
    "sqrt",
    "tan",
    "tanh",
    "tgamma",
    "totalorder",
    "totalordermag",
    "trunc",
    "ufromfp",
    "ufromfpx",
    "y0",
    "y1",
    "yn",
];

/// Functions that have a twin for large files.
const LARGE: &[&str] = &[
    "fopen",
    "freopen",
    "fseeko",
    "fsetpos",
    "fgetpos",
    "ftello",
    "ftruncate",
    "lockf",
    "lseek",
    "mkostemp",
    "mkostemps",
    "mkstemp",
    "mkstemps",
    "pread",
    "pwrite",
    "tmpfile",
    "truncate",
];

/// Functions that have a twin with a locale as its last argument, which is not looked at.
const LOCALE: &[&str] = &[
    "isalnum",
    "isalpha",
    "isblank",
    "iscntrl",
    "isdigit",
    "isgraph",
    "islower",
    "isprint",
    "ispunct",
    "isspace",
    "isupper",
    "isxdigit",
    "strcasecmp",
    "strcoll",
    "strerror",
    "strftime",
    "strncasecmp",
    "strptime",
    "strtod",
    "strtof",
    "strtol",
    "strtoll",
    "strtoul",
    "strtoull",
    "strxfrm",
    "tolower",
    "toupper",
];

/// Other names.
const OTHERS: &[(&str, &str)] = &[
    ("__asprintf", "asprintf"),
    ("__finite", "finite"),
    ("__finitef", "finitef"),
    ("__getdelim", "getdelim"),
    ("__getpgid", "getpgid"),
    ("__isinf", "isinf"),
    ("__isinff", "isinff"),
    ("__isnan", "isnan"),
    ("__isnanf", "isnanf"),
    ("__lgamma_r", "lgamma_r"),
    ("__longjmp_chk", "longjmp"),
    ("__lgammaf32_r", "lgammaf_r"),
    ("__lgammaf32x_r", "lgamma_r"),
    ("__lgammaf64_r", "lgamma_r"),
    ("__lgammaf_r", "lgammaf_r"),
    ("__memcmpeq", "memcmp"),
    ("__mempcpy", "mempcpy"),
    ("__setjmp", "setjmp"),
    ("__sigsetjmp", "sigsetjmp"),
    ("__secure_getenv", "secure_getenv"),
    ("__stpcpy", "stpcpy"),
    ("__stpncpy", "stpncpy"),
    ("__strdup", "strdup"),
    ("__strndup", "strndup"),
    ("__strtok_r", "strtok_r"),
    ("__sysconf", "sysconf"),
    ("__tolower_l", "tolower"),
    ("__toupper_l", "toupper"),
    ("__xpg_basename", "basename"),
    ("_longjmp", "longjmp"),
    ("_setjmp", "setjmp"),
    ("bcmp", "memcmp"),
    ("eaccess", "access"),
    ("euidaccess", "access"),
    ("imaxabs", "llabs"),
    ("imaxdiv", "lldiv"),
    ("index", "strchr"),
    ("lgammaf32_r", "lgammaf_r"),
    ("lgammaf32x_r", "lgamma_r"),
    ("lgammaf64_r", "lgamma_r"),
    ("pthread_mutex_consistent_np", "pthread_mutex_consistent"),
    ("pthread_mutexattr_getrobust_np", "pthread_mutexattr_getrobust"),
    ("pthread_mutexattr_setrobust_np", "pthread_mutexattr_setrobust"),
    ("pthread_yield", "sched_yield"),
    ("rindex", "strrchr"),
    ("siglongjmp", "longjmp"),
    ("strfromf32", "strfromf"),
    ("strfromf32x", "strfromd"),
    ("strfromf64", "strfromd"),
    ("strtoimax", "strtoll"),
    ("strtoumax", "strtoull"),
    ("strtof32", "strtof"),
    ("strtof32_l", "strtof"),
    ("strtof32x", "strtod"),
    ("strtof32x_l", "strtod"),
    ("strtof64", "strtod"),
    ("strtof64_l", "strtod"),
    ("strtoq", "strtoll"),
    ("strtouq", "strtoull"),
    ("timelocal", "mktime"),
];

/// The name under which a library function is modelled.
#[must_use]
pub fn spelled(name: &str) -> Cow<'_, str> {
    let name = name.strip_prefix("__builtin_").unwrap_or(name);
    let name = ["__isoc99_", "__isoc23_"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name);
    if let Some((_, known)) = OTHERS.iter().find(|(other, _)| *other == name) {
        return Cow::Borrowed(known);
    }
    for (suffix, known) in [("64", LARGE), ("_l", LOCALE)] {
        if let Some(base) = name.strip_suffix(suffix)
            && known.contains(&base)
        {
            return Cow::Borrowed(base);
        }
    }
    mathematics(name).unwrap_or(Cow::Borrowed(name))
}

/// A function of `<math.h>` by another name, as that on `double` or on `float`.
fn mathematics(name: &str) -> Option<Cow<'_, str>> {
    if let Some(narrowing) = narrowing(name) {
        return Some(narrowing);
    }
    let bare = name.strip_prefix("__").unwrap_or(name);
    for (suffix, single) in [("f32x", false), ("f64", false), ("f32", true), ("f", true), ("", false)] {
        if let Some(base) = bare.strip_suffix(suffix)
            && MATHEMATICS.contains(&base)
        {
            return Some(if single { Cow::Owned(format!("{base}f")) } else { Cow::Borrowed(base) });
        }
    }
    None
}

/// `f32addf64` and its kin: the name has the type of the result, the operation, and the type of the operands.
fn narrowing(name: &str) -> Option<Cow<'_, str>> {
    let (single, rest) = match (name.strip_prefix("f32x"), name.strip_prefix("f32")) {
        (Some(rest), _) => (false, rest),
        (None, Some(rest)) => (true, rest),
        (None, None) => return None,
    };
    let operation = rest.strip_suffix("f32x").or_else(|| rest.strip_suffix("f64"))?;
    if !["add", "sub", "mul", "div", "sqrt", "fma"].contains(&operation) {
        return None;
    }
    Some(Cow::Owned(if single { format!("f{operation}") } else { format!("__math_{operation}") }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_the_function_that_is_modelled() {
        for (name, known) in [
            ("sin", "sin"),
            ("__sin", "sin"),
            ("sinf", "sinf"),
            ("__sinf64", "sin"),
            ("sinf32", "sinf"),
            ("fmaf", "fmaf"),
            ("fmaf32x", "fma"),
            ("f32addf64", "fadd"),
            ("f32xdivf64", "__math_div"),
            ("fopen64", "fopen"),
            ("isalpha_l", "isalpha"),
            ("__isoc99_sscanf", "sscanf"),
            ("__builtin_memcpy", "memcpy"),
        ] {
            assert_eq!(spelled(name), known);
        }
    }

    #[test]
    fn what_only_looks_so_is_left_alone() {
        for name in ["read_l", "open_unlocked", "readf64", "sinl", "__mine", "load64"] {
            assert_eq!(spelled(name), name);
        }
    }
}
