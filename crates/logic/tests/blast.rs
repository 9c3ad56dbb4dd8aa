//! Every circuit against plain Rust arithmetic: by simulating its gates, and by asking the SAT solver.

mod terms_support;

use raddle_base::Budget;
use raddle_logic::blast::{Blaster, Divider, Multiplier};
use raddle_logic::sat::batsat::Batsat;
use raddle_logic::solver::{Answer, Embedded, Solver};
use raddle_logic::term::{Sort, TermId, Terms};
use terms_support::{Operation, Random, operations};

const CIRCUITS: [(Multiplier, Divider); 4] = [
    (Multiplier::Columns, Divider::Restoring),
    (Multiplier::ShiftAdd, Divider::NonRestoring),
    (Multiplier::Array, Divider::Restoring),
    (Multiplier::Booth, Divider::Restoring),
];

/// An operation on symbols, or on a symbol and a constant, blasted.
struct Circuit {
    terms: Terms,
    blaster: Blaster,
    x: TermId,
    result: TermId,
}

impl Circuit {
    fn new(
        operation: &Operation,
        width: u32,
        constant: Option<u128>,
        circuits: (Multiplier, Divider),
    ) -> Self {
        // Without rewriting, so that the circuits are as general as they get.
        let mut terms = Terms::without_rewriting();
        let x = terms.symbol("x", Sort::BitVec(width));
        let y = match constant {
            Some(value) => terms.bits(value, width),
            None => terms.symbol("y", Sort::BitVec(width)),
        };
        let result = (operation.build)(&mut terms, x, y);
        let mut blaster = Blaster::with_circuits(circuits.0, circuits.1);
        blaster.blast(&terms, result);
        Self { terms, blaster, x, result }
    }

    fn compute(&mut self, a: u128, b: u128) -> u128 {
        let x = self.x;
        let values = self.blaster.simulate(&self.terms, |term| if term == x { a } else { b });
        let wires = self.blaster.blast(&self.terms, self.result);
        wires.iter().enumerate().fold(0, |result, (position, wire)| {
            result | u128::from(values[wire.gate()] != wire.is_negated()) << position
        })
    }
}

#[test]
fn every_circuit_on_all_inputs_at_small_widths() {
    for operation in &operations() {
        for circuits in CIRCUITS {
            for width in 1..=4 {
                let mut general = Circuit::new(operation, width, None, circuits);
                for b in 0..1 << width {
                    let mut special = Circuit::new(operation, width, Some(b), circuits);
                    for a in 0..1 << width {
                        let expected = (operation.meaning)(a, b, width);
                        let what = || format!("{} of {a} and {b} at width {width}", operation.name);
                        assert_eq!(general.compute(a, b), expected, "{} ({circuits:?})", what());
                        assert_eq!(special.compute(a, b), expected, "{} (constant, {circuits:?})", what());
                    }
                }
            }
        }
    }
}

#[test]
fn every_circuit_on_random_inputs_at_larger_widths() {
    let mut random = Random(0xfeed_beef_0000_0001);
    for operation in &operations() {
        for width in [5, 8, 13, 32, 64, 128] {
            let mut general = Circuit::new(operation, width, None, CIRCUITS[random.below(CIRCUITS.len())]);
            for _ in 0..3 {
                let (a, b) = (random.bits(width), random.bits(width));
                let expected = (operation.meaning)(a, b, width);
                let what = || format!("{} of {a:#x} and {b:#x} at width {width}", operation.name);
                assert_eq!(general.compute(a, b), expected, "{}", what());
                if width <= 32 {
                    let mut special = Circuit::new(operation, width, Some(b), CIRCUITS[0]);
                    assert_eq!(special.compute(a, b), expected, "{} (constant)", what());
                }
            }
        }
    }
}

/// Fixes the operands by assumptions and asks for the result and for anything but it.
fn ask(solver: &mut dyn Solver, operation: &Operation, width: u32, inputs: &[(u128, u128)]) {
    let mut terms = Terms::without_rewriting();
    let (x, y) = (terms.symbol("x", Sort::BitVec(width)), terms.symbol("y", Sort::BitVec(width)));
    let result = (operation.build)(&mut terms, x, y);
    let sort = terms.sort(result);
    let out = terms.symbol("out", sort);
    let same = terms.eq(out, result);
    solver.assert(&mut terms, same);
    for &(a, b) in inputs {
        let (left, right) = (terms.bits(a, width), terms.bits(b, width));
        let (left, right) = (terms.eq(x, left), terms.eq(y, right));
        let expected = (operation.meaning)(a, b, width);
        let constant = match sort {
            Sort::Bool => terms.bool(expected == 1),
            Sort::BitVec(width) => terms.bits(expected, width),
            Sort::Array { .. } => panic!("no operation gives an array"),
        };
        let right_result = terms.eq(out, constant);
        let wrong_result = terms.not(right_result);
        let mut check = |assumptions: &[TermId]| {
            solver.check(&mut terms, assumptions, &Budget::unlimited()).expect("embedded")
        };
        let what = || format!("{} of {a:#x} and {b:#x} at width {width}", operation.name);
        assert_eq!(check(&[left, right, right_result]), Answer::Sat, "{}", what());
        assert_eq!(check(&[left, right, wrong_result]), Answer::Unsat, "{}", what());
    }
}

#[test]
fn the_clauses_of_every_circuit_fix_the_result() {
    let mut random = Random(0xabcd_ef01_2345_6789);
    for operation in &operations() {
        for width in [1, 2, 3, 7, 16] {
            let inputs: Vec<(u128, u128)> = if width <= 2 {
                (0..1 << width).flat_map(|a| (0..1 << width).map(move |b| (a, b))).collect()
            } else {
                (0..4).map(|_| (random.bits(width), random.bits(width))).collect()
            };
            ask(&mut Embedded::new(), operation, width, &inputs);
            if width <= 3 {
                let solver = Embedded::with(Box::new(Batsat::new()), Blaster::new());
                ask(&mut { solver }, operation, width, &inputs);
            }
        }
    }
}

#[test]
fn what_is_blasted_once_is_reused() {
    let mut terms = Terms::new();
    let (x, y) = (terms.symbol("x", Sort::BitVec(32)), terms.symbol("y", Sort::BitVec(32)));
    let product = terms.mul(x, y);
    let mut blaster = Blaster::new();
    blaster.blast(&terms, product);
    let gates = blaster.gate_count();
    let overflow = terms.umul_overflows(x, y);
    blaster.blast(&terms, overflow);
    // The overflow predicate needs one more column and some detection, not another multiplier.
    assert!(blaster.gate_count() < gates + gates / 4, "{gates} became {}", blaster.gate_count());
    let gates = blaster.gate_count();
    blaster.blast(&terms, product);
    assert_eq!(blaster.gate_count(), gates);
}
