//! Who makes the next step: one scheduler a file.
//!
//! A schedule is data, so replay is just another scheduler.

mod interactive;
mod pct;
mod random;
mod replay;
mod round_robin;

pub use interactive::Interactive;
pub use pct::Pct;
pub use random::{Random, RandomInputs};
pub use replay::{Misfit, Replay, ReplayInputs};
pub use round_robin::RoundRobin;

use crate::state::{State, ThreadId};
use crate::step::Machine;

/// Chooses who makes the next step.
pub trait Scheduler {
    /// A run begins.
    fn begin(&mut self);
    /// Chooses one of the enabled threads (there is at least one), or `None` to stop the run here.
    fn choose(&mut self, machine: &Machine<'_>, state: &State, enabled: &[ThreadId]) -> Option<ThreadId>;
    /// The chosen thread has made its step; `operations` tells how many operations each thread then has made in all.
    fn end(&mut self, chosen: ThreadId, operations: &[u64]);
}

/// A small generator of random numbers (Steele, Lea, Flood 2014); the same seed gives the same numbers everywhere.
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// Numbers from a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `limit`, which is not zero.
    pub fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit).unwrap_or(u64::MAX).max(1);
        usize::try_from(self.draw() % limit).unwrap_or(0)
    }
}
