//! Constant expressions: every assertion below holds with gcc 12 for the model it is tried with (`-fsyntax-only`, with `-m32`).

use raddle_base::{Severity, SourceMap};

use crate::layout::DataModel;
use crate::parse_program;

/// The errors in a program.
fn errors(text: &str, model: DataModel) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.i", text.as_bytes()).expect("a small text fits");
    let parsed = parse_program(&mut sources, &[file], model);
    let errors = parsed.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors
        .map(|diagnostic| {
            let place = String::from_utf8_lossy(sources.text(diagnostic.primary.span)).into_owned();
            format!("{} [{place}]", diagnostic.message)
        })
        .collect()
}

fn all_hold(declarations: &str, assertions: &[&str], models: &[DataModel]) {
    for &model in models {
        let mut text = declarations.to_owned();
        for assertion in assertions {
            text.push_str("_Static_assert(");
            text.push_str(assertion);
            text.push_str(", \"\");\n");
        }
        assert_eq!(errors(&text, model), Vec::<String>::new(), "in {model:?}");
    }
}

const BOTH: &[DataModel] = &[DataModel::Lp64, DataModel::Ilp32];
const LP64: &[DataModel] = &[DataModel::Lp64];
const ILP32: &[DataModel] = &[DataModel::Ilp32];

#[test]
fn integer_arithmetic_wraps_in_its_type() {
    all_hold(
        "",
        &[
            "-5 / 2 == -2 && -5 % 2 == -1 && 5 % -3 == 2",
            "-1 >> 1 == -1 && -8 >> 1 == -4 && (unsigned)-8 >> 1 == 2147483644",
            "0u - 1 == 4294967295u && -1 > 0u",
            "(signed char)200 == -56 && (unsigned char)-1 == 255 && (char)255 == -1",
            "(_Bool)0.5 == 1 && (_Bool)0 == 0 && (_Bool)256 == 1",
            "(short)0x18000 == -32768 && (unsigned short)0x12345 == 0x2345",
            "~0 == -1 && ~0u == 0xffffffff && !5 == 0 && !0 == 1 && -(-3) == 3",
            "(1 ? -1 : 0u) == 4294967295u && (0 ? 1u : -1) > 0",
            "1ull << 63 == 0x8000000000000000 && (1 << 31) < 0",
            "(5 ^ 3) == 6 && (5 & 3) == 1 && (5 | 3) == 7",
            "'a' == 97 && '\\377' == -1 && L'x' == 120 && u'\\xffff' == 65535 && 'ab' == 24930",
            "0x7fffffff + 0u + 1 == 2147483648u && 10000000000 / 3 == 3333333333",
            "(long long)1 << 40 == 1099511627776 && (-7ll) / 2 == -3",
            "0b101 == 5 && 010 == 8 && 0xFFull == 255",
        ],
        BOTH,
    );
    all_hold(
        "",
        &[
            "sizeof(long) == 8 && sizeof(1l) == 8 && sizeof 4294967296 == 8 && sizeof 2147483648 == 8",
            "(unsigned __int128)-1 >> 127 == 1 && (__int128)-1 >> 127 == -1",
            "(unsigned __int128)-1 / 3 > (unsigned __int128)1 << 126",
            "(unsigned __int128)-1 > 0 && (__int128)-1 < 0 && sizeof(__int128) == 16",
            "(unsigned long)-1 == 18446744073709551615u && -1l < 0",
            "4294967295 + 1 == 4294967296 && 0xffffffff + 1 == 0",
        ],
        LP64,
    );
    all_hold(
        "",
        &[
            "sizeof(long) == 4 && sizeof 4294967296 == 8 && sizeof 2147483648 == 8 && sizeof(void *) == 4",
            "(unsigned long)-1 == 4294967295u && -1l > 0u && 2147483647l + 1u == 2147483648u",
            "(long)0x123456789 == 0x23456789",
        ],
        ILP32,
    );
}

#[test]
fn floating_values_convert_as_gcc_does() {
    all_hold(
        "",
        &[
            "(int)1.9 == 1 && (int)-1.9 == -1 && (unsigned char)255.9 == 255",
            "1.5 > 1 && 0.1f != 0.1 && (float)0.1 == 0.1f && 0.1 + 0.2 != 0.3",
            "(int)(1.0 / 3 * 3) == 1 && (int)1e9 == 1000000000 && 1e3 == 1000",
            "0x1p4 == 16 && 0x1.8p1 == 3 && (int)(2.5f * 2) == 5",
            "16777217 == (float)16777217 && 16777216 != (double)16777217 && (int)(float)16777217 == 16777216",
            "(1.0 ? 2 : 3) == 2 && !0.0 && (0.0 || 0.5) && (_Bool)1e-30",
            "__builtin_inf() > 1e308 && __builtin_nan(\"\") != __builtin_nan(\"\")",
            "(int)__real__ (3.0 + 4.0i) == 3 && (int)__imag__ (3.0 + 4.0i) == 4",
        ],
        BOTH,
    );
}

#[test]
fn sizes_and_offsets() {
    all_hold(
        "struct s { char a; int b[4]; struct { short c; union { int d; char e; }; } f; unsigned g : 3; };
         extern struct s x; extern int array[5]; typedef struct s pair[2];
         int al __attribute__((aligned(32)));",
        &[
            "__builtin_offsetof(struct s, b) == 4 && __builtin_offsetof(struct s, b[2]) == 12",
            "__builtin_offsetof(struct s, f.e) == 24",
            "(unsigned long)&((struct s *)0)->b[3] == 16 && (long)&((struct s *)8)->f.d == 32",
            "sizeof x.b == 16 && sizeof x.b[0] == 4 && sizeof array / sizeof *array == 5",
            "sizeof(struct s) == 32 && sizeof(pair) == 64 && sizeof(x.f) == 8",
            "sizeof(void) == 1 && sizeof(int(void)) == 1 && _Alignof(short) == 2 && __alignof__(al) == 32",
            "sizeof \"abc\" == 4 && sizeof L\"abc\" == 16 && sizeof u\"abc\" == 8 && sizeof(\"a\" \"b\") == 3",
            "sizeof 'a' == 4 && sizeof (char[3]){1} == 3 && sizeof((char)1 + (char)1) == 4",
            "(char *)&((struct s *)0)->f - (char *)&((struct s *)0)->b == 16",
            "&((struct s *)0)[1].b[0] - (int *)0 == 9",
        ],
        BOTH,
    );
}

#[test]
fn what_is_decided_needs_no_more() {
    all_hold(
        "int n; int f(void); int a[4]; extern int weak __attribute__((weak));",
        &[
            "1 || f()",
            "!(0 && f())",
            "1 ? 2 : f()",
            "(0 ? f() : 3) == 3",
            "(1 ?: f()) == 1",
            "n * 0 == 0",
            "&a[1] == &a[0] + 1 && &a[2] > &a[1] && &a[3] - &a[1] == 2",
            "&n != 0 && f && !!&a",
            "__builtin_clz(1) == 31 && __builtin_ctzll(8) == 3 && __builtin_popcount(255) == 8",
            "__builtin_ffs(0) == 0 && __builtin_ffs(12) == 3 && __builtin_parity(7) == 1 && __builtin_clrsb(-1) == 31",
            "__builtin_bswap32(0x01020304) == 0x04030201 && __builtin_bswap16(0x0102) == 0x0201",
            "__builtin_bswap64(1) == 0x0100000000000000 && __builtin_strlen(\"hello\") == 5",
            "__builtin_constant_p(3) && !__builtin_constant_p(n) && __builtin_constant_p(\"a\")",
            "__builtin_choose_expr(1, 5, f) == 5 && __builtin_types_compatible_p(int, const int)",
            "__builtin_add_overflow_p(2147483647, 1, 0) && !__builtin_add_overflow_p(2147483647, 1, 0ll)",
            "__builtin_isnan(__builtin_nan(\"\")) && __builtin_signbit(-0.0) && __builtin_isless(1.0, 2.0)",
            "__atomic_always_lock_free(4, 0) && __builtin_classify_type(1.0) == 8",
        ],
        BOTH,
    );
}

#[test]
fn initialisers_may_read_constant_variables() {
    let text = "struct s { int a, b[2]; };
        static const int k = 3; static const struct s ks = { 1, { 2, 3 } }; static const double d = 1.5;
        int n; struct s arr[3];
        static int a = k + 1; static int b = ks.a; static int c = ks.b[1]; static struct s e = ks; static int f = (int)d;
        static int g = \"abc\"[1]; static long h = (long)&n + 4; static int *i = &arr[2].b[1]; static int j = &n != 0;
        static struct s l = (struct s){ 1 }; static int *m = (int[]){ 1, 2 }; static char *o = \"abc\" + 1;
        static _Complex double p = 1.0 + 2.0i; static void *q = (void *)&n; static int *r = &arr->a; static int (*s)(void);
        static int *t = &*&n; static const char *u = __func__; static unsigned long v = (unsigned long)\"abc\";";
    assert_eq!(errors(text, DataModel::Lp64), Vec::<String>::new());
}

#[test]
fn what_is_not_constant_is_refused() {
    let declarations = "int n; int f(void); static const int k = 1; struct s { int a, b; };\n";
    for (bad, place) in [
        ("static int x = n;", "n"),
        ("static int x = f();", "f()"),
        ("static int x = 5 / 0;", "5 / 0"),
        ("static int x = (1, 2);", "1, 2"),
        ("static int x = (int)(long)&n;", "(int)(long)&n"),
        ("static const struct s z = { 1 }; static int x = z.b;", "z.b"),
        ("static int x = (struct s){ 1 }.a;", "(struct s){ 1 }.a"),
        ("static long x = (long)&n * 2;", "(long)&n * 2"),
        ("static int x = f() * 0;", "f() * 0"),
        ("static int x = *\"abc\";", "*\"abc\""),
        ("enum { X = k };", "k"),
        ("enum { X = 1.5 };", "1.5"),
        ("enum { X = \"abc\"[1] };", "\"abc\"[1]"),
        ("enum { X = (1, 1) };", "1, 1"),
        ("_Static_assert(n, \"\");", "n"),
        ("struct t { int b : n; };", "n"),
        ("void g(int i) { switch (i) { case 1.5: ; } }", "1.5"),
        ("static _Thread_local int tls; static int *x = &tls;", "&tls"),
        ("void g(void) { int l; static int *x = &l; }", "&l"),
    ] {
        let found = errors(&format!("{declarations}{bad}"), DataModel::Lp64);
        assert_eq!(found.len(), 1, "{bad}: {found:?}");
        assert!(found[0].ends_with(&format!("[{place}]")), "{bad}: {found:?}");
    }
}
