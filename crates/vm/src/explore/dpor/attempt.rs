//! Trying steps: what one does in a state, and what it depends on there.

use raddle_ir::Property;

use super::super::footprint::Footprint;
use super::super::watch::Watcher;
use super::Explorer;
use super::steps::{Step, StepId, begins_with};
use crate::choice::{Choices, Pick};
use crate::race::RaceDetector;
use crate::state::{State, Status, ThreadId};
use crate::step::{Readiness, StepResult};

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

impl<'p> Explorer<'_, 'p> {
    /// Whether a step is worth to be tried. A thread that waits for another one's end is let on by that alone.
    pub(super) fn may_be_enabled(&self, node: usize, thread: ThreadId) -> bool {
        let (vm, state) = (self.orders.vm, &self.nodes[node].state);
        let runs = state.exit.is_none() && state.threads[thread as usize].status == Status::Running;
        // Whether a block can be made, the attempt shows.
        runs && (vm.may_wait(state, thread) || vm.readiness(state, thread) != Readiness::Waiting)
    }

    /// What a thread looks at that has to wait.
    pub(super) fn refusal(&mut self, thread: ThreadId, footprint: Footprint) -> StepId {
        self.steps.id_of(Step { thread, picks: Vec::new(), footprint })
    }

    /// Tries a step whose first inputs are given, with what it depends on. One that may wait depends on what would make it
    /// wait with other inputs.
    pub(super) fn attempt_with(&mut self, node: usize, thread: ThreadId, picks: &[Pick]) -> Attempt<'p> {
        let node = &self.nodes[node];
        let (state, clocks) = (node.state.clone(), node.clocks.clone());
        self.attempt_in(state, clocks, thread, picks)
    }

    /// Tries a step that is known from elsewhere.
    pub(super) fn attempt_again(&mut self, node: usize, step: StepId) -> Attempt<'p> {
        let Step { thread, picks, .. } = self.steps.of(step);
        let (thread, picks) = (*thread, picks.clone());
        self.attempt_with(node, thread, &picks)
    }

    pub(super) fn attempt_in(
        &mut self,
        state: State,
        clocks: Option<RaceDetector<'p>>,
        thread: ThreadId,
        picks: &[Pick],
    ) -> Attempt<'p> {
        let may_wait = self.orders.vm.may_wait(&state, thread);
        let others = may_wait.then(|| (state.clone(), clocks.clone()));
        let mut made = self.attempt(state, clocks, thread, &mut Choices::sharing(&self.values, picks));
        let Some((before, kept)) = others.filter(|_| !made.picks.is_empty()) else { return made };
        let mut choices = Choices::sharing(&self.values, &[]);
        loop {
            choices.begin();
            let other = self.attempt(before.clone(), None, thread, &mut choices);
            if other.result == StepResult::Blocked {
                made.footprint.join(other.footprint);
            } else if made.result == StepResult::Blocked && picks.is_empty() {
                let footprint = std::mem::take(&mut made.footprint);
                let again = &mut Choices::sharing(&self.values, &other.picks);
                made = self.attempt(before.clone(), kept.clone(), thread, again);
                made.footprint.join(footprint);
            }
            if !choices.advance() {
                return made;
            }
        }
    }

    /// A step of a thread with other inputs than those that sleep.
    pub(super) fn attempt_awake(&mut self, node: usize, thread: ThreadId) -> Option<Attempt<'p>> {
        let mut choices = Choices::sharing(&self.values, &[]);
        let state = self.nodes[node].state.clone();
        loop {
            choices.begin();
            let other = self.attempt(state.clone(), None, thread, &mut choices);
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

    pub(super) fn attempt(
        &mut self,
        mut state: State,
        clocks: Option<RaceDetector<'p>>,
        thread: ThreadId,
        choices: &mut Choices,
    ) -> Attempt<'p> {
        let vm = self.orders.vm;
        let found = &mut self.ends.found;
        let running =
            |state: &State| state.threads.iter().filter(|thread| thread.status == Status::Running).count();
        let ran = running(&state);
        let mut watcher = Watcher::new(vm, (&mut found.passed, &mut found.unsupported))
            .with_clocks(clocks)
            .with_footprint(true)
            .with_commuting(self.orders.commuting.as_ref());
        let result = vm.step(&mut state, thread, choices, &mut watcher);
        let Watcher { blocks, undefined, clocks, footprint, .. } = watcher;
        found.blocks += blocks;
        found.sampled |= choices.is_sampled();
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
