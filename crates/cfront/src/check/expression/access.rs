//! Members and subscripts.

use raddle_base::{Diagnostic, Span};

use super::name::nearest;
use crate::ast::{ExprId, ExprKind, RecordId};
use crate::check::Primaries;
use crate::check::shape::{Shape, shape};
use crate::layout;
use crate::names::Symbol;
use crate::types::{QualType, Qualifiers};

impl Primaries<'_> {
    /// `base.name`, or `base->name` when `arrow`.
    pub fn member(&mut self, base: ExprId, name: Symbol, name_span: Span, arrow: bool) -> ExprId {
        let span = self.tree.span(base).to(name_span);
        let base = if arrow { self.tree.rvalue(base) } else { base };
        let base_type = self.tree.type_of(base);
        let target = match (arrow, shape(&self.tree.ast, base_type.id)) {
            (_, Shape::Error) => return self.tree.error_expr(span),
            (true, Shape::Pointer(target)) => target,
            (true, _) => {
                let described = self.tree.describe(base_type);
                let mut diagnostic =
                    Diagnostic::error(span, format!("`->` needs a pointer, found {described}"));
                if matches!(shape(&self.tree.ast, base_type.id), Shape::Record(_)) {
                    diagnostic = diagnostic.help("use `.` to reach a member of a structure itself");
                }
                self.tree.diagnostics.push(diagnostic);
                return self.tree.error_expr(span);
            }
            (false, _) => base_type,
        };
        let Shape::Record(record) = shape(&self.tree.ast, target.id) else {
            return self.no_record(base_type, target, name, arrow, span);
        };
        if self.tree.ast.records[record].fields.is_none() {
            let described = self.tree.describe(target);
            let diagnostic =
                Diagnostic::error(span, format!("invalid use of the incomplete type {described}"))
                    .also(self.tree.ast.records[record].span, "declared here, but never defined");
            self.tree.diagnostics.push(diagnostic);
            return self.tree.error_expr(span);
        }
        self.member_path(base, target, record, (name, name_span), arrow, span)
    }

    fn no_record(
        &mut self,
        base: QualType,
        target: QualType,
        name: Symbol,
        arrow: bool,
        span: Span,
    ) -> ExprId {
        let described = self.tree.describe(if arrow { target } else { base });
        let name = self.tree.ast.text(name);
        let mut diagnostic = Diagnostic::error(
            span,
            format!("member `{name}` of {described}, which is no structure or union"),
        );
        if let (false, Shape::Pointer(target)) = (arrow, shape(&self.tree.ast, base.id))
            && matches!(shape(&self.tree.ast, target.id), Shape::Record(_))
        {
            diagnostic = diagnostic.help("use `->` to reach a member through a pointer");
        }
        self.tree.diagnostics.push(diagnostic);
        self.tree.error_expr(span)
    }

    fn member_path(
        &mut self,
        base: ExprId,
        target: QualType,
        record: RecordId,
        (name, name_span): (Symbol, Span),
        arrow: bool,
        span: Span,
    ) -> ExprId {
        // Most members are found right here; the others lie in anonymous members.
        let fields = self.tree.ast.records[record].fields.as_deref().unwrap_or_default();
        if let Some(place) = fields.iter().position(|field| field.name == Some(name)) {
            return self.member_step(base, target, (record, span_of_name(place)), arrow, span);
        }
        let Some(path) = layout::find_field(&self.tree.ast, record, name) else {
            return self.no_member(target, record, name, name_span, span);
        };
        let (mut expr, mut target, mut arrow) = (base, target, arrow);
        for step in path {
            expr = self.member_step(expr, target, step, arrow, span);
            target = self.tree.type_of(expr);
            arrow = false;
        }
        expr
    }

    fn member_step(
        &mut self,
        base: ExprId,
        target: QualType,
        (record, field): (RecordId, u32),
        arrow: bool,
        span: Span,
    ) -> ExprId {
        let fields = self.tree.ast.records[record].fields.as_deref().unwrap_or_default();
        let Some(entry) = fields.get(field as usize) else { return self.tree.error_expr(span) };
        let inherited =
            self.tree.ast.types.qualifiers(target).without(Qualifiers::ATOMIC).without(Qualifiers::RESTRICT);
        let lvalue = arrow || self.tree.ast.exprs[base].lvalue;
        let mut ty = entry.ty.with(inherited);
        if !lvalue {
            // A value has no qualifiers.
            ty = QualType::plain(self.tree.ast.types.unqualified(ty));
        }
        self.tree.expr(ExprKind::Member { base, record, field, arrow }, ty, lvalue, span)
    }

    fn no_member(
        &mut self,
        target: QualType,
        record: RecordId,
        name: Symbol,
        name_span: Span,
        span: Span,
    ) -> ExprId {
        let described = self.tree.describe(QualType::plain(self.tree.ast.types.unqualified(target)));
        let text = self.tree.ast.text(name);
        let mut diagnostic = Diagnostic::error(name_span, format!("no member named `{text}` in {described}"));
        let fields = self.tree.ast.records[record].fields.as_deref().unwrap_or_default();
        let names = fields.iter().filter_map(|field| field.name).map(|name| self.tree.ast.text(name));
        if let Some(similar) = nearest(text, names) {
            diagnostic = diagnostic.help(format!("a member with a similar name exists: `{similar}`"));
        }
        let place = self.tree.ast.records[record].span;
        if place != Span::NONE {
            diagnostic = diagnostic.also(place, "defined here");
        }
        self.tree.diagnostics.push(diagnostic);
        self.tree.error_expr(span)
    }

    /// `base[index]`, with pointer and integer either way round.
    pub fn index(&mut self, base: ExprId, index: ExprId, span: Span) -> ExprId {
        if let Shape::Vector(element, _) = self.tree.shape_of(base) {
            return self.vector_index(base, index, element.into(), span);
        }
        // A `register` array may be subscripted, though its address may not be taken.
        let (base, index) = (self.tree.rvalue_as(base, true), self.tree.rvalue_as(index, true));
        let (base_shape, index_shape) = (self.tree.shape_of(base), self.tree.shape_of(index));
        let (target, subscript) = match (base_shape, index_shape) {
            (Shape::Error, _) | (_, Shape::Error) => return self.tree.error_expr(span),
            (Shape::Pointer(target), _) => (target, index),
            (_, Shape::Pointer(target)) => (target, base),
            _ => {
                let described = self.tree.describe(self.tree.type_of(base));
                self.tree.error(
                    span,
                    format!("{described} is subscripted, which is neither array, pointer nor vector"),
                );
                return self.tree.error_expr(span);
            }
        };
        if !self.tree.shape_of(subscript).is_integer() {
            let described = self.tree.describe(self.tree.type_of(subscript));
            self.tree.error(
                self.tree.span(subscript),
                format!("array subscript has type {described}, not an integer type"),
            );
            return self.tree.error_expr(span);
        }
        match shape(&self.tree.ast, target.id) {
            Shape::Function => {
                self.tree.error(span, "a pointer to a function is subscripted");
                return self.tree.error_expr(span);
            }
            Shape::Void => self.tree.warning(span, "a `void *` pointer is dereferenced"),
            _ if !self.tree.operators().steps_over(target, span) => return self.tree.error_expr(span),
            _ => {}
        }
        let (base, index) = if subscript == index {
            (base, self.tree.operators().difference(index))
        } else {
            (self.tree.operators().difference(base), index)
        };
        self.tree.expr(ExprKind::Index { base, index }, target, true, span)
    }

    fn vector_index(&mut self, base: ExprId, index: ExprId, element: QualType, span: Span) -> ExprId {
        let index = self.tree.rvalue(index);
        if self.tree.is_erroneous(index) {
            return self.tree.error_expr(span);
        }
        if !self.tree.shape_of(index).is_integer() {
            let described = self.tree.describe(self.tree.type_of(index));
            self.tree.error(
                self.tree.span(index),
                format!("vector subscript has type {described}, not an integer type"),
            );
            return self.tree.error_expr(span);
        }
        let lvalue = self.tree.ast.exprs[base].lvalue;
        let qualifiers = self.tree.ast.types.qualifiers(self.tree.type_of(base));
        let index = self.tree.operators().difference(index);
        let ty = if lvalue { element.with(qualifiers) } else { element };
        self.tree.expr(ExprKind::Index { base, index }, ty, lvalue, span)
    }
}

/// The index of a field as the tree keeps it.
fn span_of_name(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
