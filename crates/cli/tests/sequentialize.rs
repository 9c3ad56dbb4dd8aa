//! `raddle sequentialize`: what it writes for each backend, what it refuses, and that the programs fail where the concurrent ones
//! do. No backend is needed: what a backend knows is defined here in terms of what our own checker knows.

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work fails")]

mod common;

use std::path::Path;
use std::process::Command;

use common::{Scratch, raddle, text};

const BACKENDS: [&str; 5] = ["ours", "cbmc", "esbmc", "cpachecker", "klee"];

impl Scratch {
    /// Runs the command, which must succeed.
    fn sequentialize(&self, arguments: &[&str]) -> String {
        let output = raddle(&self.0, &[&["sequentialize"], arguments].concat());
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    }

    /// Runs the command, which must refuse, and tells what it says.
    fn refused(&self, arguments: &[&str]) -> String {
        let output = raddle(&self.0, &[&["sequentialize"], arguments].concat());
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", text(&output.stderr));
        assert!(output.stdout.is_empty());
        text(&output.stderr)
    }
}

const RACE: &str = "\
#include <assert.h>
#include <pthread.h>
int x;
void *add(void *unused) {
    int seen = x;
    x = seen + 1;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, add, 0);
    pthread_create(&b, 0, add, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 2);
    return 0;
}
";

#[test]
#[expect(clippy::disallowed_methods, reason = "the tests ask the real compiler")]
fn every_backend_gets_c_with_its_command_at_the_head() {
    let scratch = Scratch::new("backends");
    scratch.write("race.c", RACE);
    let commands = [
        "run:  raddle check --engine po-bmc out.c",
        "run:  cbmc --json-ui --trace --64 --no-standard-checks --no-malloc-may-fail --unwind 9 --no-unwinding-assertions out.c",
        "run:  esbmc --64 --unwind 9 --no-unwinding-assertions",
        "run:  cpachecker --bmc --64",
        "then: klee --silent-klee-assume --exit-on-error-type=Assert out.bc",
    ];
    for (backend, command) in BACKENDS.into_iter().zip(commands) {
        scratch.sequentialize(&["--unwind", "3", "--backend", backend, "-o", "out.c", "race.c"]);
        let written = scratch.read("out.c");
        let head = written.split_once("*/").unwrap().0;
        let title = format!(
            "/* Sequential program made by raddle for {backend}: lazy schema, 2 rounds, loops and recursions up to 3."
        );
        assert!(head.starts_with(&title), "{head}");
        assert!(head.contains("from: race.c") && head.contains(command), "{head}");
        assert!(!written.contains("pthread_create"), "{backend}");
        if let Ok(judged) = Command::new("gcc")
            .args(["-std=gnu11", "-fsyntax-only", "-w", "out.c"])
            .current_dir(&scratch.0)
            .output()
        {
            assert!(judged.status.success(), "{backend}: {}", text(&judged.stderr));
        }
        let printed = scratch.sequentialize(&["--unwind", "3", "--backend", backend, "race.c"]);
        assert_eq!(printed.split_once("*/").unwrap().1, written.split_once("*/").unwrap().1);
    }
}

#[test]
fn the_table_of_lines_counts_the_head() {
    let scratch = Scratch::new("linemap");
    scratch.write("race.c", RACE);
    let printed = scratch.sequentialize(&["--backend", "cbmc", "race.c"]);
    let table = scratch.sequentialize(&["--backend", "cbmc", "--linemap", "race.c"]);
    let line = printed.lines().position(|line| line.trim() == "x = seen + 1;").unwrap() + 1;
    let row = table.lines().find(|row| row.starts_with(&format!("{line}\t"))).unwrap();
    assert!(row.contains("\trace.c:6\t") && row.contains(" (add) started at line "), "{row}");
    let failure = printed.lines().position(|line| line.contains("\"assertion: x == 2\"")).unwrap() + 1;
    let row = table.lines().find(|row| row.starts_with(&format!("{failure}\t"))).unwrap();
    assert!(row.contains("race.c:15"), "{row}");
}

#[test]
fn mistakes_are_told() {
    let scratch = Scratch::new("mistakes");
    scratch.write("race.c", RACE);
    let unknown = scratch.refused(&["--backend", "spin", "race.c"]);
    assert!(
        unknown.contains("'spin'") && unknown.contains("ours, cbmc, esbmc, cpachecker, klee"),
        "{unknown}"
    );
    let schedule = scratch.refused(&["--schedule", "main,t1:t1,,t2", "race.c"]);
    assert!(
        schedule.contains("--schedule") && schedule.contains("a thread is missing in round 2"),
        "{schedule}"
    );
    let schedule = scratch.refused(&["--schedule", "main:you", "race.c"]);
    assert!(schedule.contains("`you` names no thread in round 2"), "{schedule}");
    let schedule = scratch.refused(&["--schedule", "main:t3", "race.c"]);
    assert!(schedule.contains("there is no thread 3") && schedule.contains("race.c:9:5"), "{schedule}");
    let schedule = scratch.refused(&["--schedule", "t1:main", "race.c"]);
    assert!(schedule.contains("`main` must take part in the first round"), "{schedule}");
    let both = scratch.refused(&["--schedule", "main", "--rounds", "2", "race.c"]);
    assert!(both.contains("cannot be used with"), "{both}");
    assert!(scratch.refused(&["--rounds", "0", "race.c"]).contains("--rounds"));
    assert!(scratch.refused(&["missing.c"]).contains("missing.c"));
    scratch.write("bad.c", "int main(void) {\n    int n = 3;\n    int a[n];\n    return a[0] + f;\n}\n");
    assert!(scratch.refused(&["bad.c"]).contains("bad.c:4:19"));
    scratch.write(
        "jump.c",
        "#include <pthread.h>\nint n;\nvoid *f(void *p) {\n    void *q = &&out;\n    n++;\n    goto *q;\nout:\n    return p;\n}\n\
         int main(void) {\n    pthread_t t;\n    return pthread_create(&t, 0, f, 0);\n}\n",
    );
    let refused = scratch.refused(&["--backend", "cbmc", "jump.c"]);
    assert!(refused.contains("computed `goto`") && refused.contains("jump.c:6:5"), "{refused}");
    let lal_reps = scratch.refused(&["--schema", "lal-reps", "--schedule", "main", "race.c"]);
    assert!(lal_reps.contains("--schedule: only the schema lazy has one"), "{lal_reps}");
    let lal_reps = scratch.refused(&["--schema", "lal-reps", "--deadlock", "race.c"]);
    assert!(lal_reps.contains("--deadlock: only the schema lazy looks for them"), "{lal_reps}");
}

/// What a backend knows, in terms of what our own checker knows. A failed check of a kind that was not asked for ends nothing.
const KNOWN: &str = "\
void __VERIFIER_assume(int);
void __raddle_check_assertion(int, const char *);
void __raddle_check_lock(int, const char *);
static void told(const char *what) {
    __raddle_check_assertion(what[0] != 'a', \"assertion\");
    __raddle_check_lock(what[0] != 'l', \"lock\");
}
#define ANY(prefix, name, type) type __VERIFIER_nondet_##name(void); type prefix##name(void) { return __VERIFIER_nondet_##name(); }
#define ALL(prefix) ANY(prefix, bool, _Bool) ANY(prefix, uchar, unsigned char) ANY(prefix, ushort, unsigned short) \\
    ANY(prefix, int, int) ANY(prefix, uint, unsigned) ANY(prefix, long, long) ANY(prefix, ulong, unsigned long) \\
    ANY(prefix, pointer, void *)
#if defined CBMC
ALL(nondet_)
void __CPROVER_assume(_Bool condition) { __VERIFIER_assume(condition); }
void __CPROVER_assert(_Bool condition, const char *what) { if (!condition) told(what); }
#elif defined ESBMC
ALL(nondet_)
void __ESBMC_assume(_Bool condition) { __VERIFIER_assume(condition); }
void __ESBMC_assert(_Bool condition, const char *what) { if (!condition) told(what); }
#elif defined KLEE
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
void klee_assume(unsigned long condition) { __VERIFIER_assume(condition != 0); }
void klee_make_symbolic(void *address, unsigned long size, const char *name) {
    if (size == sizeof(int))
        *(int *)address = __VERIFIER_nondet_int();
    else
        for (unsigned long i = 0; i < size; i++)
            ((unsigned char *)address)[i] = __VERIFIER_nondet_uchar();
}
#endif
";

/// Cases, and whether an assertion is broken in them within two rounds.
const ASSERTIONS: &[(&str, bool)] = &[
    ("atomicity/lost-update.c", true),
    ("atomicity/locked-update.c", false),
    ("mutex-algorithms/flags-only.c", true),
    ("order/use-before-initialisation.c", true),
];
/// And a lock.
const LOCKS: &[(&str, bool)] = &[("mutex/unlock-twice.c", true)];

#[test]
fn for_every_backend_programs_fail_where_the_concurrent_ones_do() {
    compare("lazy", &[ASSERTIONS, LOCKS].concat());
}

#[test]
fn so_they_do_with_lal_reps() {
    // It looks for assertions only.
    compare("lal-reps", ASSERTIONS);
}

fn compare(schema: &str, verdicts: &[(&str, bool)]) {
    let scratch = Scratch::new(schema);
    scratch.write("known.c", KNOWN);
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    let mut wrong = Vec::new();
    for (case, expected) in verdicts {
        let file = cases.join(case).display().to_string();
        for backend in BACKENDS {
            scratch.sequentialize(&["--schema", schema, "--backend", backend, "-o", "out.c", &file]);
            let define = format!("-D{}", backend.to_uppercase());
            let mut arguments =
                vec!["check", "--engine", "po-bmc", "--properties", "assertion,lock-misuse", "out.c"];
            // `reach_error` and `__assert_fail`, which the others end in, are known as they are.
            if backend != "ours" {
                arguments.extend(["known.c", &define]);
            }
            let checked = raddle(&scratch.0, &arguments);
            let found = match checked.status.code() {
                Some(10) => true,
                Some(0 | 30) => false,
                _ => panic!("{case} for {backend}: {}{}", text(&checked.stdout), text(&checked.stderr)),
            };
            if found != *expected {
                wrong.push(format!("{case} for {backend}: found {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_schedule_leaves_out_what_it_says() {
    let scratch = Scratch::new("schedule");
    scratch.write("race.c", RACE);
    // The second thread must run between the two steps of the first: with one turn each it cannot.
    for (schedule, code) in [("main,t1,t2:main", 30), ("main,t1,t2:main,t1:main", 10)] {
        scratch.sequentialize(&["--schedule", schedule, "-o", "out.c", "race.c"]);
        let checked =
            raddle(&scratch.0, &["check", "--engine", "po-bmc", "--properties", "assertion", "out.c"]);
        let safe = checked.status.code() == Some(0) || checked.status.code() == Some(30);
        assert_eq!(safe, code == 30, "{schedule}: {}", text(&checked.stdout));
    }
}

#[test]
fn deadlocks_are_told_to_backends() {
    let scratch = Scratch::new("deadlock");
    scratch.write("known.c", KNOWN);
    scratch.write(
        "embrace.c",
        "#include <pthread.h>\n\
         pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n\
         void *other(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); return p; }\n\
         int main(void) {\n    pthread_t t;\n    pthread_create(&t, 0, other, 0);\n    pthread_mutex_lock(&a);\n    \
         pthread_mutex_lock(&b);\n    return 0;\n}\n",
    );
    let printed = scratch.sequentialize(&["--backend", "cbmc", "embrace.c"]);
    assert!(!printed.contains("\"deadlock: "), "only if it is asked for");
    for backend in ["cbmc", "klee"] {
        scratch.sequentialize(&["--deadlock", "--backend", backend, "-o", "out.c", "embrace.c"]);
        let written = scratch.read("out.c");
        assert!(written.contains("\"deadlock: every thread waits\""), "{written}");
    }
}

#[test]
fn loops_of_the_runtime_go_through_all_threads() {
    let scratch = Scratch::new("many");
    let more = "    pthread_t more[10];\n    for (int i = 0; i < 10; i++) pthread_create(&more[i], 0, add, 0);\n    \
                for (int i = 0; i < 10; i++) pthread_join(more[i], 0);\n    pthread_create(&b";
    scratch.write("many.c", &RACE.replace("    pthread_create(&b", more));
    let printed = scratch.sequentialize(&["--unwind", "1", "--backend", "cbmc", "many.c"]);
    let checks = printed.matches("\"unsupported: a thread that still runs").count();
    assert_eq!(checks, 12, "each of the twelve threads is looked at, whatever the bound for loops is");
}

#[test]
fn switch_points_can_be_fixed() {
    let scratch = Scratch::new("switches");
    scratch.write("race.c", RACE);
    let printed = scratch.sequentialize(&["--switches", "1.t1:2", "--backend", "cbmc", "race.c"]);
    assert_ne!(printed, scratch.sequentialize(&["--backend", "cbmc", "race.c"]));
    // The numbers are those of the list, whether deadlocks are looked for or not.
    let points = scratch.sequentialize(&["--points", "race.c"]);
    assert_eq!(points, scratch.sequentialize(&["--points", "--deadlock", "race.c"]));
    for row in [
        "main\t0\trace.c:9\tbeginning\n",
        "main\t3\trace.c:13\tin pthread_join\n",
        "t1\t2\trace.c:6\n",
        "t2\t3\trace.c:4\tend\n",
    ] {
        assert!(points.contains(row), "{row} in {points}");
    }
    for wrong in ["1.t1:2,3", "1.t1:2)", "x", "1.t1:4"] {
        let refused = scratch.refused(&["--switches", wrong, "race.c"]);
        assert!(refused.contains("--switches") || refused.contains("pass `lazy`"), "{refused}");
    }
}
