//! Those who search together.
//!
//! One thread owns the trees, and decides in which order what is searched. The others make executions ahead: each branch that is still to
//! be searched says how an execution begins, and behind it nothing sleeps, so how it goes on depends on nothing else. Branches are only ever
//! added, so what was made ahead is what will be asked for. It is the same execution as the owner would make, step by step, and the answer
//! does not depend on how many search; where what was made is not what is asked for, the owner makes it.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use raddle_base::Budget;
use raddle_ir::{HavocId, HavocKind};
use rustc_hash::FxHashMap;

use super::super::commuting::Commuting;
use super::super::footprint::Setting;
use super::super::{Reduction, Search};
use super::Explorer;
use super::attempt::{Attempt, Seen, may_be_enabled};
use super::execution::Partners;
use super::tree::Ticket;
use crate::choice::{Domain, Pick};
use crate::race::RaceDetector;
use crate::state::{State, ThreadId};
use crate::step::{StepResult, Vm};

/// For each that searches so many branches are made ahead.
const AHEAD: usize = 2;
/// So many executions are kept that were made ahead.
const MOST_KEPT: usize = 64;

/// What all who search together must know.
pub(super) struct Orders<'e, 'p> {
    pub(super) vm: &'e Vm<'p>,
    pub(super) setting: Setting,
    pub(super) domain: Domain,
    pub(super) reduction: Reduction,
    pub(super) commuting: Option<Commuting>,
    pub(super) preemptions: Option<u32>,
    pub(super) max_depth: usize,
    pub(super) max_states: u64,
    pub(super) max_blocks: u64,
    pub(super) budget: Option<&'e Budget>,
}

impl<'e, 'p> Orders<'e, 'p> {
    pub(super) fn new(vm: &'e Vm<'p>, search: &Search<'e>) -> Self {
        let values = if search.values.is_empty() { vec![0] } else { search.values.clone() };
        let is_fixed =
            |id: &HavocId| !search.spurious_wakeups && vm.program().havocs[*id].kind == HavocKind::Spurious;
        let fixed = vm.program().havocs.ids().filter(is_fixed).collect();
        Self {
            vm,
            setting: Setting { reuse: vm.reuse().is_some(), weak: false },
            domain: Domain { values, fixed },
            reduction: search.reduction,
            commuting: search.commutes.then(|| Commuting::of(vm)),
            preemptions: search.preemptions,
            max_depth: search.max_depth,
            max_states: search.max_states,
            max_blocks: search.max_blocks,
            budget: search.budget,
        }
    }

    /// Which pairs of events are looked at.
    pub(super) const fn partners(&self, waits: bool) -> Partners {
        match self.reduction {
            Reduction::Optimal | Reduction::Source if !waits => Partners::Last,
            Reduction::Optimal | Reduction::Source | Reduction::Classic => Partners::All,
        }
    }
}

/// How an execution goes on behind a state.
pub(super) struct Plan<'p> {
    pub(super) state: State,
    pub(super) clocks: Option<RaceDetector<'p>>,
    /// Its first steps: whose, and what their inputs get.
    pub(super) steps: Vec<(ThreadId, Vec<Pick>)>,
    /// It ends after so many.
    pub(super) most: usize,
}

/// An execution behind a state.
pub(super) struct Run<'p> {
    /// Each step that was tried: whose, which inputs it was to begin with, what came of it.
    tried: VecDeque<(ThreadId, Vec<Pick>, Attempt<'p>)>,
    seen: Seen,
    /// The steps that were asked for up to now, and behind how many others.
    used: Vec<(usize, ThreadId, Vec<Pick>)>,
}

impl<'p> Run<'p> {
    /// What came of the next step, behind so many, if it is this one.
    fn take(&mut self, node: usize, thread: ThreadId, picks: &[Pick]) -> Option<Attempt<'p>> {
        let (of, with, _) = self.tried.front()?;
        if *of != thread || with != picks {
            return None;
        }
        let (_, picks, attempt) = self.tried.pop_front()?;
        self.used.push((node, thread, picks));
        Some(attempt)
    }

    /// Makes an execution.
    fn make(orders: &Orders<'_, 'p>, domain: &Arc<Domain>, plan: Plan<'p>) -> Self {
        let Plan { state, clocks, steps, most } = plan;
        let mut run = Self { tried: VecDeque::new(), seen: Seen::nothing(orders.vm), used: Vec::new() };
        let mut at = (state, clocks);
        let mut last = None;
        let mut steps = steps.into_iter();
        for _ in 0..most {
            let made = match steps.next() {
                Some((thread, picks)) => run.attempt(orders, domain, &at, thread, picks).then_some(thread),
                None => {
                    let threads = in_order(last, at.0.threads.len());
                    let mut able = threads.filter(|&thread| may_be_enabled(orders.vm, &at.0, thread));
                    able.find(|&thread| run.attempt(orders, domain, &at, thread, Vec::new()))
                }
            };
            let (Some(thread), Some((_, _, attempt))) = (made, run.tried.back_mut()) else { break };
            attempt.stop_if_broken(thread);
            at = (attempt.state.clone(), attempt.clocks.clone());
            at.1.as_mut().map(RaceDetector::take_race);
            last = Some(thread);
        }
        run
    }

    /// Whether a step can be made.
    fn attempt(
        &mut self,
        orders: &Orders<'_, 'p>,
        domain: &Arc<Domain>,
        at: &(State, Option<RaceDetector<'p>>),
        thread: ThreadId,
        picks: Vec<Pick>,
    ) -> bool {
        let attempt = self.seen.attempt_in((orders, domain), at.clone(), thread, &picks);
        let is_made = attempt.result != StepResult::Blocked;
        self.tried.push_back((thread, picks, attempt));
        is_made
    }
}

impl<'p> Explorer<'_, 'p> {
    /// Tries a step from the last state, unless somebody has done that.
    pub(super) fn attempt_here(&mut self, thread: ThreadId, picks: &[Pick]) -> Attempt<'p> {
        let node = self.nodes.len() - 1;
        if let Some(run) = &mut self.ahead {
            if let Some(attempt) = run.take(node, thread, picks) {
                return attempt;
            }
            self.end_run();
        }
        self.attempt_with(node, thread, picks)
    }

    /// The execution that was made ahead is not needed any more. What was seen in it counts as far as its steps were asked for.
    pub(super) fn end_run(&mut self) {
        let Some(run) = self.ahead.take() else { return };
        if run.tried.is_empty() {
            self.seen.absorb(run.seen);
            return;
        }
        for (node, thread, picks) in run.used {
            self.attempt_with(node, thread, &picks);
        }
    }
}

/// The threads in the order in which they are tried where nothing is known: who made the last step comes first.
pub(super) fn in_order(last: Option<ThreadId>, count: usize) -> impl Iterator<Item = ThreadId> {
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    last.into_iter().chain((0..count).filter(move |&thread| Some(thread) != last))
}

/// Who makes executions ahead, and what they are to make and have made.
pub(super) struct Crew<'p> {
    work: Mutex<Work<'p>>,
    /// Something is to be made, or no more will be.
    called: Condvar,
    /// Something was made.
    made: Condvar,
    helpers: usize,
}

#[derive(Default)]
struct Work<'p> {
    /// The next at the end.
    plans: Vec<(Ticket, Plan<'p>)>,
    under_way: Vec<Ticket>,
    made: FxHashMap<Ticket, Run<'p>>,
    is_over: bool,
}

impl<'p> Crew<'p> {
    /// So many, beside the owner of the trees.
    pub(super) fn new(helpers: usize) -> Self {
        Self { work: Mutex::default(), called: Condvar::new(), made: Condvar::new(), helpers }
    }

    /// How many branches are to be made ahead.
    pub(super) const fn wanted(&self) -> usize {
        self.helpers * AHEAD
    }

    fn work(&self) -> MutexGuard<'_, Work<'p>> {
        self.work.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets executions be made, the last one first.
    pub(super) fn ask(&self, plans: Vec<(Ticket, Plan<'p>)>) {
        let mut work = self.work();
        work.plans.extend(plans);
        // What was asked for long ago is far away.
        let surplus = work.plans.len().saturating_sub(MOST_KEPT);
        work.plans.drain(..surplus);
        if work.made.len() > MOST_KEPT {
            let newest = work.made.keys().copied().max();
            let is_near = |ticket: Ticket| newest.is_none_or(|newest| ticket.is_near(newest, MOST_KEPT));
            work.made.retain(|&ticket, _| is_near(ticket));
        }
        drop(work);
        self.called.notify_all();
    }

    /// An execution, if it was made ahead.
    pub(super) fn take(&self, ticket: Ticket) -> Option<Run<'p>> {
        let mut work = self.work();
        work.plans.retain(|(other, _)| *other != ticket);
        while work.under_way.contains(&ticket) && !work.is_over {
            work = self.made.wait(work).unwrap_or_else(PoisonError::into_inner);
        }
        work.made.remove(&ticket)
    }

    /// Makes executions until no more are needed.
    pub(super) fn help(&self, orders: &Orders<'_, 'p>) {
        let _end = EndOfWork(self);
        let domain = Arc::new(orders.domain.clone());
        let mut work = self.work();
        while !work.is_over {
            let Some((ticket, plan)) = work.plans.pop() else {
                work = self.called.wait(work).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            work.under_way.push(ticket);
            drop(work);
            let run = Run::make(orders, &domain, plan);
            work = self.work();
            work.under_way.retain(|other| *other != ticket);
            work.made.insert(ticket, run);
            self.made.notify_all();
        }
    }
}

/// Nobody is left waiting when one of those who search together leaves, whatever the reason.
pub(super) struct EndOfWork<'c, 'p>(pub(super) &'c Crew<'p>);

impl Drop for EndOfWork<'_, '_> {
    fn drop(&mut self) {
        self.0.work().is_over = true;
        self.0.called.notify_all();
        self.0.made.notify_all();
    }
}
