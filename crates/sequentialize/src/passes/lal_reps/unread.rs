//! Which of a thread's own statements do nothing that anybody could notice.

use raddle_cfront::ast::{BinaryOp, ExprId, ExprKind, FunctionId, StmtKind, Storage, UnaryOp, VarId};
use raddle_cfront::layout::size_of;
use raddle_cfront::types::{ArrayLength, Type};
use rustc_hash::FxHashSet;

use crate::passes::labels;
use crate::program::Program;
use crate::visit::{Node, exprs_in, stmts_in, walk};

/// The variables that are used for more than being assigned to.
pub(super) fn read_variables(program: &Program) -> FxHashSet<VarId> {
    let mut found = FxHashSet::default();
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        let mut targets: FxHashSet<ExprId> = FxHashSet::default();
        for stmt in stmts_in(program.ast(), body) {
            if let StmtKind::Expr(expr) = program.ast().stmts[stmt].kind
                && let ExprKind::Assign(target, _) = program.ast().exprs[expr].kind
            {
                targets.insert(target);
            }
        }
        for expr in exprs_in(program.ast(), body) {
            if let ExprKind::Var(var) = program.ast().exprs[expr].kind
                && !targets.contains(&expr)
            {
                found.insert(var);
            }
        }
    }
    found
}

/// Drops assignments of values that nobody reads to variables of one thread.
pub(super) fn drop_unread(program: &mut Program) {
    loop {
        let read = read_variables(program);
        let mut dropped = false;
        for (_, function) in program.definitions() {
            let Some(body) = program.body(function) else { continue };
            for stmt in stmts_in(program.ast(), body) {
                let StmtKind::Expr(expr) = program.ast().stmts[stmt].kind else { continue };
                let ExprKind::Assign(target, value) = program.ast().exprs[expr].kind else { continue };
                let ExprKind::Var(var) = program.ast().exprs[target].kind else { continue };
                let own = match program.ast().vars[var].storage {
                    Storage::Automatic | Storage::Register | Storage::Parameter => true,
                    Storage::Static => program.origins.is_private(var),
                    Storage::External => false,
                };
                if own && !read.contains(&var) && is_quiet(program, value) {
                    program.ast_mut().stmts[stmt].kind = StmtKind::Empty;
                    dropped = true;
                }
            }
        }
        if !dropped {
            return;
        }
    }
}

/// Whether nothing happens when an expression is evaluated: nothing changes, and no thread ends there.
fn is_quiet(program: &Program, expr: ExprId) -> bool {
    let mut quiet = true;
    walk(program.ast(), Node::Expr(expr), &mut |node| {
        if let Node::Expr(expr) = node {
            quiet &= !may_end(program, expr);
            quiet &= !matches!(
                program.ast().exprs[expr].kind,
                ExprKind::Call { .. }
                    | ExprKind::Builtin { .. }
                    | ExprKind::Assign(..)
                    | ExprKind::CompoundAssign { .. }
                    | ExprKind::VaArg(_)
                    | ExprKind::Statement(_)
                    | ExprKind::Unary(
                        UnaryOp::PreIncrement
                            | UnaryOp::PreDecrement
                            | UnaryOp::PostIncrement
                            | UnaryOp::PostDecrement,
                        _
                    )
            );
        }
        quiet
    });
    quiet
}

/// Whether an operation by itself, whatever its operands do, may be one that has no meaning, so that the thread ends there: an
/// access to memory that is not there, a division by zero, a shift by too much.
fn may_end(program: &Program, expr: ExprId) -> bool {
    let ast = program.ast();
    match ast.exprs[expr].kind {
        ExprKind::Unary(UnaryOp::Deref, pointer) => {
            let bare = program.bare(pointer);
            let is_there = matches!(ast.exprs[bare].kind, ExprKind::Unary(UnaryOp::AddressOf, _))
                || matches!(ast.types.kind(ast.exprs[bare].ty.id), Type::Array { .. });
            !is_there
        }
        ExprKind::Member { arrow, .. } => arrow,
        ExprKind::Index { base, index } => {
            let array = program.bare(base);
            let length = match ast.types.kind(ast.exprs[array].ty.id) {
                Type::Array { length: ArrayLength::Fixed(length), .. } => i128::from(*length),
                _ => 0,
            };
            !program.constant(index).is_some_and(|index| (0..length).contains(&index))
        }
        ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, right) => {
            let is_floating = matches!(ast.types.kind(ast.exprs[expr].ty.id), Type::Float(_));
            !is_floating && !program.constant(right).is_some_and(|by| by != 0 && by != -1)
        }
        ExprKind::Binary(BinaryOp::Shl | BinaryOp::Shr, _, right) => {
            let bits = size_of(ast, ast.exprs[expr].ty).unwrap_or(0).saturating_mul(8);
            !program.constant(right).is_some_and(|by| (0..i128::from(bits)).contains(&by))
        }
        _ => false,
    }
}

/// Whether all that a thread does before its second label concerns its own variables alone.
pub(super) fn begins_quietly(program: &Program, function: FunctionId, given: &[VarId]) -> bool {
    let Some(body) = program.body(function) else { return true };
    for stmt in stmts_in(program.ast(), body).into_iter().skip(1) {
        match program.ast().stmts[stmt].kind {
            StmtKind::Empty | StmtKind::Block(_) | StmtKind::Declare(_) => {}
            StmtKind::Label(label, _) => match labels::number(program, label) {
                Some(0) => {}
                Some(_) => return true,
                None => return false,
            },
            StmtKind::Expr(expr) => {
                let ExprKind::Assign(target, value) = program.ast().exprs[expr].kind else { return false };
                let is_own = |var: VarId| {
                    let variable = &program.ast().vars[var];
                    program.origins.is_private(var)
                        || given.contains(&var)
                        || matches!(variable.storage, Storage::Automatic | Storage::Register)
                };
                let own = |expr: ExprId| match program.ast().exprs[expr].kind {
                    ExprKind::Var(var) => is_own(var),
                    ExprKind::Unary(UnaryOp::Deref, _) | ExprKind::Index { .. } | ExprKind::Member { .. } => {
                        false
                    }
                    _ => true,
                };
                let mut quiet = own(target) && is_quiet(program, value);
                walk(program.ast(), Node::Expr(value), &mut |node| {
                    if let Node::Expr(expr) = node {
                        quiet &= own(expr);
                    }
                    quiet
                });
                if !quiet {
                    return false;
                }
            }
            _ => return false,
        }
    }
    true
}
