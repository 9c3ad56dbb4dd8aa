//! The one rounding: to nearest, ties to even.
//!
//! What is rounded is a significand of two bits more than the precision, of which the last says whether
//! anything non-zero was cut off below; its highest bit counts for the exponent.

use super::Format;
use super::shift::shift_right_sticky;
use crate::term::{TermId, Terms};

/// How wide the significands are that are given to [`round`].
pub(super) const fn rounded_width(format: Format) -> u32 {
    format.precision() + 2
}

/// Shifts a significand to the right as far as the exponent is too small for a normal number, and then the
/// exponent counts for nothing: [`round`] sees by the highest bit that the result is subnormal.
pub(super) fn make_subnormal(
    terms: &mut Terms,
    format: Format,
    exponent: TermId,
    significand: TermId,
) -> TermId {
    let wide = terms.width(exponent);
    debug_assert_eq!(terms.width(significand), rounded_width(format));
    let (zero, one) = (terms.bits(0, wide), terms.bits(1, wide));
    // The least exponent of a normal number is stored as one.
    let too_small = terms.slt(exponent, one);
    let missing = terms.sub(one, exponent);
    let amount = terms.ite(too_small, missing, zero);
    // Where the exponent is large enough, the amount is zero: one shifter serves both cases, and no choice is
    // needed behind it.
    shift_right_sticky(terms, significand, amount)
}

/// The number, without its sign, nearest to a significand and an exponent as it would be stored, and whether
/// that is an infinity because the exponent is too large (if only rounding makes it too large, then the number
/// is the infinity's bits). The highest bit of the significand is one unless the result is zero or
/// subnormal; then the exponent does not matter, but it must not be too large.
pub(super) fn round(
    terms: &mut Terms,
    format: Format,
    exponent: TermId,
    significand: TermId,
) -> (TermId, TermId) {
    let width = rounded_width(format);
    debug_assert_eq!(terms.width(significand), width);
    // A hidden bit of zero says that the number is subnormal, and that is stored as exponent zero.
    let hidden = terms.extract(width - 1, width - 1, significand);
    let fraction = terms.extract(width - 2, 2, significand);
    // Up, if more than half was cut off, or half and the number is odd.
    let (odd, half) = (terms.extract(2, 2, significand), terms.extract(1, 1, significand));
    let rest = terms.extract(0, 0, significand);
    let not_even = terms.bvor(odd, rest);
    let up = terms.bvand(half, not_even);
    let stored = terms.extract(format.exponent - 1, 0, exponent);
    // The exponent counts only if the hidden bit is one.
    let mask = terms.sign_extend(format.exponent - 1, hidden);
    let stored = terms.bvand(stored, mask);
    // A carry out of the fraction makes the next exponent, up to infinity.
    let below = terms.concat(stored, fraction);
    // Exponent and fraction are one number to the adder. A fraction of all ones that is rounded up becomes
    // zero, and its carry the next exponent: just what IEEE-754 wants, also from the largest subnormal to the
    // least normal number.
    let up = terms.zero_extend(format.width() - 2, up);
    let rounded = terms.add(below, up);
    // Compared before rounding and with the wide exponent. What only rounding makes too large has become the
    // bits of infinity by the carry.
    let special = terms.bits(format.special_exponent().into(), terms.width(exponent));
    let too_large = terms.sle(special, exponent);
    (rounded, too_large)
}

/// A result put together: a NaN, or a sign with an infinity or what was rounded.
pub(super) fn assemble(
    terms: &mut Terms,
    format: Format,
    sign: TermId,
    rounded: TermId,
    infinite: TermId,
    nan: (TermId, TermId),
) -> TermId {
    let infinity = terms.bits(format.infinity(), format.width() - 1);
    let size = terms.ite(infinite, infinity, rounded);
    let number = terms.concat(sign, size);
    terms.ite(nan.0, nan.1, number)
}
