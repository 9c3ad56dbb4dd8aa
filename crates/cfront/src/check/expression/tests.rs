//! The types of expressions, and which are refused or warned about: each line was tried with gcc 12 (`-std=gnu17`).

use raddle_base::{Severity, SourceMap};

use super::integer_literal_type;
use crate::layout::DataModel;
use crate::literal::IntegerLiteral;
use crate::parse_program;
use crate::types::IntKind;

/// The messages of one severity about a program.
fn messages(text: &str, model: DataModel, severity: Severity) -> Vec<String> {
    let mut sources = SourceMap::new();
    let file = sources.add("test.i", text.as_bytes()).expect("a small text fits");
    let parsed = parse_program(&mut sources, &[file], model);
    parsed
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == severity)
        .map(|d| d.message.clone())
        .collect()
}

const DECLARATIONS: &str = "
struct s { int a; int b[4]; struct { int in; }; unsigned bits : 5; const int fixed; };
union u { int a; float b; }; struct inc; enum e { A, B };
struct bits { unsigned x : 5; long y : 32; unsigned u : 32; _Bool b : 1; long long z : 3; } bf;
struct s s, fs(void), *sp; union u u; struct inc *ip; enum e e; struct t { int a; } t;
int n, *p, **pp, arr[5], g(int), (*fp)(void); char c, *cp; const int *kp; const int ci; volatile int vi; _Atomic int ai;
double d; float f; long l; unsigned un; short h; void *vp, vf(void); _Complex double z; unsigned char *ucp; _Bool bb;
typedef int v4 __attribute__((vector_size(16))); v4 v, w; typedef float vf4 __attribute__((vector_size(16))); vf4 fv;
typedef union { int *ip; const char *cp; } either __attribute__((transparent_union)); void take(either);
";

fn body(statement: &str) -> String {
    format!("{DECLARATIONS}void test(int par, ...) {{ {statement} }}\n")
}

/// Expressions and their types, the same in both models.
const TYPES: &[(&str, &str)] = &[
    ("s.in", "int"),
    ("sp->b", "int[4]"),
    ("(0, sp->b)", "int *"),
    ("fs().b[0]", "int"),
    ("&s", "struct s *"),
    ("&arr", "int (*)[5]"),
    ("*arr", "int"),
    ("1[arr]", "int"),
    ("&g", "int (*)(int)"),
    ("*fp", "int (void)"),
    ("fp()", "int"),
    ("p + 1", "int *"),
    ("1 + p", "int *"),
    ("vp + 1", "void *"),
    ("p == 0", "int"),
    ("n ? p : 0", "int *"),
    ("n ? (void *)0 : p", "int *"),
    ("n ? vp : p", "void *"),
    ("n ? kp : p", "const int *"),
    ("n ? (volatile int *)0 : (const int *)0", "const volatile int *"),
    ("n ? vf() : (void)0", "void"),
    ("n ?: l", "long"),
    ("c + c", "int"),
    ("h << l", "int"),
    ("l << c", "long"),
    ("un + n", "unsigned"),
    ("f + n", "float"),
    ("f * d", "double"),
    ("z + 1", "_Complex double"),
    ("__real__ z", "double"),
    ("~z", "_Complex double"),
    ("1.0fi", "_Complex float"),
    ("+c", "int"),
    ("!d", "int"),
    ("e", "enum e"),
    ("e + 0", "unsigned"),
    ("A", "int"),
    ("bf.x + 0", "int"),
    ("(bf.x = 1) + 0", "int"),
    ("bf.x++ + 0", "int"),
    ("+bf.u", "unsigned"),
    ("+bf.z", "int"),
    ("+bf.b", "int"),
    ("n = d", "int"),
    ("c += d", "char"),
    ("p += 1", "int *"),
    ("ai++", "int"),
    ("ai", "_Atomic int"),
    ("(0, ai)", "int"),
    ("ci", "const int"),
    ("(0, ci)", "int"),
    ("*&ci", "const int"),
    ("(const int)1", "int"),
    ("'a'", "int"),
    ("u'a'", "unsigned short"),
    ("U'a'", "unsigned"),
    ("\"ab\"", "char[3]"),
    ("u8\"a\"", "char[2]"),
    ("u\"a\"", "unsigned short[2]"),
    ("__func__", "const char[5]"),
    ("1.0f", "float"),
    ("1.0L", "long double"),
    ("1u", "unsigned"),
    ("1ll", "long long"),
    ("0xffffffff", "unsigned"),
    ("({ int q = 1; q; })", "int"),
    ("({ const int q = 1; q; })", "int"),
    ("({ int q[3]; q; })", "int *"),
    ("({ int q = 1; lab: q; })", "int"),
    ("({ if (n) 1; })", "void"),
    ("_Generic(c, int: 1.0, char: p)", "int *"),
    ("_Generic(ci, int: 1.0, default: p)", "double"),
    ("_Generic(\"a\", char *: 1, default: 1.0)", "int"),
    ("_Generic(bf.x, unsigned: 1, default: 1.0)", "double"),
    ("(struct t){ 1 }", "struct t"),
    ("(int[]){ 1, 2 }", "int[2]"),
    ("(union u)1.0f", "union u"),
    ("&&lab2", "void *"),
    ("__builtin_choose_expr(0, 1, cp)", "char *"),
    ("__builtin_expect(n, 1)", "long"),
    ("__sync_fetch_and_add(&h, 1)", "short"),
    ("__sync_val_compare_and_swap(&p, 0, 1)", "int *"),
    ("__sync_bool_compare_and_swap(&n, 0, 1)", "_Bool"),
    ("__atomic_load_n(&vi, 5)", "int"),
    ("__atomic_fetch_add_4(&n, 1, 5)", "unsigned"),
    ("__builtin_add_overflow(1, 2, &n)", "_Bool"),
    ("__builtin_isnan(d)", "int"),
    ("__builtin_memcpy(p, p, 4)", "void *"),
    ("__builtin_complex(1.0f, 2.0f)", "_Complex float"),
    ("v + 1", "v4"),
    ("v < w", "v4"),
    ("fv < fv", "v4"),
    ("v[1]", "int"),
    ("-v", "v4"),
    ("__builtin_convertvector(v, vf4)", "vf4"),
    ("__extension__ 1", "int"),
    ("par", "int"),
    ("n ? 1 : 1.0", "double"),
    ("fs().in", "int"),
    ("(n ? s : fs()).a", "int"),
];

#[test]
fn expressions_have_the_types_that_gcc_gives_them() {
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let mut text = String::from("lab2: ;\n");
        for (expr, ty) in TYPES {
            text.push_str(&format!(
                "{{ _Static_assert(__builtin_types_compatible_p(__typeof__({expr}), {ty}), \"{ty}\"); }}\n"
            ));
        }
        // The assertions hold trivially if types are erroneous, so no error of any kind may be reported.
        assert_eq!(messages(&body(&text), model, Severity::Error), Vec::<String>::new(), "in {model:?}");
    }
}

#[test]
fn a_wrong_type_is_noticed() {
    let text = "_Static_assert(__builtin_types_compatible_p(__typeof__(c + c), char), \"\");";
    assert_eq!(messages(&body(text), DataModel::Lp64, Severity::Error).len(), 1);
}

/// Statements that gcc refuses, and a part of what we say.
const REFUSED: &[(&str, &str)] = &[
    ("e = p;", "incompatible types in assignment"),
    ("p = d;", "incompatible types in assignment"),
    ("t = u;", "incompatible types in assignment"),
    ("n = vf();", "void value used"),
    ("*ip;", "incomplete type"),
    ("(struct s)t;", "cannot be cast"),
    ("(int)s;", "cannot be cast"),
    ("(int *)d;", "cannot be cast"),
    ("(union u)p;", "cannot be cast"),
    ("(int[3])p;", "cast to an array type"),
    ("if (s) ;", "where a scalar is required"),
    ("~d;", "operand of `~`"),
    ("-p;", "operand of `-`"),
    ("p + p;", "invalid operands of `+`"),
    ("p - cp;", "invalid operands of `-`"),
    ("d % 2;", "invalid operands of `%`"),
    ("p & 1;", "invalid operands of `&`"),
    ("z < z;", "invalid operands of `<`"),
    ("s == s;", "invalid operands of `==`"),
    ("p && s;", "invalid operands of `&&`"),
    ("n ? s : t;", "do not go together"),
    ("n ? p : d;", "do not go together"),
    ("s++;", "operand of increment"),
    ("ip++;", "incomplete type"),
    ("n++ = 2;", "needs an object to write to"),
    ("1 = n;", "needs an object to write to"),
    ("arr = p;", "assignment to an array"),
    ("*kp = 1;", "read-only location"),
    ("ci++;", "read-only variable `ci`"),
    ("s.fixed = 1;", "read-only member `fixed`"),
    ("s = s;", "read-only variable `s`"),
    ("&1;", "needs an object or a function"),
    ("&s.bits;", "bit-field `bits`"),
    ("{ register int r; &r; }", "register variable `r`"),
    ("s.zz;", "no member named `zz` in `struct s`"),
    ("sp.a;", "no structure or union"),
    ("s->a;", "`->` needs a pointer"),
    ("ip->x;", "incomplete type"),
    ("n[n];", "is subscripted"),
    ("p[d];", "array subscript"),
    ("fp[0];", "pointer to a function"),
    ("*n;", "operand of `*`"),
    ("n();", "which is no function"),
    ("g();", "too few arguments to function `g`"),
    ("g(1, 2);", "too many arguments to function `g`"),
    ("g(s);", "incompatible types in argument 1 of `g`"),
    ("sizeof s.bits;", "of a bit-field"),
    ("sizeof(struct inc);", "incomplete type"),
    ("undeclared + 1;", "`undeclared` is not declared"),
    ("_Generic(n, long: 1);", "no association"),
    ("_Generic(n, int: 1, int: 2);", "compatible types"),
    ("_Generic(n, default: 1, default: 2);", "second `default`"),
    ("(void)1 + 2;", "void value used"),
    ("__builtin_va_arg(n, int);", "needs a `va_list`"),
    ("__sync_fetch_and_add(&d, 1);", "must point to an integer or pointer"),
    ("__atomic_load(&n, &c, 5);", "of the same size"),
    ("__builtin_add_overflow(1, 2, &bb);", "must point to an integer"),
    ("__builtin_offsetof(struct s, bits);", "of a bit-field"),
    ("v + fv;", "invalid operands of `+`"),
    ("v = 1;", "incompatible types in assignment"),
    ("v + l * 1.0;", "without loss"),
    ("break;", "`break` outside"),
    ("case 1: ;", "`case` outside"),
    ("switch (n) { case 1 ... 5: case 3: ; }", "duplicate `case` value"),
    ("switch (n) { default: ; default: ; }", "second `default`"),
    ("switch (d) { }", "not an integer type"),
    ("goto nowhere;", "label `nowhere` is used but not defined"),
    ("x: ; x: ;", "duplicate label `x`"),
    ("goto in; { int vla[n]; in: ; }", "variable length array"),
    ("goto in; ({ in: 1; });", "statement expression"),
    ("{ __label__ q, q; q: ; }", "declared twice"),
    ("take(&l);", "incompatible types in argument 1 of `take`"),
    ("take(n);", "incompatible types in argument 1 of `take`"),
    ("p = e;", "incompatible types in assignment"),
    ("n += v;", "incompatible types in assignment"),
    ("fp = __builtin_clz;", "`__builtin_clz` is not declared"),
    ("__builtin_constant_p(vf());", "void value used"),
    ("asm(\"\" : \"=r\"(1));", "needs an object to write to"),
    ("asm(\"\" : \"r\"(n));", "lacks `=`"),
    ("asm(\"\" : : \"=r\"(n));", "constraint of an input"),
    ("asm(\"\" : [a] \"=r\"(n), [a] \"=r\"(l));", "are named `a`"),
    ("asm(L\"x\");", "string with a prefix"),
    ("{ __label__ q; }", "after `__label__`"),
    ("if (n) int y;", "declaration cannot stand here"),
    ("do n++; while (n) n--;", "expected `;`"),
];

#[test]
fn what_gcc_refuses_is_refused_once() {
    for (statement, part) in REFUSED {
        let found = messages(&body(statement), DataModel::Lp64, Severity::Error);
        assert_eq!(found.len(), 1, "{statement}: {found:?}");
        assert!(found[0].contains(part), "{statement}: {found:?}");
    }
}

/// Statements that gcc takes with a warning, and a part of what we say.
const WARNED: &[(&str, &str)] = &[
    ("p = cp;", "incompatible pointer type"),
    ("p = kp;", "discards `const`"),
    ("p = n;", "makes a pointer from an integer"),
    ("n = p;", "makes an integer from a pointer"),
    ("fp = g;", "incompatible pointer type"),
    ("p == cp;", "distinct pointer types"),
    ("p == n;", "between a pointer and an integer"),
    ("n ? p : cp;", "different pointer types"),
    ("n ? p : n;", "one branch is a pointer"),
    ("(char)p;", "another size"),
    ("(int *)c;", "another size"),
    ("*vp;", "`void *` pointer is dereferenced"),
    ("n / 0;", "division by zero"),
    ("n << 32;", "shift count"),
    ("return 1;", "`return` with a value"),
    ("unknown(1);", "implicit declaration"),
    ("g(p);", "argument 1 of `g` makes an integer"),
    ("switch (bb) { case 2: ; }", "truth value"),
    ("__atomic_store_n(kp, 1, 5);", "discards `const`"),
    ("switch (n) { case 5 ... 3: ; }", "empty range"),
    ("n += p;", "makes an integer from a pointer"),
];

#[test]
fn what_gcc_warns_about_is_accepted_with_a_warning() {
    for (statement, part) in WARNED {
        let text = body(statement);
        assert_eq!(messages(&text, DataModel::Lp64, Severity::Error), Vec::<String>::new(), "{statement}");
        let found = messages(&text, DataModel::Lp64, Severity::Warning);
        assert!(found.iter().any(|message| message.contains(part)), "{statement}: {found:?}");
    }
}

/// Statements that gcc takes without a word.
const ACCEPTED: &[&str] = &[
    "vp = p; p = vp; fp = 0; p = (void *)0; vp = fp; cp = ucp; bb = p; p = 1 - 1;",
    "d = z; z = n; e = d; n = e; f = c;",
    "p == 0; p < 0; vp == p; vp == fp; kp == p; p && d; z == z; !z;",
    "bb++; bb--; vp++; fp++; e++; z++; d--; v++;",
    "&vf; &*p; &arr[2]; &s.b; &\"abc\"; &(int){ 1 }; *fp; **fp; (*fp)(); (***fp)(); fp();",
    "{ register int ra[3]; ra[0] = 1; }",
    "sizeof(vf); sizeof(void); _Alignof(n); sizeof n++; sizeof(int[n]); sizeof arr[0]; sizeof(int){ 1 };",
    "n ? vf() : n; n ? fp : vp; n ? kp : (void *)0; (void)s; (struct s)s;",
    "(s.b)[1] = 2; (n) = 1; sp->b[0]++; s.in += 2; *pp = p; u.b = 1;",
    "for (int i = 0; i < 3; i++) continue; for (;;) break; while (0) ; do { } while (0);",
    "switch (n) { int q; case 1: q = 1; break; case 2 ... 5: ; default: ; case 'a': ; }",
    "l1: int q; l2: ; goto *&&l1; { __label__ l1; goto l1; l1: ; } switch (n) { case 1: int y; default: }",
    "if (n) ; else if (c) { } else ; __attribute__((fallthrough)); l3: __attribute__((unused)) ;",
    "asm(\"nop\"); asm volatile (\"\" : \"=r\"(n) : \"r\"(l), \"m\"(s) : \"memory\"); asm goto (\"\" : : : : l4); l4: ;",
    "asm(\"\" :: \"r\"(n)); asm(\"%[x]\" : [x] \"+m\"(n)); asm inline volatile (\"\" ::: \"memory\");",
    "__builtin_va_list ap; __builtin_va_start(ap, par); __builtin_va_arg(ap, int); __builtin_va_end(ap);",
    "n = ({ struct local { int a; } q = { 1 }; q.a; }); n = ({ goto out; 1; }); out: ;",
    "int vla[n]; sizeof vla; int (*pv)[n] = &vla; (*pv)[0] = 1; goto later; later: ;",
    "int nested(int q) { return q + n; } nested(1);",
    "__builtin_prefetch(p); __builtin_prefetch(p, 1, 3); __builtin_unreachable(); __builtin_trap();",
    "__sync_synchronize(); __sync_lock_release(&n); __sync_lock_test_and_set(&p, 0); __sync_fetch_and_add(&n, 1, n, l);",
    "__atomic_compare_exchange_n(&n, &n, 1, 0, 5, 5); __atomic_thread_fence(5); __atomic_store(&s, &s, 5);",
    "__atomic_test_and_set(&bb, 5); __atomic_clear(&bb, 5); __atomic_fetch_nand(&un, 1, 0); __atomic_is_lock_free(4, p);",
    "g(c); g(d); g(e); vf(); __builtin_printf(\"%d\", n); __builtin_abort();",
    "{ typedef int g; g q = 1; n = q; } { int e = 1; n = e; } (n, c) + 1; -1 ?: 2;",
    "void *labels[] = { &&la, &&lb }; goto *labels[n]; la: lb: ;",
    "static int distances[] = { &&lx - &&ly, (char *)&&ly - (char *)&&lx }; lx: ly: ;",
    "take(p); take(cp); take(0); take(vp); take((void *)0); either x; take(x);",
    "_Generic(*ip, default: 1); p ?: 0; (__real__ n) = 1; fp = (int (*)(void))__builtin_abs;",
    "n = __builtin_types_compatible_p(int[], int[5]); n = __builtin_offsetof(struct s, in);",
];

#[test]
fn what_gcc_accepts_is_accepted() {
    for statement in ACCEPTED {
        for model in [DataModel::Lp64, DataModel::Ilp32] {
            let text = body(statement);
            assert_eq!(messages(&text, model, Severity::Error), Vec::<String>::new(), "{statement}");
        }
    }
}

#[test]
fn integer_constants_take_the_first_type_that_holds_them() {
    let literal = |value: u128, decimal: bool, unsigned: bool, longs: u8| IntegerLiteral {
        value,
        decimal,
        unsigned,
        longs,
        imaginary: false,
        too_large: false,
    };
    let (lp64, ilp32) = (DataModel::Lp64, DataModel::Ilp32);
    let kind = |model, value, decimal, unsigned, longs| {
        integer_literal_type(model, &literal(value, decimal, unsigned, longs)).0
    };
    assert_eq!(kind(lp64, 1 << 31, true, false, 0), IntKind::Long);
    assert_eq!(kind(lp64, 1 << 31, false, false, 0), IntKind::UnsignedInt);
    assert_eq!(kind(lp64, 1 << 63, false, false, 0), IntKind::UnsignedLong);
    assert_eq!(kind(lp64, 1 << 63, true, false, 0), IntKind::Int128);
    assert_eq!(kind(lp64, 1 << 32, true, true, 0), IntKind::UnsignedLong);
    assert_eq!(kind(lp64, 1, true, false, 2), IntKind::LongLong);
    assert_eq!(kind(ilp32, 1 << 31, true, false, 0), IntKind::LongLong);
    assert_eq!(kind(ilp32, 1 << 31, false, false, 1), IntKind::UnsignedLong);
    assert_eq!(kind(ilp32, 1 << 32, true, true, 1), IntKind::UnsignedLongLong);
    assert_eq!(kind(ilp32, 1 << 63, true, false, 0), IntKind::LongLong);
}
