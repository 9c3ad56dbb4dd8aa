//! What C leaves undefined in arithmetic: signed overflow, division by zero, over-wide shifts, floating values out of range.
//!
//! Whether each becomes a check, an assumption or nothing is said by [`LowerOptions`](crate::LowerOptions). What becomes nothing either wraps around or
//! stops in the operation itself, which is the VM's to say.

use raddle_cfront::ast::BinaryOp as COp;
use raddle_cfront::types::QualType;
use raddle_ir::{
    BinaryOp, CastOp, CompareOp, Constant, IfUnchecked, Operand, OverflowOp, Property, Rvalue, Terminator,
    Type,
};

use crate::code::Code;
use crate::function::int;
use crate::options::SignedOverflow;
use crate::types;

/// What is undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Undefined {
    /// The result is no value of its signed type; else it wraps around.
    Overflow,
    /// A floating value is no value of an integer type; else it is any.
    Conversion,
    /// There is no result: the operation itself ends the execution.
    NoResult,
}

/// Makes checks, or assumptions, of what C leaves undefined in arithmetic.
pub(crate) struct UndefinedChecks<'c, 'l, 'a> {
    pub(crate) code: &'c mut Code<'l, 'a>,
}

impl UndefinedChecks<'_, '_, '_> {
    /// Sees to it that an operation has a result.
    fn require(&mut self, undefined: Undefined, holds: Operand, message: &str) {
        let options = &self.code.program.options;
        let wraps = options.signed_overflow == SignedOverflow::Wraps;
        let if_unchecked = match undefined {
            Undefined::Overflow | Undefined::Conversion if wraps => IfUnchecked::GoesOn,
            Undefined::Overflow | Undefined::Conversion | Undefined::NoResult => IfUnchecked::Ends,
        };
        // What has no result ends by itself where nobody asks.
        let (property, is_checked) = match undefined {
            Undefined::Overflow => (Property::Overflow, options.arithmetic.overflow || !wraps),
            Undefined::Conversion => (Property::Arithmetic, options.arithmetic.no_result || !wraps),
            Undefined::NoResult => (Property::Arithmetic, options.arithmetic.no_result),
        };
        if is_checked {
            // The check comes first; the operation behind it still runs where the check is not asked for.
            self.code.b.check_or(property, holds, message, if_unchecked);
        }
    }

    /// Whether nothing at all is to be required.
    fn requires_nothing(&self) -> bool {
        let options = &self.code.program.options;
        options.arithmetic.is_none() && options.signed_overflow == SignedOverflow::Wraps
    }

    fn require_no_overflow(&mut self, op: OverflowOp, left: Operand, right: Operand, message: &str) {
        let overflows = self.code.b.assign(Type::Int(1), Rvalue::Overflows(op, left, right));
        let fits = self.code.b.negate(overflows);
        self.require(Undefined::Overflow, fits, message);
    }

    /// For `-value`.
    pub(crate) fn check_negation(&mut self, value: Operand, ty: QualType) {
        if !self.requires_nothing() && types::is_signed(self.code.ast, ty.id) {
            let zero = self.code.integer(0, ty);
            self.require_no_overflow(OverflowOp::SignedSub, zero, value, "signed overflow in `-`");
        }
    }

    /// For an operation on two integers of the type of its result; the amount of a shift may have another.
    pub(crate) fn check_arithmetic(&mut self, op: COp, left: Operand, right: Operand, ty: QualType) {
        if self.requires_nothing() {
            return;
        }
        let signed = types::is_signed(self.code.ast, ty.id);
        match op {
            COp::Add if signed => {
                self.require_no_overflow(OverflowOp::SignedAdd, left, right, "signed overflow in `+`");
            }
            COp::Sub if signed => {
                self.require_no_overflow(OverflowOp::SignedSub, left, right, "signed overflow in `-`");
            }
            COp::Mul if signed => {
                self.require_no_overflow(OverflowOp::SignedMul, left, right, "signed overflow in `*`");
            }
            COp::Div | COp::Rem => self.check_division(left, right, ty),
            COp::Shl | COp::Shr => self.check_shift(op, left, right, ty),
            COp::Add
            | COp::Sub
            | COp::Mul
            | COp::Less
            | COp::Greater
            | COp::LessEqual
            | COp::GreaterEqual
            | COp::Equal
            | COp::NotEqual
            | COp::BitAnd
            | COp::BitXor
            | COp::BitOr
            | COp::And
            | COp::Or => {}
        }
    }

    fn check_division(&mut self, left: Operand, right: Operand, ty: QualType) {
        let nonzero = self.code.b.truth(right);
        self.require(Undefined::NoResult, nonzero, "division by zero");
        if types::is_signed(self.code.ast, ty.id) {
            let zero = self.code.integer(0, ty);
            // The quotient overflows just when the dividend is its own negation and not zero, and the divisor is -1.
            let smallest =
                self.code.b.assign(Type::Int(1), Rvalue::Overflows(OverflowOp::SignedSub, zero, left));
            let minus_one = self.code.integer(-1, ty);
            let by_minus_one = self.code.b.compare(CompareOp::Equal, right, minus_one);
            let both = self.code.b.binary(BinaryOp::And, Type::Int(1), smallest, by_minus_one);
            let fits = self.code.b.negate(both);
            self.require(Undefined::Overflow, fits, "signed overflow in `/` or `%`");
        }
    }

    fn check_shift(&mut self, op: COp, left: Operand, right: Operand, ty: QualType) {
        let Type::Int(amount_bits) = self.code.b.type_of(right) else { return };
        let scalar @ Type::Int(width) = self.code.b.type_of(left) else { return };
        // A negative amount is a large one when read unsigned.
        // Reading the amount without sign covers both ends with one comparison.
        let narrow = self.code.b.compare(CompareOp::UnsignedLess, right, int(amount_bits, width.into()));
        self.require(Undefined::NoResult, narrow, "shift by at least the width of the type");
        if op == COp::Shl && types::is_signed(self.code.ast, ty.id) {
            // C11 6.5.7p4: a value that is not negative, times a power of two, must be a value of the type. An amount that is
            // too large stops in the shift itself where it is not checked, and here as well.
            let shifted = self.code.b.binary(BinaryOp::Shl, scalar, left, right);
            let back = self.code.b.binary(BinaryOp::SignedShr, scalar, shifted, right);
            let same = self.code.b.compare(CompareOp::Equal, back, left);
            let zero = self.code.integer(0, ty);
            let not_negative = self.code.b.compare(CompareOp::SignedLessEqual, zero, left);
            let fits = self.code.b.binary(BinaryOp::And, Type::Int(1), same, not_negative);
            self.require(Undefined::Overflow, fits, "signed overflow in `<<`");
        }
    }

    /// The conversion of a floating value to an integer type other than `_Bool`: what is left of the point must be one of its
    /// values (C11 6.3.1.4). Else it is undefined, and no wrapping makes a value of it: processors and compilers differ. So the
    /// result is any.
    pub(crate) fn float_to_integer(&mut self, value: Operand, target: Type, signed: bool) -> Operand {
        let op = if signed { CastOp::FloatToSigned } else { CastOp::FloatToUnsigned };
        let Some(fits) = self.float_fits(value, target, signed) else {
            return self.code.b.cast(op, target, value);
        };
        if !self.requires_nothing() {
            self.require(
                Undefined::Conversion,
                fits,
                "a floating value out of the range of the integer type",
            );
        }
        // Undefined by choice of the user: then nothing else can happen.
        if self.code.program.options.signed_overflow == SignedOverflow::Undefined {
            return self.code.b.cast(op, target, value);
        }
        let name = "floating value out of the range of the integer type";
        self.code.where_defined(Some(fits), (target, signed), name, |code| code.b.cast(op, target, value))
    }

    /// Whether an integer type has the value; nothing if it surely has.
    fn float_fits(&mut self, value: Operand, target: Type, signed: bool) -> Option<Operand> {
        let Type::Int(width) = target else { return None };
        let (digits, wide) = match self.code.b.type_of(value) {
            Type::F32 => (24, false),
            Type::F64 | Type::Int(_) | Type::Ptr => (53, true),
        };
        let exponent = i32::from(if signed { width - 1 } else { width });
        let above = power_of_two(exponent);
        // The largest floating value that is too small, where there is one just below the smallest integer.
        // Floating numbers near the limits of an integer type are not dense: below the smallest integer there
        // may be none that is too small and larger than the next one.
        let below = if signed { -above - 1.0 } else { -1.0 };
        let has_below = !signed || exponent < digits;
        let known = match value {
            Operand::Constant(Constant::F32(bits)) => Some(f64::from(f32::from_bits(bits))),
            Operand::Constant(Constant::F64(bits)) => Some(f64::from_bits(bits)),
            Operand::Constant(_) | Operand::Register(_) => None,
        };
        // Of a constant it is known now.
        if known.is_some_and(|known| known < above && if has_below { below < known } else { -above <= known })
        {
            return None;
        }
        let constant = |value: f64| float(value, wide);
        let not_too_small = if has_below {
            self.code.b.compare(CompareOp::FloatLess, constant(below), value)
        } else {
            self.code.b.compare(CompareOp::FloatLessEqual, constant(-above), value)
        };
        let not_too_large = self.code.b.compare(CompareOp::FloatLess, value, constant(above));
        Some(self.code.b.binary(BinaryOp::And, Type::Int(1), not_too_small, not_too_large))
    }
}

impl Code<'_, '_> {
    /// A value where it is defined, and any value elsewhere.
    pub(crate) fn where_defined(
        &mut self,
        is_defined: Option<Operand>,
        (ty, signed): (Type, bool),
        otherwise: &str,
        value: impl FnOnce(&mut Self) -> Operand,
    ) -> Operand {
        let Some(is_defined) = is_defined else { return value(self) };
        let result = self.b.register(ty, None);
        let (inside, outside, done) = (self.b.block(), self.b.block(), self.b.block());
        self.b.branch(is_defined, inside, outside);
        self.b.switch_to(outside);
        let any = self.havoc(otherwise.to_owned(), ty, signed);
        self.b.set(result, any);
        self.b.terminate(Terminator::Jump(done));
        self.b.switch_to(inside);
        let computed = value(self);
        self.b.set(result, computed);
        self.b.fall_into(done);
        Operand::Register(result)
    }
}

/// `2^exponent`, which both formats hold up to their largest exponent.
fn power_of_two(exponent: i32) -> f64 {
    2.0_f64.powi(exponent)
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "what does not fit becomes infinite, which bounds all that is finite"
)]
fn float(value: f64, wide: bool) -> Operand {
    Operand::Constant(if wide {
        Constant::F64(value.to_bits())
    } else {
        Constant::F32((value as f32).to_bits())
    })
}
