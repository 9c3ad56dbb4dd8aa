//! Declarations: what is accepted, what it means, and what is rejected with which message.
//!
//! Every text here was tried with gcc 12 (`-fsyntax-only -std=gnu17`): accepted ones are accepted there, rejected
//! ones rejected.

use crate::Parsed;
use crate::ast::{Attribute, Function, Inline, Item, Storage, Var};
use crate::check::describe::spell;
use crate::testing::{errors, parse_str, warnings};
use crate::types::QualType;

fn accepted(text: &str) -> Parsed {
    assert_eq!(errors(text), Vec::<String>::new(), "in {text}");
    parse_str(text)
}

/// Each text must be rejected with exactly one error that contains the words.
fn rejected(cases: &[(&str, &str)]) {
    for (text, words) in cases {
        let found = errors(text);
        assert!(found.len() == 1 && found[0].contains(words), "{text}\nwanted {words:?}, found {found:?}");
    }
}

fn variable<'a>(parsed: &'a Parsed, name: &str) -> &'a Var {
    let named = |var: &&Var| var.name.is_some_and(|symbol| parsed.ast.text(symbol) == name);
    parsed.ast.vars.values().rev().find(named).expect("the variable is declared")
}

fn function<'a>(parsed: &'a Parsed, name: &str) -> &'a Function {
    let named = |function: &&Function| parsed.ast.text(function.name) == name;
    parsed.ast.functions.values().rev().find(named).expect("the function is declared")
}

fn spelled(parsed: &Parsed, ty: QualType) -> String {
    spell(&parsed.ast, parsed.ast.types.canonical(ty))
}

/// The canonical type of the last variable or function `x` declared in the text.
fn type_of_x(text: &str) -> String {
    let parsed = accepted(text);
    let is_x = |symbol| parsed.ast.text(symbol) == "x";
    let var = parsed.ast.vars.values().rev().find(|var| var.name.is_some_and(is_x)).map(|var| var.ty);
    let function = parsed.ast.functions.values().find(|function| is_x(function.name));
    spelled(&parsed, var.or(function.map(|function| function.ty)).expect("x is declared"))
}

#[test]
fn specifiers_come_in_any_order() {
    for (text, ty) in [
        ("int long unsigned x;", "unsigned long"),
        ("long const static int long x;", "const long long"),
        ("short unsigned int volatile x;", "volatile unsigned short"),
        ("char signed x;", "signed char"),
        ("double long x;", "long double"),
        ("_Complex float x;", "_Complex float"),
        ("long _Complex double x;", "_Complex long double"),
        ("unsigned __int128 x;", "unsigned __int128"),
        ("_Float128 x;", "_Float128"),
        ("_Bool _Atomic x;", "_Atomic _Bool"),
        ("_Atomic(long) x;", "_Atomic long"),
        ("signed x;", "int"),
        ("__extension__ long long x;", "long long"),
        ("__typeof__(int *) x;", "int *"),
        ("int y; typeof(y) x;", "int"),
        ("typedef int A[3]; const A x;", "const int [3]"),
    ] {
        assert_eq!(type_of_x(text), ty, "in {text}");
    }
}

#[test]
fn specifiers_that_contradict_each_other_are_rejected() {
    rejected(&[
        ("short double x;", "cannot be combined"),
        ("signed unsigned x;", "cannot be combined"),
        ("unsigned float x;", "cannot be combined"),
        ("long char x;", "cannot be combined"),
        ("long long long x;", "too long"),
        ("int int x;", "two or more data types"),
        ("typedef int T; T int x;", "two or more data types"),
        ("struct s {int a;} int x;", "expected `;` behind the definition"),
        ("unsigned unsigned x;", "duplicate `unsigned`"),
        ("static extern int x;", "more than one storage class"),
        ("static static int x;", "duplicate `static`"),
        ("_Complex _Bool x;", "cannot be combined"),
        ("int restrict x;", "only a pointer can be `restrict`"),
        ("typedef int A[3]; _Atomic A x;", "cannot be `_Atomic`"),
        ("_Atomic(const int) x;", "qualified type"),
    ]);
}

#[test]
fn declarators_of_any_depth() {
    for (text, ty) in [
        ("int *x;", "int *"),
        ("int *const *volatile x;", "int *const *volatile"),
        ("int x[2][3];", "int [2][3]"),
        ("int *x[3];", "int *[3]"),
        ("int (*x)[3];", "int (*)[3]"),
        ("int (*x[4])(void);", "int (*[4])(void)"),
        ("int (*(*x)(int))[5];", "int (*(*)(int))[5]"),
        ("char *(*(**x[3][8])(void))[7];", "char *(*(**[3][8])(void))[7]"),
        ("void (*x(int, void (*)(int)))(int);", "void (*(int, void (*)(int)))(int)"),
        ("int (((x)));", "int"),
        ("int (x)(int);", "int (int)"),
        ("int (__attribute__((unused)) *x);", "int *"),
        (
            "int x(int a[static 3], int b[const 2][4], int f(int), ...);",
            "int (int *, int (*)[4], int (*)(int), ...)",
        ),
        ("int x();", "int ()"),
        ("int x(void);", "int (void)"),
        ("typedef int T; int x(T);", "int (int)"),
        ("typedef int T; int x(int (T));", "int (int (*)(int))"),
        ("typedef int T; int x(int T, int);", "int (int, int)"),
        ("int x(int n, int a[n][n], int b[*][*]);", "int (int, int (*)[*], int (*)[*])"),
        ("int x(int n; int a[n], int n);", "int (int *, int)"),
        ("const int x(void);", "int (void)"),
        ("int x(const int);", "int (int)"),
    ] {
        assert_eq!(type_of_x(text), ty, "in {text}");
    }
}

#[test]
fn impossible_types_are_rejected() {
    rejected(&[
        ("int f(void)[3];", "function returning an array"),
        ("int f(void)(void);", "function returning a function"),
        ("int a[3](void);", "array of functions"),
        ("void a[3];", "array of `void`"),
        ("struct s a[3];", "incomplete type"),
        ("int a[][];", "incomplete type"),
        ("int a[-1];", "negative"),
        ("int n; int a[n];", "must be constant"),
        ("int a[static 3];", "no parameter"),
        ("int (*a)[*];", "outside of a function prototype"),
        ("void f(int a[*]) {}", "in a function definition"),
        ("void f(int n, int (*a)[static 3]);", "no parameter"),
        ("int a[1000000000][1000000000][1000000000];", "too large"),
    ]);
}

#[test]
fn parameter_lists() {
    rejected(&[
        ("void f(void, int);", "must be the only parameter"),
        ("void f(int, void);", "must be the only parameter"),
        ("void f(const void);", "stands alone"),
        ("void f(int a, int a);", "two parameters are named `a`"),
        ("void f(static int a);", "storage class"),
        ("void f(...);", "before `...`"),
        ("void f(int, ..., int);", "expected `)`"),
        ("void f(int a, b);", "unknown type name `b`"),
        ("void f(struct s { int b } a, union s *c);", "not the tag"),
        ("struct s; void f(struct s x) {}", "incomplete type"),
        ("void f(int a) { int a; }", "redeclaration of `a`"),
        ("void f(a, b) int c; {}", "no parameter"),
        ("void f(a) int a; int a; {}", "declared twice"),
        ("void f(a) int a = 3; {}", "cannot be initialised"),
    ]);
    accepted("void f(int a) { { int a; } }");
    accepted("void f(int); void f(const int a) {}");
    accepted("void f(register int a, ...);");
    accepted("int f(int (*g)(struct s *), int);");
}

#[test]
fn old_style_definitions() {
    let parsed =
        accepted("int f(a, b, c) char *b; register short c; { return; }".replace("return;", "").as_str());
    let f = function(&parsed, "f");
    assert!(f.old_style && f.parameters.len() == 3);
    let types: Vec<_> = f.parameters.iter().map(|&var| spelled(&parsed, parsed.ast.vars[var].ty)).collect();
    assert_eq!(types, ["int", "char *", "short"]);
    assert_eq!(spelled(&parsed, f.ty), "int (int, char *, short)");
    assert_eq!(warnings("f(a) {}").len(), 2, "the result and the parameter default to int");
    accepted("int f(int); int f(a) char a; {}");
    accepted("int f(char); int f(a) char a; {}");
    rejected(&[
        ("int f(int); int f(a) long a; {}", "conflicting types"),
        ("int f(int, int); int f(a) int a; {}", "conflicting types"),
    ]);
}

#[test]
fn implicit_int_is_a_warning() {
    for text in
        ["x;", "*x;", "static x;", "const x;", "f();", "f(void) {}", "void f(void) { static x; auto y; }"]
    {
        assert!(warnings(text).iter().all(|message| message.contains("defaults to `int`")), "in {text}");
        assert!(!warnings(text).is_empty(), "in {text}");
    }
}

#[test]
fn typedef_names_follow_scopes() {
    accepted("typedef int T; void f(void) { T T; T; }");
    accepted("typedef int T; void f(T T) { T; }");
    accepted("typedef int T; struct s { T T; unsigned T2; }; void g(void) { unsigned T; T; } T y;");
    accepted("typedef int T; typedef int T; T x;");
    accepted("typedef struct s s; struct s { s *next; }; s x;");
    accepted("typedef int T; void f(void) { { long T; T; } T x; }");
    accepted("typedef int A[]; A x; A y;");
    assert_eq!(type_of_x("typedef char T; void f(void) { typedef long T; T x; }"), "long");
    assert_eq!(type_of_x("typedef char T; void f(void) { const T x; }"), "const char");
    rejected(&[
        ("typedef int T; int T;", "different kind"),
        ("typedef int T; typedef char T;", "conflicting types"),
        ("typedef int T; void f(void) { unsigned T x; }", "expected"),
        ("T x;", "unknown type name `T`"),
        ("static T *x;", "unknown type name `T`"),
        ("struct T {int a;}; T x;", "unknown type name `T`"),
        ("typedef int T = 3;", "is initialised"),
        ("void f(void) { int T; typedef int T; }", "different kind"),
    ]);
}

#[test]
fn redeclarations_are_merged_or_rejected() {
    assert_eq!(type_of_x("int x[]; int x[7]; extern int x[];"), "int [7]");
    assert_eq!(type_of_x("int x(); int x(int *);"), "int (int *)");
    assert_eq!(type_of_x("int (*x)(int a[]); extern int (*x)();"), "int (*)(int *)");
    accepted("static int x; extern int x;");
    accepted("static int f(void); int f(void) {}");
    accepted("extern int x; int x; int x; int x = 3;");
    accepted("void f(void) { extern int x; { extern int x; } } int x;");
    accepted("static struct s x; struct s {int a;};");
    rejected(&[
        ("int x; char x;", "conflicting types for `x`"),
        ("int f(int); int f(char);", "conflicting types for `f`"),
        ("int f(); int f(char);", "conflicting types for `f`"),
        ("static int x; int x;", "non-static declaration"),
        ("int x; static int x;", "static declaration"),
        ("int f(void); static int f(void) {}", "static one"),
        ("int x = 1; int x = 2;", "redefinition of `x`"),
        ("int f(void) {} int f(void) {}", "redefinition of `f`"),
        ("int x; int x(void);", "different kind"),
        ("void f(void) { int b; int b; }", "redeclaration of `b`"),
        ("void f(void) { int b; extern int b; }", "without linkage"),
        ("void f(void) { extern int b; int b; }", "without linkage"),
        ("void f(void) { extern int x; } char x;", "conflicting types"),
        ("__thread int x; int x;", "thread-local"),
        ("struct s x;", "storage size"),
        ("void f(void) { int a[]; }", "array size"),
        ("void f(void) { struct s a; }", "storage size"),
        ("void f(void) { static int g(void); }", "storage class"),
        ("void f(void) { extern int x = 4; }", "both `extern`"),
        ("auto int x;", "`auto`"),
        ("register int x;", "no register"),
        ("void f(void) { __thread int x; }", "_Thread_local"),
    ]);
}

#[test]
fn storage_and_definitions() {
    let parsed =
        accepted("extern int a; static int b; int c; void f(void) { int d; static int e; register int g; }");
    let storage: Vec<_> =
        ["a", "b", "c", "d", "e", "g"].iter().map(|name| variable(&parsed, name).storage).collect();
    use Storage::{Automatic, External, Register, Static};
    assert_eq!(storage, [External, Static, External, Automatic, Static, Register]);
    assert!(!variable(&parsed, "a").defined && variable(&parsed, "c").defined);
    let parsed = accepted("int x; extern int x; int x; int x = 3;");
    let definitions: Vec<_> = parsed.ast.units[0]
        .items
        .iter()
        .map(|item| matches!(item, Item::Var { definition: true, .. }))
        .collect();
    assert_eq!(definitions, [false, false, false, true]);
}

#[test]
fn inline_has_flavours() {
    for (text, inline) in [
        ("int f(void) {}", Inline::No),
        ("inline int f(void) {}", Inline::Inline),
        ("static inline int f(void) {}", Inline::Inline),
        ("extern inline int f(void) {}", Inline::Extern),
        ("inline int f(void) {} int f(void);", Inline::Extern),
        ("extern int f(void); inline int f(void) {}", Inline::Extern),
        ("extern inline __attribute__((gnu_inline)) int f(void) {}", Inline::Gnu),
        ("extern inline __attribute__((gnu_inline)) int f(void) {} int f(void) {}", Inline::No),
    ] {
        assert_eq!(function(&accepted(text), "f").inline, inline, "in {text}");
    }
}

#[test]
fn records() {
    accepted(
        "struct s; struct s { struct s *next; struct { int a; union { int b; float c; }; }; int : 3, d : 4; };",
    );
    accepted("struct { } x; union { } y; struct { int a[0]; } z; struct { int n; int a[]; } w;");
    accepted(
        "struct s { int a; _Static_assert(1, \"x\"); _Static_assert(1); ; struct t { int b; } t; }; struct t x;",
    );
    assert_eq!(warnings("struct { int a } x;"), ["no semicolon at the end of a member declaration"]);
    assert_eq!(warnings("struct { int; struct s { int a; }; } x;").len(), 2);
    rejected(&[
        ("struct s {int a;}; struct s {int b;};", "redefinition of `struct s`"),
        ("struct s {struct s {int a;} x;};", "nested redefinition"),
        ("struct s; enum s {A};", "not the tag"),
        ("struct s; void f(void) { union s *x; }", "not the tag"),
        ("struct {int a; int a;} x;", "duplicate member `a`"),
        ("struct {int a; struct {int a;};} x;", "duplicate member `a`"),
        ("struct {int a[]; int b;} x;", "not the last"),
        ("struct {int a[];} x;", "no other named member"),
        ("union {int a[]; int b;} x;", "in a union"),
        ("struct {int a:33;} x;", "wider than its type"),
        ("struct {_Bool a:2;} x;", "wider than its type"),
        ("struct {int a:-1;} x;", "negative width"),
        ("struct {int a:0;} x;", "width zero"),
        ("struct {float f:3;} x;", "not an integer type"),
        ("struct {_Atomic int b:2;} x;", "atomic"),
        ("struct {int f(void);} x;", "declared as a function"),
        ("struct {void v;} x;", "declared `void`"),
        ("struct {struct q z;} x;", "incomplete type"),
        ("struct {static int a;} x;", "expected a member's type"),
        ("struct s { int a; } x y;", "expected `;`"),
    ]);
}

#[test]
fn enumerations() {
    let parsed = accepted("enum e { A, B = 5, C, D = -2, E, } x; enum e y; enum e f(void);");
    let values = parsed.ast.enums.values().next().and_then(|e| e.constants.as_ref()).expect("e is defined");
    assert_eq!(values.iter().map(|constant| constant.value).collect::<Vec<_>>(), [0, 5, 6, -2, -1]);
    accepted("enum { A = 4294967295L, B = A, C }; enum { D = -5000000000LL, E };");
    accepted("enum e *p; enum e { A __attribute__((deprecated)) = 1 } __attribute__((packed));");
    rejected(&[
        ("enum {};", "at least one"),
        ("enum {A,,B};", "expected identifier"),
        ("enum {A B};", "expected `,` or `}`"),
        ("enum {A, A};", "redeclaration of enumeration constant"),
        ("int A; enum {A};", "different kind"),
        ("enum {A}; int A;", "different kind"),
        ("enum e x;", "storage size"),
        ("enum { A = 2147483647, B };", "does not fit"),
        ("enum { A = 4294967295U, B };", "does not fit"),
    ]);
}

#[test]
fn attributes() {
    let parsed = accepted(
        "int a __attribute__((aligned(16), weak)), b __attribute__((__aligned__)); \
         __attribute__((noreturn)) void f(void) __attribute__((constructor(101), nothrow)); \
         [[gnu::always_inline]] int g(void); int h(int) __attribute__((alias(\"g\")));",
    );
    assert_eq!((variable(&parsed, "a").align, variable(&parsed, "b").align), (Some(16), Some(16)));
    assert_eq!(variable(&parsed, "a").attributes, [Attribute::Weak]);
    assert!(function(&parsed, "f").noreturn);
    assert_eq!(function(&parsed, "f").attributes, [Attribute::Constructor(Some(101))]);
    assert_eq!(function(&parsed, "g").attributes, [Attribute::AlwaysInline]);
    assert!(matches!(function(&parsed, "h").attributes[..], [Attribute::Alias(_)]));
    assert_eq!(type_of_x("typedef int T __attribute__((mode(DI))); T x;"), "long");
    assert_eq!(type_of_x("unsigned x __attribute__((__mode__(__QI__)));"), "unsigned char");
    accepted(
        "struct __attribute__((packed)) s { char c; int i __attribute__((aligned(2))); } __attribute__((aligned(8)));",
    );
    accepted(
        "int f(int a __attribute__((unused)), int __attribute__((unused)) b, __attribute__((x)) int c);",
    );
    accepted("typedef float V __attribute__((vector_size(16))); V x;");
    rejected(&[
        ("int x __attribute__((aligned(3)));", "power of two"),
        ("int x __attribute__((foo bar));", "expected `)`"),
        ("int x __attribute__((foo(1 2)));", "expected `)`"),
        ("void f(void) __attribute__((__regparm__()));", "wrong number of arguments"),
        ("int x __attribute__((packed(1)));", "wrong number of arguments"),
        ("int x __attribute__((if));", "name of an attribute"),
        ("int x __attribute__((mode(XX)));", "unknown machine mode"),
        ("_Alignas(3) int x;", "power of two"),
        ("_Alignas(1) int x;", "cannot reduce"),
        ("typedef _Alignas(16) int T;", "alignment specified"),
        ("void f(_Alignas(16) int a);", "alignment specified"),
    ]);
}

#[test]
fn pragma_pack_reaches_the_records_behind_it() {
    let parsed = accepted(
        "#pragma pack(push, 2)\nstruct a { char c; int i; };\n#pragma pack(pop)\nstruct b { char c; int i; };\n\
         #pragma pack(1)\nstruct c { char c; int i; };\n#pragma pack()\nstruct d { char c; int i; };\n",
    );
    let pack: Vec<_> = parsed.ast.records.values().map(|record| (record.pack, record.size)).collect();
    assert_eq!(pack, [(Some(2), 6), (None, 8), (Some(1), 5), (None, 8)]);
}

#[test]
fn items_come_in_an_order_that_can_be_printed() {
    let parsed =
        accepted("struct a { struct b { struct a *p; } b; } x; struct q *y; typedef struct { int z; } T;");
    assert_eq!(
        shapes(&parsed),
        ["struct a;", "struct b {}", "struct a {}", "x", "struct q;", "y", "struct ? {}", "T"]
    );
    let parsed = accepted("struct a { struct { int b; }; struct { int c; } d; };");
    assert_eq!(shapes(&parsed), ["struct a;", "struct ? {}", "struct a {}"]);
}

fn shapes(parsed: &Parsed) -> Vec<String> {
    parsed.ast.units[0].items.iter().map(|item| shape(parsed, *item)).collect()
}

fn shape(parsed: &Parsed, item: Item) -> String {
    let ast = &parsed.ast;
    match item {
        Item::Record { id, definition } => {
            let tag = ast.records[id].tag.map_or("?", |tag| ast.text(tag));
            format!("struct {tag}{}", if definition { " {}" } else { ";" })
        }
        Item::Var { id, .. } => ast.vars[id].name.map_or("?", |name| ast.text(name)).to_owned(),
        Item::Typedef(id) => ast.text(ast.typedefs[id].name).to_owned(),
        Item::Enum(_) | Item::Function { .. } | Item::Asm(_) | Item::Label(_) => "other".to_owned(),
    }
}

#[test]
fn static_assertions() {
    accepted("_Static_assert(1, \"x\"); _Static_assert(2); void f(void) { _Static_assert(1); }");
    rejected(&[
        ("_Static_assert(0, \"too big\");", "static assertion failed: \"too big\""),
        ("_Static_assert(0);", "static assertion failed"),
        ("int x; _Static_assert(x, \"y\");", "constant"),
        ("_Static_assert(1, 2);", "expected a string literal"),
    ]);
}

#[test]
fn an_error_does_not_derail_what_follows() {
    for (text, count) in [
        ("int x y; int z = ; char *p; int p2;", 2),
        ("int f( { } int g(void) { return 1 1; } char z;", 2),
        ("struct { int a b; int c; } x; T y; int z;", 2),
        ("foo bar baz; int z;", 2),
        ("int a[3; int z;", 1),
        ("} int z;", 1),
        ("int f(int a) { int b } int z;", 1),
        ("int f(int a, ) { } int z;", 1),
        ("enum e { A, B = , C }; int z;", 1),
        ("int (*(x); int z;", 1),
        ("int x = { 1, 2 ; int z;", 1),
        ("int f(void) { if } int z;", 1),
        ("int x int z;", 1),
        ("struct s { int a } int z;", 1),
        ("struct s { int a int b; }; struct s x; int z = sizeof(x.b);", 1),
        ("typedef int T; unsigned T k; int z;", 1),
        ("int f(void) { int x return 1; } int z;", 1),
    ] {
        let parsed = parse_str(text);
        assert!(parsed.diagnostics.has_errors(), "in {text}");
        let found = parsed.diagnostics.error_count();
        assert!(found <= count, "{found} errors in {text}");
        variable(&parsed, "z");
    }
}

#[test]
fn nested_functions_belong_to_their_function() {
    let parsed = accepted("int f(int a) { auto int g(int); int g(int b) { } int h(void) { } } int g(char);");
    assert!(parsed.ast.functions.values().filter(|function| function.owner.is_some()).count() == 2);
    assert_eq!(spelled(&parsed, function(&parsed, "g").ty), "int (char)");
}

#[test]
fn deep_nesting_is_an_error_and_no_more() {
    let deep = format!("int {}x{};", "(".repeat(100_000), ")".repeat(100_000));
    assert!(errors(&deep)[0].contains("nesting"));
    accepted(&format!("int {}x;", "*".repeat(100_000)));
}
