//! Conversions: integers to numbers, numbers to integers, and from one format to another.

use super::Format;
use super::parts::{Parts, nan_of};
use super::round::{assemble, make_subnormal, round, rounded_width};
use super::shift::{append_zeros, compress, normalize, stages};
use crate::term::bits::{mask, sign_bit};
use crate::term::{TermId, Terms};

/// The number nearest to an unsigned integer of any width.
pub fn from_unsigned(terms: &mut Terms, format: Format, integer: TermId) -> TermId {
    let positive = terms.bits(0, 1);
    from_size(terms, format, positive, integer)
}

/// The number nearest to a signed integer of any width.
pub fn from_signed(terms: &mut Terms, format: Format, integer: TermId) -> TermId {
    let top = terms.width(integer) - 1;
    let sign = terms.extract(top, top, integer);
    let (negative, negated) = (terms.is_nonzero(sign), terms.neg(integer));
    let size = terms.ite(negative, negated, integer);
    from_size(terms, format, sign, size)
}

fn from_size(terms: &mut Terms, format: Format, sign: TermId, size: TermId) -> TermId {
    // A single bit needs no shifting, but has no position for it either.
    let size = if terms.width(size) == 1 { terms.zero_extend(1, size) } else { size };
    let width = terms.width(size);
    let (shifted, amount) = normalize(terms, size);
    let significand = compress(terms, shifted, rounded_width(format));
    let wide = format.wide_exponent().max(stages(width) + 2);
    let highest = terms.bits(u128::from(format.bias() + width - 1), wide);
    let amount = terms.resize(amount, wide, false);
    let exponent = terms.sub(highest, amount);
    let (rounded, too_large) = round(terms, format, exponent, significand);
    let never = terms.bool(false);
    let none = terms.bits(0, format.width());
    assemble(terms, format, sign, rounded, too_large, (never, none))
}

/// The signed integer of this width that a number is when its fraction is cut off.
///
/// Of what does not fit, up to 64 bits: a processor converts to 32 or 64 bits, and gives the least number for
/// whatever does not fit those; then the low bits are taken. Above 64 bits, the nearest integer of 128 bits,
/// or zero for a NaN, and the low bits of that.
pub fn to_signed(terms: &mut Terms, format: Format, number: TermId, width: u32) -> TermId {
    let parts = Parts::of(terms, format, number);
    let converted = match width {
        0..=32 => to_register(terms, format, &parts, 32),
        33..=64 => to_register(terms, format, &parts, 64),
        _ => to_signed_saturating(terms, format, &parts),
    };
    terms.extract(width - 1, 0, converted)
}

/// The unsigned integer of this width that a number is when its fraction is cut off.
///
/// Of what does not fit, up to 32 bits: the low bits of a conversion to a wider signed integer. Up to 64
/// bits: of a negative number, the same; from two to the 64th, zero; of a NaN, two to the 63rd. Above, the
/// nearest integer of 128 bits, or zero for a NaN, and the low bits of that.
pub fn to_unsigned(terms: &mut Terms, format: Format, number: TermId, width: u32) -> TermId {
    let parts = Parts::of(terms, format, number);
    let converted = match width {
        0..=16 => to_register(terms, format, &parts, 32),
        17..=32 => to_register(terms, format, &parts, 64),
        33..=64 => to_unsigned_64(terms, format, &parts),
        _ => to_unsigned_saturating(terms, format, &parts),
    };
    terms.extract(width - 1, 0, converted)
}

/// The size of a number without its fraction, and whether that has more than `width` bits, as it does for an
/// infinity or a NaN; then of the size nothing is said.
fn whole_size(terms: &mut Terms, format: Format, parts: &Parts, width: u32) -> (TermId, TermId) {
    // The significand is put at the top and shifted down. What it has below the width is fraction.
    let precision = format.precision();
    let top = if precision > width {
        terms.extract(precision - 1, precision - width, parts.significand)
    } else {
        append_zeros(terms, parts.significand, width - precision)
    };
    let wide = format.wide_exponent().max(stages(width) + 2);
    let exponent = terms.resize(parts.exponent, wide, false);
    let highest = terms.bits(u128::from(format.bias() + width - 1), wide);
    let amount = terms.sub(highest, exponent);
    let common = wide.max(width);
    let (top, far) = (terms.zero_extend(common - width, top), terms.resize(amount, common, false));
    let shifted = terms.lshr(top, far);
    let size = terms.extract(width - 1, 0, shifted);
    let large = if u128::from(format.bias()) + u128::from(width) > u128::from(format.special_exponent()) {
        // All numbers fit.
        terms.or(parts.nan, parts.infinite)
    } else {
        terms.is_negative(amount)
    };
    (size, large)
}

/// The size with a sign, in two's complement, as wide as the size.
fn signed(terms: &mut Terms, negative: TermId, size: TermId) -> TermId {
    let negated = terms.neg(size);
    terms.ite(negative, negated, size)
}

/// What a conversion instruction gives for a signed integer of this width.
fn to_register(terms: &mut Terms, format: Format, parts: &Parts, width: u32) -> TermId {
    let (size, large) = whole_size(terms, format, parts, width - 1);
    let size = terms.zero_extend(1, size);
    let negative = terms.is_nonzero(parts.sign);
    let value = signed(terms, negative, size);
    // The least number itself is large, and rightly represented.
    let least = terms.bits(sign_bit(width), width);
    terms.ite(large, least, value)
}

fn to_unsigned_64(terms: &mut Terms, format: Format, parts: &Parts) -> TermId {
    let (size, large) = whole_size(terms, format, parts, 64);
    let negative = terms.is_nonzero(parts.sign);
    let value = signed(terms, negative, size);
    let (half, zero) = (terms.bits(sign_bit(64), 64), terms.bits(0, 64));
    let has_half = terms.is_negative(size);
    let below = terms.or(has_half, large);
    let too_negative = terms.and(negative, below);
    let like_nan = terms.or(parts.nan, too_negative);
    let value = terms.ite(large, zero, value);
    terms.ite(like_nan, half, value)
}

fn to_signed_saturating(terms: &mut Terms, format: Format, parts: &Parts) -> TermId {
    let (size, large) = whole_size(terms, format, parts, 127);
    let size = terms.zero_extend(1, size);
    let negative = terms.is_nonzero(parts.sign);
    let value = signed(terms, negative, size);
    let (most, least) = (terms.bits(mask(127), 128), terms.bits(sign_bit(128), 128));
    let nearest = terms.ite(negative, least, most);
    let value = terms.ite(large, nearest, value);
    let zero = terms.bits(0, 128);
    terms.ite(parts.nan, zero, value)
}

fn to_unsigned_saturating(terms: &mut Terms, format: Format, parts: &Parts) -> TermId {
    let (size, large) = whole_size(terms, format, parts, 128);
    let (zero, most) = (terms.bits(0, 128), terms.bits(u128::MAX, 128));
    let value = terms.ite(large, most, size);
    let negative = terms.is_nonzero(parts.sign);
    let none = terms.or(negative, parts.nan);
    terms.ite(none, zero, value)
}

/// The number of one format nearest to a number of another.
pub fn convert(terms: &mut Terms, from: Format, to: Format, number: TermId) -> TermId {
    if from == to {
        from.expect(terms, number);
        return number;
    }
    let parts = Parts::of(terms, from, number);
    let nan_value = converted_nan(terms, from, to, &parts);
    // Unless the other format has numbers as small, what is subnormal becomes zero, however it is shifted.
    let wide = from.exponent.max(to.exponent) + 3;
    let vanishes = from.bias() > to.bias() + to.precision();
    let (exponent, significand) = if vanishes {
        (terms.resize(parts.exponent, wide, false), parts.significand)
    } else {
        let normalized = parts.normalized(terms, from);
        (terms.resize(normalized.exponent, wide, true), normalized.significand)
    };
    let difference = terms.signed_bits(i128::from(to.bias()) - i128::from(from.bias()), wide);
    let exponent = terms.add(exponent, difference);
    let significand = compress(terms, significand, rounded_width(to));
    let fits = to.exponent > from.exponent && to.bias() - from.bias() >= from.precision();
    let significand = if fits { significand } else { make_subnormal(terms, to, exponent, significand) };
    let (rounded, too_large) = round(terms, to, exponent, significand);
    let infinite = terms.or(parts.infinite, too_large);
    assemble(terms, to, parts.sign, rounded, infinite, (parts.nan, nan_value))
}

/// The NaN with the same sign and the same highest bits of the payload, made quiet.
fn converted_nan(terms: &mut Terms, from: Format, to: Format, parts: &Parts) -> TermId {
    let quiet = nan_of(terms, from, &[parts]);
    let fraction = terms.extract(from.fraction - 1, 0, quiet);
    let payload = if from.fraction > to.fraction {
        terms.extract(from.fraction - 1, from.fraction - to.fraction, fraction)
    } else {
        append_zeros(terms, fraction, to.fraction - from.fraction)
    };
    let special = terms.bits(to.special_exponent().into(), to.exponent);
    let size = terms.concat(special, payload);
    terms.concat(parts.sign, size)
}
