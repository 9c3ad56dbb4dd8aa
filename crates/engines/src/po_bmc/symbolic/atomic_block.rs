//! An atomic block that is open, or a critical section that is followed like one: what it has read and written so far.
//!
//! What a block writes is seen by others at once, when it commits. Until then its writes are a log, which its own reads are
//! answered from, and what it reads from outside it reads once. A block that does not commit leaves nothing: its log is dropped
//! with its path.
//!
//! Invariant: under any one valuation of the guards the log holds the writes of one path, the newest last.

use std::collections::BTreeMap;
use std::rc::Rc;

use raddle_logic::term::TermId;
use raddle_vm::code::Place;

use super::guard::Guard;
use crate::execution_graph::events::{Location, StepId, SynchronisationId};

/// See the [module](self).
#[derive(Clone, Debug)]
pub(crate) struct AtomicBlock {
    step: StepId,
    /// How many blocks inside each other.
    depth: u32,
    /// Whether an API model opened it.
    model: bool,
    /// Whether inputs were taken in it.
    inputs: bool,
    /// The acquisition of a lock that stands behind it, if it is a critical section.
    acquisition: Option<usize>,
    /// What it has written to shared memory.
    log: Option<Rc<Written>>,
    /// What it has read from outside.
    reads: Rc<BTreeMap<Location, TermId>>,
}

/// A write inside of an atomic block, and those before it.
#[derive(Clone, Debug)]
pub(crate) struct Written {
    before: Option<Rc<Written>>,
    depth: u32,
    pub(crate) location: Location,
    pub(crate) value: TermId,
    /// The path condition at the time.
    pub(crate) guard: Guard,
    /// The atomic store that makes it, if that is noted.
    pub(crate) store: Option<SynchronisationId>,
    pub(crate) place: Place,
}

impl AtomicBlock {
    /// A block that begins with a step.
    pub(crate) fn new(step: StepId, model: bool) -> Self {
        let reads = Rc::default();
        Self { step, depth: 1, model, inputs: false, acquisition: None, log: None, reads }
    }

    /// A critical section, which knows what its lock protects.
    pub(crate) fn critical_section(step: StepId, acquisition: usize) -> Self {
        Self { depth: 0, acquisition: Some(acquisition), ..Self::new(step, true) }
    }

    pub(crate) fn step(&self) -> StepId {
        self.step
    }

    /// Paths with the same name are in the same block.
    pub(crate) fn name(&self) -> (StepId, u32) {
        (self.step, self.depth)
    }

    pub(crate) fn is_model(&self) -> bool {
        self.model
    }

    /// Whether no other block is between it and the path.
    pub(crate) fn is_outermost(&self) -> bool {
        self.depth == 1
    }

    /// It counts as one of an API's model.
    pub(crate) fn be_model(&mut self) {
        self.model = true;
    }

    /// A block inside it begins.
    pub(crate) fn open(&mut self) {
        self.depth += 1;
    }

    /// The innermost block ends. Says whether that was the block itself.
    pub(crate) fn close(&mut self) -> bool {
        self.depth -= 1;
        self.depth == 0
    }

    /// All blocks inside it end.
    pub(crate) fn close_inner(&mut self) {
        self.depth = 1;
    }

    /// An input was taken in it.
    pub(crate) fn note_input(&mut self) {
        self.inputs = true;
    }

    pub(crate) fn has_inputs(&self) -> bool {
        self.inputs
    }

    pub(crate) fn acquisition(&self) -> Option<usize> {
        self.acquisition
    }

    /// What it has read at a location from outside.
    pub(crate) fn read_before(&self, location: Location) -> Option<TermId> {
        self.reads.get(&location).copied()
    }

    /// It reads from outside.
    pub(crate) fn note_read(&mut self, location: Location, value: TermId) {
        Rc::make_mut(&mut self.reads).insert(location, value);
    }

    /// It writes.
    pub(crate) fn write(
        &mut self,
        location: Location,
        value: TermId,
        guard: Guard,
        store: Option<SynchronisationId>,
        place: Place,
    ) {
        let before = self.log.take();
        let depth = depth(before.as_ref()) + 1;
        self.log = Some(Rc::new(Written { before, depth, location, value, guard, store, place }));
    }

    /// What another one has written, it has written.
    pub(crate) fn take_over(&mut self, other: &Self) {
        for written in other.writes() {
            let Written { location, value, guard, store, place, .. } = Written::clone(&written);
            self.write(location, value, guard, store, place);
        }
    }

    /// The writes so far, the newest first.
    pub(crate) fn newest_first(&self) -> impl Iterator<Item = Rc<Written>> + use<> {
        std::iter::successors(self.log.clone(), |written| written.before.clone())
    }

    /// The writes so far, the oldest first.
    pub(crate) fn writes(&self) -> Vec<Rc<Written>> {
        let mut list: Vec<Rc<Written>> = self.newest_first().collect();
        list.reverse();
        list
    }

    /// Whether both have one log.
    pub(crate) fn has_same_writes(&self, other: &Self) -> bool {
        is_same(self.log.as_ref(), other.log.as_ref())
    }

    /// What is known where two paths in the same block meet.
    pub(crate) fn merge(&mut self, other: &Self) {
        self.inputs |= other.inputs;
        self.log = merge_logs(self.log.clone(), other.log.clone());
        if !Rc::ptr_eq(&self.reads, &other.reads) {
            Rc::make_mut(&mut self.reads).retain(|location, value| other.reads.get(location) == Some(value));
        }
    }
}

fn depth(log: Option<&Rc<Written>>) -> u32 {
    log.map_or(0, |written| written.depth)
}

fn is_same(first: Option<&Rc<Written>>, second: Option<&Rc<Written>>) -> bool {
    match (first, second) {
        (Some(first), Some(second)) => Rc::ptr_eq(first, second),
        (None, None) => true,
        (Some(_), None) | (None, Some(_)) => false,
    }
}

/// What both logs have in common, then what is only in the first, then what is only in the second: their conditions keep
/// them apart.
fn merge_logs(first: Option<Rc<Written>>, second: Option<Rc<Written>>) -> Option<Rc<Written>> {
    let (mut left, mut right) = (first.clone(), second);
    let mut extra = Vec::new();
    // From the newest writes back, always in the longer log, until both are at the same write.
    while !is_same(left.as_ref(), right.as_ref()) {
        if depth(left.as_ref()) >= depth(right.as_ref()) {
            left = left.and_then(|written| written.before.clone());
        } else if let Some(written) = right {
            right = written.before.clone();
            extra.push(written);
        } else {
            break;
        }
    }
    let mut merged = first;
    for written in extra.into_iter().rev() {
        let depth = depth(merged.as_ref()) + 1;
        merged = Some(Rc::new(Written { before: merged, depth, ..Written::clone(&written) }));
    }
    merged
}
