//! The code of a function while it is made: instructions and blocks, and what their operands are.
//!
//! Nothing here walks the tree or knows scopes. Topics with methods of their own are views: each borrows the code and adds
//! instructions to it.

use raddle_cfront::ast::Ast;

use crate::arithmetic::UndefinedChecks;
use crate::assign::Objects;
use crate::atomic::Atomics;
use crate::callees::Callees;
use crate::function::Builder;
use crate::lowering::Lowering;

/// The code of one function, and the program that it becomes part of.
pub(crate) struct Code<'l, 'a> {
    pub(crate) program: &'l mut Lowering<'a>,
    pub(crate) ast: &'a Ast,
    pub(crate) b: Builder,
}

impl<'l, 'a> Code<'l, 'a> {
    pub(crate) fn new(program: &'l mut Lowering<'a>, b: Builder) -> Self {
        Self { ast: program.ast, program, b }
    }

    /// Checks that arithmetic is defined.
    pub(crate) fn checks(&mut self) -> UndefinedChecks<'_, 'l, 'a> {
        UndefinedChecks { code: self }
    }

    /// Makes, fills and copies objects.
    pub(crate) fn objects(&mut self) -> Objects<'_, 'l, 'a> {
        Objects { code: self }
    }

    /// Accesses objects atomically.
    pub(crate) fn atomics(&mut self) -> Atomics<'_, 'l, 'a> {
        Atomics { code: self }
    }

    /// Finds out what is called, and makes arguments fit.
    pub(crate) fn callees(&mut self) -> Callees<'_, 'l, 'a> {
        Callees { code: self }
    }
}
