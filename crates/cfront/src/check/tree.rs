//! The tree under construction, and what all checks have in common: nodes, messages, conversions.
//!
//! The conversions are in [`conversion`](super::conversion), constants in [`constant`](super::constant).

use raddle_base::{Diagnostic, Diagnostics, Span};

use crate::ast::{Ast, Expr, ExprId, ExprKind, Stmt, StmtId, StmtKind};
use crate::check::derive::DerivedTypes;
use crate::check::expression::{Operators, Primaries};
use crate::check::initializer::Initializers;
use crate::check::library::LibraryTypes;
use crate::types::{QualType, Types};

/// The tree built so far, and what was found wrong with it.
#[derive(Debug)]
pub struct TreeBuilder {
    /// The tree.
    pub ast: Ast,
    /// What was found wrong.
    pub diagnostics: Diagnostics,
}

impl TreeBuilder {
    /// Adds to a tree.
    #[must_use]
    pub fn over(ast: Ast) -> Self {
        Self { ast, diagnostics: Diagnostics::new() }
    }

    /// Checks literals, members, calls, questions about types.
    pub fn primaries(&mut self) -> Primaries<'_> {
        Primaries::new(self)
    }

    /// Checks operators.
    pub fn operators(&mut self) -> Operators<'_> {
        Operators::new(self)
    }

    /// Makes types from types.
    pub fn derived_types(&mut self) -> DerivedTypes<'_> {
        DerivedTypes::new(self)
    }

    /// Makes the types of library functions and built-ins.
    pub fn library_types(&mut self) -> LibraryTypes<'_> {
        LibraryTypes::new(&mut self.ast)
    }

    /// Normalises initialisers; with `static_storage`, every value must be constant.
    pub fn initializers(&mut self, static_storage: bool) -> Initializers<'_> {
        Initializers::new(self, static_storage)
    }

    /// Adds an expression node.
    pub fn expr(&mut self, kind: ExprKind, ty: impl Into<QualType>, lvalue: bool, span: Span) -> ExprId {
        self.ast.exprs.push(Expr { kind, ty: ty.into(), lvalue, span })
    }

    /// The node of an erroneous expression.
    pub fn error_expr(&mut self, span: Span) -> ExprId {
        self.expr(ExprKind::Error, Types::error(), false, span)
    }

    /// Adds a statement node.
    pub fn stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.ast.stmts.push(Stmt { kind, span })
    }

    /// Reports an error.
    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    /// Reports a warning.
    pub fn warning(&mut self, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(span, message));
    }

    /// Where an expression stands.
    #[must_use]
    pub fn span(&self, expr: ExprId) -> Span {
        self.ast.exprs[expr].span
    }

    /// The type of an expression.
    #[must_use]
    pub fn type_of(&self, expr: ExprId) -> QualType {
        self.ast.exprs[expr].ty
    }
}
