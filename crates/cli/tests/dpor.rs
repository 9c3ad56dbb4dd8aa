//! `raddle explore --dpor` and the engine `dpor`: counts of executions as in the literature, and what is said of them.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::Command;

/// What the command did.
struct Done {
    code: i32,
    out: String,
    err: String,
}

/// Runs the command at the root of the repository.
#[expect(clippy::disallowed_methods, reason = "the tests run the command")]
fn raddle(arguments: &[&str]) -> Done {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let done = Command::new(env!("CARGO_BIN_EXE_raddle")).args(arguments).current_dir(root).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Done { code: done.status.code().unwrap(), out: text(&done.stdout), err: text(&done.stderr) }
}

/// Runs `raddle explore` for assertions in one of the programs that literature counts.
fn explore(program: &str, n: u32, more: &[&str]) -> Done {
    let (path, size) = (format!("benches/dpor/{program}.c"), format!("-DN={n}"));
    raddle(&[&["explore", "--properties", "assertion", &path, &size], more].concat())
}

fn explored(program: &str, n: u32, more: &[&str]) -> serde_json::Value {
    let path = format!("benches/dpor/{program}.c");
    let size = format!("-DN={n}");
    let mut arguments =
        vec!["explore", "--dpor", "--properties", "assertion", "--format", "json", &path, &size];
    arguments.extend(more);
    let found = raddle(&arguments);
    assert_eq!(found.code, 0, "{}", found.err);
    serde_json::from_str(&found.out).unwrap()
}

/// How many executions there are, none of them begun in vain or blocked.
fn executions(program: &str, n: u32, more: &[&str]) -> u64 {
    let found = explored(program, n, more);
    assert_eq!((&found["redundant"], &found["blocked"]), (&0.into(), &0.into()), "{program} {n}");
    found["executions"].as_u64().unwrap()
}

#[test]
fn executions_are_as_many_as_the_literature_says() {
    for (program, counts) in [
        ("readers", &[(2, 4), (8, 256)][..]),
        ("lastzero", &[(5, 64), (8, 704)]),
        ("filesystem", &[(13, 1), (14, 2), (16, 8)]),
        ("indexer", &[(11, 1), (12, 8), (13, 64)]),
        ("stores", &[(1, 1), (4, 24)]),
        ("lockers", &[(1, 1), (4, 24)]),
        ("adds", &[(4, 1)]),
    ] {
        for &(n, expected) in counts {
            assert_eq!(executions(program, n, &[]), expected, "{program} {n}");
        }
    }
    assert_eq!(executions("adds", 4, &["--no-commute"]), 24);
}

/// Those that take a minute in a release build, where somebody asks for them (`RADDLE_LARGE_COUNTS`).
#[test]
#[expect(clippy::disallowed_methods, reason = "who starts the tests says so")]
fn large_numbers_of_executions_are_as_the_literature_says() {
    let all: &[(&str, u32, u64)] = &[
        ("filesystem", 19, 64),
        ("lastzero", 10, 3328),
        ("indexer", 15, 4096),
        ("readers", 13, 8192),
        ("lastzero", 15, 147_456),
    ];
    let asked = std::env::var_os("RADDLE_LARGE_COUNTS").is_some();
    for &(program, n, expected) in if asked { all } else { &all[..1] } {
        assert_eq!(executions(program, n, &[]), expected, "{program} {n}");
    }
}

#[test]
fn other_algorithms_begin_executions_in_vain() {
    for algorithm in ["--dpor=source", "--dpor=classic"] {
        let found = explore("lastzero", 5, &[algorithm]);
        assert_eq!(found.code, 0, "{}", found.err);
        assert!(found.out.contains("executions: 64\n"), "{}", found.out);
        assert!(found.out.contains("begun in vain: "), "{}", found.out);
    }
    let optimal = explore("lastzero", 5, &["--dpor=optimal"]);
    assert_eq!(optimal.out, explore("lastzero", 5, &["--dpor"]).out);
}

#[test]
fn the_answer_is_the_same_for_all_numbers_of_jobs() {
    for (program, n) in [("lastzero", 7), ("indexer", 12), ("lockers", 4)] {
        let shown = |jobs| explore(program, n, &["--dpor", "--jobs", jobs]).out;
        let alone = shown("1");
        assert!(alone.contains("violations: 0"), "{alone}");
        assert!(["2", "4"].into_iter().all(|jobs| shown(jobs) == alone), "{program}");
    }
    let shown = |jobs| raddle(&["explore", "--dpor", "--jobs", jobs, "examples/counter.c"]);
    let alone = shown("1");
    assert_eq!(alone.code, 10, "{}", alone.err);
    assert!(["2", "4"].into_iter().all(|jobs| shown(jobs).out == alone.out));
}

#[test]
fn a_bound_on_preemptions_is_named() {
    let bounded = explore("readers", 4, &["--dpor", "--context-bound", "0"]);
    assert_eq!(bounded.code, 20, "{}", bounded.err);
    assert!(
        bounded.out.contains("bounded: executions of more than 0 preemptions were not followed"),
        "{}",
        bounded.out
    );
    let enough = explore("readers", 4, &["--dpor", "--context-bound", "20"]);
    assert_eq!(enough.code, 0, "{}", enough.out);
    assert_eq!(enough.out, explore("readers", 4, &["--dpor"]).out);
}

#[test]
fn waits_end_without_reason_unless_that_is_left_out() {
    let path = "tests/cases/wakeups/lost-signal.c";
    let count = |more: &[&str]| {
        let found = raddle(
            &[&["explore", "--dpor", "--properties", "assertion", "--format", "json", path], more].concat(),
        );
        let found: serde_json::Value = serde_json::from_str(&found.out).unwrap();
        (found["executions"].as_u64().unwrap(), found["no_spurious_wakeups"].as_bool().unwrap())
    };
    let (all, some) = (count(&[]), count(&["--no-spurious-wakeups"]));
    assert!(some.0 < all.0, "{all:?} {some:?}");
    assert_eq!((all.1, some.1), (false, true));
}

#[test]
fn limits_are_named() {
    let found = raddle(&["explore", "--dpor", "--max-depth", "5", "benches/dpor/readers.c"]);
    assert_eq!(found.code, 20, "{}", found.err);
    assert!(
        found.out.contains("incomplete: an execution was too long; `--max-depth` allows more steps"),
        "{}",
        found.out
    );
    let weak = raddle(&["explore", "--dpor", "--memory-model", "tso", "benches/dpor/readers.c"]);
    assert_eq!(weak.code, 1);
    assert!(weak.err.contains("sequential consistency only"), "{}", weak.err);
}

#[test]
fn the_engine_proves_and_finds() {
    let safe = raddle(&["check", "--engine", "dpor", "benches/dpor/lockers.c"]);
    assert_eq!(safe.code, 0, "{}", safe.out);
    let broken = raddle(&["check", "--engine", "dpor", "--properties", "assertion", "examples/counter.c"]);
    assert_eq!(broken.code, 10, "{}", broken.out);
    assert!(
        broken.out.contains("BUG at examples/counter.c:18: assertion `visitors == 2` fails"),
        "{}",
        broken.out
    );
}
