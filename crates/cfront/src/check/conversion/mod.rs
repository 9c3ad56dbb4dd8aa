//! Conversions, made explicit: every change of a value's type, and every read of an object, becomes a node.
//!
//! This file holds the conversions themselves; [`arithmetic`] says which types arithmetic is carried out in, and
//! `assign` what assignment allows. What gcc 12 accepts is accepted; a conversion that has no meaning is reported once
//! and becomes an error node.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a conversion names the types it knows; between any others there is none"
)]

pub mod arithmetic;
mod assign;
#[cfg(test)]
mod tests;

use raddle_base::{Diagnostic, Span};

use crate::ast::{Ast, CastKind, ExprId, ExprKind, RecordId, RecordKind, Storage};
use crate::check::TreeBuilder;
use crate::check::compatible::compatible_unqualified;
use crate::check::constant::{Constant, evaluate};
use crate::check::shape::{Shape, shape};
use crate::layout;
use crate::types::{IntKind, QualType, TypeId, Types};

use arithmetic::Arithmetic;
pub use assign::AssignContext;
pub(crate) use assign::{PointerTargets, compare_targets, target_qualifiers};

impl TreeBuilder {
    /// As [`Conversions::assign_convert`].
    pub fn assign_convert(&mut self, value: ExprId, target: QualType, context: &AssignContext) -> ExprId {
        Conversions { tree: self }.assign_convert(value, target, context)
    }

    /// As [`Conversions::explicit_cast`].
    pub fn explicit_cast(&mut self, expr: ExprId, target: QualType, span: Span) -> ExprId {
        Conversions { tree: self }.explicit_cast(expr, target, span)
    }

    /// The shape of an expression's type.
    #[must_use]
    pub fn shape_of(&self, expr: ExprId) -> Shape {
        shape(&self.ast, self.type_of(expr).id)
    }

    /// Whether the expression is erroneous: whatever is done with it was reported already.
    #[must_use]
    pub fn is_erroneous(&self, expr: ExprId) -> bool {
        self.shape_of(expr) == Shape::Error
    }

    /// The value of an expression: arrays and functions decay, lvalues are loaded.
    pub fn rvalue(&mut self, expr: ExprId) -> ExprId {
        self.rvalue_as(expr, false)
    }

    /// As [`rvalue`](Self::rvalue); an array that is only subscripted may live in a register.
    pub(crate) fn rvalue_as(&mut self, expr: ExprId, subscripted: bool) -> ExprId {
        let ty = self.type_of(expr);
        match shape(&self.ast, ty.id) {
            Shape::Array(element, _) => {
                // Decaying takes the address, which a register variable does not have.
                if !subscripted && !self.may_take_address(expr) {
                    return self.error_expr(self.span(expr));
                }
                // The qualifiers of an array are those of its elements.
                let element = element.with(self.ast.types.qualifiers(ty));
                let pointer = self.ast.types.pointer_to(element);
                self.cast(CastKind::ArrayToPointer, expr, pointer, false, self.span(expr))
            }
            Shape::Function => {
                let pointer = self.ast.types.pointer_to(QualType::plain(ty.id));
                self.cast(CastKind::FunctionToPointer, expr, pointer, false, self.span(expr))
            }
            Shape::Void | Shape::Error => expr,
            Shape::Record(record) if self.ast.records[record].fields.is_none() => {
                self.incomplete_use(expr);
                self.error_expr(self.span(expr))
            }
            Shape::Int(_)
            | Shape::Enum(..)
            | Shape::Float(_)
            | Shape::Complex(_)
            | Shape::ComplexInt(_)
            | Shape::Pointer(_)
            | Shape::Vector(..)
            | Shape::Record(_)
            | Shape::VaList => {
                // Reading an object is a node: later stages see each access of memory in the tree.
                if self.ast.exprs[expr].lvalue {
                    let unqualified = self.ast.types.unqualified(ty);
                    self.cast(CastKind::Load, expr, unqualified, false, self.span(expr))
                } else {
                    expr
                }
            }
        }
    }

    /// Reports the use of an expression whose type is incomplete.
    pub(crate) fn incomplete_use(&mut self, expr: ExprId) {
        let ty = self.type_of(expr);
        let described = self.describe(ty);
        let mut diagnostic =
            Diagnostic::error(self.span(expr), format!("invalid use of the incomplete type {described}"));
        if let Shape::Record(record) = shape(&self.ast, ty.id) {
            let place = self.ast.records[record].span;
            if place != Span::NONE {
                diagnostic = diagnostic.also(place, "declared here, but never defined");
            }
        }
        self.diagnostics.push(diagnostic);
    }

    /// Whether the address of an lvalue may be taken; reports why not (bit-fields and register variables).
    pub(crate) fn may_take_address(&mut self, expr: ExprId) -> bool {
        // Down to the object that holds the lvalue: a member of a register variable is in the register, too.
        let mut inner = expr;
        loop {
            inner = match &self.ast.exprs[inner].kind {
                ExprKind::Member { base, record, field, arrow } => {
                    let field = self.ast.records[*record]
                        .fields
                        .as_ref()
                        .and_then(|fields| fields.get(*field as usize));
                    if let Some(field) = field
                        && field.width.is_some()
                    {
                        let name =
                            field.name.map_or_else(String::new, |name| format!(" `{}`", self.ast.text(name)));
                        let place = field.span;
                        let diagnostic = Diagnostic::error(
                            self.span(expr),
                            format!("cannot take the address of bit-field{name}"),
                        )
                        .also(place, "declared as a bit-field here");
                        self.diagnostics.push(diagnostic);
                        return false;
                    }
                    // Behind a pointer lies memory.
                    if *arrow {
                        return true;
                    }
                    *base
                }
                ExprKind::Index { base, .. } => *base,
                // The decay of an array that is subscripted: the element lies where the array lies.
                ExprKind::Cast { kind: CastKind::ArrayToPointer, operand, .. } => *operand,
                ExprKind::Var(var) => {
                    let var = &self.ast.vars[*var];
                    if var.storage != Storage::Register {
                        return true;
                    }
                    let name = var.name.map_or("", |name| self.ast.text(name));
                    let diagnostic = Diagnostic::error(
                        self.span(expr),
                        format!("address of register variable `{name}` requested"),
                    )
                    .also(var.span, "declared `register` here");
                    self.diagnostics.push(diagnostic);
                    return false;
                }
                _ => return true,
            };
        }
    }

    /// Adds a conversion node. `target` has no qualifiers, as values have none.
    pub(crate) fn cast(
        &mut self,
        kind: CastKind,
        operand: ExprId,
        target: TypeId,
        explicit: bool,
        span: Span,
    ) -> ExprId {
        self.expr(ExprKind::Cast { kind, operand, explicit }, target, false, span)
    }

    /// Converts a value to a type it surely converts to (arithmetic to arithmetic, pointer to pointer …), without a word. A
    /// conversion that has no meaning gives an error node: callers ask `cast_kind` first where that can be.
    pub fn convert(&mut self, value: ExprId, target: TypeId) -> ExprId {
        if self.ast.types.same(self.type_of(value).id, target) {
            return value;
        }
        let span = self.span(value);
        match self.cast_kind(value, target) {
            Some(kind) => self.cast_in_steps(kind, value, target, false, span),
            None => self.error_expr(span),
        }
    }

    /// Adds a conversion node; between real and complex types of different parts, two: one node never does both.
    fn cast_in_steps(
        &mut self,
        kind: CastKind,
        value: ExprId,
        target: TypeId,
        explicit: bool,
        span: Span,
    ) -> ExprId {
        let (from, to) = (self.shape_of(value), shape(&self.ast, target));
        // From `int` to `_Complex double` goes by way of `double`: first the part changes, then it becomes
        // complex.
        let step = match kind {
            CastKind::RealToComplex => Arithmetic::of(to).map(Arithmetic::part),
            CastKind::ComplexToReal => {
                let part = Arithmetic::of(from).map(Arithmetic::part);
                (part != Arithmetic::of(to)).then_some(part).flatten()
            }
            _ => None,
        };
        let Some(step) = step else { return self.cast(kind, value, target, explicit, span) };
        let step = self.arithmetic_type(step);
        if kind == CastKind::RealToComplex {
            let value = self.convert(value, step);
            return self.cast(kind, value, target, explicit, span);
        }
        let real = self.cast(kind, value, step, false, span);
        match self.cast_kind(real, target) {
            Some(kind) => self.cast(kind, real, target, explicit, span),
            None => self.error_expr(span),
        }
    }

    /// What a conversion of the value to `target` does, if there is one between scalars, between vectors, or to `void`.
    #[must_use]
    pub fn cast_kind(&self, value: ExprId, target: TypeId) -> Option<CastKind> {
        let from = self.type_of(value).id;
        let (source, goal) = (shape(&self.ast, from), shape(&self.ast, target));
        if source == Shape::Error || goal == Shape::Error || self.ast.types.same(from, target) {
            return Some(CastKind::NoOp);
        }
        let real = |shape: Shape| shape.is_integer() || shape.is_float();
        let kind = match (source, goal) {
            // The order of the arms matters: `_Bool` is an integer, and converts by comparing with zero.
            (_, Shape::Void) => CastKind::ToVoid,
            (_, Shape::Int(IntKind::Bool)) if source.is_scalar() => CastKind::ToBool,
            (_, Shape::Float(_)) if source.is_integer() => CastKind::IntegerToFloat,
            (Shape::Float(_), Shape::Float(_)) => CastKind::Float,
            (Shape::Float(_), _) if goal.is_integer() => CastKind::FloatToInteger,
            _ if source.is_integer() && goal.is_integer() => CastKind::Integer,
            _ if source.is_complex() && goal.is_complex() => CastKind::Complex,
            _ if source.is_complex() && real(goal) => CastKind::ComplexToReal,
            _ if real(source) && goal.is_complex() => CastKind::RealToComplex,
            _ if source.is_pointer() && goal.is_pointer() => CastKind::Pointer,
            _ if source.is_pointer() && goal.is_integer() => CastKind::PointerToInteger,
            _ if source.is_integer() && goal.is_pointer() => {
                if is_zero_constant(&self.ast, value) {
                    CastKind::NullToPointer
                } else {
                    CastKind::IntegerToPointer
                }
            }
            (Shape::Vector(..), Shape::Vector(..)) => return same_bits(&self.ast, from, target),
            (Shape::Vector(..), _) if goal.is_integer() => return same_bits(&self.ast, from, target),
            (_, Shape::Vector(..)) if source.is_integer() => return same_bits(&self.ast, from, target),
            (Shape::Record(_), Shape::Record(_))
                if compatible_unqualified(&self.ast, QualType::plain(from), QualType::plain(target)) =>
            {
                CastKind::NoOp
            }
            _ => return None,
        };
        Some(kind)
    }

    /// The value of an expression that a condition hangs on: a scalar. Reports what is none.
    pub fn condition(&mut self, expr: ExprId) -> ExprId {
        let value = self.rvalue(expr);
        match self.shape_of(value) {
            Shape::Error => value,
            Shape::Void => self.void_use(value),
            shape if shape.is_scalar() => value,
            _ => {
                let described = self.describe(self.type_of(value));
                self.error(self.span(value), format!("{described} is used where a scalar is required"));
                self.error_expr(self.span(value))
            }
        }
    }

    /// Reports that the value of a `void` expression is used.
    pub(crate) fn void_use(&mut self, expr: ExprId) -> ExprId {
        let diagnostic = Diagnostic::error(self.span(expr), "void value used where a value is needed")
            .label("this has type `void`");
        self.diagnostics.push(diagnostic);
        self.error_expr(self.span(expr))
    }
}

/// Checks conversions that C refuses or warns of: as if by assignment, and casts.
#[derive(Debug)]
pub struct Conversions<'t> {
    tree: &'t mut TreeBuilder,
}

impl Conversions<'_> {
    /// `(target) expr`, as written in the source.
    pub fn explicit_cast(&mut self, expr: ExprId, target: QualType, span: Span) -> ExprId {
        let goal = shape(&self.tree.ast, target.id);
        if goal == Shape::Error {
            return self.tree.error_expr(span);
        }
        if matches!(goal, Shape::Array(..) | Shape::Function) {
            let what = if goal == Shape::Function { "a function" } else { "an array" };
            let described = self.tree.describe(target);
            self.tree.error(span, format!("cast to {what} type: {described}"));
            return self.tree.error_expr(span);
        }
        // Only now: a cast to an array is refused whatever its operand is.
        let value = self.tree.rvalue(expr);
        let unqualified = self.tree.ast.types.unqualified(target);
        match (self.tree.shape_of(value), goal) {
            (Shape::Error, _) => return self.tree.cast(CastKind::NoOp, value, unqualified, true, span),
            (Shape::Void, Shape::Void) => {}
            (Shape::Void, _) => return self.tree.void_use(value),
            _ => {}
        }
        if let Shape::Record(record) = goal {
            return self.cast_to_record(value, record, unqualified, span);
        }
        let Some(kind) = self.tree.cast_kind(value, unqualified) else {
            let (from, to) = (self.tree.describe(self.tree.type_of(value)), self.tree.describe(target));
            self.tree.error(span, format!("{from} cannot be cast to {to}"));
            return self.tree.error_expr(span);
        };
        self.warn_about_cast(kind, value, unqualified, span);
        self.tree.cast_in_steps(kind, value, unqualified, true, span)
    }

    fn cast_to_record(&mut self, value: ExprId, record: RecordId, target: TypeId, span: Span) -> ExprId {
        let from = self.tree.type_of(value);
        if self.tree.ast.types.same(from.id, target) {
            return self.tree.cast(CastKind::NoOp, value, target, true, span);
        }
        let members = self.tree.ast.records[record].fields.as_deref().unwrap_or_default();
        let is_union = self.tree.ast.records[record].kind == RecordKind::Union;
        let found = members.iter().any(|member| compatible_unqualified(&self.tree.ast, member.ty, from));
        if is_union && found {
            return self.tree.cast(CastKind::ToUnion, value, target, true, span);
        }
        let (from, to) = (self.tree.describe(from), self.tree.describe(target));
        self.tree.error(span, format!("{from} cannot be cast to {to}"));
        self.tree.error_expr(span)
    }

    /// gcc's default warnings about casts between pointers and integers of other sizes.
    fn warn_about_cast(&mut self, kind: CastKind, value: ExprId, target: TypeId, span: Span) {
        // The check is on what the user wrote; what the checker adds itself never changes the size silently.
        let pointer = self.tree.ast.model.pointer_bytes();
        // gcc asks this of plain integers only.
        let other_size = |shape: Shape| match shape {
            Shape::Int(kind) => kind != IntKind::Bool && self.tree.ast.model.int_bytes(kind) != pointer,
            _ => false,
        };
        match kind {
            CastKind::PointerToInteger if other_size(shape(&self.tree.ast, target)) => {
                self.tree.warning(span, "cast from a pointer to an integer of another size");
            }
            CastKind::IntegerToPointer
                if other_size(self.tree.shape_of(value)) && evaluate(&self.tree.ast, value).is_none() =>
            {
                self.tree.warning(span, "cast to a pointer from an integer of another size");
            }
            _ => {}
        }
    }
}

fn same_bits(ast: &Ast, from: TypeId, target: TypeId) -> Option<CastKind> {
    let from = layout::size_of(ast, QualType::plain(from));
    let target = layout::size_of(ast, QualType::plain(target));
    (from.is_ok() && from == target).then_some(CastKind::VectorBits)
}

/// Whether the value is an integer constant expression with value zero.
pub(crate) fn is_zero_constant(ast: &Ast, value: ExprId) -> bool {
    shape(ast, ast.exprs[value].ty.id).is_integer() && evaluate(ast, value) == Some(Constant::Integer(0))
}

/// Whether the value is a null pointer constant: an integer constant zero, or such a zero cast to `void *`.
#[must_use]
pub fn is_null_constant(ast: &Ast, value: ExprId) -> bool {
    if is_zero_constant(ast, value) {
        return true;
    }
    // An implicit cast of zero to a pointer is no null pointer constant; only what was written is.
    let ExprKind::Cast { operand, explicit: true, .. } = ast.exprs[value].kind else { return false };
    let Shape::Pointer(target) = shape(ast, ast.exprs[value].ty.id) else { return false };
    let target = ast.types.canonical(target);
    target == QualType::plain(Types::void()) && is_zero_constant(ast, operand)
}
