//! `c ? a : b`, `_Generic`, `__builtin_choose_expr`.

use raddle_base::{Diagnostic, Span};

use crate::ast::{CastKind, ExprId, ExprKind};
use crate::check::Checker;
use crate::check::compatible::{compatible, composite};
use crate::check::conversion::PointerTargets;
use crate::check::conversion::arithmetic::bit_field_width;
use crate::check::shape::{Shape, is_variably_modified, shape};
use crate::layout;
use crate::types::{IntKind, QualType, TypeId, Types};

/// One association of `_Generic`.
#[derive(Clone, Copy, Debug)]
pub struct Association {
    /// The type; `None` for `default`.
    pub ty: Option<QualType>,
    /// What is selected.
    pub expr: ExprId,
    /// Where the type or `default` stands.
    pub span: Span,
}

impl Checker {
    /// `condition ? then : otherwise`; without `then`, GNU's `condition ?: otherwise`.
    pub fn conditional(&mut self, condition: ExprId, then: Option<ExprId>, otherwise: ExprId) -> ExprId {
        let span = self.span(condition).to(self.span(otherwise));
        let condition = self.condition(condition);
        let written_then = then.map(|then| self.rvalue(then));
        let otherwise = self.rvalue(otherwise);
        let then = written_then.unwrap_or(condition);
        if self.is_erroneous(condition) || self.is_erroneous(then) || self.is_erroneous(otherwise) {
            return self.error_expr(span);
        }
        let Some(ty) = self.conditional_type(then, otherwise, span) else { return self.error_expr(span) };
        let otherwise = self.convert_branch(otherwise, ty);
        // The condition itself is the value of `c ?: b`; lowering converts it, for it is evaluated once.
        let then = written_then.map(|then| self.convert_branch(then, ty));
        self.expr(ExprKind::Conditional { condition, then, otherwise }, ty, false, span)
    }

    fn convert_branch(&mut self, value: ExprId, ty: TypeId) -> ExprId {
        if shape(&self.ast, ty) == Shape::Void && self.shape_of(value) != Shape::Void {
            return self.cast(CastKind::ToVoid, value, ty, false, self.span(value));
        }
        self.convert(value, ty)
    }

    /// The type of a conditional expression (C11 6.5.15).
    fn conditional_type(&mut self, then: ExprId, otherwise: ExprId, span: Span) -> Option<TypeId> {
        let (left, right) = (self.type_of(then).id, self.type_of(otherwise).id);
        let (left_shape, right_shape) = (shape(&self.ast, left), shape(&self.ast, right));
        if left_shape == Shape::Void || right_shape == Shape::Void {
            return Some(Types::void());
        }
        if self.ast.types.same(left, right) && !left_shape.is_integer() {
            return Some(left);
        }
        match (left_shape, right_shape) {
            (Shape::Pointer(left_target), Shape::Pointer(right_target)) => {
                Some(self.conditional_pointer((then, left_target), (otherwise, right_target), span))
            }
            (Shape::Record(_), Shape::Record(_)) if compatible(&self.ast, left.into(), right.into()) => {
                Some(left)
            }
            _ if left_shape.is_arithmetic() && right_shape.is_arithmetic() => {
                match self.common_type(then, otherwise) {
                    Some(ty) => Some(ty),
                    None => self.conditional_mismatch(then, otherwise, span),
                }
            }
            _ if left_shape.is_pointer() && right_shape.is_pointer() => Some(left),
            _ if left_shape.is_pointer() && right_shape.is_integer() => {
                self.warn_mixed_branches(otherwise, span);
                Some(left)
            }
            _ if left_shape.is_integer() && right_shape.is_pointer() => {
                self.warn_mixed_branches(then, span);
                Some(right)
            }
            _ => self.conditional_mismatch(then, otherwise, span),
        }
    }

    fn conditional_pointer(
        &mut self,
        (then, left): (ExprId, QualType),
        (otherwise, right): (ExprId, QualType),
        span: Span,
    ) -> TypeId {
        let unqualified = |this: &Self, ty| QualType::plain(this.ast.types.unqualified(ty));
        match self.compare_targets(left, right) {
            PointerTargets::Compatible => {
                let (plain_left, plain_right) = (unqualified(self, left), unqualified(self, right));
                let target = composite(&mut self.ast, plain_left, plain_right);
                self.pointer_with(target, left, right)
            }
            _ if self.is_null_constant(then) => self.type_of(otherwise).id,
            _ if self.is_null_constant(otherwise) => self.type_of(then).id,
            PointerTargets::Void => self.pointer_with(Types::void().into(), left, right),
            PointerTargets::OtherSign | PointerTargets::Distinct => {
                let (from, to) = (self.describe(self.type_of(then)), self.describe(self.type_of(otherwise)));
                self.warning(span, format!("the branches have different pointer types: {from} and {to}"));
                // Here gcc drops the qualifiers.
                Types::void_pointer()
            }
        }
    }

    fn warn_mixed_branches(&mut self, integer: ExprId, span: Span) {
        if !self.is_zero_constant(integer) {
            self.warning(span, "one branch is a pointer, the other an integer");
        }
    }

    fn conditional_mismatch(&mut self, then: ExprId, otherwise: ExprId, span: Span) -> Option<TypeId> {
        let (left, right) = (self.describe(self.type_of(then)), self.describe(self.type_of(otherwise)));
        let diagnostic = Diagnostic::error(
            span,
            format!("the branches have types that do not go together: {left} and {right}"),
        )
        .also(self.span(then), format!("this has type {left}"))
        .also(self.span(otherwise), format!("this has type {right}"));
        self.diagnostics.push(diagnostic);
        None
    }

    /// `_Generic(control, …)`: the selected expression, as it is.
    pub fn generic_selection(&mut self, control: ExprId, associations: &[Association], span: Span) -> ExprId {
        // What is only asked for its type need not be complete.
        let incomplete = matches!(self.shape_of(control), Shape::Record(record) if self.ast.records[record].fields.is_none());
        let value = if incomplete { control } else { self.rvalue(control) };
        let ty = QualType::plain(self.ast.types.unqualified(self.type_of(value)));
        for (place, association) in associations.iter().enumerate() {
            self.check_association(association, &associations[..place]);
        }
        if shape(&self.ast, ty.id) == Shape::Error {
            return self.error_expr(span);
        }
        // A bit-field narrower than its declared type has a type of its own, which no type name names.
        let bits = |kind| if kind == IntKind::Bool { 1 } else { 8 * self.ast.model.int_bytes(kind) };
        let declared = self.shape_of(value).integer().map(bits);
        let narrow =
            bit_field_width(&self.ast, value).is_some_and(|width| declared != Some(u64::from(width)));
        let found = associations
            .iter()
            .find(|association| {
                !narrow && association.ty.is_some_and(|other| compatible(&self.ast, ty, other))
            })
            .or_else(|| associations.iter().find(|association| association.ty.is_none()));
        if let Some(association) = found {
            return association.expr;
        }
        let described = self.describe(ty);
        let diagnostic =
            Diagnostic::error(span, format!("no association of `_Generic` fits the type {described}"))
                .also(self.span(control), format!("this has type {described}"))
                .help("add a `default` association");
        self.diagnostics.push(diagnostic);
        self.error_expr(span)
    }

    fn check_association(&mut self, association: &Association, before: &[Association]) {
        let Some(ty) = association.ty else {
            if let Some(first) = before.iter().find(|other| other.ty.is_none()) {
                let diagnostic = Diagnostic::error(association.span, "second `default` in `_Generic`")
                    .also(first.span, "the first is here");
                self.diagnostics.push(diagnostic);
            }
            return;
        };
        let what = match shape(&self.ast, ty.id) {
            Shape::Error => return,
            Shape::Function => "a function type",
            _ if is_variably_modified(&self.ast, ty.id) => "a variable length type",
            _ if !layout::is_complete(&self.ast, ty) => "an incomplete type",
            _ => {
                let same =
                    |other: &&Association| other.ty.is_some_and(|other| compatible(&self.ast, ty, other));
                if let Some(first) = before.iter().find(same) {
                    let diagnostic = Diagnostic::error(
                        association.span,
                        "two associations of `_Generic` have compatible types",
                    )
                    .also(first.span, "the first is here");
                    self.diagnostics.push(diagnostic);
                }
                return;
            }
        };
        let described = self.describe(ty);
        self.error(association.span, format!("{described} is {what}, which no value can have"));
    }

    /// `__builtin_choose_expr(condition, then, otherwise)`: the chosen expression, as it is.
    pub fn choose_expr(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        match self.integer_constant(condition, "first argument of `__builtin_choose_expr`") {
            Some(0) => otherwise,
            Some(_) => then,
            None => self.error_expr(self.span(condition)),
        }
    }
}
