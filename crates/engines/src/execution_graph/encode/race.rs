//! Data races: two accesses of committed steps that happens-before leaves unordered.
//!
//! The accesses a and b race if both are made, a before b, and a does not happen before b: if the graph of
//! [`happens_before`](super::happens_before) still has no cycle with b put before a. So the two graphs order them differently. b cannot
//! happen before a, because what happens before has its moment before.
//!
//! An access is made if its guard holds and its step commits: the step is brought to its end, or the process ends in it. Behind the end of
//! the process nothing is made, so such an access can only be the later one. A step that waits or assumes false half-way has not happened.
//! Nothing else is special about atomic blocks.
//!
//! This is exact, as the VM decides races by the same rules.

use raddle_base::{Id, Table};
use raddle_ir::Ordering;
use raddle_logic::solver::NodeId;
use raddle_logic::term::{TermId, Terms};

use super::Encoding;
use super::clauses::choice;
use super::happens_before::HappensBefore;
use super::reach::Reach;
use super::threads::fork_edges;
use crate::execution_graph::events::{Access, EventKind, Step, StepId, Sync, Unrolling};

/// What was said about races.
#[derive(Debug)]
pub(super) struct Races {
    /// Whether a race is looked for: implied by each of the pairs.
    pub(super) asked: TermId,
    /// Whether some pair races.
    pub(super) any: TermId,
    /// Whether these two race.
    pub(super) pairs: Vec<(usize, usize, TermId)>,
}

impl Encoding<'_> {
    /// Says what it means that accesses race.
    pub(super) fn encode_races(&mut self, unrolling: &mut Unrolling) -> Races {
        let asked = choice(&mut unrolling.terms, "race");
        let graph = self.encode_happens_before(unrolling, asked);
        let causal = self.causal_order(unrolling);
        // Between the two accesses, in either graph.
        let between = (self.add_loose_node(), self.add_loose_node());
        let mut races = Races { asked, any: asked, pairs: Vec::new() };
        let mut roles: Vec<Option<[TermId; 2]>> = vec![None; unrolling.accesses.len()];
        for second in 0..unrolling.accesses.len() {
            for first in 0..second {
                let steps = [first, second].map(|access| unrolling.accesses[access].step);
                let ordered = causal.before(steps[0], steps[1]) || causal.before(steps[1], steps[0]);
                if ordered && !steps.iter().any(|&step| starts_thread(unrolling, step)) {
                    continue;
                }
                let Some(overlap) = self.conflict(unrolling, first, second) else { continue };
                for access in [first, second] {
                    if roles[access].is_none() {
                        roles[access] = Some(self.encode_roles(unrolling, &graph, between, access));
                    }
                }
                let (Some(a), Some(b)) = (roles[first], roles[second]) else { continue };
                let terms = &mut unrolling.terms;
                let race = choice(terms, "races");
                let (one, other) = (terms.and(a[0], b[1]), terms.and(a[1], b[0]));
                let either = terms.or(one, other);
                self.assert_if(terms, &[race], overlap);
                self.assert_if(terms, &[race], asked);
                self.assert_if(terms, &[race], either);
                races.pairs.push((first, second, race));
            }
        }
        races.any = unrolling.terms.or_all(races.pairs.iter().map(|&(_, _, race)| race));
        races
    }

    /// Whether an access is the earlier of two, and whether it is the later, while nothing orders them so.
    fn encode_roles(
        &mut self,
        unrolling: &mut Unrolling,
        graph: &HappensBefore,
        (moment, turn): (NodeId, NodeId),
        access: usize,
    ) -> [TermId; 2] {
        let Access { step, guard, synchronised, .. } = unrolling.accesses[access];
        let stretch = graph.stretch(unrolling.steps[step].thread, synchronised);
        let node = self.nodes[step];
        let roles = ["earlier", "later"].map(|name| choice(&mut unrolling.terms, name));
        let Step { completes, exits, .. } = unrolling.steps[step];
        let [earlier, later] = roles;
        let commits = unrolling.terms.or(completes, exits);
        for (role, condition) in [(earlier, completes), (later, commits)] {
            self.assert_if(&mut unrolling.terms, &[role], guard);
            self.assert_if(&mut unrolling.terms, &[role], condition);
        }
        self.node_edge_if(&unrolling.terms, &[earlier], node, moment);
        self.node_edge_if(&unrolling.terms, &[earlier], turn, stretch);
        self.node_edge_if(&unrolling.terms, &[later], moment, node);
        self.node_edge_if(&unrolling.terms, &[later], stretch, turn);
        self.stays_within_contexts(&unrolling.terms, later, node);
        roles
    }

    /// Which steps happen before which in every execution: by program order, creation and joins.
    fn causal_order(&self, unrolling: &Unrolling) -> Reach {
        let mut chains = Table::filled(unrolling.steps.len(), || 0);
        let mut edges = fork_edges(unrolling);
        edges.extend(&self.join_edges);
        for (thread, instance) in unrolling.threads.iter() {
            for &step in &instance.steps {
                chains[step] = u32::try_from(thread.index()).expect("thread ids have 32 bits");
            }
            edges.extend(instance.steps.windows(2).map(|pair| (pair[0], pair[1])));
        }
        Reach::new(&chains, &edges)
    }

    /// The condition under which two accesses touch the same bytes; none if they cannot race anyway.
    fn conflict(&self, unrolling: &mut Unrolling, first: usize, second: usize) -> Option<TermId> {
        let (a, b) = (&unrolling.accesses[first], &unrolling.accesses[second]);
        let terms = &mut unrolling.terms;
        let is_atomic = |access: &Access| access.ordering != Ordering::Plain;
        if !(a.writes || b.writes)
            || is_atomic(a) && is_atomic(b)
            || a.in_block && b.in_block
            || unrolling.steps[a.step].thread == unrolling.steps[b.step].thread
            || [a, b].iter().any(|access| terms.as_bool(access.guard) == Some(false))
            || self.apart(a.step, b.step).is_some()
        {
            return None;
        }
        let overlap = self.overlap(terms, a, b);
        (terms.as_bool(overlap) != Some(false)).then_some(overlap)
    }

    fn overlap(&self, terms: &mut Terms, a: &Access, b: &Access) -> TermId {
        if a.size != 0 && b.size != 0 && a.address == b.address {
            return terms.bool(true);
        }
        let together = self.addresses.same_object(terms, a.address, b.address);
        if a.size == 0 || b.size == 0 || terms.as_bool(together) == Some(false) {
            return together;
        }
        // The later one begins before the earlier one ends; differences wrap around.
        let width = terms.width(a.address);
        let begins_in = |terms: &mut Terms, low: TermId, size: u32, high: TermId| {
            let distance = terms.sub(high, low);
            let size = terms.bits(u128::from(size), width);
            terms.ult(distance, size)
        };
        let one = begins_in(terms, a.address, a.size, b.address);
        let other = begins_in(terms, b.address, b.size, a.address);
        terms.or(one, other)
    }
}

/// Whether a step starts a thread. What it does after that does not happen before what the thread does.
fn starts_thread(unrolling: &Unrolling, step: StepId) -> bool {
    let mut events = unrolling.steps[step].events.iter();
    events.any(|&event| matches!(unrolling.events[event].kind, EventKind::Sync(Sync::Fork { .. })))
}
