//! Tools that analyse sequential programs: how they are called, and how their answers are read.
//!
//! `ours` is the bounded checker in this tool. The others are programs of other people: a sequential program is written as each
//! of them wants it (the pass `instrument`), with the command line to run in a comment at its head. CBMC is also run from here
//! and its answer read ([`cbmc`]).
//!
//! Invariant: an answer that is not understood is an error that says what and where, never a verdict.

pub mod cbmc;
pub mod counterexample;
mod json;

use raddle_cfront::layout::DataModel;

use crate::linemap::{self, Printed};
use crate::passes::{bounds, instrument, unroll};
use crate::pipeline::Stage;
use crate::program::Program;

/// A tool that analyses sequential programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Backend {
    /// The bounded checker in this tool.
    Ours,
    /// CBMC, a bounded model checker.
    Cbmc,
    /// ESBMC, a bounded model checker on SMT solvers.
    Esbmc,
    /// `CPAchecker`, with its bounded model checking.
    Cpachecker,
    /// KLEE, which executes symbolically.
    Klee,
}

/// What a tool must know beside the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// How often loops and recursions that are left may go on.
    pub unwind: u32,
    /// The sizes of types.
    pub model: DataModel,
}

/// The names of all tools, in the order of [`Backend::ALL`], for the parameter of the pass.
pub(crate) const NAMES: &[&str] = &["ours", "cbmc", "esbmc", "cpachecker", "klee"];

impl Backend {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Ours, Self::Cbmc, Self::Esbmc, Self::Cpachecker, Self::Klee];

    /// As it is written on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Cbmc => "cbmc",
            Self::Esbmc => "esbmc",
            Self::Cpachecker => "cpachecker",
            Self::Klee => "klee",
        }
    }

    /// A line for people.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Ours => "the bounded checker in this tool",
            Self::Cbmc => "CBMC 6, a bounded model checker; `check` can run it",
            Self::Esbmc => "ESBMC, a bounded model checker on SMT solvers",
            Self::Cpachecker => "CPAchecker, its bounded model checking",
            Self::Klee => "KLEE, which executes symbolically",
        }
    }

    /// The tool of this name.
    #[must_use]
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|backend| backend.name() == name)
    }

    /// Where to get it, as the end of a sentence.
    #[must_use]
    pub const fn install(self) -> &'static str {
        match self {
            Self::Ours => "nothing has to be installed",
            Self::Cbmc => {
                "install CBMC 6 or later (https://github.com/diffblue/cbmc/releases) and put `cbmc` on the PATH"
            }
            Self::Esbmc => {
                "install ESBMC (https://github.com/esbmc/esbmc/releases) and put `esbmc` on the PATH"
            }
            Self::Cpachecker => {
                "install CPAchecker (https://cpachecker.sosy-lab.org) and put `cpachecker` on the PATH"
            }
            Self::Klee => "install KLEE (https://klee-se.org) and the clang it was built with",
        }
    }

    /// The commands to run for a file, one after the other; none for our own checker.
    #[must_use]
    pub fn commands(self, file: &str, bounds: Bounds) -> Vec<Vec<String>> {
        // A loop that ends after `unwind` rounds is tested once more.
        let tests = inner_unwind(bounds.unwind).saturating_add(1).to_string();
        let wide = bounds.model == DataModel::Lp64;
        let owned = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<String>>();
        match self {
            Self::Ours => Vec::new(),
            Self::Cbmc => vec![cbmc::command("cbmc", file, bounds)],
            Self::Esbmc => vec![owned(&[
                "esbmc",
                if wide { "--64" } else { "--32" },
                "--unwind",
                &tests,
                "--no-unwinding-assertions",
                "--force-malloc-success",
                "--no-bounds-check",
                "--no-pointer-check",
                "--no-div-by-zero-check",
                file,
            ])],
            Self::Cpachecker => vec![owned(&[
                "cpachecker",
                "--bmc",
                if wide { "--64" } else { "--32" },
                "--option",
                &format!("cpa.loopbound.maxLoopIterations={tests}"),
                "--option",
                "cpa.predicate.memoryAllocationsAlwaysSucceed=true",
                "--spec",
                "sv-comp-reachability",
                file,
            ])],
            Self::Klee => {
                let object = format!("{}.bc", file.strip_suffix(".c").unwrap_or(file));
                let mut compile =
                    owned(&["clang", "-emit-llvm", "-c", "-g", "-O0", "-Xclang", "-disable-O0-optnone"]);
                if !wide {
                    compile.push("-m32".to_owned());
                }
                compile.extend(owned(&[file, "-o", &object]));
                vec![
                    compile,
                    owned(&["klee", "--silent-klee-assume", "--exit-on-error-type=Assert", &object]),
                ]
            }
        }
    }
}

/// Loops and recursions that nobody but their own thread sees are followed at least so far: they cost little.
const LEAST_INNER: u32 = 8;

/// How far loops and recursions are followed that are left in a sequential program.
#[must_use]
pub fn inner_unwind(unwind: u32) -> u32 {
    unwind.max(LEAST_INNER)
}

/// The passes that make a sequential program ready for a backend, as the end of a pipeline.
/// `properties` are the checks to keep, with `+` between them; all if it is empty.
#[must_use]
pub fn passes(backend: Backend, unwind: u32, properties: &str) -> Vec<Stage> {
    if backend == Backend::Ours {
        return Vec::new();
    }
    vec![
        // Loops of the runtime run as often as there are threads, which `bounds` finds out.
        Stage::new(&bounds::PASS),
        Stage::new(&unroll::PASS).number("bound", inner_unwind(unwind)),
        Stage::new(&instrument::PASS).choice("backend", backend.name()).text("properties", properties),
    ]
}

/// The comment at the head of a written program: what it is, where it came from, and what to run. `title` is one line.
#[must_use]
pub fn head(backend: Backend, title: &str, inputs: &[String], file: &str, bounds: Bounds) -> String {
    let mut lines = vec![title.to_owned(), format!("from: {}", inputs.join(" "))];
    for (place, command) in backend.commands(file, bounds).iter().enumerate() {
        let words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
        lines.push(format!("{} {}", if place == 0 { "run: " } else { "then:" }, words.join(" ")));
    }
    // Names of files are the user's, and must not end the comment.
    let text = lines.join("\n   ").replace("*/", "*\\/").replace("/*", "/\\*");
    format!("/* {text} */\n")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_./=+,:@%".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// Prints a program behind a head of whole lines; the table of lines counts them.
#[must_use]
pub fn print(program: &Program, head: &str) -> Printed {
    let mut printed = linemap::print(program);
    let lines = head.bytes().filter(|&byte| byte == b'\n').count();
    let lines = u32::try_from(lines).unwrap_or(u32::MAX);
    printed.text.insert_str(0, head);
    for line in &mut printed.lines {
        line.line = line.line.saturating_add(lines);
    }
    printed
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUNDS: Bounds = Bounds { unwind: 3, model: DataModel::Lp64 };

    #[test]
    fn names_are_in_one_order() {
        let names: Vec<&str> = Backend::ALL.iter().map(|backend| backend.name()).collect();
        assert_eq!(names, NAMES);
        assert_eq!(Backend::find("klee"), Some(Backend::Klee));
        assert_eq!(Backend::find("KLEE"), None);
    }

    #[test]
    fn a_head_is_one_comment_whatever_files_are_called() {
        let head = head(Backend::Klee, "title", &["a*/ b.c".to_owned()], "it's.c", BOUNDS);
        assert_eq!(head.matches("*/").count(), 1);
        assert!(head.ends_with(" */\n"));
        assert!(head.contains("'it'\\''s.bc'"), "{head}");
        assert_eq!(head.lines().count(), 4);
    }

    #[test]
    fn passes_for_a_backend_can_be_read() {
        for backend in Backend::ALL {
            for properties in ["", "assertion+lock-misuse"] {
                let made = crate::Pipeline { stages: passes(backend, 3, properties) };
                let read = crate::Pipeline::parse(&made.to_string()).unwrap();
                assert_eq!(read.to_string(), made.to_string());
                assert_eq!(read.stages.len(), if backend == Backend::Ours { 0 } else { 3 }, "{read}");
            }
        }
    }

    #[test]
    fn the_data_model_is_told() {
        let narrow = Bounds { model: DataModel::Ilp32, ..BOUNDS };
        for backend in [Backend::Cbmc, Backend::Esbmc, Backend::Cpachecker, Backend::Klee] {
            assert_ne!(
                backend.commands("a.c", BOUNDS),
                backend.commands("a.c", narrow),
                "{}",
                backend.name()
            );
        }
    }
}
