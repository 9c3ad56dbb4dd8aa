//! Rules for sums and products.
//!
//! The normal form: at most one constant per sum, outermost; a term that occurs several times is multiplied
//! instead; a negation is a product with minus one; a bitwise negation in a sum is written `-x - 1`. Sums of
//! up to [`MAX_SUMMANDS`] lean to the left with older summands further inside, so a sum that grows by newer
//! terms keeps its partial sums shared; likewise products.

#![expect(clippy::wildcard_enum_match_arm, reason = "what a rule does not list, it does not apply to")]

use smallvec::SmallVec;

use super::super::bits::{self, mask};
use super::super::{Term, TermId, Terms};

/// Longer sums are left as they were built.
const MAX_SUMMANDS: usize = 32;
/// Longer products are left as they were built.
const MAX_FACTORS: usize = 6;

/// `0 + a` is `a`; two constants are computed.
pub(super) fn add_constant(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Add(a, b) = node else { return None };
    let value = terms.as_bits(a)?;
    if value == 0 {
        return Some(b);
    }
    let other = terms.as_bits(b)?;
    Some(terms.bits(value.wrapping_add(other), terms.width(a)))
}

/// `c + (d + x)` is `(c + d) + x`.
pub(super) fn add_constant_nested(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Add(a, b) = node else { return None };
    let value = terms.as_bits(a)?;
    let Term::Add(d, x) = terms[b] else { return None };
    let sum = value.wrapping_add(terms.as_bits(d)?);
    let constant = terms.bits(sum, terms.width(a));
    Some(terms.add(constant, x))
}

/// `c + not x` is `(c - 1) - x`.
pub(super) fn add_not(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Add(a, b) = node else { return None };
    let value = terms.as_bits(a)?;
    let Term::BvNot(x) = terms[b] else { return None };
    let constant = terms.bits(value.wrapping_sub(1), terms.width(a));
    let negated = terms.neg(x);
    Some(terms.add(constant, negated))
}

/// A constant plus a choice between constants is a choice between constants.
pub(super) fn add_constant_ite(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Add(a, b) = node else { return None };
    let value = terms.as_bits(a)?;
    let Term::Ite(condition, x, y) = terms[b] else { return None };
    let width = terms.width(a);
    let (x, y) = (terms.as_bits(x)?, terms.as_bits(y)?);
    let (x, y) = (terms.bits(value.wrapping_add(x), width), terms.bits(value.wrapping_add(y), width));
    Some(terms.ite(condition, x, y))
}

/// A term as a constant times another.
fn scaled(terms: &Terms, a: TermId) -> (u128, TermId) {
    if let Term::Mul(factor, x) = terms[a]
        && let Some(factor) = terms.as_bits(factor)
    {
        return (factor, x);
    }
    (1, a)
}

/// `c * x + d * x` is `(c + d) * x`, and `x + not x` is all ones.
pub(super) fn add_like(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Add(a, b) = node else { return None };
    let width = terms.width(a);
    if terms[a] == Term::BvNot(b) || terms[b] == Term::BvNot(a) {
        return Some(terms.bits(mask(width), width));
    }
    let ((c, x), (d, y)) = (scaled(terms, a), scaled(terms, b));
    if x != y || terms.as_bits(x).is_some() {
        return None;
    }
    let constant = terms.bits(c.wrapping_add(d), width);
    Some(terms.mul(constant, x))
}

/// `-a + (a + x)` is `x`.
pub(super) fn add_cancel(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Add(a, b) = node else { return None };
    let width = terms.width(a);
    for (a, b) in [(a, b), (b, a)] {
        let Term::Add(x, y) = terms[b] else { continue };
        let (c, base) = scaled(terms, a);
        for (x, y) in [(x, y), (y, x)] {
            let (d, other) = scaled(terms, x);
            if base == other && bits::add(c, d, width) == 0 {
                return Some(y);
            }
        }
    }
    None
}

/// `(c + x) + y` is `c + (x + y)`.
pub(super) fn add_pull_constant(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Add(a, b) = node else { return None };
    for (a, b) in [(a, b), (b, a)] {
        if let Term::Add(c, x) = terms[a]
            && terms.as_bits(c).is_some()
        {
            let rest = terms.add(x, b);
            return Some(terms.add(c, rest));
        }
    }
    None
}

/// The summands of a sum without constants, each with its factor; `None` when there are too many.
fn summands(terms: &Terms, a: TermId, b: TermId) -> Option<SmallVec<[(TermId, u128); 8]>> {
    let width = terms.width(a);
    let mut found: SmallVec<[(TermId, u128); 8]> = SmallVec::new();
    let mut open: SmallVec<[(TermId, u128); 8]> = SmallVec::from_slice(&[(a, 1), (b, 1)]);
    while let Some((term, factor)) = open.pop() {
        let (own, base) = scaled(terms, term);
        match terms[base] {
            // Going into a sum is free for a plus or a minus only.
            Term::Add(x, y) if own == 1 || own == mask(width) => {
                let factor = bits::mul(factor, own, width);
                open.extend([(x, factor), (y, factor)]);
            }
            // Constants are pulled out by other rules.
            Term::Bits { .. } => return None,
            _ => found.push((base, bits::mul(factor, own, width))),
        }
        if found.len() + open.len() > MAX_SUMMANDS {
            return None;
        }
    }
    found.sort_unstable();
    Some(found)
}

/// The summands in their one order, like ones joined.
pub(super) fn add_sort(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Add(a, b) = node else { return None };
    let width = terms.width(a);
    let is_sum = |id: TermId| matches!(terms[scaled(terms, id).1], Term::Add(..));
    if !is_sum(a) && !is_sum(b) {
        return None;
    }
    let found = summands(terms, a, b)?;
    let distinct = found.windows(2).all(|pair| pair[0].0 != pair[1].0);
    // Nothing to do when one operand is the newest summand and the other has all the rest.
    let newest = found.last()?.0;
    let holds_newest = |id: TermId| scaled(terms, id).1 == newest;
    let plain_sum = |id: TermId| matches!(terms[id], Term::Add(..));
    if distinct && (holds_newest(a) && plain_sum(b) || holds_newest(b) && plain_sum(a)) {
        return None;
    }
    let mut joined: SmallVec<[(TermId, u128); 8]> = SmallVec::new();
    for (base, factor) in found {
        match joined.last_mut() {
            Some(last) if last.0 == base => last.1 = bits::add(last.1, factor, width),
            _ => joined.push((base, factor)),
        }
    }
    let mut sum = terms.bits(0, width);
    for (base, factor) in joined {
        let factor = terms.bits(factor, width);
        let summand = terms.mul(factor, base);
        sum = terms.add(sum, summand);
    }
    Some(sum)
}

/// The factors in their one order.
pub(super) fn mul_sort(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Mul(a, b) = node else { return None };
    let is_product = |id: TermId| matches!(terms[id], Term::Mul(..));
    if !is_product(a) && !is_product(b) {
        return None;
    }
    let mut factors: SmallVec<[TermId; 8]> = SmallVec::new();
    let mut open: SmallVec<[TermId; 8]> = SmallVec::from_slice(&[a, b]);
    while let Some(term) = open.pop() {
        match terms[term] {
            Term::Mul(x, y) => open.extend([x, y]),
            // Constants are pulled out by other rules.
            Term::Bits { .. } => return None,
            _ => factors.push(term),
        }
        if factors.len() + open.len() > MAX_FACTORS {
            return None;
        }
    }
    factors.sort_unstable();
    let newest = *factors.last()?;
    if a == newest && is_product(b) || b == newest && is_product(a) {
        return None;
    }
    factors.into_iter().reduce(|product, factor| terms.mul(product, factor))
}

/// `0 * a` is zero, `1 * a` is `a`; two constants are computed.
pub(super) fn mul_constant(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Mul(a, b) = node else { return None };
    match terms.as_bits(a)? {
        0 => Some(a),
        1 => Some(b),
        value => {
            let other = terms.as_bits(b)?;
            Some(terms.bits(value.wrapping_mul(other), terms.width(a)))
        }
    }
}

/// `c * (d * x)` is `(c * d) * x`.
pub(super) fn mul_constant_nested(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Mul(a, b) = node else { return None };
    let value = terms.as_bits(a)?;
    let Term::Mul(d, x) = terms[b] else { return None };
    let product = value.wrapping_mul(terms.as_bits(d)?);
    let constant = terms.bits(product, terms.width(a));
    Some(terms.mul(constant, x))
}

/// `c * (d + x)` is `c * d + c * x`.
pub(super) fn mul_distribute_constant(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Mul(a, b) = node else { return None };
    let value = terms.as_bits(a)?;
    let Term::Add(d, x) = terms[b] else { return None };
    let product = value.wrapping_mul(terms.as_bits(d)?);
    let constant = terms.bits(product, terms.width(a));
    let rest = terms.mul(a, x);
    Some(terms.add(constant, rest))
}

/// `c * not x` is `-c - c * x`.
pub(super) fn mul_not(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Mul(a, b) = node else { return None };
    let width = terms.width(a);
    let negated = terms.as_bits(a)?.wrapping_neg();
    let Term::BvNot(x) = terms[b] else { return None };
    let constant = terms.bits(negated, width);
    let rest = terms.mul(constant, x);
    Some(terms.add(constant, rest))
}

/// A constant times a choice between constants is a choice between constants.
pub(super) fn mul_constant_ite(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Mul(a, b) = node else { return None };
    let value = terms.as_bits(a)?;
    let Term::Ite(condition, x, y) = terms[b] else { return None };
    let width = terms.width(a);
    let (x, y) = (terms.as_bits(x)?, terms.as_bits(y)?);
    let (x, y) = (terms.bits(value.wrapping_mul(x), width), terms.bits(value.wrapping_mul(y), width));
    Some(terms.ite(condition, x, y))
}

/// `(c * x) * y` is `c * (x * y)`.
pub(super) fn mul_pull_constant(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Mul(a, b) = node else { return None };
    for (a, b) in [(a, b), (b, a)] {
        if let Term::Mul(c, x) = terms[a]
            && terms.as_bits(c).is_some()
        {
            let rest = terms.mul(x, b);
            return Some(terms.mul(c, rest));
        }
    }
    None
}

/// One bit times one bit is their conjunction.
pub(super) fn mul_bit(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Mul(a, b) = node else { return None };
    (terms.width(a) == 1).then(|| terms.bvand(a, b))
}
