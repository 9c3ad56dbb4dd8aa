//! Small unrollings made by hand, and a comparison with plain enumeration.

mod builder;
mod contexts;
mod influence;
mod knowledge;
mod litmus;
mod oracle;
mod questions;
mod random;
mod unordered;

use raddle_base::Budget;
use raddle_logic::solver::{Answer, Embedded};
use raddle_logic::term::{TermId, Terms};

use super::{Addresses, Encoding, Question, Reads};
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
    encode_reads(unrolling, model, Reads::All)
}

fn encode_reads(unrolling: &mut Unrolling, model: MemoryModel, reads: Reads<'_>) -> Encoding<'static> {
    let solver = Box::new(Embedded::new());
    Encoding::new(solver, unrolling, model, &PlainAddresses, reads, &Budget::unlimited()).expect("no limit")
}

/// Whether there is an execution in which all of these hold. It makes no difference whether reads that do not matter are encoded.
fn possible(unrolling: &mut Unrolling, model: MemoryModel, terms: &[TermId]) -> bool {
    let all = unrolling.terms.and_all(terms.iter().copied());
    let answers = [Reads::All, Reads::ThatMatter(&[all])].map(|reads| {
        let mut encoding = encode_reads(unrolling, model, reads);
        answer(&mut encoding, unrolling, all)
    });
    assert_eq!(answers[0], answers[1], "with all reads, and with those that matter");
    answers[0]
}

fn answer(encoding: &mut Encoding<'_>, unrolling: &mut Unrolling, all: TermId) -> bool {
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
