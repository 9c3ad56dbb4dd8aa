//! Operators on GNU vectors: lane by lane; a scalar beside a vector is copied to all lanes if it fits them.

use raddle_base::Span;

use super::binary::{Converted, binary_text};
use crate::ast::{BinaryOp, CastKind, ExprId, ExprKind};
use crate::check::Operators;
use crate::check::constant::{Constant, evaluate, float_as, float_to_integer, integer_to_float};
use crate::check::conversion::arithmetic::{bit_field_width, int_type, signed_of, unsigned_of};
use crate::check::shape::{Shape, shape};
use crate::layout;
use crate::types::{FloatKind, IntKind, QualType, Type, TypeId};

impl Operators<'_> {
    /// The operands of an operator of which at least one is a vector. The outer `None` means that the error was reported.
    #[expect(clippy::option_option, reason = "reported failure and unfit operands are different")]
    pub(super) fn vector_operands(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        op_span: Span,
    ) -> Option<Option<Converted>> {
        if matches!(op, BinaryOp::And | BinaryOp::Or) {
            self.tree.error(
                op_span,
                format!("operand of `{}` is a vector; a scalar is required", binary_text(op)),
            );
            return None;
        }
        let (left, right) = match (self.tree.shape_of(left), self.tree.shape_of(right)) {
            (Shape::Vector(..), Shape::Vector(..)) => (left, right),
            (Shape::Vector(..), _) => (left, self.spread(right, left, op_span)?),
            (_, Shape::Vector(..)) => (self.spread(left, right, op_span)?, right),
            _ => return Some(None),
        };
        let (Shape::Vector(left_element, left_lanes), Shape::Vector(right_element, right_lanes)) =
            (self.tree.shape_of(left), self.tree.shape_of(right))
        else {
            return Some(None);
        };
        let (left_shape, right_shape) =
            (shape(&self.tree.ast, left_element), shape(&self.tree.ast, right_element));
        let same_lanes = left_lanes == right_lanes
            && match (left_shape.integer(), right_shape.integer()) {
                (Some(left), Some(right)) => unsigned_of(left) == unsigned_of(right),
                _ => self.tree.ast.types.same(left_element, right_element),
            };
        let integers = left_shape.is_integer() && right_shape.is_integer();
        let ty = self.tree.type_of(left).id;
        let fits = match op {
            BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr => same_lanes && integers,
            BinaryOp::Shl | BinaryOp::Shr => integers && left_lanes == right_lanes,
            _ => same_lanes,
        };
        if !fits {
            return Some(None);
        }
        let ty = match op {
            BinaryOp::Less
            | BinaryOp::Greater
            | BinaryOp::LessEqual
            | BinaryOp::GreaterEqual
            | BinaryOp::Equal
            | BinaryOp::NotEqual => self.mask_type(left_element, left_lanes),
            _ => ty,
        };
        // Operands of the other sign are taken bit for bit.
        let right = if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            right
        } else {
            let target = self.tree.type_of(left).id;
            self.tree.convert(right, target)
        };
        Some(Some(Converted { left, right, ty }))
    }

    /// The type of a comparison of vectors: signed integers as wide as the lanes.
    fn mask_type(&mut self, element: TypeId, lanes: u64) -> TypeId {
        let bytes = layout::size_of(&self.tree.ast, QualType::plain(element)).unwrap_or(0);
        let own = shape(&self.tree.ast, element).integer().map(signed_of);
        let candidates =
            [IntKind::SignedChar, IntKind::Short, IntKind::Int, IntKind::Long, IntKind::LongLong];
        let kind = own
            .or_else(|| candidates.into_iter().find(|&kind| self.tree.ast.model.int_bytes(kind) == bytes))
            .unwrap_or(IntKind::Int);
        self.tree.ast.types.intern(Type::Vector { element: int_type(kind), lanes })
    }

    /// The value before it was converted to a wider integer type: gcc judges by that whether it fits.
    fn unwidened(&self, value: ExprId) -> ExprId {
        let mut inner = value;
        while let ExprKind::Cast { kind: CastKind::Integer, operand, .. } = self.tree.ast.exprs[inner].kind {
            let bytes =
                |expr| self.tree.shape_of(expr).integer().map(|kind| self.tree.ast.model.int_bytes(kind));
            if bytes(operand) >= bytes(inner) {
                break;
            }
            inner = operand;
        }
        inner
    }

    /// Whether every value of a scalar, or the value it has, is kept by the lanes.
    fn fits_lane(&self, scalar: ExprId, element: TypeId) -> bool {
        let inner = self.unwidened(scalar);
        let (from, to) = (self.tree.shape_of(inner), shape(&self.tree.ast, element));
        let model = self.tree.ast.model;
        let bits = |kind| 8 * model.int_bytes(kind);
        let width = bit_field_width(&self.tree.ast, inner).map(u64::from);
        match (from, to) {
            (Shape::Int(IntKind::Bool) | Shape::Enum(..), _) => false,
            (Shape::Float(from), Shape::Float(to)) => {
                model.float_bytes(from) <= model.float_bytes(to)
                    || matches!(evaluate(&self.tree.ast, scalar), Some(Constant::Float(value)) if is_exact(value, to))
            }
            (Shape::Int(from), Shape::Int(to)) => match evaluate(&self.tree.ast, scalar) {
                Some(Constant::Integer(value)) => {
                    [to, signed_of(to), unsigned_of(to)].iter().any(|&kind| model.wrap(value, kind) == value)
                }
                _ => width.unwrap_or(bits(from)) <= bits(to),
            },
            (Shape::Int(from), Shape::Float(to)) => match evaluate(&self.tree.ast, scalar) {
                Some(Constant::Integer(value)) => {
                    let float = integer_to_float(value);
                    is_exact(float, to) && float_to_integer(model, float, IntKind::Int128).0 == value
                }
                _ => width.unwrap_or(bits(from)) - u64::from(model.is_signed(from)) <= mantissa(to),
            },
            _ => false,
        }
    }

    /// Copies a scalar to the lanes of a vector like `like`, if no value can be lost.
    fn spread(&mut self, scalar: ExprId, like: ExprId, op_span: Span) -> Option<ExprId> {
        let target = self.tree.type_of(like).id;
        let Shape::Vector(element, _) = self.tree.shape_of(like) else { return None };
        let fits = self.fits_lane(scalar, element);
        if !fits {
            let (from, to) = (self.tree.describe(self.tree.type_of(scalar)), self.tree.describe(target));
            self.tree.error(op_span, format!("{from} does not fit the lanes of {to} without loss"));
            return None;
        }
        let value = self.tree.convert(scalar, element);
        Some(self.tree.cast(CastKind::ScalarToVector, value, target, false, self.tree.span(scalar)))
    }
}

/// Whether a value is one of the floating type.
fn is_exact(value: f64, kind: FloatKind) -> bool {
    let rounded = float_as(value, kind);
    rounded.is_finite() == value.is_finite() && (rounded == value || value.is_nan())
}

/// How many bits an integer may have to be exact in a floating type.
const fn mantissa(kind: FloatKind) -> u64 {
    match kind {
        FloatKind::Float16 => 11,
        FloatKind::Float | FloatKind::Float32 => 24,
        FloatKind::Double | FloatKind::Float32x | FloatKind::Float64 => 53,
        FloatKind::LongDouble | FloatKind::Float64x | FloatKind::Float80 => 64,
        FloatKind::Float128 => 113,
        FloatKind::Decimal32 | FloatKind::Decimal64 | FloatKind::Decimal128 => 0,
    }
}
