//! Small unrollings made by hand, and a comparison with plain enumeration.

mod builder;
mod contexts;
mod knowledge;
mod litmus;
mod oracle;
mod questions;
mod random;
mod unordered;

use raddle_base::Budget;
use raddle_logic::solver::{Answer, Embedded};
use raddle_logic::term::{TermId, Terms};

use super::{Addresses, Encoding, Question};
use crate::MemoryModel;
use crate::execution_graph::events::Unrolling;
use builder::Builder;

/// From here on objects may be those of one thread.
const PRIVATE: u128 = 0x80;

/// Nothing is known of addresses; the object is in all bits but the lowest four.
#[derive(Debug)]
struct PlainAddresses;

impl Addresses for PlainAddresses {
    fn may_be_equal(&self, _: &Terms, _: TermId, _: TermId) -> bool {
        true
    }

    fn same_object(&self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        let high = terms.width(a) - 1;
        let (a, b) = (terms.extract(high, 4, a), terms.extract(high, 4, b));
        terms.eq(a, b)
    }

    fn is_reached_by_all(&self, terms: &Terms, address: TermId) -> bool {
        terms.as_bits(address).is_none_or(|address| address < PRIVATE)
    }
}

fn encode(unrolling: &mut Unrolling, model: MemoryModel) -> Encoding<'static> {
    Encoding::new(Box::new(Embedded::new()), unrolling, model, &PlainAddresses, &Budget::unlimited())
        .expect("no limit")
}

/// Whether there is an execution in which all of these hold.
fn possible(unrolling: &mut Unrolling, model: MemoryModel, terms: &[TermId]) -> bool {
    let mut encoding = encode(unrolling, model);
    let all = unrolling.terms.and_all(terms.iter().copied());
    match encoding.ask(unrolling, Question::Holds(all), &Budget::unlimited()).unwrap() {
        Answer::Sat => true,
        Answer::Unsat => false,
        Answer::Unknown(stop) => panic!("stopped: {stop}"),
    }
}

/// The same under sequential consistency.
fn possible_sc(unrolling: &mut Unrolling, terms: &[TermId]) -> bool {
    possible(unrolling, MemoryModel::Sc, terms)
}
