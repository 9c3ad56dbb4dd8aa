//! Conversions between scalars, comparisons, and constants.

use crate::code::Code;
use crate::function::int;
use crate::types::{self, Class};
use raddle_cfront::ast::{Ast, BinaryOp as COp, CastKind, ExprId, ExprKind};
use raddle_cfront::literal;
use raddle_cfront::types::QualType;
use raddle_ir::{BinaryOp, CastOp, CompareOp, Constant, Operand, Type};

/// The comparison behind a C operator, whether its result is to be negated, and whether its operands are to be swapped.
pub(crate) fn comparison(op: COp, ty: Type, signed: bool) -> Option<((CompareOp, bool), bool)> {
    let float = matches!(ty, Type::F32 | Type::F64);
    let (less, less_equal) = match (float, signed) {
        (true, _) => (CompareOp::FloatLess, CompareOp::FloatLessEqual),
        (false, true) => (CompareOp::SignedLess, CompareOp::SignedLessEqual),
        (false, false) => (CompareOp::UnsignedLess, CompareOp::UnsignedLessEqual),
    };
    Some(match op {
        COp::Less => ((less, false), false),
        COp::Greater => ((less, false), true),
        COp::LessEqual => ((less_equal, false), false),
        COp::GreaterEqual => ((less_equal, false), true),
        COp::Equal => ((if float { CompareOp::FloatEqual } else { CompareOp::Equal }, false), false),
        // A NaN differs from everything.
        COp::NotEqual if float => ((CompareOp::FloatEqual, true), false),
        COp::NotEqual => ((CompareOp::NotEqual, false), false),
        COp::Mul
        | COp::Div
        | COp::Rem
        | COp::Add
        | COp::Sub
        | COp::Shl
        | COp::Shr
        | COp::BitAnd
        | COp::BitXor
        | COp::BitOr
        | COp::And
        | COp::Or => return None,
    })
}

/// What a decimal constant of type `long double` is as `float` or `double` (`DBL_MAX` is written so).
pub(crate) fn narrowed_literal(ast: &Ast, expr: ExprId, ty: QualType) -> Option<Constant> {
    let ExprKind::Float { spelling, .. } = ast.exprs[expr].kind else { return None };
    // Between the two nearest numbers of the wider format lies the constant; only if both round the same
    // way is the result sure.
    let (below, above) = literal::around_extended(ast.text(spelling))?;
    match types::class(ast, ty) {
        Class::Scalar(Type::F32) => {
            let (below, above) = (below.parse::<f32>().ok()?, above.parse::<f32>().ok()?);
            (below.to_bits() == above.to_bits()).then_some(Constant::F32(below.to_bits()))
        }
        Class::Scalar(Type::F64) => {
            let (below, above) = (below.parse::<f64>().ok()?, above.parse::<f64>().ok()?);
            (below.to_bits() == above.to_bits()).then_some(Constant::F64(below.to_bits()))
        }
        Class::Scalar(Type::Int(_) | Type::Ptr)
        | Class::Aggregate
        | Class::Void
        | Class::Function
        | Class::Unsupported(_) => None,
    }
}

#[expect(clippy::cast_possible_truncation, reason = "rounding to float is what the type asks for")]
pub(crate) fn float_constant(ast: &Ast, value: f64, ty: QualType) -> Constant {
    if types::class(ast, ty) == Class::Scalar(Type::F32) {
        Constant::F32((value as f32).to_bits())
    } else {
        Constant::F64(value.to_bits())
    }
}

/// A `float` is rounded once, from its spelling: by way of `double` it could be rounded twice.
pub(crate) fn float_literal(ast: &Ast, value: f64, spelling: &str, ty: QualType) -> Constant {
    match (types::class(ast, ty), spelling.parse::<f32>()) {
        (Class::Scalar(Type::F32), Ok(value)) => Constant::F32(value.to_bits()),
        _ => float_constant(ast, value, ty),
    }
}

impl Code<'_, '_> {
    pub(crate) fn integer(&self, value: i128, ty: QualType) -> Operand {
        match self.class(ty) {
            Class::Scalar(Type::Int(bits)) => int(bits, value),
            Class::Scalar(Type::Ptr) if value == 0 => Operand::Constant(Constant::Null),
            Class::Scalar(Type::Ptr | Type::F32 | Type::F64)
            | Class::Aggregate
            | Class::Void
            | Class::Function
            | Class::Unsupported(_) => int(32, value),
        }
    }

    pub(crate) fn comparison(
        &mut self,
        op: (CompareOp, bool),
        swapped: bool,
        left: Operand,
        right: Operand,
        ty: QualType,
    ) -> Operand {
        let (op, negated) = op;
        let (left, right) = if swapped { (right, left) } else { (left, right) };
        let mut truth = self.b.compare(op, left, right);
        if negated {
            truth = self.b.negate(truth);
        }
        let scalar = self.scalar_type(ty);
        self.resize(truth, scalar, false)
    }

    /// Converts a scalar value.
    pub(crate) fn convert(
        &mut self,
        kind: CastKind,
        value: Operand,
        from: QualType,
        to: QualType,
    ) -> Operand {
        let target = self.scalar_type(to);
        let from_signed = types::is_signed(self.ast, from.id);
        let to_signed = types::is_signed(self.ast, to.id);
        match kind {
            CastKind::Integer => self.resize(value, target, from_signed),
            CastKind::ToBool => {
                let truth = self.b.truth(value);
                self.resize(truth, target, false)
            }
            CastKind::IntegerToFloat => self.b.cast(
                if from_signed { CastOp::SignedToFloat } else { CastOp::UnsignedToFloat },
                target,
                value,
            ),
            CastKind::FloatToInteger => self.checks().float_to_integer(value, target, to_signed),
            CastKind::Float => {
                if self.b.type_of(value) == target {
                    value
                } else {
                    self.b.cast(CastOp::FloatToFloat, target, value)
                }
            }
            CastKind::IntegerToPointer => {
                if matches!(value, Operand::Constant(Constant::Int(_, 0))) {
                    return Operand::Constant(Constant::Null);
                }
                let address = self.resize(value, self.b.size_type(), from_signed);
                self.b.cast(CastOp::IntToPointer, Type::Ptr, address)
            }
            CastKind::NullToPointer => Operand::Constant(Constant::Null),
            CastKind::PointerToInteger => {
                let size_type = self.b.size_type();
                let address = self.b.cast(CastOp::PointerToInt, size_type, value);
                self.resize(address, target, false)
            }
            CastKind::Load
            | CastKind::ArrayToPointer
            | CastKind::FunctionToPointer
            | CastKind::NoOp
            | CastKind::Pointer
            | CastKind::ToVoid
            | CastKind::ToUnion
            | CastKind::RealToComplex
            | CastKind::ComplexToReal
            | CastKind::Complex
            | CastKind::VectorBits
            | CastKind::ScalarToVector => value,
        }
    }

    /// Converts between scalar types where the tree has no node for it (`a ?: b`, compound assignment).
    pub(crate) fn convert_plain(&mut self, value: Operand, from: QualType, to: QualType) -> Operand {
        let (Class::Scalar(source), Class::Scalar(target)) = (self.class(from), self.class(to)) else {
            return value;
        };
        let to_bool = types::is_bool(self.ast, to.id);
        let kind = match (source, target) {
            _ if to_bool => CastKind::ToBool,
            (Type::Int(_), Type::Int(_)) => CastKind::Integer,
            (Type::Int(_), Type::F32 | Type::F64) => CastKind::IntegerToFloat,
            (Type::F32 | Type::F64, Type::Int(_)) => CastKind::FloatToInteger,
            (Type::F32 | Type::F64, Type::F32 | Type::F64) => CastKind::Float,
            (Type::Int(_), Type::Ptr) => CastKind::IntegerToPointer,
            (Type::Ptr, Type::Int(_)) => CastKind::PointerToInteger,
            (Type::Ptr, Type::Ptr)
            | (Type::Ptr, Type::F32 | Type::F64)
            | (Type::F32 | Type::F64, Type::Ptr) => CastKind::Pointer,
        };
        self.convert(kind, value, from, to)
    }

    pub(crate) fn is_unsupported(&self, expr: ExprId) -> bool {
        matches!(self.class(self.ast.exprs[expr].ty), Class::Unsupported(_))
    }

    pub(crate) fn add_sizes(&mut self, left: Operand, right: Operand) -> Operand {
        match (left, right) {
            (Operand::Constant(Constant::Int(bits, a)), Operand::Constant(Constant::Int(_, b))) => {
                int(bits, a.wrapping_add(b).cast_signed())
            }
            (left, right) => {
                let size_type = self.b.size_type();
                self.b.binary(BinaryOp::Add, size_type, left, right)
            }
        }
    }
}
