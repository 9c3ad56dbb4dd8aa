//! What a search found.

use raddle_base::{Exhausted, Id as _};
use raddle_ir::{BlockId, FunctionId, Program, Property};

use crate::code::Place;
use crate::leak::Leak;
use crate::run::{Outcome, ReplayedTrace};
use crate::state::Exit;

/// What a search found.
#[derive(Clone, Debug, Default)]
pub struct Exploration {
    /// States that were met: different ones with hashing, all without; not counted with [`Strategy::Dpor`](super::Strategy::Dpor).
    pub states: u64,
    /// Steps between them.
    pub transitions: u64,
    /// Maximal executions, with sleep sets one of each class; so many as were walked with [`Strategy::Dpor`](super::Strategy::Dpor), else `None` when there are infinitely many or a limit cut some off.
    pub executions: Option<u128>,
    /// Of the executions, those that end with a thread that waits for ever.
    pub blocked: u64,
    /// Executions that were begun and led to nothing new: none, where the search is optimal.
    pub redundant: u64,
    /// The most steps in one execution, where that is counted.
    pub depth: usize,
    /// While a search is under way, a guess of which part of it is done, by how its paths branch; where that is made.
    pub done: Option<f64>,
    /// Violations of every property, different in property or place, in the order they were found; each replays.
    pub violations: Vec<ReplayedTrace>,
    /// Data races that were seen too, but only where another one had happened before, which is what a trace would show.
    pub hidden_races: u64,
    /// How processes ended, each way once, in the order they were found.
    pub exits: Vec<Exit>,
    /// What was not freed at some exit, each place once.
    pub leaks: Vec<Leak>,
    /// Where leaks are looked for, why none can be excluded though none was found.
    pub leak_doubt: Option<LeakDoubt>,
    /// Executions that end because what follows has no meaning, for a reason that nobody checks: the first for each property that
    /// is about such reasons, as a violation of it.
    pub undefined: Vec<ReplayedTrace>,
    /// What is not supported and was come upon, each place once.
    pub unsupported: Vec<(String, Place)>,
    /// The limit that ended the search, if one did.
    pub limit: Option<Limit>,
    /// Whether some execution has more context switches than were to be searched.
    pub more_switches: bool,
    /// Whether some execution was not followed because it has more preemptions than were to be searched.
    pub more_preemptions: bool,
    /// Whether inputs took only some of their values.
    pub sampled: bool,
    /// Whether waits that may end without reason did not, because that was wanted.
    pub no_spurious_wakeups: bool,
    /// Basic blocks that were executed.
    pub blocks: u64,
    /// The largest number of threads in one execution.
    pub threads: usize,
    /// The blocks of code that some execution went through to their end.
    pub passed: Passed,
}

/// Why a leak cannot be excluded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LeakDoubt {
    /// Only registers of variables, which may be out of scope, lead to an object at the end.
    OnlyRegisters(Place),
    /// An object is lost in an execution that does not end.
    WithoutEnd(Place),
}

/// A set of blocks of code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Passed {
    /// Where the blocks of each function begin in `blocks`.
    starts: Vec<usize>,
    blocks: Vec<bool>,
}

impl Passed {
    /// None of a program's blocks.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        let mut starts = Vec::with_capacity(program.functions.len());
        let mut count = 0;
        for function in program.functions.values() {
            starts.push(count);
            count += function.blocks.len();
        }
        Self { starts, blocks: vec![false; count] }
    }

    /// Puts a block in.
    pub fn insert(&mut self, function: FunctionId, block: BlockId) {
        self.blocks[self.starts[function.index()] + block.index()] = true;
    }

    /// Puts all in that are in another one of the same program.
    pub(super) fn absorb(&mut self, other: &Self) {
        self.blocks.iter_mut().zip(&other.blocks).for_each(|(mine, &theirs)| *mine |= theirs);
    }

    /// Whether a block is in.
    #[must_use]
    pub fn contains(&self, function: FunctionId, block: BlockId) -> bool {
        self.starts.get(function.index()).is_some_and(|start| self.blocks[start + block.index()])
    }
}

impl Exploration {
    /// Whether every execution was seen, for the inputs that were tried.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.limit.is_none() && self.unsupported.is_empty()
    }

    /// Whether some execution breaks a property.
    #[must_use]
    pub fn breaks(&self, property: Property) -> bool {
        self.violations.iter().any(|violation| violation.outcome().property() == Some(property))
    }
}

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Too many states.
    States,
    /// Too many basic blocks executed.
    Blocks,
    /// An execution was too long; others were searched.
    Depth,
    /// A thread delayed as many stores as it may: executions in which it delays more were not searched.
    Delayed,
    /// Whoever follows the search needs no more of it.
    Enough,
    /// Time or memory ran out.
    Budget(Exhausted),
}

/// What makes a violation different from others.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    At(Property, Option<Place>),
    Undefined(Property),
    Race(Place, Place),
    Deadlock(Vec<(Place, Option<Place>)>),
}

/// The key of the race that a trace shows.
pub(super) fn race_key(replayed: &ReplayedTrace) -> Option<Key> {
    let Outcome::Violated(violation) = replayed.outcome() else { return None };
    let race = violation.race.as_ref()?;
    let (a, b) = (race.first.place, race.second.place);
    Some(Key::Race(a.min(b), a.max(b)))
}
