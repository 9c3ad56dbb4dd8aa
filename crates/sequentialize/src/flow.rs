//! Control flow inside of statements: where `break` and `continue` lead, and which jumps go where.

use raddle_cfront::ast::{LabelId, StmtId, StmtKind};
use raddle_cfront::primitive::Primitive;

use crate::calls::statement_call;
use crate::program::Program;
use crate::visit::{Node, parts, stmts_in, walk};

/// The jumps that [`redirect`] looks for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct JumpTargets {
    /// Where `break` shall go; stays as it is when absent.
    pub(crate) on_break: Option<LabelId>,
    /// Where `continue` shall go; stays as it is when absent.
    pub(crate) on_continue: Option<LabelId>,
}

/// Which of the targets are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Used {
    pub(crate) by_break: bool,
    pub(crate) by_continue: bool,
}

/// Turns the `break`s and `continue`s in `body` that belong to the loop or switch around it into jumps.
pub(crate) fn redirect(program: &mut Program, body: StmtId, targets: JumpTargets) -> Used {
    let mut used = Used::default();
    for (stmt, is_break) in leaving(program, body) {
        let label = if is_break { targets.on_break } else { targets.on_continue };
        if let Some(label) = label {
            program.ast_mut().stmts[stmt].kind = StmtKind::Goto(label);
            used.by_break |= is_break;
            used.by_continue |= !is_break;
        }
    }
    used
}

/// The `break`s (true) and `continue`s (false) in a statement that belong to what is around it.
pub(crate) fn leaving(program: &Program, body: StmtId) -> Vec<(StmtId, bool)> {
    let mut found = Vec::new();
    // Inside of an inner switch only `continue` belongs to us, inside of an inner loop neither.
    let mut open = vec![(Node::Stmt(body), true)];
    while let Some((node, breaks)) = open.pop() {
        let mut inner_breaks = breaks;
        if let Node::Stmt(stmt) = node {
            match program.ast().stmts[stmt].kind {
                StmtKind::Break => {
                    if breaks {
                        found.push((stmt, true));
                    }
                }
                StmtKind::Continue => found.push((stmt, false)),
                StmtKind::While { .. } | StmtKind::DoWhile { .. } | StmtKind::For { .. } => continue,
                StmtKind::Switch { .. } => inner_breaks = false,
                StmtKind::Empty
                | StmtKind::Expr(_)
                | StmtKind::Block(_)
                | StmtKind::Declare(_)
                | StmtKind::If { .. }
                | StmtKind::Case { .. }
                | StmtKind::Default(_)
                | StmtKind::Label(..)
                | StmtKind::Goto(_)
                | StmtKind::GotoComputed(_)
                | StmtKind::Return(_)
                | StmtKind::Asm(_)
                | StmtKind::Error => {}
            }
        }
        open.extend(parts(program.ast(), node).into_iter().rev().map(|part| (part, inner_breaks)));
    }
    found
}

/// All `goto`s in a statement with their targets, in written order.
pub(crate) fn gotos(program: &Program, body: StmtId) -> Vec<(StmtId, LabelId)> {
    let mut found = Vec::new();
    walk(program.ast(), Node::Stmt(body), &mut |node| {
        if let Node::Stmt(stmt) = node
            && let StmtKind::Goto(label) = program.ast().stmts[stmt].kind
        {
            found.push((stmt, label));
        }
        true
    });
    found
}

/// Whether control never comes out behind the statement: it ends with a jump.
pub(crate) fn ends_with_jump(program: &Program, stmt: StmtId) -> bool {
    match &program.ast().stmts[stmt].kind {
        StmtKind::Goto(_)
        | StmtKind::GotoComputed(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_) => true,
        StmtKind::Expr(_) => never_returns(program, stmt),
        StmtKind::Block(stmts) => stmts.last().is_some_and(|&last| ends_with_jump(program, last)),
        StmtKind::Label(_, body) | StmtKind::Case { body, .. } | StmtKind::Default(body) => {
            ends_with_jump(program, *body)
        }
        StmtKind::Empty
        | StmtKind::Declare(_)
        | StmtKind::If { .. }
        | StmtKind::While { .. }
        | StmtKind::DoWhile { .. }
        | StmtKind::For { .. }
        | StmtKind::Switch { .. }
        | StmtKind::Asm(_)
        | StmtKind::Error => false,
    }
}

/// Whether a statement is a call that control never comes back from.
pub(crate) fn never_returns(program: &Program, stmt: StmtId) -> bool {
    let Some(call) = statement_call(program, stmt) else { return false };
    let Some(function) = call.function else { return false };
    let primitive = program.primitive(function);
    if primitive == Some(Primitive::Assume) {
        return call.arguments.first().is_some_and(|&condition| program.constant(condition) == Some(0));
    }
    program.ast().functions[function].noreturn || primitive == Some(Primitive::Abort)
}

/// Whether a loop or recursion may be cut off somewhere: a statement assumes what never holds. The program's own may look the
/// same; then a bound is reported that is none.
#[must_use]
pub fn may_be_cut(program: &Program) -> bool {
    let is_cut = |stmt: StmtId| {
        let Some(call) = statement_call(program, stmt) else { return false };
        call.function.and_then(|function| program.primitive(function)) == Some(Primitive::Assume)
            && call.arguments.first().is_some_and(|&condition| program.constant(condition) == Some(0))
    };
    program
        .definitions()
        .into_iter()
        .filter_map(|(_, function)| program.body(function))
        .any(|body| stmts_in(program.ast(), body).into_iter().any(is_cut))
}
