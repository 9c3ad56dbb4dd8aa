//! `raddle check --backend`: a checker of other people answers about the sequential program, and what it finds is told on the input.
//! The checker here is a script that answers like CBMC.

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work fails")]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The assertion fails when the thread has run, and the right number is read.
const THREADS: &str = "\
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *set(void *unused) {
    x = 1;
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, set, 0);
    if (__VERIFIER_nondet_int() == 41) {
        int seen = x;
        assert(seen == 0);
    }
    return 0;
}
";

/// A lock is misused on every way to the assertion, which fails, too.
const TWO_KINDS: &str = "\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
int main(void) {
    pthread_mutex_unlock(&m);
    assert(x == 1);
    return 0;
}
";

/// A folder with a program, and with a `cbmc` if that is wanted.
struct Scratch(PathBuf);

impl Scratch {
    #[expect(clippy::disallowed_methods, reason = "inputs are made here")]
    fn new(name: &str, installed: bool) -> Self {
        let folder = std::env::temp_dir().join(format!("raddle-backend-{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("bin")).unwrap();
        std::fs::write(folder.join("threads.c"), THREADS).unwrap();
        let scratch = Self(folder);
        if installed {
            scratch.install("cbmc.sh", THREADS);
        }
        scratch
    }

    /// Puts a script there as `cbmc`, and the program that it answers about.
    #[expect(clippy::disallowed_methods, reason = "inputs are made here")]
    fn install(&self, script: &str, program: &str) {
        std::fs::write(self.0.join("threads.c"), program).unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/backend").join(script);
        let tool = self.0.join("bin/cbmc");
        std::fs::copy(script, &tool).unwrap();
        std::fs::set_permissions(&tool, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// Runs `check` with this checker, which answers in this way; gives the exit code and all that was said.
    #[expect(clippy::disallowed_methods, reason = "the tests run the command, with a path of their own")]
    fn check(&self, backend: &str, answer: &str, more: &[&str]) -> (Option<i32>, String) {
        let path = std::env::var("PATH").unwrap_or_default();
        let output: Output = Command::new(env!("CARGO_BIN_EXE_raddle"))
            .args(["check", "--engine", "lazy", "--rounds", "2", "--unwind", "2"])
            .args(if more.contains(&"--properties") { &[][..] } else { &["--properties", "assertion"] })
            .args(["--backend", backend])
            .args(more)
            .arg("threads.c")
            .env("PATH", format!("{}:{path}", self.0.join("bin").display()))
            .env("ANSWER", answer)
            .env("COLUMNS", "110")
            .current_dir(&self.0)
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn a_bug_is_replayed_and_told_on_the_lines_of_the_input() {
    let scratch = Scratch::new("bug", true);
    let (code, said) = scratch.check("cbmc", "bug", &["--trace", "trace.json"]);
    assert_eq!(code, Some(10), "{said}");
    assert!(said.contains("BUG at threads.c:14") && said.contains("VERDICT: FALSE"), "{said}");
    assert!(said.contains("__VERIFIER_nondet_int() = 41"), "{said}");
    // What is told looks as if our own checker had found it, and can be replayed.
    let ours = scratch.check("ours", "", &[]);
    assert_eq!(ours.0, Some(10), "{}", ours.1);
    assert!(ours.1.contains("BUG at threads.c:14"), "{}", ours.1);
    #[expect(clippy::disallowed_methods, reason = "the tests run the command")]
    let replayed = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["replay", "trace.json"])
        .current_dir(&scratch.0)
        .output()
        .unwrap();
    assert_eq!(replayed.status.code(), Some(10), "{}", String::from_utf8_lossy(&replayed.stderr));
}

#[test]
fn one_broken_property_does_not_hide_another() {
    let scratch = Scratch::new("two-kinds", false);
    scratch.install("two-kinds.sh", TWO_KINDS);
    let both = ["--properties", "assertion,lock-misuse"];
    let (code, said) = scratch.check("cbmc", "", &both);
    assert_eq!(code, Some(10), "{said}");
    assert!(said.contains("assertion      BUG at threads.c:7"), "{said}");
    assert!(said.contains("lock-misuse    BUG at threads.c:6"), "{said}");
    // That nothing else fails is believed only when it is said of a program without the check that fails.
    let (code, said) = scratch.check("cbmc", "once", &both);
    assert_eq!(code, Some(10), "{said}");
    assert!(said.contains("assertion      SAFE up to unwind=2, rounds=2"), "{said}");
    assert!(said.contains("lock-misuse    BUG at threads.c:6"), "{said}");
}

#[test]
fn nothing_found_is_safe_up_to_the_bounds() {
    let (code, said) = Scratch::new("safe", true).check("cbmc", "success", &[]);
    assert_eq!(code, Some(30), "{said}");
    assert!(said.contains("SAFE up to") && said.contains("rounds=2") && said.contains("unwind=2"), "{said}");
}

#[test]
fn a_counterexample_that_cannot_be_replayed_is_no_verdict() {
    let (code, said) = Scratch::new("lie", true).check("cbmc", "lie", &[]);
    assert!(matches!(code, Some(2 | 20)), "{code:?} {said}");
    assert!(said.contains("VERDICT: UNKNOWN"), "{said}");
}

#[test]
fn what_is_not_an_answer_is_unknown() {
    let scratch = Scratch::new("unknown", true);
    let (code, said) = scratch.check("cbmc", "garbage", &[]);
    assert_eq!(code, Some(20), "{said}");
    assert!(said.contains("[1].result[0].status: `SUCCESS` or `FAILURE` is expected, not `MAYBE`"), "{said}");
    let (code, said) = scratch.check("cbmc", "error", &[]);
    assert_eq!(code, Some(20), "{said}");
    assert!(said.contains("CBMC ended with code 6: out of patience"), "{said}");
}

#[test]
fn what_cannot_be_run_is_a_mistake_in_usage() {
    #[expect(clippy::disallowed_methods, reason = "where a real one is installed there is nothing to test")]
    let path = std::env::var_os("PATH").unwrap_or_default();
    let scratch = Scratch::new("missing", false);
    if !std::env::split_paths(&path).any(|folder| folder.join("cbmc").exists()) {
        let (code, said) = scratch.check("cbmc", "", &[]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("install CBMC 6"), "{said}");
    }
    for backend in ["esbmc", "cpachecker", "klee"] {
        let (code, said) = scratch.check(backend, "", &[]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(&format!("raddle sequentialize --backend {backend}")), "{said}");
    }
}
