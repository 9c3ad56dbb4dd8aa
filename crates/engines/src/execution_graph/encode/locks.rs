//! Locks: of two critical sections of one lock, one is over before the other begins.
//!
//! Owns the critical sections, and which of them a thread is in for sure at each step. Nothing is said about the lock's memory. A
//! critical section that is never left keeps others out for ever. A lock that is taken in an atomic block that does not commit
//! keeps nobody out, but must be free for it.

use raddle_base::{Budget, Exhausted, Id, Table, define_id};
use raddle_logic::term::{TermId, Terms};

use super::facts;
use super::knowledge::Knowledge;
use super::writer::Writer;
use crate::execution_graph::events::{EventId, EventKind, InstanceId, StepId, Sync, Unrolling};

/// What it costs of a budget to look at two critical sections.
const UNITS_PER_PAIR: u32 = 2;

define_id!(
    /// A critical section.
    pub(super) struct SectionId, "critical section"
);

/// A critical section that may happen.
#[derive(Clone, Debug)]
pub(super) struct CriticalSection {
    /// The lock event's step.
    pub(super) step: StepId,
    pub(super) thread: InstanceId,
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

/// All critical sections that may happen.
#[derive(Debug)]
pub(super) struct CriticalSections {
    all: Table<SectionId, CriticalSection>,
    /// For each step, those that its thread is in for sure when it comes there: the lock, and which.
    inside: Table<StepId, Vec<(TermId, SectionId)>>,
}

impl CriticalSections {
    pub(super) fn new(unrolling: &mut Unrolling, known: &mut Knowledge<'_>) -> Self {
        let mut all = Table::new();
        for index in 0..unrolling.acquisitions.len() {
            let acquisition = unrolling.acquisitions[index].clone();
            let EventKind::Sync(Sync::Lock { address, granted }) = unrolling.events[acquisition.lock].kind
            else {
                continue;
            };
            let terms = &mut unrolling.terms;
            let held = terms.and(known.effective(acquisition.lock), granted);
            let taken = terms.and(unrolling.events[acquisition.lock].guard, granted);
            if terms.as_bool(taken) == Some(false) {
                continue;
            }
            let mut releases = Vec::new();
            for (unlock, condition) in acquisition.releases {
                let condition = terms.and(known.effective(unlock), condition);
                if terms.as_bool(condition) != Some(false) {
                    releases.push((unrolling.events[unlock].step, condition));
                }
            }
            let released = terms.or_all(releases.iter().map(|&(_, condition)| condition));
            let step = unrolling.events[acquisition.lock].step;
            let thread = unrolling.steps[step].thread;
            all.push(CriticalSection { step, thread, address, taken, held, releases, released });
        }
        let inside = Self::find_insides(unrolling, known, &all);
        Self { all, inside }
    }

    /// Finds, for each step, the critical sections that its thread is in for sure whenever it comes there.
    fn find_insides(
        unrolling: &Unrolling,
        known: &mut Knowledge<'_>,
        all: &Table<SectionId, CriticalSection>,
    ) -> Table<StepId, Vec<(TermId, SectionId)>> {
        let mut inside = Table::filled(unrolling.steps.len(), Vec::new);
        for (id, section) in all.iter() {
            let position = known.position(section.step) as usize;
            let steps = &unrolling.threads[section.thread].steps;
            // Behind the first step where it may be left, nothing is sure.
            let left = section.releases.iter().map(|&(step, _)| known.position(step) as usize).min();
            let left = left.unwrap_or(steps.len());
            for &step in steps.get(position + 1..left).unwrap_or_default() {
                let facts = known.facts(&unrolling.terms, unrolling.steps[step].begun);
                if facts::implied(&unrolling.terms, &[&facts], section.held) {
                    inside[step].push((section.address, id));
                }
            }
        }
        inside
    }

    /// All of them.
    pub(super) fn all(&self) -> impl Iterator<Item = &CriticalSection> {
        self.all.values()
    }

    /// The step at which one begins.
    pub(super) fn begin(&self, section: SectionId) -> StepId {
        self.all[section].step
    }

    /// Those that a thread is in for sure when it comes to a step: the lock, and which.
    pub(super) fn around(&self, step: StepId) -> &[(TermId, SectionId)] {
        &self.inside[step]
    }

    /// Whether a step is in one for sure.
    pub(super) fn is_inside(&self, step: StepId, section: SectionId) -> bool {
        self.around(step).iter().any(|&(_, other)| other == section)
    }

    /// The critical section of this lock that a step is in for sure, if it is in one.
    pub(super) fn of_lock(&self, step: StepId, lock: TermId) -> Option<SectionId> {
        self.around(step).iter().find(|&&(other, _)| other == lock).map(|&(_, section)| section)
    }

    /// Two different critical sections of one lock that two steps are in.
    pub(super) fn apart(&self, a: StepId, b: StepId) -> Option<(SectionId, SectionId)> {
        self.around(a).iter().find_map(|&(lock, section)| {
            let other = self.of_lock(b, lock)?;
            (other != section).then_some((section, other))
        })
    }

    /// Says that they exclude each other, and what whoever asks whether a lock is free is told.
    pub(super) fn encode(
        &self,
        unrolling: &mut Unrolling,
        known: &Knowledge<'_>,
        writer: &mut Writer,
        budget: &Budget,
    ) -> Result<(), Exhausted> {
        for (id, a) in self.all.iter() {
            for b in self.all.values().skip(id.index() + 1) {
                if a.thread != b.thread {
                    budget.spend(UNITS_PER_PAIR)?;
                    exclude(&mut unrolling.terms, known, writer, a, b);
                }
            }
        }
        let queries: Vec<(EventId, TermId, TermId)> = unrolling
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
        for (event, address, free) in queries {
            self.encode_is_free(unrolling, known, writer, (event, address, free));
            budget.spend(UNITS_PER_PAIR)?;
        }
        Ok(())
    }

    /// A lock is free if every critical section of it that was entered before was also left before.
    fn encode_is_free(
        &self,
        unrolling: &mut Unrolling,
        known: &Knowledge<'_>,
        writer: &mut Writer,
        (event, address, free): (EventId, TermId, TermId),
    ) {
        let step = unrolling.events[event].step;
        let terms = &mut unrolling.terms;
        let mut takers = Vec::new();
        for section in self.all().filter(|section| section.step != step) {
            let equal = known.equal_addresses(terms, address, section.address);
            if terms.as_bool(equal) == Some(false) {
                continue;
            }
            let entered = writer.before(terms, section.step, step);
            if terms.as_bool(entered) == Some(false) {
                continue;
            }
            let mut inside = vec![equal, section.held, entered];
            for &(release, condition) in section.releases.iter().filter(|(release, _)| *release != step) {
                let left = writer.before(terms, release, step);
                let left = terms.and(condition, left);
                inside.push(terms.not(left));
            }
            takers.push(terms.and_all(inside));
        }
        let taken = terms.or_all(takers);
        let not_taken = terms.not(taken);
        let right = terms.eq(free, not_taken);
        writer.assert_if(terms, &[unrolling.events[event].guard], right);
    }
}

/// If both critical sections happen, one is left before the other is entered. The later one need not be noticed by anybody.
fn exclude(
    terms: &mut Terms,
    known: &Knowledge<'_>,
    writer: &mut Writer,
    a: &CriticalSection,
    b: &CriticalSection,
) {
    let equal = known.equal_addresses(terms, a.address, b.address);
    if terms.as_bool(equal) == Some(false) {
        return;
    }
    let behind_a = terms.and_all([a.held, b.taken, equal]);
    let behind_b = terms.and_all([b.held, a.taken, equal]);
    // One literal for both orders: the releases follow from which lock event comes first.
    if writer.always_before(a.step, b.step) {
        leave_first(terms, writer, &[behind_a], a, b);
    } else if writer.always_before(b.step, a.step) {
        leave_first(terms, writer, &[behind_b], b, a);
    } else {
        let a_first = writer.before(terms, a.step, b.step);
        let b_first = terms.not(a_first);
        leave_first(terms, writer, &[behind_a, a_first], a, b);
        leave_first(terms, writer, &[behind_b, b_first], b, a);
    }
}

/// If the conditions hold, the first critical section is left before the second is entered.
fn leave_first(
    terms: &mut Terms,
    writer: &mut Writer,
    conditions: &[TermId],
    first: &CriticalSection,
    second: &CriticalSection,
) {
    writer.assert_if(terms, conditions, first.released);
    for &(step, condition) in &first.releases {
        // With one release there is no other way out.
        let mut conditions = conditions.to_vec();
        if first.releases.len() > 1 {
            conditions.push(condition);
        }
        writer.edge_if(terms, &conditions, step, second.step);
    }
}
