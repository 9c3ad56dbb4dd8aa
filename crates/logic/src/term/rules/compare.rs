//! Rules for comparisons and overflow predicates.

use super::super::bits::{self, mask};
use super::super::{Term, TermFacts, TermId, Terms};

/// `a < a` is false.
pub(super) fn same(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let (&Term::Ult(a, b) | &Term::Slt(a, b)) = node else { return None };
    (a == b).then(|| terms.bool(false))
}

/// The ranges of both sides decide.
pub(super) fn ult_facts(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ult(a, b) = node else { return None };
    let (a, b) = (terms.facts(a), terms.facts(b));
    if a.max < b.min {
        Some(terms.bool(true))
    } else if a.min >= b.max {
        Some(terms.bool(false))
    } else {
        None
    }
}

/// Next to the end of what is possible, `<` is equality or its negation: `x < 1`, `0 < x`.
pub(super) fn ult_bound(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ult(a, b) = node else { return None };
    let width = terms.width(a);
    let (known_a, known_b) = (terms.facts(a), terms.facts(b));
    if let Some(limit) = terms.as_bits(b) {
        if limit.checked_sub(1) == Some(known_a.min) {
            let least = terms.bits(known_a.min, width);
            return Some(terms.eq(least, a));
        }
        if limit == known_a.max {
            return Some(terms.ne(b, a));
        }
    }
    if let Some(limit) = terms.as_bits(a) {
        if limit.checked_add(1) == Some(known_b.max) {
            let most = terms.bits(known_b.max, width);
            return Some(terms.eq(most, b));
        }
        if limit == known_b.min {
            return Some(terms.ne(a, b));
        }
    }
    None
}

/// Negation reverses: `not a < not b` is `b < a`; one against a constant moves over.
pub(super) fn ult_not(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ult(a, b) = node else { return None };
    let width = terms.width(a);
    match (terms[a], terms[b]) {
        (Term::BvNot(a), Term::BvNot(b)) => Some(terms.ult(b, a)),
        (Term::BvNot(a), Term::Bits { value, .. }) => {
            let constant = terms.bits(!value, width);
            Some(terms.ult(constant, a))
        }
        (Term::Bits { value, .. }, Term::BvNot(b)) => {
            let constant = terms.bits(!value, width);
            Some(terms.ult(b, constant))
        }
        _ => None,
    }
}

/// Equal high parts, or equal low parts, do not matter.
pub(super) fn ult_concat(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ult(a, b) = node else { return None };
    let (Term::Concat(high_a, low_a), Term::Concat(high_b, low_b)) = (terms[a], terms[b]) else {
        return None;
    };
    if high_a == high_b {
        return Some(terms.ult(low_a, low_b));
    }
    (low_a == low_b).then(|| terms.ult(high_a, high_b))
}

/// High bits that are zero on both sides are dropped, when one side is a widened term.
pub(super) fn ult_narrow(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ult(a, b) = node else { return None };
    let width = terms.width(a);
    let widened = |id: TermId| matches!(terms[id], Term::Concat(high, _) if terms.as_bits(high) == Some(0));
    if !widened(a) && !widened(b) {
        return None;
    }
    let needed = terms.facts(a).significant().max(terms.facts(b).significant()).max(1);
    if needed == width {
        return None;
    }
    let (a, b) = (terms.extract(needed - 1, 0, a), terms.extract(needed - 1, 0, b));
    Some(terms.ult(a, b))
}

/// Sign extension keeps the unsigned order.
pub(super) fn ult_sign_extend(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ult(a, b) = node else { return None };
    let (Term::SignExtend { by: by_a, of: a }, Term::SignExtend { by: by_b, of: b }) = (terms[a], terms[b])
    else {
        return None;
    };
    (by_a == by_b).then(|| terms.ult(a, b))
}

/// `a % b < b` unless `b` is zero; never `a < a % b`.
pub(super) fn ult_remainder(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ult(a, b) = node else { return None };
    if let Term::Urem(_, divisor) = terms[a]
        && divisor == b
    {
        return Some(terms.is_nonzero(b));
    }
    if let Term::Urem(dividend, _) = terms[b]
        && dividend == a
    {
        return Some(terms.bool(false));
    }
    None
}

/// A constant against a choice between constants is a question about the condition.
fn constant_ite(
    terms: &mut Terms,
    a: TermId,
    b: TermId,
    less: impl Fn(u128, u128) -> bool,
) -> Option<TermId> {
    let (condition, then, otherwise) = match (terms[a], terms[b]) {
        (Term::Ite(condition, x, y), Term::Bits { value, .. }) => {
            (condition, less(terms.as_bits(x)?, value), less(terms.as_bits(y)?, value))
        }
        (Term::Bits { value, .. }, Term::Ite(condition, x, y)) => {
            (condition, less(value, terms.as_bits(x)?), less(value, terms.as_bits(y)?))
        }
        _ => return None,
    };
    let (then, otherwise) = (terms.bool(then), terms.bool(otherwise));
    Some(terms.ite(condition, then, otherwise))
}

/// See [`constant_ite`].
pub(super) fn ult_constant_ite(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ult(a, b) = node else { return None };
    constant_ite(terms, a, b, |x, y| x < y)
}

/// See [`constant_ite`].
pub(super) fn slt_constant_ite(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Slt(a, b) = node else { return None };
    let width = terms.width(a);
    constant_ite(terms, a, b, |x, y| bits::signed(x, width) < bits::signed(y, width))
}

/// Nothing is below the least number or above the greatest; next to them, `<` is equality.
pub(super) fn slt_bound(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Slt(a, b) = node else { return None };
    let width = terms.width(a);
    let (least, most) = (bits::sign_bit(width), mask(width - 1));
    let (constant_a, constant_b) = (terms.as_bits(a), terms.as_bits(b));
    if constant_b == Some(least) || constant_a == Some(most) {
        return Some(terms.bool(false));
    }
    if constant_b == Some(most) || constant_a == Some(least) {
        return Some(terms.ne(a, b));
    }
    if constant_b.is_some_and(|b| b == bits::add(least, 1, width)) {
        let least = terms.bits(least, width);
        return Some(terms.eq(a, least));
    }
    if constant_a.is_some_and(|a| bits::add(a, 1, width) == most) {
        let most = terms.bits(most, width);
        return Some(terms.eq(b, most));
    }
    None
}

/// `x < 0` and `-1 < x` ask for the sign bit.
pub(super) fn slt_sign(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Slt(a, b) = node else { return None };
    if terms.as_bits(b) == Some(0) {
        return Some(terms.is_negative(a));
    }
    if terms.as_bits(a) == Some(mask(terms.width(a))) {
        let negative = terms.is_negative(b);
        return Some(terms.not(negative));
    }
    None
}

/// Sign extension keeps the order; a constant outside of what can be reached decides.
pub(super) fn slt_sign_extend(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Slt(a, b) = node else { return None };
    let width = terms.width(a);
    // A constant at the narrow width, or whether it is below all that fits there.
    let narrowed = |value: u128, narrow: u32| {
        let number = bits::signed(value, width);
        let fits = bits::signed(value & mask(narrow), narrow) == number;
        if fits { Ok(value & mask(narrow)) } else { Err(number < 0) }
    };
    match (terms[a], terms[b]) {
        (Term::SignExtend { by: by_a, of: a }, Term::SignExtend { by: by_b, of: b }) if by_a == by_b => {
            Some(terms.slt(a, b))
        }
        (Term::SignExtend { by, of }, Term::Bits { value, .. }) => Some(match narrowed(value, width - by) {
            Ok(value) => {
                let constant = terms.bits(value, width - by);
                terms.slt(of, constant)
            }
            Err(below_all) => terms.bool(!below_all),
        }),
        (Term::Bits { value, .. }, Term::SignExtend { by, of }) => Some(match narrowed(value, width - by) {
            Ok(value) => {
                let constant = terms.bits(value, width - by);
                terms.slt(constant, of)
            }
            Err(below_all) => terms.bool(below_all),
        }),
        _ => None,
    }
}

/// Known signs decide, or make the comparison unsigned.
pub(super) fn slt_known_signs(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Slt(a, b) = node else { return None };
    let width = terms.width(a);
    let (sign_a, sign_b) = (terms.facts(a).sign(width)?, terms.facts(b).sign(width)?);
    Some(if sign_a == sign_b { terms.ult(a, b) } else { terms.bool(sign_a) })
}

/// The ranges leave no room for overflow, or make it certain.
pub(super) fn umul_overflow_facts(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::UmulOverflow(a, b) = node else { return None };
    let width = terms.width(a);
    let (a, b) = (terms.facts(a), terms.facts(b));
    if bits::umul_overflows(a.min, b.min, width) {
        Some(terms.bool(true))
    } else if !bits::umul_overflows(a.max, b.max, width) {
        Some(terms.bool(false))
    } else {
        None
    }
}

/// A product with zero or one fits; with minus one, all but the least number does.
pub(super) fn smul_overflow_trivial(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::SmulOverflow(a, b) = node else { return None };
    let width = terms.width(a);
    let value = terms.as_bits(a)?;
    if value == 0 || bits::signed(value, width) == 1 {
        return Some(terms.bool(false));
    }
    (value == mask(width)).then(|| terms.neg_overflows(b))
}

/// How many bits hold the value in two's complement.
fn signed_bits(terms: &Terms, facts: &TermFacts, term: TermId) -> u32 {
    let width = terms.width(term);
    match (terms[term], facts.sign(width)) {
        (Term::SignExtend { by, .. }, _) => width - by,
        (_, Some(false)) => facts.significant() + 1,
        (_, Some(true)) => bits::significant(mask(width) - facts.min) + 1,
        (_, None) => width,
    }
}

/// Both factors are so narrow that the product fits.
pub(super) fn smul_overflow_narrow(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::SmulOverflow(a, b) = node else { return None };
    let width = terms.width(a);
    let needed = signed_bits(terms, &terms.facts(a), a) + signed_bits(terms, &terms.facts(b), b);
    (needed <= width).then(|| terms.bool(false))
}
