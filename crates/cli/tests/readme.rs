//! README shows its first command and what that prints: this is what it prints.

use std::path::Path;
use std::process::Command;

const README: &str = include_str!("../../../README.md");

/// The first block of indented lines behind a line.
fn block_behind(line: &str) -> String {
    let behind = README.lines().skip_while(|candidate| *candidate != line).skip(1);
    let block = behind
        .skip_while(|line| line.is_empty())
        .take_while(|line| line.is_empty() || line.starts_with("    "));
    let lines: Vec<&str> = block.map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    lines.join("\n").trim_end().to_owned()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test runs the command")]
fn the_first_command_prints_what_readme_shows() {
    let command =
        block_behind("Find a bug in a shipped example (a Rust toolchain and `cc` are all it needs):");
    let arguments = command.strip_prefix("cargo run --release --bin raddle -- ").unwrap();
    let shown = block_behind("The first command prints:");
    assert!(shown.ends_with("VERDICT: FALSE"), "{shown}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut raddle = Command::new(env!("CARGO_BIN_EXE_raddle"));
    let ran = raddle.args(arguments.split_whitespace()).current_dir(root).output().unwrap();
    let printed = String::from_utf8(ran.stdout).unwrap();
    let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
    assert_eq!(printed.join("\n"), shown, "{}", String::from_utf8_lossy(&ran.stderr));
}
