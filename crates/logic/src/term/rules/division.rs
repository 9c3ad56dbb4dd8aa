//! Rules for unsigned division and remainder.

use super::super::bits::mask;
use super::super::{Term, TermId, Terms};

/// The exponent of a constant that is a power of two.
fn power_of_two(terms: &Terms, a: TermId) -> Option<u32> {
    let value = terms.as_bits(a)?;
    value.is_power_of_two().then(|| value.trailing_zeros())
}

/// `a / 2^k` drops the low bits.
pub(super) fn udiv_power_of_two(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Udiv(a, b) = node else { return None };
    let positions = power_of_two(terms, b)?;
    let width = terms.width(a);
    let kept = terms.extract(width - 1, positions, a);
    Some(terms.zero_extend(positions, kept))
}

/// `a / 0` is all ones.
pub(super) fn udiv_by_zero(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Udiv(_, b) = node else { return None };
    let width = terms.width(b);
    (terms.as_bits(b)? == 0).then(|| terms.bits(mask(width), width))
}

/// `a / a` is one, unless `a` is zero; `0 / a` is zero, unless `a` is zero.
pub(super) fn udiv_same(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Udiv(a, b) = node else { return None };
    let width = terms.width(a);
    let usual = match terms.as_bits(a) {
        _ if a == b => 1,
        Some(0) => 0,
        _ => return None,
    };
    let (ones, usual) = (terms.bits(mask(width), width), terms.bits(usual, width));
    let nonzero = terms.is_nonzero(b);
    Some(terms.ite(nonzero, usual, ones))
}

/// The dividend is always below the divisor.
pub(super) fn udiv_smaller(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Udiv(a, b) = node else { return None };
    let width = terms.width(a);
    (terms.facts(a).max < terms.facts(b).min).then(|| terms.bits(0, width))
}

/// How many bits hold both operands, when that is fewer than they have.
fn narrow(terms: &Terms, a: TermId, b: TermId) -> Option<u32> {
    let needed = terms.facts(a).significant().max(terms.facts(b).significant()).max(1);
    (needed < terms.width(a)).then_some(needed)
}

/// High bits that are zero in both operands are left out.
pub(super) fn udiv_narrow(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Udiv(a, b) = node else { return None };
    let width = terms.width(a);
    let needed = narrow(terms, a, b)?;
    let (a, b) = (terms.extract(needed - 1, 0, a), terms.extract(needed - 1, 0, b));
    let quotient = terms.udiv(a, b);
    let quotient = terms.zero_extend(width - needed, quotient);
    let (nonzero, ones) = (terms.is_nonzero(b), terms.bits(mask(width), width));
    Some(terms.ite(nonzero, quotient, ones))
}

/// `a % 2^k` keeps the low bits.
pub(super) fn urem_power_of_two(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Urem(a, b) = node else { return None };
    let positions = power_of_two(terms, b)?;
    let width = terms.width(a);
    if positions == 0 {
        return Some(terms.bits(0, width));
    }
    let kept = terms.extract(positions - 1, 0, a);
    Some(terms.zero_extend(width - positions, kept))
}

/// `a % 0` is `a`.
pub(super) fn urem_by_zero(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Urem(a, b) = node else { return None };
    (terms.as_bits(b)? == 0).then_some(a)
}

/// `a % a` and `0 % a` are zero.
pub(super) fn urem_same(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Urem(a, b) = node else { return None };
    let width = terms.width(a);
    (a == b || terms.as_bits(a) == Some(0)).then(|| terms.bits(0, width))
}

/// The dividend is always below the divisor.
pub(super) fn urem_smaller(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Urem(a, b) = node else { return None };
    (terms.facts(a).max < terms.facts(b).min).then_some(a)
}

/// High bits that are zero in both operands are left out.
pub(super) fn urem_narrow(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Urem(a, b) = node else { return None };
    let width = terms.width(a);
    let needed = narrow(terms, a, b)?;
    let (a, b) = (terms.extract(needed - 1, 0, a), terms.extract(needed - 1, 0, b));
    let remainder = terms.urem(a, b);
    Some(terms.zero_extend(width - needed, remainder))
}
