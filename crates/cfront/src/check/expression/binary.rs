//! Operators with two operands, except assignment.

use raddle_base::Span;

use crate::ast::{BinaryOp, ExprId, ExprKind};
use crate::check::Operators;
use crate::check::conversion::arithmetic::int_type;
use crate::check::conversion::{
    PointerTargets, compare_targets, is_null_constant, is_zero_constant, target_qualifiers,
};
use crate::check::shape::{Shape, shape};
use crate::types::{QualType, Type, TypeId, Types};

/// How C writes an operator.
#[must_use]
pub(crate) const fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::Less => "<",
        BinaryOp::Greater => ">",
        BinaryOp::LessEqual => "<=",
        BinaryOp::GreaterEqual => ">=",
        BinaryOp::Equal => "==",
        BinaryOp::NotEqual => "!=",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitXor => "^",
        BinaryOp::BitOr => "|",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
    }
}

/// Operands after their conversions, and the type of the result.
pub(crate) struct Converted {
    pub(crate) left: ExprId,
    pub(crate) right: ExprId,
    pub(crate) ty: TypeId,
}

impl Operators<'_> {
    /// `left op right`; `op_span` is the operator's position.
    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, op_span: Span) -> ExprId {
        let span = self.tree.span(left).to(self.tree.span(right));
        let (left, right) = (self.tree.rvalue(left), self.tree.rvalue(right));
        match self.binary_operands(op, left, right, op_span) {
            Some(Converted { left, right, ty }) => {
                self.tree.expr(ExprKind::Binary(op, left, right), ty, false, span)
            }
            None => self.tree.error_expr(span),
        }
    }

    /// Converts the operands of a binary operator (both rvalues); reports what does not fit.
    pub(crate) fn binary_operands(
        &mut self,
        op: BinaryOp,
        left: ExprId,
        right: ExprId,
        op_span: Span,
    ) -> Option<Converted> {
        let (left_shape, right_shape) = (self.tree.shape_of(left), self.tree.shape_of(right));
        for (value, shape) in [(left, left_shape), (right, right_shape)] {
            match shape {
                Shape::Error => return None,
                Shape::Void => {
                    self.tree.void_use(value);
                    return None;
                }
                _ => {}
            }
        }
        let converted = if matches!(left_shape, Shape::Vector(..)) || matches!(right_shape, Shape::Vector(..))
        {
            self.vector_operands(op, left, right, op_span)?
        } else {
            match op {
                BinaryOp::And | BinaryOp::Or => {
                    let fits = left_shape.is_scalar() && right_shape.is_scalar();
                    fits.then_some(Converted { left, right, ty: Types::int() })
                }
                BinaryOp::Equal
                | BinaryOp::NotEqual
                | BinaryOp::Less
                | BinaryOp::Greater
                | BinaryOp::LessEqual
                | BinaryOp::GreaterEqual => self.comparison(op, left, right, op_span),
                BinaryOp::Add if left_shape.is_pointer() || right_shape.is_pointer() => {
                    self.pointer_sum(left, right, op_span)?
                }
                BinaryOp::Sub if left_shape.is_pointer() => self.pointer_difference(left, right, op_span)?,
                BinaryOp::Shl | BinaryOp::Shr => (left_shape.is_integer() && right_shape.is_integer())
                    .then(|| self.shift(left, right, op_span)),
                BinaryOp::Rem | BinaryOp::BitAnd | BinaryOp::BitXor | BinaryOp::BitOr => {
                    let fits = left_shape.is_integer() && right_shape.is_integer();
                    if fits { self.common_operands(left, right) } else { None }
                }
                BinaryOp::Mul | BinaryOp::Div | BinaryOp::Add | BinaryOp::Sub => {
                    self.common_operands(left, right)
                }
            }
        };
        if matches!(op, BinaryOp::Div | BinaryOp::Rem)
            && matches!(self.tree.ast.exprs[right].kind, ExprKind::Integer(0))
        {
            self.tree.warning(op_span, "division by zero");
        }
        if converted.is_none() {
            self.tree.bad_operands(binary_text(op), left, right, op_span);
        }
        converted
    }

    fn common_operands(&mut self, left: ExprId, right: ExprId) -> Option<Converted> {
        let (left, right, ty) = self.tree.usual_conversions(left, right)?;
        Some(Converted { left, right, ty })
    }

    fn shift(&mut self, left: ExprId, right: ExprId, op_span: Span) -> Converted {
        let (left, right) = (self.tree.promote(left), self.tree.promote(right));
        let ty = self.tree.type_of(left).id;
        if let (ExprKind::Integer(count), Some(kind)) =
            (&self.tree.ast.exprs[right].kind, shape(&self.tree.ast, ty).integer())
        {
            let bits = i128::from(8 * self.tree.ast.model.int_bytes(kind));
            if *count < 0 {
                self.tree.warning(op_span, "shift count is negative");
            } else if *count >= bits {
                self.tree.warning(op_span, "shift count is not less than the width of the type");
            }
        }
        Converted { left, right, ty }
    }

    /// `pointer + integer`, either way round. The outer `None` means that the error was reported.
    #[expect(clippy::option_option, reason = "reported failure and unfit operands are different")]
    fn pointer_sum(&mut self, left: ExprId, right: ExprId, op_span: Span) -> Option<Option<Converted>> {
        let (left_shape, right_shape) = (self.tree.shape_of(left), self.tree.shape_of(right));
        let (pointer, other) =
            if left_shape.is_pointer() { (left_shape, right_shape) } else { (right_shape, left_shape) };
        if !other.is_integer() {
            return Some(None);
        }
        if let Shape::Pointer(target) = pointer
            && !self.steps_over(target, op_span)
        {
            return None;
        }
        let ty =
            if left_shape.is_pointer() { self.tree.type_of(left).id } else { self.tree.type_of(right).id };
        let (left, right) = if left_shape.is_pointer() {
            (left, self.difference(right))
        } else {
            (self.difference(left), right)
        };
        Some(Some(Converted { left, right, ty }))
    }

    /// An integer as a distance between pointers.
    pub(crate) fn difference(&mut self, value: ExprId) -> ExprId {
        let ty = int_type(self.tree.ast.model.difference_type());
        self.tree.convert(value, ty)
    }

    #[expect(clippy::option_option, reason = "reported failure and unfit operands are different")]
    fn pointer_difference(
        &mut self,
        left: ExprId,
        right: ExprId,
        op_span: Span,
    ) -> Option<Option<Converted>> {
        let ty = self.tree.type_of(left).id;
        match (self.tree.shape_of(left), self.tree.shape_of(right)) {
            (Shape::Pointer(left_target), Shape::Pointer(right_target)) => {
                if compare_targets(&self.tree.ast, left_target, right_target) != PointerTargets::Compatible {
                    return Some(None);
                }
                if !self.steps_over(left_target, op_span) {
                    return None;
                }
                let right = self.tree.convert(right, ty);
                let ty = int_type(self.tree.ast.model.difference_type());
                Some(Some(Converted { left, right, ty }))
            }
            (Shape::Pointer(target), other) if other.is_integer() => {
                if !self.steps_over(target, op_span) {
                    return None;
                }
                let right = self.difference(right);
                Some(Some(Converted { left, right, ty }))
            }
            _ => Some(None),
        }
    }

    fn comparison(&mut self, op: BinaryOp, left: ExprId, right: ExprId, op_span: Span) -> Option<Converted> {
        let equality = matches!(op, BinaryOp::Equal | BinaryOp::NotEqual);
        let (left_shape, right_shape) = (self.tree.shape_of(left), self.tree.shape_of(right));
        let ty = Types::int();
        match (left_shape, right_shape) {
            (Shape::Pointer(left_target), Shape::Pointer(right_target)) => {
                let fits = match compare_targets(&self.tree.ast, left_target, right_target) {
                    PointerTargets::Compatible => true,
                    PointerTargets::Void => {
                        equality
                            || is_null_constant(&self.tree.ast, left)
                            || is_null_constant(&self.tree.ast, right)
                    }
                    PointerTargets::OtherSign | PointerTargets::Distinct => {
                        is_null_constant(&self.tree.ast, left) || is_null_constant(&self.tree.ast, right)
                    }
                };
                if !fits {
                    let (left, right) = (
                        self.tree.describe(self.tree.type_of(left)),
                        self.tree.describe(self.tree.type_of(right)),
                    );
                    self.tree.warning(
                        op_span,
                        format!("comparison of distinct pointer types: {left} and {right}"),
                    );
                }
                let left_is_void = shape(&self.tree.ast, left_target.id) == Shape::Void;
                // A null pointer constant takes the other's type; else `void *` is the one to compare in.
                let to_left = if left_is_void { !is_null_constant(&self.tree.ast, left) } else { true };
                let right_is_void = shape(&self.tree.ast, right_target.id) == Shape::Void;
                if to_left && !(right_is_void && !left_is_void && !is_null_constant(&self.tree.ast, right)) {
                    let right = self.tree.convert(right, self.tree.type_of(left).id);
                    Some(Converted { left, right, ty })
                } else {
                    let left = self.tree.convert(left, self.tree.type_of(right).id);
                    Some(Converted { left, right, ty })
                }
            }
            _ if left_shape.is_pointer() && right_shape.is_pointer() => {
                let right = self.tree.convert(right, self.tree.type_of(left).id);
                Some(Converted { left, right, ty })
            }
            _ if left_shape.is_pointer() && right_shape.is_integer() => {
                self.warn_mixed_comparison(right, op_span);
                let right = self.tree.convert(right, self.tree.type_of(left).id);
                Some(Converted { left, right, ty })
            }
            _ if left_shape.is_integer() && right_shape.is_pointer() => {
                self.warn_mixed_comparison(left, op_span);
                let left = self.tree.convert(left, self.tree.type_of(right).id);
                Some(Converted { left, right, ty })
            }
            _ if !equality && (left_shape.is_complex() || right_shape.is_complex()) => None,
            _ => {
                let converted = self.common_operands(left, right)?;
                Some(Converted { ty, ..converted })
            }
        }
    }

    fn warn_mixed_comparison(&mut self, integer: ExprId, op_span: Span) {
        if !is_zero_constant(&self.tree.ast, integer) {
            self.tree.warning(op_span, "comparison between a pointer and an integer");
        }
    }

    /// A pointer type to `target` with the qualifiers of both targets.
    pub(crate) fn pointer_with(&mut self, target: QualType, left: QualType, right: QualType) -> TypeId {
        let qualifiers =
            target_qualifiers(&self.tree.ast, left).with(target_qualifiers(&self.tree.ast, right));
        self.tree.ast.types.intern(Type::Pointer(target.with(qualifiers)))
    }
}
