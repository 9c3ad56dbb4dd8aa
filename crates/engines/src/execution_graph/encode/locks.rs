//! Locks: of two critical sections of one lock, one is over before the other begins.
//!
//! Nothing is said about the lock's memory. A section that is never left keeps others out for ever. A lock that is taken in an
//! atomic section which comes to no end keeps nobody out, but must be free for it.

use raddle_base::Table;
use raddle_logic::term::{TermId, Terms};

use super::{Encoding, facts};
use crate::execution_graph::events::{EventId, EventKind, StepId, Sync, Unrolling};

/// A critical section.
#[derive(Clone, Debug)]
pub(super) struct Section {
    /// The lock event's step.
    pub(super) step: StepId,
    pub(super) address: TermId,
    /// Whether the lock is taken.
    taken: TermId,
    /// Whether others notice that.
    pub(super) held: TermId,
    /// Where it is left, and under which condition.
    pub(super) releases: Vec<(StepId, TermId)>,
    /// Whether it is left at all.
    pub(super) released: TermId,
}

impl Encoding<'_> {
    /// All critical sections that may happen.
    pub(super) fn sections(&self, unrolling: &mut Unrolling) -> Vec<Section> {
        let mut sections = Vec::new();
        for place in 0..unrolling.acquisitions.len() {
            let acquisition = unrolling.acquisitions[place].clone();
            let EventKind::Sync(Sync::Lock { address, granted }) = unrolling.events[acquisition.lock].kind
            else {
                continue;
            };
            let terms = &mut unrolling.terms;
            let held = terms.and(self.effective[acquisition.lock], granted);
            let taken = terms.and(unrolling.events[acquisition.lock].guard, granted);
            if terms.as_bool(taken) == Some(false) {
                continue;
            }
            let mut releases = Vec::new();
            for (unlock, condition) in acquisition.releases {
                let condition = terms.and(self.effective[unlock], condition);
                if terms.as_bool(condition) != Some(false) {
                    releases.push((unrolling.events[unlock].step, condition));
                }
            }
            let released = terms.or_all(releases.iter().map(|&(_, condition)| condition));
            let step = unrolling.events[acquisition.lock].step;
            sections.push(Section { step, address, taken, held, releases, released });
        }
        sections
    }

    /// Finds, for each step, the sections that its thread is in for sure whenever it comes there.
    fn find_insides(&mut self, unrolling: &Unrolling, sections: &[Section]) {
        self.section_steps = sections.iter().map(|section| section.step).collect();
        self.inside = Table::filled(unrolling.steps.len(), Vec::new);
        for (index, section) in sections.iter().enumerate() {
            let place = self.positions[section.step] as usize;
            let steps = &unrolling.threads[unrolling.steps[section.step].thread].steps;
            // Behind the first place where it may be left, nothing is sure.
            let left = section.releases.iter().map(|&(step, _)| self.positions[step] as usize).min();
            let left = left.unwrap_or(steps.len());
            for &step in steps.get(place + 1..left).unwrap_or_default() {
                let facts = self.facts.of(&unrolling.terms, unrolling.steps[step].begun);
                if facts::implied(&unrolling.terms, &[&facts], section.held) {
                    self.inside[step].push((section.address, index));
                }
            }
        }
    }

    pub(super) fn encode_locks(&mut self, unrolling: &mut Unrolling) {
        let sections = self.sections(unrolling);
        self.find_insides(unrolling, &sections);
        for (place, a) in sections.iter().enumerate() {
            for b in &sections[place + 1..] {
                if unrolling.steps[a.step].thread != unrolling.steps[b.step].thread {
                    self.exclude(&mut unrolling.terms, a, b);
                }
            }
        }
        let lookups: Vec<(EventId, TermId, TermId)> = unrolling
            .events
            .iter()
            .filter_map(|(event, what)| match what.kind {
                EventKind::Sync(Sync::LockIsFree { address, free }) => Some((event, address, free)),
                EventKind::Sync(
                    Sync::Lock { .. }
                    | Sync::Unlock { .. }
                    | Sync::Fork { .. }
                    | Sync::Join { .. }
                    | Sync::ThreadExists { .. },
                )
                | EventKind::Access { .. }
                | EventKind::Mark => None,
            })
            .collect();
        for (event, address, free) in lookups {
            self.encode_is_free(unrolling, &sections, event, address, free);
        }
    }

    /// The condition under which two addresses are equal: constantly false if they cannot be.
    pub(super) fn equal_addresses(&self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        let equal = terms.eq(a, b);
        if terms.as_bool(equal).is_some() || self.addresses.may_be_equal(terms, a, b) {
            return equal;
        }
        terms.bool(false)
    }

    /// If both sections happen, one is left before the other is entered. The later one need not be noticed by anybody.
    fn exclude(&mut self, terms: &mut Terms, a: &Section, b: &Section) {
        let equal = self.equal_addresses(terms, a.address, b.address);
        if terms.as_bool(equal) == Some(false) {
            return;
        }
        let behind_a = terms.and_all([a.held, b.taken, equal]);
        let behind_b = terms.and_all([b.held, a.taken, equal]);
        if self.reach.before(a.step, b.step) {
            self.leave_first(terms, &[behind_a], a, b);
        } else if self.reach.before(b.step, a.step) {
            self.leave_first(terms, &[behind_b], b, a);
        } else {
            let a_first = self.before(terms, a.step, b.step);
            let b_first = terms.not(a_first);
            self.leave_first(terms, &[behind_a, a_first], a, b);
            self.leave_first(terms, &[behind_b, b_first], b, a);
        }
    }

    /// If the conditions hold, the first section is left before the second is entered.
    fn leave_first(&mut self, terms: &mut Terms, conditions: &[TermId], first: &Section, second: &Section) {
        self.assert_if(terms, conditions, first.released);
        for &(step, condition) in &first.releases {
            // With one release there is no other way out.
            let mut conditions = conditions.to_vec();
            if first.releases.len() > 1 {
                conditions.push(condition);
            }
            self.edge_if(terms, &conditions, step, second.step);
        }
    }

    /// A lock is free if every section of it that was entered before was also left before.
    fn encode_is_free(
        &mut self,
        unrolling: &mut Unrolling,
        sections: &[Section],
        event: EventId,
        address: TermId,
        free: TermId,
    ) {
        let step = unrolling.events[event].step;
        let terms = &mut unrolling.terms;
        let mut takers = Vec::new();
        for section in sections.iter().filter(|section| section.step != step) {
            let equal = self.equal_addresses(terms, address, section.address);
            if terms.as_bool(equal) == Some(false) {
                continue;
            }
            let entered = self.before(terms, section.step, step);
            if terms.as_bool(entered) == Some(false) {
                continue;
            }
            let mut inside = vec![equal, section.held, entered];
            for &(release, condition) in section.releases.iter().filter(|(release, _)| *release != step) {
                let left = self.before(terms, release, step);
                let left = terms.and(condition, left);
                inside.push(terms.not(left));
            }
            takers.push(terms.and_all(inside));
        }
        let taken = terms.or_all(takers);
        let not_taken = terms.not(taken);
        let right = terms.eq(free, not_taken);
        self.assert_if(terms, &[unrolling.events[event].guard], right);
    }
}
