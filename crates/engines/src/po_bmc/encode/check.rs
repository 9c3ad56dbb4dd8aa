//! Looks whether what a question found is an execution: every read sees the last write before it, and locks exclude.
//!
//! It knows the rules of memory and locks, but nothing of how they were encoded or what was left out. Debug builds look at every
//! model.

use std::collections::BTreeMap;

use raddle_base::Id;

use super::Found;
use crate::po_bmc::events::{EventId, EventKind, Limit, LimitKind, Space, StepId, Unrolling};

/// A write that happens.
#[derive(Clone, Copy, Debug)]
struct Happening {
    event: EventId,
    step: StepId,
    value: u128,
}

type Location = (Space, u32, u128);

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
        let mut writes: BTreeMap<Location, Vec<Happening>> = BTreeMap::new();
        for (event, what) in unrolling.events.iter() {
            if let EventKind::Write { space, address, size, value } = what.kind
                && self.happens(unrolling, event)
            {
                let location = (space, size, self.value(unrolling, address));
                let value = self.value(unrolling, value);
                writes.entry(location).or_default().push(Happening { event, step: what.step, value });
            }
        }
        for (event, what) in unrolling.events.iter() {
            if let EventKind::Read { space, address, size, value, initial, .. } = what.kind
                && self.holds(unrolling, what.guard)
            {
                let location = (space, size, self.value(unrolling, address));
                let seen = self.value(unrolling, value);
                let initial = initial.map(|initial| self.value(unrolling, initial));
                let there = writes.get(&location).map_or(&[][..], |writes| writes);
                let expected = self
                    .visible(unrolling, &moments, event, there)
                    .map_or(initial, |write| Some(write.value));
                if expected != Some(seen) {
                    return Some(format!("{event} sees {seen} instead of {expected:?} at {location:?}"));
                }
            }
        }
        self.lock_flaw(unrolling, &moments)
    }

    /// Whether others notice an event.
    fn happens(&mut self, unrolling: &Unrolling, event: EventId) -> bool {
        let what = &unrolling.events[event];
        self.holds(unrolling, what.guard) && self.holds(unrolling, unrolling.steps[what.step].completes)
    }

    /// The write that a read must see: its own thread's last one while that is in the buffer, else the last one in memory.
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
                && self.encoding.positions[write.step] < self.encoding.positions[step]
        };
        let waiting = others().filter(is_own).filter(|write| moment(write) > moments[step.index()]);
        let own = waiting.max_by_key(|write| (self.encoding.positions[write.step], write.event));
        let in_memory = others().filter(|write| moment(write) < moments[step.index()]);
        own.or_else(|| in_memory.max_by_key(|write| moment(write))).copied()
    }

    /// Two critical sections of one lock that overlap.
    fn lock_flaw(&mut self, unrolling: &Unrolling, moments: &[usize]) -> Option<String> {
        let mut sections = Vec::new();
        for acquisition in &unrolling.acquisitions {
            let EventKind::Lock { address, granted } = unrolling.events[acquisition.lock].kind else {
                continue;
            };
            if !self.happens(unrolling, acquisition.lock) || !self.holds(unrolling, granted) {
                continue;
            }
            let step = unrolling.events[acquisition.lock].step;
            let releases = acquisition.releases.iter();
            let left = releases
                .filter(|&&(unlock, condition)| {
                    self.happens(unrolling, unlock) && self.holds(unrolling, condition)
                })
                .map(|&(unlock, _)| moments[unrolling.events[unlock].step.index()])
                .min();
            let address = self.value(unrolling, address);
            sections.push((address, unrolling.steps[step].thread, moments[step.index()], left));
        }
        for (place, a) in sections.iter().enumerate() {
            for b in &sections[place + 1..] {
                let over = |first: Option<usize>, second: usize| first.is_some_and(|left| left < second);
                if a.0 == b.0 && a.1 != b.1 && !over(a.3, b.2) && !over(b.3, a.2) {
                    return Some(format!("{} and {} have lock {:#x} at once", a.1, b.1, a.0));
                }
            }
        }
        None
    }
}
