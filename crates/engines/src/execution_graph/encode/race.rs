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

use raddle_base::{Budget, Exhausted, Id, Table};
use raddle_ir::Ordering;
use raddle_logic::solver::NodeId;
use raddle_logic::term::{TermId, Terms};

use super::contexts::Contexts;
use super::happens_before::{HappensBefore, encode_happens_before};
use super::knowledge::Knowledge;
use super::locks::CriticalSections;
use super::memory::Memory;
use super::reach::Reach;
use super::threads::{Joins, fork_edges};
use super::writer::{Writer, choice};
use crate::execution_graph::events::{Access, EventKind, Step, StepId, Sync, Unrolling};

/// What it costs of a budget to look at two accesses.
const UNITS_PER_PAIR: u32 = 1;

/// What was said about races.
#[derive(Debug)]
pub(super) struct Races {
    /// Whether a race is looked for: implied by each of the pairs.
    pub(super) asked: TermId,
    /// Whether some pair races.
    pub(super) any: TermId,
    /// Whether these two race.
    pairs: Vec<(usize, usize, TermId)>,
}

impl Races {
    /// The first two accesses that race, if this tells which terms hold.
    pub(super) fn pair(&self, mut holds: impl FnMut(TermId) -> bool) -> Option<(usize, usize)> {
        let mut racing = self.pairs.iter().filter(|&&(_, _, race)| holds(race));
        racing.next().map(|&(first, second, _)| (first, second))
    }

    /// All pairs that may race, with the condition under which they do.
    #[cfg(test)]
    pub(super) fn pairs(&self) -> &[(usize, usize, TermId)] {
        &self.pairs
    }
}

/// Writes what it means that accesses race.
#[derive(Debug)]
pub(super) struct RaceEncoder<'e, 'a> {
    pub(super) unrolling: &'e mut Unrolling,
    pub(super) known: &'e Knowledge<'a>,
    pub(super) writer: &'e mut Writer,
    pub(super) joins: &'e Joins,
    pub(super) sections: &'e CriticalSections,
    /// What bounds context switches, if something does.
    pub(super) contexts: Option<&'e Contexts>,
    pub(super) memory: &'e mut Memory,
    pub(super) budget: &'e Budget,
}

impl RaceEncoder<'_, '_> {
    /// Says what it means that accesses race.
    pub(super) fn encode(&mut self) -> Result<Races, Exhausted> {
        let asked = choice(&mut self.unrolling.terms, "race");
        let graph =
            encode_happens_before(self.unrolling, self.known, self.writer, self.memory, asked, self.budget)?;
        let causal = self.causal_order();
        // Between the two accesses, in either graph.
        let between = (self.writer.add_loose_node(), self.writer.add_loose_node());
        let mut races = Races { asked, any: asked, pairs: Vec::new() };
        let mut roles: Vec<Option<[TermId; 2]>> = vec![None; self.unrolling.accesses.len()];
        for second in 0..self.unrolling.accesses.len() {
            for first in 0..second {
                self.budget.spend(UNITS_PER_PAIR)?;
                let steps = [first, second].map(|access| self.unrolling.accesses[access].step);
                let ordered = causal.before(steps[0], steps[1]) || causal.before(steps[1], steps[0]);
                // A step that starts a thread does something behind that too, which is ordered with nothing that the thread does.
                if ordered && !steps.iter().any(|&step| starts_thread(self.unrolling, step)) {
                    continue;
                }
                let Some(overlap) = self.conflict(first, second) else { continue };
                // Whether an access is the earlier or the later one is the same in all its pairs.
                for access in [first, second] {
                    if roles[access].is_none() {
                        roles[access] = Some(self.encode_roles(&graph, between, access));
                    }
                }
                let (Some(a), Some(b)) = (roles[first], roles[second]) else { continue };
                let terms = &mut self.unrolling.terms;
                let race = choice(terms, "races");
                let (one, other) = (terms.and(a[0], b[1]), terms.and(a[1], b[0]));
                let either = terms.or(one, other);
                self.writer.assert_if(terms, &[race], overlap);
                self.writer.assert_if(terms, &[race], asked);
                self.writer.assert_if(terms, &[race], either);
                races.pairs.push((first, second, race));
            }
        }
        races.any = self.unrolling.terms.or_all(races.pairs.iter().map(|&(_, _, race)| race));
        Ok(races)
    }

    /// Whether an access is the earlier of two, and whether it is the later, while nothing orders them so.
    fn encode_roles(
        &mut self,
        graph: &HappensBefore,
        (moment, turn): (NodeId, NodeId),
        access: usize,
    ) -> [TermId; 2] {
        let Access { step, guard, synchronised, .. } = self.unrolling.accesses[access];
        let stretch = graph.stretch(self.unrolling.steps[step].thread, synchronised);
        let node = self.writer.node(step);
        let roles = ["earlier", "later"].map(|name| choice(&mut self.unrolling.terms, name));
        let Step { completes, exits, .. } = self.unrolling.steps[step];
        let [earlier, later] = roles;
        let commits = self.unrolling.terms.or(completes, exits);
        for (role, condition) in [(earlier, completes), (later, commits)] {
            self.writer.assert_if(&mut self.unrolling.terms, &[role], guard);
            self.writer.assert_if(&mut self.unrolling.terms, &[role], condition);
        }
        // In the order of moments the earlier access comes before the later one; in the graph of happens-before the later one can be
        // put before the earlier one. Both edges of each access lead by way of one node, so the pairs need no edges of their own.
        self.writer.node_edge_if(&self.unrolling.terms, &[earlier], node, moment);
        self.writer.node_edge_if(&self.unrolling.terms, &[earlier], turn, stretch);
        self.writer.node_edge_if(&self.unrolling.terms, &[later], moment, node);
        self.writer.node_edge_if(&self.unrolling.terms, &[later], stretch, turn);
        if let Some(contexts) = self.contexts {
            contexts.end_behind(self.writer, &self.unrolling.terms, later, step);
        }
        roles
    }

    /// Which steps happen before which in every execution: by program order, creation and joins.
    fn causal_order(&self) -> Reach {
        let mut chains = Table::filled(self.unrolling.steps.len(), || 0);
        let mut edges = fork_edges(self.unrolling);
        edges.extend(self.joins.edges());
        for (thread, instance) in self.unrolling.threads.iter() {
            for &step in &instance.steps {
                chains[step] = u32::try_from(thread.index()).expect("thread ids have 32 bits");
            }
            edges.extend(instance.steps.windows(2).map(|pair| (pair[0], pair[1])));
        }
        Reach::new(&chains, &edges)
    }

    /// The condition under which two accesses touch the same bytes; none if they cannot race anyway.
    fn conflict(&mut self, first: usize, second: usize) -> Option<TermId> {
        let (a, b) = (&self.unrolling.accesses[first], &self.unrolling.accesses[second]);
        let terms = &mut self.unrolling.terms;
        let is_atomic = |access: &Access| access.ordering != Ordering::Plain;
        if !(a.writes || b.writes)
            || is_atomic(a) && is_atomic(b)
            || a.in_block && b.in_block
            || self.unrolling.steps[a.step].thread == self.unrolling.steps[b.step].thread
            || [a, b].iter().any(|access| terms.as_bool(access.guard) == Some(false))
            || self.sections.apart(a.step, b.step).is_some()
        {
            return None;
        }
        let overlap = overlap(terms, self.known, a, b);
        (terms.as_bool(overlap) != Some(false)).then_some(overlap)
    }
}

/// The condition under which two accesses touch the same bytes.
fn overlap(terms: &mut Terms, known: &Knowledge<'_>, a: &Access, b: &Access) -> TermId {
    if a.size != 0 && b.size != 0 && a.address == b.address {
        return terms.bool(true);
    }
    let together = known.same_object(terms, a.address, b.address);
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

/// Whether a step starts a thread. What it does after that does not happen before what the thread does.
fn starts_thread(unrolling: &Unrolling, step: StepId) -> bool {
    let mut events = unrolling.steps[step].events.iter();
    events.any(|&event| matches!(unrolling.events[event].kind, EventKind::Sync(Sync::Fork { .. })))
}
