//! The words of the text form, one table per closed enum, read in both directions.

use crate::inst::{
    AllocStorage, BinaryOp, CastOp, CompareOp, Intrinsic, MathFunction, Ordering, OverflowOp, Property,
    RmwOp, UnaryOp,
};
use crate::program::ScalarStyle;

/// Gives an enum its words. A variant without a word does not compile, as the match is exhaustive.
macro_rules! words {
    ($type:ident { $($variant:ident => $word:literal),* $(,)? }) => {
        impl $type {
            /// Every one of them.
            pub const ALL: &'static [Self] = &[$(Self::$variant),*];

            /// Its word in the text form.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),* }
            }

            /// The one with that word.
            #[must_use]
            pub fn from_word(word: &str) -> Option<Self> {
                match word { $($word => Some(Self::$variant),)* _ => None }
            }
        }
    };
}

words!(UnaryOp {
    Neg => "neg",
    Not => "not",
    FloatNeg => "float_neg",
    CountLeadingZeros => "count_leading_zeros",
    CountTrailingZeros => "count_trailing_zeros",
    PopCount => "pop_count",
    ByteSwap => "byte_swap",
    FloatSqrt => "float_sqrt",
    FloatAbs => "float_abs",
});

words!(BinaryOp {
    Add => "add",
    Sub => "sub",
    Mul => "mul",
    SignedDiv => "signed_div",
    UnsignedDiv => "unsigned_div",
    SignedRem => "signed_rem",
    UnsignedRem => "unsigned_rem",
    And => "and",
    Or => "or",
    Xor => "xor",
    Shl => "shl",
    SignedShr => "signed_shr",
    UnsignedShr => "unsigned_shr",
    FloatAdd => "float_add",
    FloatSub => "float_sub",
    FloatMul => "float_mul",
    FloatDiv => "float_div",
});

words!(CompareOp {
    Equal => "equal",
    NotEqual => "not_equal",
    SignedLess => "signed_less",
    SignedLessEqual => "signed_less_equal",
    UnsignedLess => "unsigned_less",
    UnsignedLessEqual => "unsigned_less_equal",
    FloatEqual => "float_equal",
    FloatLess => "float_less",
    FloatLessEqual => "float_less_equal",
});

words!(CastOp {
    Truncate => "truncate",
    ZeroExtend => "zero_extend",
    SignExtend => "sign_extend",
    SignedToFloat => "signed_to_float",
    UnsignedToFloat => "unsigned_to_float",
    FloatToSigned => "float_to_signed",
    FloatToUnsigned => "float_to_unsigned",
    FloatToFloat => "float_to_float",
    PointerToInt => "pointer_to_int",
    IntToPointer => "int_to_pointer",
    Bits => "bits",
});

words!(OverflowOp {
    SignedAdd => "signed_add",
    UnsignedAdd => "unsigned_add",
    SignedSub => "signed_sub",
    UnsignedSub => "unsigned_sub",
    SignedMul => "signed_mul",
    UnsignedMul => "unsigned_mul",
});

words!(RmwOp {
    Exchange => "exchange",
    Add => "add",
    Sub => "sub",
    And => "and",
    Or => "or",
    Xor => "xor",
    Nand => "nand",
    SignedMin => "signed_min",
    SignedMax => "signed_max",
    UnsignedMin => "unsigned_min",
    UnsignedMax => "unsigned_max",
});

words!(Ordering {
    Plain => "plain",
    Relaxed => "relaxed",
    Acquire => "acquire",
    Release => "release",
    AcquireRelease => "acq_rel",
    SequentiallyConsistent => "seq_cst",
});

words!(AllocStorage {
    Heap => "heap",
    Library => "library",
    Local => "local",
    Dynamic => "dynamic",
});

words!(MathFunction {
    Sin => "sin",
    Cos => "cos",
    Tan => "tan",
    Asin => "asin",
    Acos => "acos",
    Atan => "atan",
    Atan2 => "atan2",
    Sinh => "sinh",
    Cosh => "cosh",
    Tanh => "tanh",
    Asinh => "asinh",
    Acosh => "acosh",
    Atanh => "atanh",
    Exp => "exp",
    Exp2 => "exp2",
    Expm1 => "expm1",
    Log => "log",
    Log1p => "log1p",
    Log2 => "log2",
    Log10 => "log10",
    Pow => "pow",
    Cbrt => "cbrt",
    Hypot => "hypot",
    Fmod => "fmod",
    Fma => "fma",
    FmaSingle => "fma_single",
});

words!(Property {
    Assertion => "assertion",
    Deadlock => "deadlock",
    LockMisuse => "lock_misuse",
    DataRace => "data_race",
    MemorySafety => "memory_safety",
    Overflow => "overflow",
    Arithmetic => "arithmetic",
    Leak => "leak",
    Cleanup => "cleanup",
    Uninitialised => "uninitialised",
});

impl Property {
    /// What people call it, on the command line, in reports and in traces; [`word`](Self::word) is for the text form, whose words
    /// hold no dashes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Assertion => "assertion",
            Self::Deadlock => "deadlock",
            Self::LockMisuse => "lock-misuse",
            Self::DataRace => "data-race",
            Self::MemorySafety => "memory-safety",
            Self::Overflow => "overflow",
            Self::Arithmetic => "arithmetic",
            Self::Leak => "leak",
            Self::Cleanup => "cleanup",
            Self::Uninitialised => "uninitialised",
        }
    }

    /// The property that people call so.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|property| property.name() == name)
    }
}

words!(ScalarStyle {
    Signed => "signed",
    Unsigned => "unsigned",
    Char => "char",
    Bool => "bool",
    Float => "float",
    Pointer => "pointer",
});

impl Intrinsic {
    /// Its word in the text form; functions of `<math.h>` share one word and are distinguished by a second.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::PutByte => "put_byte",
            Self::PutInteger => "put_integer",
            Self::PutFloat => "put_float",
            Self::PutPointer => "put_pointer",
            Self::FloatByte => "float_byte",
            Self::Decimal => "decimal",
            Self::Math(_) => "math",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back() {
        assert!(BinaryOp::ALL.iter().all(|&op| BinaryOp::from_word(op.word()) == Some(op)));
        assert!(CastOp::ALL.iter().all(|&op| CastOp::from_word(op.word()) == Some(op)));
        assert!(Ordering::ALL.iter().all(|&op| Ordering::from_word(op.word()) == Some(op)));
        assert_eq!(Property::from_word("nonsense"), None);
    }

    #[test]
    fn operator_words_are_distinct_across_kinds() {
        // The parser knows a value's kind by its first word alone.
        let mut words: Vec<&str> = UnaryOp::ALL.iter().map(|op| op.word()).collect();
        words.extend(BinaryOp::ALL.iter().map(|op| op.word()));
        words.extend(CompareOp::ALL.iter().map(|op| op.word()));
        words.extend(CastOp::ALL.iter().map(|op| op.word()));
        let count = words.len();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), count);
    }
}
