//! The fields and the class of a number.

use super::Format;
use super::shift::{is_zero, normalize};
use crate::term::{TermId, Terms};

/// A number taken apart. Conditions are Booleans, the rest are bit-vectors.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// The number itself.
    pub(super) bits: TermId,
    /// One bit.
    pub(super) sign: TermId,
    /// Everything but the sign.
    pub(super) size: TermId,
    /// The exponent as stored, but one instead of zero: what the significand is to be multiplied by.
    pub(super) exponent: TermId,
    /// With the bit that is not stored: as wide as the precision.
    pub(super) significand: TermId,
    /// Whether it is neither a number nor an infinity.
    pub(super) nan: TermId,
    /// Whether it is an infinity of either sign.
    pub(super) infinite: TermId,
    /// Whether it is a zero of either sign.
    pub(super) zero: TermId,
}

/// A number whose significand's highest bit is one, unless it is zero.
#[derive(Clone, Copy, Debug)]
pub(super) struct Normalized {
    /// Signed, of [`Format::wide_exponent`] bits.
    pub(super) exponent: TermId,
    /// As wide as the precision.
    pub(super) significand: TermId,
}

impl Parts {
    pub(super) fn of(terms: &mut Terms, format: Format, bits: TermId) -> Self {
        format.expect(terms, bits);
        let top = format.width() - 1;
        let sign = terms.extract(top, top, bits);
        let size = terms.extract(top - 1, 0, bits);
        let stored = terms.extract(top - 1, format.fraction, bits);
        let fraction = terms.extract(format.fraction - 1, 0, bits);
        let special = terms.bits(format.special_exponent().into(), format.exponent);
        let is_special = terms.eq(stored, special);
        let subnormal = is_zero(terms, stored);
        let no_fraction = is_zero(terms, fraction);
        let some_fraction = terms.not(no_fraction);
        // A stored exponent of zero counts as one, and then the hidden bit is zero: so subnormal numbers need
        // no case of their own further on.
        let subnormal_bit = terms.bool_to_bit(subnormal);
        let lowest = terms.zero_extend(format.exponent - 1, subnormal_bit);
        let hidden = terms.bvnot(subnormal_bit);
        Self {
            bits,
            sign,
            size,
            exponent: terms.bvor(stored, lowest),
            significand: terms.concat(hidden, fraction),
            nan: terms.and(is_special, some_fraction),
            infinite: terms.and(is_special, no_fraction),
            zero: terms.and(subnormal, no_fraction),
        }
    }

    /// The same number with its significand shifted up.
    pub(super) fn normalized(&self, terms: &mut Terms, format: Format) -> Normalized {
        // A subnormal number gets an exponent of zero or below. The wide exponent is signed and has room for
        // that.
        let (significand, amount) = normalize(terms, self.significand);
        let wide = format.wide_exponent();
        let (exponent, amount) =
            (terms.resize(self.exponent, wide, false), terms.resize(amount, wide, false));
        Normalized { exponent: terms.sub(exponent, amount), significand }
    }
}

/// The NaN that an operation gives: the first operand that is one, made quiet, or else the default one.
pub(super) fn nan_of(terms: &mut Terms, format: Format, operands: &[&Parts]) -> TermId {
    let quiet = terms.bits(format.quiet_bit(), format.width());
    let default = terms.bits(format.default_nan(), format.width());
    // From the last operand to the first, so that the first NaN is the outermost choice and wins.
    operands.iter().rev().fold(default, |result, operand| {
        let quieted = terms.bvor(operand.bits, quiet);
        terms.ite(operand.nan, quieted, result)
    })
}
