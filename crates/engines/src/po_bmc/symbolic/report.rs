//! What an execution found beside its events.

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::{BlockId, FunctionId, GlobalId};
use raddle_logic::term::{TermId, Terms};
use raddle_vm::ThreadId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::assumptions::ReadKey;
use super::region::Locks;
use super::world::{SiteKey, VisitId};
use crate::execution_graph::events::{EventId, InstanceId, Space, StepId};

/// A read that reads the same constant always, and so is no event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ConstantRead {
    pub(crate) key: ReadKey,
    pub(crate) space: Space,
    pub(crate) address: TermId,
    pub(crate) size: u32,
    /// Bits of what it reads.
    pub(crate) bits: u32,
    /// What it would read if nobody had written.
    pub(crate) initial: Option<TermId>,
}

/// What else an execution found.
#[derive(Debug, Default)]
pub(crate) struct Report {
    /// The reads of shared memory.
    pub(crate) reads: Vec<(ReadKey, EventId)>,
    /// The names of the threads, which are the same in each execution.
    pub(crate) names: Vec<InstanceId>,
    /// The ways of the run, where one is followed.
    pub(crate) ways: FxHashSet<(VisitId, BlockId)>,
    /// What was given from outside in the run, and where.
    pub(crate) given: FxHashMap<SiteKey, u128>,
    /// Where threads go ways that are not followed: when, and after which step.
    pub(crate) left: Vec<(TermId, StepId)>,
    /// The threads of the run that the threads follow, if there is one.
    pub(crate) followed: Vec<Option<ThreadId>>,
    /// Reads that are no events, because of what they are assumed to read.
    pub(crate) constant_reads: Vec<ConstantRead>,
    /// For reads of bytes with marks, what they read without these.
    pub(crate) bytes: FxHashMap<EventId, TermId>,
    /// For reads, the condition under which what they read initially was never written.
    pub(crate) unwritten: FxHashMap<EventId, TermId>,
    /// Reads for which memory that was never written counts as a number.
    pub(crate) unwritten_is: FxHashMap<EventId, u32>,
    /// The locks that were held at accesses to shared memory, where any were.
    pub(crate) locks: FxHashMap<EventId, Locks>,
    /// For what critical sections read and write at once, which of them it is.
    pub(crate) acquisitions: FxHashMap<EventId, usize>,
    /// How many operations the thread has made when it reads.
    pub(crate) read_operations: FxHashMap<EventId, TermId>,
    /// Iterations of each loop that were executed at most.
    pub(crate) loops: BTreeMap<(FunctionId, BlockId), u32>,
    /// Loops that were cut although it was open whether another iteration follows, or whose bound was given.
    pub(crate) open_cuts: BTreeSet<(FunctionId, BlockId)>,
    /// Depth of each recursive function.
    pub(crate) recursions: BTreeMap<FunctionId, u32>,
    /// What stands in for values that have no exact term: when it counts, and what it is.
    pub(crate) havocked: Vec<(TermId, &'static str)>,
    /// All accesses to shared memory that are not those of locks, also those that are no events: address and size.
    pub(crate) touched: FxHashSet<(TermId, u32)>,
    /// Lock words are touched by other accesses than those of locks.
    pub(crate) touches_lock_words: bool,
    /// Other threads than the main one start some.
    pub(crate) others_fork: bool,
    /// Something is written over a part of a pointer, and memory does not say what is which.
    pub(crate) tears_pointers: bool,
    /// When memory is allocated for the program.
    pub(crate) heap: Vec<TermId>,
    /// When a thread takes a value that was never written, but from shared memory.
    pub(crate) uninitialised: Vec<TermId>,
    /// Where objects lie, as far as that counts: the symbol, the size, and the object if it is a global.
    pub(crate) places: Vec<(TermId, TermId, Option<GlobalId>)>,
    /// Symbols that say whether an address is the first of a heap object; decided when all objects are known.
    pub(crate) heap_questions: Vec<(TermId, TermId)>,
    /// Symbols that stand for the size of the object at an address, if it lives; decided when all objects are known.
    pub(crate) size_questions: Vec<(TermId, TermId, TermId)>,
    /// Blocks that a path comes through.
    pub(crate) passed: FxHashSet<(FunctionId, BlockId)>,
    /// Whether the cap on events was reached.
    pub(crate) too_large: bool,
}

impl Report {
    /// The terms whose values in a model become part of a counterexample, beside those of the events.
    pub(crate) fn looked_at(&self) -> Vec<TermId> {
        let asked = self.unwritten.iter().flat_map(|(event, unwritten)| {
            std::iter::once(*unwritten).chain(self.read_operations.get(event).copied())
        });
        let places = self.places.iter().flat_map(|&(symbol, size, _)| [symbol, size]);
        let havocked = self.havocked.iter().map(|&(guard, _)| guard);
        let mut terms: Vec<TermId> = asked.chain(places).chain(havocked).collect();
        terms.sort_unstable();
        terms
    }

    /// Whether a value that was never written may be read.
    pub(crate) fn may_read_unwritten(&self, terms: &Terms) -> bool {
        self.uninitialised
            .iter()
            .chain(self.unwritten.values())
            .any(|&term| terms.as_bool(term) != Some(false))
    }
}
