//! `pthread_cleanup_push` as glibc's headers expand it in C.
//!
//! The macro declares a jump buffer, the handler and its argument as local variables, in this order, and registers the
//! buffer; a thread that ends early would jump back there. We hand the handler itself to the model when the buffer is
//! registered, so that `pthread_exit` can call it. Anything that looks different is not supported, never skipped.

use raddle_base::Id;
use raddle_cfront::ast::{ExprId, ExprKind, UnaryOp, VarId};
use raddle_ir::{Constant, InstKind, Operand, Ordering, Type};

use crate::place::{Body, Val};

impl Body<'_, '_> {
    /// `__pthread_register_cancel(&buffer)`
    pub(crate) fn register_cleanup(&mut self, buffer: Option<ExprId>) -> Val {
        let parts = buffer.and_then(|buffer| {
            let ExprKind::Unary(UnaryOp::AddressOf, operand) = self.code.ast.exprs[buffer].kind else {
                return None;
            };
            let ExprKind::Var(var) = self.code.ast.exprs[operand].kind else { return None };
            let routine = self.declared_after(var, "__cancel_routine")?;
            Some((buffer, routine, self.declared_after(routine, "__cancel_arg")?))
        });
        let push = self.code.program.defined_function("__model__pthread_cleanup_push");
        let (Some((buffer, routine, argument)), Some(push)) = (parts, push) else {
            return self.code.unsupported("a cleanup handler that is not registered by pthread_cleanup_push");
        };
        let span = self.code.b.span;
        let buffer = self.scalar(buffer);
        let [routine, argument] = [routine, argument].map(|var| {
            let place = self.variable(var, Ordering::Plain);
            self.code.read(place, Type::Ptr)
        });
        self.code.b.span = span;
        let callee = Operand::Constant(Constant::Function(push));
        self.code.b.emit(InstKind::Call { dest: None, callee, arguments: vec![buffer, routine, argument] });
        Val::Void
    }

    /// The first local variable of that name that is declared after `var`, in this function.
    fn declared_after(&self, var: VarId, name: &str) -> Option<VarId> {
        let name = self.code.ast.names.find(name)?;
        let later = self.code.ast.vars.iter().skip(var.index() + 1);
        let found = later.filter(|(_, declared)| declared.name == Some(name)).map(|(id, _)| id).next()?;
        self.scopes.homes.contains_key(&found).then_some(found)
    }
}
