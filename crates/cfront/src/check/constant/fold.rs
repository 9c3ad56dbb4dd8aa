//! Operators on constant operands.

use super::{Base, Evaluator, Value, fits_double};
use crate::ast::{Attribute, BinaryOp, CastKind, ExprId, ExprKind, UnaryOp};
use crate::check::shape::Shape;
use crate::layout::{self, DataModel};
use crate::types::{FloatKind, IntKind, Qualifiers};

/// A `double` rounded to a floating type that is no wider; wider types keep the `double`.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "rounding is what is asked for")]
pub(crate) fn float_as(value: f64, kind: FloatKind) -> f64 {
    match kind {
        FloatKind::Float | FloatKind::Float32 => f64::from(value as f32),
        // Rounding to eleven bits of precision is not worth having here; nothing decides anything by it.
        FloatKind::Float16
        | FloatKind::Double
        | FloatKind::Float32x
        | FloatKind::Float64
        | FloatKind::LongDouble
        | FloatKind::Float64x
        | FloatKind::Float80
        | FloatKind::Float128
        | FloatKind::Decimal32
        | FloatKind::Decimal64
        | FloatKind::Decimal128 => value,
    }
}

/// The nearest `double`.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "rounding is what is asked for")]
pub(crate) fn integer_to_float(value: i128) -> f64 {
    value as f64
}

/// The nearest `double` of an unsigned value.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "rounding is what is asked for")]
pub(crate) fn unsigned_to_float(value: u128) -> f64 {
    value as f64
}

/// An integer rounded once to the floating type, not first to `double` and then to `float`.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "rounding is what is asked for")]
pub(crate) fn integer_to(value: i128, kind: FloatKind) -> f64 {
    match kind {
        FloatKind::Float | FloatKind::Float32 => f64::from(value as f32),
        _ => integer_to_float(value),
    }
}

/// A floating value cut to an integer type, and whether it fitted; gcc saturates what does not.
#[must_use]
#[expect(clippy::cast_possible_truncation, reason = "the cast saturates, as wanted")]
pub(crate) fn float_to_integer(model: DataModel, value: f64, kind: IntKind) -> (i128, bool) {
    if kind == IntKind::UnsignedInt128 {
        let fits = value.trunc() >= 0.0 && value < 340_282_366_920_938_463_463_374_607_431_768_211_456.0;
        return (saturated_unsigned(value).cast_signed(), fits);
    }
    let whole = value.trunc() as i128;
    let bits = 8 * model.int_bytes(kind);
    let (low, high) = if kind == IntKind::Bool {
        (0, 1)
    } else if model.is_signed(kind) {
        (i128::MIN >> (128 - bits), i128::MAX >> (128 - bits))
    } else {
        (0, (1_i128 << bits) - 1)
    };
    let fits = !value.is_nan() && whole >= low && whole <= high;
    (whole.clamp(low, high), fits)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates, as wanted")]
fn saturated_unsigned(value: f64) -> u128 {
    value as u128
}

impl Evaluator<'_> {
    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        expr: ExprId,
    ) -> Option<Value> {
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            return self.logical(op == BinaryOp::Or, left, right);
        }
        let (left_value, right_value) = (self.value(left), self.value(right));
        // With one side constant the result may still be.
        let (Some(left_value), Some(right_value)) = (left_value, right_value) else {
            return self.absorbed(op, (left, left_value), (right, right_value), expr);
        };
        match (left_value, right_value) {
            (Value::Integer(a), Value::Integer(b)) => match (self.shape(left), self.shape(right)) {
                (Shape::Pointer(_) | Shape::VaList, _) | (_, Shape::Pointer(_) | Shape::VaList) => {
                    self.pointer_arithmetic(op, left, left_value, right, right_value)
                }
                // The operands of a shift have types of their own; that of the left one counts.
                (left, _) => self.integers(op, a, b, left.integer()?, expr),
            },
            (Value::Float(a), Value::Float(b)) => self.floats(op, a, b, expr),
            (Value::Complex(..), Value::Complex(..)) => complexes(op, left_value, right_value),
            (Value::Distance, _) | (_, Value::Distance) => {
                matches!(op, BinaryOp::Add | BinaryOp::Sub).then_some(Value::Distance)
            }
            (Value::Address(..), _) | (_, Value::Address(..)) => {
                self.pointer_arithmetic(op, left, left_value, right, right_value)
            }
            (Value::Aggregate, _) | (_, Value::Aggregate) => None,
            (Value::Integer(_) | Value::Float(_) | Value::Complex(..), _) => None,
        }
    }

    fn logical(&mut self, or: bool, left: ExprId, right: ExprId) -> Option<Value> {
        let decided = |this: &mut Self, expr| {
            let value = this.value(expr)?;
            this.truth(value)
        };
        match decided(self, left) {
            Some(value) if value == or => Some(Value::Integer(i128::from(or))),
            Some(_) => Some(Value::Integer(i128::from(decided(self, right)?))),
            // gcc folds `x && 0` if nothing happens on the way.
            None if self.is_pure(left) && decided(self, right) == Some(or) => {
                Some(Value::Integer(i128::from(or)))
            }
            None => None,
        }
    }

    /// What gcc folds though one operand is not constant: `x * 0`, `x & 0`, `x - x` and their kin, where nothing is lost.
    fn absorbed(
        &mut self,
        op: BinaryOp,
        (left, left_value): (ExprId, Option<Value>),
        (right, right_value): (ExprId, Option<Value>),
        expr: ExprId,
    ) -> Option<Value> {
        // Only integers: for floating values `x * 0` is no zero if `x` is a NaN.
        let kind = self.shape(left).integer()?;
        if !self.is_pure(left) || !self.is_pure(right) {
            return None;
        }
        let all_ones = self.ast.model.wrap(-1, kind);
        let zero = Some(Value::Integer(0));
        let result = match op {
            BinaryOp::Mul | BinaryOp::BitAnd if left_value == zero || right_value == zero => 0,
            BinaryOp::Div | BinaryOp::Rem if left_value == zero => 0,
            BinaryOp::Rem if right_value == Some(Value::Integer(1)) => 0,
            BinaryOp::BitOr
                if left_value == Some(Value::Integer(all_ones))
                    || right_value == Some(Value::Integer(all_ones)) =>
            {
                all_ones
            }
            BinaryOp::Sub | BinaryOp::BitXor | BinaryOp::NotEqual | BinaryOp::Less | BinaryOp::Greater
                if self.same_variable(left, right) =>
            {
                0
            }
            BinaryOp::Equal | BinaryOp::LessEqual | BinaryOp::GreaterEqual
                if self.same_variable(left, right) =>
            {
                1
            }
            _ => return None,
        };
        self.shape(expr).integer().map(|_| Value::Integer(result))
    }

    /// Whether evaluating the expression has no effect and cannot fail.
    fn is_pure(&self, expr: ExprId) -> bool {
        let node = &self.ast.exprs[expr];
        match &node.kind {
            ExprKind::Integer(_)
            | ExprKind::Float { .. }
            | ExprKind::EnumConstant(..)
            | ExprKind::TypeQuery(..) => true,
            ExprKind::Var(_) => !self.ast.types.qualifiers(node.ty).contains(Qualifiers::VOLATILE),
            ExprKind::Cast { operand, .. } => self.is_pure(*operand),
            ExprKind::Unary(UnaryOp::Plus | UnaryOp::Negate | UnaryOp::BitNot | UnaryOp::Not, operand) => {
                self.is_pure(*operand)
            }
            ExprKind::Binary(op, left, right) => {
                !matches!(op, BinaryOp::Div | BinaryOp::Rem) && self.is_pure(*left) && self.is_pure(*right)
            }
            _ => false,
        }
    }

    fn same_variable(&self, left: ExprId, right: ExprId) -> bool {
        let variable = |mut expr: ExprId| loop {
            match self.ast.exprs[expr].kind {
                ExprKind::Cast {
                    kind: CastKind::Load | CastKind::Integer | CastKind::NoOp, operand, ..
                } => {
                    expr = operand;
                }
                ExprKind::Var(var) => return Some(var),
                _ => return None,
            }
        };
        variable(left).is_some_and(|left| variable(right) == Some(left))
    }

    fn integers(&mut self, op: BinaryOp, a: i128, b: i128, kind: IntKind, expr: ExprId) -> Option<Value> {
        let model = self.ast.model;
        let wide = kind == IntKind::UnsignedInt128;
        let bits = 8 * model.int_bytes(kind);
        let result = match op {
            BinaryOp::Add => self.wrapped(a.checked_add(b), a.wrapping_add(b), kind),
            BinaryOp::Sub => self.wrapped(a.checked_sub(b), a.wrapping_sub(b), kind),
            BinaryOp::Mul => self.wrapped(a.checked_mul(b), a.wrapping_mul(b), kind),
            BinaryOp::Div if b == 0 => return None,
            BinaryOp::Rem if b == 0 => return None,
            BinaryOp::Div if wide => (a.cast_unsigned() / b.cast_unsigned()).cast_signed(),
            BinaryOp::Rem if wide => (a.cast_unsigned() % b.cast_unsigned()).cast_signed(),
            BinaryOp::Div => self.wrapped(a.checked_div(b), a.wrapping_div(b), kind),
            BinaryOp::Rem => a.wrapping_rem(b),
            BinaryOp::Shl | BinaryOp::Shr => {
                // gcc folds a shift that is too wide, and refuses one by a negative count.
                let count = u32::try_from(b).ok().filter(|_| b >= 0);
                let count = match count {
                    Some(count) if u64::from(count) < bits => Some(count),
                    _ if b < 0 => return None,
                    _ => None,
                };
                match (op, count) {
                    (BinaryOp::Shl, Some(count)) => model.wrap(a.wrapping_shl(count), kind),
                    (BinaryOp::Shl, None) => 0,
                    (_, Some(count)) if wide => (a.cast_unsigned() >> count).cast_signed(),
                    (_, Some(count)) => a >> count,
                    (_, None) if wide => 0,
                    (_, None) => a >> 127,
                }
            }
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::BitOr => a | b,
            BinaryOp::Less
            | BinaryOp::Greater
            | BinaryOp::LessEqual
            | BinaryOp::GreaterEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual => {
                let order = if wide { a.cast_unsigned().cmp(&b.cast_unsigned()) } else { a.cmp(&b) };
                i128::from(compare(op, Some(order))?)
            }
            BinaryOp::And | BinaryOp::Or => return None,
        };
        self.shape(expr).integer().map(|_| Value::Integer(result))
    }

    fn floats(&mut self, op: BinaryOp, a: f64, b: f64, expr: ExprId) -> Option<Value> {
        if let Some(result) = compare(op, a.partial_cmp(&b)) {
            return Some(Value::Integer(i128::from(result)));
        }
        let Shape::Float(kind) = self.shape(expr) else { return None };
        // A `double` holds any sum, product or quotient of two floats well enough to be rounded again; wider types
        // are computed as `double`, which their users must not mind.
        let result = match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a / b,
            _ => return None,
        };
        Some(Value::Float(if fits_double(kind) { float_as(result, kind) } else { result }))
    }

    fn pointer_arithmetic(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        left_value: Value,
        right: ExprId,
        right_value: Value,
    ) -> Option<Value> {
        let parts = |value: Value| match value {
            Value::Integer(value) => Some((None, value)),
            Value::Address(base, offset) => Some((Some(base), offset)),
            Value::Float(_) | Value::Complex(..) | Value::Distance | Value::Aggregate => None,
        };
        let ((left_base, left_offset), (right_base, right_offset)) =
            (parts(left_value)?, parts(right_value)?);
        let rebuild = |base: Option<Base>, offset: i128| match base {
            Some(base) => Value::Address(base, offset),
            None => Value::Integer(self.ast.model.wrap(offset, self.ast.model.size_type())),
        };
        let (left_step, right_step) = (self.step(left)?, self.step(right)?);
        match op {
            BinaryOp::Add => {
                let ((base, None) | (None, base)) = (left_base, right_base) else { return None };
                // The integer is scaled by what the other points to; two plain integers have step one.
                let left = if left_step.is_some() {
                    left_offset
                } else {
                    left_offset.checked_mul(right_step.unwrap_or(1))?
                };
                let right = if right_step.is_some() {
                    right_offset
                } else {
                    right_offset.checked_mul(left_step.unwrap_or(1))?
                };
                Some(rebuild(base, left.checked_add(right)?))
            }
            BinaryOp::Sub if right_step.is_none() && right_base.is_none() => Some(rebuild(
                left_base,
                left_offset.checked_sub(right_offset.checked_mul(left_step.unwrap_or(1))?)?,
            )),
            BinaryOp::Sub => {
                if let (Some(Base::Label(_)), Some(Base::Label(_))) = (left_base, right_base) {
                    return Some(Value::Distance);
                }
                if left_base != right_base {
                    return None;
                }
                // Whole elements; between them there is no distance.
                let distance = left_offset.checked_sub(right_offset)?;
                distance.checked_div(left_step.unwrap_or(1)).map(Value::Integer)
            }
            _ => self.compare_addresses(op, (left_base, left_offset), (right_base, right_offset)),
        }
    }

    fn compare_addresses(
        &self,
        op: BinaryOp,
        (left_base, left_offset): (Option<Base>, i128),
        (right_base, right_offset): (Option<Base>, i128),
    ) -> Option<Value> {
        if left_base == right_base {
            let result = compare(op, Some(left_offset.cmp(&right_offset)))?;
            return Some(Value::Integer(i128::from(result)));
        }
        // Different things have different addresses, and none is null; strings may be shared.
        let known = |base: Option<Base>| match base {
            None | Some(Base::Var(_) | Base::Function(_)) => base.is_none_or(|base| !self.is_weak(base)),
            Some(Base::String(_)) => left_base.is_none() || right_base.is_none(),
            Some(Base::Literal(_) | Base::Label(_)) => true,
        };
        if !known(left_base) || !known(right_base) {
            return None;
        }
        match op {
            BinaryOp::Equal => Some(Value::Integer(0)),
            BinaryOp::NotEqual => Some(Value::Integer(1)),
            _ => None,
        }
    }

    /// How many bytes one step of a pointer is; `Some(None)` for integers.
    #[expect(
        clippy::option_option,
        reason = "the outer level is failure, the inner says whether it is a pointer"
    )]
    fn step(&self, expr: ExprId) -> Option<Option<i128>> {
        match self.shape(expr) {
            Shape::Pointer(target) => match crate::check::shape::shape(self.ast, target.id) {
                Shape::Void | Shape::Function => Some(Some(1)),
                _ => Some(Some(i128::from(layout::size_of(self.ast, target).ok()?))),
            },
            Shape::VaList => None,
            _ => Some(None),
        }
    }

    /// Whether the linker may leave the symbol undefined or replace it.
    pub(super) fn is_weak(&self, base: Base) -> bool {
        let attributes = match base {
            Base::Var(var) => &self.ast.vars[var].attributes,
            Base::Function(function) => &self.ast.functions[function].attributes,
            Base::String(_) | Base::Literal(_) | Base::Label(_) => return false,
        };
        attributes.iter().any(|attribute| matches!(attribute, Attribute::Weak))
    }
}

/// The result of a comparison; `None` if `op` is none. Unordered floating values only differ.
fn compare(op: BinaryOp, order: Option<std::cmp::Ordering>) -> Option<bool> {
    Some(match op {
        BinaryOp::Less => order.is_some_and(std::cmp::Ordering::is_lt),
        BinaryOp::Greater => order.is_some_and(std::cmp::Ordering::is_gt),
        BinaryOp::LessEqual => order.is_some_and(std::cmp::Ordering::is_le),
        BinaryOp::GreaterEqual => order.is_some_and(std::cmp::Ordering::is_ge),
        BinaryOp::Equal => order.is_some_and(std::cmp::Ordering::is_eq),
        BinaryOp::NotEqual => order.is_none_or(std::cmp::Ordering::is_ne),
        BinaryOp::Mul
        | BinaryOp::Div
        | BinaryOp::Rem
        | BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Shl
        | BinaryOp::Shr
        | BinaryOp::BitAnd
        | BinaryOp::BitXor
        | BinaryOp::BitOr
        | BinaryOp::And
        | BinaryOp::Or => return None,
    })
}

fn complexes(op: BinaryOp, left: Value, right: Value) -> Option<Value> {
    let (Value::Complex(a, b), Value::Complex(c, d)) = (left, right) else { return None };
    let truth = |value: bool| Some(Value::Integer(i128::from(value)));
    match op {
        BinaryOp::Add => Some(Value::Complex(a + c, b + d)),
        BinaryOp::Sub => Some(Value::Complex(a - c, b - d)),
        BinaryOp::Mul => Some(Value::Complex(a * c - b * d, a * d + b * c)),
        BinaryOp::Div => {
            let norm = c * c + d * d;
            Some(Value::Complex((a * c + b * d) / norm, (b * c - a * d) / norm))
        }
        BinaryOp::Equal => truth(a == c && b == d),
        BinaryOp::NotEqual => truth(a != c || b != d),
        _ => None,
    }
}
