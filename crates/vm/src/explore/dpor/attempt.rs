//! Trying steps: what one does in a state, and what it depends on there.

use std::sync::Arc;

use raddle_ir::Property;

use super::super::footprint::Footprint;
use super::super::found::Passed;
use super::super::watch::Watcher;
use super::crew::Orders;
use super::steps::{Step, StepId, begins_with};
use super::{Explorer, stop};
use crate::choice::{Choices, Domain, Pick};
use crate::code::Place;
use crate::race::RaceDetector;
use crate::state::{State, Status, ThreadId};
use crate::step::{Readiness, StepResult, Vm};

/// A step that was tried.
pub(super) struct Attempt<'p> {
    pub(super) state: State,
    pub(super) clocks: Option<RaceDetector<'p>>,
    pub(super) result: StepResult,
    pub(super) footprint: Footprint,
    pub(super) picks: Vec<Pick>,
    pub(super) inputs: Vec<u128>,
    pub(super) undefined: Vec<Property>,
}

impl Attempt<'_> {
    /// The thread of a step that broke something goes no further.
    pub(super) fn stop_if_broken(&mut self, thread: ThreadId) {
        if matches!(self.result, StepResult::Violated(_) | StepResult::Unsupported { .. }) {
            stop(&mut self.state, thread);
        }
    }
}

/// Whether a step is worth to be tried. A thread that waits for another one's end is let on by that alone.
pub(super) fn may_be_enabled(vm: &Vm<'_>, state: &State, thread: ThreadId) -> bool {
    let runs = state.exit.is_none() && state.threads[thread as usize].status == Status::Running;
    // Whether a block can be made, the attempt shows.
    runs && (vm.may_wait(state, thread) || vm.readiness(state, thread) != Readiness::Waiting)
}

/// What is seen of a program while steps are tried.
#[derive(Debug)]
pub(super) struct Seen {
    pub(super) passed: Passed,
    pub(super) unsupported: Vec<(String, Place)>,
    pub(super) blocks: u64,
    pub(super) sampled: bool,
    pub(super) left_out: bool,
}

impl Seen {
    pub(super) fn nothing(vm: &Vm<'_>) -> Self {
        let passed = Passed::new(vm.program());
        Self { passed, unsupported: Vec::new(), blocks: 0, sampled: false, left_out: false }
    }

    /// Takes over what somebody else has seen.
    pub(super) fn absorb(&mut self, other: Self) {
        self.passed.absorb(&other.passed);
        for (what, place) in other.unsupported {
            if !self.unsupported.iter().any(|known| known.1 == place) {
                self.unsupported.push((what, place));
            }
        }
        self.blocks += other.blocks;
        self.sampled |= other.sampled;
        self.left_out |= other.left_out;
    }

    /// Tries a step whose first inputs are given, with what it depends on. One that may wait depends on what would make it
    /// wait with other inputs.
    pub(super) fn attempt_in<'p>(
        &mut self,
        (orders, domain): (&Orders<'_, 'p>, &Arc<Domain>),
        (state, clocks): (State, Option<RaceDetector<'p>>),
        thread: ThreadId,
        picks: &[Pick],
    ) -> Attempt<'p> {
        let may_wait = orders.vm.may_wait(&state, thread);
        let others = may_wait.then(|| (state.clone(), clocks.clone()));
        let mut made = self.attempt(orders, (state, clocks), thread, &mut Choices::of(domain, picks));
        let Some((before, kept)) = others.filter(|_| !made.picks.is_empty()) else { return made };
        let mut choices = Choices::of(domain, &[]);
        loop {
            choices.begin();
            let other = self.attempt(orders, (before.clone(), None), thread, &mut choices);
            if other.result == StepResult::Blocked {
                made.footprint.join(other.footprint);
            } else if made.result == StepResult::Blocked && picks.is_empty() {
                let footprint = std::mem::take(&mut made.footprint);
                let again = &mut Choices::of(domain, &other.picks);
                made = self.attempt(orders, (before.clone(), kept.clone()), thread, again);
                made.footprint.join(footprint);
            }
            if !choices.advance() {
                return made;
            }
        }
    }

    pub(super) fn attempt<'p>(
        &mut self,
        orders: &Orders<'_, 'p>,
        (mut state, clocks): (State, Option<RaceDetector<'p>>),
        thread: ThreadId,
        choices: &mut Choices,
    ) -> Attempt<'p> {
        let running =
            |state: &State| state.threads.iter().filter(|thread| thread.status == Status::Running).count();
        let ran = running(&state);
        let mut watcher = Watcher::new(orders.vm, (&mut self.passed, &mut self.unsupported))
            .with_clocks(clocks)
            .with_footprint(true)
            .with_commuting(orders.commuting.as_ref());
        let result = orders.vm.step(&mut state, thread, choices, &mut watcher);
        let Watcher { blocks, undefined, clocks, footprint, .. } = watcher;
        self.blocks += blocks;
        self.sampled |= choices.is_sampled();
        self.left_out |= choices.leaves_out();
        let mut footprint = footprint.unwrap_or_default();
        let is_violation = matches!(result, StepResult::Violated(_) | StepResult::Unsupported { .. });
        if is_violation || !undefined.is_empty() {
            footprint.fails();
        }
        footprint.exits = state.exit.is_some();
        footprint.ends_thread = running(&state) != ran + footprint.forks().len();
        Attempt {
            state,
            clocks,
            result,
            footprint,
            picks: choices.picks().to_vec(),
            inputs: choices.given().to_vec(),
            undefined,
        }
    }
}

impl<'p> Explorer<'_, 'p> {
    /// Whether a step is worth to be tried.
    pub(super) fn may_be_enabled(&self, node: usize, thread: ThreadId) -> bool {
        may_be_enabled(self.orders.vm, &self.nodes[node].state, thread)
    }

    /// What a thread looks at that has to wait.
    pub(super) fn refusal(&mut self, thread: ThreadId, footprint: Footprint) -> StepId {
        self.steps.id_of(Step { thread, picks: Vec::new(), footprint })
    }

    /// Tries a step from a state on the path.
    pub(super) fn attempt_with(&mut self, node: usize, thread: ThreadId, picks: &[Pick]) -> Attempt<'p> {
        let node = &self.nodes[node];
        let before = (node.state.clone(), node.clocks.clone());
        self.seen.attempt_in((self.orders, &self.domain), before, thread, picks)
    }

    /// A step of a thread with other inputs than those that sleep.
    pub(super) fn attempt_awake(&mut self, node: usize, thread: ThreadId) -> Option<Attempt<'p>> {
        let mut choices = Choices::of(&self.domain, &[]);
        let state = self.nodes[node].state.clone();
        loop {
            choices.begin();
            let other = self.seen.attempt(self.orders, (state.clone(), None), thread, &mut choices);
            let sleeps = |&step: &StepId| {
                let step = self.steps.of(step);
                step.thread == thread && begins_with(&other.picks, &step.picks)
            };
            if other.result != StepResult::Blocked && !self.nodes[node].sleep.iter().any(sleeps) {
                return Some(self.attempt_with(node, thread, &other.picks));
            }
            if !choices.advance() {
                return None;
            }
        }
    }
}
