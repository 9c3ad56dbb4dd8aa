//! Creation of threads, waiting for their ends, and the question whether one exists.

use raddle_logic::term::TermId;

use super::{Encoding, facts};
use crate::execution_graph::events::{EventId, EventKind, InstanceId, StepId, Sync, Unrolling};

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
    thread_id: TermId,
    result: TermId,
    /// It happens and is granted.
    granted: TermId,
}

/// A thread that a thread id may name.
#[derive(Clone, Copy, Debug)]
struct Named {
    thread: InstanceId,
    /// Whether the id names it.
    equal: TermId,
}

impl Encoding<'_> {
    pub(super) fn encode_threads(&mut self, unrolling: &mut Unrolling) {
        if unrolling.dynamic_thread_ids {
            self.encode_thread_ids(unrolling);
        }
        let mut joins = Vec::new();
        let mut queries = Vec::new();
        for (event, what) in unrolling.events.iter() {
            match what.kind {
                EventKind::Sync(Sync::Join { thread_id, granted, result }) => {
                    joins.push((event, thread_id, granted, result));
                }
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
        for (event, thread_id, granted, result) in joins {
            let granted = unrolling.terms.and(unrolling.events[event].guard, granted);
            let join = Join { event, thread_id, result, granted };
            let named = self.joinable(unrolling, join);
            if let &[only] = &named[..] {
                self.order_after_join(unrolling, join, only.thread);
            }
            waits.push((join, named));
        }
        // All static order is known now.
        for (join, named) in waits {
            self.encode_join(unrolling, join, &named);
        }
        for (event, thread_id, exists) in queries {
            self.encode_exists(unrolling, event, thread_id, exists);
        }
    }

    /// A thread id is one more than the threads that were started before it.
    fn encode_thread_ids(&mut self, unrolling: &mut Unrolling) {
        let started: Vec<(InstanceId, EventId)> =
            unrolling.threads.iter().filter_map(|(id, thread)| Some((id, thread.fork?))).collect();
        let width = usize::BITS - started.len().leading_zeros();
        for (place, &(thread, fork)) in started.iter().enumerate() {
            let mut id = unrolling.terms.bits(1, width);
            for &(_, other) in started.iter().filter(|&&(_, other)| other != fork) {
                let (step, earlier) = (unrolling.events[fork].step, unrolling.events[other].step);
                let terms = &mut unrolling.terms;
                let before = if earlier == step {
                    terms.bool(other < fork)
                } else {
                    self.before(terms, earlier, step)
                };
                let counts = terms.and(self.effective[other], before);
                let bit = terms.bool_to_bit(counts);
                let one = if width > 1 { terms.zero_extend(width - 1, bit) } else { bit };
                id = terms.add(id, one);
            }
            let terms = &mut unrolling.terms;
            let id = terms.resize(id, 32, false);
            let right = terms.eq(unrolling.threads[thread].thread_id, id);
            // Also if the atomic block it is in does not commit: what the block does may depend on it.
            self.assert_if(terms, &[unrolling.events[fork].guard], right);
            // It follows, but not easily.
            for &(other, earlier) in &started[..place] {
                let differ =
                    terms.ne(unrolling.threads[thread].thread_id, unrolling.threads[other].thread_id);
                self.assert_if(terms, &[self.effective[fork], self.effective[earlier]], differ);
            }
        }
    }

    /// The threads whose end a join may have waited for.
    fn joinable(&self, unrolling: &mut Unrolling, join: Join) -> Vec<Named> {
        let step = unrolling.events[join.event].step;
        let mut named = Vec::new();
        // Whoever has a thread's id as a symbol got it when that thread was started: no other has it.
        let known =
            unrolling.threads.iter().find(|(_, thread)| thread.thread_id == join.thread_id).map(|(id, _)| id);
        for thread in unrolling.threads.ids() {
            let instance = &unrolling.threads[thread];
            let Some(&end) = instance.steps.last() else { continue };
            let possible = thread != unrolling.steps[step].thread
                && (!unrolling.dynamic_thread_ids || known.is_none_or(|known| known == thread))
                && unrolling.terms.as_bool(instance.ended) != Some(false)
                && !self.reach.before(step, end);
            let equal = unrolling.terms.eq(join.thread_id, instance.thread_id);
            if possible && unrolling.terms.as_bool(equal) != Some(false) {
                named.push(Named { thread, equal });
            }
        }
        named
    }

    /// The threads whose end a join may have waited for, and whether its thread id names them.
    pub(super) fn joined_by(&self, unrolling: &mut Unrolling, event: EventId) -> Vec<(InstanceId, TermId)> {
        let EventKind::Sync(Sync::Join { thread_id, granted, result }) = unrolling.events[event].kind else {
            return Vec::new();
        };
        let named = self.joinable(unrolling, Join { event, thread_id, result, granted });
        named.into_iter().map(|named| (named.thread, named.equal)).collect()
    }

    /// If only one thread can be waited for, its end is before all that follows the join, provided that whatever
    /// follows in program order comes by way of the join.
    fn order_after_join(&mut self, unrolling: &Unrolling, join: Join, joined: InstanceId) {
        let step = unrolling.events[join.event].step;
        let place = self.positions[step] as usize;
        let later = &unrolling.threads[unrolling.steps[step].thread].steps[place + 1..];
        let (Some(&end), Some(&next)) = (unrolling.threads[joined].steps.last(), later.first()) else {
            return;
        };
        let terms = &unrolling.terms;
        let all_by_way_of_it = later.iter().all(|&step| {
            let facts = self.facts.of(terms, unrolling.steps[step].begun);
            terms.as_bool(unrolling.steps[step].begun) == Some(false)
                || facts::implied(terms, &[&facts], join.granted)
        });
        // Under weak memory models the next step may not be where the join's effect begins, but a join is a fence.
        if all_by_way_of_it && self.reach.before(step, next) && self.reach.add(end, next) {
            self.solver_edge(end, next);
            self.join_edges.push((end, next));
        }
    }

    /// A granted join has waited for the end of the thread that its thread id names.
    fn encode_join(&mut self, unrolling: &mut Unrolling, join: Join, named: &[Named]) {
        let step = unrolling.events[join.event].step;
        let mut options = Vec::new();
        for &Named { thread, equal } in named {
            let instance = &unrolling.threads[thread];
            let (ended, result, end) = (instance.ended, instance.result, instance.steps.last().copied());
            let terms = &mut unrolling.terms;
            let waited = terms.and(equal, ended);
            options.push(waited);
            if let Some(end) = end {
                // If this is the only thread, being granted is reason enough.
                let conditions: &[TermId] =
                    if named.len() == 1 { &[join.granted] } else { &[join.granted, equal, ended] };
                self.edge_if(terms, conditions, end, step);
                let same = terms.eq(join.result, result);
                self.assert_if(terms, conditions, same);
            }
        }
        let terms = &mut unrolling.terms;
        let any = terms.or_all(options);
        self.assert_if(terms, &[join.granted], any);
    }

    /// A thread exists if it is the main thread, or if it was created before.
    fn encode_exists(&mut self, unrolling: &mut Unrolling, event: EventId, asked: TermId, exists: TermId) {
        let step = unrolling.events[event].step;
        let mut options = Vec::new();
        for thread in unrolling.threads.ids() {
            let instance = &unrolling.threads[thread];
            let (fork, thread_id) = (instance.fork, instance.thread_id);
            let equal = unrolling.terms.eq(asked, thread_id);
            if unrolling.terms.as_bool(equal) == Some(false) {
                continue;
            }
            let option = match fork {
                None => equal,
                Some(fork) => {
                    let created = unrolling.events[fork].step;
                    let before = self.before(&mut unrolling.terms, created, step);
                    unrolling.terms.and_all([equal, self.effective[fork], before])
                }
            };
            options.push(option);
        }
        let terms = &mut unrolling.terms;
        let any = terms.or_all(options);
        let right = terms.eq(exists, any);
        self.assert_if(terms, &[unrolling.events[event].guard], right);
    }

    fn solver_edge(&mut self, before: StepId, after: StepId) {
        self.solver.add_edge(self.nodes[before], self.nodes[after]);
    }
}
