//! Sizes of accesses: what every part of the tool must agree on, so that a program has the same operations everywhere.
//!
//! Data only. What computes values or decides where objects lie is not here. How copies and accesses to bit-fields are split goes
//! by the types of C: the front end's layout says that.

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

/// The type of a unit of a copy, or of a smaller piece. An integer carries a pointer as well as a pointer does.
#[must_use]
pub fn unit_type(bytes: u64) -> Type {
    Type::Int(u8::try_from(bytes * 8).expect("a unit is at most a word"))
}
