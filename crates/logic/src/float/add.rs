//! Sums and differences.
//!
//! The operand of the smaller size is shifted to the exponent of the other and added or subtracted; the
//! result is shifted up again as far as zeros lead it and the exponent allows. A sum that is subnormal is
//! exact, so nothing ever has to be shifted down.

use super::parts::{Parts, nan_of};
use super::round::{assemble, round, rounded_width};
use super::shift::{append_zeros, compress, leading_zeros, shift_right_sticky};
use super::{Format, neg};
use crate::term::{TermId, Terms};

/// `a + b`.
pub fn add(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (a, b) = (Parts::of(terms, format, a), Parts::of(terms, format, b));
    let nan = nan_of(terms, format, &[&a, &b]);
    sum(terms, format, a, b, nan)
}

/// `a - b`.
pub fn sub(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let negated = neg(terms, format, b);
    let (a, b) = (Parts::of(terms, format, a), Parts::of(terms, format, b));
    // A NaN keeps its sign, and that is all that is different from adding the negated number.
    let nan = nan_of(terms, format, &[&a, &b]);
    let b = Parts::of(terms, format, negated);
    sum(terms, format, a, b, nan)
}

/// The bits below a significand that sums are computed with: two of which a subtraction may shift one up, and
/// one for all that is below.
const EXTRA: u32 = 3;

fn sum(terms: &mut Terms, format: Format, a: Parts, b: Parts, nan_value: TermId) -> TermId {
    // From here on both orders mean the same, and so that they also are the same terms, only one is built.
    let (a, b) = if a.bits <= b.bits { (a, b) } else { (b, a) };
    // Sizes without signs compare as the numbers do: the exponent is above the fraction. So the difference
    // below is never negative.
    let swapped = terms.ult(a.size, b.size);
    let [large_sign, large_exponent, large] =
        [(b.sign, a.sign), (b.exponent, a.exponent), (b.significand, a.significand)]
            .map(|(then, otherwise)| terms.ite(swapped, then, otherwise));
    let [small_exponent, small] = [(a.exponent, b.exponent), (a.significand, b.significand)]
        .map(|(then, otherwise)| terms.ite(swapped, then, otherwise));

    // Both exponents are unsigned and the larger one is first, so this does not wrap.
    let distance = terms.sub(large_exponent, small_exponent);
    let (large, small) = (append_zeros(terms, large, EXTRA), append_zeros(terms, small, EXTRA));
    let small = shift_right_sticky(terms, small, distance);
    // One bit more for a carry. A difference is never negative.
    let (large, small) = (terms.zero_extend(1, large), terms.zero_extend(1, small));
    let width = terms.width(large);
    // Subtraction is addition of the complement and one; the carry in costs no adder of its own.
    let subtract = terms.bvxor(a.sign, b.sign);
    let flips = terms.sign_extend(width - 1, subtract);
    let (summand, carry) = (terms.bvxor(small, flips), terms.zero_extend(width - 1, subtract));
    let sum = terms.add(large, summand);
    let sum = terms.add(sum, carry);

    // The highest bit counts for one more than the larger exponent; shifting up stops where that becomes one.
    // How far to shift up is limited by the exponent: a number below the least normal one keeps its zeros,
    // and is subnormal.
    let (zeros, is_zero) = leading_zeros(terms, sum);
    let common = format.exponent.max(terms.width(zeros));
    let (zeros, limit) = (terms.resize(zeros, common, false), terms.resize(large_exponent, common, false));
    let stops = terms.ult(limit, zeros);
    let amount = terms.ite(stops, limit, zeros);
    let distance = terms.resize(amount, width, false);
    let shifted = terms.shl(sum, distance);
    let wide = format.wide_exponent().max(common + 1);
    let one = terms.bits(1, wide);
    let (exponent, amount) = (terms.resize(large_exponent, wide, false), terms.resize(amount, wide, false));
    // The sum has one bit more above than the operands had.
    let exponent = terms.add(exponent, one);
    let exponent = terms.sub(exponent, amount);
    let significand = compress(terms, shifted, rounded_width(format));
    let (rounded, too_large) = round(terms, format, exponent, significand);

    // Equal sizes of opposite signs cancel to a positive zero; zeros of the same sign keep it.
    // Rounded to nearest, `x - x` is positive zero; only `-0 + -0` is negative.
    let both = terms.bvand(a.sign, b.sign);
    let sign = terms.ite(is_zero, both, large_sign);
    let opposite = terms.is_nonzero(subtract);
    // Infinity less infinity has no result.
    let undefined = terms.and_all([a.infinite, b.infinite, opposite]);
    let nan = terms.or_all([a.nan, b.nan, undefined]);
    let infinite = terms.or_all([a.infinite, b.infinite, too_large]);
    assemble(terms, format, sign, rounded, infinite, (nan, nan_value))
}
