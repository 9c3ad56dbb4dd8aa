//! `raddle check`, as a user calls it: answers, exit codes, limits, bad input.

#![expect(
    clippy::disallowed_methods,
    reason = "the tests start the command, read what it writes and look at the clock"
)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Two threads count; one visitor may be lost.
const COUNTER: &str = "\
#include <assert.h>
#include <pthread.h>

int visitors;

void *door(void *unused) {
    visitors++;
    return unused;
}

int main(void) {
    pthread_t front, back;
    pthread_create(&front, 0, door, 0);
    pthread_create(&back, 0, door, 0);
    pthread_join(front, 0);
    pthread_join(back, 0);
    assert(visitors == 2);
    return 0;
}
";

/// The same with a lock: safe. One assertion is never reached, one function has no body.
const GUARDED: &str = "\
#include <assert.h>
#include <pthread.h>

void ring(int times);
static int visitors;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *door(void *unused) {
    pthread_mutex_lock(&lock);
    visitors++;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t front, back;
    pthread_create(&front, 0, door, 0);
    pthread_create(&back, 0, door, 0);
    pthread_join(front, 0);
    pthread_join(back, 0);
    ring(visitors);
    if (visitors > 2)
        assert(visitors == 3);
    assert(visitors == 2);
    return 0;
}
";

/// Two locks in two orders.
const EMBRACE: &str = "\
#include <pthread.h>

pthread_mutex_t fork_left = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t fork_right = PTHREAD_MUTEX_INITIALIZER;

void *philosopher(void *unused) {
    pthread_mutex_lock(&fork_right);
    pthread_mutex_lock(&fork_left);
    pthread_mutex_unlock(&fork_left);
    pthread_mutex_unlock(&fork_right);
    return unused;
}

int main(void) {
    pthread_t other;
    pthread_create(&other, 0, philosopher, 0);
    pthread_mutex_lock(&fork_left);
    pthread_mutex_lock(&fork_right);
    pthread_mutex_unlock(&fork_right);
    pthread_mutex_unlock(&fork_left);
    pthread_join(other, 0);
    return 0;
}
";

/// Has far more states than anybody can visit.
const ENDLESS: &str = "\
#include <pthread.h>
unsigned a[6];
void *count(void *p) { for (unsigned i = 0; i < 100000; i++) *(unsigned *)p = i; return 0; }
int main(void) {
    pthread_t t[6];
    for (int i = 0; i < 6; i++) pthread_create(&t[i], 0, count, &a[i]);
    for (int i = 0; i < 6; i++) pthread_join(t[i], 0);
    return 0;
}
";

const SAFE: &str = "int main(void) { return 0; }\n";

const UNREACH_CALL: &str = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n";

/// A directory for one test, removed afterwards. The command runs in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("raddle-check-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn with(name: &str, files: &[(&str, &str)]) -> Self {
        let folder = Self::new(name);
        for (file, text) in files {
            folder.write(file, text);
        }
        folder
    }

    fn write(&self, file: &str, text: &str) {
        std::fs::write(self.0.join(file), text).unwrap();
    }

    fn has(&self, file: &str) -> bool {
        self.0.join(file).exists()
    }

    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
        command.args(arguments.split_whitespace()).current_dir(&self.0);
        command.env("COLUMNS", "110").env("NO_COLOR", "1").stdin(Stdio::null());
        command
    }

    fn run(&self, arguments: &str) -> Ran {
        self.command(arguments).output().unwrap().into()
    }

    /// Checks with the engine whose answers are known.
    fn check(&self, arguments: &str) -> Ran {
        self.run(&format!("check --engine exhaustive {arguments}"))
    }

    /// Starts a check and waits until it listens to signals.
    fn start(&self, arguments: &str) -> Child {
        let mut command = self.command(&format!("check {arguments}"));
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let threads = PathBuf::from(format!("/proc/{}/task", child.id()));
        let begin = Instant::now();
        let listens = || {
            let names = std::fs::read_dir(&threads).into_iter().flatten().flatten();
            let mut names = names.filter_map(|entry| std::fs::read_to_string(entry.path().join("comm")).ok());
            names.any(|name| name.trim() == "watch")
        };
        while !listens() && begin.elapsed() < Duration::from_secs(20) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(listens(), "the command does not begin to work: {:?}", child.try_wait());
        child
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

struct Ran {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    #[track_caller]
    fn ends(&self, code: i32, verdict: &str) -> &Self {
        assert_eq!(self.code, Some(code), "{}{}", self.stdout, self.stderr);
        let last = self.stdout.lines().last().unwrap_or_default();
        assert_eq!(last, format!("VERDICT: {verdict}"), "{}", self.stdout);
        self
    }

    #[track_caller]
    fn says(&self, part: &str) -> &Self {
        assert!(self.stdout.contains(part), "`{part}` is not in\n{}{}", self.stdout, self.stderr);
        self
    }

    /// Ends as wrong input does, and says so on standard error only.
    #[track_caller]
    fn refuses(&self, part: &str) {
        assert_eq!((self.code, self.stdout.as_str()), (Some(1), ""), "{}", self.stderr);
        assert!(self.stderr.contains(part), "`{part}` is not in\n{}", self.stderr);
    }

    /// The line of a property.
    fn line(&self, property: &str) -> &str {
        let line = self.stdout.lines().rev().find_map(|line| line.strip_prefix(property)?.strip_prefix("  "));
        line.unwrap_or_default().trim_start()
    }

    /// Everything but the time and the hashes of files with their headers, with the exit code, for a snapshot.
    fn shown(&self) -> String {
        let mut text = format!("exit code: {:?}\n", self.code.unwrap_or(-1));
        for line in self.stdout.lines() {
            let changing = ["time  ", "\"seconds\": ", "\"hash\": "];
            let start = line.trim_start();
            let _ = match changing.iter().find(|name| start.starts_with(**name)) {
                Some(name) => writeln!(text, "{}{name}[…]", &line[..line.len() - start.len()]),
                None => writeln!(text, "{line}"),
            };
        }
        if !self.stderr.is_empty() {
            let _ = write!(text, "on standard error:\n{}", self.stderr);
        }
        text
    }
}

#[test]
fn bugs_are_told_with_their_interleaving() {
    let folder = Folder::with("bugs", &[("counter.c", COUNTER), ("embrace.c", EMBRACE)]);
    insta::assert_snapshot!("check_counter", folder.check("counter.c").shown());
    insta::assert_snapshot!(
        "check_counter_traced",
        folder.check("counter.c --trace t.json --properties data-race").shown()
    );
    insta::assert_snapshot!("check_embrace", folder.check("embrace.c").shown());
}

#[test]
fn a_proof_is_told_with_what_it_rests_on() {
    let folder = Folder::with("proof", &[("guarded.c", GUARDED)]);
    let safe = folder.check("guarded.c");
    safe.ends(0, "TRUE").says("not reached").says("guarded.c:23: assertion `visitors == 3`");
    insta::assert_snapshot!("check_guarded", safe.shown());
    insta::assert_snapshot!("check_guarded_quiet", folder.check("guarded.c --quiet").shown());
    insta::assert_snapshot!(
        "check_guarded_all",
        folder.check("guarded.c --properties all --unwind 2").shown()
    );
}

#[test]
fn the_answer_comes_as_json_too() {
    let folder = Folder::with("json", &[("counter.c", COUNTER), ("guarded.c", GUARDED)]);
    let bug = folder.check("counter.c --properties assertion --format json");
    assert_eq!(bug.code, Some(10));
    insta::assert_snapshot!("check_counter_json", bug.shown());
    let answer: serde_json::Value = serde_json::from_str(&bug.stdout).unwrap();
    assert_eq!(answer["verdict"], "FALSE");
    assert_eq!(answer["properties"][0]["violation"]["place"], "counter.c:17");
    // The trace inside is one that can be replayed.
    folder.write("inner.json", &answer["properties"][0]["violation"]["trace"].to_string());
    assert_eq!(folder.run("replay inner.json").code, Some(10));
    let safe = folder.check("guarded.c --format json");
    assert_eq!(safe.code, Some(0));
    insta::assert_snapshot!("check_guarded_json", safe.shown());
}

#[test]
fn the_same_question_gives_the_same_bytes() {
    let folder = Folder::with("same", &[("counter.c", COUNTER)]);
    for arguments in [
        "--engine exhaustive",
        "--engine random --seed 7",
        "--engine exhaustive --format json",
        "--engine random",
    ] {
        let run = || folder.run(&format!("check {arguments} counter.c"));
        let (first, second) = (run(), run());
        assert_eq!(first.shown(), second.shown(), "{arguments}");
    }
}

#[test]
fn every_recorded_bug_replays() {
    let folder = Folder::with("replay", &[("counter.c", COUNTER)]);
    let found = folder.check("counter.c --trace bug.json");
    found
        .ends(10, "FALSE")
        .says("    raddle replay bug.json\n")
        .says("    raddle replay bug.data-race.json\n");
    for file in ["bug.json", "bug.data-race.json"] {
        let again = folder.run(&format!("replay {file}"));
        assert_eq!(again.code, Some(10), "{}", again.stderr);
        let rows = |text: &str| text.lines().filter(|line| line.contains("visitors = ")).count();
        assert!(rows(&again.stdout) >= 3, "{}", again.stdout);
    }
    let found = folder.run("check --engine random counter.c --properties assertion --trace r.json");
    found.ends(10, "FALSE");
    assert_eq!(folder.run("replay r.json").code, Some(10));
    // What is suggested works as it stands.
    let found = folder.check("counter.c --properties assertion");
    let command = found.stdout.lines().find_map(|line| line.strip_prefix("    raddle check")).unwrap();
    folder.run(&format!("check{command}")).ends(10, "FALSE");
    assert_eq!(folder.run("replay bug.json").code, Some(10));
    // What cannot be recorded is said, and the answer still told.
    let found = folder.check("counter.c --properties assertion --trace .");
    found.ends(10, "FALSE").says("To record it and see it again:");
    assert!(found.stderr.contains("cannot write to ."), "{}", found.stderr);
    // Nothing is written when nothing is violated.
    folder.write("safe.c", SAFE);
    folder.check("safe.c --trace none.json").ends(0, "TRUE");
    assert!(!folder.has("none.json"));
}

#[test]
fn only_what_is_asked_is_checked() {
    let folder = Folder::with("asked", &[("counter.c", COUNTER)]);
    let all = folder.check("counter.c --properties all");
    assert!(all.ends(10, "FALSE").stdout.contains("overflow       SAFE\n"), "{}", all.stdout);
    let one = folder.check("counter.c --properties deadlock");
    one.ends(0, "TRUE");
    assert_eq!((one.line("deadlock"), one.line("assertion")), ("SAFE", "NOT CHECKED"));
    folder.run("check --properties gold counter.c").refuses("invalid value 'gold'");
}

#[test]
fn what_is_not_known_is_told_with_its_reason() {
    let asm = "int main(void) { __asm__ volatile(\"cpuid\" : : : \"eax\", \"ebx\", \"ecx\", \"edx\"); return 0; }\n";
    let input = "int __VERIFIER_nondet_int(void);\nint main(void) { return __VERIFIER_nondet_int() & 1; }\n";
    let opaque = "void g(int *);\nint x;\nint main(void) { g(&x); return x; }\n";
    let folder = Folder::with("unknown", &[("asm.c", asm), ("input.c", input), ("opaque.c", opaque)]);
    let unsupported = folder.check("asm.c");
    unsupported.ends(20, "UNKNOWN").says("UNKNOWN: not supported: inline assembly").says(" at asm.c:1\n");
    folder.check("input.c").ends(20, "UNKNOWN").says("UNKNOWN: inputs took only some of their values");
    folder.check("opaque.c").ends(20, "UNKNOWN").says("UNKNOWN: depends on `g`, which has no body");
    let random = folder.run("check --engine random input.c");
    random.ends(20, "UNKNOWN").says("UNKNOWN: no violation was found in 10000 random runs");
}

#[test]
fn one_broken_property_does_not_hide_another() {
    // The misuse of the lock comes first on every path.
    let text = "#include <assert.h>\n#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
        int main(void) { pthread_mutex_unlock(&m); assert(0); return 0; }\n";
    let folder = Folder::with("hide", &[("both.c", text)]);
    for engine in ["exhaustive", "random"] {
        let found = folder.run(&format!("check --engine {engine} both.c"));
        found.ends(10, "FALSE");
        assert!(found.line("lock-misuse").starts_with("BUG at both.c:4"), "{engine}: {}", found.stdout);
        assert!(found.line("assertion").starts_with("BUG at both.c:4"), "{engine}: {}", found.stdout);
    }
}

#[test]
fn tasks_are_read() {
    let model = "#include <assert.h>\nint main(void) { assert(sizeof(long) == 4); return 0; }\n";
    let task = |model: &str| {
        format!(
            "format_version: '2.0'\ninput_files: 'model.c'\nproperties:\n  - property_file: unreach-call.prp\n    \
             expected_verdict: true\n  - property_file: termination.prp\noptions:\n  language: C\n  data_model: {model}\n"
        )
    };
    let termination = "CHECK( init(main()), LTL(F end) )\n";
    let folder = Folder::with("task", &[("model.c", model), ("unreach-call.prp", UNREACH_CALL)]);
    folder.write("termination.prp", termination);
    folder.write("short.yml", &task("ILP32"));
    folder.write("long.yml", &task("LP64"));
    let short = folder.check("short.yml");
    short.ends(0, "TRUE");
    assert_eq!((short.line("assertion"), short.line("deadlock")), ("SAFE", "NOT CHECKED"));
    assert!(
        short.stderr.contains("termination.prp is left out: termination is not checked"),
        "{}",
        short.stderr
    );
    folder.check("long.yml").ends(10, "FALSE");
    // What is said on the command line counts more.
    folder.check("long.yml -m32").ends(0, "TRUE");
    assert_eq!(folder.check("short.yml --properties deadlock").line("deadlock"), "SAFE");
    folder.check("short.yml --property termination.prp").refuses("termination is not checked");
    folder.check("short.yml model.c").refuses("`short.yml` is a task file");
    // Relative to the task file, from wherever it is called.
    std::fs::create_dir(folder.0.join("deep")).unwrap();
    let mut command = folder.command("check --engine exhaustive ../short.yml");
    Ran::from(command.current_dir(folder.0.join("deep")).output().unwrap()).ends(0, "TRUE");
}

#[test]
fn property_files_are_read() {
    let wide = "int main(void) { int big = 2147483647; return big / (big - 2147483647) + (big + 1 < 0); }\n";
    let folder = Folder::with("prp", &[("counter.c", COUNTER), ("wide.c", wide), ("safe.c", SAFE)]);
    let check = |formulas: &[&str]| {
        let text: String =
            formulas.iter().map(|formula| format!("CHECK( init(main()), LTL({formula}) )\n")).collect();
        folder.write("p.prp", &text);
    };
    check(&["G ! data-race"]);
    let race = folder.check("--property p.prp counter.c");
    race.ends(10, "FALSE");
    assert_eq!(race.line("assertion"), "NOT CHECKED");
    check(&["G ! deadlock"]);
    folder.check("--property p.prp counter.c").ends(0, "TRUE");
    // Executions that end by other arithmetic without a result do not count there; by our rules nothing is proved beside them.
    check(&["G ! overflow"]);
    folder.check("--property p.prp wide.c").ends(0, "TRUE").says("assumed to stop there");
    folder.check("--properties overflow wide.c").ends(20, "UNKNOWN").says("(arithmetic is not checked)");
    folder.check("--properties arithmetic wide.c").ends(10, "FALSE");
    folder.write("lost.c", "#include <stdlib.h>\nint main(void) { return malloc(4) == 0; }\n");
    check(&["G valid-free", "G valid-deref", "G valid-memtrack"]);
    folder.check("--property p.prp safe.c").ends(0, "TRUE");
    folder.check("--property p.prp lost.c").ends(10, "FALSE").says("lost");
    check(&["G valid-memcleanup"]);
    folder.check("--property p.prp lost.c").ends(10, "FALSE").says("not freed");
    check(&["G valid-free", "G valid-deref"]);
    folder.check("--property p.prp safe.c").ends(0, "TRUE");
    check(&["F end"]);
    folder.check("--property p.prp safe.c").refuses("termination is not checked");
    folder.write("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error()) )\n");
    folder.check("--property p.prp safe.c").refuses("p.prp:1:");
    folder.check("--property none.prp safe.c").refuses("cannot read `none.prp`");
    folder.check("--property p.prp --properties all safe.c").refuses("cannot be used with");
}

#[test]
fn undefined_behaviour_is_no_proof() {
    let null =
        "#include <assert.h>\nint *p;\nint main(void) {\n  int x = *p;\n  assert(0);\n  return x;\n}\n";
    let grows = "int main(void) { int x = 2147483647; x++; return x < 0; }\n";
    let folder = Folder::with("undefined", &[("null.c", null), ("grows.c", grows)]);
    let found = folder.check("null.c");
    found.ends(10, "FALSE");
    assert_eq!(found.line("memory-safety"), "BUG at null.c:4: read through a null pointer");
    let unless = "SAFE, unless a memory error ends the execution before (memory-safety is not checked), first at null.c:4";
    for engine in ["exhaustive", "po-bmc", "portfolio"] {
        let found = folder.run(&format!("check --engine {engine} null.c --properties assertion"));
        found.ends(20, "UNKNOWN");
        assert_eq!(found.line("assertion"), unless);
    }
    let lazy = folder.run("check --engine lazy --unwind 1 --rounds 2 null.c");
    lazy.ends(20, "UNKNOWN").says("unless a memory error ends the execution before");
    // Under the rules of SV-COMP such executions do not count.
    folder.write("p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    folder.check("--property p.prp null.c").ends(0, "TRUE");
    // What signed overflow means can be said.
    folder.check("grows.c").ends(0, "TRUE").says("signed overflow wraps around");
    let ends = folder.check("grows.c --signed-overflow undefined");
    ends.ends(20, "UNKNOWN").says("(overflow is not checked), first at grows.c:1");
    folder.check("grows.c --signed-overflow undefined --properties overflow").ends(10, "FALSE");
    let json = folder.check("null.c --properties assertion --format json");
    let answer: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    let reason = &answer["properties"][0]["reason"];
    assert_eq!((&reason["kind"], &reason["place"]), (&"undefined".into(), &"null.c:4".into()));
    assert_eq!(answer["answer"], "unknown");
}

#[test]
fn loops_around_condition_variables_are_closed_by_po_bmc() {
    let folder = Folder::with("conditions", &[]);
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/cases");
    for case in [
        "condition/mutex-is-back.c",
        "condition/two-conditions-of-one-lock.c",
        "wakeups/broadcast-for-two.c",
        "wakeups/signal-after-unlock.c",
        "producer-consumer/end-marker.c",
    ] {
        let found = folder.run(&format!("check --engine po-bmc {}", cases.join(case).display()));
        found.ends(0, "TRUE");
        assert_eq!(found.line("deadlock"), "SAFE", "{case}");
    }
}

#[test]
fn bad_task_files_are_refused_at_their_place() {
    let folder = Folder::with("badtask", &[("safe.c", SAFE)]);
    for (text, parts) in [
        ("", ["not a task file", "t.yml"]),
        ("input_files: [", ["not a task file", "t.yml:"]),
        ("input_files: safe.c\n", ["not a task file", "format_version"]),
        ("format_version: '9'\ninput_files: safe.c\n", ["format_version 9 is not known", "t.yml:1:17"]),
        (
            "format_version: '2.0'\ninput_files: safe.c\noptions: {data_model: LP99}\n",
            ["no data model LP99", "t.yml:3:"],
        ),
        ("format_version: '2.0'\ninput_files: gone.c\n", ["no such file", "gone.c"]),
        (
            "format_version: '2.0'\ninput_files: safe.c\nproperties: [{property_file: gone.prp}]\n",
            ["cannot read", "gone.prp"],
        ),
    ] {
        folder.write("t.yml", text);
        let ran = folder.check("t.yml");
        for part in parts {
            ran.refuses(part);
        }
    }
    folder.check("gone.yml").refuses("cannot read `gone.yml`");
    folder.check("gone.c").refuses("no such file: `gone.c`");
}

#[test]
fn wrong_usage_is_refused() {
    let looped = "int main(void) { for (int i = 0; i < 3; i++) ; return 0; }\nint f(int n) { return n ? f(n - 1) : 0; }\n";
    let folder = Folder::with("usage", &[("looped.c", looped), ("safe.c", SAFE)]);
    for (arguments, part) in [
        ("check", "required arguments were not provided"),
        ("check --engine magic safe.c", "invalid value 'magic'"),
        ("check --timeout soon safe.c", "give a time such as"),
        ("check --timeout 0 safe.c", "must be positive"),
        ("check --memory lots safe.c", "give a size such as"),
        ("check --unwind 0 safe.c", "invalid value '0'"),
        ("check --unwind 2 --unwind-max 3 safe.c", "cannot be used with"),
        ("check --unwindset main.0 safe.c", "give the name of a loop and a number"),
        ("check --memory-model arm safe.c", "invalid value 'arm'"),
        ("check --quiet --verbose safe.c", "cannot be used with"),
        ("check --unwindset main.0:2 safe.c", "the program has no loop `main.0`; it has none"),
        (
            "check --unwindset main.1:2 looped.c",
            "has no loop `main.1`; it has `main.0` (looped.c:1), `f` (recursive)",
        ),
        ("check --error-label WRONG safe.c", "the program has no label `WRONG`"),
        ("check --trace no/such/folder/t.json safe.c", "there is no folder `no/such/folder`"),
    ] {
        folder.run(arguments).refuses(part);
    }
    for good in ["--unwindset main.0:2", "--unwindset main.0:9,f:3", "--unwind-max 8", "--max-threads 3"] {
        folder
            .check(&format!("{good} looped.c"))
            .ends(0, "TRUE")
            .says("bounds on loops and threads were not used");
    }
}

#[test]
fn errors_of_the_competition_count_in_all_their_forms() {
    let forms = [
        ("declared.c", "void reach_error(void);\nint main(void) { reach_error(); return 0; }\n"),
        ("empty.c", "void reach_error(void) {}\nint main(void) { reach_error(); return 0; }\n"),
        ("implicit.c", "int main(void) { reach_error(); return 0; }\n"),
        (
            "failing.c",
            "extern void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((__noreturn__));\n\
             void reach_error(void) { __assert_fail(\"0\", \"x.c\", 3, \"reach_error\"); }\nint main(void) { reach_error(); return 0; }\n",
        ),
        (
            "older.c",
            "extern void __VERIFIER_error(void);\nint main(void) { __VERIFIER_error(); return 0; }\n",
        ),
        (
            "asserted.c",
            "void reach_error(void) {}\nvoid __VERIFIER_assert(int c) { if (!c) { ERROR: {reach_error();} } return; }\n\
             int main(void) { __VERIFIER_assert(0); return 0; }\n",
        ),
    ];
    let folder = Folder::with("forms", &forms);
    folder.write("u.prp", UNREACH_CALL);
    for (file, _) in forms {
        for question in ["--property u.prp", ""] {
            let found = folder.check(&format!("{question} {file}"));
            assert!(
                found.line("assertion").starts_with(&format!("BUG at {file}:")),
                "{file}: {}",
                found.stdout
            );
        }
    }
    // A label is an error only on request.
    folder.write("label.c", "int main(void) {\n    goto ERROR;\nERROR:\n    return 0;\n}\n");
    folder.write("l.prp", "CHECK( init(main()), LTL(G ! label(ERROR)) )\n");
    folder.check("label.c").ends(0, "TRUE");
    let found = folder.check("label.c --error-label ERROR --trace label.json");
    found.ends(10, "FALSE").says("BUG at label.c:3: label `ERROR` is reached");
    assert_eq!(folder.run("replay label.json").code, Some(10));
    folder.check("label.c --property l.prp").ends(10, "FALSE");
}

#[test]
fn time_is_kept() {
    let folder = Folder::with("time", &[("endless.c", ENDLESS)]);
    for (engine, limit) in [("exhaustive", "1"), ("exhaustive", "300ms"), ("random", "500ms")] {
        let begin = Instant::now();
        let ran = folder.run(&format!("check --engine {engine} --timeout {limit} endless.c"));
        let took = begin.elapsed();
        ran.ends(20, "UNKNOWN");
        assert!(took < Duration::from_secs(3), "{engine} {limit}: {took:?}");
        if engine == "exhaustive" {
            assert_eq!(ran.line("assertion"), "UNKNOWN: out of time");
        }
    }
}

#[test]
fn time_is_kept_by_those_who_do_not_look_at_the_clock() {
    let folder = Folder::with("stuck", &[("safe.c", SAFE), ("slow.sh", "#!/bin/sh\nsleep 6\n")]);
    make_executable(&folder.0.join("slow.sh"));
    let begin = Instant::now();
    let child = folder.start("--engine exhaustive --timeout 500ms --cpp ./slow.sh safe.c --format json");
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert!(begin.elapsed() < Duration::from_secs(5), "{:?}", begin.elapsed());
    assert_eq!(ran.code, Some(20));
    let answer: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (&answer["verdict"], &answer["properties"][0]["reason"]["kind"]),
        (&"UNKNOWN".into(), &"time".into())
    );
}

#[test]
fn memory_is_kept() {
    use wait4::Wait4 as _;
    const LIMIT: u64 = 120_000_000;
    let folder = Folder::with("memory", &[("endless.c", ENDLESS)]);
    let mut command = folder.command("check --engine exhaustive --memory 120 --timeout 60 endless.c");
    let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
    let used = child.wait4().unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().unwrap(), &mut text).unwrap();
    assert_eq!(used.status.code(), Some(20), "{text}");
    assert!(text.contains("assertion      UNKNOWN: out of memory\n"), "{text}");
    assert!(used.rusage.maxrss < LIMIT / 100 * 110, "{} bytes were used", used.rusage.maxrss);
}

#[test]
fn an_interrupt_ends_the_work_with_what_is_known() {
    let folder = Folder::with("interrupt", &[("endless.c", ENDLESS)]);
    let (int, term) = (rustix::process::Signal::INT, rustix::process::Signal::TERM);
    for (signal, engine) in [(int, "exhaustive"), (term, "exhaustive"), (int, "portfolio")] {
        let child = folder.start(&format!("--engine {engine} endless.c"));
        std::thread::sleep(Duration::from_millis(300));
        let begin = Instant::now();
        send(&child, signal);
        let ran = Ran::from(child.wait_with_output().unwrap());
        assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
        if engine == "exhaustive" {
            ran.ends(20, "UNKNOWN");
            assert_eq!(ran.line("assertion"), "UNKNOWN: cancelled");
        } else {
            // Bounds that were covered by then are told, and are no proof.
            assert!(matches!(ran.code, Some(20 | 30)), "{}", ran.stdout);
            ran.says("VERDICT: UNKNOWN");
        }
    }
}

#[test]
fn a_second_interrupt_is_the_end() {
    let folder = Folder::with("twice", &[("safe.c", SAFE), ("slow.sh", "#!/bin/sh\nsleep 6\n")]);
    make_executable(&folder.0.join("slow.sh"));
    let child = folder.start("--engine exhaustive --cpp ./slow.sh safe.c");
    send(&child, rustix::process::Signal::INT);
    std::thread::sleep(Duration::from_millis(150));
    send(&child, rustix::process::Signal::INT);
    let begin = Instant::now();
    let ran = Ran::from(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(130), ""));
    assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
}

fn send(child: &Child, signal: rustix::process::Signal) {
    rustix::process::kill_process(rustix::process::Pid::from_child(child), signal).unwrap();
}

fn make_executable(file: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn weak_memory_is_asked_for_by_name() {
    let text = "#include <assert.h>\n#include <pthread.h>\nint x, y, a, b;\n\
        void *t(void *p) { y = 1; b = x; return p; }\n\
        int main(void) { pthread_t u; pthread_create(&u, 0, t, 0); x = 1; a = y; pthread_join(u, 0);\n\
        assert(a == 1 || b == 1); return 0; }\n";
    let folder = Folder::with("weak", &[("sb.c", text)]);
    folder.check("--properties assertion sb.c").ends(0, "TRUE");
    let tso = folder.check("--properties assertion --memory-model tso sb.c --trace t.json");
    tso.ends(10, "FALSE");
    assert_eq!(folder.run("replay t.json").code, Some(10));
}

#[test]
fn help_names_engines_properties_and_exit_codes() {
    let folder = Folder::new("help");
    let help = folder.run("check --help");
    assert_eq!(help.code, Some(0));
    for part in [
        "po-bmc",
        "exhaustive",
        "random",
        "--unwindset",
        "130  interrupted twice",
        "30  safe up to bounds only",
    ] {
        help.says(part);
    }
    for command in ["man check", "completions bash", "completions fish"] {
        folder.run(command).says("unwindset");
    }
}

/// Inputs that enumeration cannot go through.
const INPUTS: &str = "\
#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
unsigned sum, left, right;
void *add(void *number) {
    pthread_mutex_lock(&lock);
    sum += *(unsigned *)number;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t a, b;
    left = __VERIFIER_nondet_uint();
    right = __VERIFIER_nondet_uint();
    pthread_create(&a, 0, add, &left);
    pthread_create(&b, 0, add, &right);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(sum == left + right);
    assert(sum != 123456789 || left < right);
    return 0;
}
";

#[test]
fn the_answer_does_not_depend_on_the_number_of_jobs() {
    let folder =
        Folder::with("jobs", &[("counter.c", COUNTER), ("embrace.c", EMBRACE), ("inputs.c", INPUTS)]);
    for file in ["counter.c", "embrace.c", "inputs.c"] {
        let told = |jobs: u32| {
            let ran = folder.run(&format!("check --jobs {jobs} --format json {file}"));
            // Stories say how to see them again.
            let json = serde_json::from_str(&ran.stdout.replace(&format!("--jobs {jobs} "), ""));
            let mut json: serde_json::Value = json.unwrap_or_else(|_| panic!("{}", ran.stderr));
            json["ledger"]["seconds"] = 0.into();
            json
        };
        let alone = told(1);
        assert_eq!(alone["verdict"], "FALSE", "{file}");
        assert_eq!(told(2), alone, "{file}");
        assert_eq!(told(4), alone, "{file}");
    }
    let wrong = folder.run("check --jobs 0 counter.c");
    assert_eq!(wrong.code, Some(1), "{}", wrong.stderr);
    assert!(wrong.stderr.contains("the number must be positive"), "{}", wrong.stderr);
}

#[test]
fn the_order_in_which_properties_are_named_makes_no_difference() {
    let files = [("counter.c", COUNTER), ("embrace.c", EMBRACE), ("guarded.c", GUARDED)];
    let folder = Folder::with("order", &files);
    let orders = [
        "assertion,deadlock,lock-misuse,data-race,memory-safety,overflow",
        "overflow,memory-safety,data-race,lock-misuse,deadlock,assertion",
        "data-race,assertion,overflow,deadlock,memory-safety,lock-misuse",
    ];
    for (file, engine) in
        files.iter().flat_map(|(file, _)| ["portfolio", "po-bmc"].map(|engine| (file, engine)))
    {
        let told = |order: &str| {
            let ran =
                folder.run(&format!("check --engine {engine} --properties {order} --format json {file}"));
            // Stories say how to see them again.
            let json = serde_json::from_str(&ran.stdout.replace(order, ""));
            let mut json: serde_json::Value = json.unwrap_or_else(|_| panic!("{}", ran.stderr));
            json["ledger"]["seconds"] = 0.into();
            json
        };
        let first = told(orders[0]);
        assert_ne!(first["verdict"], "UNKNOWN", "{file}, {engine}");
        assert!(orders[1..].iter().all(|order| told(order) == first), "{file}, {engine}");
    }
}
