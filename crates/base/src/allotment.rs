//! Work in slices: a thread works until it has used up what it was granted, and waits for more.
//!
//! One side grants and waits until the slice is used up or the work is done; the other spends, through
//! [`Budget::poll`](crate::Budget::poll), and waits there. What was begun goes on where it stood, however deep in its calls.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Somebody who waits looks this often whether all was cancelled.
const PATIENCE: Duration = Duration::from_millis(20);

/// What a thread may spend, and what it has spent.
#[derive(Debug, Default)]
pub struct Allotment {
    /// In all slices so far.
    granted: AtomicU64,
    spent: AtomicU64,
    turn: Mutex<Turn>,
    changed: Condvar,
    /// Rings when a slice has ended.
    bell: Arc<Bell>,
}

/// Rings, for whoever waits for one of several things.
#[derive(Debug, Default)]
pub struct Bell {
    count: Mutex<u64>,
    has_rung: Condvar,
}

impl Bell {
    /// How often it has rung.
    #[must_use]
    pub fn count(&self) -> u64 {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until it has rung more often than that, or for so long.
    pub fn wait(&self, heard: u64, longest: Duration) {
        let count = self.count.lock().unwrap_or_else(PoisonError::into_inner);
        if *count == heard {
            // Whether it rang or time is over, the caller looks again.
            drop(self.has_rung.wait_timeout(count, longest));
        }
    }

    fn ring(&self) {
        *self.count.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.has_rung.notify_all();
    }
}

/// Whose turn it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Turn {
    /// The worker has used up its slice, or has none yet.
    #[default]
    Paused,
    /// The worker works.
    Working,
    /// The work is done.
    Done,
}

/// How a slice ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SliceEnd {
    /// It is used up; the worker waits for the next one.
    UsedUp,
    /// The work is done.
    Done,
}

impl Allotment {
    /// Nothing is granted yet. The bell rings when a slice has ended.
    #[must_use]
    pub fn new(bell: Arc<Bell>) -> Self {
        Self { bell, ..Self::default() }
    }

    /// Grants a slice. The worker goes on if it waits.
    pub fn grant(&self, units: u64) {
        let mut turn = self.lock();
        self.granted.fetch_add(units, Ordering::Relaxed);
        if *turn == Turn::Paused {
            *turn = Turn::Working;
        }
        drop(turn);
        self.changed.notify_all();
    }

    /// Says that the work is done. To be called by the worker, whatever happened.
    pub fn finish(&self) {
        *self.lock() = Turn::Done;
        self.bell.ring();
    }

    /// Lets the worker look whether it was cancelled.
    pub fn wake(&self) {
        self.changed.notify_all();
    }

    /// How the slice ended, if it has.
    #[must_use]
    pub fn ended(&self) -> Option<SliceEnd> {
        match *self.lock() {
            Turn::Paused => Some(SliceEnd::UsedUp),
            Turn::Working => None,
            Turn::Done => Some(SliceEnd::Done),
        }
    }

    /// How much was spent so far.
    #[must_use]
    pub fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// How much may still be spent of what was granted.
    pub(crate) fn left(&self) -> u64 {
        self.granted.load(Ordering::Relaxed).saturating_sub(self.spent())
    }

    /// Counts work; says whether more was spent than granted.
    pub(crate) fn spend(&self, units: u32) -> bool {
        let spent = self.spent.fetch_add(units.into(), Ordering::Relaxed) + u64::from(units);
        spent > self.granted.load(Ordering::Relaxed)
    }

    /// Waits for the next slice, or until somebody wants an end of it.
    pub(crate) fn wait(&self, is_over: impl Fn() -> bool) {
        let mut turn = self.lock();
        // A slice may have come in the meantime; one that is small may be used up at once.
        while self.spent() > self.granted.load(Ordering::Relaxed) && !is_over() {
            if *turn == Turn::Working {
                *turn = Turn::Paused;
                self.bell.ring();
            }
            turn = self.changed.wait_timeout(turn, PATIENCE).unwrap_or_else(PoisonError::into_inner).0;
        }
        *turn = Turn::Working;
    }

    fn lock(&self) -> MutexGuard<'_, Turn> {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::Budget;

    /// Polls as often as it may, counting.
    fn worker(budget: &Budget, work: &Allotment, polls: &AtomicU64, most: u64) {
        while polls.load(Ordering::Relaxed) < most && budget.poll().is_ok() {
            polls.fetch_add(1, Ordering::Relaxed);
        }
        work.finish();
    }

    fn end(work: &Allotment) -> SliceEnd {
        loop {
            if let Some(end) = work.ended() {
                return end;
            }
            std::thread::yield_now();
        }
    }

    #[test]
    fn a_worker_stops_where_its_slice_ends_and_goes_on_there() {
        let (work, polls) = (Arc::new(Allotment::default()), AtomicU64::new(0));
        let budget = Budget::unlimited().allotted(Arc::clone(&work));
        std::thread::scope(|scope| {
            scope.spawn(|| worker(&budget, &work, &polls, 25));
            for slice in 1..=2_u64 {
                work.grant(10);
                assert_eq!(end(&work), SliceEnd::UsedUp);
                assert_eq!(polls.load(Ordering::Relaxed), 10 * slice);
            }
            work.grant(10);
            assert_eq!(end(&work), SliceEnd::Done);
        });
        assert_eq!(polls.load(Ordering::Relaxed), 25);
    }

    #[test]
    fn who_waits_is_reached_by_cancelling() {
        let (work, polls) = (Arc::new(Allotment::default()), AtomicU64::new(0));
        let whole = Budget::unlimited();
        let part = whole.allotted(Arc::clone(&work));
        std::thread::scope(|scope| {
            scope.spawn(|| worker(&part, &work, &polls, u64::MAX));
            whole.canceller().cancel();
        });
        assert_eq!(end(&work), SliceEnd::Done);
        assert_eq!(polls.load(Ordering::Relaxed), 0);
    }

    #[test]
    fn a_part_is_cancelled_alone() {
        let whole = Budget::unlimited();
        let part = whole.allotted(Arc::new(Allotment::default()));
        part.canceller().cancel();
        assert!(part.check().is_err());
        assert_eq!(whole.check(), Ok(()));
    }
}
