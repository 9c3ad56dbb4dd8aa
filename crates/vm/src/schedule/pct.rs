//! Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte: ASPLOS 2010).
//!
//! Threads have random priorities and the highest enabled one runs; at a few random steps the running thread
//! falls below all others. A bug of depth d is found with a probability that does not depend on how many steps
//! there are beyond the few that matter. Under weak memory models the delayed stores of a thread have a priority of their own, as
//! if another thread made them visible.

use raddle_base::SplitMix;

use super::Scheduler;
use crate::state::{Move, State};
use crate::step::Vm;

/// Priorities and change points from a seed.
#[derive(Clone, Debug)]
pub struct Pct {
    random: SplitMix,
    depth: usize,
    length: usize,
    /// Of the threads.
    priorities: Vec<u64>,
    /// Of their delayed stores; those come to have one when they are first seen.
    flushes: Vec<Option<u64>>,
    changes: Vec<usize>,
    step: usize,
}

impl Pct {
    /// For bugs of `depth` in runs of about `length` steps.
    #[must_use]
    pub fn new(seed: u64, depth: usize, length: usize) -> Self {
        let random = SplitMix::new(seed);
        Self {
            random,
            depth,
            length,
            priorities: Vec::new(),
            flushes: Vec::new(),
            changes: Vec::new(),
            step: 0,
        }
    }

    /// Above all the low priorities that change points give out.
    fn draw(&mut self) -> u64 {
        self.random.bits() | 1 << 63
    }

    fn priority(&mut self, next: Move) -> u64 {
        match next {
            Move::Step(thread) => self.priorities[thread as usize],
            Move::Flush { thread, .. } => match self.flushes[thread as usize] {
                Some(priority) => priority,
                None => {
                    let priority = self.draw();
                    self.flushes[thread as usize] = Some(priority);
                    priority
                }
            },
        }
    }
}

impl Scheduler for Pct {
    fn begin(&mut self) {
        self.step = 0;
        self.priorities.clear();
        self.flushes.clear();
        self.changes = (1..self.depth).map(|_| self.random.below(self.length.max(1))).collect();
    }

    fn choose(&mut self, _: &Vm<'_>, state: &State, enabled: &[Move]) -> Option<Move> {
        while self.priorities.len() < state.threads.len() {
            let priority = self.draw();
            self.priorities.push(priority);
            self.flushes.push(None);
        }
        let mut best: Option<(u64, Move)> = None;
        for &next in enabled {
            let priority = self.priority(next);
            // Of the stores of one thread, which have the same priority, any may be the first.
            let wins = match best {
                Some((highest, _)) if highest == priority => self.random.below(2) == 0,
                Some((highest, _)) => highest < priority,
                None => true,
            };
            if wins {
                best = Some((priority, next));
            }
        }
        best.map(|(_, next)| next)
    }

    fn end(&mut self, chosen: Move, _: &[u64]) {
        if let Some(rank) = self.changes.iter().position(|&change| change == self.step) {
            let lowest = u64::try_from(self.depth - rank).unwrap_or(0);
            match chosen {
                Move::Step(thread) => self.priorities[thread as usize] = lowest,
                Move::Flush { thread, .. } => self.flushes[thread as usize] = Some(lowest),
            }
        }
        self.step += 1;
    }
}
