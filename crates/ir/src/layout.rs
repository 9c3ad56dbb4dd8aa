//! Sizes, and how accesses are split: what every part of the tool must agree on, so that a program has the same operations
//! everywhere.
//!
//! Data only. What computes values or decides where objects lie is not here.
//!
//! A scalar is accessed at once. What has no scalar type (a copy of an object as a whole, `memcpy` and its kin) is accessed
//! in *units*, in ascending order: the largest power of two that the alignment known from the types guarantees,
//! and no more than a word. Real code may copy larger pieces at once, which other threads cannot tell from a copy that
//! nobody came between.

use crate::program::Type;

/// Bits of a type.
#[must_use]
#[inline]
pub const fn bits(ty: Type, pointer_bits: u8) -> u8 {
    match ty {
        Type::Int(bits) => bits,
        Type::F32 => 32,
        Type::F64 => 64,
        Type::Ptr => pointer_bits,
    }
}

/// Bytes of a type in memory.
#[must_use]
#[inline]
pub const fn bytes(ty: Type, pointer_bits: u8) -> u64 {
    (bits(ty, pointer_bits) as u64).div_ceil(8)
}

/// Bytes of the unit in which memory of this alignment is copied.
#[must_use]
pub fn unit(alignment: u64, pointer_bits: u8) -> u64 {
    let word = u64::from(pointer_bits / 8);
    let guaranteed = 1 << alignment.max(1).trailing_zeros();
    word.min(guaranteed)
}

/// The type of a unit, or of a smaller piece. An integer carries a pointer as well as a pointer does.
#[must_use]
pub fn unit_type(bytes: u64) -> Type {
    Type::Int(u8::try_from(bytes * 8).expect("a unit is at most a word"))
}

/// The pieces, each with its offset and its bytes, in which the bytes `from .. size` of an object are copied by units of
/// at most `unit` bytes.
pub fn pieces(from: u64, size: u64, unit: u64) -> impl Iterator<Item = (u64, u64)> {
    let mut offset = from;
    std::iter::from_fn(move || {
        let rest = size.checked_sub(offset).filter(|&rest| rest > 0)?;
        let mut piece = unit.max(1);
        while piece > rest || !offset.is_multiple_of(piece) {
            piece /= 2;
        }
        let at = offset;
        offset += piece;
        Some((at, piece))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_guaranteed_by_the_alignment_and_no_larger_than_a_word() {
        assert_eq!([1, 2, 4, 8, 16].map(|alignment| unit(alignment, 64)), [1, 2, 4, 8, 8]);
        assert_eq!([1, 2, 4, 8].map(|alignment| unit(alignment, 32)), [1, 2, 4, 4]);
        assert_eq!(unit_type(8), Type::Int(64));
    }

    #[test]
    fn pieces_cover_every_byte_once() {
        for size in 0..20 {
            for unit in [1, 2, 4, 8] {
                let mut next = 0;
                for (offset, bytes) in pieces(0, size, unit) {
                    assert_eq!(offset, next);
                    assert!(bytes <= unit && offset % bytes == 0);
                    next += bytes;
                }
                assert_eq!(next, size);
            }
        }
        assert_eq!(pieces(0, 7, 4).collect::<Vec<_>>(), [(0, 4), (4, 2), (6, 1)]);
        assert_eq!(pieces(8, 11, 8).collect::<Vec<_>>(), [(8, 2), (10, 1)]);
    }
}
