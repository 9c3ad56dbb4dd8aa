//! Rules for shifts, concatenation, extraction and extension.
//!
//! The normal form: concatenations lean to the right, extractions sit directly on what they cut, shifts by
//! constants are concatenations.

#![expect(clippy::wildcard_enum_match_arm, reason = "what a rule does not list, it does not apply to")]

use super::super::bits::{self, mask};
use super::super::{Term, TermId, Terms};

/// The amount of a shift, when it is a constant below the width.
fn positions(terms: &Terms, amount: TermId) -> Option<u32> {
    let amount_value = terms.as_bits(amount)?;
    (amount_value < u128::from(terms.width(amount))).then(|| bits::small(amount_value))
}

/// A shift by a constant is a concatenation with zeros.
pub(super) fn shl_by_constant(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Shl(a, amount) = node else { return None };
    let positions = positions(terms, amount)?;
    if positions == 0 {
        return Some(a);
    }
    let width = terms.width(a);
    let (kept, zeros) = (terms.extract(width - positions - 1, 0, a), terms.bits(0, positions));
    Some(terms.concat(kept, zeros))
}

/// A shift by a constant is an extraction below zeros.
pub(super) fn lshr_by_constant(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Lshr(a, amount) = node else { return None };
    let positions = positions(terms, amount)?;
    let kept = terms.extract(terms.width(a) - 1, positions, a);
    Some(terms.zero_extend(positions, kept))
}

/// A shift by a constant is an extraction, sign-extended.
pub(super) fn ashr_by_constant(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ashr(a, amount) = node else { return None };
    let positions = positions(terms, amount)?;
    let kept = terms.extract(terms.width(a) - 1, positions, a);
    Some(terms.sign_extend(positions, kept))
}

/// The amount is never below the width: nothing remains.
pub(super) fn shift_out(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (&Term::Shl(a, amount) | &Term::Lshr(a, amount)) = node else { return None };
    let width = terms.width(a);
    (terms.facts(amount).min >= u128::from(width)).then(|| terms.bits(0, width))
}

/// Zero stays zero.
pub(super) fn shift_zero(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (&Term::Shl(a, _) | &Term::Lshr(a, _)) = node else { return None };
    (terms.as_bits(a)? == 0).then_some(a)
}

/// The amount is never below the width: the sign remains.
pub(super) fn ashr_out(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ashr(a, amount) = node else { return None };
    let width = terms.width(a);
    if terms.facts(amount).min < u128::from(width) {
        return None;
    }
    let sign = terms.extract(width - 1, width - 1, a);
    Some(terms.sign_extend(width - 1, sign))
}

/// With a known sign bit, one of the other shifts does.
pub(super) fn ashr_known_sign(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ashr(a, amount) = node else { return None };
    if terms.facts(a).sign(terms.width(a))? {
        let flipped = terms.bvnot(a);
        let shifted = terms.lshr(flipped, amount);
        return Some(terms.bvnot(shifted));
    }
    Some(terms.lshr(a, amount))
}

/// Concatenations lean to the right.
pub(super) fn concat_right(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Concat(a, b) = node else { return None };
    let Term::Concat(high, middle) = terms[a] else { return None };
    let low = terms.concat(middle, b);
    Some(terms.concat(high, low))
}

/// Neighbouring constants become one.
pub(super) fn concat_constants_meet(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Concat(a, b) = node else { return None };
    let high = terms.as_bits(a)?;
    let Term::Concat(middle, low) = terms[b] else { return None };
    let value = terms.as_bits(middle)?;
    let middle_width = terms.width(middle);
    let constant = terms.bits(bits::concat(high, value, middle_width), terms.width(a) + middle_width);
    Some(terms.concat(constant, low))
}

/// The piece of a term that an extraction is; negations of pieces count, with a flag.
fn piece(terms: &Terms, a: TermId) -> Option<(u32, u32, TermId, bool)> {
    match terms[a] {
        Term::Extract { high, low, of } => Some((high, low, of, false)),
        Term::BvNot(inner) => match terms[inner] {
            Term::Extract { high, low, of } => Some((high, low, of, true)),
            _ => None,
        },
        _ => None,
    }
}

/// Neighbouring pieces of one term become one piece.
pub(super) fn concat_extracts_meet(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Concat(a, b) = node else { return None };
    let (high, cut, of, negated) = piece(terms, a)?;
    let (next, rest) = match terms[b] {
        Term::Concat(next, rest) => (next, Some(rest)),
        _ => (b, None),
    };
    let (next_high, low, next_of, next_negated) = piece(terms, next)?;
    if (of, negated) != (next_of, next_negated) || cut != next_high + 1 {
        return None;
    }
    let mut joined = terms.extract(high, low, of);
    if negated {
        joined = terms.bvnot(joined);
    }
    Some(rest.map_or(joined, |rest| terms.concat(joined, rest)))
}

/// The whole is no extraction.
pub(super) fn extract_all(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Extract { high, low, of } = node else { return None };
    (low == 0 && high + 1 == terms.width(of)).then_some(of)
}

/// Of an extraction: cut the original.
pub(super) fn extract_extract(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Extract { high, low, of } = node else { return None };
    let Term::Extract { low: base, of: inner, .. } = terms[of] else { return None };
    Some(terms.extract(high + base, low + base, inner))
}

/// Of a concatenation: cut the parts.
pub(super) fn extract_concat(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Extract { high, low, of } = node else { return None };
    let Term::Concat(above, below) = terms[of] else { return None };
    let cut = terms.width(below);
    if low >= cut {
        return Some(terms.extract(high - cut, low - cut, above));
    }
    if high < cut {
        return Some(terms.extract(high, low, below));
    }
    let (above, below) = (terms.extract(high - cut, 0, above), terms.extract(cut - 1, low, below));
    Some(terms.concat(above, below))
}

/// Of a sign extension: cut the original, and extend what reaches above it.
pub(super) fn extract_sign_extend(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Extract { high, low, of } = node else { return None };
    let Term::SignExtend { of: inner, .. } = terms[of] else { return None };
    let top = terms.width(inner) - 1;
    let kept = terms.extract(high.min(top), low.min(top), inner);
    let missing = (high - low) - (high.min(top) - low.min(top));
    Some(terms.sign_extend(missing, kept))
}

/// Negation comes to the outside.
pub(super) fn extract_not(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Extract { high, low, of } = node else { return None };
    let Term::BvNot(inner) = terms[of] else { return None };
    let kept = terms.extract(high, low, inner);
    Some(terms.bvnot(kept))
}

/// Of a bitwise operator with a constant: cut the operands.
pub(super) fn extract_constant_bitwise(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Extract { high, low, of } = node else { return None };
    let (Term::BvAnd(a, b) | Term::BvXor(a, b)) = terms[of] else { return None };
    terms.as_bits(a)?;
    let (left, right) = (terms.extract(high, low, a), terms.extract(high, low, b));
    Some(if matches!(terms[of], Term::BvAnd(..)) {
        terms.bvand(left, right)
    } else {
        terms.bvxor(left, right)
    })
}

/// Of a choice between constants: cut them.
pub(super) fn extract_constant_ite(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Extract { high, low, of } = node else { return None };
    let Term::Ite(condition, a, b) = terms[of] else { return None };
    if terms.as_bits(a).is_none() || terms.as_bits(b).is_none() {
        return None;
    }
    let (a, b) = (terms.extract(high, low, a), terms.extract(high, low, b));
    Some(terms.ite(condition, a, b))
}

/// The low bits of a sum or product of widened terms depend on the low bits alone.
pub(super) fn extract_arithmetic(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Extract { high, low: 0, of } = node else { return None };
    let (Term::Add(a, b) | Term::Mul(a, b)) = terms[of] else { return None };
    // Otherwise the extraction would only move, and the operation might be needed at full width anyway.
    let shrinks = |id: TermId| match terms[id] {
        Term::Bits { .. } => true,
        Term::SignExtend { by, of } => terms.width(of) <= high + 1 || by > 0,
        Term::Concat(above, _) => terms.as_bits(above).is_some(),
        _ => false,
    };
    if !shrinks(a) || !shrinks(b) {
        return None;
    }
    let (left, right) = (terms.extract(high, 0, a), terms.extract(high, 0, b));
    Some(if matches!(terms[of], Term::Add(..)) { terms.add(left, right) } else { terms.mul(left, right) })
}

/// Two sign extensions are one.
pub(super) fn sign_extend_twice(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::SignExtend { by, of } = node else { return None };
    let Term::SignExtend { by: inner_by, of: inner } = terms[of] else { return None };
    Some(terms.sign_extend(by + inner_by, inner))
}

/// With a known sign bit, the added bits are constants.
pub(super) fn sign_extend_known_sign(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::SignExtend { by, of } = node else { return None };
    let negative = terms.facts(of).sign(terms.width(of))?;
    let above = terms.bits(if negative { mask(by) } else { 0 }, by);
    Some(terms.concat(above, of))
}
