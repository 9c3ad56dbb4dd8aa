//! The type checker: builds typed nodes, or reports why it cannot.
//!
//! The parser asks [`Checker`] for whoever checks the construct that it has recognised, and calls a method of that; the
//! method checks the construct, makes implicit conversions explicit and adds the node to the tree. After an error it returns
//! an error node, which agrees with everything.
//!
//! | who | what it checks | what it knows |
//! |---|---|---|
//! | [`TreeBuilder`] | conversions, conditions, constants; adds nodes, reports | the tree and the messages |
//! | [`expression::Primaries`], [`expression::Operators`] | expressions | the same |
//! | [`derive::DerivedTypes`], [`library::LibraryTypes`] | types made from types, types of the library | the same |
//! | [`initializer::Initializers`] | initialisers | and whether values must be constant |
//! | [`builtin::Builtins`] | calls of built-ins | and the function around |
//! | [`expression::Identifiers`] | names in expressions | and the names in scope |
//! | [`record::Records`], [`declaration::Declarations`] | structures, enumerations; variables, functions | the same |
//! | [`statement::Statements`] | labels, switches, jumps | and those of the function around |

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
pub mod tree;

use raddle_base::Span;

use crate::ast::{Ast, ExprId, FunctionId, Typedef};
use crate::layout::DataModel;
use crate::names::Symbol;
use crate::types::{TypeId, Types};
use builtin::KnownBuiltin;
use scope::Name;

pub use builtin::Builtins;
pub use declaration::Declarations;
pub use derive::DerivedTypes;
pub use expression::{Identifiers, Operators, Primaries};
pub use initializer::Initializers;
pub use library::LibraryTypes;
pub use record::Records;
pub use statement::Statements;
pub use tree::TreeBuilder;

/// The state of checking one program: the tree built so far, the names in scope, the messages.
///
/// It only hands out what checks: each of them borrows just what its checks need to know.
#[derive(Debug)]
pub struct Checker {
    /// The tree, and what was found wrong.
    pub tree: TreeBuilder,
    /// The names in scope.
    pub scopes: scope::Scopes,
    /// The function whose body is being read.
    pub function: Option<FunctionId>,
    /// Labels, switches and loops of that function and those around it.
    jumps: statement::BodyJumps,
    /// Names without a declaration that were met.
    known: expression::KnownNames,
}

impl Checker {
    /// A checker for a program of the given data model.
    #[must_use]
    pub fn new(model: DataModel) -> Self {
        Self::over(TreeBuilder::over(Ast::new(model)))
    }

    /// A checker that adds to a tree.
    #[must_use]
    pub fn over(tree: TreeBuilder) -> Self {
        Self {
            tree,
            scopes: scope::Scopes::default(),
            function: None,
            jumps: statement::BodyJumps::default(),
            known: expression::KnownNames::default(),
        }
    }

    /// Checks `struct`, `union` and `enum`.
    pub fn records(&mut self) -> Records<'_> {
        Records::new(&mut self.tree, &mut self.scopes)
    }

    /// Checks declarations of variables, functions and typedef names.
    pub fn declarations(&mut self) -> Declarations<'_> {
        Declarations::new(&mut self.tree, &mut self.scopes, self.function)
    }

    /// Checks statements.
    pub fn statements(&mut self) -> Statements<'_> {
        Statements::new(&mut self.tree, &mut self.jumps, self.function)
    }

    /// Checks names in expressions.
    pub fn identifiers(&mut self) -> Identifiers<'_> {
        Identifiers::new(&mut self.tree, &mut self.scopes, &mut self.known, self.function)
    }

    /// Checks calls of built-ins.
    pub fn builtins(&mut self) -> Builtins<'_> {
        Builtins::new(&mut self.tree, self.function)
    }

    /// Starts the body of a function, perhaps inside another.
    pub(crate) fn enter_body(&mut self) {
        self.statements().enter_body();
        if !self.jumps.is_nested() {
            self.known.forget_undeclared();
        }
    }

    /// Begins a translation unit: no names but the types that gcc knows without any declaration.
    pub fn begin_unit(&mut self) {
        self.scopes.clear();
        // gcc has these without any header.
        let known: &[(&str, TypeId)] = match self.tree.ast.model {
            DataModel::Lp64 => &[
                ("__int128_t", Types::int128()),
                ("__uint128_t", Types::unsigned_int128()),
                ("__builtin_sysv_va_list", Types::va_list()),
                ("__builtin_ms_va_list", Types::char_pointer()),
            ],
            DataModel::Ilp32 => &[],
        };
        for &(name, ty) in known {
            let name = self.tree.ast.names.intern(name);
            let ty = ty.into();
            let id = self.tree.ast.typedefs.push(Typedef { name, ty, align: None, span: Span::NONE });
            self.tree.ast.types.typedef(id, ty);
            self.scopes.declare(name, Name::Typedef(id));
        }
    }

    /// The call of a built-in; `name_span` is its name's position, `span` that of the whole call.
    pub fn builtin_call(
        &mut self,
        (name, name_span): (Symbol, Span),
        known: KnownBuiltin,
        arguments: Vec<ExprId>,
        span: Span,
    ) -> ExprId {
        match known {
            KnownBuiltin::Ordinary(_) | KnownBuiltin::Library => {
                let callee = self.identifiers().builtin_callee(name, known, name_span);
                self.tree.primaries().call(callee, arguments, span)
            }
            KnownBuiltin::Generic(builtin) => self.builtins().generic_call(builtin, arguments, span),
            KnownBuiltin::Sized(builtin, bytes) => {
                self.builtins().sized_call(builtin, bytes, arguments, span)
            }
            KnownBuiltin::Clang(builtin, form) => self.builtins().clang_call(builtin, form, arguments, span),
            KnownBuiltin::Question(question) => self.builtins().question(question, arguments, span),
        }
    }
}
