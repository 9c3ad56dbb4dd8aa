//! Quotients: one bit of the significand after the other, by comparing and subtracting.

use super::Format;
use super::parts::{Parts, nan_of};
use super::round::{assemble, make_subnormal, round, rounded_width};
use super::shift::append_zeros;
use crate::term::{TermId, Terms};

/// `a / b`.
pub fn div(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (a, b) = (Parts::of(terms, format, a), Parts::of(terms, format, b));
    let nan_value = nan_of(terms, format, &[&a, &b]);
    // With both shifted up, the quotient is above a half and below two, and its first bit is in one of two
    // positions.
    let (dividend, divisor) = (a.normalized(terms, format), b.normalized(terms, format));
    let (quotient, remains) = divide(terms, format, dividend.significand, divisor.significand);

    // More than a half and less than two: the highest bit or the next one is the first. Even after a shift
    // there is a bit to round by, and then the lowest, which also stands for the remainder.
    // An inexact quotient can never be exactly half way between two numbers, but the rest must be kept to
    // know on which side it is.
    let width = terms.width(quotient);
    let whole = terms.extract(width - 1, width - 1, quotient);
    let is_whole = terms.is_nonzero(whole);
    let below = terms.extract(width - 2, 0, quotient);
    let below = append_zeros(terms, below, 1);
    let significand = terms.ite(is_whole, quotient, below);
    let remains = terms.zero_extend(width - 1, remains);
    let significand = terms.bvor(significand, remains);
    let wide = format.wide_exponent();
    // The bias was in both exponents and the subtraction took it out. One less than the bias, because the
    // quotient's first bit counts for one only if it is whole.
    let (bias, whole) = (terms.bits(u128::from(format.bias()) - 1, wide), terms.zero_extend(wide - 1, whole));
    let exponent = terms.sub(dividend.exponent, divisor.exponent);
    let exponent = terms.add(exponent, bias);
    let exponent = terms.add(exponent, whole);
    let significand = make_subnormal(terms, format, exponent, significand);
    let (rounded, too_large) = round(terms, format, exponent, significand);

    // A zero as dividend gives a zero by itself.
    let zero = terms.bits(0, format.width() - 1);
    // A finite number by infinity is zero. The exponent of infinity is an ordinary number to the circuit
    // above, so what it computed means nothing here.
    let rounded = terms.ite(b.infinite, zero, rounded);
    let sign = terms.bvxor(a.sign, b.sign);
    let (no_size, no_order) = (terms.and(a.infinite, b.infinite), terms.and(a.zero, b.zero));
    let nan = terms.or_all([a.nan, b.nan, no_size, no_order]);
    // For the same reason its `too_large` must not count. A division by zero is infinite whatever the
    // quotient says.
    let finite_divisor = terms.not(b.infinite);
    let too_large = terms.and(too_large, finite_divisor);
    let infinite = terms.or_all([a.infinite, b.zero, too_large]);
    assemble(terms, format, sign, rounded, infinite, (nan, nan_value))
}

/// The first bits of a quotient of two significands, from the one that counts for one, and a bit that says
/// whether anything remains. Of a division by zero nothing is said.
fn divide(terms: &mut Terms, format: Format, dividend: TermId, divisor: TermId) -> (TermId, TermId) {
    let wide_divisor = terms.zero_extend(1, divisor);
    // Less than twice the divisor, before each step.
    let mut remainder = terms.zero_extend(1, dividend);
    let mut bits = Vec::new();
    for _ in 0..rounded_width(format) {
        let too_small = terms.ult(remainder, wide_divisor);
        // The remainder is below twice the divisor, so after the subtraction it fits the width of the
        // significand again.
        let kept = terms.extract(format.fraction, 0, remainder);
        let subtracted = terms.sub(kept, divisor);
        let rest = terms.ite(too_small, kept, subtracted);
        remainder = append_zeros(terms, rest, 1);
        let fits = terms.not(too_small);
        bits.push(terms.bool_to_bit(fits));
    }
    // Concatenations lean to the right, so this order builds each only once.
    let quotient = bits.into_iter().rev().reduce(|low, high| terms.concat(high, low));
    (quotient.expect("there are some steps"), terms.reduce_or(remainder))
}
