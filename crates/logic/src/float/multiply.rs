//! Products.

use super::Format;
use super::parts::{Parts, nan_of};
use super::round::{assemble, make_subnormal, round, rounded_width};
use super::shift::{append_zeros, compress};
use crate::term::{TermId, Terms};

/// `a * b`.
pub fn mul(terms: &mut Terms, format: Format, a: TermId, b: TermId) -> TermId {
    let (a, b) = (Parts::of(terms, format, a), Parts::of(terms, format, b));
    let nan_value = nan_of(terms, format, &[&a, &b]);
    // Subnormal operands are shifted up first. Otherwise the product would have its first bit anywhere, and
    // would need a shifter twice as wide.
    let (left, right) = (a.normalized(terms, format), b.normalized(terms, format));
    let precision = format.precision();
    let factor = terms.zero_extend(precision, left.significand);
    let other = terms.zero_extend(precision, right.significand);
    let product = terms.mul(factor, other);

    // At least one and less than four: the highest bit or the next one is the first.
    let wide = format.wide_exponent();
    // The highest bit of the product is one exactly if the product of the two numbers between one and two is
    // two or more.
    let carry = terms.extract(2 * precision - 1, 2 * precision - 1, product);
    let has_carry = terms.is_nonzero(carry);
    let below = terms.extract(2 * precision - 2, 0, product);
    let below = append_zeros(terms, below, 1);
    let significand = terms.ite(has_carry, product, below);
    let significand = compress(terms, significand, rounded_width(format));
    let (bias, carry) = (terms.bits(format.bias().into(), wide), terms.zero_extend(wide - 1, carry));
    let exponent = terms.add(left.exponent, right.exponent);
    let exponent = terms.sub(exponent, bias);
    let exponent = terms.add(exponent, carry);
    // Shifting down comes before rounding: rounded twice, a result could be off by one.
    let significand = make_subnormal(terms, format, exponent, significand);
    let (rounded, too_large) = round(terms, format, exponent, significand);

    let sign = terms.bvxor(a.sign, b.sign);
    // Infinity times zero has no result.
    let (undefined, mirrored) = (terms.and(a.infinite, b.zero), terms.and(a.zero, b.infinite));
    let nan = terms.or_all([a.nan, b.nan, undefined, mirrored]);
    let infinite = terms.or_all([a.infinite, b.infinite, too_large]);
    assemble(terms, format, sign, rounded, infinite, (nan, nan_value))
}
