//! The locks that are held, and by whom.
//!
//! A lock word says who holds it, by its bits. Those may also be written by other means, or copied; here is what was locked and not
//! touched since. For exploration only, which must know where thread ids are in memory: what a lock word means is in its bits.

use super::{Memory, Spot};
use crate::layout::{LOCK_BYTES, ThreadId};
use crate::value::Value;

/// A lock that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) spot: Spot,
    pub(crate) owner: ThreadId,
}

impl Held {
    /// Whether some bytes are among those of the lock word.
    pub(crate) fn overlaps(&self, spot: Spot, size: u64) -> bool {
        let (lock, start) = (u64::from(self.spot.offset), u64::from(spot.offset));
        self.spot.origin == spot.origin && lock < start + size && start < lock + LOCK_BYTES
    }
}

impl Memory {
    /// Writes into a lock word who holds it.
    pub(crate) fn lock(&mut self, spot: Spot, owner: ThreadId) {
        self.write(spot, LOCK_BYTES, Value::plain(u128::from(owner) + 1));
        let mut held = std::mem::take(&mut self.held);
        // Of objects that have ended, none is.
        held.retain(|held| self.object(held.spot.origin).is_some());
        held.push(Held { spot, owner });
        self.held = held;
    }

    /// Some bytes get another meaning: a lock among them is not held any more, as far as is known.
    #[inline]
    pub(super) fn let_go(&mut self, spot: Spot, size: u64) {
        if !self.held.is_empty() {
            self.held.retain(|held| !held.overlaps(spot, size));
        }
    }

    /// The locks that are held.
    pub(crate) fn held(&self) -> &[Held] {
        &self.held
    }
}
