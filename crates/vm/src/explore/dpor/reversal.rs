//! Reversals: what is to be searched because two events depend on each other.
//!
//! For an event `e` and a later one of thread `q` that depends on it, the sequence is: all that follows `e` and does not happen behind it, then
//! the step of `q`. It is put into the wakeup tree of the state before `e`. Why the long sequence: who sleeps there and could come first
//! in it would lead to nothing new, and is found out at once.

use super::super::Reduction;
use super::execution::Partners;
use super::steps::{Step, StepId, same_picks};
use super::tree::{Branch, Sequence};
use super::{Explorer, Node, stop};
use crate::choice::{Choices, Pick};
use crate::state::{State, Status, ThreadId};
use crate::step::StepResult;

/// After so many sequences that turn out not to be possible, all that is enabled is searched.
const MOST_TRIED: usize = 200;

/// The step that is to be made in another place.
struct Second {
    step: StepId,
    thread: ThreadId,
    /// Where it was made, or had to wait.
    event: usize,
    /// The last event of its thread before it.
    own: Option<usize>,
    /// Whether it may have to wait there.
    waits: bool,
    /// Whether it must be tried to know what it does there.
    is_vague: bool,
    /// The choices that it begins with; without, any will do.
    picks: Option<Vec<Pick>>,
}

impl Explorer<'_, '_> {
    /// An execution was walked: adds what it shows to be missing. Some threads wait at its end, which depends on what they
    /// looked at.
    pub(super) fn reverse_races(&mut self, waiting: &[StepId]) {
        let first_new = self.fresh.saturating_sub(1);
        for event in 0..self.execution.events.len() {
            let found = &self.execution.events[event];
            // What comes of other pairs does not depend on what follows: it was seen in another execution.
            if event < first_new && !found.is_vague && !found.has_inputs {
                continue;
            }
            // Executions may be long, and their pairs many.
            if self.is_spent() {
                return;
            }
            let second = self.second_at(event);
            if event >= first_new || second.is_vague {
                for race in 0..self.execution.events[event].races.len() {
                    self.reverse(self.execution.events[event].races[race], &second);
                    if second.waits && self.is_spent() {
                        return;
                    }
                }
            }
            self.add_alternatives(event);
        }
        for &refused in waiting {
            self.reverse_waiting(refused);
        }
        self.look_beyond_exit();
    }

    /// The step of an event, to be made elsewhere.
    fn second_at(&self, event: usize) -> Second {
        let found = &self.execution.events[event];
        let (step, thread) = (found.step, found.thread);
        let own = self.execution.last_before(event, thread);
        // Without wakeup trees, what sleeps may be some of the inputs and not the others.
        let is_exact = found.has_inputs && self.orders.reduction != Reduction::Optimal;
        let picks = is_exact.then(|| self.steps.of(step).picks.clone());
        Second { step, thread, event, own, waits: found.waits, is_vague: found.is_vague, picks }
    }

    fn reverse_waiting(&mut self, refused: StepId) {
        let (races, _) = self.execution.races_of(refused, Partners::All, &self.steps);
        let thread = self.steps.thread(refused);
        let event = self.execution.events.len();
        let own = self.execution.last_before(event, thread);
        let second = Second { step: refused, thread, event, own, waits: true, is_vague: true, picks: None };
        for first in races {
            if self.is_spent() {
                return;
            }
            self.reverse(first, &second);
        }
    }

    /// The same step with other inputs.
    fn add_alternatives(&mut self, event: usize) {
        if !self.execution.events[event].has_inputs {
            return;
        }
        let step = self.execution.events[event].step;
        let picks = self.steps.of(step).picks.clone();
        for (position, &(chosen, count)) in picks.iter().enumerate() {
            for other in (0..count).filter(|&other| other != chosen) {
                let mut prefix = picks[..position].to_vec();
                prefix.push((other, count));
                let second =
                    Second { waits: true, is_vague: true, picks: Some(prefix), ..self.second_at(event) };
                self.reverse(event, &second);
            }
        }
    }

    /// The process ended with the last event, before others made steps that they might have made first.
    fn look_beyond_exit(&mut self) {
        let Some(last) = self.execution.events.len().checked_sub(1) else { return };
        let event = &self.execution.events[last];
        let ends = event.thread;
        if !self.steps.footprint(event.step).exits {
            return;
        }
        self.add_all_enabled(last);
        let count = u32::try_from(self.nodes[last].state.threads.len()).unwrap_or(u32::MAX);
        for thread in (0..count).filter(|&thread| thread != ends) {
            if self.may_be_enabled(last, thread) {
                let attempt = self.attempt_with(last, thread, &[]);
                if attempt.result == StepResult::Blocked {
                    let refused = self.refusal(thread, attempt.footprint);
                    self.reverse_waiting(refused);
                }
            }
        }
    }

    /// Every step that is enabled in a state is to be searched from there.
    pub(super) fn add_all_enabled(&mut self, node: usize) {
        let count = u32::try_from(self.nodes[node].state.threads.len()).unwrap_or(u32::MAX);
        for thread in 0..count {
            let is_made = self.execution.events.get(node).is_some_and(|event| event.thread == thread);
            let is_own = |&step: &StepId| self.steps.thread(step) == thread;
            let Node { sleep, tree, .. } = &self.nodes[node];
            let is_known =
                sleep.iter().copied().chain(tree.iter().map(Branch::first)).any(|step| is_own(&step));
            if is_made || is_known || !self.may_be_enabled(node, thread) {
                continue;
            }
            let attempt = self.attempt_with(node, thread, &[]);
            if attempt.result != StepResult::Blocked {
                let step = Step { thread, picks: attempt.picks, footprint: attempt.footprint };
                let step = self.steps.id_of(step);
                self.nodes[node].tree.push(Branch::leaf(step));
            }
        }
    }

    /// Adds the sequence in which a step is made before an event, if nothing leads to it yet.
    fn reverse(&mut self, first: usize, second: &Second) {
        // What cannot be made is led to by nothing.
        let is_optimal = self.orders.reduction == Reduction::Optimal;
        if is_optimal && !second.waits && self.sleeper_comes_first(first) {
            return;
        }
        let mut between = self.execution.not_behind(first);
        between.retain(|&event| is_optimal || event < second.event);
        let mut work = vec![(first, between)];
        let mut next = 0;
        while next < work.len() {
            let (node, between) = (work[next].0, std::mem::take(&mut work[next].1));
            next += 1;
            // What looking for its place costs, in steps.
            self.repeated += 1 + between.len() as u64 / 16;
            if next > MOST_TRIED {
                (0..=first).for_each(|node| self.add_all_enabled(node));
                return;
            }
            let Err(refused) = self.add_sequence(node, &between, second) else { continue };
            let Some(refused) = refused else { continue };
            // Where it can be made without some of them, something is missing that it looked at and one of the others changed.
            let holders = self.holders(second.thread, refused, (node, &between));
            work[next - 1].1 = between;
            for holder in holders {
                let between = &work[next - 1].1;
                let is_left = |&event: &usize| !self.execution.happens_before_in(holder, event);
                let lower = holder.min(node);
                let begun = (lower + 1..node).chain(between.iter().copied());
                let rest = (
                    lower,
                    begun.filter(|&event| event > lower && event != holder).filter(is_left).collect(),
                );
                if !work.contains(&rest) {
                    work.push(rest);
                }
            }
        }
    }

    /// Adds some events and then a step to what is to be searched from a state. Where the step has to wait behind them, what it
    /// looked at; nothing if its thread has come to its end there.
    fn add_sequence(
        &mut self,
        node: usize,
        between: &[usize],
        second: &Second,
    ) -> Result<(), Option<StepId>> {
        if self.is_searched_first(node, between, second) {
            return Ok(());
        }
        let asks = |&step: &StepId| self.steps.footprint(step).queries();
        let mut last = second.step;
        if second.is_vague || self.nodes[node].sleep.iter().any(asks) {
            if let Some(refused) = self.known_to_wait(node, between, second) {
                return Err(Some(refused));
            }
            last = self.probe(node, between, second)?;
        }
        let steps = between.iter().map(|&event| self.execution.events[event].step).chain([last]).collect();
        let is_optimal = self.orders.reduction == Reduction::Optimal;
        let sequence = Sequence { steps, is_open: is_optimal && second.picks.is_none() };
        match self.orders.reduction {
            Reduction::Optimal => self.offer(node, sequence),
            Reduction::Source => self.offer_first(node, &sequence, None),
            Reduction::Classic => {
                let threads = self.threads_known(between, second);
                self.offer_first(node, &sequence, Some(&threads));
            }
        }
        Ok(())
    }

    /// The thread of a step, and those of which it knows some of these events before it is made.
    fn threads_known(&self, between: &[usize], second: &Second) -> Vec<ThreadId> {
        let Some(own) = second.own else { return vec![second.thread] };
        let is_known = |&&event: &&usize| event == own || self.execution.happens_before_in(event, own);
        let known = between.iter().filter(is_known).map(|&event| self.execution.events[event].thread);
        known.chain([second.thread]).collect()
    }

    /// The events without which a thread might go on that waits behind a state and some events; but for those that it needs
    /// itself.
    fn holders(&self, thread: ThreadId, refused: StepId, (node, between): (usize, &[usize])) -> Vec<usize> {
        let made: Vec<usize> = (0..node).chain(between.iter().copied()).collect();
        let is_own = |&event: &usize| {
            let event = &self.execution.events[event];
            event.thread == thread || self.steps.footprint(event.step).forks().contains(&thread)
        };
        let own = made.iter().copied().rfind(is_own);
        let is_needed = |event: usize| {
            own.is_some_and(|own| event == own || self.execution.happens_before_in(event, own))
        };
        let waiting = self.steps.footprint(refused);
        let may_hold_up =
            |event: usize| self.steps.footprint(self.execution.events[event].step).may_hold_up(waiting);
        made.into_iter().filter(|&event| !is_needed(event) && may_hold_up(event)).collect()
    }

    /// Whether some step that sleeps before an event is the first of its thread among those that follow and do not happen behind
    /// it, and can be made before the others. A cheap look, which may miss it.
    fn sleeper_comes_first(&self, first: usize) -> bool {
        self.nodes[first].sleep.iter().any(|&step| {
            let event = self.execution.initial_behind(first, self.steps.thread(step));
            event.is_some_and(|event| self.steps.are_alike(self.execution.events[event].step, step))
        })
    }

    /// Whether the step was searched from the state before some events, or will be, and is independent of those: then it can
    /// be made behind them and does the same there.
    fn is_searched_first(&self, node: usize, between: &[usize], second: &Second) -> bool {
        let Node { sleep, tree, .. } = &self.nodes[node];
        let leaves = tree.iter().filter(|branch| branch.is_leaf()).map(Branch::first);
        sleep.iter().copied().chain(leaves).any(|step| {
            let found = self.steps.of(step);
            let is_same = second.picks.as_ref().is_none_or(|picks| same_picks(picks, &found.picks));
            let is_independent = |&event: &usize| !self.steps.depend(self.execution.events[event].step, step);
            found.thread == second.thread && is_same && between.iter().all(is_independent)
        })
    }

    /// What a thread looks at that was tried in a state and had to wait, and has to wait behind these events as well.
    fn known_to_wait(&self, node: usize, between: &[usize], second: &Second) -> Option<StepId> {
        let known = |&refused: &StepId| {
            self.steps.thread(refused) == second.thread && self.does_not_matter(between, refused)
        };
        self.nodes[node].refused.iter().copied().filter(|_| second.picks.is_none()).find(known)
    }

    /// Whether some events are none of a thread's and change nothing that it looks at.
    fn does_not_matter(&self, between: &[usize], refused: StepId) -> bool {
        between.iter().all(|&event| {
            let event = &self.execution.events[event];
            let waiting = self.steps.footprint(refused);
            event.thread != self.steps.thread(refused)
                && !self.steps.footprint(event.step).may_hold_up(waiting)
        })
    }

    /// Makes the steps of some events from a state, then another one: what that does there, or what it looks at and waits.
    fn probe(&mut self, node: usize, between: &[usize], second: &Second) -> Result<StepId, Option<StepId>> {
        let thread = second.thread;
        let mut state = self.nodes[node].state.clone();
        for &event in between {
            self.repeat(&mut state, event);
        }
        if state.exit.is_some() || state.threads[thread as usize].status != Status::Running {
            return Err(None);
        }
        let picks = second.picks.as_deref().unwrap_or_default();
        let mut choices = Choices::of(&self.domain, picks);
        let made = self.seen.attempt(self.orders, (state.clone(), None), thread, &mut choices);
        if made.result != StepResult::Blocked {
            return Ok(self.steps.id_of(Step { thread, picks: made.picks, footprint: made.footprint }));
        }
        let mut footprint = made.footprint;
        // With other inputs it may go on.
        while second.picks.is_none() && choices.advance() {
            choices.begin();
            let other = self.seen.attempt(self.orders, (state.clone(), None), thread, &mut choices);
            footprint.join(other.footprint);
            if other.result != StepResult::Blocked {
                return Ok(self.steps.id_of(Step { thread, picks: other.picks, footprint }));
            }
        }
        let refused = self.refusal(thread, footprint);
        if second.picks.is_none() && self.does_not_matter(between, refused) {
            self.nodes[node].refused.push(refused);
        }
        Err(Some(refused))
    }

    /// Makes the step of an event again.
    fn repeat(&mut self, state: &mut State, event: usize) {
        self.repeated += 1;
        let Step { thread, picks, .. } = self.steps.of(self.execution.events[event].step);
        let thread = *thread;
        let mut choices = Choices::of(&self.domain, picks);
        let result = self.orders.vm.step(state, thread, &mut choices, &mut crate::observe::Unwatched);
        debug_assert!(
            result != StepResult::Blocked,
            "what does not happen behind an event needs not wait for it"
        );
        if matches!(result, StepResult::Violated(_) | StepResult::Unsupported { .. }) {
            stop(state, thread);
        }
    }
}
