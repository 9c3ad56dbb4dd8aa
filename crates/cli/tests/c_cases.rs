//! Small C files that must be accepted, and small mistakes that must be reported well.
//!
//! Each file of `tests/c/accept` is accepted without an error. Each file of `tests/c/reject` ends with exit code
//! 1 and exactly the messages that stand beside it in a `.stderr` file. After a wanted change of the messages,
//! run the tests with `RADDLE_BLESS=1` and read what has changed.

#![expect(clippy::unwrap_used, reason = "a test that cannot do its work fails")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn cases(folder: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/c").join(folder)
}

/// The names of the C files of a folder, in order.
fn c_files(folder: &Path) -> Vec<String> {
    let entries =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = entries.filter(|name| name.ends_with(".c")).collect();
    names.sort();
    names
}

/// Runs `raddle parse` in `folder`, so that messages name the file without the VM's folders.
#[expect(clippy::disallowed_methods, reason = "the tests run the command")]
fn parse(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_raddle"))
        .arg("parse")
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap()
}

#[expect(clippy::disallowed_methods, reason = "the tests read their cases")]
fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}

#[expect(clippy::disallowed_methods, reason = "blessing is asked for by the environment")]
fn blessing() -> bool {
    std::env::var_os("RADDLE_BLESS").is_some()
}

#[expect(clippy::disallowed_methods, reason = "blessing writes the snapshots, and some inputs are made here")]
fn write(path: &Path, text: &[u8]) {
    std::fs::write(path, text).unwrap();
}

/// Compares the messages with the snapshot `name`, or writes it. Gives what is wrong, if anything.
fn check_rejected(output: &Output, name: &str) -> Result<(), String> {
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code() != Some(1) {
        return Err(format!("{name}: ended with {} instead of exit code 1\n{messages}", output.status));
    }
    let snapshot = cases("reject").join(format!("{name}.stderr"));
    if blessing() {
        write(&snapshot, messages.as_bytes());
        return Ok(());
    }
    let expected = read(&snapshot);
    if messages == expected {
        return Ok(());
    }
    Err(format!("{name}: the messages have changed\n--- expected\n{expected}\n--- found\n{messages}"))
}

fn report(failures: &[String]) {
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn good_files_are_accepted() {
    let folder = cases("accept");
    let names = c_files(&folder);
    assert!(names.len() >= 110, "the accepted cases are there");
    let mut failures = Vec::new();
    for name in &names {
        let text = read(&folder.join(name));
        let models: &[&str] = match text.lines().next() {
            Some("// model: lp64") => &["lp64"],
            Some("// model: ilp32") => &["ilp32"],
            _ => &["lp64", "ilp32"],
        };
        for model in models {
            let output = parse(&folder, &["--data-model", model, name]);
            if !output.status.success() {
                failures.push(format!("{name} ({model}):\n{}", String::from_utf8_lossy(&output.stderr)));
            }
        }
    }
    report(&failures);
}

#[test]
fn mistakes_are_reported_as_expected() {
    let folder = cases("reject");
    let names = c_files(&folder);
    assert!(names.len() >= 70, "the rejected cases are there");
    let stem = |name: &str| name.trim_end_matches(".c").to_owned();
    let results = names.iter().map(|name| check_rejected(&parse(&folder, &[name]), &stem(name)));
    report(&results.filter_map(Result::err).collect::<Vec<_>>());
}

/// A folder of its own for a test, gone when the test ends.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("raddle-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn what_is_no_c_file_is_reported() {
    let scratch = Scratch::new("no-c");
    std::fs::create_dir(scratch.0.join("folder.c")).unwrap();
    std::fs::create_dir(scratch.0.join("folder")).unwrap();
    write(&scratch.0.join("binary.c"), b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0int main");
    write(&scratch.0.join("binary.i"), b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0\x3e\0int main");
    write(&scratch.0.join("notes.txt"), b"int x;\n");
    let inputs = [
        ("no-such-file", "no_such_file.c"),
        ("no-such-preprocessed-file", "no_such_file.i"),
        ("directory", "folder"),
        ("directory-named-c", "folder.c"),
        ("binary-file", "binary.c"),
        ("binary-preprocessed", "binary.i"),
        ("wrong-extension", "notes.txt"),
    ];
    let results = inputs.iter().map(|(name, file)| check_rejected(&parse(&scratch.0, &[file]), name));
    report(&results.filter_map(Result::err).collect::<Vec<_>>());
}

#[test]
fn deep_nesting_is_an_error_and_no_crash() {
    const LEVELS: usize = 100_000;
    let nested = |before: &str, open: &str, middle: &str, close: &str, after: &str| {
        [before, &open.repeat(LEVELS), middle, &close.repeat(LEVELS), after].concat()
    };
    let inputs = [
        ("deep-parentheses", nested("int x = ", "(", "1", ")", ";\n")),
        ("deep-blocks", nested("void f(void) ", "{", "", "}", "\n")),
        ("deep-declarator", nested("int ", "(", "x", ")", ";\n")),
        ("deep-initializer", nested("int x = ", "{", "1", "}", ";\n")),
        ("deep-subscripts", nested("int a[1]; int f(void) { return ", "a[", "0", "]", "; }\n")),
        ("deep-records", nested("", "struct { ", "int x;", "} a;", "\n")),
        ("deep-ifs", nested("void f(int x) { ", "if (x) ", ";", "", "}\n")),
        ("deep-casts", nested("int x = ", "(int)", "1", "", ";\n")),
        ("deep-unary", nested("int x = ", "- ", "1", "", ";\n")),
        ("deep-statement-expressions", nested("void f(void) { ", "({", "1;", "});", "}\n")),
        ("deep-unclosed", nested("int x = ", "(", "", "", "")),
    ];
    let scratch = Scratch::new("deep");
    let mut failures = Vec::new();
    for (name, text) in &inputs {
        let file = format!("{name}.i");
        write(&scratch.0.join(&file), text.as_bytes());
        let output = parse(&scratch.0, &[&file]);
        // The line with the mistake is too long for a snapshot.
        let messages = String::from_utf8_lossy(&output.stderr);
        if output.status.code() != Some(1) || !messages.contains("nesting deeper than") {
            let start: String = messages.chars().take(300).collect();
            failures.push(format!("{name}: ended with {}: {start}", output.status));
        }
    }
    report(&failures);
}

/// A long chain is deep as a tree, but it is no nesting: gcc accepts it, and so do we.
#[test]
fn long_chains_are_accepted() {
    const LINKS: usize = 20_000;
    let scratch = Scratch::new("chains");
    let sum = format!("int x = 1{};\n", " + 1".repeat(LINKS));
    let elses = format!("int f(int x) {{ {} return 0; }}\n", "if (x == 1) return 1; else ".repeat(1_000));
    let commas = format!("int f(int x) {{ return x{}; }}\n", ", x".repeat(LINKS));
    let choices = format!("int x = {}1;\n", "1 ? 1 : ".repeat(LINKS));
    for (name, text) in [("sum.i", sum), ("elses.i", elses), ("commas.i", commas), ("choices.i", choices)] {
        write(&scratch.0.join(name), text.as_bytes());
        for arguments in [&[name][..], &["--emit", "c", name], &["--emit", "ast", name]] {
            let output = parse(&scratch.0, arguments);
            assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        }
    }
}
