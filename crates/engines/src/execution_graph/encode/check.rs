//! Looks whether what a question found is an execution: every read reads from the last write before it, and locks exclude.
//!
//! It knows the rules of memory and locks, but nothing of how they were encoded or what was left out, but for reads that matter to
//! nobody. Debug builds look at every model.

use std::collections::BTreeMap;

use raddle_base::Id;

use super::Found;
use crate::execution_graph::events::{
    AccessKind, EventId, EventKind, InstanceId, Limit, LimitKind, Space, StepId, Sync, Unrolling,
};

/// A write that happens.
#[derive(Clone, Copy, Debug)]
struct Happening {
    event: EventId,
    step: StepId,
    value: u128,
}

/// A critical section that happens.
#[derive(Clone, Copy, Debug)]
struct Holding {
    address: u128,
    thread: InstanceId,
    /// When.
    taken: usize,
    left: Option<usize>,
    /// Whether it keeps others out: not if it is in an atomic block that does not commit.
    is_noticed: bool,
}

/// A location, by the value of its address.
type Cell = (Space, u32, u128);

impl Found<'_> {
    /// What is wrong with the execution, if anything is. One that comes upon something unsupported need not be right.
    pub(super) fn flaw(&mut self, unrolling: &Unrolling) -> Option<String> {
        let unsupported = |limit: &&Limit| matches!(limit.kind, LimitKind::Unsupported(_));
        if unrolling.limits.iter().filter(unsupported).any(|limit| self.holds(unrolling, limit.reached)) {
            return None;
        }
        let mut moments = vec![0; unrolling.steps.len()];
        for (moment, step) in self.order().into_iter().enumerate() {
            moments[step.index()] = moment;
        }
        let mut writes: BTreeMap<Cell, Vec<Happening>> = BTreeMap::new();
        for (event, what) in unrolling.events.iter() {
            if let EventKind::Access { location, access: AccessKind::Write { value } } = what.kind
                && self.happens(unrolling, event)
            {
                let location = (location.space, location.size, self.value(unrolling, location.address));
                let value = self.value(unrolling, value);
                writes.entry(location).or_default().push(Happening { event, step: what.step, value });
            }
        }
        for (event, what) in unrolling.events.iter() {
            if let EventKind::Access { location, access: AccessKind::Read { value, initial, .. } } = what.kind
                && self.encoding.influence.as_ref().is_none_or(|influence| influence.matters(event))
                && self.holds(unrolling, what.guard)
            {
                let location = (location.space, location.size, self.value(unrolling, location.address));
                let seen = self.value(unrolling, value);
                let initial = initial.map(|initial| self.value(unrolling, initial));
                let there = writes.get(&location).map_or(&[][..], |writes| writes);
                let expected = self
                    .visible(unrolling, &moments, event, there)
                    .map_or(initial, |write| Some(write.value));
                if expected != Some(seen) {
                    return Some(format!("{event} reads {seen} instead of {expected:?} at {location:?}"));
                }
            }
        }
        self.lock_flaw(unrolling, &moments).or_else(|| self.switch_flaw(unrolling))
    }

    /// Whether others notice an event.
    fn happens(&mut self, unrolling: &Unrolling, event: EventId) -> bool {
        let what = &unrolling.events[event];
        self.holds(unrolling, what.guard) && self.holds(unrolling, unrolling.steps[what.step].completes)
    }

    /// The write that a read must read from: its own thread's last one while that is in the buffer, else the last one in memory.
    fn visible(
        &self,
        unrolling: &Unrolling,
        moments: &[usize],
        read: EventId,
        writes: &[Happening],
    ) -> Option<Happening> {
        let step = unrolling.events[read].step;
        let thread = unrolling.steps[step].thread;
        let moment = |write: &Happening| moments[write.step.index()];
        let others = || writes.iter().filter(|write| write.step != step);
        let is_own = |write: &&Happening| {
            unrolling.steps[write.step].thread == thread
                && self.encoding.known.position(write.step) < self.encoding.known.position(step)
        };
        let waiting = others().filter(is_own).filter(|write| moment(write) > moments[step.index()]);
        let own = waiting.max_by_key(|write| (self.encoding.known.position(write.step), write.event));
        let in_memory = others().filter(|write| moment(write) < moments[step.index()]);
        own.or_else(|| in_memory.max_by_key(|write| moment(write))).copied()
    }

    /// Two critical sections of one lock that overlap.
    fn lock_flaw(&mut self, unrolling: &Unrolling, moments: &[usize]) -> Option<String> {
        let mut sections = Vec::new();
        for acquisition in unrolling.acquisitions.iter() {
            let EventKind::Sync(Sync::Lock { address, granted }) = unrolling.events[acquisition.lock].kind
            else {
                continue;
            };
            let guard = unrolling.events[acquisition.lock].guard;
            if !self.holds(unrolling, guard) || !self.holds(unrolling, granted) {
                continue;
            }
            let is_noticed = self.happens(unrolling, acquisition.lock);
            let step = unrolling.events[acquisition.lock].step;
            let releases = acquisition.releases.iter();
            let left = releases
                .filter(|&&(unlock, condition)| {
                    self.happens(unrolling, unlock) && self.holds(unrolling, condition)
                })
                .map(|&(unlock, _)| moments[unrolling.events[unlock].step.index()])
                .min();
            let address = self.value(unrolling, address);
            let thread = unrolling.steps[step].thread;
            sections.push(Holding { address, thread, taken: moments[step.index()], left, is_noticed });
        }
        sections.iter().filter(|first| first.is_noticed).find_map(|first| {
            let meets = |second: &&Holding| {
                let is_other = second.address == first.address && second.thread != first.thread;
                let is_inside =
                    first.taken < second.taken && first.left.is_none_or(|left| second.taken < left);
                is_other && is_inside
            };
            let second = sections.iter().find(meets)?;
            Some(format!("{} and {} have lock {:#x} at once", first.thread, second.thread, first.address))
        })
    }
}
