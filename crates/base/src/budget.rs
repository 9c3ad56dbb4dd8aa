//! How long and how large a piece of work may become.
//!
//! A [`Budget`] carries a deadline, a memory cap and a cancellation flag, and is handed down to everything
//! that can take long. Polling costs an atomic load and, every so often, a look at the clock; the operating
//! system is asked for the memory in use more rarely still.
//!
//! A budget may also be measured in *work*: every poll counts some units, and a thread that has used up its [`Allotment`] waits in
//! the poll until it is granted more. So several engines share a machine by work, not by time: how far each has come when
//! another begins does not depend on how fast the machine is, and none has to begin again.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crate::allotment::Allotment;

/// The clock is read at one poll in this many.
const POLLS_PER_CLOCK: u32 = 64;
/// The memory in use is read at one look at the clock in this many.
const CLOCKS_PER_MEMORY: u32 = 16;

/// Why work must stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The deadline has passed.
    Time,
    /// The process uses more memory than it may.
    Memory,
    /// Somebody asked to stop (Ctrl-C, or another engine was first).
    Cancelled,
}

impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Time => "out of time",
            Self::Memory => "out of memory",
            Self::Cancelled => "cancelled",
        })
    }
}

impl std::error::Error for Exhausted {}

/// Deadline, memory cap and cancellation. Clones share the cancellation flag and nothing else.
#[derive(Debug)]
pub struct Budget {
    start: Instant,
    deadline: Option<Instant>,
    memory_bytes: Option<u64>,
    cancelled: Canceller,
    /// The budgets that this one is a part of, if it can be cancelled without them.
    outer: Vec<Canceller>,
    work: Option<Arc<Allotment>>,
    polls: AtomicU32,
}

/// The handle by which another thread or a signal handler stops the work. Setting it is async-signal-safe.
#[derive(Clone, Debug, Default)]
pub struct Canceller(Arc<AtomicU8>);

impl Canceller {
    /// Asks everything that polls this budget, or a part of it, to stop.
    pub fn cancel(&self) {
        self.cancel_for(Exhausted::Cancelled);
    }

    /// The same for whoever watches a limit from outside: that limit is the reason. The first reason counts.
    pub fn cancel_for(&self, why: Exhausted) {
        let code = match why {
            Exhausted::Time => 1,
            Exhausted::Memory => 2,
            Exhausted::Cancelled => 3,
        };
        let _ = self.0.compare_exchange(0, code, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Whether the work was asked to stop, and why.
    #[must_use]
    pub fn cause(&self) -> Option<Exhausted> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Exhausted::Time),
            2 => Some(Exhausted::Memory),
            _ => Some(Exhausted::Cancelled),
        }
    }

    /// Whether [`cancel`](Self::cancel) was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.cause().is_some()
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::unlimited()
    }
}

impl Budget {
    /// No deadline, no cap; it can still be cancelled.
    #[must_use]
    pub fn unlimited() -> Self {
        Self::starting_at(now())
    }

    fn starting_at(start: Instant) -> Self {
        Self {
            start,
            deadline: None,
            memory_bytes: None,
            cancelled: Canceller::default(),
            outer: Vec::new(),
            work: None,
            polls: AtomicU32::new(0),
        }
    }

    /// The same budget, to end `time` from now unless it ends earlier.
    #[must_use]
    pub fn with_time(mut self, time: Duration) -> Self {
        self.deadline = match (self.deadline, now().checked_add(time)) {
            (Some(old), Some(new)) => Some(old.min(new)),
            (old, new) => old.or(new),
        };
        self
    }

    /// The same budget, to end when the process holds more than `bytes` of memory.
    #[must_use]
    pub fn with_memory(mut self, bytes: u64) -> Self {
        self.memory_bytes = Some(self.memory_bytes.map_or(bytes, |old| old.min(bytes)));
        self
    }

    /// A part of this budget: ends with it, or `time` from now.
    #[must_use]
    pub fn part(&self, time: Duration) -> Self {
        self.clone().with_time(time)
    }

    /// A part of this budget that can be cancelled alone, and whose work is allotted.
    #[must_use]
    pub fn allotted(&self, work: Arc<Allotment>) -> Self {
        let mut part = self.clone();
        part.outer.push(std::mem::take(&mut part.cancelled));
        part.work = Some(work);
        part
    }

    /// The handle that cancels this budget, its clones and its parts.
    #[must_use]
    pub fn canceller(&self) -> Canceller {
        self.cancelled.clone()
    }

    /// Since the budget was made.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        now().saturating_duration_since(self.start)
    }

    /// Until the deadline, if there is one.
    #[must_use]
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(now()))
    }

    /// How many units of work may be spent before a thread has to wait, if work is allotted.
    #[must_use]
    pub fn work_left(&self) -> Option<u64> {
        self.work.as_ref().map(|work| work.left())
    }

    /// How many bytes may be in use, if that is limited.
    #[must_use]
    pub const fn memory_limit(&self) -> Option<u64> {
        self.memory_bytes
    }

    /// Whether the work may go on. Cheap enough for inner loops; notices a passed deadline some polls late.
    pub fn poll(&self) -> Result<(), Exhausted> {
        self.spend(1)
    }

    /// The same for a piece of work that is so many times as large as the smallest: a unit is about a microsecond.
    pub fn spend(&self, units: u32) -> Result<(), Exhausted> {
        if self.is_cancelled() {
            return Err(self.why_cancelled());
        }
        if let Some(work) = &self.work
            && work.spend(units)
        {
            work.wait(|| self.check().is_err());
            self.check()?;
        }
        let polls = self.polls.fetch_add(1, Ordering::Relaxed);
        if !polls.is_multiple_of(POLLS_PER_CLOCK) {
            return Ok(());
        }
        if self.deadline.is_some_and(|deadline| now() >= deadline) {
            return Err(Exhausted::Time);
        }
        if (polls / POLLS_PER_CLOCK).is_multiple_of(CLOCKS_PER_MEMORY) {
            return self.check_memory();
        }
        Ok(())
    }

    /// Like [`poll`](Self::poll), but looks at the clock and the memory now. For coarse steps.
    pub fn check(&self) -> Result<(), Exhausted> {
        if self.is_cancelled() {
            return Err(self.why_cancelled());
        }
        if self.deadline.is_some_and(|deadline| now() >= deadline) {
            return Err(Exhausted::Time);
        }
        self.check_memory()
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.is_cancelled() || self.outer.iter().any(Canceller::is_cancelled)
    }

    /// What whoever cancelled says; a limit of this budget that is met is the better reason.
    #[cold]
    fn why_cancelled(&self) -> Exhausted {
        let mut causes = [&self.cancelled].into_iter().chain(&self.outer).filter_map(Canceller::cause);
        if let Some(limit) = causes.find(|&cause| cause != Exhausted::Cancelled) {
            return limit;
        }
        if self.deadline.is_some_and(|deadline| now() >= deadline) {
            return Exhausted::Time;
        }
        self.check_memory().err().unwrap_or(Exhausted::Cancelled)
    }

    fn check_memory(&self) -> Result<(), Exhausted> {
        match self.memory_bytes {
            Some(cap) if memory_in_use().is_some_and(|used| used > cap) => Err(Exhausted::Memory),
            _ => Ok(()),
        }
    }
}

impl Clone for Budget {
    fn clone(&self) -> Self {
        Self {
            start: self.start,
            deadline: self.deadline,
            memory_bytes: self.memory_bytes,
            cancelled: self.cancelled.clone(),
            outer: self.outer.clone(),
            work: self.work.clone(),
            polls: AtomicU32::new(0),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the one clock that core crates see")]
fn now() -> Instant {
    Instant::now()
}

/// The resident set of this process in bytes, where the operating system reports it.
#[expect(clippy::disallowed_methods, reason = "the kernel tells the memory in use through a file")]
#[must_use]
pub fn memory_in_use() -> Option<u64> {
    const KIB: u64 = 1024;
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()? * KIB)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polls_until_stopped(budget: &Budget) -> Exhausted {
        (0..100_000).find_map(|_| budget.poll().err()).expect("the budget should have ended")
    }

    #[test]
    fn an_unlimited_budget_never_ends() {
        let budget = Budget::unlimited();
        assert!((0..10_000).all(|_| budget.poll().is_ok()));
        assert_eq!(budget.check(), Ok(()));
        assert_eq!(budget.remaining(), None);
    }

    #[test]
    fn a_passed_deadline_is_noticed() {
        let budget = Budget::unlimited().with_time(Duration::ZERO);
        assert_eq!(polls_until_stopped(&budget), Exhausted::Time);
        assert_eq!(budget.check(), Err(Exhausted::Time));
    }

    #[test]
    fn a_part_ends_with_the_whole() {
        let whole = Budget::unlimited().with_time(Duration::ZERO);
        assert_eq!(whole.part(Duration::from_secs(1000)).check(), Err(Exhausted::Time));
    }

    #[test]
    fn cancelling_reaches_clones_and_parts() {
        let budget = Budget::unlimited();
        let part = budget.part(Duration::from_secs(1000));
        budget.canceller().cancel();
        assert_eq!(part.poll(), Err(Exhausted::Cancelled));
    }

    #[test]
    fn a_limit_that_is_met_is_the_reason_also_when_somebody_cancels() {
        let budget = Budget::unlimited().with_time(Duration::ZERO);
        budget.canceller().cancel();
        assert_eq!((budget.poll(), budget.check()), (Err(Exhausted::Time), Err(Exhausted::Time)));
    }

    #[test]
    fn a_memory_cap_below_what_is_in_use_ends_the_budget() {
        if memory_in_use().is_some() {
            let budget = Budget::unlimited().with_memory(1);
            assert_eq!(polls_until_stopped(&budget), Exhausted::Memory);
        }
    }
}
