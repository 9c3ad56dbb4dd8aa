//! Comparisons. Zeros of both signs are equal; with a NaN, none holds.

use super::Format;
use super::parts::Parts;
use crate::term::{TermId, Terms};

/// Whether it is neither a number nor an infinity.
pub fn is_nan(terms: &mut Terms, format: Format, number: TermId) -> TermId {
    Parts::of(terms, format, number).nan
}

/// `a == b`.
pub fn equal(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let pair = Pair::of(terms, format, a, b);
    let same = terms.eq(a, b);
    let equal = terms.or(same, pair.zeros);
    terms.and(pair.ordered, equal)
}

/// `a < b`.
pub fn less(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let pair = Pair::of(terms, format, a, b);
    let negative_first = terms.is_nonzero(pair.a.sign);
    // Sizes compare the other way round when both are negative.
    let (smaller, larger) = (terms.ult(pair.a.size, pair.b.size), terms.ult(pair.b.size, pair.a.size));
    let same_sign = terms.ite(negative_first, larger, smaller);
    let not_zeros = terms.not(pair.zeros);
    let other_sign = terms.and(negative_first, not_zeros);
    let below = terms.ite(pair.signs_differ, other_sign, same_sign);
    terms.and(pair.ordered, below)
}

/// `a <= b`.
pub fn less_or_equal(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let above = less(terms, format, b, a);
    let not_above = terms.not(above);
    let pair = Pair::of(terms, format, a, b);
    terms.and(pair.ordered, not_above)
}

/// What all comparisons ask of two numbers.
struct Pair {
    a: Parts,
    b: Parts,
    /// Neither is a NaN.
    ordered: TermId,
    /// Both are zeros.
    zeros: TermId,
    signs_differ: TermId,
}

impl Pair {
    fn of(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> Self {
        let (a, b) = (Parts::of(terms, format, a), Parts::of(terms, format, b));
        let unordered = terms.or(a.nan, b.nan);
        let differ = terms.bvxor(a.sign, b.sign);
        Self {
            ordered: terms.not(unordered),
            zeros: terms.and(a.zero, b.zero),
            signs_differ: terms.is_nonzero(differ),
            a,
            b,
        }
    }
}
