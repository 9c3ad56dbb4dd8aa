//! The execution at hand as events with their order, which is that of its class.
//!
//! An event happens before another one when it comes earlier in every execution of the class: by their threads, by starting and joining,
//! and by dependence. It is kept as vector clocks (Mattern 1989), which count events.

use super::super::path::Taken;
use super::steps::{StepId, Steps};
use crate::state::{Move, ThreadId};

/// A step that was made.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) step: StepId,
    pub(super) thread: ThreadId,
    /// The values of its inputs.
    pub(super) inputs: Vec<u128>,
    /// Which of its thread's events it is, from 1.
    number: u32,
    /// Earlier events that it may be made before.
    pub(super) races: Vec<usize>,
    /// Whether it may wait.
    pub(super) waits: bool,
    /// Whether it must be tried to know what it does elsewhere.
    pub(super) is_vague: bool,
    /// Whether it took inputs.
    pub(super) has_inputs: bool,
    /// Whether the process would have ended with it.
    pub(super) violates: bool,
}

/// Which of the earlier events that a step depends on it may be made before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Partners {
    /// The last of those that happen before each other.
    Last,
    /// All that its thread did not know of.
    All,
}

/// The events of an execution, in their order.
#[derive(Clone, Debug, Default)]
pub(super) struct Execution {
    pub(super) events: Vec<Event>,
    /// For each event, how many events of each thread happen before it or are it.
    clocks: Vec<u32>,
    /// For how many threads.
    width: usize,
    /// The events of each thread.
    threads: Vec<Vec<usize>>,
    /// The event that started each thread.
    started: Vec<Option<usize>>,
}

impl Execution {
    fn clock(&self, event: usize) -> &[u32] {
        &self.clocks[event * self.width..][..self.width]
    }

    /// Makes room for so many threads.
    fn widen(&mut self, width: usize) {
        if width <= self.width {
            return;
        }
        // Threads are started one by one.
        let width = width.max(self.width * 2);
        let mut clocks = Vec::with_capacity(width * self.events.len());
        for event in 0..self.events.len() {
            clocks.extend_from_slice(self.clock(event));
            clocks.resize(width * (event + 1), 0);
        }
        (self.clocks, self.width) = (clocks, width);
        self.threads.resize(width, Vec::new());
        self.started.resize(width, None);
    }

    /// The last event of a thread, or the one that started it.
    fn last_of(&self, thread: ThreadId) -> Option<usize> {
        let last = self.threads.get(thread as usize).and_then(|events| events.last());
        last.copied().or_else(|| self.started.get(thread as usize).copied().flatten())
    }

    /// What happens before the next step of a thread whatever it does.
    fn clock_before(&self, thread: ThreadId, joined: &[ThreadId]) -> Vec<u32> {
        let mut clock = vec![0; self.width];
        for last in [&thread].into_iter().chain(joined).filter_map(|&thread| self.last_of(thread)) {
            join(&mut clock, self.clock(last));
        }
        clock
    }

    /// The events that a step at the end may be made before, with the clock of the step.
    pub(super) fn races_of(
        &mut self,
        step: StepId,
        partners: Partners,
        steps: &Steps,
    ) -> (Vec<usize>, Vec<u32>) {
        let thread = steps.thread(step);
        self.widen(thread as usize + 1);
        let mut clock = self.clock_before(thread, steps.footprint(step).joins());
        let known = (partners == Partners::All).then(|| clock.clone());
        let mut races = Vec::new();
        for (index, event) in self.events.iter().enumerate().rev() {
            let other = event.thread;
            let is_known = known.as_ref().unwrap_or(&clock)[other as usize] >= event.number;
            if other != thread && !is_known && steps.depend(event.step, step) {
                races.push(index);
                join(&mut clock, self.clock(index));
            }
        }
        (races, clock)
    }

    /// A step is made.
    pub(super) fn push(
        &mut self,
        step: StepId,
        inputs: Vec<u128>,
        (waits, partners): (bool, Partners),
        steps: &Steps,
    ) {
        let thread = steps.thread(step);
        let forks = steps.footprint(step).forks();
        let highest = forks.iter().copied().fold(thread, ThreadId::max);
        self.widen(highest as usize + 1);
        let (races, mut clock) = self.races_of(step, partners, steps);
        let index = self.events.len();
        self.threads[thread as usize].push(index);
        let number = u32::try_from(self.threads[thread as usize].len()).unwrap_or(u32::MAX);
        clock[thread as usize] = number;
        self.clocks.extend_from_slice(&clock);
        for &child in forks {
            self.started[child as usize] = Some(index);
        }
        let found = steps.of(step);
        let is_vague = waits || found.footprint.varies() || steps.setting.reuse;
        let has_inputs = !found.picks.is_empty();
        self.events.push(Event {
            step,
            thread,
            inputs,
            number,
            races,
            waits,
            is_vague,
            has_inputs,
            violates: false,
        });
    }

    /// The last step is taken back.
    pub(super) fn pop(&mut self, steps: &Steps) -> Option<Event> {
        let event = self.events.pop()?;
        self.clocks.truncate(self.events.len() * self.width);
        self.threads[event.thread as usize].pop();
        for &child in steps.footprint(event.step).forks() {
            self.started[child as usize] = None;
        }
        Some(event)
    }

    /// Whether an event happens before a later one.
    pub(super) fn happens_before(&self, first: usize, second: usize) -> bool {
        let first = &self.events[first];
        self.clocks[second * self.width + first.thread as usize] >= first.number
    }

    /// The same for two events in any order.
    pub(super) fn happens_before_in(&self, first: usize, second: usize) -> bool {
        first < second && self.happens_before(first, second)
    }

    /// The first event of a thread behind another event, if nothing between them happens before it.
    pub(super) fn initial_behind(&self, event: usize, thread: ThreadId) -> Option<usize> {
        let own = self.threads.get(thread as usize)?;
        let first = *own.get(own.partition_point(|&index| index <= event))?;
        (event..first).all(|other| !self.happens_before(other, first)).then_some(first)
    }

    /// The last event of a thread before another event, or the one that started it.
    pub(super) fn last_before(&self, event: usize, thread: ThreadId) -> Option<usize> {
        let own = self.threads.get(thread as usize)?;
        let last = own[..own.partition_point(|&index| index < event)].last().copied();
        last.or_else(|| self.started[thread as usize])
    }

    /// The path to the last event along what happens before it; nothing if the process would have ended on it.
    pub(super) fn path_to_last(&self) -> Option<Vec<Taken>> {
        let last = self.events.len().checked_sub(1)?;
        let needed = |index: &usize| *index == last || self.happens_before(*index, last);
        let path: Vec<usize> = (0..=last).filter(needed).collect();
        let ends_early = path.iter().any(|&index| index != last && self.events[index].violates);
        (!ends_early).then(|| path.into_iter().map(|index| self.taken(index)).collect())
    }

    /// The whole path; nothing if the process would have ended on it.
    pub(super) fn path(&self) -> Option<Vec<Taken>> {
        let ends_early = self.events.iter().any(|event| event.violates);
        (!ends_early).then(|| (0..self.events.len()).map(|index| self.taken(index)).collect())
    }

    fn taken(&self, index: usize) -> Taken {
        let event = &self.events[index];
        Taken { made: Move::Step(event.thread), inputs: event.inputs.clone() }
    }

    /// What follows an event and does not happen behind it.
    pub(super) fn not_behind(&self, event: usize) -> Vec<usize> {
        (event + 1..self.events.len()).filter(|&other| !self.happens_before(event, other)).collect()
    }
}

/// What happens before either.
fn join(clock: &mut [u32], other: &[u32]) {
    for (mine, &theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(theirs);
    }
}
