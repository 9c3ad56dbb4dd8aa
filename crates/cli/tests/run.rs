//! `run`, `replay`, `explore` and `ir`, as a user calls them.

#![expect(clippy::disallowed_methods, reason = "the tests start the command and read what it writes")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn raddle(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_raddle"));
    command.args(arguments).current_dir(root()).env("COLUMNS", "160").env("NO_COLOR", "1");
    command.output().expect("the command starts")
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("the command ends by itself")
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("the output is text")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("the messages are text")
}

/// A file of its own in the temporary directory, removed at the end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        Self(std::env::temp_dir().join(format!("raddle-test-{}-{name}", std::process::id())))
    }

    fn with(name: &str, text: &str) -> Self {
        let this = Self::new(name);
        std::fs::write(&this.0, text).expect("the temporary directory can be written");
        this
    }

    fn path(&self) -> &str {
        self.0.to_str().expect("the temporary directory is named in text")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn a_lost_update_is_found_shown_recorded_and_replayed() {
    let trace = Scratch::new("counter.json");
    let found = raddle(&[
        "run",
        "--properties",
        "assertion",
        "--runs",
        "200",
        "--trace",
        trace.path(),
        "examples/counter.c",
    ]);
    assert_eq!(code(&found), 10, "{}", stderr(&found));
    let story = stdout(&found);
    for part in [
        "T1 door",
        "T2 door",
        "reads visitors = 0, first value",
        "writes visitors = 1",
        "assertion `visitors == 2` fails",
        "examples/counter.c:18",
    ] {
        assert!(story.contains(part), "`{part}` is not in\n{story}");
    }
    let replayed = raddle(&["replay", trace.path()]);
    assert_eq!(code(&replayed), 10, "{}", stderr(&replayed));
    assert_eq!(stdout(&replayed), story, "the replay shows the same interleaving");
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let run = || raddle(&["run", "--seed", "5", "--runs", "30", "examples/bank.c"]);
    let (first, second) = (run(), run());
    assert_eq!((stdout(&first), stderr(&first)), (stdout(&second), stderr(&second)));
}

#[test]
fn a_trace_of_a_changed_program_is_refused() {
    let source = Scratch::with("changing.c", "int main(void) { return 3; }\n");
    let trace = Scratch::new("changing.json");
    assert_eq!(code(&raddle(&["run", "--trace", trace.path(), source.path()])), 0);
    assert_eq!(code(&raddle(&["replay", trace.path()])), 0);
    std::fs::write(&source.0, "int main(void) { return 4; }\n").unwrap();
    let refused = raddle(&["replay", trace.path()]);
    assert_eq!(code(&refused), 1);
    assert!(stderr(&refused).contains("has changed since the trace was recorded"), "{}", stderr(&refused));
}

#[test]
fn what_is_no_trace_is_refused() {
    let file = Scratch::with("broken.json", "{\"version\": 7}");
    let refused = raddle(&["replay", file.path()]);
    assert_eq!(code(&refused), 1);
    assert!(stderr(&refused).contains("version 7"), "{}", stderr(&refused));
    assert_eq!(code(&raddle(&["replay", "no-such-trace.json"])), 1);
}

#[test]
fn output_arguments_inputs_and_status_go_through() {
    let source = Scratch::with(
        "echo.c",
        "#include <stdio.h>\nint __VERIFIER_nondet_int(void);\n\
         int main(int argc, char **argv) { printf(\"%d %s %d\\n\", argc, argv[1], __VERIFIER_nondet_int()); return 7; }\n",
    );
    let run = raddle(&["run", "--inputs", "-5", "--exit-status", source.path(), "--", "hello"]);
    assert_eq!(stdout(&run), "2 hello -5\n", "{}", stderr(&run));
    assert_eq!(code(&run), 7);
    assert_eq!(code(&raddle(&["run", source.path(), "--", "hello"])), 0, "the program's status is not ours");
}

#[test]
fn exploring_counts_and_lists() {
    let source = Scratch::with(
        "writers.c",
        "#include <pthread.h>\nint a[3];\nvoid *w(void *p) { *(int *)p = 1; return 0; }\n\
         int main(void) { pthread_t t[3]; for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, &a[i]);\n\
         for (int i = 0; i < 3; i++) pthread_join(t[i], 0); return 0; }\n",
    );
    let explored = raddle(&["explore", "--exhaustive", source.path()]);
    assert_eq!(code(&explored), 0, "{}{}", stdout(&explored), stderr(&explored));
    assert!(stdout(&explored).contains("violations: 0"));
    let found = raddle(&["explore", "--exhaustive", "examples/bank.c"]);
    assert_eq!(code(&found), 10);
    let text = stdout(&found);
    assert!(text.contains("data-race: data race on `checking.balance`"), "{text}");
    assert!(text.contains("assertion `checking.balance + savings.balance == 200` fails"), "{text}");
}

#[test]
fn a_deadlock_is_told_with_who_waits_for_whom() {
    let source = Scratch::with(
        "embrace.c",
        "#include <pthread.h>\npthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;\n\
         void *t(void *p) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return p; }\n\
         int main(void) { pthread_t x; pthread_create(&x, 0, t, 0); pthread_mutex_lock(&a); pthread_mutex_lock(&b);\n\
         pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); pthread_join(x, 0); return 0; }\n",
    );
    let found = raddle(&["explore", "--exhaustive", source.path()]);
    assert_eq!(code(&found), 10, "{}", stdout(&found));
    let text = stdout(&found);
    assert!(text.contains("deadlock"), "{text}");
    assert!(text.contains("waits") && text.contains("holds"), "{text}");
}

#[test]
fn unsupported_code_counts_only_when_it_is_reached() {
    let text = |reach: &str| {
        format!(
            "int main(void) {{ if ({reach}) __asm__ volatile(\"cpuid\" : : : \"eax\", \"ebx\", \"ecx\", \"edx\"); return 0; }}\n"
        )
    };
    let quiet = Scratch::with("asm0.c", &text("0"));
    let loud = Scratch::with("asm1.c", &text("1"));
    assert_eq!(code(&raddle(&["run", quiet.path()])), 0);
    let reached = raddle(&["run", loud.path()]);
    assert_eq!(code(&reached), 20);
    assert!(stderr(&reached).contains("not supported: inline assembly"), "{}", stderr(&reached));
}

#[test]
fn a_program_without_main_is_an_input_error() {
    let source = Scratch::with("nomain.c", "int f(void) { return 0; }\n");
    let refused = raddle(&["run", source.path()]);
    assert_eq!(code(&refused), 1);
    assert!(stderr(&refused).contains("no function `main`"), "{}", stderr(&refused));
}

#[test]
fn the_intermediate_representation_is_printed_and_drawn() {
    let printed = raddle(&["ir", "--function", "door", "examples/counter.c"]);
    assert_eq!(code(&printed), 0, "{}", stderr(&printed));
    assert!(
        stdout(&printed).contains("load i32") && stdout(&printed).contains("store i32"),
        "{}",
        stdout(&printed)
    );
    let drawn = raddle(&["ir", "--cfg", "dot", "--function", "main", "examples/counter.c"]);
    assert!(stdout(&drawn).starts_with("digraph"), "{}", stdout(&drawn));
    assert_eq!(code(&raddle(&["ir", "--function", "nobody", "examples/counter.c"])), 1);
}

#[test]
fn leaks_are_told_apart_from_violations() {
    let source = Scratch::with(
        "leak.c",
        "#include <stdlib.h>\nint main(void) { malloc(12); free(malloc(5)); return 0; }\n",
    );
    let run = raddle(&["run", source.path()]);
    assert_eq!(code(&run), 0);
    assert!(stderr(&run).contains("not freed: 12 bytes from malloc"), "{}", stderr(&run));
    assert!(!stderr(&run).contains("5 bytes"), "{}", stderr(&run));
}

#[test]
fn a_function_without_a_body_leaves_the_answer_open() {
    let opaque = Scratch::with("opaque.c", "void g(int *); int x;\nint main(void) { g(&x); return 0; }\n");
    let explored = raddle(&["explore", "--exhaustive", opaque.path()]);
    assert_eq!(code(&explored), 20, "{}", stdout(&explored));
    assert!(stdout(&explored).contains("depends on `g`, which has no body"), "{}", stdout(&explored));
    let run = raddle(&["run", opaque.path()]);
    assert_eq!(code(&run), 20, "{}", stderr(&run));
    assert!(stderr(&run).contains("depends on `g`, which has no body"), "{}", stderr(&run));
}

#[test]
fn both_data_models_run() {
    let source = Scratch::with(
        "sizes.c",
        "#include <stdio.h>\nint main(void) { printf(\"%zu %zu\\n\", sizeof(long), sizeof(void *)); return 0; }\n",
    );
    assert_eq!(stdout(&raddle(&["run", source.path()])), "8 8\n");
    assert_eq!(stdout(&raddle(&["run", "-m32", source.path()])), "4 4\n");
}

#[test]
fn a_store_that_others_see_late_is_found_shown_recorded_and_replayed() {
    let case = "tests/cases/weak-memory/store-buffering.c";
    let trace = Scratch::new("store-buffering.json");
    let common = ["--properties", "assertion", "--trace", trace.path(), case];
    let with = |command: &[&str]| raddle(&[command, &common[..]].concat());
    for model in ["tso", "pso"] {
        for command in [&["explore", "--exhaustive"][..], &["run", "--runs", "400"][..]] {
            let found = with(&[command, &["--memory-model", model]].concat());
            assert_eq!(code(&found), 10, "{}{}", stdout(&found), stderr(&found));
            for part in
                ["stores x = 1, delayed", "store of x = 1 becomes visible", "reads x = 0, first value"]
            {
                assert!(stdout(&found).contains(part), "`{part}` is not in\n{}", stdout(&found));
            }
            let replayed = raddle(&["replay", trace.path()]);
            assert_eq!(code(&replayed), 10, "{}", stderr(&replayed));
            assert!(stdout(&found).contains(stdout(&replayed).trim_end()), "{}", stdout(&replayed));
        }
    }
    assert_eq!(code(&with(&["explore", "--exhaustive"])), 0, "sequential consistency is the default");
    assert_eq!(code(&with(&["run", "--runs", "100", "--memory-model", "sc"])), 0);
    assert_eq!(code(&with(&["run", "--memory-model", "alpha"])), 1);
}
