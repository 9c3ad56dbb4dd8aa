//! Members and subscripts.

use raddle_base::{Diagnostic, Span};

use super::name::nearest;
use crate::ast::{ExprId, ExprKind, RecordId};
use crate::check::Checker;
use crate::check::shape::{Shape, shape};
use crate::layout;
use crate::names::Symbol;
use crate::types::{QualType, Qualifiers};

impl Checker {
    /// `base.name`, or `base->name` when `arrow`.
    pub fn member(&mut self, base: ExprId, name: Symbol, name_span: Span, arrow: bool) -> ExprId {
        let span = self.span(base).to(name_span);
        let base = if arrow { self.rvalue(base) } else { base };
        let base_type = self.type_of(base);
        let target = match (arrow, shape(&self.ast, base_type.id)) {
            (_, Shape::Error) => return self.error_expr(span),
            (true, Shape::Pointer(target)) => target,
            (true, _) => {
                let described = self.describe(base_type);
                let mut diagnostic =
                    Diagnostic::error(span, format!("`->` needs a pointer, found {described}"));
                if matches!(shape(&self.ast, base_type.id), Shape::Record(_)) {
                    diagnostic = diagnostic.help("use `.` to reach a member of a structure itself");
                }
                self.diagnostics.push(diagnostic);
                return self.error_expr(span);
            }
            (false, _) => base_type,
        };
        let Shape::Record(record) = shape(&self.ast, target.id) else {
            return self.no_record(base_type, target, name, arrow, span);
        };
        if self.ast.records[record].fields.is_none() {
            let described = self.describe(target);
            let diagnostic =
                Diagnostic::error(span, format!("invalid use of the incomplete type {described}"))
                    .also(self.ast.records[record].span, "declared here, but never defined");
            self.diagnostics.push(diagnostic);
            return self.error_expr(span);
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
        let described = self.describe(if arrow { target } else { base });
        let name = self.ast.text(name);
        let mut diagnostic = Diagnostic::error(
            span,
            format!("member `{name}` of {described}, which is no structure or union"),
        );
        if let (false, Shape::Pointer(target)) = (arrow, shape(&self.ast, base.id))
            && matches!(shape(&self.ast, target.id), Shape::Record(_))
        {
            diagnostic = diagnostic.help("use `->` to reach a member through a pointer");
        }
        self.diagnostics.push(diagnostic);
        self.error_expr(span)
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
        let fields = self.ast.records[record].fields.as_deref().unwrap_or_default();
        if let Some(place) = fields.iter().position(|field| field.name == Some(name)) {
            return self.member_step(base, target, (record, place_of(place)), arrow, span);
        }
        let Some(path) = layout::find_field(&self.ast, record, name) else {
            return self.no_member(target, record, name, name_span, span);
        };
        let (mut expr, mut target, mut arrow) = (base, target, arrow);
        for step in path {
            expr = self.member_step(expr, target, step, arrow, span);
            target = self.type_of(expr);
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
        let fields = self.ast.records[record].fields.as_deref().unwrap_or_default();
        let Some(entry) = fields.get(field as usize) else { return self.error_expr(span) };
        let inherited =
            self.ast.types.qualifiers(target).without(Qualifiers::ATOMIC).without(Qualifiers::RESTRICT);
        let lvalue = arrow || self.ast.exprs[base].lvalue;
        let mut ty = entry.ty.with(inherited);
        if !lvalue {
            // A value has no qualifiers.
            ty = QualType::plain(self.ast.types.unqualified(ty));
        }
        self.expr(ExprKind::Member { base, record, field, arrow }, ty, lvalue, span)
    }

    fn no_member(
        &mut self,
        target: QualType,
        record: RecordId,
        name: Symbol,
        name_span: Span,
        span: Span,
    ) -> ExprId {
        let described = self.describe(QualType::plain(self.ast.types.unqualified(target)));
        let text = self.ast.text(name);
        let mut diagnostic = Diagnostic::error(name_span, format!("no member named `{text}` in {described}"));
        let fields = self.ast.records[record].fields.as_deref().unwrap_or_default();
        let names = fields.iter().filter_map(|field| field.name).map(|name| self.ast.text(name));
        if let Some(similar) = nearest(text, names) {
            diagnostic = diagnostic.help(format!("a member with a similar name exists: `{similar}`"));
        }
        let place = self.ast.records[record].span;
        if place != Span::NONE {
            diagnostic = diagnostic.also(place, "defined here");
        }
        self.diagnostics.push(diagnostic);
        self.error_expr(span)
    }

    /// `base[index]`, with pointer and integer either way round.
    pub fn index(&mut self, base: ExprId, index: ExprId, span: Span) -> ExprId {
        if let Shape::Vector(element, _) = self.shape_of(base) {
            return self.vector_index(base, index, element.into(), span);
        }
        // A `register` array may be subscripted, though its address may not be taken.
        let (base, index) = (self.rvalue_as(base, true), self.rvalue_as(index, true));
        let (base_shape, index_shape) = (self.shape_of(base), self.shape_of(index));
        let (target, subscript) = match (base_shape, index_shape) {
            (Shape::Error, _) | (_, Shape::Error) => return self.error_expr(span),
            (Shape::Pointer(target), _) => (target, index),
            (_, Shape::Pointer(target)) => (target, base),
            _ => {
                let described = self.describe(self.type_of(base));
                self.error(
                    span,
                    format!("{described} is subscripted, which is neither array, pointer nor vector"),
                );
                return self.error_expr(span);
            }
        };
        if !self.shape_of(subscript).is_integer() {
            let described = self.describe(self.type_of(subscript));
            self.error(
                self.span(subscript),
                format!("array subscript has type {described}, not an integer type"),
            );
            return self.error_expr(span);
        }
        match shape(&self.ast, target.id) {
            Shape::Function => {
                self.error(span, "a pointer to a function is subscripted");
                return self.error_expr(span);
            }
            Shape::Void => self.warning(span, "a `void *` pointer is dereferenced"),
            _ if !self.steps_over(target, span) => return self.error_expr(span),
            _ => {}
        }
        let (base, index) =
            if subscript == index { (base, self.difference(index)) } else { (self.difference(base), index) };
        self.expr(ExprKind::Index { base, index }, target, true, span)
    }

    fn vector_index(&mut self, base: ExprId, index: ExprId, element: QualType, span: Span) -> ExprId {
        let index = self.rvalue(index);
        if self.is_erroneous(index) {
            return self.error_expr(span);
        }
        if !self.shape_of(index).is_integer() {
            let described = self.describe(self.type_of(index));
            self.error(
                self.span(index),
                format!("vector subscript has type {described}, not an integer type"),
            );
            return self.error_expr(span);
        }
        let lvalue = self.ast.exprs[base].lvalue;
        let qualifiers = self.ast.types.qualifiers(self.type_of(base));
        let index = self.difference(index);
        let ty = if lvalue { element.with(qualifiers) } else { element };
        self.expr(ExprKind::Index { base, index }, ty, lvalue, span)
    }
}

/// The index of a field as the tree keeps it.
fn place_of(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}
