//! Executions of at most so many context switches (Qadeer and Rehof: "Context-Bounded Model Checking of Concurrent Software",
//! TACAS 2005), under sequential consistency.
//!
//! A *context* is a stretch of an execution in which one thread makes all steps. With at most K switches there are K + 1 of them. The
//! order theory gets a node where each context but the first begins, and one where the last one ends (the *end*), in this order. A step is
//! in the context that its node falls into, and
//!
//! - each context has at most one owner, the first one the main thread;
//! - a step that *counts* is in a context of its thread, or behind the end;
//! - what is asked for must hold before the end.
//!
//! There is no word about edges: steps and contexts are in one order, so every edge is respected.
//!
//! # Why this is exact, for steps that count
//! A model is a whole execution, as without a bound; up to the end it has at most K switches, since all steps that count between two nodes are of one
//! thread. Such an execution is its own linearisation, so a trace that is read from it in order has no more either. Conversely take an execution that
//! shows something after at most K switches. Up to there its steps fall into at most K + 1 contexts; put the nodes between them, and the
//! end behind. The rest follows in any way: threads go on until they end, wait or are stopped, which they can, whatever they did before. It lies
//! behind the end, where nothing counts. That neighbours have different owners loses nothing: contexts that are not needed come last, and
//! have no steps and no owner.
//!
//! # What counts
//! A step counts if something of it happens that others may notice and it commits, or the process ends in it, or what is asked
//! for fails in it. One that waits for ever does not: the VM does not make it. Starts and ends of threads are no steps.
//!
//! The VM makes what a new thread does before its first visible instruction in the step that starts the thread. An access to an object of its
//! own that it gives away later is an event here, but no visible instruction there. So a step of a thread, other than the main one, counts only
//! if it is *sure* to be visible (it takes or gives back a lock, starts or joins a thread, or accesses what all threads reach from the
//! beginning), or if one before it was. Behind a visible step, what is not visible belongs to that step and to its context.
//!
//! # Direction of error
//! What is no event here (accesses that concern nobody else, iterations that were left out) is a visible step in the VM. It is not
//! counted. Leaving out a step of a sequence never adds a switch: so every execution of the VM with at most K switches is one here. The same is true of
//! all that producers do to executions: they leave steps out, or make what a step does at another step of the same thread (critical
//! sections under one lock, joins in a row), or give threads other names (threads that can be exchanged). So *safe within K switches* holds of
//! the VM's executions; what is found here is replayed, and may have more switches there.
//!
//! A deadlock is a whole execution: all that happens is before the end. Two accesses race if both are made before it.

use raddle_base::Id;
use raddle_logic::solver::NodeId;
use raddle_logic::term::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::writer::{Writer, choice};
use super::{Encoding, Found};
use crate::execution_graph::events::{EventKind, InstanceId, StepId, Sync, Unrolling};

/// What was said about contexts.
#[derive(Debug)]
pub(super) struct Contexts {
    /// How many switches there may be.
    switches: u32,
    /// Where all contexts are over.
    end: NodeId,
    /// The steps that may count.
    steps: Vec<Counted>,
    /// Whether a thread owns a context.
    owners: Vec<FxHashMap<InstanceId, TermId>>,
    /// Of steps that may fail without committing: whether that is asked for.
    failing: FxHashMap<StepId, TermId>,
}

/// A step that may count.
#[derive(Clone, Debug)]
struct Counted {
    step: StepId,
    thread: InstanceId,
    /// Whether it does.
    counts: TermId,
    /// Whether it is behind the beginning of each context but the first, and at last behind the end.
    behind: Vec<TermId>,
}

impl Contexts {
    /// If the condition holds, all contexts end behind a step.
    pub(super) fn end_behind(&self, writer: &mut Writer, terms: &Terms, condition: TermId, step: StepId) {
        writer.node_edge_if(terms, &[condition], writer.node(step), self.end);
    }
}

impl Encoding<'_> {
    /// Only executions of at most so many context switches are looked at from now on.
    pub fn bound_contexts(&mut self, unrolling: &mut Unrolling, switches: u32) {
        let failing = failing_steps(unrolling);
        let mut steps = self.counted_steps(unrolling, &failing);
        // There cannot be more switches than steps.
        let switches = switches.min(u32::try_from(steps.len()).unwrap_or(u32::MAX));
        let threads: Vec<InstanceId> = unrolling.threads.ids().collect();
        let begins: Vec<NodeId> = (0..=switches).map(|_| self.writer.add_loose_node()).collect();
        for pair in begins.windows(2) {
            self.writer.node_edge(pair[0], pair[1]);
        }
        let owners = self.own_contexts(&mut unrolling.terms, &threads, begins.len());
        let mut earlier: Option<Counted> = None;
        for counted in &mut steps {
            let node = self.writer.node(counted.step);
            let terms = &mut unrolling.terms;
            counted.behind =
                begins.iter().map(|&begin| self.writer.node_before(terms, begin, node)).collect();
            // It follows, but a clause is quicker than a cycle.
            for pair in counted.behind.windows(2) {
                self.writer.clause(terms, &[pair[1]], &[pair[0]]);
            }
            if let Some(earlier) = earlier.filter(|earlier| earlier.thread == counted.thread) {
                for (&earlier, &later) in earlier.behind.iter().zip(&counted.behind) {
                    self.writer.clause(terms, &[earlier], &[later]);
                }
            }
            for (context, owners) in owners.iter().enumerate() {
                let mut conditions = vec![counted.counts];
                conditions.extend(context.checked_sub(1).map(|before| counted.behind[before]));
                let mut otherwise = vec![counted.behind[context]];
                otherwise.extend(owners.get(&counted.thread));
                self.writer.clause(terms, &conditions, &otherwise);
            }
            earlier = Some(counted.clone());
        }
        let end = begins[begins.len() - 1];
        self.contexts = Some(Contexts { switches, end, steps, owners, failing });
    }

    /// Each context has at most one owner, and another one than the context before it.
    fn own_contexts(
        &mut self,
        terms: &mut Terms,
        threads: &[InstanceId],
        count: usize,
    ) -> Vec<FxHashMap<InstanceId, TermId>> {
        let mut owners: Vec<FxHashMap<InstanceId, TermId>> = Vec::new();
        for context in 0..count {
            let mut own = FxHashMap::default();
            for &thread in threads {
                let is_main = thread.index() == 0;
                let owns = if context == 0 { terms.bool(is_main) } else { choice(terms, "owns") };
                own.insert(thread, owns);
            }
            for (place, thread) in threads.iter().enumerate() {
                for other in &threads[..place] {
                    self.writer.clause(terms, &[own[thread], own[other]], &[]);
                }
                if let Some(before) = owners.last() {
                    self.writer.clause(terms, &[own[thread], before[thread]], &[]);
                }
            }
            owners.push(own);
        }
        owners
    }

    /// The steps that may count, in the order of threads and of program order within them.
    fn counted_steps(&self, unrolling: &mut Unrolling, failing: &FxHashMap<StepId, TermId>) -> Vec<Counted> {
        let mut steps = Vec::new();
        for thread in unrolling.threads.ids() {
            // Whether a visible step was made before.
            let mut seen = unrolling.terms.bool(thread.index() == 0);
            for step in unrolling.threads[thread].steps.clone() {
                let (mut any, mut sure) = (Vec::new(), Vec::new());
                for &event in &unrolling.steps[step].events {
                    let (guard, kind) = (unrolling.events[event].guard, unrolling.events[event].kind);
                    match self.visibility(&unrolling.terms, kind) {
                        Visibility::None => {}
                        Visibility::Perhaps => any.push(guard),
                        Visibility::Sure => {
                            any.push(guard);
                            sure.push(guard);
                        }
                    }
                }
                let (completes, exits) = (unrolling.steps[step].completes, unrolling.steps[step].exits);
                let terms = &mut unrolling.terms;
                let made = terms.or_all(
                    [Some(completes), Some(exits), failing.get(&step).copied()].into_iter().flatten(),
                );
                let (any, sure) = (terms.or_all(any), terms.or_all(sure));
                let sure = terms.and(made, sure);
                let known = terms.or(seen, sure);
                let mut counts = terms.and(made, any);
                if counts != sure {
                    counts = terms.and(counts, known);
                }
                seen = known;
                if terms.as_bool(counts) != Some(false) {
                    steps.push(Counted { step, thread, counts, behind: Vec::new() });
                }
            }
        }
        steps
    }

    fn visibility(&self, terms: &Terms, kind: EventKind) -> Visibility {
        match kind {
            EventKind::Mark => Visibility::None,
            EventKind::Sync(
                Sync::Lock { .. } | Sync::Unlock { .. } | Sync::Fork { .. } | Sync::Join { .. },
            ) => Visibility::Sure,
            EventKind::Sync(Sync::LockIsFree { .. } | Sync::ThreadExists { .. }) => Visibility::Perhaps,
            EventKind::Access { location, .. } => {
                if self.known.is_reached_by_all(terms, location.address) {
                    Visibility::Sure
                } else {
                    Visibility::Perhaps
                }
            }
        }
    }

    /// The condition under which a step comes before the end of all contexts: always, if they are not bounded.
    pub fn within_contexts(&mut self, terms: &mut Terms, step: StepId) -> TermId {
        match &self.contexts {
            Some(contexts) => {
                let node = self.writer.node(step);
                self.writer.node_before(terms, node, contexts.end)
            }
            None => terms.bool(true),
        }
    }

    /// The condition under which a check fails before the end of all contexts: just that it fails, if they are not bounded.
    pub fn fails(&mut self, unrolling: &mut Unrolling, check: usize) -> TermId {
        let (violated, step) = (unrolling.checks[check].violated, unrolling.checks[check].step);
        let Some(contexts) = &self.contexts else { return violated };
        let asked = contexts.failing.get(&step).copied();
        let made = [unrolling.steps[step].completes, unrolling.steps[step].exits];
        let terms = &mut unrolling.terms;
        let counts = match asked {
            Some(asked) => terms.or_all([made[0], made[1], asked]),
            None => terms.bool(true),
        };
        let within = self.within_contexts(terms, step);
        terms.and_all([violated, counts, within])
    }

    /// The condition under which an execution has more context switches than it may have: each context has a step, and
    /// behind them another thread than the last owner makes one. False if contexts are not bounded.
    pub fn switches_more(&self, terms: &mut Terms) -> TermId {
        let Some(contexts) = &self.contexts else { return terms.bool(false) };
        let mut all = Vec::new();
        for context in 0..contexts.owners.len() {
            let mut some = Vec::new();
            for counted in &contexts.steps {
                let mut here = vec![counted.counts];
                here.extend(context.checked_sub(1).map(|before| counted.behind[before]));
                here.push(terms.not(counted.behind[context]));
                some.push(terms.and_all(here));
            }
            all.push(terms.or_all(some));
        }
        let mut later = Vec::new();
        if let Some(last) = contexts.owners.last() {
            for counted in &contexts.steps {
                let other = terms.not(last[&counted.thread]);
                let behind = counted.behind[contexts.owners.len() - 1];
                later.push(terms.and_all([counted.counts, other, behind]));
            }
        }
        all.push(terms.or_all(later));
        terms.and_all(all)
    }
}

/// Whether the VM makes a visible step where an event happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Visibility {
    None,
    Perhaps,
    Sure,
}

/// Atomic blocks in which a check may fail though they do not commit, with a symbol each: whether that is asked for.
fn failing_steps(unrolling: &mut Unrolling) -> FxHashMap<StepId, TermId> {
    let mut failing = FxHashMap::default();
    for check in &unrolling.checks {
        let step = &unrolling.steps[check.step];
        let never = unrolling.terms.as_bool(check.violated) == Some(false);
        if !never && step.completes != step.begun {
            failing.entry(check.step).or_insert_with(|| choice(&mut unrolling.terms, "fails"));
        }
    }
    failing
}

impl Found<'_> {
    /// The threads of the steps that count before the end, each context once: nothing if contexts are not bounded.
    pub(super) fn owners(&mut self, unrolling: &Unrolling) -> Vec<InstanceId> {
        let Some(contexts) = &self.encoding.contexts else { return Vec::new() };
        let counting: FxHashMap<StepId, TermId> =
            contexts.steps.iter().map(|counted| (counted.step, counted.counts)).collect();
        let steps = self.encoding.writer.order_of_steps_before(contexts.end);
        let mut owners = Vec::new();
        for step in steps {
            if counting.get(&step).is_some_and(|&counts| self.holds(unrolling, counts)) {
                owners.push(unrolling.steps[step].thread);
            }
        }
        owners.dedup();
        owners
    }

    /// An execution that has more context switches before the end than it may have.
    pub(super) fn switch_flaw(&mut self, unrolling: &Unrolling) -> Option<String> {
        let most = self.encoding.contexts.as_ref()?.switches as usize;
        let owners = self.owners(unrolling);
        (owners.len() > most + 1)
            .then(|| format!("contexts of {owners:?} are more than {most} switches make"))
    }
}
