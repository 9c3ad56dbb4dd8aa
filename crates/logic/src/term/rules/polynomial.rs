//! Equality of sums and products by their polynomial normal form.
//!
//! Both sides are multiplied out, within a limit, and subtracted. If nothing remains they are equal; if a
//! constant remains they differ; if what remains is much less than what was there, it is compared instead.
//! The terms themselves stay as they are, so nothing that is shared is duplicated.

#![expect(clippy::wildcard_enum_match_arm, reason = "what a rule does not list, it does not apply to")]

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::super::bits::{self, mask};
use super::super::{Sort, Term, TermId, Terms};

/// A product of terms, sorted.
type Monomial = SmallVec<[TermId; 4]>;

/// Products with more factors are left alone.
const MAX_DEGREE: usize = 8;
/// Sums with more summands are left alone.
const MAX_SUMMANDS: usize = 96;
/// How many terms are taken apart at most.
const MAX_STEPS: usize = 400;

/// A sum of monomials with coefficients that are not zero, modulo two to the width.
struct Polynomial {
    width: u32,
    coefficients: FxHashMap<Monomial, u128>,
}

impl Polynomial {
    fn add(&mut self, monomial: Monomial, coefficient: u128) {
        let coefficient = coefficient & mask(self.width);
        if coefficient == 0 {
            return;
        }
        let entry = self.coefficients.entry(monomial.clone()).or_insert(0);
        *entry = bits::add(*entry, coefficient, self.width);
        if *entry == 0 {
            self.coefficients.remove(&monomial);
        }
    }

    /// The monomials in an order that does not depend on hashing.
    fn sorted(&self) -> Vec<(Monomial, u128)> {
        #[expect(clippy::iter_over_hash_type, reason = "sorted before use")]
        let mut all: Vec<(Monomial, u128)> = {
            let mut all = Vec::with_capacity(self.coefficients.len());
            for (monomial, &coefficient) in &self.coefficients {
                all.push((monomial.clone(), coefficient));
            }
            all
        };
        all.sort_unstable();
        all
    }
}

/// `left - right`, multiplied out, and how many leaves it took; `None` beyond the limits.
fn difference(terms: &Terms, left: TermId, right: TermId, width: u32) -> Option<(Polynomial, usize)> {
    let mut result = Polynomial { width, coefficients: FxHashMap::default() };
    let mut leaves = 0;
    // What is still to be added: a coefficient, factors done, and factors to be looked at.
    let mut todo: Vec<(u128, Monomial, Monomial)> =
        vec![(1, smallvec![], smallvec![left]), (mask(width), smallvec![], smallvec![right])];
    let mut steps = 0;
    while let Some((coefficient, mut done, mut open)) = todo.pop() {
        steps += 1;
        if steps > MAX_STEPS
            || result.coefficients.len() > MAX_SUMMANDS
            || done.len() + open.len() > MAX_DEGREE
        {
            return None;
        }
        let Some(factor) = open.pop() else {
            done.sort_unstable();
            leaves += 1;
            result.add(done, coefficient);
            continue;
        };
        match terms[factor] {
            Term::Bits { value, .. } => todo.push((bits::mul(coefficient, value, width), done, open)),
            Term::Mul(a, b) => {
                open.extend([a, b]);
                todo.push((coefficient, done, open));
            }
            Term::Add(a, b) => {
                let mut other = open.clone();
                open.push(a);
                other.push(b);
                todo.push((coefficient, done.clone(), open));
                todo.push((coefficient, done, other));
            }
            Term::BvNot(a) => {
                // not a = -a - 1
                let negated = bits::neg(coefficient, width);
                todo.push((negated, done.clone(), open.clone()));
                open.push(a);
                todo.push((negated, done, open));
            }
            _ => {
                done.push(factor);
                todo.push((coefficient, done, open));
            }
        }
    }
    Some((result, leaves))
}

/// See the [module](self).
pub(super) fn eq_polynomial(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Eq(a, b) = node else { return None };
    let Sort::BitVec(width) = terms.sort(a) else { return None };
    let arithmetic = |id: TermId| matches!(terms[id], Term::Add(..) | Term::Mul(..));
    if !arithmetic(a) && !arithmetic(b) {
        return None;
    }
    let (polynomial, leaves) = difference(terms, a, b, width)?;
    let constant = polynomial.coefficients.get(&Monomial::new()).copied().unwrap_or(0);
    let monomials = polynomial.sorted();
    if monomials.iter().all(|(monomial, _)| monomial.is_empty()) {
        return Some(terms.bool(constant == 0));
    }
    // All coefficients even and an odd constant: no solution.
    let even = monomials.iter().all(|(monomial, factor)| monomial.is_empty() || factor & 1 == 0);
    if even && constant & 1 == 1 {
        return Some(terms.bool(false));
    }
    // Only products that stood there as such are built again, so no multiplier is added.
    let linear = monomials.iter().all(|(monomial, _)| monomial.len() <= 1);
    if !linear || monomials.len() + 2 > leaves {
        return None;
    }
    Some(rebuilt(terms, &monomials, width))
}

/// `positive summands = negative summands`, of a linear polynomial that shall be zero.
fn rebuilt(terms: &mut Terms, monomials: &[(Monomial, u128)], width: u32) -> TermId {
    let mut sides = [terms.bits(0, width), terms.bits(0, width)];
    for (monomial, coefficient) in monomials {
        let negative = bits::is_negative(*coefficient, width);
        let size = if negative { bits::neg(*coefficient, width) } else { *coefficient };
        let mut summand = terms.bits(size, width);
        for &factor in monomial {
            summand = terms.mul(summand, factor);
        }
        let side = usize::from(negative);
        sides[side] = terms.add(sides[side], summand);
    }
    terms.eq(sides[0], sides[1])
}
