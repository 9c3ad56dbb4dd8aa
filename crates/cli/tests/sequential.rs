//! `raddle check --engine lazy` and `lal-reps`, as a user calls them: counterexamples look like those of any other engine, bounds are
//! told, and a backend is believed only as far as the VM sees what it claims.

#![expect(clippy::disallowed_methods, reason = "the tests start the command and write what it reads")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The child may come first.
const FLAG: &str = "\
#include <assert.h>
#include <pthread.h>

int flag;

void *work(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t child;
    pthread_create(&child, 0, work, 0);
    assert(flag == 0);
    pthread_join(child, 0);
    assert(flag == 1);
    return 0;
}
";

/// A folder of one's own, with a program in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, text: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("raddle-sequential-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("a.c"), text).unwrap();
        Self(folder)
    }

    /// A program in the folder that answers as if it were CBMC; `FILE` in its words is the file it is given.
    fn cbmc(&self, words: &str, code: i32) {
        use std::os::unix::fs::PermissionsExt as _;
        let answer = self.0.join("answer.json");
        std::fs::write(&answer, words).unwrap();
        let script = format!(
            "#!/bin/sh\nfor file; do :; done\nsed \"s|FILE|$file|g\" '{}'\nexit {code}\n",
            answer.display()
        );
        let program = self.0.join("cbmc");
        std::fs::write(&program, script).unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn check(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.args(["check", "a.c"]).args(arguments).current_dir(&self.0);
        command.env("PATH", format!("{}:{path}", self.0.display()));
        let Output { status, stdout, stderr } = command.output().unwrap();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (status.code(), text(stdout), text(stderr))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The lines of a story: everything up to the advice how to see it again.
fn story(text: &str) -> &str {
    text.split("To record it").next().unwrap_or(text)
}

#[test]
fn a_counterexample_looks_like_that_of_any_other_engine() {
    let folder = Folder::new("story", FLAG);
    let (code, expected, _) = folder.check(&["--engine", "po-bmc", "--properties", "assertion"]);
    assert_eq!(code, Some(10), "{expected}");
    for engine in ["lazy", "lal-reps"] {
        let (code, text, stderr) = folder.check(&["--engine", engine, "--properties", "assertion"]);
        assert_eq!(code, Some(10), "{text}{stderr}");
        assert_eq!(story(&text), story(&expected), "{engine}");
        assert!(text.contains("BUG at a.c:14: assertion `flag == 0` fails"), "{text}");
        assert!(text.ends_with("VERDICT: FALSE\n"));
    }
}

#[test]
fn what_is_covered_is_told_and_never_more() {
    let folder = Folder::new("bounds", &FLAG.replace("assert(flag == 0);", ""));
    let bounds = ["--unwind", "2", "--rounds", "3", "--properties", "assertion"];
    for engine in ["lazy", "lal-reps"] {
        let (code, text, stderr) = folder.check(&[&["--engine", engine], &bounds[..]].concat());
        assert_eq!(code, Some(30), "{text}{stderr}");
        assert!(text.contains("assertion      SAFE up to unwind=2, rounds=3"), "{text}");
        assert!(text.ends_with("VERDICT: UNKNOWN\n"));
    }
    // A property that it does not look for is unknown when one asks, and not checked when one does not.
    let (code, text, _) =
        folder.check(&["--engine", "lazy", "--unwind", "1", "--rounds", "1", "--properties", "data-race"]);
    assert_eq!(code, Some(20), "{text}");
    assert!(text.contains("data-race      UNKNOWN: the engine lazy does not check this property"), "{text}");
    let (code, text, _) = folder.check(&["--engine", "lazy", "--unwind", "1", "--rounds", "1"]);
    assert_eq!(code, Some(30), "{text}");
    assert!(text.contains("data-race      NOT CHECKED"), "{text}");
}

#[test]
fn a_schedule_says_who_takes_part() {
    let folder = Folder::new("schedule", FLAG);
    let check = |schedule: &str| {
        folder.check(&[
            "--engine",
            "lazy",
            "--unwind",
            "1",
            "--properties",
            "assertion",
            "--schedule",
            schedule,
        ])
    };
    // Main looks at the flag in the second round, behind the child.
    assert_eq!(check("main,t1:main").0, Some(10));
    let (code, text, _) = check("main:main,t1");
    assert_eq!(code, Some(30), "{text}");
    let (code, text, _) = check("main,t7");
    assert_eq!(code, Some(20));
    assert!(text.contains("there is no thread 7"), "{text}");
    // What was left out is said.
    let (_, text, _) = check("main:main,t1");
    assert!(text.contains("SAFE up to unwind=1, rounds=2 within the schedule main:main,t1\n"), "{text}");
    let (code, _, stderr) = folder.check(&["--schedule", "main"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("--schedule: only the engine `lazy` has that"), "{stderr}");
}

/// One of two increments may be lost, if threads change between reading and writing.
const ADD: &str = "\
#include <assert.h>
#include <pthread.h>

int x;

void *add(void *unused) {
    int seen = x;
    x = seen + 1;
    return unused;
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
fn switch_points_say_where_threads_may_be_left() {
    let folder = Folder::new("switches", ADD);
    let bounds = ["--engine", "lazy", "--unwind", "1", "--rounds", "3"];
    let check = |switches: &str| folder.check(&[&bounds[..], &["--switches", switches]].concat());
    // The first thread is left between its steps; or the second one, as nothing is said about it.
    for found in ["1.t1:2", "*.t1:0|3", "*.all:0..9"] {
        let (code, text, stderr) = check(found);
        assert_eq!(code, Some(10), "{text}{stderr}");
        assert!(text.contains("BUG at a.c:18: assertion `x == 2` fails"), "{text}");
    }
    // Both run to their ends when they have begun: that is safe, and only that is said, for every property.
    let (code, text, stderr) = check("*.t1:0|3;*.t2:0|3");
    assert_eq!(code, Some(30), "{text}{stderr}");
    let within = "SAFE up to unwind=1, rounds=3 within the switch points *.t1:0|3;*.t2:0|3\n";
    for property in ["assertion    ", "deadlock     ", "lock-misuse  "] {
        assert!(text.contains(&format!("{property}  {within}")), "{text}");
    }
    assert!(text.ends_with("VERDICT: UNKNOWN\n"));
    // A label that is not there would leave nothing to look at.
    let (code, text, _) = check("1.t1:4");
    assert_eq!(code, Some(20), "{text}");
    assert!(text.contains("`t1` cannot be left anywhere in round 1: its labels are 0 to 3"), "{text}");
}

#[test]
fn switch_points_need_labels_that_stay() {
    let folder = Folder::new("switches-refused", ADD);
    let check = |arguments: &[&str]| {
        let (code, text, stderr) = folder.check(&[&["--switches", "1.t1:2"], arguments].concat());
        assert_eq!(code, Some(1), "{text}{stderr}");
        stderr
    };
    for engine in ["po-bmc", "portfolio", "exhaustive", "random", "lal-reps"] {
        let words = check(&["--engine", engine, "--unwind", "1"]);
        assert!(words.contains("--switches: only the engine `lazy` has that"), "{words}");
    }
    for bounds in [&["--unwind", "1"][..], &["--rounds", "2"], &[]] {
        let words = check(&[&["--engine", "lazy"], bounds].concat());
        assert!(words.contains("--switches: labels change with the bounds"), "{words}");
    }
    let words = check(&["--engine", "lazy", "--unwind", "1", "--rounds", "2", "--max-threads", "3"]);
    assert!(words.contains("cannot be used with"), "{words}");
}

/// What CBMC would say of an assertion that fails after these turns: threads and labels.
fn failure(turns: &[(u32, u32)]) -> String {
    let assignment = |name: &str, value: u32| {
        format!(
            r#"{{"stepType":"assignment","hidden":false,"lhs":"{name}","value":{{"name":"integer","width":8,"binary":"{value:08b}"}}}},"#
        )
    };
    let steps: String = turns
        .iter()
        .map(|&(thread, label)| assignment("__raddle_current", thread) + &assignment("__raddle_leave", label))
        .collect();
    format!(
        r#"[{{"program":"CBMC 6.6.0"}},{{"result":[{{"description":"assertion: it fails","property":"main.1",
        "status":"FAILURE","sourceLocation":{{"file":"FILE","line":"1"}},
        "trace":[{steps}{{"stepType":"failure","property":"main.1"}}]}}]}},{{"cProverStatus":"failure"}}]"#
    )
}

const CBMC: [&str; 10] =
    ["--engine", "lazy", "--backend", "cbmc", "--properties", "assertion", "--unwind", "1", "--rounds", "2"];

#[test]
fn a_backend_is_believed_when_the_machine_sees_what_it_claims() {
    let folder = Folder::new("cbmc", FLAG);
    folder.cbmc(&failure(&[(0, 1), (1, 2), (0, 2)]), 10);
    let (code, text, stderr) = folder.check(&CBMC);
    assert_eq!(code, Some(10), "{text}{stderr}");
    assert!(text.contains("BUG at a.c:14: assertion `flag == 0` fails"), "{text}");
    folder.cbmc(r#"[{"program":"CBMC 6.6.0"},{"cProverStatus":"success"}]"#, 0);
    let (code, text, stderr) = folder.check(&CBMC);
    assert_eq!(code, Some(30), "{text}{stderr}");
    assert!(text.contains("assertion      SAFE up to unwind=1, rounds=2"), "{text}");
}

#[test]
fn what_a_backend_claims_and_nobody_sees_is_no_verdict() {
    let folder = Folder::new("lies", &FLAG.replace("assert(flag == 0);", ""));
    folder.cbmc(&failure(&[(0, 1), (1, 2), (0, 2)]), 10);
    let (code, text, _) = folder.check(&CBMC);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.ends_with("VERDICT: UNKNOWN\n"));
    folder.cbmc("[]", 0);
    let (code, text, _) = folder.check(&CBMC);
    assert_eq!(code, Some(20), "{text}");
    assert!(text.contains("the answer of CBMC is not understood"), "{text}");
}

#[test]
fn a_missing_backend_says_what_to_install() {
    let folder = Folder::new("missing", FLAG);
    let command = |backend: &str, engine: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.args(["check", "a.c", "--backend", backend, "--engine", engine]);
        command.current_dir(&folder.0).env("PATH", Path::new("/nowhere"));
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, words) = command("cbmc", "lazy");
    assert_eq!(code, Some(1));
    assert!(words.contains("install CBMC 6 or later"), "{words}");
    assert!(command("klee", "lazy").1.contains("raddle sequentialize --backend klee"));
}
