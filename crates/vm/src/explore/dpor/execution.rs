//! The execution at hand as events with their order, which is that of its class.
//!
//! An event happens before another one when it comes earlier in every execution of the class: by their threads, by starting and joining,
//! and by dependence. It is kept as vector clocks (Mattern 1989), which count events.

use std::sync::Arc;

use super::super::footprint::{Footprint, Setting};
use super::super::path::Taken;
use super::steps::Step;
use crate::race::clock::Clock;
use crate::state::{Move, ThreadId};

/// A step that was made.
#[derive(Clone, Debug)]
pub(super) struct Event {
    pub(super) step: Step,
    /// The values of its inputs.
    pub(super) inputs: Vec<u128>,
    /// Which of its thread's events it is, from 1.
    number: u32,
    /// For each thread, how many of its events happen before this one or are it.
    clock: Clock,
    /// Earlier events that it may be made before.
    pub(super) races: Vec<usize>,
    /// Whether it may wait.
    pub(super) waits: bool,
    /// Whether the process would have ended with it.
    pub(super) violates: bool,
}

/// The events of an execution, in their order.
#[derive(Debug)]
pub(super) struct Execution {
    setting: Setting,
    pub(super) events: Vec<Event>,
    /// The events of each thread.
    threads: Vec<Vec<usize>>,
    /// The event that started each thread.
    started: Vec<Option<usize>>,
}

impl Execution {
    pub(super) const fn new(setting: Setting) -> Self {
        Self { setting, events: Vec::new(), threads: Vec::new(), started: Vec::new() }
    }

    /// The event of a thread that has this number, counted from 0.
    pub(super) fn event_of(&self, thread: ThreadId, number: usize) -> Option<usize> {
        self.threads.get(thread as usize)?.get(number).copied()
    }

    fn last_clock(&self, thread: ThreadId) -> Option<&Clock> {
        let last = self.threads.get(thread as usize).and_then(|events| events.last());
        let begun = || self.started.get(thread as usize).copied().flatten();
        last.copied().or_else(begun).map(|index| &self.events[index].clock)
    }

    /// What happens before the next step of a thread whatever it does.
    fn clock_before(&self, thread: ThreadId, footprint: &Footprint) -> Clock {
        let mut clock = self.last_clock(thread).cloned().unwrap_or_default();
        for &joined in footprint.joins() {
            self.last_clock(joined).into_iter().for_each(|ended| clock.join(ended));
        }
        clock
    }

    /// The events that a step at the end may be made before, with the clock of the step. One that waits may be let on by each
    /// event that it depends on; any other depends on the last of those that happen before each other.
    pub(super) fn races_of(
        &self,
        thread: ThreadId,
        footprint: &Footprint,
        waits: bool,
    ) -> (Vec<usize>, Clock) {
        let base = self.clock_before(thread, footprint);
        let mut clock = base.clone();
        let mut races = Vec::new();
        for (index, event) in self.events.iter().enumerate().rev() {
            let known = if waits { &base } else { &clock };
            let other = event.step.thread;
            if other == thread || known.of(other) >= event.number {
                continue;
            }
            if event.step.footprint.depends_on(footprint, self.setting) {
                races.push(index);
                clock.join(&event.clock);
            }
        }
        (races, clock)
    }

    /// A step is made.
    pub(super) fn push(&mut self, step: Step, inputs: Vec<u128>, waits: bool) {
        let (races, mut clock) = self.races_of(step.thread, &step.footprint, waits);
        let index = self.events.len();
        let thread = step.thread as usize;
        if self.threads.len() <= thread {
            self.threads.resize(thread + 1, Vec::new());
        }
        self.threads[thread].push(index);
        let number = u32::try_from(self.threads[thread].len()).unwrap_or(u32::MAX);
        clock.set(step.thread, number);
        for &child in step.footprint.forks() {
            if self.started.len() <= child as usize {
                self.started.resize(child as usize + 1, None);
            }
            self.started[child as usize] = Some(index);
        }
        self.events.push(Event { step, inputs, number, clock, races, waits, violates: false });
    }

    /// The last step is taken back.
    pub(super) fn pop(&mut self) -> Option<Event> {
        let event = self.events.pop()?;
        self.threads[event.step.thread as usize].pop();
        for &child in event.step.footprint.forks() {
            self.started[child as usize] = None;
        }
        Some(event)
    }

    /// Whether an event happens before a later one.
    pub(super) fn happens_before(&self, first: usize, second: usize) -> bool {
        let first = &self.events[first];
        self.events[second].clock.of(first.step.thread) >= first.number
    }

    /// The same for two events in any order.
    pub(super) fn happens_before_in(&self, first: usize, second: usize) -> bool {
        first < second && self.happens_before(first, second)
    }

    /// Whether all that happens before an event lies before the event `start`, or is of its own thread.
    pub(super) fn is_initial(&self, event: usize, counts: &[u32]) -> bool {
        let event = &self.events[event];
        let of = |thread: ThreadId| counts.get(thread as usize).copied().unwrap_or(0);
        let threads = 0..u32::try_from(self.threads.len()).unwrap_or(u32::MAX);
        threads
            .filter(|&thread| thread != event.step.thread)
            .all(|thread| event.clock.of(thread) <= of(thread))
            && event.number == of(event.step.thread) + 1
    }

    /// How many events of each thread there are.
    pub(super) fn counts(&self) -> Vec<u32> {
        self.threads.iter().map(|events| u32::try_from(events.len()).unwrap_or(u32::MAX)).collect()
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
        Taken { made: Move::Step(event.step.thread), inputs: event.inputs.clone() }
    }

    /// What follows an event and does not happen behind it.
    pub(super) fn not_behind(&self, event: usize) -> Vec<usize> {
        (event + 1..self.events.len()).filter(|&other| !self.happens_before(event, other)).collect()
    }

    /// The footprint of an event.
    pub(super) fn footprint(&self, event: usize) -> &Arc<Footprint> {
        &self.events[event].step.footprint
    }
}
