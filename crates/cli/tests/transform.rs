//! `raddle transform`: what it prints and refuses; and that the sequential programs it makes fail where the concurrent
//! ones do.

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work fails")]

mod common;

use std::path::{Path, PathBuf};

use common::{Scratch, raddle, text};
use raddle_sequentialize::schema::Lazy;

fn tests() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests")
}

#[test]
fn passes_are_listed_with_their_parameters() {
    let output = raddle(&tests(), &["transform", "--list"]);
    let list = text(&output.stdout);
    assert!(output.status.success());
    for wanted in [
        "merge\n",
        "unroll(bound, beyond, which)\n",
        "lazy(rounds, schedule, deadlock, switches)\n",
        "2 if not said",
        "assume or assert",
    ] {
        assert!(list.contains(wanted), "{wanted} in {list}");
    }
}

#[test]
fn a_pipeline_runs_in_full_or_up_to_a_pass() {
    let scratch = Scratch::new("pipeline");
    scratch.write("a.c", "int f(int n) { while (n) n--; switch (n) { case 1: n = 2; } return n; }\n");
    scratch.write("passes", "loops   # one form\nswitches\n");
    let whole = raddle(&scratch.0, &["transform", "--pipeline", "passes", "a.c"]);
    let same = raddle(&scratch.0, &["transform", "-p", "loops,switches", "a.c", "-o", "b.c"]);
    assert!(whole.status.success() && same.status.success());
    let printed = text(&whole.stdout);
    assert_eq!(printed, scratch.read("b.c"));
    assert!(printed.contains("while (1)") && !printed.contains("switch"));
    for after in ["loops", "1"] {
        let part = raddle(&scratch.0, &["transform", "-p", "loops,switches", "--after", after, "a.c"]);
        assert!(text(&part.stdout).contains("switch"), "after {after}");
    }
    let table = text(&raddle(&scratch.0, &["transform", "-p", "unroll(2)", "--linemap", "a.c"]).stdout);
    assert!(table.contains("a.c:1\titeration 2 of the loop at line 1"), "{table}");
}

#[test]
fn mistakes_are_told_with_their_place() {
    let scratch = Scratch::new("mistakes");
    scratch.write(
        "a.c",
        "int use(int (*)[]);\nint main(void) {\n    int n = 3;\n    int a[n][n];\n    return use(a);\n}\n",
    );
    let tell = |arguments: &[&str]| {
        let output = raddle(&scratch.0, arguments);
        assert_eq!(output.status.code(), Some(1));
        text(&output.stderr)
    };
    let unknown = tell(&["transform", "-p", "loops,nothing", "a.c"]);
    assert!(unknown.contains("--passes:1:7: there is no pass `nothing`"), "{unknown}");
    let late = tell(&["transform", "-p", "loops", "--after", "inline", "a.c"]);
    assert!(late.contains("`inline` is not in the pipeline"), "{late}");
    let refused = tell(&["transform", "-p", "statics", "a.c"]);
    assert!(
        refused.contains("pass `statics`: `a` has a variable length") && refused.contains("a.c:4:9"),
        "{refused}"
    );
}

/// Cases, and what is broken in them within the bounds below.
const VERDICTS: &[(&str, &str)] = &[
    ("atomicity/lost-update.c", "assertion"),
    ("atomicity/locked-update.c", ""),
    ("barrier/one-serial-thread.c", ""),
    ("cleanup/popped-handler-runs-not.c", "assertion"),
    ("condition/mutex-is-back.c", ""),
    ("deadlock/barrier-too-few.c", "deadlock"),
    ("deadlock/lock-order.c", "deadlock"),
    ("deadlock/lock-order-kept.c", ""),
    ("deadlock/once-recursive.c", "deadlock"),
    ("deadlock/semaphore-never-posted.c", "deadlock"),
    ("keys/destructors-share.c", "assertion"),
    ("lockfree/treiber-aba.c", "assertion"),
    ("mutex-algorithms/peterson.c", ""),
    ("mutex-algorithms/flags-only.c", "assertion"),
    ("mutex/unlock-twice.c", "lock-misuse"),
    ("order/use-before-initialisation.c", "assertion"),
    ("producer-consumer/semaphores.c", ""),
    ("threads/join-by-two.c", "lock-misuse"),
    ("wakeups/lost-signal.c", "deadlock"),
];

#[test]
fn sequential_programs_fail_where_concurrent_ones_do() {
    let scratch = Scratch::new("lazy");
    let lazy = Lazy { unwind: 3, rounds: 3, deadlock: true, ..Lazy::default() };
    let mut wrong = Vec::new();
    for (case, expected) in VERDICTS {
        let file = tests().join("cases").join(case).display().to_string();
        let made = raddle(
            &scratch.0,
            &["transform", "-p", &lazy.pipeline().to_string(), "-o", "sequential.c", &file],
        );
        assert!(made.status.success(), "{case}: {}", text(&made.stderr));
        let asked = "assertion,lock-misuse,deadlock";
        let check = ["check", "--engine", "po-bmc", "--properties", asked, "sequential.c"];
        let checked = raddle(&scratch.0, &check);
        let told = text(&checked.stdout);
        let broken =
            |name: &&str| told.lines().any(|line| line.starts_with(name) && line.contains(" BUG at "));
        let found: Vec<&str> = asked.split(',').filter(broken).collect();
        let decided = matches!(checked.status.code(), Some(0 | 10 | 30));
        if !decided || found.join(",") != *expected {
            wrong.push(format!("{case}: found {found:?}\n{told}{}", text(&checked.stderr)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
