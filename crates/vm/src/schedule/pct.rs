//! Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: ASPLOS 2010).
//!
//! Threads have random priorities and the highest enabled one runs; at a few random steps the running thread
//! falls below all others. A bug of depth d is found with a probability that does not depend on how many steps
//! there are beyond the few that matter.

use raddle_base::SplitMix;

use super::Scheduler;
use crate::state::{State, ThreadId};
use crate::step::Machine;

/// Priorities and change points from a seed.
#[derive(Clone, Debug)]
pub struct Pct {
    random: SplitMix,
    depth: usize,
    length: usize,
    priorities: Vec<u64>,
    changes: Vec<usize>,
    step: usize,
}

impl Pct {
    /// For bugs of `depth` in runs of about `length` steps.
    #[must_use]
    pub fn new(seed: u64, depth: usize, length: usize) -> Self {
        let random = SplitMix::new(seed);
        Self { random, depth, length, priorities: Vec::new(), changes: Vec::new(), step: 0 }
    }
}

impl Scheduler for Pct {
    fn begin(&mut self) {
        self.step = 0;
        self.priorities.clear();
        self.changes = (1..self.depth).map(|_| self.random.below(self.length.max(1))).collect();
    }

    fn choose(&mut self, _: &Machine<'_>, state: &State, enabled: &[ThreadId]) -> Option<ThreadId> {
        while self.priorities.len() < state.threads.len() {
            // Above all the low priorities that change points give out.
            let priority = self.random.bits() | 1 << 63;
            self.priorities.push(priority);
        }
        enabled.iter().copied().max_by_key(|&thread| self.priorities[thread as usize])
    }

    fn end(&mut self, chosen: ThreadId, _: &[u64]) {
        if let Some(rank) = self.changes.iter().position(|&change| change == self.step) {
            self.priorities[chosen as usize] = u64::try_from(self.depth - rank).unwrap_or(0);
        }
        self.step += 1;
    }
}
