//! What shared variables can be of, and with what they begin.

use raddle_base::SplitMix;

/// An integer type.
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
    LongLong,
    UnsignedLongLong,
}

impl Ty {
    const ALL: [Self; 11] = [
        Self::Bool,
        Self::Char,
        Self::SignedChar,
        Self::UnsignedChar,
        Self::Short,
        Self::UnsignedShort,
        Self::Int,
        Self::Unsigned,
        Self::Long,
        Self::LongLong,
        Self::UnsignedLongLong,
    ];

    /// Any; `int` more often than the others.
    pub(super) fn any(random: &mut SplitMix) -> Self {
        if random.once_in(2) { Self::Int } else { Self::ALL[random.below(Self::ALL.len())] }
    }

    /// Any that arithmetic on atomics takes.
    pub(super) fn numeric(random: &mut SplitMix) -> Self {
        let ty = Self::any(random);
        if ty == Self::Bool { Self::Int } else { ty }
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
            Self::LongLong => "long long",
            Self::UnsignedLongLong => "unsigned long long",
        }
    }

    /// A first value: small, or just below where an unsigned or narrow type wraps around without breaking a rule.
    pub(super) fn first_value(self, random: &mut SplitMix) -> &'static str {
        if !random.once_in(4) {
            return ["0", "0", "0", "1", "2"][random.below(5)];
        }
        match self {
            Self::Bool => "1",
            Self::Char | Self::SignedChar => "127",
            Self::UnsignedChar => "255",
            Self::Short => "32767",
            Self::UnsignedShort => "65535",
            Self::Unsigned => "4294967295u",
            Self::UnsignedLongLong => "18446744073709551615ull",
            Self::Int => "-1",
            Self::Long => "-2",
            Self::LongLong => "4294967296ll",
        }
    }

    /// The largest value of a type on which arithmetic can overflow, if it is one.
    pub(super) const fn largest(self) -> Option<&'static str> {
        match self {
            Self::Int => Some("2147483647"),
            Self::LongLong => Some("9223372036854775807ll"),
            Self::Bool
            | Self::Char
            | Self::SignedChar
            | Self::UnsignedChar
            | Self::Short
            | Self::UnsignedShort
            | Self::Unsigned
            | Self::Long
            | Self::UnsignedLongLong => None,
        }
    }
}
