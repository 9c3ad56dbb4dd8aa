//! Optimal dynamic partial-order reduction: one execution of each class that differs only in the order of independent steps, and none
//! begun in vain (Abdulla, Aronis, Jonsson, Sagonas: Source sets, POPL 2014, and JACM 64(4), 2017).
//!
//! An execution is walked to its end. Then each pair of events that depend on each other is looked at, and a sequence that begins
//! before the first and ends with the second is put into the wakeup tree of the state before the first ([`reversal`]), unless
//! something there leads to it already: a step that *sleeps* (it was searched from there, or from a state above, and nothing that
//! depends on it was made since), or a branch of the tree. Depth first, over snapshots.
//!
//! What the paper leaves open or does otherwise:
//! - *What a step touches* is what it did touch ([`super::footprint`]). Where that depends on what it reads (atomic blocks, compare-exchange,
//!   inputs), a reversed step is tried before anything is concluded from it.
//! - *Inputs* make several steps of one thread, which exclude each other. Of a step that was made, each alternative is a reversal.
//!   So are the VM's own choices: spurious wake-ups, addresses that come again, allocations that fail.
//! - *Steps that wait* may be let on or held up by any event that they depend on, not only by the last: all those pairs are looked
//!   at, also for threads that wait at the end. A sequence that turns out not to be possible because of some events in it is tried without
//!   each of those.
//! - *A violation* ends its thread, and others go on: what they break too is found in the same search. The trace of a violation is what
//!   happens before it, and counts only if no other violation is among that. What is behind the end of the process is nothing.
//! - *Loops that only wait*: a thread that comes back to where it was, as it was, and has only read in between stops there ([`spin`]).
//!   A wait that succeeds later is another execution, in which it reads later.
//!
//! It may be wrong in one direction only: more executions than classes, which [`Exploration::redundant`] counts.

mod execution;
mod reversal;
mod spin;
mod steps;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use raddle_ir::Property;

use self::execution::Execution;
use self::spin::Spins;
use self::steps::{Branch, Step, begins_with};
use super::Search;
use super::commuting::Commuting;
use super::ends::Findings;
use super::footprint::{Footprint, Setting};
use super::found::{Exploration, Limit};
use super::watch::Watcher;
use crate::choice::{Choices, Pick};
use crate::leak;
use crate::race::RaceDetector;
use crate::state::{State, Status, ThreadId};
use crate::step::{Readiness, StepResult, Vm};

/// What a step costs of a budget, and how many basic blocks cost one unit more.
const UNITS_PER_STEP: u32 = 6;
const BLOCKS_PER_UNIT: u64 = 8;
/// One step in this many is reported to [`Search::progress`].
const STEPS_PER_PROGRESS: u64 = 4096;

/// A state on the path, and what is to be searched from it.
struct Node<'p> {
    state: State,
    /// What happens before what by the rules of C, where that is kept.
    clocks: Option<RaceDetector<'p>>,
    /// How many events of each thread lie before it.
    counts: Vec<u32>,
    sleep: Vec<Step>,
    /// What is to be searched behind the step that is being searched.
    tree: Vec<Branch>,
    is_begun: bool,
    /// The threads that were tried here and had to wait, with what they looked at.
    refused: Vec<(ThreadId, Arc<Footprint>)>,
    /// How many steps were searched to their end.
    searched: u32,
    /// Some thread stopped because it only waits in a loop.
    spins: bool,
}

/// A step that was tried.
struct Attempt<'p> {
    state: State,
    clocks: Option<RaceDetector<'p>>,
    result: StepResult,
    footprint: Footprint,
    picks: Vec<Pick>,
    inputs: Vec<u128>,
    undefined: Vec<Property>,
}

/// A search under way.
struct Explorer<'e, 'p> {
    search: &'e Search<'e>,
    ends: Findings<'e, 'p>,
    commuting: Option<Commuting>,
    setting: Setting,
    spins: Spins<'p>,
    execution: Execution,
    nodes: Vec<Node<'p>>,
    root: Vec<u128>,
    executions: u128,
    paid: u64,
    reported: usize,
    /// How many steps were made again to see what a step does in another place, and how many of them were paid for.
    repeated: u64,
    repeated_paid: u64,
    /// How many steps were made when progress was reported last.
    told: u64,
}

/// Searches one execution of each class.
pub(super) fn search(vm: &Vm<'_>, search: &Search<'_>) -> Exploration {
    debug_assert!(!vm.memory_model().is_weak() && search.contexts.is_none(), "the caller has looked");
    let mut explorer = Explorer::new(vm, search);
    explorer.run();
    let Explorer { ends: Findings { mut found, .. }, executions, .. } = explorer;
    found.executions = Some(executions);
    found.done = None;
    found
}

impl<'e, 'p> Explorer<'e, 'p> {
    fn new(vm: &'e Vm<'p>, search: &'e Search<'e>) -> Self {
        let setting = Setting { reuse: vm.reuse().is_some(), weak: false };
        Self {
            search,
            ends: Findings::new(vm),
            commuting: search.commutes.then(|| Commuting::of(vm)),
            setting,
            spins: Spins::new(vm),
            execution: Execution::new(setting),
            nodes: Vec::new(),
            root: Vec::new(),
            executions: 0,
            paid: 0,
            reported: 0,
            repeated: 0,
            repeated_paid: 0,
            told: 0,
        }
    }

    fn run(&mut self) {
        let mut choices = Choices::new(&self.search.values);
        loop {
            choices.begin();
            let vm = self.ends.vm;
            let clocks = vm.checks(Property::DataRace).then(|| RaceDetector::new(vm.program()));
            let found = &mut self.ends.found;
            let mut watcher =
                Watcher::new(vm, (&mut found.passed, &mut found.unsupported)).with_clocks(clocks);
            let (state, result) = vm.start(&mut choices, &mut watcher);
            let Watcher { undefined, clocks, blocks, .. } = watcher;
            found.blocks += blocks + choices.given().len() as u64;
            found.sampled |= choices.is_sampled();
            self.root = choices.given().to_vec();
            self.ends.note_undefined(&undefined, &self.root, &Vec::new);
            match result {
                StepResult::Done | StepResult::Blocked => {
                    let node = self.node(state, clocks, Vec::new(), Vec::new(), false);
                    self.nodes.push(node);
                    self.search_from_root();
                }
                StepResult::Violated(_) | StepResult::Unsupported { .. } => {
                    self.executions += 1;
                    self.ends.ended(result, &self.root, &Vec::new);
                }
            }
            let goes_on = matches!(self.ends.found.limit, None | Some(Limit::Depth));
            if !goes_on || !choices.advance() || self.is_spent() {
                break;
            }
        }
    }

    fn search_from_root(&mut self) {
        while let Some(node) = self.nodes.last_mut() {
            let is_begun = std::mem::replace(&mut node.is_begun, true);
            if !node.tree.is_empty() {
                let branch = node.tree.remove(0);
                self.follow(branch);
            } else if is_begun {
                self.leave();
            } else if self.execution.events.len() >= self.search.max_depth {
                self.ends.found.limit = self.ends.found.limit.or(Some(Limit::Depth));
                self.reverse_races(&[]);
            } else {
                self.choose();
            }
            if self.is_spent() {
                return;
            }
        }
    }

    fn node(
        &self,
        state: State,
        clocks: Option<RaceDetector<'p>>,
        sleep: Vec<Step>,
        tree: Vec<Branch>,
        spins: bool,
    ) -> Node<'p> {
        let counts = self.execution.counts();
        Node { state, clocks, counts, sleep, tree, is_begun: false, searched: 0, refused: Vec::new(), spins }
    }

    /// Everything behind a state was searched: the step that led there sleeps from now on.
    fn leave(&mut self) {
        self.nodes.pop();
        if let (Some(event), Some(node)) = (self.execution.pop(), self.nodes.last_mut()) {
            node.sleep.push(event.step);
            node.searched += 1;
        }
    }

    /// A step that the wakeup tree asks for.
    fn follow(&mut self, branch: Branch) {
        let depth = self.execution.events.len();
        if depth >= self.search.max_depth {
            self.ends.found.limit = self.ends.found.limit.or(Some(Limit::Depth));
            return;
        }
        let Branch { step, below } = branch;
        let node = self.nodes.len() - 1;
        match self.attempt_with(node, step.thread, &step.picks) {
            attempt if attempt.result != StepResult::Blocked => self.commit(step.thread, attempt, below),
            // It was possible when it was tried, so this is not to be expected; nothing is missed all the same.
            _ => self.add_all_enabled(node),
        }
    }

    /// The first step of a state that nothing is known about.
    fn choose(&mut self) {
        let index = self.nodes.len() - 1;
        let last = self.execution.events.last().map(|event| event.step.thread);
        let count = u32::try_from(self.nodes[index].state.threads.len()).unwrap_or(u32::MAX);
        let others = (0..count).filter(|&thread| Some(thread) != last);
        let order: Vec<ThreadId> = last.into_iter().chain(others).collect();
        let mut sleepers = Vec::new();
        let mut waiting = Vec::new();
        for thread in order {
            if self.nodes[index].sleep.iter().any(|step| step.thread == thread) {
                sleepers.push(thread);
                continue;
            }
            if !self.may_be_enabled(index, thread) {
                continue;
            }
            let attempt = self.attempt_with(index, thread, &[]);
            if attempt.result != StepResult::Blocked {
                return self.commit(thread, attempt, Vec::new());
            }
            waiting.push((thread, Arc::new(attempt.footprint)));
        }
        for &thread in &sleepers {
            if let Some(attempt) = self.attempt_awake(index, thread) {
                return self.commit(thread, attempt, Vec::new());
            }
        }
        if sleepers.is_empty() {
            self.ended();
        } else {
            self.ends.found.redundant += 1;
        }
        self.reverse_races(&waiting);
    }

    /// Whether a step is worth to be tried. A thread that waits for another one's end is let on by that alone.
    fn may_be_enabled(&self, node: usize, thread: ThreadId) -> bool {
        let (vm, state) = (self.ends.vm, &self.nodes[node].state);
        let runs = state.exit.is_none() && state.threads[thread as usize].status == Status::Running;
        // Whether a block can be made, the attempt shows.
        runs && (vm.may_wait(state, thread) || vm.readiness(state, thread) != Readiness::Waiting)
    }

    /// An execution has come to its end.
    fn ended(&mut self) {
        self.executions += 1;
        let depth = self.execution.events.len();
        self.ends.found.depth = self.ends.found.depth.max(depth);
        let node = self.nodes.last().expect("the state at the end");
        let runs = node.state.threads.iter().any(|thread| thread.status == Status::Running);
        if leak::end_of(&node.state).is_none() && (runs || node.spins) {
            self.ends.found.blocked += 1;
        }
        // Where the process would have ended before, this is no end.
        if self.execution.path().is_some() {
            let execution = &self.execution;
            self.ends.terminal(&node.state, &self.root, &|| execution.path().unwrap_or_default());
            if node.spins {
                self.ends.note_lost(&node.state);
            }
        }
    }

    /// A step was made from the last state: goes on behind it.
    fn commit(&mut self, thread: ThreadId, attempt: Attempt<'p>, below: Vec<Branch>) {
        let Attempt { mut state, mut clocks, result, footprint, picks, inputs, undefined } = attempt;
        let index = self.nodes.len() - 1;
        let waits = self.ends.vm.may_wait(&self.nodes[index].state, thread);
        let step = Step { thread, picks: picks.into(), footprint: Arc::new(footprint) };
        let node = &self.nodes[index];
        let stays = |other: &&Step| !other.depends_on(&step, self.setting);
        let sleep: Vec<Step> = node.sleep.iter().filter(stays).cloned().collect();
        let mut spins = node.spins;
        self.execution.push(step, inputs, waits);
        self.ends.found.transitions += 1;
        self.ends.found.threads = self.ends.found.threads.max(state.threads.len());
        self.note(result, &undefined, clocks.as_mut(), &mut state, thread);
        let before = self.nodes.iter().map(|node| &node.state);
        if self.spins.only_waits(&self.execution, before, &state, thread) {
            Arc::make_mut(&mut state.threads[thread as usize]).status = Status::Stopped;
            spins = true;
        }
        let node = self.node(state, clocks, sleep, below, spins);
        self.nodes.push(node);
    }

    /// What the last step broke. Its thread stops there, if it broke something.
    fn note(
        &mut self,
        result: StepResult,
        undefined: &[Property],
        clocks: Option<&mut RaceDetector<'p>>,
        state: &mut State,
        thread: ThreadId,
    ) {
        let race = clocks.and_then(RaceDetector::take_race);
        let is_plain = matches!(result, StepResult::Done | StepResult::Blocked);
        if is_plain && race.is_none() && undefined.is_empty() {
            return;
        }
        let execution = &self.execution;
        let is_real = execution.path_to_last().is_some();
        let path = || execution.path_to_last().unwrap_or_default();
        if is_real {
            self.ends.note_undefined(undefined, &self.root, &path);
            if let Some(race) = &race {
                self.ends.raced(race, &self.root, &path);
            }
        }
        if is_plain {
            return;
        }
        if is_real {
            self.ends.ended(result, &self.root, &path);
        }
        stop(state, thread);
        self.execution.events.last_mut().expect("the step at hand").violates = true;
    }

    /// Tries a step whose first inputs are given, with what it depends on. One that may wait depends on what would make it
    /// wait with other inputs.
    fn attempt_with(&mut self, node: usize, thread: ThreadId, picks: &[Pick]) -> Attempt<'p> {
        let Node { state, clocks, .. } = &self.nodes[node];
        let (state, clocks) = (state.clone(), clocks.clone());
        self.attempt_in(state, clocks, thread, picks)
    }

    fn attempt_in(
        &mut self,
        state: State,
        clocks: Option<RaceDetector<'p>>,
        thread: ThreadId,
        picks: &[Pick],
    ) -> Attempt<'p> {
        let may_wait = self.ends.vm.may_wait(&state, thread);
        let others = may_wait.then(|| (state.clone(), clocks.clone()));
        let mut made =
            self.attempt(state, clocks, thread, &mut Choices::beginning_with(&self.search.values, picks));
        let Some((before, kept)) = others.filter(|_| !made.picks.is_empty()) else { return made };
        let mut choices = Choices::new(&self.search.values);
        loop {
            choices.begin();
            let other = self.attempt(before.clone(), None, thread, &mut choices);
            if other.result == StepResult::Blocked {
                made.footprint.join(other.footprint);
            } else if made.result == StepResult::Blocked && picks.is_empty() {
                let footprint = std::mem::take(&mut made.footprint);
                let picks = other.picks;
                let again = &mut Choices::beginning_with(&self.search.values, &picks);
                made = self.attempt(before.clone(), kept.clone(), thread, again);
                made.footprint.join(footprint);
            }
            if !choices.advance() {
                return made;
            }
        }
    }

    /// A step of a thread with other inputs than those that sleep.
    fn attempt_awake(&mut self, node: usize, thread: ThreadId) -> Option<Attempt<'p>> {
        let mut choices = Choices::new(&self.search.values);
        let state = self.nodes[node].state.clone();
        loop {
            choices.begin();
            let other = self.attempt(state.clone(), None, thread, &mut choices);
            let sleeps = |step: &Step| step.thread == thread && begins_with(&other.picks, &step.picks);
            if other.result != StepResult::Blocked && !self.nodes[node].sleep.iter().any(sleeps) {
                return Some(self.attempt_with(node, thread, &other.picks));
            }
            if !choices.advance() {
                return None;
            }
        }
    }

    fn attempt(
        &mut self,
        mut state: State,
        clocks: Option<RaceDetector<'p>>,
        thread: ThreadId,
        choices: &mut Choices,
    ) -> Attempt<'p> {
        let vm = self.ends.vm;
        let found = &mut self.ends.found;
        let running =
            |state: &State| state.threads.iter().filter(|thread| thread.status == Status::Running).count();
        let ran = running(&state);
        let mut watcher = Watcher::new(vm, (&mut found.passed, &mut found.unsupported))
            .with_clocks(clocks)
            .with_footprint(true)
            .with_commuting(self.commuting.as_ref());
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

    /// Whether no more work may be done; the limit is noted.
    fn is_spent(&mut self) -> bool {
        let found = &mut self.ends.found;
        if !matches!(found.limit, None | Some(Limit::Depth)) {
            return true;
        }
        let steps = found.transitions + self.repeated;
        let is_news =
            self.reported < found.violations.len() || steps >= self.told.saturating_add(STEPS_PER_PROGRESS);
        if is_news && let Some(progress) = self.search.progress {
            self.reported = found.violations.len();
            self.told = steps;
            found.executions = Some(self.executions);
            found.done = Some(part_done(&self.nodes));
            if progress(found).is_break() {
                found.limit = Some(Limit::Enough);
                return true;
            }
        }
        let blocks = found.blocks - self.paid;
        self.paid = found.blocks;
        let again = self.repeated - self.repeated_paid;
        self.repeated_paid = self.repeated;
        let units = blocks / BLOCKS_PER_UNIT + again * u64::from(UNITS_PER_STEP);
        let units = UNITS_PER_STEP.saturating_add(u32::try_from(units).unwrap_or(u32::MAX));
        let limit = match self.search.budget.map(|budget| budget.spend(units)) {
            Some(Err(exhausted)) => Limit::Budget(exhausted),
            Some(Ok(())) | None if found.blocks > self.search.max_blocks => Limit::Blocks,
            Some(Ok(())) | None if steps > self.search.max_states => Limit::States,
            Some(Ok(())) | None => return false,
        };
        found.limit = Some(limit);
        true
    }
}

/// Which part of a search is done, if all steps from a state lead to as much.
fn part_done(nodes: &[Node<'_>]) -> f64 {
    let mut done = 0.0;
    let mut weight = 1.0;
    for node in nodes {
        let left = u32::try_from(node.tree.len()).unwrap_or(u32::MAX).saturating_add(1);
        weight /= f64::from(node.searched.saturating_add(left));
        done += weight * f64::from(node.searched);
    }
    done
}

/// A thread goes no further.
fn stop(state: &mut State, thread: ThreadId) {
    let thread = Arc::make_mut(&mut state.threads[thread as usize]);
    thread.status = Status::Stopped;
    thread.atomic_depth = 0;
}
