//! Random expressions, right and wrong ones, held against gcc for both data models: which are refused, and what types the
//! others have.

#![expect(clippy::unwrap_used, reason = "a test may fail")]

mod common;

use common::{Random, gcc};
use raddle_cfront::layout::DataModel;

/// Of each data model.
const SEEDS: std::ops::Range<u64> = 0..6;
/// In one text: few enough that no front end gives up after too many errors.
const EXPRESSIONS: usize = 12;
const TEXTS: usize = 6;

const DECLARATIONS: &str = "\
struct s { int a; int b[4]; struct { int in; }; unsigned bits : 5; const int fixed; }; union u { int a; float b; }; \
struct inc; enum e { A, B }; struct t { int a; }; struct bits { unsigned x : 5; unsigned u : 32; _Bool b : 1; }; \
extern struct s s, fs(void), *sp, sarr[2]; extern const struct s *ksp; extern union u u; extern struct inc *ip; \
extern enum e e, *ep; extern struct t t; extern struct bits bf; extern int n, *p, **pp, arr[5], arr2[3][4], g(int); \
extern int (*fp)(void), (*parr)[4], (*fparr[2])(int); extern char c, *cp, str[10]; extern const int *kp, ci; \
extern volatile int vi, *vip; extern _Atomic int ai; extern double d; extern float f; extern long double ld; \
extern long l; extern unsigned un; extern unsigned long ul; extern long long ll; extern short h; extern signed char sc; \
extern unsigned short us; extern void *vp, **vpp, vf(void); extern _Complex double z; extern _Complex float zf; \
extern unsigned char *ucp; extern _Bool bb; extern const char *const names[3]; extern int *const cpi;";

const ATOMS: &str = "\
s;fs();sp;sarr;ksp;u;ip;e;ep;t;bf;n;p;pp;arr;arr2;g;fp;parr;fparr;c;cp;str;kp;ci;vi;vip;ai;d;f;ld;l;\
un;ul;ll;h;sc;us;vp;vpp;vf;vf();z;zf;ucp;bb;names;cpi;A;B;0;1;2.5;1.0f;10L;3u;'a';\"abc\";\
(void *)0;(char *)0;*ip;*vp;s.a;sp->b;s.in;bf.x;bf.b;bf.u;sarr[1].a;1.0i;L\"x\";0x80000000;g(1);\
fp();*fp;&n;&arr;&s;&vf;undeclared";

const PREFIXES: &str = "\
-;+;~;!;*;&;++;--;sizeof ;__alignof__ ;__real__ ;__imag__ ;(int);(char);(void *);(int *);(double);\
(struct s *);(void);(_Bool);(unsigned long);(enum e);(const char *);(int (*)(void));(union u);\
(struct s);(_Complex double)";

const OPERATORS: &str = "\
+;-;*;/;%;<<;>>;<;>;<=;>=;==;!=;&;^;|;&&;||;,;=;+=;-=;*=;<<=;|=;%=";

/// The types that are distinguished; what has another type is passed over. (`unsigned *` is compatible with `enum e *`.)
const TYPES: &str = "\
_Bool;char;signed char;unsigned char;short;unsigned short;int;unsigned;long;unsigned long;long long;\
unsigned long long;float;double;long double;_Complex float;_Complex double;_Complex long double;\
void *;const void *;volatile void *;int *;const int *;volatile int *;const volatile int *;char *;\
const char *;unsigned char *;struct s *;const struct s *;struct s;union u;union u *;struct t;\
struct t *;struct bits;struct bits *;enum e *;int **;void **;int (*)(void);int (*)(int);\
void (*)(void);struct s (*)(void);int (*)[4];int (*)[5];int (*)[3][4];struct s (*)[2];char (*)[10];\
char (*)[4];const char *const *;_Bool *;_Complex double *;_Complex float *;double *;float *;\
long double *;long *;unsigned long *;long long *;short *;unsigned short *;signed char *;\
_Atomic int *;int *const *;void ***;int ***;struct inc *;int (**)(int)";

/// One of a list whose entries end with semicolons.
fn choose<'a>(random: &mut Random, list: &'a str) -> &'a str {
    let entries: Vec<&str> = list.split(';').collect();
    random.pick(&entries)
}

fn expression(random: &mut Random, depth: u32) -> String {
    let inner = |random: &mut Random| expression(random, depth - 1);
    if depth == 0 {
        return choose(random, ATOMS).to_owned();
    }
    match random.below(20) {
        0..=2 => choose(random, ATOMS).to_owned(),
        3..=7 => format!("({}{})", choose(random, PREFIXES), inner(random)),
        8..=13 => format!("({} {} {})", inner(random), choose(random, OPERATORS), inner(random)),
        14 => format!("({}){}", inner(random), random.pick(&["++", "--"])),
        15 => format!("({} ? {} : {})", inner(random), inner(random), inner(random)),
        16 => format!("({})[{}]", inner(random), inner(random)),
        17 => format!("({}){}", inner(random), random.pick(&[".a", "->a", ".b", "->in", ".x", "->zz"])),
        18 => {
            let arguments: Vec<String> = (0..random.below(3)).map(|_| inner(random)).collect();
            format!("({})({})", inner(random), arguments.join(", "))
        }
        _ => format!("({} ?: {})", inner(random), inner(random)),
    }
}

/// The expressions, one a line after the declarations.
fn lines(expressions: &[String], line: impl Fn(usize, &str) -> String) -> String {
    let mut text = DECLARATIONS.to_owned();
    for (place, expression) in expressions.iter().enumerate() {
        text.push('\n');
        text.push_str(&line(place, expression));
    }
    text.push('\n');
    text
}

fn compare_refusals(model: DataModel, expressions: &[String]) -> Vec<String> {
    let text = lines(expressions, |place, expression| format!("void f{place}(void) {{ {expression}; }}"));
    let refused = gcc::compile(model, &text).map_or_else(|message| gcc::errors(&message), |_| Vec::new());
    let (_, ours) = common::read(model, &text);
    let mut accepted = Vec::new();
    for (place, expression) in expressions.iter().enumerate() {
        let find = |complaints: &[common::Complaint]| {
            complaints.iter().find(|(line, _)| *line == place + 2).cloned()
        };
        match (find(&refused), find(&ours)) {
            (Some((_, message)), None) => panic!("gcc refuses `{expression}` in {model:?}: {message}"),
            (None, Some((_, message))) => {
                panic!("gcc accepts `{expression}` in {model:?}; we say: {message}")
            }
            (Some(_), Some(_)) => {}
            (None, None) => accepted.push(expression.clone()),
        }
    }
    accepted
}

/// Compares the types of expressions that both accept; gives how many were compared.
fn compare_types(model: DataModel, expressions: &[String]) -> usize {
    let selection: Vec<String> =
        TYPES.split(';').enumerate().map(|(place, ty)| format!("{ty}: {}", place + 1)).collect();
    let selection = selection.join(", ");
    let text = lines(expressions, |place, expression| {
        format!("unsigned char t{place} = _Generic(({expression}), {selection}, default: 0);")
    });
    let objects = gcc::objects(&gcc::compile(model, &text).unwrap());
    let mut compared = 0;
    for (place, expression) in expressions.iter().enumerate() {
        let Some(&number) = objects.get(&format!("t{place}")).and_then(|bytes| bytes.first()) else {
            continue;
        };
        let Some(ty) = usize::from(number).checked_sub(1).and_then(|place| TYPES.split(';').nth(place))
        else {
            continue;
        };
        let text = lines(
            &[format!("_Static_assert(_Generic(({expression}), {ty}: 1, default: 0), \"\");")],
            |_, line| line.to_owned(),
        );
        let (_, complaints) = common::read(model, &text);
        assert!(
            complaints.is_empty(),
            "`{expression}` has type `{ty}` with gcc in {model:?}: {complaints:?}"
        );
        compared += 1;
    }
    compared
}

fn sample(test: &str, model: DataModel) {
    if !gcc::available(test) {
        return;
    }
    let mut compared = 0;
    for seed in SEEDS {
        let mut random = Random::new(seed);
        for _ in 0..TEXTS {
            let expressions: Vec<String> = (0..EXPRESSIONS)
                .map(|_| {
                    let depth = u32::try_from(1 + random.below(3)).unwrap();
                    expression(&mut random, depth)
                })
                .collect();
            let accepted = compare_refusals(model, &expressions);
            compared += compare_types(model, &accepted);
        }
    }
    assert!(compared > 50, "only {compared} expressions had a type to compare");
}

#[test]
fn random_expressions_are_typed_as_by_gcc_in_lp64() {
    sample("random_expressions_are_typed_as_by_gcc_in_lp64", DataModel::Lp64);
}

#[test]
fn random_expressions_are_typed_as_by_gcc_in_ilp32() {
    sample("random_expressions_are_typed_as_by_gcc_in_ilp32", DataModel::Ilp32);
}
