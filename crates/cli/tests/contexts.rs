//! `--contexts`: what is said of executions of few context switches, and who refuses to count them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::Command;

/// Runs the command in the folder of the cases.
fn run(arguments: &str) -> (Option<i32>, String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases/contexts");
    #[expect(clippy::disallowed_methods, reason = "the tests run the command")]
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    let output = command.args(arguments.split_whitespace()).current_dir(folder).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// What is said of one property, and the exit code.
fn answer(arguments: &str) -> (Option<i32>, String) {
    let (code, stdout, stderr) = run(&format!("check --quiet {arguments}"));
    let line = stdout.lines().next().unwrap_or_default();
    assert!(stderr.is_empty(), "{stderr}");
    let (_, words) = line.split_once("  ").unwrap_or_default();
    (code, words.trim_start().to_owned())
}

#[test]
fn what_holds_within_few_switches_is_said_so() {
    for engine in ["portfolio", "po-bmc", "exhaustive"] {
        let check = |contexts: u32, case: &str| {
            answer(&format!("--engine {engine} --properties assertion --contexts {contexts} {case}"))
        };
        let (code, words) = check(3, "lost-update.c");
        assert_eq!((code, words.as_str()), (Some(30), "SAFE up to 3 context switches"), "{engine}");
        let (code, words) = check(1, "lost-update.c");
        assert_eq!((code, words.as_str()), (Some(30), "SAFE up to 1 context switch"), "{engine}");
        let (code, words) = check(0, "lost-update.c");
        assert_eq!((code, words.as_str()), (Some(30), "SAFE up to 0 context switches"), "{engine}");
        let (code, words) = check(4, "lost-update.c");
        assert!(code == Some(10) && words.starts_with("BUG at lost-update.c:22"), "{engine}: {words}");
        // No execution has more: to the thread and back.
        let (code, words) = check(4, "looks-once.c");
        assert_eq!((code, words.as_str()), (Some(0), "SAFE"), "{engine}");
    }
}

#[test]
fn other_bounds_stand_beside_it() {
    let (code, words) = answer("--engine po-bmc --properties assertion --contexts 2 --unwind 1 loop.c");
    assert_eq!(
        (code, words.as_str()),
        (Some(30), "SAFE up to 1 iteration of loop count.0, 2 context switches")
    );
    let (_, stdout, _) =
        run("check --engine po-bmc --properties assertion --contexts 2 --unwind 1 --format json loop.c");
    let json: serde_json::Value = serde_json::from_str(&stdout).unwrap();
    let coverage = &json["properties"][0]["coverage"];
    assert_eq!(
        (&coverage["contexts"], &coverage["loops"][0]["iterations"]),
        (&2.into(), &1.into()),
        "{stdout}"
    );
}

#[test]
fn who_cannot_count_refuses() {
    for engine in ["lazy", "lal-reps", "random"] {
        let (code, stdout, stderr) = run(&format!("check --engine {engine} --contexts 2 lost-update.c"));
        assert_eq!((code, stdout.as_str()), (Some(1), ""));
        let expected = format!(
            "--contexts: only the engines `portfolio`, `po-bmc` and `exhaustive` have that, not `{engine}`"
        );
        assert!(stderr.contains(&expected), "{stderr}");
    }
    for model in ["tso", "pso"] {
        for command in ["check", "explore --exhaustive"] {
            let (code, stdout, stderr) =
                run(&format!("{command} --memory-model {model} --contexts 2 lost-update.c"));
            assert_eq!((code, stdout.as_str()), (Some(1), ""));
            assert!(
                stderr.contains("context switches are bounded under sequential consistency only"),
                "{stderr}"
            );
        }
    }
}

#[test]
fn exploration_says_whether_there_are_more() {
    let explore = |contexts: u32| {
        run(&format!("explore --exhaustive --properties assertion --contexts {contexts} lost-update.c"))
    };
    let (code, stdout, _) = explore(3);
    assert_eq!(code, Some(20));
    assert!(
        stdout.contains("violations: 0") && stdout.contains("bounded: some executions have more"),
        "{stdout}"
    );
    let (code, stdout, _) = explore(4);
    assert_eq!(code, Some(10));
    assert!(stdout.contains("violations: 1"), "{stdout}");
    let (_, stdout, _) = explore(100);
    assert!(!stdout.contains("bounded"), "{stdout}");
}
