//! Data races: two accesses that can be made at the same moment, or that nothing orders.
//!
//! # At the same moment
//! The moment is a node of its own. Whatever comes before an access in its thread is before the moment, and the access is after
//! it; so at the moment both threads are about to make their accesses. Nothing is said about what follows.
//!
//! An access inside of an atomic section may depend on what that section itself reads. Then everything it reads must have
//! been written before the moment: else the section would be another one at the moment than it is later. For the same
//! reason the locks that it takes must be free at the moment, and what it joins over. A section that comes to no end is
//! never made, and so is no access in it. One that ends the process is made, but nothing is made after it.
//!
//! So there are two ways to race with a section. Either it is made first and comes to its end; or it is made second and may read
//! what the other access has written, without which it might have waited. Where a section always comes to its end the first
//! way is enough: what it does before it touches what the other one writes is the same either way.
//!
//! # Unordered
//! Where threads can learn of each other without synchronising, accesses may be unordered that are never possible at the same
//! moment. There the accesses a and b race if both are made, a before b, and a does not happen before b: if the graph of
//! [`happens_before`](super::happens_before) still has no cycle with b put before a. So the two graphs order them differently. b cannot
//! happen before a, because what happens before has its moment before.
//!
//! This is exact, as the machine decides races by the same rules: an access that is made is one whose section, if it is in one,
//! comes to its end.

use raddle_base::{Id, Table};
use raddle_ir::Ordering;
use raddle_logic::solver::NodeId;
use raddle_logic::term::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::clauses::choice;
use super::happens_before::HappensBefore;
use super::locks::Section;
use super::reach::Reach;
use super::threads::fork_edges;
use super::{Encoding, Source};
use crate::execution_graph::events::{Access, Event, EventKind, Step, StepId, Sync, Unrolling};

/// What was said about races.
#[derive(Debug)]
pub(super) struct Races {
    /// Whether a race is looked for: implied by each of the pairs.
    pub(super) asked: TermId,
    /// Whether some pair races.
    pub(super) any: TermId,
    /// The moment at which they do; none if they are made one after the other.
    pub(super) moment: Option<NodeId>,
    /// Whether these two race.
    pub(super) pairs: Vec<(usize, usize, TermId)>,
}

impl Encoding<'_> {
    /// Says what it means that accesses race.
    pub(super) fn encode_races(&mut self, unrolling: &mut Unrolling) -> Races {
        let moment = self.add_loose_node();
        let asked = choice(&mut unrolling.terms, "race");
        let mut races = Races { asked, any: asked, moment: Some(moment), pairs: Vec::new() };
        let mut next: Vec<Option<TermId>> = vec![None; unrolling.accesses.len()];
        let mut behinds: FxHashMap<(usize, StepId), TermId> = FxHashMap::default();
        let sections = self.sections(unrolling);
        for second in 0..unrolling.accesses.len() {
            for first in 0..second {
                let Some(overlap) = self.may_race(unrolling, first, second) else { continue };
                let race = choice(&mut unrolling.terms, "races");
                self.assert_if(&mut unrolling.terms, &[race], overlap);
                self.assert_if(&mut unrolling.terms, &[race], asked);
                for (access, other) in [(first, second), (second, first)] {
                    let mut is_next = match next[access] {
                        Some(is_next) => is_next,
                        None => self.encode_next(unrolling, &sections, moment, access, None),
                    };
                    next[access] = Some(is_next);
                    if may_stay_open(unrolling, access) {
                        let other = unrolling.accesses[other].step;
                        let behind = match behinds.get(&(access, other)) {
                            Some(&behind) => behind,
                            None => self.encode_next(unrolling, &sections, moment, access, Some(other)),
                        };
                        behinds.insert((access, other), behind);
                        is_next = unrolling.terms.or(is_next, behind);
                    }
                    self.assert_if(&mut unrolling.terms, &[race], is_next);
                }
                races.pairs.push((first, second, race));
            }
        }
        races.any = unrolling.terms.or_all(races.pairs.iter().map(|&(_, _, race)| race));
        races
    }

    /// Says what it means that nothing orders accesses.
    pub(super) fn encode_unordered(&mut self, unrolling: &mut Unrolling) -> Races {
        let asked = choice(&mut unrolling.terms, "race");
        let graph = self.encode_happens_before(unrolling, asked);
        let causal = self.causal_order(unrolling);
        // Between the two accesses, in either graph.
        let between = (self.add_loose_node(), self.add_loose_node());
        let mut races = Races { asked, any: asked, moment: None, pairs: Vec::new() };
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
        let is_over = unrolling.terms.or(completes, exits);
        for (role, end) in [(earlier, completes), (later, is_over)] {
            self.assert_if(&mut unrolling.terms, &[role], guard);
            self.assert_if(&mut unrolling.terms, &[role], end);
        }
        self.node_edge_if(&unrolling.terms, &[earlier], node, moment);
        self.node_edge_if(&unrolling.terms, &[earlier], turn, stretch);
        self.node_edge_if(&unrolling.terms, &[later], moment, node);
        self.node_edge_if(&unrolling.terms, &[later], stretch, turn);
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
    fn may_race(&self, unrolling: &mut Unrolling, first: usize, second: usize) -> Option<TermId> {
        let (a, b) = (unrolling.accesses[first].step, unrolling.accesses[second].step);
        if self.is_over_when_next(a, b) || self.is_over_when_next(b, a) {
            return None;
        }
        self.conflict(unrolling, first, second)
    }

    /// The same without regard to when they are made.
    fn conflict(&self, unrolling: &mut Unrolling, first: usize, second: usize) -> Option<TermId> {
        let (a, b) = (&unrolling.accesses[first], &unrolling.accesses[second]);
        let terms = &mut unrolling.terms;
        let is_atomic = |access: &Access| access.ordering != Ordering::Plain;
        if !(a.writes || b.writes)
            || is_atomic(a) && is_atomic(b)
            || a.in_section && b.in_section
            || unrolling.steps[a.step].thread == unrolling.steps[b.step].thread
            || [a, b].iter().any(|access| terms.as_bool(access.guard) == Some(false))
            || self.apart(a.step, b.step).is_some()
        {
            return None;
        }
        let overlap = self.overlap(terms, a, b);
        (terms.as_bool(overlap) != Some(false)).then_some(overlap)
    }

    /// Whether a step is always over when another one is what its thread does next. It is not enough that the one is before
    /// the other: threads that nobody can tell apart are ordered by choice.
    fn is_over_when_next(&self, step: StepId, next: StepId) -> bool {
        self.issued_after[next].is_some_and(|earlier| self.reach.before(step, earlier))
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

    /// The condition under which an access is what its thread does next at the moment: before the other step, or behind it if
    /// one is given.
    fn encode_next(
        &mut self,
        unrolling: &mut Unrolling,
        sections: &[Section],
        moment: NodeId,
        access: usize,
        behind: Option<StepId>,
    ) -> TermId {
        let Access { step, guard, in_section, .. } = unrolling.accesses[access];
        let Step { completes, exits, .. } = unrolling.steps[step];
        let terms = &mut unrolling.terms;
        let is_next = choice(terms, "next");
        self.assert_if(terms, &[is_next], guard);
        self.solver.add_edge_if(terms, &[is_next], moment, self.nodes[step]);
        if let Some(earlier) = self.issued_after[step] {
            self.solver.add_edge_if(terms, &[is_next], self.nodes[earlier], moment);
        }
        if in_section || guard != unrolling.steps[step].begun {
            self.pin(unrolling, moment, step, is_next, behind);
        }
        if let Some(other) = behind {
            self.solver.add_edge_if(&unrolling.terms, &[is_next], self.nodes[other], self.nodes[step]);
        }
        if in_section {
            let is_over = if behind.is_some() { unrolling.terms.or(completes, exits) } else { completes };
            self.assert_if(&mut unrolling.terms, &[is_next], is_over);
            self.pin_waits(unrolling, sections, moment, step, is_next);
        }
        is_next
    }

    /// All that a step reads was written before the moment, or by the other step behind which it is made.
    fn pin(
        &mut self,
        unrolling: &mut Unrolling,
        moment: NodeId,
        step: StepId,
        is_next: TermId,
        behind: Option<StepId>,
    ) {
        let terms = &mut unrolling.terms;
        for event in &unrolling.steps[step].events {
            for &(source, seen) in self.sources.get(event).map_or(&[][..], |sources| sources) {
                // What an earlier step has read was written before the moment anyway.
                if let Source::Write(write) = source
                    && behind != Some(unrolling.events[write].step)
                {
                    let written = self.nodes[unrolling.events[write].step];
                    self.solver.add_edge_if(terms, &[is_next, seen], written, moment);
                }
            }
        }
    }
}

impl Encoding<'_> {
    /// What a step waits for has happened before the moment. It need not come to its end, so that others may never notice what it
    /// takes.
    fn pin_waits(
        &mut self,
        unrolling: &mut Unrolling,
        sections: &[Section],
        moment: NodeId,
        step: StepId,
        is_next: TermId,
    ) {
        let thread = unrolling.steps[step].thread;
        for event in unrolling.steps[step].events.clone() {
            let Event { guard, ref kind, .. } = unrolling.events[event];
            if let EventKind::Sync(Sync::Lock { address, granted }) = *kind {
                for other in sections.iter().filter(|other| unrolling.steps[other.step].thread != thread) {
                    let terms = &mut unrolling.terms;
                    let equal = self.equal_addresses(terms, address, other.address);
                    if terms.as_bool(equal) == Some(false) {
                        continue;
                    }
                    let earlier = self.before(terms, other.step, step);
                    for &(release, condition) in &other.releases {
                        let conditions = [is_next, guard, granted, other.held, equal, earlier, condition];
                        self.node_edge_if(terms, &conditions, self.nodes[release], moment);
                    }
                }
            } else if let EventKind::Sync(Sync::Join { granted, .. }) = *kind {
                for (joined, equal) in self.joined_by(unrolling, event) {
                    let steps = &unrolling.threads[joined].steps;
                    let last = self.nodes[steps[steps.len() - 1]];
                    let conditions = [is_next, guard, granted, equal];
                    self.node_edge_if(&unrolling.terms, &conditions, last, moment);
                }
            }
        }
    }
}

/// Whether an access is in a section that may not come to its end.
fn may_stay_open(unrolling: &Unrolling, access: usize) -> bool {
    let Access { step, in_section, .. } = unrolling.accesses[access];
    let Step { begun, completes, .. } = unrolling.steps[step];
    in_section && begun != completes
}

/// Whether a step starts a thread. What it does after that does not happen before what the thread does.
fn starts_thread(unrolling: &Unrolling, step: StepId) -> bool {
    let mut events = unrolling.steps[step].events.iter();
    events.any(|&event| matches!(unrolling.events[event].kind, EventKind::Sync(Sync::Fork { .. })))
}
