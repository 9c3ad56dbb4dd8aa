//! Somebody is asked at every choice.

use super::Scheduler;
use crate::state::{State, ThreadId};
use crate::step::Machine;

/// Asks a callback which of the enabled threads goes next; it gives `None` to stop.
pub struct Interactive<F>(F);

impl<F> std::fmt::Debug for Interactive<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Interactive")
    }
}

impl<F: FnMut(&Machine<'_>, &State, &[ThreadId]) -> Option<ThreadId>> Interactive<F> {
    /// Asks `question`.
    pub const fn new(question: F) -> Self {
        Self(question)
    }
}

impl<F: FnMut(&Machine<'_>, &State, &[ThreadId]) -> Option<ThreadId>> Scheduler for Interactive<F> {
    fn begin(&mut self) {}

    fn choose(&mut self, machine: &Machine<'_>, state: &State, enabled: &[ThreadId]) -> Option<ThreadId> {
        match enabled {
            [only] => Some(*only),
            _ => (self.0)(machine, state, enabled).filter(|chosen| enabled.contains(chosen)),
        }
    }

    fn end(&mut self, _: ThreadId, _: &[u64]) {}
}
