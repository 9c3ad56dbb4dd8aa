//! Running the project's tools in the right order.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// Prints a line for the person who runs the chore.
#[expect(clippy::print_stdout, reason = "chores talk to people")]
pub(crate) fn say(text: &str) {
    println!("{text}");
}

/// The repository's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace").to_owned()
}

/// Starts a program; nothing else in this crate does.
#[expect(clippy::disallowed_methods, reason = "chores run other programs")]
pub(crate) fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    command.current_dir(root());
    command
}

/// The cargo that runs us.
fn cargo() -> Command {
    command(option_env!("CARGO").unwrap_or("cargo"))
}

fn run(mut command: Command) -> Result<()> {
    say(&format!("\n$ {}", shown(&command)));
    let status = command.status().with_context(|| format!("cannot start {}", shown(&command)))?;
    if !status.success() {
        bail!("{} failed", shown(&command));
    }
    Ok(())
}

fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default();
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Whether a program can be started at all.
pub(crate) fn is_installed(program: &str) -> bool {
    let probe = command(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}

/// Everything that must hold before a change lands.
pub(crate) fn test() -> Result<()> {
    install_peers();
    let mut format = cargo();
    format.args(["fmt", "--all", "--check"]);
    run(format)?;
    crate::tidy::check()?;
    let mut clippy = cargo();
    clippy.args(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]);
    run(clippy)?;
    let mut docs = cargo();
    docs.args(["doc", "--workspace", "--no-deps", "--document-private-items"])
        .env("RUSTDOCFLAGS", "-D warnings");
    run(docs)?;
    let mut doc_tests = cargo();
    doc_tests.args(["test", "--workspace", "--doc"]);
    run(doc_tests)?;
    // Last, so that the summary of all tests is what one sees at the end.
    run(tests())
}

/// Tests by nextest where it is installed, else by cargo itself: the same tests.
fn tests() -> Command {
    let mut tests = cargo();
    let nextest = tests_have_nextest();
    tests.args(if nextest {
        &["nextest", "run", "--workspace"][..]
    } else {
        &["test", "--workspace", "--tests", "--bins", "--lib"]
    });
    tests
}

fn tests_have_nextest() -> bool {
    let probe = cargo().args(["nextest", "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    probe.is_ok_and(|status| status.success())
}

/// Solvers that some tests compare ours with. Installed where that is possible without asking anybody; the
/// tests that want them say so when they are missing.
fn install_peers() {
    if is_installed("z3") || !is_installed("apt-get") {
        return;
    }
    say("z3 is not installed; trying apt-get, and doing without it if that fails");
    for arguments in [&["update", "-qq"][..], &["install", "-y", "-qq", "z3"]] {
        let attempt = command("apt-get").args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
        if !attempt.is_ok_and(|status| status.success()) {
            say(
                "z3 could not be installed; the comparisons with it will be skipped, each with a line that says so",
            );
            return;
        }
    }
}

/// Accepts what the tests print now as what they should print.
pub(crate) fn bless() -> Result<()> {
    let mut tests = tests();
    tests.env("RADDLE_BLESS", "1").env("INSTA_UPDATE", "always");
    run(tests)
}

/// All benchmarks, or those that the arguments name.
pub(crate) fn bench(arguments: &[String]) -> Result<()> {
    let mut bench = cargo();
    bench.arg("bench").args(arguments);
    if arguments.is_empty() {
        bench.arg("--workspace");
    }
    run(bench)
}
