//! Programs as gcc builds them, run many times.
//!
//! Many programs share one file and one process, which costs less than a file for each; every run is a process of its own
//! (`harness.c`). In half of the runs all threads are kept on one core; delays of several kinds stand between their accesses.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use raddle_cfront::layout::DataModel;

use super::Scenario;
use crate::build::Scratch;

const HARNESS: &str = include_str!("harness.c");

/// After so many seconds a run counts as one that hangs.
const MOST_SECONDS: u32 = 30;

const SIGABRT: i32 = 6;
const SIGALRM: i32 = 14;

/// How gcc builds a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Build {
    /// `-O0`
    Plain,
    /// `-O1`
    Simplified,
    /// `-O2`
    Optimised,
    /// `-O3`
    Rearranged,
    /// With the thread sanitizer.
    Thread,
    /// With the address and undefined behaviour sanitizers.
    Address,
}

impl Build {
    const fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Plain => &["-O0"],
            Self::Simplified => &["-O1"],
            Self::Optimised => &["-O2"],
            Self::Rearranged => &["-O3"],
            Self::Thread => &["-O1", "-g", "-fsanitize=thread"],
            Self::Address => &["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NativeEnding {
    /// With an outcome.
    Outcome(i32),
    /// By `abort`.
    Abort,
    /// By another signal.
    Signal(i32),
    /// With an exit code that no program has: that of a sanitizer.
    Code(i32),
    /// Not in time.
    Hung,
}

/// How the runs of one program ended, and how often each way.
pub type Endings = BTreeMap<NativeEnding, u32>;

/// Whether gcc is there and builds for a data model.
#[must_use]
pub fn is_available(model: DataModel) -> bool {
    let Ok(scratch) = Scratch::new() else { return false };
    let Ok(path) = scratch.write("empty.c", "#include <pthread.h>\nint main(void) { return 0; }\n") else {
        return false;
    };
    let mut gcc = gcc(model, Build::Plain);
    gcc.arg("-o").arg(path.with_extension("out")).arg(&path);
    gcc.output().is_ok_and(|output| output.status.success())
}

#[expect(clippy::disallowed_methods, reason = "gcc says what C means")]
fn gcc(model: DataModel, build: Build) -> Command {
    let mut gcc = Command::new("gcc");
    let width = match model {
        DataModel::Lp64 => "-m64",
        DataModel::Ilp32 => "-m32",
    };
    gcc.args([width, "-std=gnu17", "-w", "-pthread"]).args(build.flags());
    gcc
}

/// The file that gcc builds for some programs.
#[must_use]
pub fn text(scenarios: &[&Scenario]) -> String {
    let programs: String =
        scenarios.iter().enumerate().map(|(number, scenario)| scenario.for_gcc(number)).collect();
    let names: Vec<String> = (0..scenarios.len()).map(|number| format!("p{number}_main")).collect();
    format!(
        "{HARNESS}\n{programs}\nint main(int argc, char **argv)\n{{\n    static int (*const programs[])(void) = {{ {} }};\n    \
         return harness_main(programs, {}, argc, argv);\n}}\n",
        names.join(", "),
        scenarios.len()
    )
}

/// Builds programs and runs each so many times; `first` is the number of the first run, which its delays follow from.
pub fn run(
    scenarios: &[&Scenario],
    model: DataModel,
    build: Build,
    runs: u32,
    first: u32,
) -> Result<Vec<Endings>, String> {
    let scratch = Scratch::new()?;
    let source = scratch.write("programs.c", &text(scenarios))?;
    let binary = source.with_extension("out");
    let output = gcc(model, build).arg("-o").arg(&binary).arg(&source).arg("-lm").output();
    let output = output.map_err(|error| format!("gcc cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("gcc refuses a program: {}", String::from_utf8_lossy(&output.stderr)));
    }
    #[expect(clippy::disallowed_methods, reason = "the programs are to be run")]
    let mut command = Command::new(&binary);
    command
        .args([runs, MOST_SECONDS, first].map(|number| number.to_string()))
        .env("TSAN_OPTIONS", "halt_on_error=1:exitcode=66:report_signal_unsafe=0:report_thread_leaks=0:allocator_may_return_null=1")
        .env("ASAN_OPTIONS", "exitcode=66:detect_leaks=0:detect_stack_use_after_return=1:allocator_may_return_null=1")
        .env("UBSAN_OPTIONS", "halt_on_error=1:exitcode=66")
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    let output = command.output().map_err(|error| format!("what gcc built cannot be started: {error}"))?;
    if !output.status.success() {
        return Err(format!("the harness ended with {}", output.status));
    }
    parse(&String::from_utf8_lossy(&output.stdout), scenarios.len())
}

/// What the harness printed.
fn parse(text: &str, programs: usize) -> Result<Vec<Endings>, String> {
    let mut endings = vec![Endings::new(); programs];
    for line in text.lines() {
        let bad = || format!("the harness printed `{line}`");
        let words: Vec<&str> = line.split(' ').collect();
        let [program, way, value, times] = words[..] else { return Err(bad()) };
        let program: usize = program.parse().map_err(|_| bad())?;
        let value: i32 = value.parse().map_err(|_| bad())?;
        let ending = match (way, value) {
            ("O", value) => NativeEnding::Outcome(value),
            ("S", SIGABRT) => NativeEnding::Abort,
            ("S", SIGALRM) => NativeEnding::Hung,
            ("S", signal) => NativeEnding::Signal(signal),
            ("E", code) => NativeEnding::Code(code),
            _ => return Err(bad()),
        };
        let of_program = endings.get_mut(program).ok_or_else(bad)?;
        *of_program.entry(ending).or_default() += times.parse::<u32>().map_err(|_| bad())?;
    }
    match endings.iter().position(Endings::is_empty) {
        Some(program) => Err(format!("program {program} was not run")),
        None => Ok(endings),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_harness_prints_is_read() {
        let endings =
            parse("0 O -7 3\n1 S 6 1\n1 S 14 2\n1 E 66 1\n0 S 11 1\n", 2).expect("it is well-formed");
        assert_eq!(
            endings[0],
            Endings::from([(NativeEnding::Outcome(-7), 3), (NativeEnding::Signal(11), 1)])
        );
        assert_eq!(
            endings[1],
            Endings::from([(NativeEnding::Abort, 1), (NativeEnding::Hung, 2), (NativeEnding::Code(66), 1)])
        );
        for wrong in ["0 O 1", "0 X 1 1", "2 O 1 1", "0 O 1 1"] {
            assert!(parse(&format!("{wrong}\n"), 2).is_err(), "{wrong}");
        }
    }
}
