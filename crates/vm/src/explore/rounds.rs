//! Round-robin schedules: in each round threads take turns in the order of their ids, and each makes any number of steps, also
//! none.
//!
//! That is what sequentializations cover (Lal and Reps 2009), and what they are held against. What a new thread does before its
//! first visible instruction is done in the step that starts it, here as elsewhere; but its end counts only when it has had a
//! turn: a thread of a lower id can join it in the next round at the earliest.

use crate::state::ThreadId;

/// Whose turn it is, in which round; always the same when rounds are not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) round: u32,
    thread: ThreadId,
    /// The round in which each thread was started.
    births: Vec<u32>,
}

impl Turn {
    pub(super) fn first() -> Self {
        Self { round: 0, thread: 0, births: vec![0] }
    }

    /// The round in which a thread can make its next step.
    pub(super) const fn round_of(&self, thread: ThreadId) -> u32 {
        if thread < self.thread { self.round + 1 } else { self.round }
    }

    /// The turn in which a thread made a step that joined these and left so many threads behind it.
    pub(super) fn next(&self, thread: ThreadId, joined: &[ThreadId], threads: usize) -> Self {
        let mut round = self.round_of(thread);
        let too_early = |&other: &ThreadId| {
            other > thread && self.births.get(other as usize).is_some_and(|&birth| birth >= round)
        };
        if joined.iter().any(too_early) {
            round += 1;
        }
        let mut births = self.births.clone();
        births.resize(threads.max(births.len()), round);
        Self { round, thread, births }
    }

    /// All in a number.
    pub(super) fn number(&self) -> u128 {
        // Multiplication by an odd number, and addition, keep what differs different with the greatest probability.
        const ODD: u128 = 0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835;
        let parts = [self.round, self.thread].into_iter().chain(self.births.iter().copied());
        parts.fold(0, |number: u128, part| {
            number.wrapping_add(u128::from(part) + 1).wrapping_mul(ODD).rotate_left(47)
        })
    }
}
