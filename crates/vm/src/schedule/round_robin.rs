//! Each thread in turn, some steps at a time.

use super::Scheduler;
use crate::state::{State, ThreadId};
use crate::step::Machine;

/// Lets each thread make up to a number of steps, then the next one.
#[derive(Clone, Debug)]
pub struct RoundRobin {
    quantum: u64,
    current: ThreadId,
    used: u64,
}

impl RoundRobin {
    /// Threads take turns of `quantum` steps.
    #[must_use]
    pub const fn new(quantum: u64) -> Self {
        Self { quantum, current: 0, used: 0 }
    }
}

impl Scheduler for RoundRobin {
    fn begin(&mut self) {
        self.current = 0;
        self.used = 0;
    }

    fn choose(&mut self, _: &Machine<'_>, _: &State, enabled: &[ThreadId]) -> Option<ThreadId> {
        if self.used < self.quantum && enabled.contains(&self.current) {
            return Some(self.current);
        }
        let next = enabled.iter().find(|&&thread| thread > self.current).or(enabled.first()).copied();
        self.current = next?;
        self.used = 0;
        next
    }

    fn end(&mut self, _: ThreadId, _: &[u64]) {
        self.used += 1;
    }
}
