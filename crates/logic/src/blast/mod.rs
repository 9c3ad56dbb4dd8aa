//! Bit-blasting: from terms to gates to clauses, each as far as needed and only once.
//!
//! [`Blaster`] keeps, for every term it has met, the wires of its bits; terms added later reuse them. What is
//! said about arrays does not get here: a read is a vector of free bits, an equality of arrays a free bit,
//! and [`crate::array`] adds what ties them together when a model gets it wrong.

pub mod circuits;
pub mod cnf;
pub mod gates;

use raddle_base::Id;

use crate::sat::{Lit, Sat};
use crate::term::bits::{mask, to_u32};
use crate::term::{Sort, Term, TermId, Terms};
use circuits::{Bits, Circuits};
pub use circuits::{Divider, Multiplier};
use cnf::Cnf;
pub use cnf::Polarity;
use gates::{Gates, Wire};

/// How many vectors are added up together at most.
const MAX_SUMMANDS: usize = 64;

/// Turns terms into wires and wires into clauses. See the [module](self).
#[derive(Debug, Default)]
pub struct Blaster {
    circuits: Circuits,
    cnf: Cnf,
    /// For each term, where its bits start in `wires`.
    positions: Vec<Option<u32>>,
    wires: Vec<Wire>,
    /// Terms whose bits are free: symbols, reads of arrays, equalities of arrays.
    free: Vec<TermId>,
}

impl Blaster {
    /// Nothing blasted yet, with the circuits that measured best.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with other circuits, for comparison.
    #[must_use]
    pub fn with_circuits(multiplier: Multiplier, divider: Divider) -> Self {
        Self { circuits: Circuits { multiplier, divider, ..Circuits::default() }, ..Self::default() }
    }

    /// The gates made so far.
    #[must_use]
    pub const fn gates(&self) -> &Gates {
        &self.circuits.gates
    }

    /// How many gates there are.
    #[must_use]
    pub fn gate_count(&self) -> usize {
        self.circuits.gates.len()
    }

    /// The terms met so far whose bits are free, in the order they were met: symbols, reads of arrays,
    /// equalities of arrays.
    #[must_use]
    pub fn free_terms(&self) -> &[TermId] {
        &self.free
    }

    fn is_done(&self, term: TermId) -> bool {
        self.positions.get(term.index()).copied().flatten().is_some()
    }

    /// The wires of a term that was blasted, lowest bit first; of a Boolean, one.
    fn known(&self, terms: &Terms, term: TermId) -> &[Wire] {
        let start = self.positions[term.index()].expect("operands are blasted first") as usize;
        let width = match terms.sort(term) {
            Sort::Bool => 1,
            Sort::BitVec(width) => width as usize,
            Sort::Array { .. } => unreachable!("arrays have no wires"),
        };
        &self.wires[start..start + width]
    }

    /// The wires of a Boolean or bit-vector term, lowest bit first; of a Boolean, one.
    pub fn blast(&mut self, terms: &Terms, root: TermId) -> &[Wire] {
        if self.positions.len() < terms.len() {
            self.positions.resize(terms.len(), None);
        }
        // An explicit stack: terms are as deep as programs are long.
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.is_done(term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            if !is_free(terms, term) {
                stack.extend(terms[term].children().iter().copied().filter(|&child| !self.is_done(child)));
            }
            // Children come first. The term stays on the stack and is looked at again when they are done.
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let wires = self.translate(terms, term);
            self.positions[term.index()] = Some(to_u32(self.wires.len()));
            self.wires.extend(wires);
        }
        self.known(terms, root)
    }

    fn bit(&self, terms: &Terms, term: TermId) -> Wire {
        self.known(terms, term)[0]
    }

    fn bits(&self, terms: &Terms, term: TermId) -> Bits {
        self.known(terms, term).to_vec()
    }

    fn translate(&mut self, terms: &Terms, term: TermId) -> Bits {
        let bits = |blaster: &Self, id: TermId| blaster.bits(terms, id);
        match terms[term] {
            _ if is_free(terms, term) => {
                self.free.push(term);
                let width = match terms.sort(term) {
                    Sort::Bool => 1,
                    Sort::BitVec(width) => width,
                    Sort::Array { .. } => unreachable!("arrays are not blasted"),
                };
                (0..width).map(|_| self.circuits.gates.input()).collect()
            }
            Term::Bool(value) => vec![Wire::constant(value)],
            Term::Bits { width, value } => Circuits::constant(value, width),
            Term::Not(a) | Term::BvNot(a) => Circuits::not(self.known(terms, a)),
            Term::And(a, b) | Term::BvAnd(a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                self.circuits.zip(&a, &b, Gates::and)
            }
            Term::Xor(a, b) | Term::BvXor(a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                self.circuits.zip(&a, &b, Gates::xor)
            }
            Term::Ite(condition, a, b) => {
                let (condition, a, b) = (self.bit(terms, condition), bits(self, a), bits(self, b));
                self.circuits.choose(condition, &a, &b)
            }
            Term::Eq(a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                vec![self.circuits.equal(&a, &b)]
            }
            Term::Ult(a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                vec![self.circuits.less(&a, &b)]
            }
            Term::Slt(a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                vec![self.circuits.signed_less(&a, &b)]
            }
            Term::UmulOverflow(a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                vec![self.circuits.umul_overflows(&a, &b)]
            }
            Term::SmulOverflow(a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                vec![self.circuits.smul_overflows(&a, &b)]
            }
            Term::Add(a, b) => self.translate_sum(terms, a, b),
            Term::Mul(a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                self.circuits.multiply(&a, &b)
            }
            Term::Udiv(a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                self.circuits.divide(&a, &b).0
            }
            Term::Urem(a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                self.circuits.divide(&a, &b).1
            }
            Term::Shl(a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                self.circuits.shift(&a, &b, true, Wire::FALSE)
            }
            Term::Lshr(a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                self.circuits.shift(&a, &b, false, Wire::FALSE)
            }
            Term::Ashr(a, b) => {
                let (a, b) = (bits(self, a), bits(self, b));
                let sign = a[a.len() - 1];
                self.circuits.shift(&a, &b, false, sign)
            }
            Term::Concat(a, b) => {
                let mut low = bits(self, b);
                low.extend_from_slice(self.known(terms, a));
                low
            }
            Term::Extract { high, low, of } => self.known(terms, of)[low as usize..=high as usize].to_vec(),
            Term::SignExtend { by, of } => {
                let mut low = bits(self, of);
                let sign = low[low.len() - 1];
                low.extend(std::iter::repeat_n(sign, by as usize));
                low
            }
            Term::Symbol(_) | Term::Select(..) | Term::Store(..) | Term::ConstArray { .. } => {
                unreachable!("{term} is free or an array")
            }
        }
    }

    /// A sum. Sums below it that nothing else uses are added up together with it, so that the order in which
    /// they were written does not matter. Subtraction takes no adder more than addition.
    #[expect(clippy::wildcard_enum_match_arm, reason = "any other summand is added as it is")]
    fn translate_sum(&mut self, terms: &Terms, a: TermId, b: TermId) -> Bits {
        let mut summands = Vec::new();
        let mut open = vec![(a, false), (b, false)];
        while let Some((term, subtract)) = open.pop() {
            match terms[term] {
                // Shared sums are not taken apart: their bits are wanted elsewhere anyway, and would be added
                // up twice.
                Term::Add(x, y) if terms.uses(term) == 1 && open.len() + summands.len() < MAX_SUMMANDS => {
                    open.extend([(x, subtract), (y, subtract)]);
                }
                // The normal form of `-x` is `x` times all ones.
                Term::Mul(factor, x) if terms.as_bits(factor) == Some(mask(terms.width(x))) => {
                    open.push((x, !subtract));
                }
                _ => summands.push((self.bits(terms, term), subtract)),
            }
        }
        self.circuits.sum(terms.width(a) as usize, &summands)
    }

    /// A literal tied to a Boolean term.
    pub fn literal(&mut self, terms: &Terms, sat: &mut dyn Sat, term: TermId, polarity: Polarity) -> Lit {
        let wire = self.blast(terms, term)[0];
        self.cnf.literal(&self.circuits.gates, sat, wire, polarity)
    }

    /// Adds the clause that says that a Boolean term holds, or one of the `others`.
    pub fn assert(&mut self, terms: &Terms, sat: &mut dyn Sat, term: TermId, others: &[Lit]) {
        let wire = self.blast(terms, term)[0];
        self.cnf.assert(&self.circuits.gates, sat, wire, others);
    }

    /// The value of a term with free bits in the solver's model; bits that no clause mentions are zero.
    #[must_use]
    pub fn free_value(&self, terms: &Terms, sat: &dyn Sat, term: TermId) -> u128 {
        let bits = self.known(terms, term).iter().enumerate();
        bits.fold(0, |value, (position, &wire)| {
            let bit = self.cnf.variable(wire).and_then(|var| sat.value(var.positive())) == Some(true);
            value | u128::from(bit) << position
        })
    }

    /// The values of all gates, when the free terms have the values that `value` gives.
    #[must_use]
    pub fn simulate(&self, terms: &Terms, value: impl Fn(TermId) -> u128) -> Vec<bool> {
        let mut inputs = vec![false; self.circuits.gates.len()];
        for &term in &self.free {
            let value = value(term);
            for (position, wire) in self.known(terms, term).iter().enumerate() {
                inputs[wire.gate()] = value >> position & 1 == 1;
            }
        }
        self.circuits.gates.simulate(|wire| inputs[wire.gate()])
    }
}

/// Whether the bits of a term are free: nothing below it is blasted for its sake.
fn is_free(terms: &Terms, term: TermId) -> bool {
    if let Term::Eq(a, _) = terms[term] {
        return matches!(terms.sort(a), Sort::Array { .. });
    }
    matches!(terms[term], Term::Symbol(_) | Term::Select(..))
}
