//! Each thread in turn, some steps at a time.

use super::Scheduler;
use crate::state::{Move, State, ThreadId};
use crate::step::Vm;

/// Lets each thread make up to a number of steps, then the next one. What a thread delays becomes visible when its turn comes again,
/// or earlier if it cannot go on without that; so no store is delayed for ever.
#[derive(Clone, Debug)]
pub struct RoundRobin {
    quantum: u64,
    current: ThreadId,
    used: u64,
    /// Whether the turn begins: what is delayed comes first.
    begins: bool,
}

impl RoundRobin {
    /// Threads take turns of `quantum` steps.
    #[must_use]
    pub const fn new(quantum: u64) -> Self {
        Self { quantum, current: 0, used: 0, begins: true }
    }

    /// What the current thread does next, if it can do anything.
    fn next(&mut self, enabled: &[Move]) -> Option<Move> {
        let current = self.current;
        let step = enabled.iter().copied().find(|&next| next == Move::Step(current));
        let flush = enabled.iter().copied().find(|&next| next.thread() == current && Some(next) != step);
        if self.begins && flush.is_some() {
            return flush;
        }
        self.begins = false;
        step.or(flush)
    }
}

impl Scheduler for RoundRobin {
    fn begin(&mut self) {
        self.current = 0;
        self.used = 0;
        self.begins = true;
    }

    fn choose(&mut self, _: &Vm<'_>, _: &State, enabled: &[Move]) -> Option<Move> {
        if self.used < self.quantum
            && let Some(next) = self.next(enabled)
        {
            return Some(next);
        }
        let threads = || enabled.iter().map(|next| next.thread());
        self.current = threads().filter(|&thread| thread > self.current).min().or(threads().min())?;
        self.used = 0;
        self.begins = true;
        self.next(enabled)
    }

    fn end(&mut self, _: Move, _: &[u64]) {
        self.used += 1;
    }
}
