//! Questions about types, compound literals and variable arguments.

use raddle_base::{Diagnostic, Span};

use crate::ast::{Ast, ExprId, ExprKind, Init, OffsetStep, StmtId, StmtKind, TypeQuery};
use crate::check::Primaries;
use crate::check::compatible::compatible_unqualified;
use crate::check::conversion::arithmetic::{bit_field_width, int_type};
use crate::check::shape::{Shape, shape};
use crate::layout;
use crate::names::Symbol;
use crate::types::{QualType, TypeId, Types};

const fn query_text(query: TypeQuery) -> &'static str {
    match query {
        TypeQuery::Size => "sizeof",
        TypeQuery::Align => "_Alignof",
        TypeQuery::PreferredAlign => "__alignof__",
    }
}

fn size_type(ast: &Ast) -> TypeId {
    int_type(ast.model.size_type())
}

impl Primaries<'_> {
    /// `sizeof(ty)`, `_Alignof(ty)`, `__alignof__(ty)`
    pub fn type_query(&mut self, query: TypeQuery, ty: QualType, span: Span) -> ExprId {
        if !self.has_size(query, ty, span) {
            return self.tree.error_expr(span);
        }
        let size = size_type(&self.tree.ast);
        self.tree.expr(ExprKind::TypeQuery(query, ty), size, false, span)
    }

    /// `sizeof operand`, `__alignof__ operand`
    pub fn expr_query(&mut self, query: TypeQuery, operand: ExprId, span: Span) -> ExprId {
        if matches!(self.tree.ast.exprs[operand].kind, ExprKind::Member { .. })
            && bit_field_width(&self.tree.ast, operand).is_some()
        {
            self.tree.error(span, format!("`{}` of a bit-field", query_text(query)));
            return self.tree.error_expr(span);
        }
        if !self.has_size(query, self.tree.type_of(operand), span) {
            return self.tree.error_expr(span);
        }
        let size = size_type(&self.tree.ast);
        self.tree.expr(ExprKind::ExprQuery(query, operand), size, false, span)
    }

    fn has_size(&mut self, query: TypeQuery, ty: QualType, span: Span) -> bool {
        match shape(&self.tree.ast, ty.id) {
            Shape::Error => false,
            // GNU C gives these the size one.
            Shape::Void | Shape::Function => true,
            // The alignment of an array is known without its length.
            Shape::Array(element, _) if query != TypeQuery::Size => self.has_size(query, element, span),
            _ if layout::is_complete(&self.tree.ast, ty) => true,
            found => {
                let described = self.tree.describe(ty);
                let mut diagnostic = Diagnostic::error(
                    span,
                    format!("`{}` of the incomplete type {described}", query_text(query)),
                );
                if let Shape::Record(record) = found
                    && self.tree.ast.records[record].span != Span::NONE
                {
                    diagnostic = diagnostic
                        .also(self.tree.ast.records[record].span, "declared here, but never defined");
                }
                self.tree.diagnostics.push(diagnostic);
                false
            }
        }
    }

    /// The first step of an `offsetof` path, and each `.name` after it: appends the steps to the member and gives its type.
    pub fn offset_member(
        &mut self,
        ty: QualType,
        name: Symbol,
        span: Span,
        path: &mut Vec<OffsetStep>,
    ) -> Option<QualType> {
        let record = match shape(&self.tree.ast, ty.id) {
            Shape::Error => return None,
            Shape::Record(record) if self.tree.ast.records[record].fields.is_some() => record,
            found => {
                let described = self.tree.describe(ty);
                let what =
                    if matches!(found, Shape::Record(_)) { "incomplete" } else { "no structure or union" };
                self.tree.error(span, format!("`offsetof` into {described}, which is {what}"));
                return None;
            }
        };
        let Some(steps) = layout::find_field(&self.tree.ast, record, name) else {
            let (described, text) = (self.tree.describe(ty), self.tree.ast.text(name).to_owned());
            self.tree.error(span, format!("no member named `{text}` in {described}"));
            return None;
        };
        let mut result = None;
        for (record, field) in steps {
            let entry = self.tree.ast.records[record]
                .fields
                .as_deref()
                .and_then(|fields| fields.get(field as usize))?;
            if entry.width.is_some() {
                self.tree.error(span, "`offsetof` of a bit-field");
                return None;
            }
            result = Some(entry.ty);
            path.push(OffsetStep::Field(record, field));
        }
        result
    }

    /// `[index]` in an `offsetof` path.
    pub fn offset_index(
        &mut self,
        ty: QualType,
        index: ExprId,
        path: &mut Vec<OffsetStep>,
    ) -> Option<QualType> {
        let index = self.tree.rvalue(index);
        match (shape(&self.tree.ast, ty.id), self.tree.shape_of(index)) {
            (Shape::Error, _) | (_, Shape::Error) => None,
            (Shape::Array(element, _), found) if found.is_integer() => {
                let index = self.tree.operators().difference(index);
                path.push(OffsetStep::Index(index));
                Some(element)
            }
            (Shape::Array(..), _) => {
                self.tree.error(self.tree.span(index), "array subscript is no integer");
                None
            }
            _ => {
                let described = self.tree.describe(ty);
                self.tree
                    .error(self.tree.span(index), format!("{described} is subscripted, which is no array"));
                None
            }
        }
    }

    /// `__builtin_offsetof(ty, path)`
    pub fn offset_of(&mut self, ty: QualType, path: Vec<OffsetStep>, span: Span) -> ExprId {
        let size = size_type(&self.tree.ast);
        self.tree.expr(ExprKind::Offsetof { ty, path: path.into() }, size, false, span)
    }

    /// `__builtin_types_compatible_p(left, right)`: top qualifiers do not matter.
    pub fn types_compatible(&mut self, left: QualType, right: QualType, span: Span) -> ExprId {
        let plain = |this: &Self, ty| QualType::plain(this.tree.ast.types.unqualified(ty));
        let (left, right) = (plain(self, left), plain(self, right));
        let answer = compatible_unqualified(&self.tree.ast, left, right);
        self.tree.answer(i128::from(answer), span)
    }

    /// `__builtin_va_arg(list, ty)`
    pub fn va_arg(&mut self, list: ExprId, ty: QualType, span: Span) -> ExprId {
        if self.tree.is_erroneous(list) || !self.is_va_list(list, "__builtin_va_arg") {
            return self.tree.error_expr(span);
        }
        match shape(&self.tree.ast, ty.id) {
            Shape::Error => return self.tree.error_expr(span),
            _ if layout::is_complete(&self.tree.ast, ty) => {}
            _ => {
                let described = self.tree.describe(ty);
                self.tree.error(span, format!("argument of the incomplete type {described}"));
                return self.tree.error_expr(span);
            }
        }
        let unqualified = self.tree.ast.types.unqualified(ty);
        self.tree.expr(ExprKind::VaArg(list), unqualified, false, span)
    }

    /// Whether the expression is a `va_list`; reports otherwise.
    pub(crate) fn is_va_list(&mut self, list: ExprId, what: &str) -> bool {
        if matches!(self.tree.shape_of(list), Shape::VaList | Shape::Error) {
            return true;
        }
        let described = self.tree.describe(self.tree.type_of(list));
        self.tree.error(self.tree.span(list), format!("`{what}` needs a `va_list`, found {described}"));
        false
    }

    /// `(ty){ … }`, with its initialiser already normalised and the type completed by it.
    pub fn compound_literal(&mut self, ty: QualType, init: Init, static_storage: bool, span: Span) -> ExprId {
        self.tree.expr(ExprKind::CompoundLiteral { init, static_storage }, ty, true, span)
    }

    /// Whether an object of this type can be made by a compound literal; reports otherwise.
    pub fn literal_type(&mut self, ty: QualType, span: Span) -> bool {
        match shape(&self.tree.ast, ty.id) {
            Shape::Error => false,
            Shape::Function => {
                self.tree.error(span, "a compound literal cannot have a function type");
                false
            }
            _ if crate::check::shape::is_variable_length(&self.tree.ast, ty.id) => {
                self.tree.error(span, "a compound literal cannot have a variable length");
                false
            }
            Shape::Array(element, _) if layout::is_complete(&self.tree.ast, element) => true,
            _ if layout::is_complete(&self.tree.ast, ty) => true,
            _ => {
                let described = self.tree.describe(ty);
                self.tree
                    .error(span, format!("a compound literal cannot have the incomplete type {described}"));
                false
            }
        }
    }

    /// `({ … })`
    pub fn statement_expression(&mut self, block: StmtId, span: Span) -> ExprId {
        let mut last = match &self.tree.ast.stmts[block].kind {
            StmtKind::Block(statements) => statements.last().copied(),
            _ => None,
        };
        let ty = loop {
            match last.map(|last| &self.tree.ast.stmts[last].kind) {
                Some(
                    StmtKind::Label(_, inner) | StmtKind::Default(inner) | StmtKind::Case { body: inner, .. },
                ) => {
                    last = Some(*inner);
                }
                Some(StmtKind::Expr(expr)) => break self.tree.type_of(*expr),
                _ => break QualType::plain(Types::void()),
            }
        };
        self.tree.expr(ExprKind::Statement(block), ty, false, span)
    }
}
