//! Rules for bitwise operators.

#![expect(clippy::wildcard_enum_match_arm, reason = "what a rule does not list, it does not apply to")]

use super::super::bits::mask;
use super::super::{Term, TermId, Terms};

fn complementary(terms: &Terms, a: TermId, b: TermId) -> bool {
    terms[a] == Term::BvNot(b) || terms[b] == Term::BvNot(a)
}

/// `not not a` is `a`.
pub(super) fn bvnot_not(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvNot(a) = node else { return None };
    if let Term::BvNot(inner) = terms[a] { Some(inner) } else { None }
}

/// Negation goes into a concatenation.
pub(super) fn bvnot_concat(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvNot(a) = node else { return None };
    let Term::Concat(high, low) = terms[a] else { return None };
    let (high, low) = (terms.bvnot(high), terms.bvnot(low));
    Some(terms.concat(high, low))
}

/// `not (c - x)` is `x - (c + 1)`.
pub(super) fn bvnot_negation(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvNot(a) = node else { return None };
    let width = terms.width(a);
    let (offset, product) = match terms[a] {
        Term::Add(c, product) => (terms.as_bits(c)?, product),
        Term::Mul(..) => (0, a),
        _ => return None,
    };
    let Term::Mul(factor, x) = terms[product] else { return None };
    if terms.as_bits(factor)? != mask(width) {
        return None;
    }
    let constant = terms.bits(!offset, width);
    Some(terms.add(constant, x))
}

/// The negation of a choice between constants is a choice between constants.
pub(super) fn bvnot_bit_ite(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvNot(a) = node else { return None };
    let Term::Ite(condition, x, y) = terms[a] else { return None };
    if terms.as_bits(x).is_none() || terms.as_bits(y).is_none() {
        return None;
    }
    let (x, y) = (terms.bvnot(x), terms.bvnot(y));
    Some(terms.ite(condition, x, y))
}

/// Nothing, or all, is masked; two constants are computed.
pub(super) fn bvand_constant(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvAnd(a, b) = node else { return None };
    let width = terms.width(a);
    let value = terms.as_bits(a)?;
    if let Some(other) = terms.as_bits(b) {
        return Some(terms.bits(value & other, width));
    }
    if value == 0 {
        return Some(a);
    }
    (value == mask(width)).then_some(b)
}

/// `a and a` is `a`.
pub(super) fn bvand_same(_: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvAnd(a, b) = node else { return None };
    (a == b).then_some(a)
}

/// `a and not a` is zero.
pub(super) fn bvand_complement(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvAnd(a, b) = node else { return None };
    let width = terms.width(a);
    complementary(terms, a, b).then(|| terms.bits(0, width))
}

/// `c and (d and x)` is `(c and d) and x`.
pub(super) fn bvand_constant_nested(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvAnd(a, b) = node else { return None };
    let value = terms.as_bits(a)?;
    let Term::BvAnd(d, x) = terms[b] else { return None };
    let both = value & terms.as_bits(d)?;
    let constant = terms.bits(both, terms.width(x));
    Some(terms.bvand(constant, x))
}

/// `a and (a and x)` is `a and x`, `a and (not a and x)` is zero, `a and not (a and x)` is `a and not x`,
/// `a and not (not a and x)` is `a`.
pub(super) fn bvand_absorb(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvAnd(a, b) = node else { return None };
    let width = terms.width(a);
    for (a, b) in [(a, b), (b, a)] {
        if let Term::BvAnd(x, y) = terms[b] {
            if a == x || a == y {
                return Some(b);
            }
            if complementary(terms, a, x) || complementary(terms, a, y) {
                return Some(terms.bits(0, width));
            }
        }
        if let Term::BvNot(inner) = terms[b]
            && let Term::BvAnd(x, y) = terms[inner]
        {
            if complementary(terms, a, x) || complementary(terms, a, y) {
                return Some(a);
            }
            if a == x || a == y {
                let rest = terms.bvnot(if a == x { y } else { x });
                return Some(terms.bvand(a, rest));
            }
        }
    }
    None
}

/// The mask has a one wherever the other operand may have.
pub(super) fn bvand_covered(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvAnd(a, b) = node else { return None };
    let width = terms.width(a);
    let value = terms.as_bits(a)?;
    let possible = !terms.facts(b).zeros & mask(width);
    if value & possible == possible {
        return Some(b);
    }
    (value & possible == 0).then(|| terms.bits(0, width))
}

/// Splits a constant, or an equally cut concatenation, at the cut of a concatenation.
fn split_like(terms: &mut Terms, a: TermId, b: TermId) -> Option<[(TermId, TermId); 2]> {
    for (a, b) in [(a, b), (b, a)] {
        let Term::Concat(high_b, low_b) = terms[b] else { continue };
        let (high_width, low_width) = (terms.width(high_b), terms.width(low_b));
        match terms[a] {
            Term::Bits { value, .. } => {
                let high = terms.bits(value >> low_width, high_width);
                let low = terms.bits(value, low_width);
                return Some([(high, high_b), (low, low_b)]);
            }
            Term::Concat(high, low) if terms.width(low) == low_width => {
                let constant = |id: TermId| terms.as_bits(id).is_some();
                // Worth it only if some part becomes trivial.
                if [high, low, high_b, low_b].into_iter().any(constant) {
                    return Some([(high, high_b), (low, low_b)]);
                }
            }
            _ => {}
        }
    }
    None
}

/// A conjunction with a concatenation is made part by part.
pub(super) fn bvand_concat(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvAnd(a, b) = node else { return None };
    let [high, low] = split_like(terms, a, b)?;
    let (high, low) = (terms.bvand(high.0, high.1), terms.bvand(low.0, low.1));
    Some(terms.concat(high, low))
}

/// A mask with one run of ones is an extraction between zeros.
pub(super) fn bvand_mask(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvAnd(a, b) = node else { return None };
    let width = terms.width(a);
    let value = terms.as_bits(a)?;
    let low = value.trailing_zeros();
    let run = (value >> low.min(width - 1)).trailing_ones();
    if value == 0 || value != mask(run) << low {
        return None;
    }
    let high = low + run - 1;
    let mut result = terms.extract(high, low, b);
    if low > 0 {
        let zeros = terms.bits(0, low);
        result = terms.concat(result, zeros);
    }
    Some(terms.zero_extend(width - 1 - high, result))
}

/// `a xor 0` is `a`, `a xor ones` is `not a`; two constants are computed.
pub(super) fn bvxor_constant(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvXor(a, b) = node else { return None };
    let width = terms.width(a);
    let value = terms.as_bits(a)?;
    if let Some(other) = terms.as_bits(b) {
        return Some(terms.bits(value ^ other, width));
    }
    if value == 0 {
        return Some(b);
    }
    (value == mask(width)).then(|| terms.bvnot(b))
}

/// `a xor a` is zero.
pub(super) fn bvxor_same(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvXor(a, b) = node else { return None };
    let width = terms.width(a);
    (a == b).then(|| terms.bits(0, width))
}

/// Negations come to the outside, or into the constant.
pub(super) fn bvxor_not(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvXor(a, b) = node else { return None };
    match (terms[a], terms[b]) {
        (Term::Bits { value, width }, Term::BvNot(b)) => {
            let constant = terms.bits(!value, width);
            Some(terms.bvxor(constant, b))
        }
        (Term::BvNot(a), _) => {
            let differ = terms.bvxor(a, b);
            Some(terms.bvnot(differ))
        }
        (_, Term::BvNot(b)) => {
            let differ = terms.bvxor(a, b);
            Some(terms.bvnot(differ))
        }
        _ => None,
    }
}

/// `c xor (d xor x)` is `(c xor d) xor x`.
pub(super) fn bvxor_constant_nested(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvXor(a, b) = node else { return None };
    let value = terms.as_bits(a)?;
    let Term::BvXor(d, x) = terms[b] else { return None };
    let both = value ^ terms.as_bits(d)?;
    let constant = terms.bits(both, terms.width(x));
    Some(terms.bvxor(constant, x))
}

/// `a xor (a xor b)` is `b`.
pub(super) fn bvxor_cancel(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvXor(a, b) = node else { return None };
    for (a, b) in [(a, b), (b, a)] {
        if let Term::BvXor(x, y) = terms[b]
            && (a == x || a == y)
        {
            return Some(if a == x { y } else { x });
        }
    }
    None
}

/// Exclusive or with a concatenation is made part by part.
pub(super) fn bvxor_concat(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::BvXor(a, b) = node else { return None };
    let [high, low] = split_like(terms, a, b)?;
    let (high, low) = (terms.bvxor(high.0, high.1), terms.bvxor(low.0, low.1));
    Some(terms.concat(high, low))
}
