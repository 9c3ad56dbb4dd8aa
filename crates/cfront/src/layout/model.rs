//! The sizes of the basic types.

use crate::types::{FloatKind, IntKind};

/// The sizes of the basic types.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum DataModel {
    /// 64-bit x86: `long` and pointers have 8 bytes.
    #[default]
    Lp64,
    /// 32-bit x86: `int`, `long` and pointers have 4 bytes; `long long` and `double` align to 4 inside records.
    Ilp32,
}

impl DataModel {
    /// Bytes of an integer type.
    #[must_use]
    pub const fn int_bytes(self, kind: IntKind) -> u64 {
        match kind {
            IntKind::Bool | IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar => 1,
            IntKind::Short | IntKind::UnsignedShort => 2,
            IntKind::Int | IntKind::UnsignedInt => 4,
            IntKind::Long | IntKind::UnsignedLong => self.pointer_bytes(),
            IntKind::LongLong | IntKind::UnsignedLongLong => 8,
            IntKind::Int128 | IntKind::UnsignedInt128 => 16,
        }
    }

    /// Bits of an integer type that carry its value: one for `_Bool`, all of the others.
    #[must_use]
    pub const fn int_bits(self, kind: IntKind) -> u32 {
        match kind {
            IntKind::Bool => 1,
            IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar => 8,
            IntKind::Short | IntKind::UnsignedShort => 16,
            IntKind::Int | IntKind::UnsignedInt => 32,
            IntKind::Long | IntKind::UnsignedLong => match self {
                Self::Lp64 => 64,
                Self::Ilp32 => 32,
            },
            IntKind::LongLong | IntKind::UnsignedLongLong => 64,
            IntKind::Int128 | IntKind::UnsignedInt128 => 128,
        }
    }

    /// Whether an integer type is signed.
    #[must_use]
    pub const fn is_signed(self, kind: IntKind) -> bool {
        match kind {
            IntKind::Char
            | IntKind::SignedChar
            | IntKind::Short
            | IntKind::Int
            | IntKind::Long
            | IntKind::LongLong
            | IntKind::Int128 => true,
            IntKind::Bool
            | IntKind::UnsignedChar
            | IntKind::UnsignedShort
            | IntKind::UnsignedInt
            | IntKind::UnsignedLong
            | IntKind::UnsignedLongLong
            | IntKind::UnsignedInt128 => false,
        }
    }

    /// Bytes of a floating type.
    #[must_use]
    pub const fn float_bytes(self, kind: FloatKind) -> u64 {
        match kind {
            FloatKind::Float16 => 2,
            FloatKind::Float | FloatKind::Float32 | FloatKind::Decimal32 => 4,
            FloatKind::Double | FloatKind::Float32x | FloatKind::Float64 | FloatKind::Decimal64 => 8,
            FloatKind::LongDouble | FloatKind::Float64x | FloatKind::Float80 => match self {
                Self::Lp64 => 16,
                Self::Ilp32 => 12,
            },
            FloatKind::Float128 | FloatKind::Decimal128 => 16,
        }
    }

    /// Bytes of a pointer.
    #[must_use]
    pub const fn pointer_bytes(self) -> u64 {
        match self {
            Self::Lp64 => 8,
            Self::Ilp32 => 4,
        }
    }

    /// The largest size an object may have: differences of pointers into it must fit.
    #[must_use]
    pub const fn max_object_bytes(self) -> u64 {
        match self {
            Self::Lp64 => (1 << 63) - 1,
            Self::Ilp32 => (1 << 31) - 1,
        }
    }

    /// What `__attribute__((aligned))` without a number asks for, in bytes.
    #[must_use]
    pub const fn default_attribute_align(self) -> u64 {
        16
    }

    /// Whether `__int128` exists.
    #[must_use]
    pub const fn has_int128(self) -> bool {
        match self {
            Self::Lp64 => true,
            Self::Ilp32 => false,
        }
    }

    /// `size_t`
    #[must_use]
    pub const fn size_type(self) -> IntKind {
        match self {
            Self::Lp64 => IntKind::UnsignedLong,
            Self::Ilp32 => IntKind::UnsignedInt,
        }
    }

    /// `ptrdiff_t`
    #[must_use]
    pub const fn difference_type(self) -> IntKind {
        match self {
            Self::Lp64 => IntKind::Long,
            Self::Ilp32 => IntKind::Int,
        }
    }

    /// `wchar_t`
    #[must_use]
    pub const fn wide_char(self) -> IntKind {
        match self {
            Self::Lp64 => IntKind::Int,
            Self::Ilp32 => IntKind::Long,
        }
    }

    /// `value` as the type holds it: truncated, then sign- or zero-extended. Conversion to `_Bool` asks whether
    /// the value differs from zero. An `unsigned __int128` above the largest `__int128` comes out negative:
    /// the 128 bits are all there.
    #[must_use]
    pub const fn wrap(self, value: i128, kind: IntKind) -> i128 {
        if let IntKind::Bool = kind {
            return if value != 0 { 1 } else { 0 };
        }
        wrap_bits(value, self.int_bits(kind), self.is_signed(kind))
    }

    /// Whether the type holds the value unchanged.
    #[must_use]
    pub const fn fits(self, value: i128, kind: IntKind) -> bool {
        wrap_bits(value, self.int_bits(kind), self.is_signed(kind)) == value
    }
}

/// The low `bits` of a value, sign- or zero-extended.
#[must_use]
pub const fn wrap_bits(value: i128, bits: u32, signed: bool) -> i128 {
    if bits >= 128 {
        return value;
    }
    if bits == 0 {
        return 0;
    }
    let unused = 128 - bits;
    if signed { (value << unused) >> unused } else { value & ((1 << bits) - 1) }
}
