//! `switch` becomes `if` and `goto`.
//!
//! The value is taken once; a chain of tests jumps to the labels that the cases have become, the last one to `default` or
//! behind the whole. The body stays as it is, so cases may stand anywhere in it, in loops too.

use raddle_cfront::ast::{BinaryOp, ExprId, ExprKind, FunctionId, LabelId, StmtId, StmtKind};
use raddle_cfront::types::TypeId;

use crate::flow::{JumpTargets, redirect};
use crate::pass::{Pass, Refusal, Values};
use crate::program::Program;
use crate::visit::{Node, stmts_in, walk};

/// The pass.
pub static PASS: Pass = Pass {
    name: "switches",
    description: "every switch becomes tests that jump to its cases",
    parameters: &[],
    run,
};

pub(crate) fn run(program: &mut Program, _: &Values) -> Result<(), Refusal> {
    for (_, function) in program.definitions() {
        in_function(program, function);
    }
    Ok(())
}

/// Rewrites the switches of one function.
fn in_function(program: &mut Program, function: FunctionId) {
    let Some(body) = program.body(function) else { return };
    // Inner ones first: then the cases that are found in a body are its own.
    for stmt in stmts_in(program.ast(), body).into_iter().rev() {
        if let StmtKind::Switch { value, body } = program.ast().stmts[stmt].kind {
            switch(program, function, stmt, value, body);
        }
    }
}

/// Rewrites the switches of a function if one of them has cases inside of a loop, which could not be copied otherwise.
pub(crate) fn around_loops(program: &mut Program, function: FunctionId) {
    let Some(body) = program.body(function) else { return };
    let crossing = stmts_in(program.ast(), body).into_iter().any(|stmt| {
        matches!(program.ast().stmts[stmt].kind, StmtKind::While { body, .. } if has_free_case(program, body))
    });
    if crossing {
        in_function(program, function);
    }
}

/// Whether a statement has a case of a switch around it.
fn has_free_case(program: &Program, stmt: StmtId) -> bool {
    let mut found = false;
    walk(program.ast(), Node::Stmt(stmt), &mut |node| match node {
        Node::Expr(_) => true,
        Node::Stmt(stmt) => {
            let kind = &program.ast().stmts[stmt].kind;
            found |= matches!(kind, StmtKind::Case { .. } | StmtKind::Default(_));
            !matches!(kind, StmtKind::Switch { .. })
        }
    });
    found
}

/// The cases of a switch: statement, first and last value (or `default`), in written order.
fn cases(program: &Program, body: StmtId) -> Vec<(StmtId, Option<(i128, i128)>)> {
    let mut found = Vec::new();
    walk(program.ast(), Node::Stmt(body), &mut |node| {
        if let Node::Stmt(stmt) = node {
            match program.ast().stmts[stmt].kind {
                StmtKind::Case { values, .. } => found.push((stmt, Some(values))),
                StmtKind::Default(_) => found.push((stmt, None)),
                _ => {}
            }
        }
        true
    });
    found
}

fn switch(program: &mut Program, function: FunctionId, stmt: StmtId, value: ExprId, body: StmtId) {
    let span = program.ast().stmts[stmt].span;
    let ty = program.ast().exprs[value].ty.id;
    let (var, declaration) = program.local(function, "chosen", ty, span, stmt);
    let target = program.var(var, span);
    let mut list = vec![declaration, program.assign_stmt(target, value, stmt)];
    let out = program.fresh_label("out", span);
    let mut used = redirect(program, body, JumpTargets { on_break: Some(out), on_continue: None }).by_break;
    let mut otherwise = None;
    for (case, values) in cases(program, body) {
        let (StmtKind::Case { body: inner, .. } | StmtKind::Default(inner)) = program.ast().stmts[case].kind
        else {
            continue;
        };
        let place = program.ast().stmts[case].span;
        let hint = if values.is_some() { "case" } else { "default" };
        let label = program.fresh_label(hint, place);
        program.ast_mut().stmts[case].kind = StmtKind::Label(label, inner);
        match values {
            None => otherwise = Some(label),
            Some((low, high)) if low <= high => {
                let jump = test(program, var, ty, (low, high), label, case);
                list.push(jump);
            }
            Some(_) => {}
        }
    }
    used |= otherwise.is_none();
    list.push(program.goto(otherwise.unwrap_or(out), stmt));
    list.push(body);
    if used {
        list.push(program.label_stmt(out, stmt));
    }
    program.ast_mut().stmts[stmt].kind = StmtKind::Block(list);
}

/// `if (value == low) goto label;`
fn test(
    program: &mut Program,
    value: raddle_cfront::ast::VarId,
    ty: TypeId,
    (low, high): (i128, i128),
    label: LabelId,
    like: StmtId,
) -> StmtId {
    let span = program.ast().stmts[like].span;
    let mut compare = |op: BinaryOp, bound: i128| {
        let bound = literal(program, bound, ty, span);
        let read = program.var(value, span);
        program.tree.operators().binary(op, read, bound, span)
    };
    let condition = if low == high {
        compare(BinaryOp::Equal, low)
    } else {
        let (from, to) = (compare(BinaryOp::GreaterEqual, low), compare(BinaryOp::LessEqual, high));
        program.tree.operators().binary(BinaryOp::And, from, to, span)
    };
    let jump = program.goto(label, like);
    program.if_stmt(condition, jump, None, like)
}

/// A constant of a promoted integer type, negative ones as they are written.
pub(crate) fn literal(program: &mut Program, value: i128, ty: TypeId, span: raddle_base::Span) -> ExprId {
    use raddle_cfront::ast::UnaryOp;
    if value >= 0 {
        return program.tree.expr(ExprKind::Integer(value), ty, false, span);
    }
    let positive = |program: &mut Program, value: i128| {
        let constant = program.tree.expr(ExprKind::Integer(value), ty, false, span);
        program.tree.operators().unary(UnaryOp::Negate, constant, span)
    };
    // The least number has no positive counterpart in its type.
    let least = program.ast().model.int_bytes(kind_of(program, ty)) * 8;
    if least < 128 && value == -(1_i128 << (least - 1)) {
        let above = positive(program, -(value + 1));
        let one = program.int(1, span);
        return program.tree.operators().binary(BinaryOp::Sub, above, one, span);
    }
    positive(program, -value)
}

fn kind_of(program: &Program, ty: TypeId) -> raddle_cfront::types::IntKind {
    match program.ast().types.kind(ty) {
        raddle_cfront::types::Type::Int(kind) => *kind,
        raddle_cfront::types::Type::Enum(id) => program.ast().enums[*id].underlying,
        _ => raddle_cfront::types::IntKind::Int,
    }
}
