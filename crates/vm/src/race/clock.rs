//! Vector clocks (Mattern 1989).

use smallvec::SmallVec;

use crate::state::ThreadId;

/// For each thread, how much of it has happened before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clock(SmallVec<[u32; 8]>);

impl Clock {
    pub(crate) fn of(&self, thread: ThreadId) -> u32 {
        self.0.get(thread as usize).copied().unwrap_or(0)
    }

    pub(crate) fn set(&mut self, thread: ThreadId, time: u32) {
        let index = thread as usize;
        if self.0.len() <= index {
            self.0.resize(index + 1, 0);
        }
        self.0[index] = time;
    }

    /// Whether everything that has happened before this has happened before the other.
    pub(crate) fn is_within(&self, other: &Self) -> bool {
        (0..).zip(&self.0).all(|(thread, &time)| time <= other.of(thread))
    }

    pub(crate) fn join(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, &theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(theirs);
        }
    }
}
