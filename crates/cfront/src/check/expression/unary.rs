//! Operators with one operand.

use raddle_base::{Diagnostic, Span};

use super::unary_text;
use crate::ast::{Ast, CastKind, ExprId, ExprKind, UnaryOp};
use crate::check::Operators;
use crate::check::conversion::arithmetic::Arithmetic;
use crate::check::shape::{Shape, shape};
use crate::layout;
use crate::types::{QualType, Type, Types};

impl Operators<'_> {
    /// `+a`, `-a`, `~a`, `!a`, `&a`, `*a`, `__real__ a`, `__imag__ a`; increments go to [`increment`](Self::increment).
    pub fn unary(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> ExprId {
        match op {
            UnaryOp::AddressOf => self.address_of(operand, span),
            UnaryOp::Deref => self.dereference(operand, span),
            UnaryOp::Plus | UnaryOp::Negate | UnaryOp::BitNot | UnaryOp::Not => {
                self.value_operator(op, operand, span)
            }
            UnaryOp::Real | UnaryOp::Imag => self.complex_part(op, operand, span),
            UnaryOp::PreIncrement
            | UnaryOp::PreDecrement
            | UnaryOp::PostIncrement
            | UnaryOp::PostDecrement => self.increment(op, operand, span),
        }
    }

    fn value_operator(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> ExprId {
        let value = self.tree.rvalue(operand);
        let shape = self.tree.shape_of(value);
        let fits = match op {
            UnaryOp::Not => shape.is_scalar(),
            UnaryOp::BitNot => {
                shape.is_integer()
                    || shape.is_complex()
                    || self.vector_element(value).is_some_and(Shape::is_integer)
            }
            _ => shape.is_arithmetic() || self.vector_element(value).is_some(),
        };
        match shape {
            Shape::Error => return self.tree.error_expr(span),
            Shape::Void => return self.tree.void_use(value),
            _ if !fits => {
                let described = self.tree.describe(self.tree.type_of(value));
                let message = format!("operand of `{}` has type {described}", unary_text(op));
                self.tree.error(span, message);
                return self.tree.error_expr(span);
            }
            _ => {}
        }
        if op == UnaryOp::Not {
            return self.tree.expr(ExprKind::Unary(op, value), Types::int(), false, span);
        }
        let value = self.tree.promote(value);
        let ty = self.tree.type_of(value);
        self.tree.expr(ExprKind::Unary(op, value), ty, false, span)
    }

    fn complex_part(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> ExprId {
        let ty = self.tree.type_of(operand);
        let shape = shape(&self.tree.ast, ty.id);
        match shape {
            Shape::Error => self.tree.error_expr(span),
            Shape::Complex(_) | Shape::ComplexInt(_) => {
                let lvalue = self.tree.ast.exprs[operand].lvalue;
                let part = Arithmetic::of(shape).map(Arithmetic::part);
                let part = part.map_or(Types::error(), |part| self.tree.arithmetic_type(part));
                let qualifiers = if lvalue {
                    self.tree.ast.types.qualifiers(ty)
                } else {
                    QualType::plain(part).qualifiers
                };
                self.tree.expr(ExprKind::Unary(op, operand), QualType { id: part, qualifiers }, lvalue, span)
            }
            // The real part of a real object is the object itself.
            _ if shape.is_arithmetic() && op == UnaryOp::Real && self.tree.ast.exprs[operand].lvalue => {
                self.tree.expr(ExprKind::Unary(op, operand), ty, true, span)
            }
            _ if shape.is_arithmetic() => {
                let value = self.tree.rvalue(operand);
                let ty = self.tree.type_of(value);
                self.tree.expr(ExprKind::Unary(op, value), ty, false, span)
            }
            _ => {
                let described = self.tree.describe(ty);
                self.tree.error(span, format!("operand of `{}` has type {described}", unary_text(op)));
                self.tree.error_expr(span)
            }
        }
    }

    fn address_of(&mut self, operand: ExprId, span: Span) -> ExprId {
        let ty = self.tree.type_of(operand);
        let shape = shape(&self.tree.ast, ty.id);
        if shape == Shape::Error {
            return self.tree.error_expr(span);
        }
        if !self.tree.ast.exprs[operand].lvalue && shape != Shape::Function {
            let diagnostic = Diagnostic::error(span, "`&` needs an object or a function")
                .also(self.tree.span(operand), "this is a value without an address");
            self.tree.diagnostics.push(diagnostic);
            return self.tree.error_expr(span);
        }
        if !self.tree.may_take_address(operand) {
            return self.tree.error_expr(span);
        }
        let pointer = self.tree.ast.types.pointer_to(ty);
        self.tree.expr(ExprKind::Unary(UnaryOp::AddressOf, operand), pointer, false, span)
    }

    /// `*pointer`
    pub(crate) fn dereference(&mut self, operand: ExprId, span: Span) -> ExprId {
        let value = self.tree.rvalue(operand);
        match self.tree.shape_of(value) {
            Shape::Pointer(target) => {
                if shape(&self.tree.ast, target.id) == Shape::Void {
                    self.tree.warning(span, "a `void *` pointer is dereferenced");
                }
                self.tree.expr(ExprKind::Unary(UnaryOp::Deref, value), target, true, span)
            }
            Shape::Error => self.tree.error_expr(span),
            Shape::Void => self.tree.void_use(value),
            _ => {
                let described = self.tree.describe(self.tree.type_of(value));
                let diagnostic = Diagnostic::error(
                    span,
                    format!("operand of `*` has type {described}, not a pointer type"),
                );
                self.tree.diagnostics.push(diagnostic);
                self.tree.error_expr(span)
            }
        }
    }

    /// `++a`, `--a`, `a++`, `a--`
    pub fn increment(&mut self, op: UnaryOp, operand: ExprId, span: Span) -> ExprId {
        if self.tree.is_erroneous(operand) {
            return self.tree.error_expr(span);
        }
        let what = match op {
            UnaryOp::PreDecrement | UnaryOp::PostDecrement => "decrement",
            _ => "increment",
        };
        let ty = self.tree.type_of(operand);
        match shape(&self.tree.ast, ty.id) {
            Shape::Pointer(target) => {
                if !self.steps_over(target, span) {
                    return self.tree.error_expr(span);
                }
            }
            Shape::VaList | Shape::Vector(..) => {}
            found if found.is_arithmetic() => {}
            _ => {
                let described = self.tree.describe(ty);
                self.tree.error(span, format!("operand of {what} has type {described}"));
                return self.tree.error_expr(span);
            }
        }
        if !self.modifiable(operand, what) {
            return self.tree.error_expr(span);
        }
        let unqualified = self.tree.ast.types.unqualified(ty);
        self.tree.expr(ExprKind::Unary(op, operand), unqualified, false, span)
    }

    /// Whether pointers to `target` can be moved; `void` and functions count one byte in GNU C.
    pub(crate) fn steps_over(&mut self, target: QualType, span: Span) -> bool {
        let found = shape(&self.tree.ast, target.id);
        if matches!(found, Shape::Void | Shape::Function | Shape::Error)
            || layout::is_complete(&self.tree.ast, target)
        {
            return true;
        }
        let described = self.tree.describe(target);
        self.tree.error(span, format!("arithmetic on a pointer to the incomplete type {described}"));
        false
    }

    /// The shape of the elements, if the value is a vector.
    pub(crate) fn vector_element(&self, value: ExprId) -> Option<Shape> {
        match self.tree.shape_of(value) {
            Shape::Vector(element, _) => Some(shape(&self.tree.ast, element)),
            _ => None,
        }
    }

    /// `&&label`
    pub fn label_address(&mut self, label: crate::ast::LabelId, span: Span) -> ExprId {
        self.tree.expr(ExprKind::LabelAddress(label), Types::void_pointer(), false, span)
    }
}

/// Whether the node is a function that decayed: what a call names directly.
pub(crate) fn direct_function(ast: &Ast, callee: ExprId) -> Option<crate::ast::FunctionId> {
    let ExprKind::Cast { kind: CastKind::FunctionToPointer, operand, .. } = ast.exprs[callee].kind else {
        return None;
    };
    match ast.exprs[operand].kind {
        ExprKind::Function(function) => Some(function),
        _ => None,
    }
}

/// Whether the type is a function type without a parameter list that is checked.
pub(crate) fn is_function_type(ast: &Ast, ty: QualType) -> bool {
    matches!(ast.types.kind(ty.id), Type::Function(_))
}
