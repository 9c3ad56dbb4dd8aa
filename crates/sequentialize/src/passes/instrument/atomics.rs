//! Atomic built-ins of gcc in a sequential program: nobody comes in between, so they are plain reads and writes.
//!
//! Not every tool knows them. A statement with one of them becomes a block: what the built-in does, and then what the statement does
//! with its result. What is not on integers and pointers stays as it is; so does what does not stand in a simple statement.
//! Of what stays, minima and maxima are refused, and `__sync_swap`: they are clang's, and gcc and others do not know them.

use raddle_base::Span;
use raddle_cfront::ast::{BinaryOp, ExprId, ExprKind, FunctionId, StmtId, StmtKind, UnaryOp};
use raddle_cfront::check::builtin::{AtomicOp, Builtin};
use raddle_cfront::types::{IntKind, QualType, Type, TypeId, Types};

use crate::copy::copy_expr;
use crate::pass::Refusal;
use crate::program::Program;
use crate::visit::{exprs_in, stmts_in};

/// Makes atomic built-ins plain, everywhere.
pub(super) fn make_plain(program: &mut Program) {
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        for stmt in stmts_in(program.ast(), body) {
            if let Some(kind) = statement(program, function, stmt) {
                program.ast_mut().stmts[stmt].kind = kind;
            }
        }
    }
}

/// Of the built-ins that stay, those that C compilers do not agree on are refused.
pub(super) fn refuse_unknown(program: &Program) -> Result<(), Refusal> {
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        for expr in exprs_in(program.ast(), body) {
            let expr = &program.ast().exprs[expr];
            let ExprKind::Builtin { builtin, .. } = expr.kind else { continue };
            let unknown = match builtin {
                Builtin::SyncSwap => true,
                Builtin::AtomicFetch(op)
                | Builtin::AtomicOpFetch(op)
                | Builtin::SyncFetch(op)
                | Builtin::SyncOpFetch(op) => matches!(
                    op,
                    AtomicOp::Min | AtomicOp::Max | AtomicOp::UnsignedMin | AtomicOp::UnsignedMax
                ),
                _ => false,
            };
            if unknown {
                let name = builtin.name(&program.ast().names);
                let message = format!("`{name}` is called, which not every C compiler knows");
                return Err(Refusal::new(expr.span, message));
            }
        }
    }
    Ok(())
}

/// What a statement with one atomic built-in becomes.
fn statement(program: &mut Program, function: FunctionId, stmt: StmtId) -> Option<StmtKind> {
    let StmtKind::Expr(whole) = program.ast().stmts[stmt].kind else { return None };
    let is_builtin = |expr: &ExprId| matches!(program.ast().exprs[*expr].kind, ExprKind::Builtin { .. });
    let mut found = exprs_in(program.ast(), stmt).into_iter().filter(is_builtin);
    let (Some(expr), None) = (found.next(), found.next()) else { return None };
    let ExprKind::Builtin { builtin, arguments } = program.ast().exprs[expr].kind.clone() else {
        return None;
    };
    let result = program.ast().exprs[expr].ty;
    let span = program.ast().exprs[expr].span;
    if matches!(builtin, Builtin::AtomicThreadFence | Builtin::AtomicSignalFence | Builtin::SyncSynchronize) {
        return (program.bare(whole) == expr).then_some(StmtKind::Empty);
    }
    let mut plain =
        Plain { program, function, like: stmt, span, arguments: arguments.to_vec(), out: Vec::new() };
    let value = plain.builtin(builtin, result)?;
    let mut list = plain.out;
    if program.bare(whole) != expr {
        let value = value?;
        let value = program.tree.rvalue(value);
        program.ast_mut().exprs[expr] = program.ast().exprs[value].clone();
        let rest = program.stmt(StmtKind::Expr(whole), stmt);
        list.push(rest);
    }
    Some(StmtKind::Block(list))
}

struct Plain<'p> {
    program: &'p mut Program,
    function: FunctionId,
    like: StmtId,
    span: Span,
    arguments: Vec<ExprId>,
    out: Vec<StmtId>,
}

impl Plain<'_> {
    /// The statements that do what a built-in does, and an expression for its result, if it has one. Nothing if it is to stay.
    fn builtin(&mut self, builtin: Builtin, result: QualType) -> Option<Option<ExprId>> {
        if let Builtin::AtomicTestAndSet | Builtin::AtomicClear = builtin {
            return self.flag(builtin, result);
        }
        let object = self.object()?;
        Some(match builtin {
            Builtin::AtomicLoadN => Some(self.remember(result.id, 0)),
            Builtin::AtomicLoad => {
                self.copy(1, 0);
                None
            }
            Builtin::AtomicStoreN => {
                let value = self.value(1, object)?;
                self.store(value);
                None
            }
            Builtin::AtomicStore => {
                self.copy(0, 1);
                None
            }
            Builtin::SyncLockRelease => {
                let zero = self.program.int(0, self.span);
                self.store(zero);
                None
            }
            Builtin::AtomicExchangeN | Builtin::SyncLockTestAndSet | Builtin::SyncSwap => {
                let old = self.remember(result.id, 0);
                let value = self.value(1, object)?;
                self.store(value);
                Some(old)
            }
            Builtin::AtomicExchange => {
                let old = self.remember(object, 0);
                self.copy(0, 1);
                let target = self.behind(2);
                self.assign(target, old);
                None
            }
            Builtin::AtomicFetch(op) | Builtin::SyncFetch(op) => {
                let old = self.remember(result.id, 0);
                self.update(op, old, object)?;
                Some(old)
            }
            Builtin::AtomicOpFetch(op) | Builtin::SyncOpFetch(op) => {
                let old = self.remember(object, 0);
                self.update(op, old, object)?;
                Some(self.remember(result.id, 0))
            }
            Builtin::AtomicCompareExchangeN | Builtin::AtomicCompareExchange => {
                let by_pointer = builtin == Builtin::AtomicCompareExchange;
                let expected = self.behind(1);
                let same = self.same(result.id, expected);
                let desired = if by_pointer { self.behind(2) } else { self.value(2, object)? };
                let target = self.behind(0);
                let then = self.program.assign_stmt(target, desired, self.like);
                let (expected, found) = (self.behind(1), self.behind(0));
                let otherwise = self.program.assign_stmt(expected, found, self.like);
                self.choose(same, then, Some(otherwise));
                Some(same)
            }
            Builtin::SyncBoolCompareAndSwap => {
                let expected = self.value(1, object)?;
                let same = self.same(result.id, expected);
                self.swap(same, object)?;
                Some(same)
            }
            Builtin::SyncValCompareAndSwap => {
                let old = self.remember(result.id, 0);
                let expected = self.value(1, object)?;
                let same = self.same(Types::int(), expected);
                self.swap(same, object)?;
                Some(old)
            }
            _ => return None,
        })
    }

    /// `__atomic_test_and_set` and `__atomic_clear`, which are about a byte.
    fn flag(&mut self, builtin: Builtin, result: QualType) -> Option<Option<ExprId>> {
        let byte = Types::unsigned_char();
        let pointer = self.program.ast_mut().types.pointer_to(QualType::plain(byte));
        let written = self.program.bare(*self.arguments.first()?);
        self.arguments[0] = self.program.tree.explicit_cast(written, pointer.into(), self.span);
        if builtin == Builtin::AtomicClear {
            let zero = self.program.int(0, self.span);
            self.store(zero);
            return Some(None);
        }
        let old = self.remember(result.id, 0);
        let one = self.program.int(1, self.span);
        self.store(one);
        Some(Some(old))
    }

    /// The type of the object that the first argument leads to, if it is an integer or a pointer.
    fn object(&mut self) -> Option<TypeId> {
        let types = &self.program.ast().types;
        let pointer = self.program.ast().exprs[*self.arguments.first()?].ty;
        let object = types.pointee(pointer.id)?;
        let object = types.unqualified(object);
        matches!(types.kind(object), Type::Int(_) | Type::Pointer(_) | Type::Enum(_)).then_some(object)
    }

    /// What an argument leads to.
    fn behind(&mut self, argument: usize) -> ExprId {
        let pointer = self.program.bare(self.arguments[argument]);
        let pointer = copy_expr(self.program, pointer);
        self.program.tree.operators().unary(UnaryOp::Deref, pointer, self.span)
    }

    /// An argument as a value of the object's type.
    fn value(&mut self, argument: usize, object: TypeId) -> Option<ExprId> {
        let value = self.program.bare(*self.arguments.get(argument)?);
        let value = copy_expr(self.program, value);
        let ast = self.program.ast();
        if ast.types.same(ast.exprs[value].ty.id, object) || self.program.constant(value).is_some() {
            return Some(value);
        }
        Some(self.program.tree.explicit_cast(value, object.into(), self.span))
    }

    fn assign(&mut self, target: ExprId, value: ExprId) {
        let stmt = self.program.assign_stmt(target, value, self.like);
        self.out.push(stmt);
    }

    fn store(&mut self, value: ExprId) {
        let target = self.behind(0);
        self.assign(target, value);
    }

    /// `*target = *source;`
    fn copy(&mut self, target: usize, source: usize) {
        let (target, source) = (self.behind(target), self.behind(source));
        self.assign(target, source);
    }

    /// A new variable that holds what an argument leads to.
    fn remember(&mut self, ty: TypeId, argument: usize) -> ExprId {
        let value = self.behind(argument);
        self.keep("old", ty, value)
    }

    fn keep(&mut self, name: &str, ty: TypeId, value: ExprId) -> ExprId {
        let (var, declaration) = self.program.local(self.function, name, ty, self.span, self.like);
        self.out.push(declaration);
        let place = self.program.var(var, self.span);
        self.assign(place, value);
        self.program.var(var, self.span)
    }

    /// A new variable that says whether the object holds a value.
    fn same(&mut self, ty: TypeId, expected: ExprId) -> ExprId {
        let object = self.behind(0);
        let equal = self.program.tree.operators().binary(BinaryOp::Equal, object, expected, self.span);
        self.keep("same", ty, equal)
    }

    fn choose(&mut self, condition: ExprId, then: StmtId, otherwise: Option<StmtId>) {
        let condition = copy_expr(self.program, condition);
        let condition = self.program.tree.rvalue(condition);
        let stmt = self.program.if_stmt(condition, then, otherwise, self.like);
        self.out.push(stmt);
    }

    /// `if (same) *pointer = third argument;`
    fn swap(&mut self, same: ExprId, object: TypeId) -> Option<()> {
        let new = self.value(2, object)?;
        let target = self.behind(0);
        let then = self.program.assign_stmt(target, new, self.like);
        self.choose(same, then, None);
        Some(())
    }

    /// `*pointer = old op second argument;`. Nothing on pointers and truth values, where it means something else.
    fn update(&mut self, op: AtomicOp, old: ExprId, object: TypeId) -> Option<()> {
        match self.program.ast().types.kind(object) {
            Type::Int(kind) if *kind != IntKind::Bool => {}
            _ => return None,
        }
        let operator = match op {
            AtomicOp::Add => BinaryOp::Add,
            AtomicOp::Sub => BinaryOp::Sub,
            AtomicOp::And | AtomicOp::Nand => BinaryOp::BitAnd,
            AtomicOp::Or => BinaryOp::BitOr,
            AtomicOp::Xor => BinaryOp::BitXor,
            AtomicOp::Min | AtomicOp::Max | AtomicOp::UnsignedMin | AtomicOp::UnsignedMax => return None,
        };
        let old = copy_expr(self.program, old);
        let value = self.value(1, object)?;
        let mut new = self.program.tree.operators().binary(operator, old, value, self.span);
        if op == AtomicOp::Nand {
            new = self.program.tree.operators().unary(UnaryOp::BitNot, new, self.span);
        }
        self.store(new);
        Some(())
    }
}
