//! The command lines of what makes and follows executions: `run`, `replay`, `explore`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use raddle_vm::explore::Reduction;

use super::{
    AnswerFormat, EnvironmentArguments, MemoryModelArguments, PreprocessorArguments, PropertyArguments,
};
use crate::check::quantity;

#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// C files, together one program; `-` is C from standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Which thread runs next
    #[arg(long, value_name = "NAME", default_value = "random")]
    pub(crate) scheduler: SchedulerName,
    /// The seed of random numbers; run n of several uses seed + n
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many runs to make; stops at the first violation
    #[arg(long, value_name = "K", default_value_t = 1)]
    pub(crate) runs: u64,
    /// Values for the program's nondeterministic inputs, in the order in which they are read; the rest is random
    #[arg(long, value_name = "VALUES", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) inputs: Vec<i128>,
    /// Stop a run after N steps
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub(crate) max_steps: u64,
    /// Record the execution (the violating one, or the last) as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// End with the program's own exit status when nothing is violated
    #[arg(long)]
    pub(crate) exit_status: bool,
    #[command(flatten)]
    pub(crate) properties: PropertyArguments,
    #[command(flatten)]
    pub(crate) memory_model: MemoryModelArguments,
    #[command(flatten)]
    pub(crate) environment: EnvironmentArguments,
    #[command(flatten)]
    pub(crate) preprocessor: PreprocessorArguments,
    /// The arguments that the program is called with
    #[arg(last = true, value_name = "ARGUMENT")]
    pub(crate) arguments: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SchedulerName {
    /// A random enabled thread
    Random,
    /// Each thread in turn
    RoundRobin,
    /// Random priorities that change at a few random steps (probabilistic concurrency testing): finds rare bugs in long runs
    Pct,
    /// Asks you at every choice
    Interactive,
}

#[derive(Debug, Args)]
pub(crate) struct ReplayArguments {
    /// A recorded execution
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
}

/// What `--dpor` leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum DporAlgorithm {
    /// All but one of the interleavings that differ only in the order of independent steps
    Optimal,
    /// The same with source sets only: some executions are begun in vain
    Source,
    /// With persistent sets found on the way: more are begun in vain
    Classic,
}

impl DporAlgorithm {
    pub(crate) const fn reduction(self) -> Reduction {
        match self {
            Self::Optimal => Reduction::Optimal,
            Self::Source => Reduction::Source,
            Self::Classic => Reduction::Classic,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct ExploreArguments {
    /// C files, together one program; `-` is C from standard input
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Explore all interleavings
    #[arg(long, required_unless_present = "dpor")]
    pub(crate) exhaustive: bool,
    /// Explore one of all interleavings that differ only in the order of independent steps (DPOR), and count them
    #[arg(
        long,
        value_name = "ALGORITHM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "optimal",
        conflicts_with_all = ["exhaustive", "all_executions", "contexts"]
    )]
    pub(crate) dpor: Option<DporAlgorithm>,
    /// With `--dpor`: additions whose results nobody uses, and the like, are ordered too
    #[arg(long, requires = "dpor")]
    pub(crate) no_commute: bool,
    /// With `--dpor`: waits for condition variables end only for a reason, as other tools have it
    #[arg(long, requires = "dpor")]
    pub(crate) no_spurious_wakeups: bool,
    /// With `--dpor`: follow only executions of at most N preemptions (a thread is left that could go on). What needs more is missed, and
    /// perhaps some of what needs fewer
    #[arg(long, requires = "dpor", value_name = "N")]
    pub(crate) context_bound: Option<u32>,
    /// With `--dpor`: how many threads search. The answer does not depend on it
    #[arg(long, requires = "dpor", value_name = "N", value_parser = quantity::jobs)]
    pub(crate) jobs: Option<usize>,
    /// Do not merge equal states: counts every execution, which takes far longer
    #[arg(long)]
    pub(crate) all_executions: bool,
    /// Cut executions off after N steps
    #[arg(long, value_name = "N")]
    pub(crate) max_depth: Option<usize>,
    /// Only executions of at most N context switches
    #[arg(long, value_name = "N")]
    pub(crate) contexts: Option<u32>,
    /// Stop after N states (by default after 10,000,000), with `--dpor` after N steps
    #[arg(long, value_name = "N")]
    pub(crate) max_states: Option<u64>,
    /// Stop after this many seconds
    #[arg(long, value_name = "SECONDS")]
    pub(crate) timeout: Option<u64>,
    /// Record the first violation as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// How the counts and the violations are written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: AnswerFormat,
    #[command(flatten)]
    pub(crate) properties: PropertyArguments,
    #[command(flatten)]
    pub(crate) memory_model: MemoryModelArguments,
    #[command(flatten)]
    pub(crate) environment: EnvironmentArguments,
    #[command(flatten)]
    pub(crate) preprocessor: PreprocessorArguments,
    /// The arguments that the program is called with
    #[arg(last = true, value_name = "ARGUMENT")]
    pub(crate) arguments: Vec<String>,
}
