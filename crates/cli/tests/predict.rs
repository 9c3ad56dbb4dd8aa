//! `raddle predict`: what a run that passed says, and how it is told.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::path::Path;

use common::{Scratch, raddle, text};

const GUIDE: &str = include_str!("../../../docs/predict.md");

fn root() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Two locks in two orders: a run in which the first thread is through before the second begins passes.
const EMBRACE: &str = "\
#include <pthread.h>
pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER, right = PTHREAD_MUTEX_INITIALIZER;
void *one(void *unused) {
    pthread_mutex_lock(&left);
    pthread_mutex_lock(&right);
    pthread_mutex_unlock(&right);
    pthread_mutex_unlock(&left);
    return unused;
}
void *two(void *unused) {
    pthread_mutex_lock(&right);
    pthread_mutex_lock(&left);
    pthread_mutex_unlock(&left);
    pthread_mutex_unlock(&right);
    return unused;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
";

/// What breaks it is a statement that a sequential run never executes.
const UNSEEN: &str = "\
#include <assert.h>
#include <pthread.h>
int g, f;
void *one(void *unused) { if (__atomic_load_n(&g, 5)) __atomic_store_n(&f, 1, 5); return unused; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, one, 0);
    pthread_join(a, 0);
    __atomic_store_n(&g, 1, 5);
    assert(f == 0);
    return 0;
}
";

/// The main thread goes first, and finds nothing; the other way round it does what that run did not show.
const UNORDERED: &str = "\
#include <assert.h>
#include <pthread.h>
int g, f;
void *one(void *unused) { __atomic_store_n(&g, 1, 5); return unused; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, one, 0);
    if (__atomic_load_n(&g, 5))
        f = 1;
    pthread_join(a, 0);
    assert(f == 0);
    return 0;
}
";

#[test]
fn the_guide_shows_what_the_command_prints() {
    let line = "    $ raddle predict --scheduler sequential docs/examples/account.c\n";
    let behind = GUIDE.split_once(line).unwrap().1;
    let shown: Vec<&str> = behind
        .lines()
        .take_while(|line| line.is_empty() || line.starts_with("    "))
        .map(|line| line.strip_prefix("    ").unwrap_or(line))
        .collect();
    let done = raddle(&root(), &["predict", "--scheduler", "sequential", "docs/examples/account.c"]);
    assert_eq!(done.status.code(), Some(10), "{}", text(&done.stderr));
    let printed = text(&done.stdout);
    let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
    assert_eq!(printed.join("\n").trim_end(), shown.join("\n").trim_end());
}

#[test]
fn a_deadlock_is_foretold_from_a_recorded_run_and_replayed() {
    let folder = Scratch::new("deadlock");
    folder.write("embrace.c", EMBRACE);
    // With this seed the run passes.
    let ran = raddle(&folder.0, &["run", "--seed", "3", "--trace", "run.json", "embrace.c"]);
    assert_eq!(ran.status.code(), Some(0), "{}", text(&ran.stderr));
    let done = raddle(&folder.0, &["predict", "run.json", "--trace", "bug.json"]);
    let (out, err) = (text(&done.stdout), text(&done.stderr));
    assert_eq!(done.status.code(), Some(10), "{out}{err}");
    assert!(out.contains("deadlock       BUG at embrace.c:"), "{out}");
    assert!(out.contains("wait for each other (in another order of this run)"), "{out}");
    assert!(out.contains("locks ") && out.contains("here it does not come to that."), "{out}");
    for property in ["assertion", "lock-misuse", "data-race", "memory-safety"] {
        assert!(out.contains(&format!("{property:13}  no other order of this run breaks it\n")), "{out}");
    }
    assert!(folder.read("bug.json").contains("\"property\": \"deadlock\""));
    let again = raddle(&folder.0, &["replay", "bug.json"]);
    assert_eq!(again.status.code(), Some(10), "{}", text(&again.stderr));
    // What the run itself breaks is said so.
    let failed = raddle(&folder.0, &["predict", "bug.json", "--properties", "deadlock"]);
    assert_eq!(failed.status.code(), Some(10));
    assert!(text(&failed.stdout).contains("(in this run)"), "{}", text(&failed.stdout));
}

#[test]
fn nothing_is_said_of_what_the_run_did_not_execute() {
    let folder = Scratch::new("unseen");
    folder.write("unseen.c", UNSEEN);
    let arguments =
        ["predict", "--scheduler", "sequential", "--properties", "assertion,data-race", "unseen.c"];
    let done = raddle(&folder.0, &arguments);
    let out = text(&done.stdout);
    assert_eq!(done.status.code(), Some(0), "{out}{}", text(&done.stderr));
    assert!(out.contains("assertion  no other order of this run breaks it\n"), "{out}");
}

#[test]
fn from_one_run_all_executions_become_known() {
    let folder = Scratch::new("all");
    folder.write("unseen.c", UNSEEN);
    folder.write("unordered.c", UNORDERED);
    let asked = |file: &str, how: &[&str]| {
        let arguments = ["predict", "--scheduler", "sequential", "--properties", "assertion,data-race", file];
        let done = raddle(&folder.0, &[&arguments[..], how].concat());
        (done.status.code(), text(&done.stdout))
    };
    let (code, out) = asked("unseen.c", &["--until-done"]);
    assert_eq!(code, Some(0), "{out}");
    assert!(out.contains("assertion  holds for these inputs under all schedules\n"), "{out}");
    let (code, out) = asked("unordered.c", &["--until-done"]);
    assert_eq!(code, Some(10), "{out}");
    assert!(out.contains("assertion `f == 0` fails (in another execution)\n"), "{out}");
    assert!(out.contains("data-race  holds for these inputs under all schedules\n"), "{out}");
    let (code, out) = asked("unordered.c", &["--steps", "1"]);
    assert_eq!(code, Some(20), "{out}");
    assert!(out.contains("UNKNOWN: not all executions were asked about"), "{out}");
}

#[test]
fn windows_are_named_and_miss_what_is_further_apart() {
    let asked = |size: &str| {
        let arguments =
            ["predict", "--scheduler", "sequential", "--properties", "assertion", "--window", size];
        let done = raddle(&root(), &[&arguments[..], &["docs/examples/account.c"]].concat());
        (done.status.code(), text(&done.stdout))
    };
    let (code, out) = asked("3");
    assert_eq!(code, Some(0), "{out}");
    assert!(
        out.contains("assertion  no other order within windows of 3 steps of this run breaks it\n"),
        "{out}"
    );
    let (code, out) = asked("100");
    assert_eq!(code, Some(10), "{out}");
}

#[test]
fn the_json_form_has_the_same() {
    let done = raddle(
        &root(),
        &["predict", "--scheduler", "sequential", "--format", "json", "docs/examples/account.c"],
    );
    let told: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    let assertion = &told["properties"][0];
    assert_eq!((&told["version"], &told["run"]["threads"]), (&1.into(), &3.into()));
    assert_eq!((&assertion["property"], &assertion["answer"]), (&"assertion".into(), &"foretold".into()));
    assert_eq!(assertion["violation"]["place"], "docs/examples/account.c:31");
    let reversed = &assertion["reversed"][0];
    assert_eq!((&reversed["name"], &reversed["first"]["does"]), (&"balance".into(), &"reads".into()));
    assert_eq!(told["properties"][1]["answer"], "holds");
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let folder = Scratch::new("refused");
    folder.write("embrace.c", EMBRACE);
    let refused = |arguments: &[&str], why: &str| {
        let done = raddle(&folder.0, arguments);
        assert_eq!(done.status.code(), Some(1), "{}", text(&done.stdout));
        assert!(text(&done.stderr).contains(why), "{}", text(&done.stderr));
    };
    let ran = raddle(&folder.0, &["run", "--seed", "3", "--trace", "run.json", "embrace.c"]);
    assert_eq!(ran.status.code(), Some(0));
    refused(&["predict", "embrace.c", "run.json"], "give it alone");
    refused(
        &["predict", "run.json", "--properties", "overflow"],
        "record it again with `--properties overflow`",
    );
    refused(
        &["predict", "--memory-model", "tso", "--window", "5", "embrace.c"],
        "sequential consistency only",
    );
    let done = raddle(&folder.0, &["predict", "embrace.c", "--properties", "leak"]);
    assert_eq!(done.status.code(), Some(20));
    assert!(text(&done.stdout).contains("leak  UNKNOWN: leak is not predicted"), "{}", text(&done.stdout));
}
