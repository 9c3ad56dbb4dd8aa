//! Locks that are overwritten while they are held.
//!
//! Whoever then takes such a lock learns what another thread did, and nothing orders the two: accesses behind it may race though they
//! are never possible at the same moment. May say yes where nobody takes the lock; never no where somebody does.

use rustc_hash::FxHashSet;

use crate::memory::{Memory, Spot};
use crate::step::LOCK_BYTES;

/// The words that were ever locked.
#[derive(Debug, Default)]
pub(crate) struct LockWords(FxHashSet<Spot>);

impl LockWords {
    /// A lock was taken there.
    pub(crate) fn add(&mut self, spot: Spot) {
        self.0.insert(spot);
    }

    /// Whether a write of so many bytes touches a lock that is held in a memory.
    pub(crate) fn is_held_within(&self, memory: &Memory, written: Spot, size: u64) -> bool {
        let overlaps = |lock: &Spot| {
            let (lock_start, start) = (u64::from(lock.offset), u64::from(written.offset));
            lock.origin == written.origin && lock_start < start + size && start < lock_start + LOCK_BYTES
        };
        self.0.iter().any(|lock| overlaps(lock) && memory.read(*lock, LOCK_BYTES).value.bits != 0)
    }
}
