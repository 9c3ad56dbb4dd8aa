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
//! - *Pairs of events* are looked at when the later event is new, not again with each other way to go on: what follows it is searched in its
//!   own right behind the sequence that was added. Only what must be tried to be known is tried each time.
//!
//! It may be wrong in one direction only: more executions than classes, which [`Exploration::redundant`] counts.
//!
//! For comparison there are source sets without wakeup trees (the same paper, section 4), and sets as Flanagan and Godefroid find them (POPL
//! 2005): [`Reduction`]. There only the first step of a sequence is added, and executions may end with nothing left but what sleeps.

mod attempt;
mod crew;
mod execution;
mod reversal;
mod spin;
mod steps;
mod tree;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use raddle_ir::Property;

use self::attempt::{Attempt, Seen};
use self::crew::{Crew, EndOfWork, Orders, Plan, Run, in_order};
use self::execution::Execution;
use self::spin::Spins;
use self::steps::{Step, StepId, Steps};
use self::tree::{Branch, Sequence, Ticket, insert};
use super::ends::Findings;
use super::found::{Exploration, Limit};
use super::watch::Watcher;
use super::{Follower, Reduction, Search};
use crate::choice::{Choices, Domain, Pick};
use crate::leak;
use crate::race::RaceDetector;
use crate::state::{State, Status, ThreadId};
use crate::step::{StepResult, Vm};

/// What a step costs of a budget, and how many basic blocks cost one unit more.
const UNITS_PER_STEP: u64 = 6;
const BLOCKS_PER_UNIT: u64 = 8;
/// One step in this many is reported to [`Search::progress`].
const STEPS_PER_PROGRESS: u64 = 4096;

/// A state on the path, and what is to be searched from it.
struct Node<'p> {
    state: State,
    /// What happens before what by the rules of C, where that is kept.
    clocks: Option<RaceDetector<'p>>,
    sleep: Vec<StepId>,
    /// What is to be searched behind the step that is being searched.
    tree: Vec<Branch>,
    is_begun: bool,
    /// The threads that were tried here and had to wait, with what they looked at.
    refused: Vec<StepId>,
    /// How many steps were searched to their end.
    searched: u32,
    /// Some thread stopped because it only waits in a loop.
    spins: bool,
    /// How often a thread was left on the way here that could have gone on.
    preemptions: u32,
}

impl<'p> Node<'p> {
    /// A state from which nothing was searched yet.
    const fn new(state: State, clocks: Option<RaceDetector<'p>>) -> Self {
        Self {
            state,
            clocks,
            sleep: Vec::new(),
            tree: Vec::new(),
            is_begun: false,
            refused: Vec::new(),
            searched: 0,
            spins: false,
            preemptions: 0,
        }
    }
}

/// A search under way.
struct Explorer<'e, 'p> {
    orders: &'e Orders<'e, 'p>,
    progress: Option<&'e Follower<'e>>,
    /// Those who make executions ahead, if there are any.
    crew: Option<&'e Crew<'p>>,
    domain: Arc<Domain>,
    ends: Findings<'e, 'p>,
    seen: Seen,
    /// The execution at hand, as somebody has made it ahead.
    ahead: Option<Run<'p>>,
    last_ticket: Ticket,
    steps: Steps,
    spins: Spins<'p>,
    execution: Execution,
    nodes: Vec<Node<'p>>,
    /// The nodes from this one on are of no execution that came to its end.
    fresh: usize,
    root: Vec<u128>,
    reported: usize,
    /// How many steps were made again to see what a step does in another place.
    repeated: u64,
    /// How many steps and blocks were paid for.
    paid: (u64, u64),
    /// How many steps were made when progress was reported last.
    told: u64,
}

/// Searches one execution of each class.
pub(super) fn search(vm: &Vm<'_>, search: &Search<'_>) -> Exploration {
    debug_assert!(!vm.memory_model().is_weak() && search.contexts.is_none(), "the caller has looked");
    let orders = Orders::new(vm, search);
    let crew = Crew::new(search.jobs.saturating_sub(1));
    let orders = &orders;
    std::thread::scope(|scope| {
        let _end = EndOfWork(&crew);
        for _ in 1..search.jobs {
            scope.spawn(|| crew.help(orders));
        }
        let mut explorer = Explorer::new(orders, search.progress);
        explorer.crew = (search.jobs > 1).then_some(&crew);
        explorer.run();
        explorer.note_seen();
        let Explorer { ends: Findings { mut found, .. }, seen, .. } = explorer;
        found.done = None;
        found.passed = seen.passed;
        for (what, place) in seen.unsupported {
            if !found.unsupported.iter().any(|known| known.1 == place) {
                found.unsupported.push((what, place));
            }
        }
        found
    })
}

impl<'e, 'p> Explorer<'e, 'p> {
    fn new(orders: &'e Orders<'e, 'p>, progress: Option<&'e Follower<'e>>) -> Self {
        Self {
            orders,
            progress,
            crew: None,
            domain: Arc::new(orders.domain.clone()),
            ends: Findings::new(orders.vm),
            seen: Seen::nothing(orders.vm),
            ahead: None,
            last_ticket: Ticket::default(),
            steps: Steps::new(orders.setting),
            spins: Spins::new(orders.vm),
            execution: Execution::default(),
            nodes: Vec::new(),
            fresh: 0,
            root: Vec::new(),
            reported: 0,
            repeated: 0,
            paid: (0, 0),
            told: 0,
        }
    }

    fn run(&mut self) {
        let mut choices = Choices::of(&self.domain, &[]);
        loop {
            choices.begin();
            let vm = self.orders.vm;
            let clocks = vm.checks(Property::DataRace).then(|| RaceDetector::new(vm.program()));
            let seen = &mut self.seen;
            let mut watcher = Watcher::new(vm, (&mut seen.passed, &mut seen.unsupported)).with_clocks(clocks);
            let (state, result) = vm.start(&mut choices, &mut watcher);
            let Watcher { undefined, clocks, blocks, .. } = watcher;
            seen.blocks += blocks + choices.given().len() as u64;
            seen.sampled |= choices.is_sampled();
            seen.left_out |= choices.leaves_out();
            self.root = choices.given().to_vec();
            self.ends.note_undefined(&undefined, &self.root, &Vec::new);
            match result {
                StepResult::Done | StepResult::Blocked => {
                    self.push_node(Node::new(state, clocks));
                    self.search_from_root();
                }
                StepResult::Violated(_) | StepResult::Unsupported { .. } => {
                    self.count_execution();
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
            let is_too_deep = self.execution.events.len() >= self.orders.max_depth;
            let is_begun = std::mem::replace(&mut node.is_begun, true);
            if !node.tree.is_empty() {
                let branch = node.tree.remove(0);
                if is_too_deep { self.cut_off() } else { self.follow(branch) }
            } else if is_begun {
                self.leave();
            } else if is_too_deep {
                self.cut_off();
            } else {
                self.choose();
            }
            if self.is_spent() {
                return;
            }
        }
    }

    /// An execution becomes too long.
    fn cut_off(&mut self) {
        self.ends.found.limit = self.ends.found.limit.or(Some(Limit::Depth));
        self.look_back(&[]);
    }

    /// An execution was walked: adds what it shows to be missing. Some threads wait at its end.
    fn look_back(&mut self, waiting: &[StepId]) {
        self.end_run();
        self.reverse_races(waiting);
        self.fresh = usize::MAX;
        self.look_ahead();
    }

    /// Lets others make executions that come next, but for the very next one.
    fn look_ahead(&mut self) {
        let Some(crew) = self.crew else { return };
        let mut plans = Vec::new();
        let mut count = 0;
        // A loop that only waits is not recognised ahead.
        let longest = 2 * self.ends.found.depth + 64;
        'nodes: for (depth, node) in self.nodes.iter_mut().enumerate().rev() {
            for branch in &mut node.tree {
                count += 1;
                if count > crew.wanted() + 1 {
                    break 'nodes;
                }
                if count == 1 || branch.ticket.is_some() {
                    continue;
                }
                self.last_ticket = self.last_ticket.next();
                branch.ticket = Some(self.last_ticket);
                let steps = branch.first_sequence().into_iter().map(|step| {
                    let Step { thread, picks, .. } = self.steps.of(step);
                    (*thread, picks.clone())
                });
                let (state, clocks) = (node.state.clone(), node.clocks.clone());
                let most = self.orders.max_depth.saturating_sub(depth).min(longest);
                plans.push((self.last_ticket, Plan { state, clocks, steps: steps.collect(), most }));
            }
        }
        if !plans.is_empty() {
            plans.reverse();
            crew.ask(plans);
        }
    }

    fn push_node(&mut self, node: Node<'p>) {
        self.fresh = self.fresh.min(self.nodes.len());
        self.nodes.push(node);
    }

    /// Everything behind a state was searched: the step that led there sleeps from now on.
    fn leave(&mut self) {
        self.nodes.pop();
        if let (Some(event), Some(node)) = (self.execution.pop(&self.steps), self.nodes.last_mut()) {
            node.sleep.push(event.step);
            node.searched += 1;
        }
    }

    /// A step that the wakeup tree asks for.
    fn follow(&mut self, branch: Branch) {
        if let Some((crew, ticket)) = self.crew.zip(branch.ticket) {
            self.ahead = crew.take(ticket);
        }
        let Step { thread, picks, .. } = self.steps.of(branch.first());
        let (thread, picks): (ThreadId, Vec<Pick>) = (*thread, picks.clone());
        let preemptions = self.preemptions_with(thread);
        match self.attempt_here(thread, &picks) {
            attempt if attempt.result != StepResult::Blocked => {
                self.commit_within(thread, attempt, branch.rest(), preemptions);
            }
            // It was possible when it was tried, so this is not to be expected; nothing is missed all the same.
            _ => self.add_all_enabled(self.nodes.len() - 1),
        }
    }

    /// How many preemptions there are when a thread makes the next step; not counted where that does not matter.
    fn preemptions_with(&mut self, thread: ThreadId) -> u32 {
        let node = self.nodes.len() - 1;
        let before = self.nodes[node].preemptions;
        let last = self.execution.events.last().map(|event| event.thread).filter(|&last| last != thread);
        let Some(last) = last.filter(|_| self.orders.preemptions.is_some()) else { return before };
        let goes_on = self.may_be_enabled(node, last)
            && self.attempt_with(node, last, &[]).result != StepResult::Blocked;
        before.saturating_add(goes_on.into())
    }

    /// The first step of a state that nothing is known about.
    fn choose(&mut self) {
        let index = self.nodes.len() - 1;
        let last = self.execution.events.last().map(|event| event.thread);
        let before = self.nodes[index].preemptions;
        let mut sleepers = Vec::new();
        let mut waiting = Vec::new();
        for thread in in_order(last, self.nodes[index].state.threads.len()) {
            if self.nodes[index].sleep.iter().any(|&step| self.steps.thread(step) == thread) {
                sleepers.push(thread);
                continue;
            }
            if !self.may_be_enabled(index, thread) {
                continue;
            }
            let attempt = self.attempt_here(thread, &[]);
            if attempt.result != StepResult::Blocked {
                // Another thread goes on only where the last one cannot, or sleeps.
                let leaves = last.is_some_and(|last| sleepers.contains(&last));
                return self.commit_within(thread, attempt, Vec::new(), before.saturating_add(leaves.into()));
            }
            waiting.push(self.refusal(thread, attempt.footprint));
        }
        for &thread in &sleepers {
            if let Some(attempt) = self.attempt_awake(index, thread) {
                self.end_run();
                let leaves = last.is_some_and(|last| last != thread && sleepers.contains(&last));
                return self.commit_within(thread, attempt, Vec::new(), before.saturating_add(leaves.into()));
            }
        }
        if sleepers.is_empty() {
            self.ended();
        } else {
            self.ends.found.redundant += 1;
        }
        self.look_back(&waiting);
    }

    fn count_execution(&mut self) {
        let executions = &mut self.ends.found.executions;
        *executions = executions.and_then(|count| count.checked_add(1));
    }

    /// An execution has come to its end.
    fn ended(&mut self) {
        self.count_execution();
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

    /// A step was made from the last state: goes on behind it, if there may be so many preemptions.
    fn commit_within(
        &mut self,
        thread: ThreadId,
        attempt: Attempt<'p>,
        below: Vec<Branch>,
        preemptions: u32,
    ) {
        if self.orders.preemptions.is_some_and(|most| preemptions > most) {
            self.ends.found.more_preemptions = true;
            self.look_back(&[]);
        } else {
            self.commit(thread, attempt, below, preemptions);
        }
    }

    /// A step was made from the last state: goes on behind it.
    fn commit(&mut self, thread: ThreadId, attempt: Attempt<'p>, below: Vec<Branch>, preemptions: u32) {
        let Attempt { mut state, mut clocks, result, footprint, picks, inputs, undefined } = attempt;
        // Without wakeup trees, what sleeps may be some of the inputs of a step and not the others: not all are searched.
        self.seen.sampled |= !picks.is_empty() && self.orders.reduction != Reduction::Optimal;
        let waits = self.orders.vm.may_wait(&self.nodes[self.nodes.len() - 1].state, thread);
        let step = self.steps.id_of(Step { thread, picks, footprint });
        let node = &self.nodes[self.nodes.len() - 1];
        let stays = |other: &StepId| !self.steps.depend(*other, step);
        let sleep: Vec<StepId> = node.sleep.iter().copied().filter(stays).collect();
        let mut spins = node.spins;
        let partners = self.orders.partners(waits);
        self.execution.push(step, inputs, (waits, partners), &self.steps);
        self.ends.found.transitions += 1;
        self.ends.found.threads = self.ends.found.threads.max(state.threads.len());
        self.note(result, &undefined, clocks.as_mut(), &mut state, thread);
        let before = self.nodes.iter().map(|node| &node.state);
        if self.spins.only_waits(&self.execution, &self.steps, before, &state, thread) {
            Arc::make_mut(&mut state.threads[thread as usize]).status = Status::Stopped;
            spins = true;
            self.end_run();
        }
        self.push_node(Node { sleep, tree: below, spins, preemptions, ..Node::new(state, clocks) });
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

    /// A sequence is to be searched from a state, unless what was searched there leads to it, or what will be.
    fn offer(&mut self, node: usize, sequence: Sequence) {
        let Node { sleep, tree, .. } = &mut self.nodes[node];
        if !sleep.iter().any(|&step| sequence.leads_with(step, &self.steps)) {
            insert(tree, sequence, &self.steps);
        }
    }

    /// The same without wakeup trees: of a sequence, a first step is to be searched. What was searched from here counts where its thread
    /// is one of some.
    fn offer_first(&mut self, node: usize, sequence: &Sequence, threads: Option<&[ThreadId]>) {
        let Node { sleep, tree, searched, .. } = &mut self.nodes[node];
        let begins = |step: StepId| sequence.begins_with(step, &self.steps);
        let counts = |step: StepId| threads.is_none_or(|threads| threads.contains(&self.steps.thread(step)));
        let mut firsts = sequence.steps.iter().copied().filter(|&step| begins(step));
        // The first that counts; if there is none, each does.
        let first = firsts.clone().find(|&step| counts(step)).or_else(|| firsts.next());
        let is_enough =
            |step: StepId| begins(step) && first.is_none_or(|first| !counts(first) || counts(step));
        let (slept, own) = sleep.split_at(sleep.len() - *searched as usize);
        let mut known = own.iter().copied().chain(tree.iter().map(Branch::first));
        if slept.iter().any(|&step| begins(step)) || known.any(is_enough) {
            return;
        }
        tree.extend(first.map(Branch::leaf));
    }

    /// Whether no more work may be done; the limit is noted.
    fn is_spent(&mut self) -> bool {
        let found = &mut self.ends.found;
        if !matches!(found.limit, None | Some(Limit::Depth)) {
            return true;
        }
        let made = found.transitions + self.repeated;
        let is_news =
            self.reported < found.violations.len() || made >= self.told.saturating_add(STEPS_PER_PROGRESS);
        if is_news && self.report_progress() {
            return true;
        }
        let Self { ends: Findings { found, .. }, seen, orders, .. } = self;
        (found.blocks, found.sampled, found.no_spurious_wakeups) = (seen.blocks, seen.sampled, seen.left_out);
        let (blocks, paid) = (found.blocks - self.paid.1, made - self.paid.0);
        self.paid = (made, found.blocks);
        let units = u64::max(1, blocks / BLOCKS_PER_UNIT + paid * UNITS_PER_STEP);
        let units = u32::try_from(units).unwrap_or(u32::MAX);
        let limit = match orders.budget.map(|budget| budget.spend(units)) {
            Some(Err(exhausted)) => Limit::Budget(exhausted),
            Some(Ok(())) | None if found.blocks > orders.max_blocks => Limit::Blocks,
            Some(Ok(())) | None if made > orders.max_states => Limit::States,
            Some(Ok(())) | None => return false,
        };
        found.limit = Some(limit);
        true
    }

    /// What was seen while steps were tried counts as found.
    const fn note_seen(&mut self) {
        let Self { ends: Findings { found, .. }, seen, .. } = self;
        found.blocks = seen.blocks;
        found.sampled = seen.sampled;
        found.no_spurious_wakeups = seen.left_out;
    }

    /// Tells how far the search has come; whether it is to end.
    fn report_progress(&mut self) -> bool {
        self.reported = self.ends.found.violations.len();
        self.told = self.ends.found.transitions + self.repeated;
        let Some(progress) = self.progress else { return false };
        self.ends.found.done = Some(part_done(&self.nodes));
        let ends = progress(&self.ends.found).is_break();
        if ends {
            self.ends.found.limit = Some(Limit::Enough);
        }
        ends
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
