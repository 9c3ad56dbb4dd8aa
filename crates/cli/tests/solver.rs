//! `raddle check --solver` and `--dump-smt2`: somebody else solves the formulas, or they are written for people to look at.

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work fails")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// A folder of our own, which is gone with its test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("raddle-solver-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    /// A solver that prints this, whatever it is asked.
    #[expect(clippy::disallowed_methods, reason = "inputs are made here")]
    fn solver(&self, answer: &str) -> String {
        let script = self.0.join("solver.sh");
        std::fs::write(&script, format!("cat > /dev/null\nprintf '{answer}'\n")).unwrap();
        format!("sh {}", script.display())
    }

    #[expect(clippy::disallowed_methods, reason = "what was written is looked at")]
    fn files(&self) -> Vec<(String, String)> {
        let entries = std::fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<(String, String)> = entries
            .map(|path| {
                let name = path.file_name().unwrap().to_str().unwrap().to_owned();
                (name, std::fs::read_to_string(&path).unwrap())
            })
            .collect();
        files.sort();
        files
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

/// Checks the shipped example with a bug; gives the exit code and all that was said.
#[expect(clippy::disallowed_methods, reason = "the tests run the command")]
fn check(more: &[&str]) -> (Option<i32>, String) {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/counter.c");
    let output = Command::new(env!("CARGO_BIN_EXE_raddle"))
        .args(["check", "--quiet", "--properties", "assertion,deadlock"])
        .arg(example)
        .args(more)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    (output.status.code(), said)
}

#[test]
fn every_question_is_written_to_a_file_of_its_own() {
    let (one, other) = (Scratch::new("dump"), Scratch::new("again"));
    for folder in [&one, &other] {
        let (code, said) = check(&["--dump-smt2", folder.0.to_str().unwrap()]);
        assert_eq!(code, Some(10), "{said}");
    }
    let files = one.files();
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["0001-unwind-1-assertion.smt2", "0002-unwind-1-deadlock.smt2"]);
    for (name, text) in &files {
        assert!(text.ends_with("(check-sat)\n"), "{name}");
        assert!(text.contains("(declare-const node!0 Int)"), "the order of steps is in {name}");
    }
    assert_eq!(files, other.files(), "the same questions, byte for byte");
}

#[test]
fn a_solver_that_is_named_is_asked() {
    let scratch = Scratch::new("named");
    // It says that nothing is possible, and is believed: proofs are as good as the solver.
    let solver = scratch.solver("unsat\\nanswered\\n()\\ncore\\n");
    let (code, said) = check(&["--solver", &solver]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("assertion      SAFE"), "{said}");
}

#[test]
fn what_a_solver_makes_up_is_no_bug() {
    let scratch = Scratch::new("made-up");
    // A model without values is none.
    let solver = scratch.solver("sat\\nanswered\\n(error)\\ncore\\n");
    let (code, said) = check(&["--solver", &solver]);
    assert_eq!(code, Some(20), "{said}");
    assert!(said.contains("UNKNOWN: solver `sh` gave an unexpected answer: sat"), "{said}");
    let (code, said) = check(&["--solver", "true"]);
    assert_eq!(code, Some(20), "{said}");
    assert!(said.contains("UNKNOWN: solver `true` gave an unexpected answer: nothing at all"), "{said}");
}

#[test]
fn what_cannot_be_done_is_said_at_once() {
    let (code, said) = check(&["--solver", "no-such-solver"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("solver `no-such-solver` cannot be started"), "{said}");
    assert!(said.contains("name one of z3, cvc5, bitwuzla, yices"), "{said}");
    for engine in ["exhaustive", "random"] {
        let (code, said) = check(&["--solver", "true", "--engine", engine]);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains(&format!("--solver: the engine `{engine}` asks no solver")), "{said}");
    }
    let (code, said) = check(&["--dump-smt2", "/dev/null/folder"]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("--dump-smt2: /dev/null/folder: "), "{said}");
}
