//! The arithmetic types of C (LP64), and what the language makes of two of them.

use raddle_base::SplitMix;

/// An arithmetic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ty {
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    Unsigned,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Float,
    Double,
}

const ALL: [Ty; 14] = [
    Ty::Bool,
    Ty::Char,
    Ty::SignedChar,
    Ty::UnsignedChar,
    Ty::Short,
    Ty::UnsignedShort,
    Ty::Int,
    Ty::Unsigned,
    Ty::Long,
    Ty::UnsignedLong,
    Ty::LongLong,
    Ty::UnsignedLongLong,
    Ty::Float,
    Ty::Double,
];

impl Ty {
    pub(super) fn any(random: &mut SplitMix) -> Self {
        ALL[random.below(ALL.len())]
    }

    pub(super) fn any_integer(random: &mut SplitMix) -> Self {
        ALL[random.below(ALL.len() - 2)]
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Bool => "_Bool",
            Self::Char => "char",
            Self::SignedChar => "signed char",
            Self::UnsignedChar => "unsigned char",
            Self::Short => "short",
            Self::UnsignedShort => "unsigned short",
            Self::Int => "int",
            Self::Unsigned => "unsigned",
            Self::Long => "long",
            Self::UnsignedLong => "unsigned long",
            Self::LongLong => "long long",
            Self::UnsignedLongLong => "unsigned long long",
            Self::Float => "float",
            Self::Double => "double",
        }
    }

    pub(super) const fn is_float(self) -> bool {
        matches!(self, Self::Float | Self::Double)
    }

    pub(super) const fn is_signed(self) -> bool {
        matches!(self, Self::Char | Self::SignedChar | Self::Short | Self::Int | Self::Long | Self::LongLong)
    }

    pub(super) const fn bits(self) -> u32 {
        match self {
            Self::Bool | Self::Char | Self::SignedChar | Self::UnsignedChar => 8,
            Self::Short | Self::UnsignedShort => 16,
            Self::Int | Self::Unsigned | Self::Float => 32,
            Self::Long | Self::UnsignedLong | Self::LongLong | Self::UnsignedLongLong | Self::Double => 64,
        }
    }

    /// The type that an operand of it has.
    pub(super) const fn promoted(self) -> Self {
        match self {
            Self::Bool
            | Self::Char
            | Self::SignedChar
            | Self::UnsignedChar
            | Self::Short
            | Self::UnsignedShort => Self::Int,
            Self::Int
            | Self::Unsigned
            | Self::Long
            | Self::UnsignedLong
            | Self::LongLong
            | Self::UnsignedLongLong
            | Self::Float
            | Self::Double => self,
        }
    }

    /// The unsigned type of the same size; of a promoted type.
    pub(super) const fn unsigned(self) -> Self {
        match self {
            Self::Long => Self::UnsignedLong,
            Self::LongLong => Self::UnsignedLongLong,
            Self::Int => Self::Unsigned,
            Self::Bool
            | Self::Char
            | Self::SignedChar
            | Self::UnsignedChar
            | Self::Short
            | Self::UnsignedShort
            | Self::Unsigned
            | Self::UnsignedLong
            | Self::UnsignedLongLong
            | Self::Float
            | Self::Double => self,
        }
    }

    fn rank(self) -> u32 {
        match self {
            Self::LongLong | Self::UnsignedLongLong => 3,
            Self::Long | Self::UnsignedLong => 2,
            Self::Bool
            | Self::Char
            | Self::SignedChar
            | Self::UnsignedChar
            | Self::Short
            | Self::UnsignedShort
            | Self::Int
            | Self::Unsigned
            | Self::Float
            | Self::Double => 1,
        }
    }

    /// The type in which two operands are combined.
    pub(super) fn common(self, other: Self) -> Self {
        let (a, b) = (self.promoted(), other.promoted());
        if a == Self::Double || b == Self::Double {
            return Self::Double;
        }
        if a.is_float() || b.is_float() {
            return Self::Float;
        }
        if a.is_signed() == b.is_signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.bits() > unsigned.bits() {
            signed
        } else {
            signed.unsigned()
        }
    }
}
