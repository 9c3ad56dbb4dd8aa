//! Rules for equality of bit-vectors and arrays.

#![expect(clippy::wildcard_enum_match_arm, reason = "what a rule does not list, it does not apply to")]

use super::super::bits::{self, mask};
use super::super::{Sort, Term, TermId, Terms};

fn operands(node: &Term) -> Option<(TermId, TermId)> {
    if let Term::Eq(a, b) = *node { Some((a, b)) } else { None }
}

/// The operands of an equality of bit-vectors.
fn bit_vectors(terms: &Terms, node: &Term) -> Option<(TermId, TermId, u32)> {
    let (a, b) = operands(node)?;
    if let Sort::BitVec(width) = terms.sort(a) { Some((a, b, width)) } else { None }
}

/// `a = a` holds.
pub(super) fn eq_same(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (a, b) = operands(node)?;
    (a == b).then(|| terms.bool(true))
}

/// What is known of both sides excludes equality.
pub(super) fn eq_facts(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (a, b, _) = bit_vectors(terms, node)?;
    terms.facts(a).disjoint(&terms.facts(b)).then(|| terms.bool(false))
}

/// A single bit is compared with one, and a conjunction of bits bit by bit.
pub(super) fn eq_bit(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (a, b, width) = bit_vectors(terms, node)?;
    if width != 1 {
        return None;
    }
    if terms.as_bits(a)? == 0 {
        let one = terms.bits(1, 1);
        let set = terms.eq(one, b);
        return Some(terms.not(set));
    }
    match terms[b] {
        Term::BvNot(inner) => {
            let set = terms.eq(a, inner);
            Some(terms.not(set))
        }
        Term::BvAnd(x, y) => {
            let (x, y) = (terms.eq(a, x), terms.eq(a, y));
            Some(terms.and(x, y))
        }
        Term::BvXor(x, y) => {
            let (x, y) = (terms.eq(a, x), terms.eq(a, y));
            Some(terms.xor(x, y))
        }
        _ => None,
    }
}

/// Negations on both sides go; one against a constant moves over.
pub(super) fn eq_not(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (a, b, width) = bit_vectors(terms, node)?;
    let Term::BvNot(inner_b) = terms[b] else { return None };
    match terms[a] {
        Term::BvNot(inner_a) => Some(terms.eq(inner_a, inner_b)),
        Term::Bits { value, .. } => {
            let constant = terms.bits(!value, width);
            Some(terms.eq(constant, inner_b))
        }
        _ => None,
    }
}

/// A concatenation against a constant or an equally cut concatenation: part by part.
pub(super) fn eq_concat(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (a, b, width) = bit_vectors(terms, node)?;
    let Term::Concat(high_b, low_b) = terms[b] else { return None };
    let low_width = terms.width(low_b);
    let (high_a, low_a) = match terms[a] {
        Term::Bits { value, .. } => {
            (terms.bits(value >> low_width, width - low_width), terms.bits(value, low_width))
        }
        Term::Concat(high_a, low_a) if terms.width(low_a) == low_width => (high_a, low_a),
        _ => return None,
    };
    let (high, low) = (terms.eq(high_a, high_b), terms.eq(low_a, low_b));
    Some(terms.and(high, low))
}

/// A sign extension against another or a constant is dropped.
pub(super) fn eq_sign_extend(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (a, b, width) = bit_vectors(terms, node)?;
    let Term::SignExtend { by, of } = terms[b] else { return None };
    match terms[a] {
        Term::SignExtend { by: by_a, of: of_a } if by_a == by => Some(terms.eq(of_a, of)),
        Term::Bits { value, .. } => {
            let narrow = width - by;
            let constant = terms.bits(value, narrow);
            let extends = bits::unsigned(bits::signed(value & mask(narrow), narrow), width) == value;
            Some(if extends { terms.eq(constant, of) } else { terms.bool(false) })
        }
        _ => None,
    }
}

/// A constant against a choice with a constant branch: a question about the condition.
pub(super) fn eq_constant_ite(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (a, b, _) = bit_vectors(terms, node)?;
    let value = terms.as_bits(a)?;
    let Term::Ite(condition, x, y) = terms[b] else { return None };
    match (terms.as_bits(x), terms.as_bits(y)) {
        (Some(x), Some(y)) => Some(match (x == value, y == value) {
            (true, true) => terms.bool(true),
            (true, false) => condition,
            (false, true) => terms.not(condition),
            (false, false) => terms.bool(false),
        }),
        (Some(x), None) => {
            let rest = terms.eq(a, y);
            Some(if x == value {
                terms.or(condition, rest)
            } else {
                let otherwise = terms.not(condition);
                terms.and(otherwise, rest)
            })
        }
        (None, Some(y)) => {
            let rest = terms.eq(a, x);
            Some(if y == value { terms.implies(condition, rest) } else { terms.and(condition, rest) })
        }
        (None, None) => None,
    }
}

/// `c = d + x` is `c - d = x`.
pub(super) fn eq_constant_add(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (a, b, width) = bit_vectors(terms, node)?;
    let value = terms.as_bits(a)?;
    let Term::Add(d, x) = terms[b] else { return None };
    let difference = value.wrapping_sub(terms.as_bits(d)?);
    let constant = terms.bits(difference, width);
    Some(terms.eq(constant, x))
}

/// `c = d * x` with odd `d` is `c / d = x`; with even `d` the low zeros are compared away.
pub(super) fn eq_constant_mul(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (a, b, width) = bit_vectors(terms, node)?;
    let value = terms.as_bits(a)?;
    let Term::Mul(d, x) = terms[b] else { return None };
    let factor = terms.as_bits(d)?;
    let zeros = factor.trailing_zeros();
    if factor == 0 || zeros >= width {
        return None;
    }
    if value & mask(zeros) != 0 {
        return Some(terms.bool(false));
    }
    let narrow = width - zeros;
    let inverse = bits::inverse(factor >> zeros, narrow);
    let constant = terms.bits((value >> zeros).wrapping_mul(inverse), narrow);
    let x = terms.extract(narrow - 1, 0, x);
    Some(terms.eq(constant, x))
}

/// `c = d xor x` is `c xor d = x`; `a = a xor x` is `0 = x`; `0 = x xor y` is `x = y`.
pub(super) fn eq_xor(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (a, b, width) = bit_vectors(terms, node)?;
    for (a, b) in [(a, b), (b, a)] {
        let Term::BvXor(x, y) = terms[b] else { continue };
        if let (Some(value), Some(mask)) = (terms.as_bits(a), terms.as_bits(x)) {
            let constant = terms.bits(value ^ mask, width);
            return Some(terms.eq(constant, y));
        }
        if terms.as_bits(a) == Some(0) {
            return Some(terms.eq(x, y));
        }
        if a == x || a == y {
            let zero = terms.bits(0, width);
            return Some(terms.eq(zero, if a == x { y } else { x }));
        }
    }
    None
}

/// All ones are a conjunction only if both operands are.
pub(super) fn eq_constant_and(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (a, b, width) = bit_vectors(terms, node)?;
    if terms.as_bits(a)? != mask(width) {
        return None;
    }
    let Term::BvAnd(x, y) = terms[b] else { return None };
    let (x, y) = (terms.eq(a, x), terms.eq(a, y));
    Some(terms.and(x, y))
}

/// `a = if c then a else x` is `c or a = x`; two choices on one condition are compared branch by branch
/// when they share a branch.
pub(super) fn eq_ite(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (a, b, _) = bit_vectors(terms, node)?;
    for (a, b) in [(a, b), (b, a)] {
        let Term::Ite(condition, x, y) = terms[b] else { continue };
        if a == x {
            let rest = terms.eq(a, y);
            return Some(terms.or(condition, rest));
        }
        if a == y {
            let rest = terms.eq(a, x);
            return Some(terms.implies(condition, rest));
        }
        if let Term::Ite(other, p, q) = terms[a]
            && other == condition
            && (p == x || q == y)
        {
            let (then, otherwise) = (terms.eq(p, x), terms.eq(q, y));
            return Some(terms.ite(condition, then, otherwise));
        }
    }
    None
}

/// Constant arrays, and stores to the same index of the same array: compare the elements.
pub(super) fn eq_array(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (a, b) = operands(node)?;
    match (terms[a], terms[b]) {
        (Term::ConstArray { element: x, .. }, Term::ConstArray { element: y, .. }) => Some(terms.eq(x, y)),
        (Term::Store(array, index, x), Term::Store(other_array, other_index, y))
            if (array, index) == (other_array, other_index) =>
        {
            Some(terms.eq(x, y))
        }
        (Term::Store(array, index, x), _) if array == b => {
            let old = terms.select(array, index);
            Some(terms.eq(old, x))
        }
        (_, Term::Store(array, index, x)) if array == a => {
            let old = terms.select(array, index);
            Some(terms.eq(old, x))
        }
        _ => None,
    }
}
