//! What is known of events without asking a solver.
//!
//! Owns the places of steps in their threads, the conditions under which others notice events, and what follows from guards
//! ([`facts`](super::facts)); knows from the producer which addresses can be equal. May miss something; never claims too much.

use std::rc::Rc;

use raddle_base::Table;
use raddle_logic::term::{TermId, Terms};

use super::Addresses;
use super::facts::{FactTable, Facts};
use crate::execution_graph::events::{EventId, StepId, Unrolling};

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Knowledge<'a> {
    addresses: &'a dyn Addresses,
    /// The place of each step in its thread.
    positions: Table<StepId, u32>,
    /// For each event, the condition under which others notice it.
    effective: Table<EventId, TermId>,
    facts: FactTable,
}

impl<'a> Knowledge<'a> {
    pub(super) fn new(unrolling: &mut Unrolling, addresses: &'a dyn Addresses, facts: FactTable) -> Self {
        let mut positions = Table::filled(unrolling.steps.len(), || 0);
        for thread in unrolling.threads.values() {
            for (place, &step) in thread.steps.iter().enumerate() {
                positions[step] = u32::try_from(place).expect("step ids have 32 bits");
            }
        }
        let effective = unrolling.events.ids().map(|event| unrolling.effective(event)).collect();
        Self { addresses, positions, effective, facts }
    }

    /// How many events there are.
    pub(super) fn events(&self) -> usize {
        self.effective.len()
    }

    /// The place of a step in its thread.
    pub(super) fn position(&self, step: StepId) -> u32 {
        self.positions[step]
    }

    /// The condition under which others notice an event.
    pub(super) fn effective(&self, event: EventId) -> TermId {
        self.effective[event]
    }

    /// What follows from a guard.
    pub(super) fn facts(&mut self, terms: &Terms, guard: TermId) -> Rc<Facts> {
        self.facts.of(terms, guard)
    }

    /// Whether two addresses can be equal.
    pub(super) fn may_be_equal(&self, terms: &Terms, a: TermId, b: TermId) -> bool {
        self.addresses.may_be_equal(terms, a, b)
    }

    /// The condition under which two addresses are equal: constantly false if they cannot be.
    pub(super) fn equal_addresses(&self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        let equal = terms.eq(a, b);
        if terms.as_bool(equal).is_some() || self.may_be_equal(terms, a, b) {
            return equal;
        }
        terms.bool(false)
    }

    /// The condition under which two addresses are in the same object.
    pub(super) fn same_object(&self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        self.addresses.same_object(terms, a, b)
    }
}
