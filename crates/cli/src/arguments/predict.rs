//! The arguments of `raddle predict`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};

use super::{
    AnswerFormat, EnvironmentArguments, MemoryModelArguments, PreprocessorArguments, PropertyArguments,
};
use crate::check::quantity;

#[derive(Debug, Args)]
pub(crate) struct PredictArguments {
    /// C files, together one program (`-` is C from standard input); or one recorded execution (`.json`)
    #[arg(required = true, value_name = "FILE|TRACE")]
    pub(crate) files: Vec<PathBuf>,
    /// Which thread runs next in the run that is made
    #[arg(long, value_name = "NAME", default_value = "random")]
    pub(crate) scheduler: RunSchedulerName,
    /// The seed of the run that is made
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Values for the inputs of the run that is made, in the order in which they are read; the rest is random
    #[arg(long, value_name = "VALUES", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) inputs: Vec<i128>,
    /// End the run that is made after N steps
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    pub(crate) max_steps: u64,
    /// Go on from the run until all its executions under any schedule are known: run one that does what was not seen, ask again
    ///
    /// Ends when a violation is found, or when there is nothing new; then what holds, holds for these inputs under all schedules.
    #[arg(long, conflicts_with = "window")]
    pub(crate) until_done: bool,
    /// The same, with at most N runs
    #[arg(long, value_name = "N", conflicts_with = "window", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) steps: Option<u64>,
    /// For long runs: only steps of the same N steps in a row of the run are put in another order
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) window: Option<u64>,
    /// The time limit: `60`, `60s`, `5m`, `1h`. What is known by then is reported
    #[arg(long, value_name = "SECONDS", value_parser = quantity::duration)]
    pub(crate) timeout: Option<Duration>,
    /// The memory limit: `4000`, `500MB`, `8GB`, `2GiB`. What is known by then is reported
    #[arg(long, value_name = "MB", value_parser = quantity::memory)]
    pub(crate) memory: Option<u64>,
    /// Record the first violation as JSON for `raddle replay`
    #[arg(long, value_name = "FILE")]
    pub(crate) trace: Option<PathBuf>,
    /// How the answer is written
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

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum RunSchedulerName {
    /// A random enabled thread
    Random,
    /// Each thread in turn, a few steps each
    RoundRobin,
    /// Each thread in turn, for as long as it can: the order in which short tests mostly happen to run
    Sequential,
}
