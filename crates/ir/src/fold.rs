//! The value of a computation on constants.
//!
//! Gives the exact value or none: undefined operations (division by zero, over-wide shifts), results that the
//! machine chooses (the bits of a NaN, conversions out of range) and anything about addresses that is not plain
//! are left to whoever runs the program.

use crate::inst::{BinaryOp, CastOp, CompareOp, Constant, Operand, OverflowOp, Rvalue, UnaryOp};
use crate::program::Type;

/// The value of `value` for a destination of type `dest`, when `lookup` knows the operands it takes.
#[must_use]
pub fn evaluate(
    value: &Rvalue,
    dest: Type,
    mut lookup: impl FnMut(Operand) -> Option<Constant>,
) -> Option<Constant> {
    match value {
        Rvalue::Use(a) => lookup(*a),
        Rvalue::Unary(op, a) => unary(*op, lookup(*a)?),
        Rvalue::Binary(op, a, b) => binary(*op, lookup(*a)?, lookup(*b)?),
        Rvalue::Compare(op, a, b) => compare(*op, lookup(*a)?, lookup(*b)?).map(Constant::bool),
        Rvalue::Cast(op, a) => cast(*op, lookup(*a)?, dest),
        Rvalue::Select(condition, a, b) => {
            let Constant::Int(1, condition) = lookup(*condition)? else { return None };
            lookup(if condition == 1 { *a } else { *b })
        }
        Rvalue::PointerAdd(pointer, offset) => match (lookup(*pointer)?, lookup(*offset)?) {
            (Constant::Global(global, start), Constant::Int(bits, offset)) => {
                let offset = i64::try_from(signed(bits, offset)).ok()?;
                Some(Constant::Global(global, start.checked_add(offset)?))
            }
            (pointer, Constant::Int(_, 0)) => Some(pointer),
            _ => None,
        },
        Rvalue::PointerDifference(a, b) => match (lookup(*a)?, lookup(*b)?, dest) {
            (Constant::Global(first, from), Constant::Global(second, to), Type::Int(bits))
                if first == second =>
            {
                Some(int(bits, i128::from(from) - i128::from(to)))
            }
            _ => None,
        },
        Rvalue::Overflows(op, a, b) => overflows(*op, lookup(*a)?, lookup(*b)?).map(Constant::bool),
        Rvalue::ThreadLocal(_)
        | Rvalue::CurrentThread
        | Rvalue::ThreadExists(_)
        | Rvalue::ObjectSize(_)
        | Rvalue::HoldsLock(_)
        | Rvalue::LockIsFree(_)
        | Rvalue::Peek(..) => None,
    }
}

/// All ones in the lowest `bits`.
#[must_use]
pub const fn mask(bits: u8) -> u128 {
    if bits >= 128 { u128::MAX } else { (1 << bits) - 1 }
}

/// The signed number that `bits` bits stand for.
#[must_use]
pub const fn signed(bits: u8, value: u128) -> i128 {
    if bits == 0 || bits >= 128 {
        return value.cast_signed();
    }
    let unused = 128 - bits as u32;
    (value << unused).cast_signed() >> unused
}

/// An integer constant from a number, modulo its range.
#[must_use]
pub const fn int(bits: u8, value: i128) -> Constant {
    Constant::Int(bits, value.cast_unsigned() & mask(bits))
}

fn f32_constant(value: f32) -> Option<Constant> {
    // Which NaN comes out is the VM's to choose.
    (!value.is_nan()).then(|| Constant::F32(value.to_bits()))
}

fn f64_constant(value: f64) -> Option<Constant> {
    (!value.is_nan()).then(|| Constant::F64(value.to_bits()))
}

fn unary(op: UnaryOp, a: Constant) -> Option<Constant> {
    match (op, a) {
        (UnaryOp::FloatNeg, Constant::F32(bits)) => Some(Constant::F32(bits ^ (1 << 31))),
        (UnaryOp::FloatNeg, Constant::F64(bits)) => Some(Constant::F64(bits ^ (1 << 63))),
        (UnaryOp::FloatAbs, Constant::F32(bits)) => Some(Constant::F32(bits & !(1 << 31))),
        (UnaryOp::FloatAbs, Constant::F64(bits)) => Some(Constant::F64(bits & !(1 << 63))),
        (UnaryOp::FloatSqrt, Constant::F32(bits)) => f32_constant(f32::from_bits(bits).sqrt()),
        (UnaryOp::FloatSqrt, Constant::F64(bits)) => f64_constant(f64::from_bits(bits).sqrt()),
        (op, Constant::Int(bits, value)) if (1..=128).contains(&bits) => {
            let unused = 128 - u32::from(bits);
            let result = match op {
                UnaryOp::Neg => value.wrapping_neg(),
                UnaryOp::Not => !value,
                UnaryOp::CountLeadingZeros => u128::from((value << unused).leading_zeros().min(bits.into())),
                UnaryOp::CountTrailingZeros => u128::from(value.trailing_zeros().min(bits.into())),
                UnaryOp::PopCount => u128::from(value.count_ones()),
                UnaryOp::ByteSwap if bits.is_multiple_of(8) => (value << unused).swap_bytes(),
                UnaryOp::ByteSwap | UnaryOp::FloatNeg | UnaryOp::FloatSqrt | UnaryOp::FloatAbs => {
                    return None;
                }
            };
            Some(Constant::Int(bits, result & mask(bits)))
        }
        _ => None,
    }
}

fn binary(op: BinaryOp, a: Constant, b: Constant) -> Option<Constant> {
    match (a, b) {
        (Constant::Int(bits, a), Constant::Int(amount_bits, b)) => {
            let amount = u32::try_from(b).ok().filter(|amount| *amount < u32::from(bits));
            let same_type = bits == amount_bits;
            let divisible = same_type && b != 0;
            // The smallest number divided by minus one overflows.
            let signed_divisible =
                divisible && !(signed(bits, b) == -1 && a == 1u128 << (bits.saturating_sub(1)));
            let result = match op {
                BinaryOp::Shl => a << amount?,
                BinaryOp::UnsignedShr => a >> amount?,
                BinaryOp::SignedShr => (signed(bits, a) >> amount?).cast_unsigned(),
                _ if !same_type => return None,
                BinaryOp::Add => a.wrapping_add(b),
                BinaryOp::Sub => a.wrapping_sub(b),
                BinaryOp::Mul => a.wrapping_mul(b),
                BinaryOp::And => a & b,
                BinaryOp::Or => a | b,
                BinaryOp::Xor => a ^ b,
                BinaryOp::UnsignedDiv if divisible => a / b,
                BinaryOp::UnsignedRem if divisible => a % b,
                BinaryOp::SignedDiv if signed_divisible => {
                    (signed(bits, a) / signed(bits, b)).cast_unsigned()
                }
                BinaryOp::SignedRem if signed_divisible => {
                    (signed(bits, a) % signed(bits, b)).cast_unsigned()
                }
                BinaryOp::UnsignedDiv | BinaryOp::UnsignedRem | BinaryOp::SignedDiv | BinaryOp::SignedRem => {
                    return None;
                }
                BinaryOp::FloatAdd | BinaryOp::FloatSub | BinaryOp::FloatMul | BinaryOp::FloatDiv => {
                    return None;
                }
            };
            Some(Constant::Int(bits, result & mask(bits)))
        }
        (Constant::F32(a), Constant::F32(b)) => {
            f32_constant(float_binary(op, f32::from_bits(a), f32::from_bits(b))?)
        }
        (Constant::F64(a), Constant::F64(b)) => {
            f64_constant(float_binary(op, f64::from_bits(a), f64::from_bits(b))?)
        }
        _ => None,
    }
}

fn float_binary<F>(op: BinaryOp, a: F, b: F) -> Option<F>
where
    F: std::ops::Add<Output = F>
        + std::ops::Sub<Output = F>
        + std::ops::Mul<Output = F>
        + std::ops::Div<Output = F>,
{
    match op {
        BinaryOp::FloatAdd => Some(a + b),
        BinaryOp::FloatSub => Some(a - b),
        BinaryOp::FloatMul => Some(a * b),
        BinaryOp::FloatDiv => Some(a / b),
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::SignedDiv
        | BinaryOp::UnsignedDiv
        | BinaryOp::SignedRem
        | BinaryOp::UnsignedRem
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::Shl
        | BinaryOp::SignedShr
        | BinaryOp::UnsignedShr => None,
    }
}

fn compare(op: CompareOp, a: Constant, b: Constant) -> Option<bool> {
    match (a, b) {
        (Constant::Int(bits, a), Constant::Int(other, b)) if bits == other => {
            let (low, high) = (signed(bits, a), signed(bits, b));
            match op {
                CompareOp::Equal => Some(a == b),
                CompareOp::NotEqual => Some(a != b),
                CompareOp::UnsignedLess => Some(a < b),
                CompareOp::UnsignedLessEqual => Some(a <= b),
                CompareOp::SignedLess => Some(low < high),
                CompareOp::SignedLessEqual => Some(low <= high),
                CompareOp::FloatEqual | CompareOp::FloatLess | CompareOp::FloatLessEqual => None,
            }
        }
        (Constant::F32(a), Constant::F32(b)) => {
            float_compare(op, f32::from_bits(a).into(), f32::from_bits(b).into())
        }
        (Constant::F64(a), Constant::F64(b)) => float_compare(op, f64::from_bits(a), f64::from_bits(b)),
        (a, b) => {
            let equal = same_pointer(a, b)?;
            match op {
                CompareOp::Equal => Some(equal),
                CompareOp::NotEqual => Some(!equal),
                CompareOp::SignedLess
                | CompareOp::SignedLessEqual
                | CompareOp::UnsignedLess
                | CompareOp::UnsignedLessEqual
                | CompareOp::FloatEqual
                | CompareOp::FloatLess
                | CompareOp::FloatLessEqual => None,
            }
        }
    }
}

fn float_compare(op: CompareOp, a: f64, b: f64) -> Option<bool> {
    match op {
        CompareOp::FloatEqual => Some(a == b),
        CompareOp::FloatLess => Some(a < b),
        CompareOp::FloatLessEqual => Some(a <= b),
        CompareOp::Equal
        | CompareOp::NotEqual
        | CompareOp::SignedLess
        | CompareOp::SignedLessEqual
        | CompareOp::UnsignedLess
        | CompareOp::UnsignedLessEqual => None,
    }
}

/// Whether two constant pointers are equal, when that does not depend on where objects lie.
fn same_pointer(a: Constant, b: Constant) -> Option<bool> {
    match (a, b) {
        (Constant::Null, Constant::Null) => Some(true),
        // The first byte of an object, and a function, are never at null.
        (Constant::Null, Constant::Global(_, 0) | Constant::Function(_))
        | (Constant::Global(_, 0) | Constant::Function(_), Constant::Null) => Some(false),
        (Constant::Global(first, from), Constant::Global(second, to)) if first == second => Some(from == to),
        (Constant::Function(first), Constant::Function(second)) => Some(first == second),
        _ => None,
    }
}

fn overflows(op: OverflowOp, a: Constant, b: Constant) -> Option<bool> {
    let (Constant::Int(bits, a), Constant::Int(other, b)) = (a, b) else { return None };
    if bits != other || bits == 0 {
        return None;
    }
    let (low, high) = (signed(bits, a), signed(bits, b));
    let exact_signed = match op {
        OverflowOp::SignedAdd => low.checked_add(high),
        OverflowOp::SignedSub => low.checked_sub(high),
        OverflowOp::SignedMul => low.checked_mul(high),
        OverflowOp::UnsignedAdd => return Some(a.checked_add(b).is_none_or(|sum| sum > mask(bits))),
        OverflowOp::UnsignedSub => return Some(a < b),
        OverflowOp::UnsignedMul => return Some(a.checked_mul(b).is_none_or(|product| product > mask(bits))),
    };
    // Overflown if cutting the result to the width changes it.
    Some(exact_signed.is_none_or(|exact| signed(bits, exact.cast_unsigned()) != exact))
}

fn cast(op: CastOp, a: Constant, dest: Type) -> Option<Constant> {
    match (op, a, dest) {
        (CastOp::Truncate | CastOp::ZeroExtend, Constant::Int(_, value), Type::Int(to)) => {
            Some(Constant::Int(to, value & mask(to)))
        }
        (CastOp::SignExtend, Constant::Int(from, value), Type::Int(to)) => Some(int(to, signed(from, value))),
        (CastOp::SignedToFloat, Constant::Int(bits, value), Type::F32) => {
            f32_constant(signed(bits, value) as f32)
        }
        (CastOp::SignedToFloat, Constant::Int(bits, value), Type::F64) => {
            f64_constant(signed(bits, value) as f64)
        }
        (CastOp::UnsignedToFloat, Constant::Int(_, value), Type::F32) => f32_constant(value as f32),
        (CastOp::UnsignedToFloat, Constant::Int(_, value), Type::F64) => f64_constant(value as f64),
        (CastOp::FloatToSigned, a, Type::Int(bits)) => {
            let value = truncated(a)?;
            (signed(bits, value.cast_unsigned()) == value).then(|| int(bits, value))
        }
        (CastOp::FloatToUnsigned, a, Type::Int(bits)) => {
            let value = u128::try_from(truncated(a)?).ok()?;
            (value <= mask(bits)).then_some(Constant::Int(bits, value))
        }
        (CastOp::FloatToFloat, Constant::F32(bits), Type::F64) => f64_constant(f32::from_bits(bits).into()),
        (CastOp::FloatToFloat, Constant::F64(bits), Type::F32) => {
            f32_constant(narrowed(f64::from_bits(bits)))
        }
        (CastOp::PointerToInt, Constant::Null, Type::Int(bits)) => Some(Constant::Int(bits, 0)),
        (CastOp::IntToPointer, Constant::Int(_, 0), Type::Ptr) => Some(Constant::Null),
        (CastOp::Bits, Constant::F32(value), Type::Int(32)) => Some(Constant::Int(32, value.into())),
        (CastOp::Bits, Constant::F64(value), Type::Int(64)) => Some(Constant::Int(64, value.into())),
        (CastOp::Bits, Constant::Int(32, value), Type::F32) => u32::try_from(value).ok().map(Constant::F32),
        (CastOp::Bits, Constant::Int(64, value), Type::F64) => u64::try_from(value).ok().map(Constant::F64),
        _ => None,
    }
}

/// A floating number without its fraction, when it surely fits.
fn truncated(a: Constant) -> Option<i128> {
    let value = match a {
        Constant::F32(bits) => f64::from(f32::from_bits(bits)),
        Constant::F64(bits) => f64::from_bits(bits),
        Constant::Int(..) | Constant::Null | Constant::Global(..) | Constant::Function(_) => return None,
    };
    #[expect(clippy::cast_possible_truncation, reason = "the magnitude was checked; the fraction is to go")]
    (value.abs() < 1e38).then_some(value as i128)
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to the narrower type is what is asked for")]
fn narrowed(value: f64) -> f32 {
    value as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant_operand(operand: Operand) -> Option<Constant> {
        operand.constant()
    }

    fn i(bits: u8, value: i128) -> Operand {
        Operand::Constant(int(bits, value))
    }

    fn binary_of(op: BinaryOp, bits: u8, a: i128, b: i128) -> Option<i128> {
        let value = Rvalue::Binary(op, i(bits, a), i(bits, b));
        let Constant::Int(_, value) = evaluate(&value, Type::Int(bits), constant_operand)? else {
            return None;
        };
        Some(signed(bits, value))
    }

    #[test]
    fn integers_wrap_and_undefined_operations_have_no_value() {
        assert_eq!(binary_of(BinaryOp::Add, 8, 127, 1), Some(-128));
        assert_eq!(binary_of(BinaryOp::Mul, 128, i128::MAX, 2), Some(-2));
        assert_eq!(binary_of(BinaryOp::SignedDiv, 32, -7, 2), Some(-3));
        assert_eq!(binary_of(BinaryOp::SignedRem, 32, -7, 2), Some(-1));
        assert_eq!(binary_of(BinaryOp::UnsignedDiv, 8, -1, 2), Some(127));
        assert_eq!(binary_of(BinaryOp::SignedDiv, 32, 1, 0), None);
        assert_eq!(binary_of(BinaryOp::SignedDiv, 32, i32::MIN.into(), -1), None);
        assert_eq!(binary_of(BinaryOp::SignedDiv, 128, i128::MIN, -1), None);
        assert_eq!(binary_of(BinaryOp::Shl, 32, 1, 31), Some(i32::MIN.into()));
        assert_eq!(binary_of(BinaryOp::Shl, 32, 1, 32), None);
        assert_eq!(binary_of(BinaryOp::SignedShr, 32, -8, 1), Some(-4));
        assert_eq!(binary_of(BinaryOp::UnsignedShr, 32, -8, 31), Some(1));
    }

    #[test]
    fn comparisons_and_overflow() {
        let compare_of = |op, a, b| compare(op, int(8, a), int(8, b));
        assert_eq!(compare_of(CompareOp::SignedLess, -1, 1), Some(true));
        assert_eq!(compare_of(CompareOp::UnsignedLess, -1, 1), Some(false));
        let overflows_of = |op, bits, a, b| overflows(op, int(bits, a), int(bits, b));
        assert_eq!(overflows_of(OverflowOp::SignedAdd, 8, 127, 1), Some(true));
        assert_eq!(overflows_of(OverflowOp::SignedAdd, 8, 127, -1), Some(false));
        assert_eq!(overflows_of(OverflowOp::SignedMul, 128, i128::MAX, 2), Some(true));
        assert_eq!(overflows_of(OverflowOp::UnsignedSub, 8, 1, 2), Some(true));
        assert_eq!(overflows_of(OverflowOp::UnsignedMul, 8, 15, 17), Some(false));
        assert_eq!(compare(CompareOp::NotEqual, Constant::Null, Constant::Null), Some(false));
    }

    #[test]
    fn conversions() {
        let cast_of = |op, a, dest| cast(op, a, dest);
        assert_eq!(cast_of(CastOp::SignExtend, int(8, -1), Type::Int(64)), Some(int(64, -1)));
        assert_eq!(cast_of(CastOp::ZeroExtend, int(8, -1), Type::Int(64)), Some(int(64, 255)));
        assert_eq!(cast_of(CastOp::Truncate, int(32, 0x1234), Type::Int(8)), Some(int(8, 0x34)));
        let double = |value: f64| Constant::F64(value.to_bits());
        assert_eq!(cast_of(CastOp::FloatToSigned, double(-3.9), Type::Int(32)), Some(int(32, -3)));
        assert_eq!(cast_of(CastOp::FloatToSigned, double(3e9), Type::Int(32)), None);
        assert_eq!(
            cast_of(CastOp::FloatToUnsigned, double(3e9), Type::Int(32)),
            Some(int(32, 3_000_000_000))
        );
        assert_eq!(cast_of(CastOp::FloatToUnsigned, double(-1.0), Type::Int(32)), None);
        assert_eq!(cast_of(CastOp::FloatToSigned, double(f64::NAN), Type::Int(32)), None);
        assert_eq!(cast_of(CastOp::SignedToFloat, int(32, -2), Type::F64), Some(double(-2.0)));
        let zero_over_zero = binary(BinaryOp::FloatDiv, double(0.0), double(0.0));
        assert_eq!(zero_over_zero, None);
    }

    #[test]
    fn bit_counting_minds_the_width() {
        assert_eq!(unary(UnaryOp::CountLeadingZeros, int(8, 1)), Some(int(8, 7)));
        assert_eq!(unary(UnaryOp::CountLeadingZeros, int(8, 0)), Some(int(8, 8)));
        assert_eq!(unary(UnaryOp::CountTrailingZeros, int(16, 0)), Some(int(16, 16)));
        assert_eq!(unary(UnaryOp::ByteSwap, int(16, 0x1234)), Some(int(16, 0x3412)));
        assert_eq!(unary(UnaryOp::Not, int(1, 0)), Some(int(1, 1)));
    }
}
