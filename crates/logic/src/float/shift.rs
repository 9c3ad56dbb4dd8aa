//! Shifts by variable amounts, one stage for each bit of the amount, and counting leading zeros.

use crate::term::{TermId, Terms};

/// How many bits hold the positions of a vector of this width: the stages that its shifters have.
pub(super) const fn stages(width: u32) -> u32 {
    u32::BITS - (width - 1).leading_zeros()
}

/// Whether all bits are zero.
pub(super) fn is_zero(terms: &mut Terms, a: TermId) -> TermId {
    let zero = terms.bits(0, terms.width(a));
    terms.eq(a, zero)
}

/// The highest `width` bits, of which the lowest also says whether any bit below is one; a narrower vector
/// gets zeros below it.
pub(super) fn compress(terms: &mut Terms, a: TermId, width: u32) -> TermId {
    let old = terms.width(a);
    if old <= width {
        let zeros = width - old;
        return append_zeros(terms, a, zeros);
    }
    // The lowest bit that is kept is given up for the sticky bit, so one more than the difference is cut off.
    let cut = old - width + 1;
    let (kept, lost) = (terms.extract(old - 1, cut, a), terms.extract(cut - 1, 0, a));
    let sticky = terms.reduce_or(lost);
    terms.concat(kept, sticky)
}

/// The vector with some zeros below it.
pub(super) fn append_zeros(terms: &mut Terms, a: TermId, count: u32) -> TermId {
    if count == 0 {
        return a;
    }
    let zeros = terms.bits(0, count);
    terms.concat(a, zeros)
}

/// The vector shifted to the left until its highest bit is one, and by how much; zero stays zero, and of its
/// amount nothing is said but that it is at least the width less one.
pub(super) fn normalize(terms: &mut Terms, a: TermId) -> (TermId, TermId) {
    let width = terms.width(a);
    let mut shifted = a;
    let mut amount = None;
    // The largest distance first: if that many high bits are zero, they all go at once, and fewer than that
    // many zeros can be left.
    for stage in (0..stages(width)).rev() {
        let distance = 1 << stage;
        let high = terms.extract(width - 1, width - distance, shifted);
        let empty = is_zero(terms, high);
        let low = terms.extract(width - distance - 1, 0, shifted);
        let moved = append_zeros(terms, low, distance);
        shifted = terms.ite(empty, moved, shifted);
        amount = Some(append_bit(terms, amount, empty));
    }
    (shifted, amount.expect("significands are wider than one bit"))
}

/// How many zeros stand above the highest one, and whether there is none; of the number of zeros in a vector
/// without ones nothing is said but that it is at least the width less one.
pub(super) fn leading_zeros(terms: &mut Terms, a: TermId) -> (TermId, TermId) {
    let stages = stages(terms.width(a));
    let padding = (1 << stages) - terms.width(a);
    // Padded below to a power of two, so that each stage halves exactly. Zeros below a number change no count
    // of zeros above it.
    let mut rest = append_zeros(terms, a, padding);
    let mut count = None;
    for stage in (0..stages).rev() {
        let half = 1 << stage;
        let (high, low) = (terms.extract(2 * half - 1, half, rest), terms.extract(half - 1, 0, rest));
        let empty = is_zero(terms, high);
        rest = terms.ite(empty, low, high);
        count = Some(append_bit(terms, count, empty));
    }
    // One bit is left after all stages. It is zero only if no bit was one.
    (count.expect("sums are wider than one bit"), is_zero(terms, rest))
}

/// The bits so far, and below them one more.
fn append_bit(terms: &mut Terms, bits: Option<TermId>, condition: TermId) -> TermId {
    let bit = terms.bool_to_bit(condition);
    bits.map_or(bit, |bits| terms.concat(bits, bit))
}

/// The vector shifted to the right, where the lowest bit is one if any one was shifted out through it. The
/// amount is an unsigned number of any width.
pub(super) fn shift_right_sticky(terms: &mut Terms, a: TermId, amount: TermId) -> TermId {
    let width = terms.width(a);
    let stages = stages(width);
    let mut shifted = a;
    for stage in 0..stages.min(terms.width(amount)) {
        let distance = 1 << stage;
        let bit = terms.bit(amount, stage);
        let kept = terms.extract(width - 1, distance, shifted);
        let moved = terms.zero_extend(distance, kept);
        // What falls off here, and what was the lowest bit before, is in the lowest bit afterwards.
        let lost = terms.extract(distance - 1, 0, shifted);
        let sticky = terms.reduce_or(lost);
        let sticky = terms.zero_extend(width - 1, sticky);
        let moved = terms.bvor(moved, sticky);
        shifted = terms.ite(bit, moved, shifted);
    }
    if terms.width(amount) <= stages {
        return shifted;
    }
    // Any higher bit of the amount leaves but the lowest.
    // Here all bits of the amount that the stages know were used; what was shifted so far is no matter if
    // more is to go.
    let high = terms.extract(terms.width(amount) - 1, stages, amount);
    let far = terms.is_nonzero(high);
    let sticky = terms.reduce_or(shifted);
    let sticky = terms.zero_extend(width - 1, sticky);
    terms.ite(far, sticky, shifted)
}
