//! Exploration: every interleaving of a small program, by one of several strategies.
//!
//! Depth-first search over snapshots ([`Strategy`] says which paths). An *execution* is a maximal path: it ends with the
//! process, with a violation, or where no thread is enabled.
//!
//! - With hashing, a state that was met before is not searched again, and the executions through it are counted by adding.
//!   Without, every path is walked. Both count the same executions where both come to an end.
//! - With symmetry (`symmetry`) of states that differ only in which thread is which, one is searched.
//! - With sleep sets (`sleep_sets`) one execution of each class is walked.
//! - In rounds (`rounds`), only round-robin schedules are searched.
//! - Within a bound on context switches (`contexts`), only executions of so many are.
//!
//! Inputs take every value of a small domain. A truth value takes both, and nothing is missed; for other types
//! the exploration says that its inputs were sampled. It is complete when no limit was met.
//!
//! Where data races are looked for, vector clocks ([`crate::race`]) are part of a state: two ways to the same memory may differ in what
//! happens before what, and then both are searched on. A path goes on behind a race.
//!
//! Under weak memory models a delayed store that becomes visible is a step like any other. A thread that stores without end has
//! infinitely many states there, so the number of delayed stores is bounded; reaching the bound is a limit.

mod commuting;
mod contexts;
mod dpor;
mod ends;
mod footprint;
mod found;
mod join_run;
mod path;
mod rounds;
mod sleep_sets;
mod symmetry;
mod walk;
mod watch;

use std::ops::ControlFlow;

use std::fmt;

use raddle_base::Budget;

pub use self::ends::ends_execution;
pub use self::found::{Exploration, LeakDoubt, Limit, Passed};
use crate::step::Vm;

/// Which paths are searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strategy {
    /// All, but none from a state that was met before.
    States,
    /// All.
    Executions,
    /// One of each class of executions that differ only in the order of independent steps.
    SleepSets,
    /// The same by optimal dynamic partial-order reduction (`dpor`), which begins no execution in vain.
    Dpor,
    /// Those of round-robin schedules.
    RoundRobin {
        /// Of at most so many rounds.
        rounds: u32,
        /// Whether states that were met before are not searched again.
        hashing: bool,
    },
}

impl Strategy {
    /// Whether states that were met before are recognised.
    const fn hashes(self) -> bool {
        match self {
            Self::States => true,
            Self::Executions | Self::SleepSets | Self::Dpor => false,
            Self::RoundRobin { hashing, .. } => hashing,
        }
    }

    /// How many rounds there are, if they are counted.
    const fn rounds(self) -> Option<u32> {
        match self {
            Self::States | Self::Executions | Self::SleepSets | Self::Dpor => None,
            Self::RoundRobin { rounds, .. } => Some(rounds),
        }
    }
}

/// How much [`Strategy::Dpor`] leaves out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduction {
    /// All but one execution of each class (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014).
    #[default]
    Optimal,
    /// The same with source sets instead of wakeup trees: some executions are begun in vain. Of programs with inputs not all is searched.
    Source,
    /// With persistent sets found on the way (Flanagan and Godefroid, POPL 2005) and sleep sets: more are. Of programs with inputs not all
    /// is searched.
    Classic,
}

/// Follows a search, and says whether it is to go on.
pub type Follower<'f> = dyn Fn(&Exploration) -> ControlFlow<()> + 'f;

/// What to search, and how far.
#[derive(Clone)]
pub struct Search<'b> {
    /// Which paths.
    pub strategy: Strategy,
    /// Whether of states that differ only in which thread is which one is searched (`symmetry`); for [`Strategy::States`]. Then
    /// executions through threads that are joined are not counted.
    pub symmetry: bool,
    /// Only executions of at most so many context switches (`contexts`); without symmetry and sleep sets, and under sequential
    /// consistency.
    pub contexts: Option<u32>,
    /// The values that inputs take; truth values always take both.
    pub values: Vec<u128>,
    /// Whether operations whose order nobody can tell are taken to be independent, such as two additions whose results nobody
    /// uses; for [`Strategy::Dpor`].
    pub commutes: bool,
    /// How much [`Strategy::Dpor`] leaves out.
    pub reduction: Reduction,
    /// Only executions of at most so many preemptions are followed; for [`Strategy::Dpor`]. A class is left out if the execution that would
    /// be walked of it has more, so some may be left out that have another one with fewer.
    pub preemptions: Option<u32>,
    /// Whether a wait for a condition variable may end without reason; for [`Strategy::Dpor`].
    pub spurious_wakeups: bool,
    /// How many threads search; for [`Strategy::Dpor`]. What is found does not depend on it.
    pub jobs: usize,
    /// At most so many states; with [`Strategy::Dpor`], which keeps none, steps.
    pub max_states: u64,
    /// At most so many basic blocks executed in all. A step may run through a long loop that no other thread sees, or through
    /// one for each combination of inputs: a number of states alone does not bound the work.
    pub max_blocks: u64,
    /// At most so many steps in one execution.
    pub max_depth: usize,
    /// Under weak memory models, at most so many delayed stores of each thread.
    pub max_delayed: usize,
    /// Time and memory.
    pub budget: Option<&'b Budget>,
    /// Follows how far the search has come, now and then and at each violation, and says whether it is to go on.
    pub progress: Option<&'b Follower<'b>>,
}

impl Default for Search<'_> {
    fn default() -> Self {
        Self {
            strategy: Strategy::States,
            symmetry: true,
            contexts: None,
            values: vec![0, 1],
            commutes: true,
            reduction: Reduction::Optimal,
            preemptions: None,
            spurious_wakeups: true,
            jobs: 1,
            max_states: u64::MAX,
            max_blocks: u64::MAX,
            max_depth: 1_000_000,
            max_delayed: 64,
            budget: None,
            progress: None,
        }
    }
}

impl fmt::Debug for Search<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { strategy, symmetry, contexts, values, max_states, max_depth, .. } = self;
        let mut shown = f.debug_struct("Search");
        shown
            .field("strategy", strategy)
            .field("symmetry", symmetry)
            .field("contexts", contexts)
            .field("values", values)
            .field("max_states", max_states);
        shown.field("max_depth", max_depth).finish_non_exhaustive()
    }
}

/// Searches all interleavings of a program.
#[must_use]
pub fn explore(vm: &Vm<'_>, search: &Search<'_>) -> Exploration {
    let vm = &vm.delaying_at_most(search.max_delayed.max(1));
    match search.strategy {
        Strategy::Dpor => dpor::search(vm, search),
        Strategy::States | Strategy::Executions | Strategy::SleepSets | Strategy::RoundRobin { .. } => {
            walk::walk(vm, search)
        }
    }
}

#[cfg(test)]
mod tests;
