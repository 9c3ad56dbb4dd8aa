//! Operators without memory, as terms.
//!
//! A truth value (`i1`) is a Boolean term; every other value is a bit-vector of its width, floating-point numbers and pointers
//! included. Floating-point operators are circuits (IEEE 754, round to nearest even).
//!
//! Invariant: for every operator and all operands for which the VM has a result, the term evaluates to that result; where the VM
//! says that the behaviour is undefined (division by zero, over-wide shifts), the condition that comes with the result is
//! false. Direction of error: none; what is undefined has some value, which the condition keeps from counting.

use raddle_ir::{BinaryOp, CastOp, CompareOp, OverflowOp, RmwOp, Type, UnaryOp};
use raddle_logic::float::{self, Format};
use raddle_logic::term::{Sort, TermId, Terms};

use super::pointers::signed_bits;

/// Bits of a type.
pub fn width(ty: Type, pointer_bits: u32) -> u32 {
    raddle_ir::layout::bits(ty, if pointer_bits == 32 { 32 } else { 64 }).into()
}

/// Bytes of a type in memory.
pub fn bytes(ty: Type, pointer_bits: u32) -> u32 {
    width(ty, pointer_bits).div_ceil(8)
}

/// The sort of the terms that values of a type are.
pub fn sort(ty: Type, pointer_bits: u32) -> Sort {
    match ty {
        Type::Int(1) => Sort::Bool,
        Type::Int(_) | Type::F32 | Type::F64 | Type::Ptr => Sort::BitVec(width(ty, pointer_bits)),
    }
}

/// A constant of a type.
pub fn constant(terms: &mut Terms, ty: Type, value: u128, pointer_bits: u32) -> TermId {
    match sort(ty, pointer_bits) {
        Sort::Bool => terms.bool(value & 1 == 1),
        Sort::BitVec(width) => terms.bits(value, width),
        Sort::Array { .. } => unreachable!("no value is an array"),
    }
}

/// A value as a bit-vector, truth values too.
fn as_bits(terms: &mut Terms, value: TermId) -> TermId {
    match terms.sort(value) {
        Sort::Bool => terms.bool_to_bit(value),
        Sort::BitVec(_) | Sort::Array { .. } => value,
    }
}

/// The value zero of the sort that a value has.
pub fn zero_like(terms: &mut Terms, value: TermId) -> TermId {
    match terms.sort(value) {
        Sort::Bool => terms.bool(false),
        Sort::BitVec(width) => terms.bits(0, width),
        Sort::Array { .. } => unreachable!("no value is an array"),
    }
}

/// Whether two values of one sort are equal.
pub fn equal(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    match terms.sort(a) {
        Sort::Bool => {
            let different = terms.xor(a, b);
            terms.not(different)
        }
        Sort::BitVec(_) | Sort::Array { .. } => terms.eq(a, b),
    }
}

/// A number as a value of a type that may have another width.
pub fn fit(terms: &mut Terms, value: TermId, ty: Type, pointer_bits: u32) -> TermId {
    let width = width(ty, pointer_bits);
    match ty {
        Type::Int(1) => value,
        Type::Int(_) | Type::F32 | Type::F64 | Type::Ptr => terms.resize(value, width, false),
    }
}

/// Whether a number is in a range of constants, both ends included; as unsigned numbers.
pub fn is_between(terms: &mut Terms, value: TermId, low: u128, high: u128) -> TermId {
    let width = terms.width(value);
    let (low, high) = (terms.bits(low, width), terms.bits(high, width));
    let (above, below) = (terms.ule(low, value), terms.ule(value, high));
    terms.and(above, below)
}

/// A bit-vector of one bit as a truth value.
fn from_bits(terms: &mut Terms, value: TermId, ty: Type) -> TermId {
    match ty {
        Type::Int(1) => terms.is_nonzero(value),
        Type::Int(_) | Type::F32 | Type::F64 | Type::Ptr => value,
    }
}

/// The format of a floating type.
fn format(ty: Type) -> Format {
    match ty {
        Type::F32 => Format::F32,
        Type::F64 | Type::Int(_) | Type::Ptr => Format::F64,
    }
}

/// An operator with one operand.
pub fn unary(terms: &mut Terms, op: UnaryOp, operand: TermId, ty: Type) -> TermId {
    let bits = as_bits(terms, operand);
    let width = terms.width(bits);
    let result = match op {
        UnaryOp::Neg => terms.neg(bits),
        UnaryOp::Not => terms.bvnot(bits),
        UnaryOp::FloatNeg => {
            let sign = terms.bits(1 << (width - 1), width);
            terms.bvxor(bits, sign)
        }
        UnaryOp::FloatAbs => {
            let rest = terms.bits((1 << (width - 1)) - 1, width);
            terms.bvand(bits, rest)
        }
        UnaryOp::CountLeadingZeros => count(terms, bits, Count::Leading),
        UnaryOp::CountTrailingZeros => count(terms, bits, Count::Trailing),
        UnaryOp::PopCount => count(terms, bits, Count::Ones),
        UnaryOp::ByteSwap => {
            let mut swapped = terms.extract(7, 0, bits);
            for byte in 1..width / 8 {
                let next = terms.extract(8 * byte + 7, 8 * byte, bits);
                swapped = terms.concat(swapped, next);
            }
            swapped
        }
        UnaryOp::FloatSqrt => float::sqrt(terms, format(ty), bits),
    };
    from_bits(terms, result, ty)
}

enum Count {
    Leading,
    Trailing,
    Ones,
}

fn count(terms: &mut Terms, bits: TermId, what: Count) -> TermId {
    let width = terms.width(bits);
    let (zero, one) = (terms.bits(0, width), terms.bits(1, width));
    match what {
        Count::Ones => {
            let mut sum = zero;
            for index in 0..width {
                let bit = terms.bit(bits, index);
                let next = terms.ite(bit, one, zero);
                sum = terms.add(sum, next);
            }
            sum
        }
        Count::Leading | Count::Trailing => {
            let mut result = terms.bits(u128::from(width), width);
            let leading = matches!(what, Count::Leading);
            for step in 0..width {
                // The outermost choice is made last: that of the bit which alone decides if it is set.
                let index = if leading { step } else { width - 1 - step };
                let bit = terms.bit(bits, index);
                let zeros = terms.bits(u128::from(width - 1 - step), width);
                result = terms.ite(bit, zeros, result);
            }
            result
        }
    }
}

/// What an operator with two operands gives.
#[derive(Clone, Copy, Debug)]
pub struct Binary {
    /// The result, where there is one.
    pub result: TermId,
    /// Whether its operands are such that it has any.
    pub defined: TermId,
    /// Whether it is a value of its type.
    pub fits: TermId,
}

/// An operator with two operands.
pub fn binary(terms: &mut Terms, op: BinaryOp, left: TermId, right: TermId, ty: Type) -> Binary {
    let (a, b) = (as_bits(terms, left), as_bits(terms, right));
    let width = terms.width(a);
    let (mut defined, mut fits) = (terms.bool(true), terms.bool(true));
    let result = match op {
        BinaryOp::Add => terms.add(a, b),
        BinaryOp::Sub => terms.sub(a, b),
        BinaryOp::Mul => terms.mul(a, b),
        BinaryOp::And => terms.bvand(a, b),
        BinaryOp::Or => terms.bvor(a, b),
        BinaryOp::Xor => terms.bvxor(a, b),
        BinaryOp::UnsignedDiv | BinaryOp::UnsignedRem => {
            defined = terms.is_nonzero(b);
            if op == BinaryOp::UnsignedDiv { terms.udiv(a, b) } else { terms.urem(a, b) }
        }
        BinaryOp::SignedDiv | BinaryOp::SignedRem => {
            defined = terms.is_nonzero(b);
            let overflows = terms.sdiv_overflows(a, b);
            fits = terms.not(overflows);
            if op == BinaryOp::SignedDiv { terms.sdiv(a, b) } else { terms.srem(a, b) }
        }
        BinaryOp::Shl | BinaryOp::SignedShr | BinaryOp::UnsignedShr => {
            let amount_width = terms.width(b);
            // Too many bits for the amount's type to say are never too many.
            if u128::from(width) < 1 << amount_width.min(127) {
                let limit = terms.bits(u128::from(width), amount_width);
                defined = terms.ult(b, limit);
            }
            let amount = terms.resize(b, width, false);
            match op {
                BinaryOp::Shl => terms.shl(a, amount),
                BinaryOp::SignedShr => terms.ashr(a, amount),
                BinaryOp::UnsignedShr
                | BinaryOp::Add
                | BinaryOp::Sub
                | BinaryOp::Mul
                | BinaryOp::SignedDiv
                | BinaryOp::UnsignedDiv
                | BinaryOp::SignedRem
                | BinaryOp::UnsignedRem
                | BinaryOp::And
                | BinaryOp::Or
                | BinaryOp::Xor
                | BinaryOp::FloatAdd
                | BinaryOp::FloatSub
                | BinaryOp::FloatMul
                | BinaryOp::FloatDiv => terms.lshr(a, amount),
            }
        }
        BinaryOp::FloatAdd => float::add(terms, format(ty), a, b),
        BinaryOp::FloatSub => float::sub(terms, format(ty), a, b),
        BinaryOp::FloatMul => float::mul(terms, format(ty), a, b),
        BinaryOp::FloatDiv => float::div(terms, format(ty), a, b),
    };
    Binary { result: from_bits(terms, result, ty), defined, fits }
}

/// A comparison of two operands of a type.
pub fn compare(terms: &mut Terms, op: CompareOp, left: TermId, right: TermId, ty: Type) -> TermId {
    let (a, b) = (as_bits(terms, left), as_bits(terms, right));
    match op {
        CompareOp::Equal => terms.eq(a, b),
        CompareOp::NotEqual => terms.ne(a, b),
        CompareOp::SignedLess => terms.slt(a, b),
        CompareOp::SignedLessEqual => terms.sle(a, b),
        CompareOp::UnsignedLess => terms.ult(a, b),
        CompareOp::UnsignedLessEqual => terms.ule(a, b),
        CompareOp::FloatEqual => float::equal(terms, format(ty), a, b),
        CompareOp::FloatLess => float::less(terms, format(ty), a, b),
        CompareOp::FloatLessEqual => float::less_or_equal(terms, format(ty), a, b),
    }
}

/// A conversion.
pub fn cast(
    terms: &mut Terms,
    op: CastOp,
    operand: TermId,
    (from, to): (Type, Type),
    pointer_bits: u32,
) -> TermId {
    let bits = as_bits(terms, operand);
    let target = width(to, pointer_bits);
    let result = match op {
        CastOp::Truncate | CastOp::ZeroExtend => terms.resize(bits, target, false),
        CastOp::SignExtend => terms.resize(bits, target, true),
        CastOp::PointerToInt | CastOp::IntToPointer | CastOp::Bits => bits,
        CastOp::SignedToFloat => float::from_signed(terms, format(to), bits),
        CastOp::UnsignedToFloat => float::from_unsigned(terms, format(to), bits),
        CastOp::FloatToSigned => float::to_signed(terms, format(from), bits, target),
        CastOp::FloatToUnsigned => float::to_unsigned(terms, format(from), bits, target),
        CastOp::FloatToFloat => float::convert(terms, format(from), format(to), bits),
    };
    from_bits(terms, result, to)
}

/// What a read-modify-write makes of numbers. What it makes of pointers is more: see [`AddressSpace::moved`](super::AddressSpace::moved).
pub fn rmw(terms: &mut Terms, op: RmwOp, old: TermId, operand: TermId, ty: Type) -> TermId {
    let computed = match op {
        RmwOp::Exchange => return operand,
        RmwOp::Add => BinaryOp::Add,
        RmwOp::Sub => BinaryOp::Sub,
        RmwOp::And => BinaryOp::And,
        RmwOp::Nand => {
            let both = binary(terms, BinaryOp::And, old, operand, ty).result;
            return unary(terms, UnaryOp::Not, both, ty);
        }
        RmwOp::Or => BinaryOp::Or,
        RmwOp::Xor => BinaryOp::Xor,
        RmwOp::SignedMin | RmwOp::SignedMax | RmwOp::UnsignedMin | RmwOp::UnsignedMax => {
            let Some((comparison, greater)) = op.stays_if() else { return old };
            let (left, right) = if greater { (operand, old) } else { (old, operand) };
            let stays = compare(terms, comparison, left, right, ty);
            return terms.ite(stays, old, operand);
        }
    };
    binary(terms, computed, old, operand, ty).result
}

/// Whether a product is no value of its signed type. Products of small numbers never are, and against a constant it is a range.
fn multiplication_overflows(terms: &mut Terms, a: TermId, b: TermId) -> TermId {
    let width = terms.width(a);
    if signed_bits(terms, a, 0) + signed_bits(terms, b, 0) <= width {
        return terms.bool(false);
    }
    let (number, factor) = if terms.as_bits(a).is_some() { (b, a) } else { (a, b) };
    let most = (1_u128 << (width - 1)) - 1;
    match terms.as_bits(factor) {
        Some(factor) if factor > 0 && factor <= most && width < 128 => {
            let most = (most / factor).cast_signed();
            // The least number is a power of two below zero.
            let least = -((1_u128 << (width - 1)) / factor).cast_signed();
            let (least, most) = (terms.signed_bits(least, width), terms.signed_bits(most, width));
            let (not_less, not_more) = (terms.sle(least, number), terms.sle(number, most));
            let fits = terms.and(not_less, not_more);
            terms.not(fits)
        }
        Some(_) | None => terms.smul_overflows(a, b),
    }
}

/// Whether an operation overflows.
pub fn overflows(terms: &mut Terms, op: OverflowOp, left: TermId, right: TermId) -> TermId {
    let (a, b) = (as_bits(terms, left), as_bits(terms, right));
    match op {
        OverflowOp::SignedAdd => terms.sadd_overflows(a, b),
        OverflowOp::UnsignedAdd => terms.uadd_overflows(a, b),
        OverflowOp::SignedSub => terms.ssub_overflows(a, b),
        OverflowOp::UnsignedSub => terms.usub_overflows(a, b),
        OverflowOp::SignedMul => multiplication_overflows(terms, a, b),
        OverflowOp::UnsignedMul => terms.umul_overflows(a, b),
    }
}
