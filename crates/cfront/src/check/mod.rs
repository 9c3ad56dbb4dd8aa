//! The type checker: builds typed nodes, or reports why it cannot.
//!
//! The parser calls a method of [`Checker`] for every construct it has recognised; the method checks it,
//! makes implicit conversions explicit and adds the node to the tree. After an error it returns an error node,
//! which agrees with everything.

use raddle_base::{Diagnostic, Diagnostics, Span};

use crate::ast::{Ast, Expr, ExprId, ExprKind, FunctionId, Stmt, StmtId, StmtKind};
use crate::layout::DataModel;
use crate::types::{QualType, Types};

pub mod attribute;
pub mod builtin;
pub mod compatible;
pub mod constant;
pub mod conversion;
pub mod declaration;
pub mod derive;
pub mod describe;
pub mod expression;
pub mod function;
pub mod header;
pub mod initializer;
pub mod library;
pub mod record;
pub mod scope;
pub mod shape;
pub mod statement;

/// The checker's state: the tree built so far, the names in scope, the messages.
#[derive(Debug)]
pub struct Checker {
    /// The tree.
    pub ast: Ast,
    /// What was found wrong.
    pub diagnostics: Diagnostics,
    /// The names in scope.
    pub scopes: scope::Scopes,
    /// The function whose body is being read.
    pub function: Option<FunctionId>,
    /// What the expression and statement checks remember about that function and the unit.
    pub body: statement::Body,
}

impl Checker {
    /// A checker for a program of the given data model.
    #[must_use]
    pub fn new(model: DataModel) -> Self {
        Self {
            ast: Ast::new(model),
            diagnostics: Diagnostics::new(),
            scopes: scope::Scopes::default(),
            function: None,
            body: statement::Body::default(),
        }
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
