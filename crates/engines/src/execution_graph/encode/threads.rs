//! Creation of threads, waiting for their ends, and the question whether one exists.
//!
//! Owns the ends of threads that always come before something, which races need again.

use raddle_base::{Budget, Exhausted};
use raddle_logic::term::TermId;

use super::facts;
use super::knowledge::Knowledge;
use super::writer::Writer;
use crate::execution_graph::events::{EventId, EventKind, InstanceId, StepId, Sync, Unrolling};

/// What it costs of a budget to encode a join.
const UNITS_PER_JOIN: u32 = 5;

/// From each creation of a thread to its first step.
pub(super) fn fork_edges(unrolling: &Unrolling) -> Vec<(StepId, StepId)> {
    let threads = unrolling.threads.values();
    let edge = |fork: EventId, first: StepId| (unrolling.events[fork].step, first);
    threads.filter_map(|thread| Some(edge(thread.fork?, *thread.steps.first()?))).collect()
}

/// A wait for a thread's end.
#[derive(Clone, Copy, Debug)]
struct Join {
    event: EventId,
    result: TermId,
    /// It happens and is granted.
    granted: TermId,
}

/// A thread that a thread id may name.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub(super) thread: InstanceId,
    /// Whether the id names it.
    pub(super) equal: TermId,
}

/// The threads whose end a join may have waited for, and whether its thread id names them.
pub(super) fn joined_by(unrolling: &mut Unrolling, writer: &Writer, event: EventId) -> Vec<Named> {
    let EventKind::Sync(Sync::Join { thread_id, .. }) = unrolling.events[event].kind else {
        return Vec::new();
    };
    let step = unrolling.events[event].step;
    let mut named = Vec::new();
    // Whoever has a thread's id as a symbol got it when that thread was started: no other has it.
    let known = unrolling.threads.iter().find(|(_, thread)| thread.thread_id == thread_id).map(|(id, _)| id);
    for thread in unrolling.threads.ids() {
        let instance = &unrolling.threads[thread];
        let Some(&end) = instance.steps.last() else { continue };
        let possible = thread != unrolling.steps[step].thread
            && (!unrolling.dynamic_thread_ids || known.is_none_or(|known| known == thread))
            && unrolling.terms.as_bool(instance.ended) != Some(false)
            && !writer.always_before(step, end);
        let equal = unrolling.terms.eq(thread_id, instance.thread_id);
        if possible && unrolling.terms.as_bool(equal) != Some(false) {
            named.push(Named { thread, equal });
        }
    }
    named
}

/// Says when threads run, and gives what is known of joins.
pub(super) fn encode_threads(
    unrolling: &mut Unrolling,
    known: &mut Knowledge<'_>,
    writer: &mut Writer,
    budget: &Budget,
) -> Result<Joins, Exhausted> {
    let mut encoder = ThreadEncoder { unrolling, known, writer, joins: Joins::default() };
    encoder.encode(budget)?;
    Ok(encoder.joins)
}

/// Ends of threads that are always before something.
#[derive(Debug, Default)]
pub(super) struct Joins {
    /// The end of a thread, and what always comes after joining it.
    edges: Vec<(StepId, StepId)>,
}

impl Joins {
    /// The end of a thread, and what always comes after joining it.
    pub(super) fn edges(&self) -> &[(StepId, StepId)] {
        &self.edges
    }
}

#[derive(Debug)]
struct ThreadEncoder<'e, 'a> {
    unrolling: &'e mut Unrolling,
    known: &'e mut Knowledge<'a>,
    writer: &'e mut Writer,
    joins: Joins,
}

impl ThreadEncoder<'_, '_> {
    fn encode(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        if self.unrolling.dynamic_thread_ids {
            self.encode_thread_ids();
        }
        budget.check()?;
        let mut joins = Vec::new();
        let mut queries = Vec::new();
        for (event, what) in self.unrolling.events.iter() {
            match what.kind {
                EventKind::Sync(Sync::Join { granted, result, .. }) => joins.push((event, granted, result)),
                EventKind::Sync(Sync::ThreadExists { thread_id, exists }) => {
                    queries.push((event, thread_id, exists));
                }
                EventKind::Sync(
                    Sync::Lock { .. } | Sync::Unlock { .. } | Sync::LockIsFree { .. } | Sync::Fork { .. },
                )
                | EventKind::Access { .. }
                | EventKind::Mark => {}
            }
        }
        let mut waits = Vec::new();
        for (event, granted, result) in joins {
            let granted = self.unrolling.terms.and(self.unrolling.events[event].guard, granted);
            let join = Join { event, result, granted };
            let named = joined_by(self.unrolling, self.writer, event);
            if let &[only] = &named[..] {
                self.order_after_join(join, only.thread);
            }
            waits.push((join, named));
        }
        // All static order is known now.
        for (join, named) in waits {
            budget.spend(UNITS_PER_JOIN)?;
            self.encode_join(join, &named);
        }
        for (event, thread_id, exists) in queries {
            budget.spend(UNITS_PER_JOIN)?;
            self.encode_exists(event, thread_id, exists);
        }
        Ok(())
    }

    /// A thread id is one more than the threads that were started before it.
    fn encode_thread_ids(&mut self) {
        let started: Vec<(InstanceId, EventId)> =
            self.unrolling.threads.iter().filter_map(|(id, thread)| Some((id, thread.fork?))).collect();
        let width = usize::BITS - started.len().leading_zeros();
        for (index, &(thread, fork)) in started.iter().enumerate() {
            let mut id = self.unrolling.terms.bits(1, width);
            for &(_, other) in started.iter().filter(|&&(_, other)| other != fork) {
                let (step, earlier) = (self.unrolling.events[fork].step, self.unrolling.events[other].step);
                let terms = &mut self.unrolling.terms;
                let before = if earlier == step {
                    terms.bool(other < fork)
                } else {
                    self.writer.before(terms, earlier, step)
                };
                let counts = terms.and(self.known.effective(other), before);
                let bit = terms.bool_to_bit(counts);
                let one = if width > 1 { terms.zero_extend(width - 1, bit) } else { bit };
                id = terms.add(id, one);
            }
            let terms = &mut self.unrolling.terms;
            let id = terms.resize(id, 32, false);
            let right = terms.eq(self.unrolling.threads[thread].thread_id, id);
            // Also if the atomic block it is in does not commit: what the block does may depend on it.
            self.writer.assert_if(terms, &[self.unrolling.events[fork].guard], right);
            // It follows, but not easily.
            for &(other, earlier) in &started[..index] {
                let differ = terms
                    .ne(self.unrolling.threads[thread].thread_id, self.unrolling.threads[other].thread_id);
                self.writer.assert_if(
                    terms,
                    &[self.known.effective(fork), self.known.effective(earlier)],
                    differ,
                );
            }
        }
    }

    /// If only one thread can be waited for, its end is before all that follows the join, provided that whatever
    /// follows in program order comes by way of the join.
    fn order_after_join(&mut self, join: Join, joined: InstanceId) {
        let step = self.unrolling.events[join.event].step;
        let position = self.known.position(step) as usize;
        let later = &self.unrolling.threads[self.unrolling.steps[step].thread].steps[position + 1..];
        let (Some(&end), Some(&next)) = (self.unrolling.threads[joined].steps.last(), later.first()) else {
            return;
        };
        let terms = &self.unrolling.terms;
        // A step behind the join on a path around it happens without waiting; its guard does not imply that the join was granted.
        let all_by_way_of_it = later.iter().all(|&step| {
            let facts = self.known.facts(terms, self.unrolling.steps[step].begun);
            terms.as_bool(self.unrolling.steps[step].begun) == Some(false)
                || facts::implied(terms, &[&facts], join.granted)
        });
        // Under weak memory models the next step may not be where the join's effect begins, but a join is a fence.
        if all_by_way_of_it && self.writer.always_before(step, next) && self.writer.order(end, next) {
            self.joins.edges.push((end, next));
        }
    }

    /// A granted join has waited for the end of the thread that its thread id names.
    fn encode_join(&mut self, join: Join, named: &[Named]) {
        let step = self.unrolling.events[join.event].step;
        let mut options = Vec::new();
        for &Named { thread, equal } in named {
            let instance = &self.unrolling.threads[thread];
            let (ended, result, end) = (instance.ended, instance.result, instance.steps.last().copied());
            let terms = &mut self.unrolling.terms;
            let waited = terms.and(equal, ended);
            options.push(waited);
            if let Some(end) = end {
                // If this is the only thread, being granted is reason enough.
                let conditions: &[TermId] =
                    if named.len() == 1 { &[join.granted] } else { &[join.granted, equal, ended] };
                self.writer.edge_if(terms, conditions, end, step);
                let same = terms.eq(join.result, result);
                self.writer.assert_if(terms, conditions, same);
            }
        }
        let terms = &mut self.unrolling.terms;
        let any = terms.or_all(options);
        self.writer.assert_if(terms, &[join.granted], any);
    }

    /// A thread exists if it is the main thread, or if it was created before.
    fn encode_exists(&mut self, event: EventId, asked: TermId, exists: TermId) {
        let step = self.unrolling.events[event].step;
        let mut options = Vec::new();
        for thread in self.unrolling.threads.ids() {
            let instance = &self.unrolling.threads[thread];
            let (fork, thread_id) = (instance.fork, instance.thread_id);
            let equal = self.unrolling.terms.eq(asked, thread_id);
            if self.unrolling.terms.as_bool(equal) == Some(false) {
                continue;
            }
            let option = match fork {
                None => equal,
                Some(fork) => {
                    let created = self.unrolling.events[fork].step;
                    let before = self.writer.before(&mut self.unrolling.terms, created, step);
                    self.unrolling.terms.and_all([equal, self.known.effective(fork), before])
                }
            };
            options.push(option);
        }
        let terms = &mut self.unrolling.terms;
        let any = terms.or_all(options);
        let right = terms.eq(exists, any);
        self.writer.assert_if(terms, &[self.unrolling.events[event].guard], right);
    }
}
