//! Values, and what the operators do to them.
//!
//! A value is its bits, zero-extended to 128, and for pointers the object they were derived from. Everything
//! here is a pure function of its operands, written as plainly as possible: the encodings of the engines are
//! compared with it.

use std::num::NonZeroU32;

pub use raddle_ir::layout::bits as width;
use raddle_ir::{BinaryOp, CastOp, CompareOp, OverflowOp, Property, Type, UnaryOp};

/// The object a pointer was derived from: its slot in memory, and which of the objects that lived there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// The arena.
    pub arena: u32,
    /// The slot in the arena.
    pub slot: u32,
    /// Counts the objects that have lived in the slot.
    pub generation: NonZeroU32,
    /// Of a piece of an address: which address, as its distance from where the arena's begin. Else zero.
    pub distance: u32,
}

impl Origin {
    /// An object.
    #[must_use]
    pub const fn new(arena: u32, slot: u32, generation: NonZeroU32) -> Self {
        Self { arena, slot, generation, distance: 0 }
    }
}

/// A value of any type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// Zero-extended from the width of its type.
    pub bits: u128,
    /// What it points into, if it is a pointer or was made from one.
    pub origin: Option<Origin>,
}

impl Value {
    /// Zero, false, null.
    pub const ZERO: Self = Self { bits: 0, origin: None };

    /// A value that is no pointer.
    #[must_use]
    pub const fn plain(bits: u128) -> Self {
        Self { bits, origin: None }
    }

    /// A truth value.
    #[must_use]
    pub const fn truth(value: bool) -> Self {
        Self::plain(value as u128)
    }

    /// Whether any bit is set.
    #[must_use]
    pub const fn is_true(self) -> bool {
        self.bits != 0
    }

    /// The low 64 bits: an address, a size, a double.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "taking the low bits is the point")]
    pub const fn low(self) -> u64 {
        self.bits as u64
    }
}

/// Why an operation has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// Division or remainder by zero.
    DivisionByZero,
    /// The quotient does not fit: the smallest number divided by -1.
    DivisionOverflow,
    /// A shift by at least the width, or by a negative amount.
    WideShift,
}

impl Undefined {
    /// The property that is about it.
    #[must_use]
    pub const fn property(self) -> Property {
        match self {
            Self::DivisionOverflow => Property::Overflow,
            Self::DivisionByZero | Self::WideShift => Property::Arithmetic,
        }
    }
}

/// The bits of `width` that a value may have.
#[must_use]
#[inline]
pub const fn mask(width: u8) -> u128 {
    MASKS[width as usize]
}

/// Looked up, since shifting 128 bits takes longer.
const MASKS: [u128; 256] = {
    let mut masks = [u128::MAX; 256];
    let mut width = 0;
    while width < 128 {
        masks[width] = (1 << width) - 1;
        width += 1;
    }
    masks
};

/// The bits read as a signed number.
#[must_use]
#[inline]
#[expect(clippy::cast_possible_wrap, reason = "reading the bits as signed is the point")]
#[expect(clippy::cast_possible_truncation, reason = "the upper half is not used")]
pub const fn signed(bits: u128, width: u8) -> i128 {
    if width <= 64 {
        let unused = 64 - width as u32;
        return (((bits as u64) << unused) as i64 >> unused) as i128;
    }
    let unused = 128 - width as u32;
    ((bits << unused) as i128) >> unused
}

/// The bits of a signed number.
#[must_use]
#[expect(clippy::cast_sign_loss, reason = "taking the bits is the point")]
#[inline]
pub const fn unsigned(value: i128, width: u8) -> u128 {
    value as u128 & mask(width)
}

/// A single-precision value.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "a float has 32 bits")]
pub const fn to_f32(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

/// A double-precision value.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "a double has 64 bits")]
pub const fn to_f64(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

/// One operand of type `ty`.
#[must_use]
pub fn unary(op: UnaryOp, operand: u128, ty: Type, pointer_bits: u8) -> u128 {
    let width = width(ty, pointer_bits);
    let sign = 1_u128 << (width - 1);
    match op {
        UnaryOp::Neg => operand.wrapping_neg() & mask(width),
        UnaryOp::Not => !operand & mask(width),
        UnaryOp::FloatNeg => operand ^ sign,
        UnaryOp::FloatAbs => operand & !sign,
        UnaryOp::CountLeadingZeros => u128::from(operand.leading_zeros()) - (128 - u128::from(width)),
        UnaryOp::CountTrailingZeros => u128::from(operand.trailing_zeros()).min(u128::from(width)),
        UnaryOp::PopCount => u128::from(operand.count_ones()),
        UnaryOp::ByteSwap => operand.swap_bytes() >> (128 - u32::from(width)),
        UnaryOp::FloatSqrt => match ty {
            Type::F32 => u128::from(to_f32(operand).sqrt().to_bits()),
            Type::F64 | Type::Int(_) | Type::Ptr => u128::from(to_f64(operand).sqrt().to_bits()),
        },
    }
}

/// Two operands of type `ty`; a shift amount may have another width and is given zero-extended.
#[inline]
pub fn binary(op: BinaryOp, left: u128, right: u128, ty: Type, pointer_bits: u8) -> Result<u128, Undefined> {
    let width = width(ty, pointer_bits);
    let all = mask(width);
    Ok(match op {
        BinaryOp::Add => left.wrapping_add(right) & all,
        BinaryOp::Sub => left.wrapping_sub(right) & all,
        BinaryOp::Mul => left.wrapping_mul(right) & all,
        BinaryOp::UnsignedDiv => divide_unsigned(left, right)?.0,
        BinaryOp::UnsignedRem => divide_unsigned(left, right)?.1,
        BinaryOp::SignedDiv | BinaryOp::SignedRem => {
            let (dividend, divisor) = (signed(left, width), signed(right, width));
            if divisor == 0 {
                return Err(Undefined::DivisionByZero);
            }
            if divisor == -1 && dividend == signed(1 << (width - 1), width) {
                return Err(Undefined::DivisionOverflow);
            }
            let (quotient, remainder) = divide_signed(dividend, divisor);
            unsigned(if op == BinaryOp::SignedDiv { quotient } else { remainder }, width)
        }
        BinaryOp::And => left & right,
        BinaryOp::Or => left | right,
        BinaryOp::Xor => left ^ right,
        BinaryOp::Shl => (left << shift_amount(right, width)?) & all,
        BinaryOp::UnsignedShr => left >> shift_amount(right, width)?,
        BinaryOp::SignedShr => unsigned(signed(left, width) >> shift_amount(right, width)?, width),
        BinaryOp::FloatAdd => float(left, right, ty, |a, b| a + b, |a, b| a + b),
        BinaryOp::FloatSub => float(left, right, ty, |a, b| a - b, |a, b| a - b),
        BinaryOp::FloatMul => float(left, right, ty, |a, b| a * b, |a, b| a * b),
        BinaryOp::FloatDiv => float(left, right, ty, |a, b| a / b, |a, b| a / b),
    })
}

fn shift_amount(amount: u128, width: u8) -> Result<u32, Undefined> {
    u32::try_from(amount).ok().filter(|&amount| amount < u32::from(width)).ok_or(Undefined::WideShift)
}

/// Quotient and remainder. Numbers of 64 bits are what programs mostly divide, and what processors divide fast.
fn divide_unsigned(dividend: u128, divisor: u128) -> Result<(u128, u128), Undefined> {
    if divisor == 0 {
        return Err(Undefined::DivisionByZero);
    }
    Ok(match (u64::try_from(dividend), u64::try_from(divisor)) {
        (Ok(dividend), Ok(divisor)) => ((dividend / divisor).into(), (dividend % divisor).into()),
        _ => (dividend / divisor, dividend % divisor),
    })
}

/// Quotient, towards zero, and remainder; the caller has excluded what does not exist.
fn divide_signed(dividend: i128, divisor: i128) -> (i128, i128) {
    match (i64::try_from(dividend), i64::try_from(divisor)) {
        (Ok(dividend), Ok(divisor)) if divisor != -1 => {
            ((dividend / divisor).into(), (dividend % divisor).into())
        }
        _ => (dividend / divisor, dividend % divisor),
    }
}

fn float(
    left: u128,
    right: u128,
    ty: Type,
    single: fn(f32, f32) -> f32,
    double: fn(f64, f64) -> f64,
) -> u128 {
    match ty {
        Type::F32 => u128::from(single(to_f32(left), to_f32(right)).to_bits()),
        Type::F64 | Type::Int(_) | Type::Ptr => u128::from(double(to_f64(left), to_f64(right)).to_bits()),
    }
}

/// A comparison of two operands of type `ty`.
#[must_use]
#[inline]
pub fn compare(op: CompareOp, left: u128, right: u128, ty: Type, pointer_bits: u8) -> bool {
    let width = width(ty, pointer_bits);
    let floats = || match ty {
        Type::F32 => (f64::from(to_f32(left)), f64::from(to_f32(right))),
        Type::F64 | Type::Int(_) | Type::Ptr => (to_f64(left), to_f64(right)),
    };
    match op {
        CompareOp::Equal => left == right,
        CompareOp::NotEqual => left != right,
        CompareOp::SignedLess => signed(left, width) < signed(right, width),
        CompareOp::SignedLessEqual => signed(left, width) <= signed(right, width),
        CompareOp::UnsignedLess => left < right,
        CompareOp::UnsignedLessEqual => left <= right,
        #[expect(clippy::float_cmp, reason = "exact comparison is what the program asks for")]
        CompareOp::FloatEqual => {
            let (left, right) = floats();
            left == right
        }
        CompareOp::FloatLess => {
            let (left, right) = floats();
            left < right
        }
        CompareOp::FloatLessEqual => {
            let (left, right) = floats();
            left <= right
        }
    }
}

/// Whether an operation on integers of `width` bits overflows.
#[must_use]
pub fn overflows(op: OverflowOp, left: u128, right: u128, width: u8) -> bool {
    let fits_signed =
        |result: Option<i128>| result.is_some_and(|result| signed(unsigned(result, width), width) == result);
    let fits_unsigned = |result: Option<u128>| result.is_some_and(|result| result <= mask(width));
    let (a, b) = (signed(left, width), signed(right, width));
    !match op {
        OverflowOp::SignedAdd => fits_signed(a.checked_add(b)),
        OverflowOp::SignedSub => fits_signed(a.checked_sub(b)),
        OverflowOp::SignedMul => fits_signed(a.checked_mul(b)),
        OverflowOp::UnsignedAdd => fits_unsigned(left.checked_add(right)),
        OverflowOp::UnsignedSub => fits_unsigned(left.checked_sub(right)),
        OverflowOp::UnsignedMul => fits_unsigned(left.checked_mul(right)),
    }
}

/// A conversion of the bits from one type to another.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "rounding to single precision is what the cast asks for")]
pub fn cast(op: CastOp, operand: u128, from: Type, to: Type, pointer_bits: u8) -> u128 {
    let (from_width, to_width) = (width(from, pointer_bits), width(to, pointer_bits));
    let double = || match from {
        Type::F32 => f64::from(to_f32(operand)),
        Type::F64 | Type::Int(_) | Type::Ptr => to_f64(operand),
    };
    match op {
        CastOp::Truncate => operand & mask(to_width),
        CastOp::ZeroExtend | CastOp::PointerToInt | CastOp::IntToPointer | CastOp::Bits => operand,
        CastOp::SignExtend => unsigned(signed(operand, from_width), to_width),
        CastOp::SignedToFloat => from_integer(signed(operand, from_width), to),
        CastOp::UnsignedToFloat => match to {
            // A cast in Rust rounds to nearest even, as IEEE asks.
            Type::F32 => u128::from((operand as f32).to_bits()),
            Type::F64 | Type::Int(_) | Type::Ptr => u128::from((operand as f64).to_bits()),
        },
        CastOp::FloatToSigned => float_to_signed(double(), to_width),
        CastOp::FloatToUnsigned => float_to_unsigned(double(), to_width),
        CastOp::FloatToFloat => match to {
            Type::F32 => u128::from((double() as f32).to_bits()),
            Type::F64 | Type::Int(_) | Type::Ptr => u128::from(double().to_bits()),
        },
    }
}

fn from_integer(value: i128, to: Type) -> u128 {
    match to {
        Type::F32 => u128::from((value as f32).to_bits()),
        Type::F64 | Type::Int(_) | Type::Ptr => u128::from((value as f64).to_bits()),
    }
}

/// What the x86 instructions that gcc emits give, also where C leaves the result undefined.
fn float_to_signed(value: f64, width: u8) -> u128 {
    match width {
        0..=32 => unsigned(i128::from(to_i32(value)), width),
        33..=64 => unsigned(i128::from(to_i64(value)), width),
        #[expect(clippy::cast_possible_truncation, reason = "saturates; C leaves it undefined")]
        _ => unsigned(value as i128, width),
    }
}

fn float_to_unsigned(value: f64, width: u8) -> u128 {
    const HALF: f64 = 9_223_372_036_854_775_808.0;
    match width {
        0..=16 => unsigned(i128::from(to_i32(value)), width),
        17..=32 => unsigned(i128::from(to_i64(value)), width),
        33..=64 if value >= HALF => unsigned(i128::from(to_i64(value - HALF)) ^ (1 << 63), width),
        33..=64 => unsigned(i128::from(to_i64(value)), width),
        #[expect(
            clippy::cast_sign_loss,
            clippy::cast_possible_truncation,
            reason = "saturates; C leaves it undefined"
        )]
        _ => value as u128,
    }
}

/// `cvttsd2si` with a 32-bit destination: the smallest number for whatever does not fit.
#[expect(clippy::cast_possible_truncation, reason = "in range by the test before")]
fn to_i32(value: f64) -> i32 {
    let value = value.trunc();
    if value >= f64::from(i32::MIN) && value <= f64::from(i32::MAX) { value as i32 } else { i32::MIN }
}

/// `cvttsd2si` with a 64-bit destination.
#[expect(clippy::cast_possible_truncation, reason = "in range by the test before")]
fn to_i64(value: f64) -> i64 {
    const LIMIT: f64 = 9_223_372_036_854_775_808.0;
    if (-LIMIT..LIMIT).contains(&value) { value as i64 } else { i64::MIN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_numbers_come_back_from_their_bits() {
        for width in [1, 8, 13, 32, 63, 64, 65, 127, 128] {
            for value in [0, -1, i128::MIN >> (128 - u32::from(width)), i128::MAX >> (128 - u32::from(width))]
            {
                assert_eq!(signed(unsigned(value, width), width), value, "width {width}");
            }
        }
    }

    #[test]
    fn operators_agree_with_rust_on_bytes() {
        let ty = Type::Int(8);
        for left in 0..=255_u8 {
            for right in 0..=255_u8 {
                let (a, b) = (u128::from(left), u128::from(right));
                let of = |op| binary(op, a, b, ty, 64);
                assert_eq!(of(BinaryOp::Add), Ok(u128::from(left.wrapping_add(right))));
                assert_eq!(of(BinaryOp::Mul), Ok(u128::from(left.wrapping_mul(right))));
                assert_eq!(of(BinaryOp::UnsignedRem).ok(), left.checked_rem(right).map(u128::from));
                assert_eq!(
                    of(BinaryOp::SignedDiv).ok(),
                    left.cast_signed()
                        .checked_div(right.cast_signed())
                        .map(|q| u128::from(q.cast_unsigned()))
                );
                assert_eq!(
                    of(BinaryOp::SignedRem).ok(),
                    left.cast_signed()
                        .checked_rem(right.cast_signed())
                        .map(|r| u128::from(r.cast_unsigned()))
                );
                assert_eq!(
                    of(BinaryOp::SignedShr).ok(),
                    left.cast_signed().checked_shr(right.into()).map(|r| u128::from(r.cast_unsigned()))
                );
                assert_eq!(
                    overflows(OverflowOp::SignedMul, a, b, 8),
                    left.cast_signed().checked_mul(right.cast_signed()).is_none()
                );
                assert_eq!(overflows(OverflowOp::UnsignedSub, a, b, 8), left.checked_sub(right).is_none());
                assert_eq!(
                    compare(CompareOp::SignedLess, a, b, ty, 64),
                    left.cast_signed() < right.cast_signed()
                );
            }
        }
    }

    #[test]
    fn division_of_wide_numbers_agrees_with_rust() {
        let numbers = [1, 2, 3, u128::from(u64::MAX), 1 << 63, 1 << 64, u128::MAX, u128::MAX - 6, 1 << 127];
        for left in numbers {
            for right in numbers {
                let of = |op| binary(op, left, right, Type::Int(128), 64).ok();
                assert_eq!(of(BinaryOp::UnsignedDiv), left.checked_div(right));
                assert_eq!(of(BinaryOp::UnsignedRem), left.checked_rem(right));
                let (a, b) = (left.cast_signed(), right.cast_signed());
                assert_eq!(of(BinaryOp::SignedDiv), a.checked_div(b).map(i128::cast_unsigned));
                assert_eq!(of(BinaryOp::SignedRem), a.checked_rem(b).map(i128::cast_unsigned));
            }
        }
        let least = 1_u128 << 63;
        assert_eq!(
            binary(BinaryOp::SignedDiv, least, mask(64), Type::Int(64), 64),
            Err(Undefined::DivisionOverflow)
        );
        assert_eq!(binary(BinaryOp::SignedDiv, 7, mask(64), Type::Int(64), 64), Ok(mask(64) - 6));
    }

    #[test]
    fn out_of_range_conversions_give_what_x86_gives() {
        let from = |value: f64| u128::from(value.to_bits());
        let cast_to = |op, value, width| cast(op, from(value), Type::F64, Type::Int(width), 64);
        assert_eq!(cast_to(CastOp::FloatToSigned, 1e10, 32), 0x8000_0000);
        assert_eq!(cast_to(CastOp::FloatToUnsigned, 4e9, 32), 4_000_000_000);
        assert_eq!(cast_to(CastOp::FloatToUnsigned, -1.0, 32), 0xffff_ffff);
        assert_eq!(cast_to(CastOp::FloatToUnsigned, 1e19, 64), 10_000_000_000_000_000_000);
        assert_eq!(cast_to(CastOp::FloatToSigned, -3.99, 8), 0xfd);
    }
}
