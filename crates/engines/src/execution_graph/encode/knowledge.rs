//! What is known of events without asking a solver.
//!
//! Owns the positions of steps in their threads, the conditions under which others notice events, and what follows from guards
//! ([`facts`](super::facts)); knows from the producer which addresses can be equal. May miss something; never claims too much.
//!
//! Equalities of addresses are most of a question where structures are accessed through pointers that are not known: accesses are split
//! into bytes there, and each byte is compared with each. Sums wrap around, so `x + c = y + d` holds exactly if `x + (c - d) = y` does, and
//! all bytes at one distance share an equality.

use std::rc::Rc;

use raddle_base::Table;
use raddle_logic::term::{Term, TermId, Terms, bits};

use super::Addresses;
use super::facts::{FactTable, Facts};
use crate::execution_graph::events::{EventId, StepId, Unrolling};

/// See the [module](self).
#[derive(Debug)]
pub(super) struct Knowledge<'a> {
    addresses: &'a dyn Addresses,
    /// The position of each step in its thread.
    positions: Table<StepId, u32>,
    /// For each event, the condition under which others notice it.
    effective: Table<EventId, TermId>,
    facts: FactTable,
}

impl<'a> Knowledge<'a> {
    pub(super) fn new(unrolling: &mut Unrolling, addresses: &'a dyn Addresses, facts: FactTable) -> Self {
        let mut positions = Table::filled(unrolling.steps.len(), || 0);
        for thread in unrolling.threads.values() {
            for (position, &step) in thread.steps.iter().enumerate() {
                positions[step] = u32::try_from(position).expect("step ids have 32 bits");
            }
        }
        let effective = unrolling.events.ids().map(|event| unrolling.effective(event)).collect();
        Self { addresses, positions, effective, facts }
    }

    /// How many events there are.
    pub(super) fn events(&self) -> usize {
        self.effective.len()
    }

    /// The position of a step in its thread.
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
        if terms.as_bool(equal).is_some() {
            return equal;
        }
        if !self.may_be_equal(terms, a, b) {
            return terms.bool(false);
        }
        equal_at_distance(terms, a, b).unwrap_or(equal)
    }

    /// Whether all threads can reach an address for sure.
    pub(super) fn is_reached_by_all(&self, terms: &Terms, address: TermId) -> bool {
        self.addresses.is_reached_by_all(terms, address)
    }

    /// The condition under which two addresses are in the same object.
    pub(super) fn same_object(&self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        self.addresses.same_object(terms, a, b)
    }
}

/// The equality of `x + c` and `y + d` as one of `x` and `y` at a distance, the same term for all with this distance.
fn equal_at_distance(terms: &mut Terms, a: TermId, b: TermId) -> Option<TermId> {
    let ((c, x), (d, y)) = (displaced(terms, a)?, displaced(terms, b)?);
    let width = terms.width(a);
    let distance = c.wrapping_sub(d) & bits::mask(width);
    let (x, y) = if bits::is_negative(distance, width) {
        let distance = terms.bits(bits::neg(distance, width), width);
        (x, terms.add(distance, y))
    } else {
        let distance = terms.bits(distance, width);
        (terms.add(distance, x), y)
    };
    Some(terms.eq(x, y))
}

/// A term as a constant and what it is added to. A constant itself is no such sum.
fn displaced(terms: &Terms, term: TermId) -> Option<(u128, TermId)> {
    if terms.as_bits(term).is_some() {
        return None;
    }
    let Term::Add(constant, rest) = terms[term] else { return Some((0, term)) };
    Some(terms.as_bits(constant).map_or((0, term), |constant| (constant, rest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_logic::term::Sort;

    #[test]
    fn addresses_at_the_same_distance_are_compared_once() {
        let mut terms = Terms::new();
        let (p, q) = (terms.symbol("p", Sort::BitVec(64)), terms.symbol("q", Sort::BitVec(64)));
        let mut at = |pointer, offset: u128| {
            let offset = terms.bits(offset, 64);
            terms.add(offset, pointer)
        };
        let (first, second) = ((at(p, 9), at(q, 4)), (at(p, 12), at(q, 7)));
        let (swapped, other) = ((at(q, 4), at(p, 9)), (at(p, 9), at(q, 5)));
        let below_zero = (at(p, 1), at(q, u128::MAX - 3));
        let mut compare = |(a, b)| equal_at_distance(&mut terms, a, b).expect("they are sums");
        let equal = compare(first);
        assert_eq!(equal, compare(second));
        assert_eq!(equal, compare(swapped));
        assert_eq!(equal, compare(below_zero));
        assert_ne!(equal, compare(other));
        let five = terms.bits(5, 64);
        let moved = terms.add(five, p);
        assert_eq!(equal, terms.eq(moved, q));
    }
}
