//! Certificates of proofs without bounds: written by `raddle check`, checked again by `raddle proof check`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use common::{Scratch, raddle, text};

/// Any number of threads; what one of them does to `x` nobody sees.
const GUARDED: &str = "\
void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
static int held, x;
static void lock(void) {
    for (;;) {
        __VERIFIER_atomic_begin();
        if (!held) {
            held = 1;
            __VERIFIER_atomic_end();
            return;
        }
        __VERIFIER_atomic_end();
    }
}
static void *work(void *unused) {
    lock();
    x = 1;
    x = 0;
    held = 0;
    return unused;
}
int main(void) {
    pthread_t thread;
    for (;;) {
        pthread_create(&thread, 0, work, 0);
        lock();
        if (x != 0)
            reach_error();
        held = 0;
    }
}
";

const CHECK: &[&str] = &["check", "--engine", "thread-modular", "--properties", "assertion", "--quiet"];

/// A folder with a program `a.i` and the certificate `a.json` of its proof.
fn proved(name: &str, program: &str, options: &[&str]) -> Scratch {
    let scratch = Scratch::new(name);
    scratch.write("a.i", program);
    let arguments = [CHECK, options, &["--certificate", "a.json", "a.i"]].concat();
    let output = raddle(&scratch.0, &arguments);
    assert_eq!(output.status.code(), Some(0), "{}{}", text(&output.stdout), text(&output.stderr));
    scratch
}

/// Any number of threads that are detached, and wait for a condition.
const WAITING: &str = "\
void reach_error(void);
int __VERIFIER_nondet_int(void);
typedef unsigned long pthread_t;
typedef union { long words[5]; } pthread_mutex_t;
typedef union { long words[6]; } pthread_cond_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_detach(pthread_t);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
static pthread_mutex_t lock;
static pthread_cond_t changed;
static int full;
static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&changed, &lock);
    if (full != 1)
        reach_error();
    full = 0;
    pthread_mutex_unlock(&lock);
    return unused;
}
int main(void) {
    while (__VERIFIER_nondet_int()) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
        pthread_detach(thread);
        pthread_mutex_lock(&lock);
        full = 1;
        pthread_mutex_unlock(&lock);
    }
}
";

/// The exit code of a check, and what it says.
fn check(scratch: &Scratch, files: &[&str]) -> (Option<i32>, String) {
    let output = raddle(&scratch.0, &[&["proof", "check"], files].concat());
    (output.status.code(), format!("{}{}", text(&output.stdout), text(&output.stderr)))
}

#[test]
fn a_certificate_is_accepted_in_another_process() {
    let scratch = proved("accepted", GUARDED, &[]);
    let (code, said) = check(&scratch, &["a.i", "a.json"]);
    assert_eq!(code, Some(0), "{said}");
    let lines: Vec<&str> = said.lines().collect();
    assert!(
        lines[0].starts_with("assertion      PROVED for all executions: thread-modular invariants, "),
        "{said}"
    );
    assert!(lines.contains(&"assumes        signed overflow wraps around"), "{said}");
    assert!(!said.contains("stops there"), "no property was excused: {said}");
    assert_eq!(lines.last(), Some(&"CERTIFICATE: ACCEPTED"));
    // Wherever the file lies, it is the same program.
    scratch.write("b.i", GUARDED);
    assert_eq!(check(&scratch, &["b.i", "a.json"]).0, Some(0));
}

#[test]
fn how_the_program_was_built_is_remembered() {
    let program = GUARDED.replace("x = 1;", "x = sizeof(long) == 4 ? 1 : 7;");
    let scratch = proved("options", &program, &["--signed-overflow", "undefined", "-m32"]);
    let (code, said) = check(&scratch, &["a.i", "a.json"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(!said.contains("signed overflow"), "{said}");
    let certificate = scratch.read("a.json");
    scratch.write("a.json", &certificate.replace("ilp32", "lp64"));
    let (code, said) = check(&scratch, &["a.i", "a.json"]);
    assert_eq!((code, said.contains("it is about another program")), (Some(1), true), "{said}");
}

#[test]
fn a_certificate_may_be_of_the_program_in_which_threads_are_alike() {
    let scratch = proved("alike", WAITING, &[]);
    let (code, said) = check(&scratch, &["a.i", "a.json"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("note           what is proved was shown of an over-approximation"), "{said}");
    assert!(said.contains("assumes        threads can always be started (--create-may-fail)"), "{said}");
    // Of that program nothing is taken that misuse of locks or deadlocks are about.
    for property in ["lock-misuse", "deadlock"] {
        let claimed = scratch.read("a.json").replace("\"assertion\"", &format!("\"{property}\""));
        scratch.write("claimed.json", &claimed);
        let (code, said) = check(&scratch, &["a.i", "claimed.json"]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("it is about another program"), "{said}");
    }
}

#[test]
fn a_certificate_that_was_weakened_is_rejected_with_a_place() {
    let scratch = proved("weakened", GUARDED, &[]);
    let certificate = scratch.read("a.json");
    // At every location each conjunction loses its first constraint that something equals something.
    let (mut weak, mut rest) = (String::new(), certificate.as_str());
    let mut dropped = 0;
    while let Some((before, behind)) = rest.split_once("\"relation\":\"Equal\"") {
        weak.push_str(before);
        weak.push_str("\"relation\":\"LessEqual\"");
        (rest, dropped) = (behind, dropped + 1);
    }
    weak.push_str(rest);
    assert!(dropped > 0);
    scratch.write("weak.json", &weak);
    let (code, said) = check(&scratch, &["a.i", "weak.json"]);
    assert_eq!(code, Some(20), "{said}");
    assert!(said.starts_with("assertion      REJECTED: ") && said.contains(", at a.i:"), "{said}");
    assert!(said.ends_with("CERTIFICATE: REJECTED\n"), "{said}");
}

#[test]
fn the_certificate_of_a_right_program_proves_no_other() {
    let scratch = proved("other", GUARDED, &[]);
    let wrong = GUARDED.replace("if (!held)", "if (held < 2)");
    scratch.write("wrong.i", &wrong);
    let (code, said) = check(&scratch, &["wrong.i", "a.json"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("a.json: it is about another program: wrong.i is not a.i as it was then"),
        "{said}"
    );
    // Who says that it is about that one is found out by the obligations.
    let arguments = ["check", "--engine", "thread-modular", "--properties", "overflow", "-q"];
    let output = raddle(&scratch.0, &[&arguments[..], &["--certificate", "wrong.json", "wrong.i"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    // Checks of overflow are in that program, and not in the other.
    let (right, wrong) = (scratch.read("a.json"), scratch.read("wrong.json"));
    let is = |certificate: &str| certificate.split("\"program\":\"").nth(1).unwrap()[..22].to_owned();
    let built = |certificate: &str| certificate.split("\"proofs\"").next().unwrap().to_owned();
    let lie = right.replace(&is(&right), &is(&wrong)).replace(&built(&right), &built(&wrong));
    scratch.write("lie.json", &lie);
    let (code, said) = check(&scratch, &["wrong.i", "lie.json"]);
    assert_eq!((code, said.starts_with("assertion      REJECTED: ")), (Some(20), true), "{said}");
}

#[test]
fn without_a_proof_there_is_no_certificate() {
    let scratch = Scratch::new("none");
    scratch.write("a.i", "void reach_error(void); int main(void) { reach_error(); return 0; }\n");
    let output = raddle(&scratch.0, &[CHECK, &["--certificate", "none.json", "a.i"]].concat());
    assert_eq!(output.status.code(), Some(20), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("none.json is not written"), "{}", text(&output.stderr));
    assert!(!scratch.0.join("none.json").exists());
    let output = raddle(&scratch.0, &["check", "--certificate", "no/where.json", "a.i"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("there is no folder `no`"), "{}", text(&output.stderr));
}

#[test]
fn what_is_no_certificate_is_refused() {
    let scratch = proved("refused", GUARDED, &[]);
    let certificate = scratch.read("a.json");
    for (name, contents, why) in [
        ("text", "hello".to_owned(), "not a certificate: "),
        ("trace", "{\"format\":\"raddle-trace\",\"version\":1}".to_owned(), "its format is `raddle-trace`"),
        ("new", certificate.replace("\"version\":1", "\"version\":7"), "of version 7 are not known"),
        ("cut", certificate[..certificate.len() / 2].to_owned(), "not a certificate: EOF"),
        ("kind", certificate.replace("thread-modular", "magic"), "unknown variant `magic`"),
        ("property", certificate.replace("\"assertion\"", "\"beauty\""), "there is no property `beauty`"),
        ("empty", certificate.replace("[\"assertion\"]", "[]"), "it proves nothing"),
    ] {
        scratch.write(name, &contents);
        let (code, said) = check(&scratch, &["a.i", name]);
        assert_eq!((code, said.contains(why)), (Some(1), true), "{name}: {said}");
    }
    assert_eq!(check(&scratch, &["a.i", "nowhere"]).0, Some(1));
    assert_eq!(check(&scratch, &["nowhere.i", "a.json"]).0, Some(1));
    assert_eq!(check(&scratch, &["a.json"]).0, Some(1));
}

#[test]
fn functions_without_a_body_may_do_what_they_like() {
    let program = GUARDED
        .replace("static int held", "int log_line(void);\nstatic int held")
        .replace("    x = 1;", "    log_line();\n    x = 1;");
    let scratch = proved("bodiless", &program, &[]);
    let (code, said) = check(&scratch, &["a.i", "a.json"]);
    assert_eq!(code, Some(0), "{said}");
}
