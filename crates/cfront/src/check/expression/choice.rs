//! `c ? a : b`, `_Generic`, `__builtin_choose_expr`.

use raddle_base::{Diagnostic, Span};

use crate::ast::{CastKind, ExprId, ExprKind};
use crate::check::compatible::{compatible, composite};
use crate::check::conversion::arithmetic::bit_field_width;
use crate::check::conversion::{PointerTargets, compare_targets, is_null_constant, is_zero_constant};
use crate::check::shape::{Shape, is_variably_modified, shape};
use crate::check::{Operators, Primaries};
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

impl Operators<'_> {
    /// `condition ? then : otherwise`; without `then`, GNU's `condition ?: otherwise`.
    pub fn conditional(&mut self, condition: ExprId, then: Option<ExprId>, otherwise: ExprId) -> ExprId {
        let span = self.tree.span(condition).to(self.tree.span(otherwise));
        let condition = self.tree.condition(condition);
        let written_then = then.map(|then| self.tree.rvalue(then));
        let otherwise = self.tree.rvalue(otherwise);
        let then = written_then.unwrap_or(condition);
        if self.tree.is_erroneous(condition)
            || self.tree.is_erroneous(then)
            || self.tree.is_erroneous(otherwise)
        {
            return self.tree.error_expr(span);
        }
        let Some(ty) = self.conditional_type(then, otherwise, span) else {
            return self.tree.error_expr(span);
        };
        let otherwise = self.convert_branch(otherwise, ty);
        // The condition itself is the value of `c ?: b`; lowering converts it, for it is evaluated once.
        let then = written_then.map(|then| self.convert_branch(then, ty));
        self.tree.expr(ExprKind::Conditional { condition, then, otherwise }, ty, false, span)
    }

    fn convert_branch(&mut self, value: ExprId, ty: TypeId) -> ExprId {
        if shape(&self.tree.ast, ty) == Shape::Void && self.tree.shape_of(value) != Shape::Void {
            return self.tree.cast(CastKind::ToVoid, value, ty, false, self.tree.span(value));
        }
        self.tree.convert(value, ty)
    }

    /// The type of a conditional expression (C11 6.5.15).
    fn conditional_type(&mut self, then: ExprId, otherwise: ExprId, span: Span) -> Option<TypeId> {
        let (left, right) = (self.tree.type_of(then).id, self.tree.type_of(otherwise).id);
        let (left_shape, right_shape) = (shape(&self.tree.ast, left), shape(&self.tree.ast, right));
        if left_shape == Shape::Void || right_shape == Shape::Void {
            return Some(Types::void());
        }
        if self.tree.ast.types.same(left, right) && !left_shape.is_integer() {
            return Some(left);
        }
        match (left_shape, right_shape) {
            (Shape::Pointer(left_target), Shape::Pointer(right_target)) => {
                Some(self.conditional_pointer((then, left_target), (otherwise, right_target), span))
            }
            (Shape::Record(_), Shape::Record(_)) if compatible(&self.tree.ast, left.into(), right.into()) => {
                Some(left)
            }
            _ if left_shape.is_arithmetic() && right_shape.is_arithmetic() => {
                match self.tree.common_type(then, otherwise) {
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
        let unqualified = |this: &Self, ty| QualType::plain(this.tree.ast.types.unqualified(ty));
        match compare_targets(&self.tree.ast, left, right) {
            PointerTargets::Compatible => {
                let (plain_left, plain_right) = (unqualified(self, left), unqualified(self, right));
                let target = composite(&mut self.tree.ast, plain_left, plain_right);
                self.pointer_with(target, left, right)
            }
            _ if is_null_constant(&self.tree.ast, then) => self.tree.type_of(otherwise).id,
            _ if is_null_constant(&self.tree.ast, otherwise) => self.tree.type_of(then).id,
            PointerTargets::Void => self.pointer_with(Types::void().into(), left, right),
            PointerTargets::OtherSign | PointerTargets::Distinct => {
                let (from, to) = (
                    self.tree.describe(self.tree.type_of(then)),
                    self.tree.describe(self.tree.type_of(otherwise)),
                );
                self.tree
                    .warning(span, format!("the branches have different pointer types: {from} and {to}"));
                // Here gcc drops the qualifiers.
                Types::void_pointer()
            }
        }
    }

    fn warn_mixed_branches(&mut self, integer: ExprId, span: Span) {
        if !is_zero_constant(&self.tree.ast, integer) {
            self.tree.warning(span, "one branch is a pointer, the other an integer");
        }
    }

    fn conditional_mismatch(&mut self, then: ExprId, otherwise: ExprId, span: Span) -> Option<TypeId> {
        let (left, right) =
            (self.tree.describe(self.tree.type_of(then)), self.tree.describe(self.tree.type_of(otherwise)));
        let diagnostic = Diagnostic::error(
            span,
            format!("the branches have types that do not go together: {left} and {right}"),
        )
        .also(self.tree.span(then), format!("this has type {left}"))
        .also(self.tree.span(otherwise), format!("this has type {right}"));
        self.tree.diagnostics.push(diagnostic);
        None
    }
}

impl Primaries<'_> {
    /// `_Generic(control, …)`: the selected expression, as it is.
    pub fn generic_selection(&mut self, control: ExprId, associations: &[Association], span: Span) -> ExprId {
        // What is only asked for its type need not be complete.
        let incomplete = matches!(self.tree.shape_of(control), Shape::Record(record) if self.tree.ast.records[record].fields.is_none());
        let value = if incomplete { control } else { self.tree.rvalue(control) };
        let ty = QualType::plain(self.tree.ast.types.unqualified(self.tree.type_of(value)));
        for (place, association) in associations.iter().enumerate() {
            self.check_association(association, &associations[..place]);
        }
        if shape(&self.tree.ast, ty.id) == Shape::Error {
            return self.tree.error_expr(span);
        }
        // A bit-field narrower than its declared type has a type of its own, which no type name names.
        let bits = |kind| if kind == IntKind::Bool { 1 } else { 8 * self.tree.ast.model.int_bytes(kind) };
        let declared = self.tree.shape_of(value).integer().map(bits);
        let narrow =
            bit_field_width(&self.tree.ast, value).is_some_and(|width| declared != Some(u64::from(width)));
        let found = associations
            .iter()
            .find(|association| {
                !narrow && association.ty.is_some_and(|other| compatible(&self.tree.ast, ty, other))
            })
            .or_else(|| associations.iter().find(|association| association.ty.is_none()));
        if let Some(association) = found {
            return association.expr;
        }
        let described = self.tree.describe(ty);
        let diagnostic =
            Diagnostic::error(span, format!("no association of `_Generic` fits the type {described}"))
                .also(self.tree.span(control), format!("this has type {described}"))
                .help("add a `default` association");
        self.tree.diagnostics.push(diagnostic);
        self.tree.error_expr(span)
    }

    fn check_association(&mut self, association: &Association, before: &[Association]) {
        let Some(ty) = association.ty else {
            if let Some(first) = before.iter().find(|other| other.ty.is_none()) {
                let diagnostic = Diagnostic::error(association.span, "second `default` in `_Generic`")
                    .also(first.span, "the first is here");
                self.tree.diagnostics.push(diagnostic);
            }
            return;
        };
        let what = match shape(&self.tree.ast, ty.id) {
            Shape::Error => return,
            Shape::Function => "a function type",
            _ if is_variably_modified(&self.tree.ast, ty.id) => "a variable length type",
            _ if !layout::is_complete(&self.tree.ast, ty) => "an incomplete type",
            _ => {
                let same = |other: &&Association| {
                    other.ty.is_some_and(|other| compatible(&self.tree.ast, ty, other))
                };
                if let Some(first) = before.iter().find(same) {
                    let diagnostic = Diagnostic::error(
                        association.span,
                        "two associations of `_Generic` have compatible types",
                    )
                    .also(first.span, "the first is here");
                    self.tree.diagnostics.push(diagnostic);
                }
                return;
            }
        };
        let described = self.tree.describe(ty);
        self.tree.error(association.span, format!("{described} is {what}, which no value can have"));
    }

    /// `__builtin_choose_expr(condition, then, otherwise)`: the chosen expression, as it is.
    pub fn choose_expr(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> ExprId {
        match self.tree.integer_constant(condition, "first argument of `__builtin_choose_expr`") {
            Some(0) => otherwise,
            Some(_) => then,
            None => self.tree.error_expr(self.tree.span(condition)),
        }
    }
}
