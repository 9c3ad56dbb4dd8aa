//! What symbolic execution may assume of the program: candidate invariants, as data.
//!
//! An execution under assumptions is right only if it keeps to them itself. Who assumes, confirms and weakens is
//! [`hypotheses`](crate::po_bmc::hypotheses); here is what an execution asks.

mod interference;
mod protected;
mod values;

pub(crate) use interference::{Interference, Location, Writers, WrittenRegion};
pub(crate) use protected::{Accessed, LockProtected, Target};
pub(crate) use values::{ReadKey, ReadValues, ValueSet, bits_between};

/// Nothing but lock events touches a lock word: locks are events of their own, and not memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LockWordsApart(pub(crate) bool);

/// Only the main thread starts threads: their ids are known before the schedule is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FixedThreadIds(pub(crate) bool);

/// Nothing is written over a part of a pointer: memory need not say what is a pointer and what is a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WholePointers(pub(crate) bool);

/// All that is assumed.
#[derive(Clone, Debug)]
pub(crate) struct Assumptions {
    /// What reads read.
    pub(crate) values: ReadValues,
    /// Who writes where.
    pub(crate) interference: Interference,
    /// What is accessed under one lock only.
    pub(crate) protected: LockProtected,
    pub(crate) lock_words_apart: LockWordsApart,
    pub(crate) fixed_thread_ids: FixedThreadIds,
    pub(crate) whole_pointers: WholePointers,
}

impl Default for Assumptions {
    fn default() -> Self {
        Self {
            values: ReadValues::default(),
            interference: Interference::default(),
            protected: LockProtected::default(),
            lock_words_apart: LockWordsApart(true),
            fixed_thread_ids: FixedThreadIds(true),
            whole_pointers: WholePointers(true),
        }
    }
}

impl Assumptions {
    /// Whether nothing was inferred.
    pub(crate) fn infers_nothing(&self) -> bool {
        self.values.known.is_empty() && self.protected.is_empty() && self.interference.writers.is_none()
    }

    /// Forgets all that was inferred.
    pub(crate) fn forget_inferred(&mut self) {
        let Self { lock_words_apart, fixed_thread_ids, whole_pointers, .. } = *self;
        *self = Self { lock_words_apart, fixed_thread_ids, whole_pointers, ..Self::default() };
    }
}
