//! The pass `lal_reps`: bugs that need a number of rounds are found with as many and not with fewer, nothing is reported from
//! memory that was guessed wrong, and what cannot be treated is refused by name.
//!
//! The sequential programs are judged by our own bounded checker, in process. `RADDLE_BLESS=1` writes the snapshot anew;
//! `RADDLE_PASSES=all` asks gcc about all cases, not only about a sample.

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work fails")]

#[path = "../../sequentialize/tests/common/mod.rs"]
mod common;

use common::{accepted, environment, files, folder, gcc_is_there, program_from, read, write};
use raddle_base::{Budget, SourceMap};
use raddle_cfront::layout::DataModel;
use raddle_cfront::parse_program;
use raddle_engines::po_bmc::PoBmc;
use raddle_engines::{Bounds, Engine as _, MemoryModel, NoProgress, Solving, Task, Verdict};
use raddle_ir::Property;
use raddle_lower::{LowerOptions, lower, models};
use raddle_sequentialize::{Pipeline, Program, RunError, linemap, schema};

/// What the programs use, without headers.
const HEAD: &str = r#"
typedef unsigned long pthread_t;
typedef union { char bytes[40]; long align; } pthread_mutex_t;
typedef union { char bytes[48]; long long align; } pthread_cond_t;
typedef union { char bytes[4]; int align; } pthread_mutexattr_t;
typedef union { char bytes[56]; long align; } pthread_attr_t;
typedef union { char bytes[4]; int align; } pthread_condattr_t;
int pthread_create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void pthread_exit(void *) __attribute__((noreturn));
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
void free(void *);
char *elsewhere(void);
void abort(void) __attribute__((noreturn));
void __VERIFIER_assume(int);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
#define assert(c)
"#;

/// A program with its head; `assert` is written out, for there is no preprocessor here.
fn whole(body: &str) -> String {
    let mut text = HEAD.replace("#define assert(c)\n", "");
    for line in body.lines() {
        match line.split_once("assert(") {
            Some((before, rest)) => {
                let (condition, after) = rest.rsplit_once(");").unwrap();
                text += &format!(
                    "{before}{{ if (!({condition})) __assert_fail(\"{condition}\", \"test.c\", 0, \"\"); }}{after}\n"
                );
            }
            None => text += &format!("{line}\n"),
        }
    }
    text
}

fn program_of(text: &str) -> Program {
    let mut sources = SourceMap::new();
    let (models_name, models_text) = models();
    let units = [
        sources.add("test.c", text.as_bytes().to_vec()).unwrap(),
        sources.add(models_name, models_text.into_bytes()).unwrap(),
    ];
    let parsed = parse_program(&mut sources, &units, DataModel::Lp64);
    let errors: Vec<_> = parsed.diagnostics.iter().map(|found| found.message.clone()).collect();
    assert!(!parsed.diagnostics.has_errors(), "{errors:?}");
    Program::new(sources, parsed.ast, 1)
}

/// The sequential program as text, or why there is none.
fn sequential(pipeline: &str, body: &str) -> Result<String, String> {
    let mut program = program_of(&whole(body));
    match Pipeline::parse(pipeline).unwrap().run(&mut program, true, |_, _, _| {}) {
        Ok(()) => Ok(linemap::print(&program).text),
        Err(RunError::Refused { pass, refusal }) => {
            let place = program.sources.locate(refusal.span.lo).map_or(0, |place| place.line);
            // The head is as long in every program.
            let line = i64::from(place) - i64::try_from(HEAD.lines().count() - 1).unwrap();
            Err(format!("{pass}: line {line}: {}", refusal.message))
        }
        Err(broken @ (RunError::Broken { .. } | RunError::Exhausted(_))) => panic!("{broken}"),
    }
}

/// What our checker says about the assertions of a sequential program: the message of the one that fails, if one does.
fn checked(text: &str) -> Option<String> {
    let mut sources = SourceMap::new();
    let (models_name, models_text) = models();
    let units = [
        sources.add("sequential.c", text.as_bytes().to_vec()).unwrap(),
        sources.add(models_name, models_text.into_bytes()).unwrap(),
    ];
    let parsed = parse_program(&mut sources, &units, DataModel::Lp64);
    assert!(!parsed.diagnostics.has_errors(), "the sequential program is read");
    let lowered = lower(&parsed.ast, LowerOptions::default(), 1);
    let program = lowered.program.unwrap();
    let task = Task {
        program: &program,
        source: None,
        outside: None,
        properties: vec![Property::Assertion],
        excused: Vec::new(),
        // Loops that threads can see are unrolled already.
        bounds: Bounds { unwind: Some(8), ..Bounds::default() },
        sequential: raddle_engines::sequential::Options::default(),
        memory_model: MemoryModel::Sc,
        solving: Solving::default(),
        seed: 1,
        jobs: 1,
    };
    let outcome = PoBmc.check(&task, &Budget::default(), &NoProgress);
    match &outcome.answers[0].verdict {
        Verdict::Violated(trace) => Some(format!("{:?}", trace.outcome())),
        Verdict::Safe(_) | Verdict::SafeUnless(..) => None,
        Verdict::Unknown(reason) => panic!("{reason:?}"),
    }
}

/// What both schemas say at these bounds; they must say the same.
fn verdict(body: &str, unwind: u32, rounds: u32) -> Option<String> {
    let eager =
        sequential(&schema::lal_reps(unwind, rounds).to_string(), body).unwrap_or_else(|why| panic!("{why}"));
    let eager = checked(&eager);
    let lazy =
        sequential(&schema::lazy(unwind, rounds).to_string(), body).unwrap_or_else(|why| panic!("{why}"));
    let lazy = checked(&lazy);
    assert_eq!(eager.is_some(), lazy.is_some(), "{rounds} rounds: lal_reps {eager:?}, lazy {lazy:?}");
    eager
}

/// The bug is found with this many rounds and not with one less.
fn needs(rounds: u32, unwind: u32, body: &str) {
    for fewer in 1..rounds {
        assert_eq!(verdict(body, unwind, fewer), None, "{fewer} rounds are not enough");
    }
    assert!(verdict(body, unwind, rounds).is_some(), "{rounds} rounds are enough");
}

/// Nothing fails with up to this many rounds.
fn holds(rounds: u32, unwind: u32, body: &str) {
    for number in 1..=rounds {
        assert_eq!(verdict(body, unwind, number), None, "{number} rounds");
    }
}

#[test]
fn the_next_round_sees_what_a_thread_wrote() {
    needs(
        2,
        1,
        "int x;
         void *set(void *p) { x = 1; return p; }
         int main(void) {
             pthread_t t;
             pthread_create(&t, 0, set, 0);
             assert(x == 0);
         }",
    );
}

#[test]
fn threads_that_answer_each_other_need_a_round_for_each_answer() {
    let body = "int x;
         void *even(void *p) {
             int v;
             v = x; __VERIFIER_assume(v == 1); x = 2;
             v = x; __VERIFIER_assume(v == 3); x = 4;
             return p;
         }
         int main(void) {
             pthread_t t;
             int v;
             pthread_create(&t, 0, even, 0);
             x = 1;
             v = x; __VERIFIER_assume(v == 2); x = 3;
             v = x; __VERIFIER_assume(v == 4);
             assert(0);
         }";
    needs(3, 1, body);
}

#[test]
fn a_lost_update_needs_three_rounds() {
    let body = "int x;
         void *add(void *p) { x = x + 1; return p; }
         int main(void) {
             pthread_t a, b;
             pthread_create(&a, 0, add, 0);
             pthread_create(&b, 0, add, 0);
             pthread_join(a, 0);
             pthread_join(b, 0);
             assert(x == 2);
         }";
    needs(3, 1, body);
}

#[test]
fn a_mutex_keeps_updates() {
    let body = "int x;
         pthread_mutex_t m;
         void *add(void *p) {
             pthread_mutex_lock(&m);
             x = x + 1;
             pthread_mutex_unlock(&m);
             return p;
         }
         int main(void) {
             pthread_t a, b;
             pthread_mutex_init(&m, 0);
             pthread_create(&a, 0, add, 0);
             pthread_create(&b, 0, add, 0);
             pthread_join(a, 0);
             pthread_join(b, 0);
             assert(x == 2);
         }";
    holds(3, 1, body);
}

#[test]
fn nothing_is_reported_from_memory_that_was_guessed_wrong() {
    // Every assertion fails for some contents of memory, and for none that is ever there.
    let body = "int x, y, a[2] = {5, 6};
         int *p = &a[0];
         struct pair { int left; int right; } pair;
         void *work(void *unused) {
             int v, w;
             x = 1;
             v = y;
             assert(v == 0 || v == 2);
             __VERIFIER_atomic_begin();
             pair.left = 3;
             pair.right = 3;
             __VERIFIER_atomic_end();
             p = &a[1];
             return unused;
         }
         int main(void) {
             pthread_t t;
             int v, w;
             int *q;
             pthread_create(&t, 0, work, 0);
             v = x;
             assert(v == 0 || v == 1);
             y = 2;
             __VERIFIER_atomic_begin();
             v = pair.left;
             w = pair.right;
             __VERIFIER_atomic_end();
             assert(v == w);
             q = p;
             v = *q;
             assert(v == 5 || v == 6);
         }";
    holds(3, 1, body);
}

#[test]
fn a_thread_that_waits_for_ever_hides_nothing() {
    let body = "int x;
         pthread_mutex_t m;
         void *stuck(void *p) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return p; }
         void *set(void *p) { x = 1; return p; }
         int main(void) {
             pthread_t a, b;
             pthread_mutex_init(&m, 0);
             pthread_create(&a, 0, stuck, 0);
             pthread_create(&b, 0, set, 0);
             assert(x == 0);
             pthread_join(a, 0);
         }";
    needs(2, 1, body);
}

#[test]
fn an_assumption_ends_its_own_thread_only() {
    let body = "int x, y;
         void *stops(void *p) { x = 1; __VERIFIER_assume(0); x = 2; return p; }
         void *looks(void *p) { int v = x; y = v; return p; }
         int main(void) {
             pthread_t a, b;
             int v;
             pthread_create(&a, 0, stops, 0);
             pthread_create(&b, 0, looks, 0);
             v = x;
             assert(v != 2);
             v = y;
             assert(v == 0);
         }";
    let found = verdict(body, 1, 2).unwrap();
    assert!(found.contains("v == 0"), "{found}");
}

#[test]
fn a_thread_that_ends_at_once_hides_nothing() {
    let body = "int x;
         void *stops(void *p) { __VERIFIER_assume(p != 0); x = 1; return p; }
         void *aborts(void *p) { abort(); }
         int main(void) {
             pthread_t a, b;
             pthread_create(&a, 0, stops, 0);
             pthread_create(&b, 0, aborts, 0);
             assert(x == 1);
         }";
    needs(1, 1, body);
}

#[test]
fn threads_get_what_they_are_given() {
    let body = "int x, y;
         void *set(void *p) { int *place = p; *place = 1; return p; }
         unsigned __raddle_fork(void *(*)(void *), void *);
         int main(void) {
             __raddle_fork(set, &y);
             assert(y == 0);
         }";
    needs(2, 1, body);
    holds(2, 1, &body.replace("set, &y", "set, &x"));
}

#[test]
fn threads_start_threads() {
    let body = "int x;
         void *inner(void *p) { x = 2; return p; }
         void *outer(void *p) {
             pthread_t t;
             int v = x;
             if (v == 1) pthread_create(&t, 0, inner, 0);
             return p;
         }
         int main(void) {
             pthread_t t;
             pthread_create(&t, 0, outer, 0);
             x = 1;
             assert(x != 2);
         }";
    needs(2, 1, body);
}

#[test]
fn the_violation_that_comes_first_is_told() {
    // Who stops in an atomic section stops everybody: nobody sees what it wrote.
    let body = "int x;
         void *late(void *p) { int v = x; assert(v == 0); return p; }
         void *early(void *p) {
             __VERIFIER_atomic_begin();
             x = 1;
             { int fails = 1; assert(fails == 0); }
             __VERIFIER_atomic_end();
             return p;
         }
         int main(void) {
             pthread_t a, b;
             pthread_create(&a, 0, late, 0);
             pthread_create(&b, 0, early, 0);
         }";
    for rounds in 1..=3 {
        let found = verdict(body, 1, rounds).unwrap();
        assert!(found.contains("fails == 0"), "{found}");
    }
}

#[test]
fn pointers_lead_to_the_copy_of_the_round() {
    let body = "struct cell { pthread_mutex_t lock; int value; struct cell *next; };
         struct cell first, second;
         void *work(void *p) {
             struct cell *cell = p;
             struct cell *next;
             pthread_mutex_lock(&cell->lock);
             next = cell->next;
             pthread_mutex_unlock(&cell->lock);
             if (next) next->value = 1;
             return p;
         }
         int main(void) {
             pthread_t t;
             int v;
             pthread_mutex_init(&first.lock, 0);
             pthread_create(&t, 0, work, &first);
             pthread_mutex_lock(&first.lock);
             first.next = &second;
             pthread_mutex_unlock(&first.lock);
             v = second.value;
             assert(v == 0);
         }";
    needs(2, 1, body);
}

#[test]
fn locals_that_are_handed_to_threads_are_shared() {
    let body = "void *set(void *p) { int *place = p; *place = 1; return p; }
         int main(void) {
             pthread_t t;
             int here = 0;
             pthread_create(&t, 0, set, &here);
             assert(here == 0);
         }";
    needs(2, 1, body);
}

#[test]
fn results_of_threads_come_through_join() {
    let body = "int a, b, which;
         void *choose(void *p) { int v = which; if (v) return &a; return &b; }
         int main(void) {
             pthread_t t;
             void *result;
             int *place;
             pthread_create(&t, 0, choose, 0);
             which = 1;
             pthread_join(t, &result);
             place = result;
             assert(place == &b);
         }";
    needs(2, 1, body);
}

#[test]
fn memory_from_the_heap_is_shared() {
    let body = "struct node { int value; };
         struct node *shared;
         void *reads(void *p) {
             struct node *node = shared;
             if (node) { int v = node->value; assert(v == 7); }
             return p;
         }
         int main(void) {
             pthread_t t;
             pthread_create(&t, 0, reads, 0);
             struct node *node = malloc(sizeof(struct node));
             node->value = 7;
             shared = node;
             node->value = 8;
         }";
    needs(1, 1, body);
    holds(3, 1, &body.replace("node->value = 8;", ""));
    // What malloc gives holds anything.
    needs(1, 1, &body.replace("node->value = 8;", "").replace("node->value = 7;", ""));
    holds(
        2,
        1,
        &body
            .replace("node->value = 8;", "")
            .replace("malloc(", "calloc(1, ")
            .replace("v == 7", "v == 0 || v == 7"),
    );
}

#[test]
fn conditions_wake_threads() {
    let body = "int ready, data;
         pthread_mutex_t m;
         pthread_cond_t c;
         void *waits(void *p) {
             pthread_mutex_lock(&m);
             while (!ready) pthread_cond_wait(&c, &m);
             pthread_mutex_unlock(&m);
             { int v = data; assert(v == 1); }
             return p;
         }
         int main(void) {
             pthread_t t;
             pthread_mutex_init(&m, 0);
             pthread_create(&t, 0, waits, 0);
             pthread_mutex_lock(&m);
             data = 1;
             ready = 1;
             pthread_cond_signal(&c);
             pthread_mutex_unlock(&m);
         }";
    holds(2, 2, body);
    needs(1, 2, &body.replace("data = 1;", ""));
}

#[test]
fn loops_are_followed_to_the_bound() {
    let body = "int x;
         void *count(void *p) { for (int i = 0; i < 3; i++) x = x + 1; return p; }
         int main(void) {
             pthread_t t;
             pthread_create(&t, 0, count, 0);
             assert(x != 3);
         }";
    needs(2, 3, body);
}

#[test]
fn accesses_stay_in_the_copy_of_their_round() {
    let program = |declarations: &str, work: &str, first: &str| {
        format!(
            "{declarations} int go, k = 2, below = -1;
             void *work(void *p) {{ {work} go = 1; return p; }}
             void *change(void *p) {{ a[0] = 5; a[1] = 6; return p; }}
             int main(void) {{
                 pthread_t t, u;
                 {first}
                 pthread_create(&t, 0, work, 0);
                 pthread_create(&u, 0, change, 0);
                 pthread_join(u, 0);
                 assert(go == 0 || a[1] == 9);
             }}"
        )
    };
    let ints = "int a[2] = {1, 1};";
    // Where threads may look, by a name or through a pointer.
    for (work, ends) in [
        ("a[1] = a[k];", true),
        ("a[k] = 3;", true),
        ("a[below] = 3;", true),
        ("int *q = a + k; *q = 3;", true),
        ("int *q = a + below; q[0] = 3;", true),
        ("int *q = a; q[k] += 1;", true),
        ("a[k - 1] = 3;", false),
        ("int *q = a + k; q[below] = 3;", false),
        ("int *q = go ? &k : a + k; __VERIFIER_assume(q != &k); *q = 1;", true),
    ] {
        assert_eq!(verdict(&program(ints, work, ""), 1, 2).is_none(), ends, "{work}");
    }
    // Before there are threads, all is in the first round.
    for (first, ends) in [
        ("int v = a[k]; __VERIFIER_assume(v == 1);", true),
        ("int *q = a + k; int v = *q;", true),
        ("int v = a[k - 1];", false),
    ] {
        assert_eq!(verdict(&program(ints, "", first), 1, 2).is_none(), ends, "{first}");
    }
    // Of an object the copies are, not of the arrays in it.
    let records = "struct { int n[2]; int m; } r; int a[2];";
    for (work, ends) in [("r.n[k] = 4; a[0] = r.m;", false), ("r.n[k + 1] = 4; a[0] = r.m;", true)] {
        let first = "int *q = &r.m; *q = 0;";
        let whole = program(records, work, first).replace("a[0] = 5;", "a[0] = r.n[0]; r.m = 2;");
        assert_eq!(verdict(&whole, 1, 2).is_none(), ends, "{work}");
    }
}

#[test]
fn what_ends_a_thread_ends_it_though_nobody_uses_the_value() {
    for (work, ends) in [
        ("int v = *q;", true),
        ("int v = 1 / z;", true),
        ("int v = 1 % z;", true),
        ("int v = 1 << f;", true),
        ("int v = s->n;", true),
        ("int v = a[f];", true),
        ("int v = a[1] / 2 << 3;", false),
    ] {
        let body = format!(
            "int *q, z, f = 40, a[2], go; struct {{ int m, n; }} *s;
             void *work(void *p) {{ {work} go = 1; return p; }}
             int main(void) {{ pthread_t t; pthread_create(&t, 0, work, 0); assert(go == 0); }}"
        );
        assert_eq!(verdict(&body, 1, 2).is_none(), ends, "{work}");
    }
}

#[test]
fn what_was_freed_is_gone() {
    for (first, work, last, ends) in [
        ("", "free(q);", "int v = *q;", true),
        ("", "free(q);", "free(q);", true),
        ("", "free(q + 1);", "", true),
        ("q = &y;", "free(q);", "", true),
        ("q = 0;", "free(q);", "", false),
        ("", "free(q);", "int v = *r;", false),
        ("r = q;", "free(q);", "int v = *r;", true),
        ("", "free(go ? q : r);", "int v = *q;", false),
        ("", "free(go ? q : r);", "int v = *r;", true),
        ("", "*q = 7; free(q);", "", false),
    ] {
        let body = format!(
            "int *q, *r, y, go;
             void *work(void *p) {{ {work} go = 1; return p; }}
             int main(void) {{
                 pthread_t t;
                 q = calloc(2, 4); r = calloc(2, 4);
                 {first}
                 pthread_create(&t, 0, work, 0);
                 int done = go; __VERIFIER_assume(done);
                 {last}
                 assert(0);
             }}"
        );
        assert_eq!(verdict(&body, 1, 2).is_none(), ends, "{first} {work} {last}");
    }
}

#[test]
fn other_tools_get_these_programs_too() {
    let body = "int a[2], k = 1; int *q;
         void *work(void *p) { a[k] = 1; *q = 2; free(q); return p; }
         int main(void) {
             pthread_t t;
             q = calloc(2, 4);
             pthread_create(&t, 0, work, 0);
             assert(a[k] == 0 || q[k] == 0);
         }";
    for backend in ["cbmc", "esbmc", "cpachecker", "klee"] {
        let pipeline = format!("{},instrument({backend})", schema::lal_reps(1, 2));
        let text = sequential(&pipeline, body).unwrap_or_else(|why| panic!("{backend}: {why}"));
        assert!(text.contains("__raddle_ensure("), "{backend}: something is checked before the access");
    }
}

#[test]
fn pointers_may_leave_their_objects() {
    for (step, test) in [("q++; q++;", "q != &y + 2"), ("q--;", "q >= &y"), ("q += 100;", "q - &y < 100")] {
        let body = format!(
            "int y; int *q = &y;
             void *work(void *p) {{ {step} return p; }}
             int main(void) {{ pthread_t t; pthread_create(&t, 0, work, 0); assert({test}); }}"
        );
        needs(2, 1, &body);
    }
}

#[test]
fn loops_may_run_never() {
    let body = "int x;
         void *work(void *p) {
             int r = 0;
             for (int i = 0; i > 0; i--) x = 1;
             for (int i = (r - r) & 3; i > 0; i--) x = 1;
             return p;
         }
         int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); assert(x == 0); }";
    holds(2, 2, body);
}

#[test]
fn what_cannot_be_treated_is_refused_by_name() {
    let refused = |body: &str| sequential(&schema::lal_reps(2, 2).to_string(), body).unwrap_err();
    let main = "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); x = x + 1; }";
    let unknown = format!(
        "int x;\nvoid *work(void *p) {{ char *e = elsewhere(); x = 2;\nchar c = *e;\nx = c; return p; }}\n{main}"
    );
    assert_eq!(refused(&unknown), "lal_reps: line 3: it is not known what this pointer leads to");
    let guessed = "int x; int *e;
void *work(void *p) { int n = x; int *own = malloc(n); e = own; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); int *seen = e; if (seen) x = *seen; }";
    let why = refused(guessed);
    let wanted = "lal_reps: line 1: threads share `e`, and a pointer in it may lead to memory from the heap";
    assert!(why.starts_with(wanted), "{why}");
    let shared = "int x; int *e;
void *work(void *p) { int *own = e;
*own = 1; return p; }
int main(void) { pthread_t t; int n = __VERIFIER_nondet_int(); e = malloc(n);
pthread_create(&t, 0, work, 0); int *own = e; x = *own; }";
    let why = refused(shared);
    assert!(why.starts_with("lal_reps: line 5: this pointer may lead to memory from the heap"), "{why}");
    let text = "const char *x;
void *work(void *p) { x = \"text\"; return p; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); const char *y = x; if (y) x = 0; }";
    assert_eq!(
        refused(text),
        "lal_reps: line 1: threads share `x`, and a pointer in it may lead to a constant"
    );
}

/// Where the data of these tests lie.
fn data(name: &str) -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/lal_reps").join(name)
}

#[test]
fn a_small_program_prints_as_it_did() {
    let mut program = program_of(&read(&data("small.c")));
    let pipeline =
        Pipeline::parse("merge,declarations,simplify,threads,statics,labels,lal_reps(2),prune").unwrap();
    pipeline.run(&mut program, true, |_, _, _| {}).unwrap();
    let printed = linemap::print(&program).text;
    if environment("RADDLE_BLESS").is_some() {
        write(&data("small.out"), &printed);
    }
    assert_eq!(printed, read(&data("small.out")));
}

#[test]
fn misused_locks_are_violations_on_request() {
    let body = "pthread_mutex_t m;
         void *unlock(void *p) { pthread_mutex_unlock(&m); return p; }
         int main(void) {
             pthread_t t;
             pthread_mutex_init(&m, 0);
             pthread_create(&t, 0, unlock, 0);
             pthread_mutex_lock(&m);
         }";
    let on = schema::LalReps { unwind: 1, misuse: true, ..schema::LalReps::default() };
    let printed = sequential(&on.pipeline().to_string(), body).unwrap();
    let report = printed.split_once("void __raddle_report(void)").unwrap().1;
    assert!(
        report.contains("__raddle_check_lock(0, \"a mutex is unlocked by a thread that does not hold it\")"),
        "{report}"
    );
    let off = schema::LalReps { misuse: false, ..on };
    assert!(!sequential(&off.pipeline().to_string(), body).unwrap().contains("__raddle_check_lock"));
}

#[test]
fn gcc_accepts_what_is_printed_for_the_cases() {
    let cases = folder("cases");
    let with_gcc = gcc_is_there();
    let pipeline = schema::lal_reps(2, 2);
    let all = files(&cases, "c");
    assert!(all.len() > 300, "the cases are there");
    // The suite takes a sample.
    let step = if environment("RADDLE_PASSES").is_some() { 1 } else { 4 };
    let all: Vec<std::path::PathBuf> = all.into_iter().step_by(step).collect();
    let one = |file: &std::path::PathBuf| {
        let name = file.strip_prefix(&cases).unwrap().with_extension("").to_string_lossy().into_owned();
        let mut program = program_from(file, DataModel::Lp64, true);
        match pipeline.run(&mut program, false, |_, _, _| {}) {
            Ok(()) if with_gcc => {
                let wrong = accepted(&linemap::print(&program).text, DataModel::Lp64).err();
                wrong.map(|wrong| Err(format!("{name}: {wrong}")))
            }
            Ok(()) => None,
            Err(RunError::Refused { pass, refusal }) => {
                let line = program.sources.locate(refusal.span.lo).map_or(0, |place| place.line);
                Some(Ok(format!("{name}:{line}: {pass}: {refusal}")))
            }
            Err(broken @ (RunError::Broken { .. } | RunError::Exhausted(_))) => {
                Some(Err(format!("{name}: {broken}")))
            }
        }
    };
    let (first, second) = all.split_at(all.len() / 2);
    let mut found: Vec<Result<String, String>> = Vec::new();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| second.iter().filter_map(one).collect::<Vec<_>>());
        found.extend(first.iter().filter_map(one));
        found.extend(other.join().unwrap());
    });
    let wrong: Vec<&String> = found.iter().filter_map(|found| found.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
    let refused: Vec<String> = found.into_iter().filter_map(Result::ok).collect();
    // Realloc of shared memory, tables of strings in the library, a label before a declaration, a thread without a body, jumps
    // out of functions, atomic blocks that do not balance, formatted output into shared memory, streams that threads change,
    // pointers in unions that are something else as well, threads whose function is computed.
    let known = [
        "`__raddle_object_size`",
        "labels: a function with a format and any number of arguments is passed a pointer to shared memory",
        "lal_reps: threads share what `stdout` of the library leads to",
        "lal_reps: `__files_known` is not defined here, and threads share it",
        "in which a pointer is also taken as something else",
        "lal_reps: this pointer may lead to memory from the heap that threads share and that is allocated in a loop",
        "models: `setjmp` and `longjmp` cannot be followed",
        "statics: it is not known which function a thread runs",
        "atomic-blocks/unbalanced-not-reached:",
        "lifetimes/compound-literal-again:",
        "lifetimes/computed-goto:",
        "library/cancel-wakes-a-semaphore:",
        "library/joining-without-waiting:",
        "library/semaphores-by-name:",
        "library/setenv-races:",
        "lifetimes/goto-within-the-block",
        "memory/records-that-lead-to-each-other:",
        "punning/vector-that-grows:",
        "unknown-functions/thread-starts-in-one:",
    ];
    let is_new = |why: &&String| !known.iter().any(|known| why.contains(known));
    let unknown: Vec<&String> = refused.iter().filter(is_new).collect();
    assert!(unknown.is_empty(), "what is refused has changed: {unknown:#?}");
}
