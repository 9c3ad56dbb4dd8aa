//! The one definition of the command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValue, PossibleValuesParser};
use clap::{Args, Parser, ValueEnum};
use clap_complete::Shell;
use raddle_engines::ENGINES;
use raddle_ir::AddressReuse;
use raddle_lower::{ArithmeticChecks, Environment, LowerOptions, SignedOverflow};
use raddle_sequentialize::backend::Backend;
use raddle_sequentialize::schema::Schedule;
use raddle_sequentialize::switch_points::SwitchPoints;
use raddle_vm::MemoryModel;

use crate::check::quantity;

mod executions;
mod predict;
mod preprocessor;

pub(crate) use executions::{DporAlgorithm, ExploreArguments, ReplayArguments, RunArguments, SchedulerName};
pub(crate) use predict::{PredictArguments, RunSchedulerName};
pub(crate) use preprocessor::PreprocessorArguments;

const EXIT_CODES: &str = "\
Exit codes:
   0  no error; no violation was found
   1  wrong usage, or an error in the input
   2  internal error: a mistake in raddle
  10  a property is violated
  20  unknown: something unsupported, or a limit, was reached
  30  check: no violation within bounds, and no proof beyond them";

const CHECK_EXIT_CODES: &str = "\
Exit codes:
   0  safe: every property that was asked for is proved (VERDICT: TRUE)
   1  wrong usage, or an error in the input
   2  internal error: a mistake in raddle
  10  a property is violated (VERDICT: FALSE)
  20  unknown: time or memory ran out, or something unsupported can be reached (VERDICT: UNKNOWN)
  30  safe up to bounds only (VERDICT: UNKNOWN)
 130  interrupted twice";

const BENCH_EXIT_CODES: &str = "\
Exit codes:
   0  no wrong verdict and no internal error
   1  wrong usage, an error in the input, or a file that cannot be written
   2  an internal error in some task: the checker crashed, contradicted itself, or said so
  10  a wrong verdict
  20  interrupted; what was done by then is reported";

const PROOF_EXIT_CODES: &str = "\
Exit codes:
   0  accepted: all that the certificate claims is proved
   1  wrong usage, no certificate, or one about another program
   2  internal error: a mistake in raddle
  20  rejected: nothing is known of what it claims";

/// Verifies and debugs multi-threaded C programs.
#[derive(Debug, Parser)]
#[command(name = "raddle", version, after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Subcommand,
    #[command(flatten)]
    pub(crate) messages: MessageArguments,
}

/// How errors and warnings are shown.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Messages")]
pub(crate) struct MessageArguments {
    /// How errors and warnings are written: for people, or as one JSON object on each line
    #[arg(long, global = true, value_name = "FORMAT", default_value = "human")]
    pub(crate) error_format: ErrorFormat,
    /// When to colour errors and warnings
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ErrorFormat {
    Human,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal
    Auto,
    Always,
    Never,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum Subcommand {
    /// Verify a program: find a violation and show it, or prove that there is none
    ///
    /// Looks at all interleavings and all inputs. Prints the execution that violates a property, with one line for each step and
    /// one column for each thread; under a proof, what it rests on; then one line for each property (`SAFE`, `SAFE up to …`,
    /// `BUG at …`, `UNKNOWN: …`, `NOT CHECKED`) and a last line `VERDICT: TRUE`, `FALSE` or `UNKNOWN`. TRUE is only ever said of a
    /// proof without bounds.
    ///
    /// Ctrl-C ends the work with what is known; a second one ends it at once.
    #[command(after_help = CHECK_EXIT_CODES, after_long_help = CHECK_EXIT_CODES)]
    Check(Box<CheckArguments>),
    /// Parse and type-check C files, link them, and report what is wrong with them
    ///
    /// Files ending in `.c` are preprocessed by the system's C compiler; `.i` files are taken as they are.
    #[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
    Parse(ParseArguments),
    /// Print the program in the intermediate representation that is run and analysed
    #[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
    Ir(IrArguments),
    /// Run a program under a chosen schedule, and show the interleaving of a violation
    ///
    /// The program's own output is shown as it comes. What the program returns is printed at the end and does not change the
    /// exit code, unless `--exit-status` asks for it.
    #[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
    Run(RunArguments),
    /// Run a recorded execution again, step by step the same
    #[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
    Replay(ReplayArguments),
    /// Make one run, or take a recorded one, and ask whether another order of its statements breaks a property
    ///
    /// Each thread does what it did in the run, with the same inputs; who goes first is open, and so is what is read. All orders are
    /// one question, which a solver answers. What breaks a property is replayed and shown, with what came the other way round in the run.
    /// Nothing is said of statements that the run did not execute: `raddle check` asks about the whole program.
    #[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
    Predict(Box<PredictArguments>),
    /// Explore the interleavings of a program, count them and list every violation
    #[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
    Explore(ExploreArguments),
    /// Work with proofs that hold without bounds
    Proof {
        #[command(subcommand)]
        command: ProofCommand,
    },
    /// Check a set of tasks with known verdicts, each in a process of its own, and count what is right
    ///
    /// A task is a file `*.yml` in SV-COMP's format, version 2, whose property has an expected verdict. Every task is given to
    /// `raddle check` with the limits; one that does not keep them is killed. Wrong verdicts are listed first; then follow
    /// a table by folder with SV-COMP's score (2 for a right TRUE, 1 for a right FALSE, -32 and -16 for wrong ones) and
    /// the tasks that are not decided, with the reason.
    #[command(after_help = BENCH_EXIT_CODES, after_long_help = BENCH_EXIT_CODES)]
    Bench(BenchArguments),
    /// Rewrite C files by source-to-source passes and print the result as C
    ///
    /// A pipeline is a list of passes with their parameters: `simplify,unroll(3),inline`.
    #[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
    Transform(TransformArguments),
    /// Make a sequential program whose executions are those of a concurrent one, within bounds, for other tools
    ///
    /// The program that is written fails a check exactly when the concurrent one does in an execution within the bounds. The
    /// command to run stands in a comment at its head.
    #[command(after_help = EXIT_CODES, after_long_help = EXIT_CODES)]
    Sequentialize(SequentializeArguments),
    /// Print the manual page
    Man {
        /// The command whose page to print, instead of the main page
        command: Option<String>,
    },
    /// Print a completion script for a shell
    Completions {
        /// Which shell
        shell: Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct CheckArguments {
    /// C files, together one program (`-` is C from standard input); or one task file in SV-COMP's format (`.yml`)
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// The arguments that the program is called with
    #[arg(last = true, value_name = "ARGUMENT")]
    pub(crate) arguments: Vec<String>,
    #[command(flatten)]
    pub(crate) question: QuestionArguments,
    #[command(flatten)]
    pub(crate) bounds: BoundArguments,
    #[command(flatten)]
    pub(crate) environment: EnvironmentArguments,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) answer: AnswerArguments,
    #[command(flatten)]
    pub(crate) preprocessor: PreprocessorArguments,
}

/// What is asked about a program.
#[derive(Debug, Args)]
#[command(next_help_heading = "What is asked")]
pub(crate) struct QuestionArguments {
    /// What to look for: assertion, deadlock, lock-misuse, data-race, memory-safety, overflow, arithmetic (or
    /// all of these: all), leak, cleanup, uninitialised
    /// [default: assertion,deadlock,lock-misuse,data-race,memory-safety]
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_possible_values = true)]
    pub(crate) properties: Vec<PropertyName>,
    /// What to look for, given by a property file of SV-COMP; overrides the task file
    #[arg(long, value_name = "FILE.prp", conflicts_with = "properties", overrides_with = "property")]
    pub(crate) property: Option<PathBuf>,
    /// Reaching a label of this name is an assertion violation; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) error_label: Vec<String>,
    /// What signed overflow means [default: wraps; with task and property files of SV-COMP: undefined]
    #[arg(long, value_name = "MEANING")]
    pub(crate) signed_overflow: Option<SignedOverflowName>,
    #[command(flatten)]
    pub(crate) memory_model: MemoryModelArguments,
}

/// Which engine answers, and within which bounds.
#[derive(Debug, Args)]
#[command(next_help_heading = "Engine and bounds")]
pub(crate) struct BoundArguments {
    /// Which engine finds the answer
    #[arg(long, value_name = "NAME", default_value = ENGINES[0].name(), value_parser = engines())]
    pub(crate) engine: String,
    /// Unroll every loop N times and every recursion N deep, instead of increasing the bound step by step
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) unwind: Option<u32>,
    /// Bounds for single loops: `main.0:5` is the first loop of `main`, in the order of the source; a function's name stands
    /// for its recursion
    #[arg(long, value_name = "LOOP:N,…", value_delimiter = ',', value_parser = quantity::loop_bound)]
    pub(crate) unwindset: Vec<(String, u32)>,
    /// When the bound increases step by step, stop at this one
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), conflicts_with = "unwind")]
    pub(crate) unwind_max: Option<u32>,
    /// Follow at most N threads, the main thread included
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) max_threads: Option<u32>,
    /// Follow only executions of at most N context switches: the thread that makes the steps changes N times at most
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(..=1_000))]
    pub(crate) contexts: Option<u32>,
    /// Engines `lazy` and `lal-reps`: only schedules of N round-robin rounds, instead of increasing the number step by step
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) rounds: Option<u32>,
    /// Engine `lazy`: which threads take part in each round, `main` in the first one at least
    #[arg(long, value_name = "main,t1:t1,t2:…", conflicts_with = "rounds")]
    pub(crate) schedule: Option<Schedule>,
    /// Engine `lazy`: at which labels threads may be preempted, as `raddle sequentialize --points` numbers them: in round 1 `main`
    /// at 3, in round 2 thread 1 at 0 to 4 or 7; `*` stands for all rounds, `all` for all threads. Needs `--unwind`, and `--rounds`
    /// or `--schedule`
    #[arg(long, value_name = "1.main:3;2.t1:0..4|7", conflicts_with_all = ["max_threads", "unwind_max"])]
    pub(crate) switches: Option<SwitchPoints>,
    /// Engine `lazy`: which tool checks the sequential program
    #[arg(long, value_name = "NAME", default_value = "ours", value_parser = backends())]
    pub(crate) backend: String,
    /// The solver for the formulas: `ours`, an installed `z3`, `cvc5`, `bitwuzla` or `yices`, or a command that reads SMT-LIB
    #[arg(long, value_name = "NAME|COMMAND", default_value = "ours")]
    pub(crate) solver: String,
    /// Write every query to the solver into this folder, as SMT-LIB
    #[arg(long, value_name = "DIR")]
    pub(crate) dump_smt2: Option<PathBuf>,
    /// The seed of random numbers, for engines that use them
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// What the environment of the program does.
#[derive(Clone, Debug, Default, Args)]
#[command(next_help_heading = "The world around the program")]
pub(crate) struct EnvironmentArguments {
    /// Assume that this function, which has no body, only returns a value; may be given several times
    #[arg(long, value_name = "NAME")]
    assume_pure: Vec<String>,
    /// `main` gets arbitrary arguments, within small bounds, instead of those after `--`
    #[arg(long, conflicts_with = "arguments")]
    free_arguments: bool,
    /// Functions that allocate memory may fail: `malloc` and the like, `strdup`, `asprintf`, `getline`, `setenv`, …
    #[arg(long)]
    malloc_may_fail: bool,
    /// Starting threads may fail, and so may initialising locks, condition variables, barriers, semaphores and keys
    #[arg(long)]
    create_may_fail: bool,
    /// No address is used twice: no new object begins where one was that was freed or whose lifetime has ended
    #[arg(long)]
    no_address_reuse: bool,
}

impl EnvironmentArguments {
    /// What was said.
    pub(crate) fn environment(&self) -> Environment {
        Environment {
            pure: self.assume_pure.clone(),
            free_arguments: self.free_arguments,
            malloc_may_fail: self.malloc_may_fail,
            create_may_fail: self.create_may_fail,
            address_reuse: if self.no_address_reuse { AddressReuse::Never } else { AddressReuse::Possible },
        }
    }

    /// The options that say it.
    pub(crate) fn words(environment: &Environment) -> Vec<String> {
        let Environment { pure, free_arguments, malloc_may_fail, create_may_fail, address_reuse } =
            environment;
        let flags = [
            ("--free-arguments", free_arguments),
            ("--malloc-may-fail", malloc_may_fail),
            ("--create-may-fail", create_may_fail),
            ("--no-address-reuse", &(*address_reuse == AddressReuse::Never)),
        ];
        let pure = pure.iter().map(|name| format!("--assume-pure={name}"));
        pure.chain(flags.iter().filter(|(_, given)| **given).map(|(word, _)| (*word).to_owned())).collect()
    }

    /// What such options say.
    pub(crate) fn from_words(words: &[String]) -> Result<Environment, clap::Error> {
        #[derive(Parser)]
        #[command(no_binary_name = true)]
        struct Line {
            #[command(flatten)]
            environment: EnvironmentArguments,
            #[arg(last = true)]
            arguments: Vec<String>,
        }
        let line = Line::try_parse_from(words)?;
        debug_assert!(line.arguments.is_empty(), "there are only options");
        Ok(line.environment.environment())
    }
}

/// Limits of time and memory.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArguments {
    /// The time limit: `60`, `60s`, `5m`, `1h`. What is known by then is reported
    #[arg(long, value_name = "SECONDS", value_parser = quantity::duration, overrides_with = "timeout")]
    pub(crate) timeout: Option<Duration>,
    /// The memory limit: `4000`, `500MB`, `8GB`, `2GiB`. What is known by then is reported
    #[arg(long, value_name = "MB", value_parser = quantity::memory, overrides_with = "memory")]
    pub(crate) memory: Option<u64>,
    /// How many engines may work at the same time [default: the number of cores]. The answer does not depend on it, except for how
    /// far they get when the time is over
    #[arg(long, value_name = "N", value_parser = quantity::jobs, overrides_with = "jobs")]
    pub(crate) jobs: Option<usize>,
}

/// How the answer is reported.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct AnswerArguments {
    /// Record the violation as JSON for `raddle replay`. If there are several, the others go to files beside it (`x.json`,
    /// `x.data-race.json`)
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// Write the certificates of what is proved by invariants as JSON, for `raddle proof check`
    #[arg(long, value_name = "FILE")]
    pub(crate) certificate: Option<PathBuf>,
    /// Show what holds at the lines of the program, where something is proved by invariants
    #[arg(long, conflicts_with = "quiet")]
    pub(crate) show_invariants: bool,
    /// How the answer is written: for people, or as one JSON object
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: AnswerFormat,
    /// Only one line for each property and the verdict; no progress
    #[arg(long, short, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Show all steps of long executions, and always what the answers rest on
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AnswerFormat {
    Text,
    Json,
}

/// The names of the engines, with what they do.
fn engines() -> PossibleValuesParser {
    ENGINES
        .iter()
        .map(|engine| PossibleValue::new(engine.name()).help(engine.card().about))
        .collect::<Vec<_>>()
        .into()
}

#[derive(Debug, Args)]
pub(crate) struct ParseArguments {
    /// C files, together one program; `-` is C from standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print the program: as C, or as a typed tree
    #[arg(long, value_name = "FORM")]
    pub(crate) emit: Option<Emit>,
    /// Put `#line` directives into printed C
    #[arg(long, requires = "emit")]
    pub(crate) line_directives: bool,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) preprocessor: PreprocessorArguments,
}

#[derive(Debug, Args)]
pub(crate) struct IrArguments {
    /// C files, together one program; `-` is C from standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Draw the control flow graphs instead
    #[arg(long, value_name = "FORM")]
    pub(crate) cfg: Option<GraphForm>,
    /// Only this function
    #[arg(long, value_name = "NAME")]
    pub(crate) function: Option<String>,
    /// Omit the API models
    #[arg(long)]
    pub(crate) no_models: bool,
    /// Check for signed overflow, division by zero and over-wide shifts
    #[arg(long)]
    pub(crate) overflow: bool,
    /// What signed overflow means [default: wraps]
    #[arg(long, value_name = "MEANING")]
    pub(crate) signed_overflow: Option<SignedOverflowName>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) preprocessor: PreprocessorArguments,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphForm {
    /// Graphviz
    Dot,
}

/// Which properties are looked at.
#[derive(Debug, Args)]
pub(crate) struct PropertyArguments {
    /// What to look for: assertion, deadlock, lock-misuse, data-race, memory-safety, overflow, arithmetic (or
    /// all of these: all), leak, cleanup, uninitialised
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "assertion,deadlock,lock-misuse,data-race,memory-safety"
    )]
    pub(crate) properties: Vec<PropertyName>,
    /// What signed overflow means [default: wraps]
    #[arg(long, value_name = "MEANING")]
    signed_overflow: Option<SignedOverflowName>,
}

impl PropertyArguments {
    /// How the program is to be lowered.
    pub(crate) fn lowering(&self) -> LowerOptions {
        LowerOptions {
            arithmetic: ArithmeticChecks::of(&crate::task::properties(&self.properties)),
            signed_overflow: self.signed_overflow.unwrap_or_default().meaning(),
            ..LowerOptions::default()
        }
    }
}

/// What signed overflow means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum SignedOverflowName {
    /// The result wraps around, as with gcc's `-fwrapv`
    #[default]
    Wraps,
    /// The behaviour is undefined: an execution ends there
    Undefined,
}

impl SignedOverflowName {
    pub(crate) fn meaning(self) -> SignedOverflow {
        match self {
            Self::Wraps => SignedOverflow::Wraps,
            Self::Undefined => SignedOverflow::Undefined,
        }
    }
}

/// Which reorderings of memory accesses are possible.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct MemoryModelArguments {
    /// When a thread's stores become visible to other threads
    #[arg(long, value_name = "MODEL", default_value = "sc")]
    memory_model: MemoryModelName,
}

impl MemoryModelArguments {
    pub(crate) fn model(self) -> MemoryModel {
        match self.memory_model {
            MemoryModelName::Sc => MemoryModel::Sc,
            MemoryModelName::Tso => MemoryModel::Tso,
            MemoryModelName::Pso => MemoryModel::Pso,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MemoryModelName {
    /// Sequential consistency: at once
    Sc,
    /// Total store order, as on x86: perhaps after later loads
    Tso,
    /// Partial store order: perhaps after later loads, and after later stores to other memory locations
    Pso,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum PropertyName {
    /// `assert` and `reach_error`
    Assertion,
    /// No thread is enabled, and not all have ended
    Deadlock,
    /// A lock is used against its rules
    LockMisuse,
    /// Two conflicting accesses that happens-before leaves unordered
    DataRace,
    /// An access outside of live objects, or a wrong `free`
    MemorySafety,
    /// The result of a signed operation is no value of its type
    Overflow,
    /// Division by zero, an over-wide shift, a floating value out of the range of an integer type
    Arithmetic,
    /// At the end, allocated memory that nothing points to
    Leak,
    /// At the end, allocated memory that is not freed
    Cleanup,
    /// A value that was never written decides a branch or an address, or is output
    Uninitialised,
    /// All but leak, cleanup and uninitialised
    All,
}

#[derive(Debug, clap::Subcommand)]
pub(crate) enum ProofCommand {
    /// Check the certificates of `raddle check --certificate`
    ///
    /// Builds the program again, derives from it what has to be shown, and has every part of that refuted by a solver. Nothing of the
    /// analysis that found the proof runs, and nothing in the file is believed. Says what is proved and what that rests on.
    #[command(after_help = PROOF_EXIT_CODES, after_long_help = PROOF_EXIT_CODES)]
    Check(ProofCheckArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ProofCheckArguments {
    /// The program's C files, or its task file (`.yml`); last, the certificate. How the program is built stands in the certificate
    #[arg(required = true, num_args = 2.., value_name = "PROGRAM… CERTIFICATE")]
    pub(crate) files: Vec<PathBuf>,
    /// The time limit: `60`, `60s`, `5m`, `1h`. What is not checked by then is rejected
    #[arg(long, value_name = "SECONDS", value_parser = quantity::duration)]
    pub(crate) timeout: Option<Duration>,
}

#[derive(Debug, Args)]
pub(crate) struct BenchArguments {
    /// Task files, and directories to search for them
    #[arg(required = true, value_name = "DIR|YML")]
    pub(crate) paths: Vec<PathBuf>,
    /// Which property of the tasks to check; those without it are skipped
    #[arg(long, value_name = "NAME", default_value = "unreach-call")]
    pub(crate) property: String,
    /// How long a task may take: `60`, `60s`, `5m`, `1h`; two seconds later it is killed
    #[arg(long, value_name = "SECONDS", default_value = "60", value_parser = quantity::duration)]
    pub(crate) timeout: Duration,
    /// Kill a task after this much processor time, of all its threads and children together
    #[arg(long, value_name = "SECONDS", value_parser = quantity::duration)]
    pub(crate) cpu_time: Option<Duration>,
    /// How many megabytes a task may use: `4000`, `500MB`, `8GB`, `2GiB`; it is killed when it uses a tenth more
    #[arg(long, value_name = "MB", default_value = "4000", value_parser = quantity::memory)]
    pub(crate) memory: u64,
    /// How many tasks run at the same time [default: the number of cores]
    #[arg(long, short, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) jobs: Option<u64>,
    /// Run each task K times and keep the median by processor time; the worst status counts
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    pub(crate) repeat: u64,
    /// Write the results to a file of comma-separated values, one row for each task
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Compare with the results of an earlier `--csv`: changes, regressions first, and times
    #[arg(long, value_name = "FILE")]
    pub(crate) compare: Option<PathBuf>,
    /// Run another checker than `raddle check`
    ///
    /// It is called as `PROGRAM --timeout S --memory MB --property FILE.prp OPTION… TASK.yml`. The last line it prints is
    /// `VERDICT: TRUE`, `VERDICT: FALSE` or `VERDICT: UNKNOWN`, and its exit code is 0, 10, or 20 in turn; 30 is an UNKNOWN that
    /// is safe up to bounds, 1 a refused input, 2 an internal error. Of an UNKNOWN, the last line before with that word, or
    /// with `SAFE up to`, is shown as the reason. A wrapper script fits any verifier to this.
    #[arg(long, value_name = "PROGRAM", hide_short_help = true)]
    pub(crate) checker: Option<PathBuf>,
    /// Options for `raddle check`; `--timeout`, `--memory` and `--property` among them replace the ones given to it
    #[arg(last = true, value_name = "OPTION")]
    pub(crate) check_options: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct TransformArguments {
    /// C files, together one program; `-` is C from standard input
    #[arg(required_unless_present = "list", value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// List the passes and their parameters
    #[arg(long, conflicts_with_all = ["files", "passes", "pipeline"])]
    pub(crate) list: bool,
    /// The passes to run, in order
    #[arg(short, long, value_name = "PASSES", conflicts_with = "pipeline")]
    pub(crate) passes: Option<String>,
    /// Read the passes to run from a file
    #[arg(long, value_name = "FILE")]
    pub(crate) pipeline: Option<PathBuf>,
    /// Stop after this pass: its name, or its position in the pipeline, from one
    #[arg(long, value_name = "PASS")]
    pub(crate) after: Option<String>,
    /// Print the table from lines of the result to lines of the input instead
    #[arg(long)]
    pub(crate) linemap: bool,
    /// Check after every pass that the program reads back the same, also in a release build
    #[arg(long)]
    pub(crate) check_passes: bool,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) preprocessor: PreprocessorArguments,
}

#[derive(Debug, Args)]
pub(crate) struct SequentializeArguments {
    /// C files, together one program; `-` is C from standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// How interleavings become sequential
    #[arg(long, value_name = "NAME", default_value = "lazy")]
    pub(crate) schema: Schema,
    /// In how many round-robin rounds every thread may run
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) rounds: u32,
    /// How many iterations loops have at most, and how deep recursions go
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) unwind: u32,
    /// Which threads may run in each round, as in `main,t1:t1,t2:main`; this determines the number of rounds
    #[arg(long, value_name = "ROUNDS", conflicts_with = "rounds")]
    pub(crate) schedule: Option<Schedule>,
    /// At which labels threads may be preempted, as in `1.main:3;2.t1:0..4|7`: in round 1 `main` at 3, in round 2 thread 1 at 0 to
    /// 4 or 7; `*` stands for all rounds, `all` for all threads
    #[arg(long, value_name = "LABELS")]
    pub(crate) switches: Option<SwitchPoints>,
    /// Look for deadlocks, too: executions after which every thread is blocked (schema lazy)
    #[arg(long)]
    pub(crate) deadlock: bool,
    /// Which tool will read the program
    #[arg(long, value_name = "NAME", default_value = "ours", value_parser = backends())]
    pub(crate) backend: String,
    /// Print the table from lines of the result to lines of the input instead
    #[arg(long)]
    pub(crate) linemap: bool,
    /// Print instead the labels for `--switches`, with the line of the input that follows each
    #[arg(long, conflicts_with_all = ["linemap", "switches"])]
    pub(crate) points: bool,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) preprocessor: PreprocessorArguments,
}

/// How interleavings become sequential.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Schema {
    /// In each round a thread continues where it was preempted; only reachable states are explored
    Lazy,
    /// Threads run one after the other on guessed memory, and the guesses are checked at the end
    LalReps,
}

/// The names of the backends, with what they are.
fn backends() -> PossibleValuesParser {
    Backend::ALL
        .iter()
        .map(|backend| PossibleValue::new(backend.name()).help(backend.about()))
        .collect::<Vec<_>>()
        .into()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    C,
    Ast,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Model {
    /// 64-bit: `long` and pointers have 8 bytes
    Lp64,
    /// 32-bit: `int`, `long` and pointers have 4 bytes (also: -m32)
    Ilp32,
}

/// Puts the compiler's options with one dash and a long name into the form that clap reads:
/// `-include F`, `-isystem D`, `-isystemD`, `-std=S`, `-m32` and `-m64`. Nothing after `--` is touched.
pub(crate) fn translate(words: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut options_end = false;
    words
        .into_iter()
        .map(|word| {
            options_end |= word == "--";
            let Some(text) = word.to_str().filter(|_| !options_end) else { return word };
            match text {
                "-include" | "-isystem" => format!("-{text}").into(),
                "-m32" => "--data-model=ilp32".into(),
                "-m64" => "--data-model=lp64".into(),
                _ if text.starts_with("-std=") => format!("-{text}").into(),
                _ => match text.strip_prefix("-isystem") {
                    Some(directory) => format!("--isystem={directory}").into(),
                    None => word,
                },
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use raddle_cfront::layout::DataModel;
    use raddle_cfront::preprocess::Flag;

    use super::*;

    fn parse(line: &str) -> ParseArguments {
        let words = translate(line.split_whitespace().map(OsString::from));
        let command = Arguments::try_parse_from(words).unwrap().command;
        if let Subcommand::Parse(arguments) = command { arguments } else { panic!("another command") }
    }

    #[test]
    fn options_survive_in_a_trace() {
        let options = parse("raddle parse a.c -Iinc -DX=1 -U Y -include f.h -isystem s -std=c11 -m32")
            .preprocessor
            .options;
        let words = PreprocessorArguments::words(&options);
        assert_eq!(PreprocessorArguments::from_words(&words, options.model).unwrap(), options);
    }

    #[test]
    fn the_compilers_options_are_understood_in_order() {
        let parsed =
            parse("raddle parse a.c -Iinc -DX=1 -U X -D X -include f.h -isystem s -isystemt -std=c11 -m32");
        let options = parsed.preprocessor.options;
        assert_eq!(
            options.flags,
            [
                Flag::IncludeDirectory("inc".into()),
                Flag::Define("X=1".into()),
                Flag::Undefine("X".into()),
                Flag::Define("X".into()),
                Flag::Include("f.h".into()),
                Flag::SystemDirectory("s".into()),
                Flag::SystemDirectory("t".into()),
            ]
        );
        assert_eq!(options.standard.as_deref(), Some("c11"));
        assert_eq!(options.model, DataModel::Ilp32);
        assert_eq!(options.command, None);
    }

    #[test]
    fn the_last_of_several_choices_counts() {
        let options =
            parse("raddle parse a.c -m32 --data-model lp64 --std c99 -std=gnu17").preprocessor.options;
        assert_eq!((options.model, options.standard.as_deref()), (DataModel::Lp64, Some("gnu17")));
    }

    #[test]
    fn nothing_after_two_dashes_is_an_option() {
        assert_eq!(parse("raddle parse -- -include -m32").files, [PathBuf::from("-include"), "-m32".into()]);
    }
}
