//! Square roots: one bit after the other, as on paper.

use super::Format;
use super::parts::{Parts, nan_of};
use super::round::{assemble, round};
use super::shift::{append_zeros, is_zero};
use crate::term::{TermId, Terms};

/// The square root.
pub fn sqrt(terms: &mut Terms, format: Format, number: TermId) -> TermId {
    let parts = Parts::of(terms, format, number);
    let nan_value = nan_of(terms, format, &[&parts]);
    let normalized = parts.normalized(terms, format);
    // The bias is odd, so an odd exponent stands for an even one, which can be halved; if it is not, the
    // significand is doubled.
    // Two bits stand above the point now, so that pairs of bits can be taken from the top.
    let (plain, doubled) =
        (terms.zero_extend(1, normalized.significand), append_zeros(terms, normalized.significand, 1));
    let halvable = terms.bit(normalized.exponent, 0);
    let radicand = terms.ite(halvable, plain, doubled);
    let (root, remains) = root(terms, format, radicand);
    let significand = terms.concat(root, remains);
    let wide = format.wide_exponent();
    // Half of the exponent, with the bias of the result: (e - bias) / 2 + bias is (e + bias) / 2.
    let bias = terms.bits(format.bias().into(), wide);
    let exponent = terms.add(normalized.exponent, bias);
    let exponent = terms.extract(wide - 1, 1, exponent);
    let exponent = terms.sign_extend(1, exponent);
    // A root can be neither too large nor subnormal: its exponent is about half of the number's.
    let (rounded, _) = round(terms, format, exponent, significand);

    // The root of a zero is that zero.
    let (negative, nonzero) = (terms.is_nonzero(parts.sign), terms.not(parts.zero));
    let undefined = terms.and(negative, nonzero);
    let nan = terms.or(parts.nan, undefined);
    assemble(terms, format, parts.sign, rounded, parts.infinite, (nan, nan_value))
}

/// The first bits of a root, one more than the precision, and a bit that says whether anything remains. The
/// highest bits of the radicand are two that count for three together.
fn root(terms: &mut Terms, format: Format, radicand: TermId) -> (TermId, TermId) {
    let steps = format.precision() + 1;
    let radicand = append_zeros(terms, radicand, steps);
    // Before each step, the remainder is at most twice the root so far.
    // The first pair of bits gives the first bit of the root: one, unless the pair is zero.
    let mut remainder = terms.extract(2 * steps - 1, 2 * steps - 2, radicand);
    let none = is_zero(terms, remainder);
    let some = terms.not(none);
    let mut root = terms.bool_to_bit(some);
    let first = terms.zero_extend(1, root);
    remainder = terms.sub(remainder, first);
    for step in 1..steps {
        let low = 2 * (steps - 1 - step);
        let pair = terms.extract(low + 1, low, radicand);
        remainder = terms.concat(remainder, pair);
        // On trial is the root with a one appended. Its square exceeds the square of the root by four times
        // the root and one, and that is what must fit into the remainder.
        let one = terms.bits(1, 2);
        let trial = terms.concat(root, one);
        let trial = terms.resize(trial, terms.width(remainder), false);
        let too_small = terms.ult(remainder, trial);
        let subtracted = terms.sub(remainder, trial);
        let rest = terms.ite(too_small, remainder, subtracted);
        // The root has one bit more now, and the remainder needs no more than one more than that.
        remainder = terms.resize(rest, step + 2, false);
        let fits = terms.not(too_small);
        let bit = terms.bool_to_bit(fits);
        root = terms.concat(root, bit);
    }
    (root, terms.reduce_or(remainder))
}
