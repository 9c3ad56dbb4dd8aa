//! Reversals: what is to be searched because two events depend on each other.
//!
//! For an event `e` and a later one of thread `q` that depends on it, the sequence is: all that follows `e` and does not happen behind it, then
//! the step of `q`. It is put into the wakeup tree of the state before `e`. Why the long sequence: who sleeps there and could come first
//! in it would lead to nothing new, and is found out at once.

use std::sync::Arc;

use super::super::footprint::Footprint;
use super::steps::{Branch, Sequence, Step, insert, same_picks};
use super::{Explorer, Node, stop};
use crate::choice::{Choices, Pick};
use crate::state::{State, Status, ThreadId};
use crate::step::StepResult;

/// After so many sequences that turn out not to be possible, all that is enabled is searched.
const MOST_TRIED: usize = 200;

/// The step that is to be made in another place.
struct Second {
    thread: ThreadId,
    footprint: Arc<Footprint>,
    /// Whether it may have to wait there.
    waits: bool,
    /// Whether it must be tried to know what it does there.
    is_vague: bool,
    /// The choices that it begins with; without, any will do.
    picks: Option<Arc<[Pick]>>,
}

impl Explorer<'_, '_> {
    /// An execution was walked: adds what it shows to be missing. Some threads wait at its end, which depends on what they
    /// looked at.
    pub(super) fn reverse_races(&mut self, waiting: &[(ThreadId, Arc<Footprint>)]) {
        for event in 0..self.execution.events.len() {
            // Executions may be long, and their pairs many.
            if self.is_spent() {
                return;
            }
            for race in 0..self.execution.events[event].races.len() {
                let Some(second) = self.execution.events.get(event) else { continue };
                let first = second.races[race];
                let second = Second {
                    thread: second.step.thread,
                    footprint: Arc::clone(&second.step.footprint),
                    waits: second.waits,
                    is_vague: second.waits || second.step.footprint.varies() || self.setting.reuse,
                    picks: None,
                };
                let may_take_long = second.waits;
                self.reverse(first, &second);
                if may_take_long && self.is_spent() {
                    return;
                }
            }
            self.add_alternatives(event);
        }
        for (thread, footprint) in waiting {
            self.reverse_waiting(*thread, footprint);
        }
        self.look_beyond_exit();
    }

    fn reverse_waiting(&mut self, thread: ThreadId, footprint: &Arc<Footprint>) {
        let (races, _) = self.execution.races_of(thread, footprint, true);
        for first in races {
            if self.is_spent() {
                return;
            }
            let footprint = Arc::clone(footprint);
            self.reverse(first, &Second { thread, footprint, waits: true, is_vague: true, picks: None });
        }
    }

    /// The same step with other inputs.
    fn add_alternatives(&mut self, event: usize) {
        let step = &self.execution.events[event].step;
        if step.picks.is_empty() {
            return;
        }
        let (thread, picks, footprint) = (step.thread, Arc::clone(&step.picks), Arc::clone(&step.footprint));
        for (position, &(chosen, count)) in picks.iter().enumerate() {
            for other in (0..count).filter(|&other| other != chosen) {
                let mut prefix = picks[..position].to_vec();
                prefix.push((other, count));
                let picks = Some(prefix.into());
                let footprint = Arc::clone(&footprint);
                let second = Second { thread, footprint, waits: true, is_vague: true, picks };
                self.reverse(event, &second);
            }
        }
    }

    /// The process ended with the last event, before others made steps that they might have made first.
    fn look_beyond_exit(&mut self) {
        let Some(last) = self.execution.events.len().checked_sub(1) else { return };
        if !self.execution.footprint(last).exits {
            return;
        }
        self.add_all_enabled(last);
        let count = u32::try_from(self.nodes[last].state.threads.len()).unwrap_or(u32::MAX);
        for thread in 0..count {
            let is_other = thread != self.execution.events[last].step.thread;
            if is_other && self.may_be_enabled(last, thread) {
                let attempt = self.attempt_with(last, thread, &[]);
                if attempt.result == StepResult::Blocked {
                    self.reverse_waiting(thread, &Arc::new(attempt.footprint));
                }
            }
        }
    }

    /// Every step that is enabled in a state is to be searched from there.
    pub(super) fn add_all_enabled(&mut self, node: usize) {
        let count = u32::try_from(self.nodes[node].state.threads.len()).unwrap_or(u32::MAX);
        for thread in 0..count {
            let is_made = self.execution.events.get(node).is_some_and(|event| event.step.thread == thread);
            let is_known = |node: &Node<'_>| {
                node.sleep
                    .iter()
                    .chain(node.tree.iter().map(|branch| &branch.step))
                    .any(|step| step.thread == thread)
            };
            if is_made || is_known(&self.nodes[node]) || !self.may_be_enabled(node, thread) {
                continue;
            }
            let attempt = self.attempt_with(node, thread, &[]);
            if attempt.result != StepResult::Blocked {
                let step =
                    Step { thread, picks: attempt.picks.into(), footprint: Arc::new(attempt.footprint) };
                self.nodes[node].tree.push(Branch { step, below: Vec::new() });
            }
        }
    }

    /// Adds the sequence in which a step is made before an event, if nothing leads to it yet.
    fn reverse(&mut self, first: usize, second: &Second) {
        // What cannot be made is led to by nothing.
        if !second.waits && self.sleeper_comes_first(first) {
            return;
        }
        let mut work = vec![(first, self.execution.not_behind(first))];
        let mut next = 0;
        while let Some((node, between)) = work.get(next).cloned() {
            next += 1;
            // What looking for its place costs, in steps.
            self.repeated += 1 + between.len() as u64 / 16;
            if next > MOST_TRIED {
                (0..=first).for_each(|node| self.add_all_enabled(node));
                return;
            }
            let Err(footprint) = self.add_sequence(node, &between, second) else { continue };
            // Where it can be made without some of them, something is missing that it looked at and one of the others changed.
            for holder in self.holders(second.thread, &footprint, (node, &between)) {
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
    /// looked at.
    fn add_sequence(
        &mut self,
        node: usize,
        between: &[usize],
        second: &Second,
    ) -> Result<(), Arc<Footprint>> {
        if self.is_searched_first(node, between, second) {
            return Ok(());
        }
        let sleeps = &self.nodes[node].sleep;
        let is_vague = second.is_vague || sleeps.iter().any(|step| step.footprint.queries());
        let mut last = Step {
            thread: second.thread,
            picks: second.picks.clone().unwrap_or_default(),
            footprint: Arc::clone(&second.footprint),
        };
        if is_vague {
            if let Some(footprint) = self.known_to_wait(node, between, second) {
                return Err(footprint);
            }
            let (footprint, picks) = self.probe(node, between, second)?;
            (last.footprint, last.picks) = (footprint, picks.into());
        }
        let steps = between.iter().map(|&event| self.execution.events[event].step.clone());
        let sequence = Sequence { steps: steps.chain([last]).collect(), is_open: second.picks.is_none() };
        let setting = self.setting;
        let node = &mut self.nodes[node];
        let is_covered = node.sleep.iter().any(|step| sequence.leads_with(step, setting));
        if !is_covered {
            insert(&mut node.tree, sequence, setting);
        }
        Ok(())
    }

    /// The events without which a thread might go on that waits behind a state and some events; but for those that it needs
    /// itself.
    fn holders(
        &self,
        thread: ThreadId,
        footprint: &Footprint,
        (node, between): (usize, &[usize]),
    ) -> Vec<usize> {
        let made: Vec<usize> = (0..node).chain(between.iter().copied()).collect();
        let is_own = |&event: &usize| {
            let step = &self.execution.events[event].step;
            step.thread == thread || step.footprint.forks().contains(&thread)
        };
        let own = made.iter().copied().rfind(is_own);
        let is_needed = |event: usize| {
            own.is_some_and(|own| event == own || self.execution.happens_before_in(event, own))
        };
        let holds_up =
            |&event: &usize| !is_needed(event) && self.execution.footprint(event).may_hold_up(footprint);
        made.into_iter().filter(holds_up).collect()
    }

    /// Whether some step that sleeps before an event is the first of its thread among those that follow and do not happen behind
    /// it, and can be made before the others. A cheap look, which may miss it.
    fn sleeper_comes_first(&self, first: usize) -> bool {
        let node = &self.nodes[first];
        node.sleep.iter().any(|step| {
            let before = node.counts.get(step.thread as usize).copied().unwrap_or(0) as usize;
            let Some(event) = self.execution.event_of(step.thread, before) else { return false };
            let is_in = event > first && !self.execution.happens_before(first, event);
            is_in
                && same_picks(&self.execution.events[event].step.picks, &step.picks)
                && self.execution.is_initial(event, &node.counts)
        })
    }

    /// Whether the step was searched from the state before some events, or will be, and is independent of those: then it can
    /// be made behind them and does the same there.
    fn is_searched_first(&self, node: usize, between: &[usize], second: &Second) -> bool {
        let Node { sleep, tree, .. } = &self.nodes[node];
        let leaves = tree.iter().filter(|branch| branch.below.is_empty()).map(|branch| &branch.step);
        sleep.iter().chain(leaves).any(|step| {
            let is_same = second.picks.as_ref().is_none_or(|picks| same_picks(picks, &step.picks));
            let is_independent =
                |&event: &usize| !self.execution.events[event].step.depends_on(step, self.setting);
            step.thread == second.thread && is_same && between.iter().all(is_independent)
        })
    }

    /// What a thread looks at that was tried in a state and had to wait, and has to wait behind these events as well.
    fn known_to_wait(&self, node: usize, between: &[usize], second: &Second) -> Option<Arc<Footprint>> {
        let known = |&&(thread, ref footprint): &&(ThreadId, Arc<Footprint>)| {
            thread == second.thread && self.does_not_matter(between, thread, footprint)
        };
        let refused = &self.nodes[node].refused;
        refused
            .iter()
            .filter(|_| second.picks.is_none())
            .find(known)
            .map(|(_, footprint)| Arc::clone(footprint))
    }

    /// Whether some events are none of a thread's and change nothing that it looks at.
    fn does_not_matter(&self, between: &[usize], thread: ThreadId, footprint: &Footprint) -> bool {
        between.iter().all(|&event| {
            let step = &self.execution.events[event].step;
            step.thread != thread && !step.footprint.may_hold_up(footprint)
        })
    }

    /// Makes the steps of some events from a state, then another one: what that does there, or what it looks at and waits.
    fn probe(
        &mut self,
        node: usize,
        between: &[usize],
        second: &Second,
    ) -> Result<(Arc<Footprint>, Vec<Pick>), Arc<Footprint>> {
        let mut state = self.nodes[node].state.clone();
        for &event in between {
            self.repeat(&mut state, event);
        }
        if state.exit.is_some() || state.threads[second.thread as usize].status != Status::Running {
            return Err(Arc::default());
        }
        let picks = second.picks.clone().unwrap_or_default();
        let mut choices = Choices::beginning_with(&self.search.values, &picks);
        let made = self.attempt(state.clone(), None, second.thread, &mut choices);
        if made.result != StepResult::Blocked {
            return Ok((Arc::new(made.footprint), made.picks));
        }
        let mut footprint = made.footprint;
        // With other inputs it may go on.
        while second.picks.is_none() && choices.advance() {
            choices.begin();
            let other = self.attempt(state.clone(), None, second.thread, &mut choices);
            footprint.join(other.footprint);
            if other.result != StepResult::Blocked {
                return Ok((Arc::new(footprint), other.picks));
            }
        }
        let footprint = Arc::new(footprint);
        if second.picks.is_none() && self.does_not_matter(between, second.thread, &footprint) {
            self.nodes[node].refused.push((second.thread, Arc::clone(&footprint)));
        }
        Err(footprint)
    }

    /// Makes the step of an event again.
    fn repeat(&mut self, state: &mut State, event: usize) {
        self.repeated += 1;
        let step = self.execution.events[event].step.clone();
        let mut choices = Choices::beginning_with(&self.search.values, &step.picks);
        let result = self.ends.vm.step(state, step.thread, &mut choices, &mut crate::observe::Unwatched);
        debug_assert!(
            result != StepResult::Blocked,
            "what does not happen behind an event needs not wait for it"
        );
        if matches!(result, StepResult::Violated(_) | StepResult::Unsupported { .. }) {
            stop(state, step.thread);
        }
    }
}
