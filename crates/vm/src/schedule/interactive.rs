//! Somebody is asked at every choice.

use super::Scheduler;
use crate::state::{Move, State};
use crate::step::Vm;

/// Asks a callback which of the enabled moves comes next; it gives `None` to stop.
pub struct Interactive<F>(F);

impl<F> std::fmt::Debug for Interactive<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Interactive")
    }
}

impl<F: FnMut(&Vm<'_>, &State, &[Move]) -> Option<Move>> Interactive<F> {
    /// Asks `question`.
    pub const fn new(question: F) -> Self {
        Self(question)
    }
}

impl<F: FnMut(&Vm<'_>, &State, &[Move]) -> Option<Move>> Scheduler for Interactive<F> {
    fn begin(&mut self) {}

    fn choose(&mut self, vm: &Vm<'_>, state: &State, enabled: &[Move]) -> Option<Move> {
        match enabled {
            [only] => Some(*only),
            _ => (self.0)(vm, state, enabled).filter(|chosen| enabled.contains(chosen)),
        }
    }

    fn end(&mut self, _: Move, _: &[u64]) {}
}
