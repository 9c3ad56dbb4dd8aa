//! What counts as a violation, and in which functions one may be met.

use raddle_base::Span;
use raddle_cfront::ast::{BinaryOp, ExprId, ExprKind, FunctionId, StmtId, StmtKind, VarId};
use raddle_cfront::primitive::{Checked, Primitive};
use rustc_hash::{FxHashMap, FxHashSet};

use super::thread::made;
use crate::calls::{Call, direct, statement_call};
use crate::pass::Refusal;
use crate::program::Program;
use crate::visit::{exprs_in, stmts_in};

/// How a statement breaks a property.
pub(super) enum Violation {
    /// By being reached.
    Reached,
    /// If this is zero.
    Unless(ExprId),
    /// If `main` is not alone, where it was taken to be.
    NotAlone,
}

/// The violation that a call without a body to look into is.
pub(super) fn violation(program: &Program, call: &Call, misuse: bool) -> Option<Violation> {
    let function = call.function?;
    Some(match program.ast().primitive(function)? {
        Primitive::CheckAlone => Violation::NotAlone,
        Primitive::Check(Checked::Lock) if misuse => Violation::Unless(*call.arguments.first()?),
        Primitive::Check(Checked::Assertion) => Violation::Unless(*call.arguments.first()?),
        Primitive::AssertFail | Primitive::Error | Primitive::Unsupported | Primitive::BoundReached => {
            Violation::Reached
        }
        // Memory errors are found by the checker of the sequential program.
        Primitive::Check(Checked::Lock | Checked::Memory)
        | Primitive::Nondet
        | Primitive::Assume
        | Primitive::AtomicBegin
        | Primitive::AtomicEnd
        | Primitive::WaitUntil
        | Primitive::Lock
        | Primitive::Unlock
        | Primitive::HoldsLock
        | Primitive::LockIsFree
        | Primitive::Peek
        | Primitive::Unwritten
        | Primitive::EndLocals
        | Primitive::Fork
        | Primitive::Join
        | Primitive::CurrentThread
        | Primitive::ThreadExists
        | Primitive::ExitThread
        | Primitive::ExitProcess
        | Primitive::Abort
        | Primitive::Allocate(_)
        | Primitive::Free
        | Primitive::ObjectSize
        | Primitive::Question(_)
        | Primitive::Fence
        | Primitive::Print(_)
        | Primitive::FloatByte
        | Primitive::Decimal
        | Primitive::Mathematics(_)
        | Primitive::Deadlock => return None,
    })
}

/// Whether the function stays as it is: it only reports, and is called again when it is sure that there is something to
/// report; or it is the runtime's own.
pub(super) fn stays(program: &Program, function: FunctionId) -> bool {
    let name = program.function_text(function);
    program.ast().primitive(function) == Some(Primitive::Error)
        || name == "main"
        || name.starts_with("__raddle_")
}

/// The functions in which a thread may find a violation, and those that call them.
pub(super) fn failing(program: &Program, misuse: bool) -> FxHashSet<FunctionId> {
    let mut found: FxHashSet<FunctionId> = FxHashSet::default();
    let mut calls: FxHashMap<FunctionId, Vec<FunctionId>> = FxHashMap::default();
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        if stays(program, function) {
            continue;
        }
        for stmt in stmts_in(program.ast(), body) {
            let Some(call) = statement_call(program, stmt) else { continue };
            let Some(callee) = call.function else { continue };
            if violation(program, &call, misuse).is_some() {
                found.insert(function);
            }
            calls.entry(program.definition_of(callee)).or_default().push(function);
        }
    }
    let mut open: Vec<FunctionId> = found.iter().copied().collect();
    while let Some(function) = open.pop() {
        for &caller in calls.get(&function).into_iter().flatten() {
            if found.insert(caller) {
                open.push(caller);
            }
        }
    }
    found
}

/// A call of a function in which a thread may be left must stand by itself.
pub(super) fn no_hidden_calls(program: &Program, misuse: bool) -> Result<(), Refusal> {
    let failing = failing(program, misuse);
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        let mut plain: FxHashSet<ExprId> = FxHashSet::default();
        for stmt in stmts_in(program.ast(), body) {
            plain.extend(statement_call(program, stmt).map(|call| call.expr));
        }
        for expr in exprs_in(program.ast(), body) {
            if let ExprKind::Call { callee, .. } = program.ast().exprs[expr].kind
                && let Some(called) = direct(program, callee)
                && failing.contains(&program.definition_of(called))
                && !plain.contains(&expr)
            {
                let span = program.ast().exprs[expr].span;
                return Err(Refusal::new(span, "a call that may end the thread stands in an expression")
                    .help("run the pass `simplify` before"));
            }
        }
    }
    Ok(())
}

/// `if (error == number) report`, for each violation.
pub(super) fn reports_of(program: &mut Program, error: VarId, violations: &[StmtId]) -> Vec<StmtId> {
    let mut list = Vec::new();
    for (number, &report) in (1_i128..).zip(violations) {
        let (left, right) = (program.var(error, Span::NONE), program.int(number, Span::NONE));
        let condition = program.tree.operators().binary(BinaryOp::Equal, left, right, Span::NONE);
        let condition = program.tree.condition(condition);
        list.push(made(program, StmtKind::If { condition, then: report, otherwise: None }));
    }
    list
}
