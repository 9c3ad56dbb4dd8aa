//! Loops with a constant number of iterations, and that number.
//!
//! Such a loop counts a private variable from a constant to a constant by a constant, changes it nowhere else, and is left by
//! nothing but its test (or by leaving the function, which only makes it shorter). It is marked by a label before it,
//! `__runs_5__1`, which [`super::unroll`] reads. A loop that is not recognised is not marked: that costs only a bound.

use raddle_cfront::ast::{BinaryOp, ExprId, ExprKind, StmtId, StmtKind, UnaryOp, VarId};
use raddle_cfront::types::Type;
use rustc_hash::FxHashMap;

use crate::access::Addresses;
use crate::pass::{Parameter, ParameterKind, Pass, Refusal, Values};
use crate::passes::{declarations, loops};
use crate::program::Program;
use crate::visit::{Node, exprs_in, stmts_in};

/// The pass.
pub static PASS: Pass = Pass {
    name: "bounds",
    description: "marks the loops that run a constant number of times",
    parameters: &[Parameter {
        name: "most",
        description: "the largest number that is marked",
        kind: ParameterKind::Number { least: 1, most: 10_000, default: 100 },
    }],
    run,
};

const MARK: &str = "__runs_";

fn run(program: &mut Program, values: &Values) -> Result<(), Refusal> {
    let most = values.number(0);
    declarations::hoist(program);
    loops::run(program, values)?;
    let addresses = Addresses::of(program);
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        let parents = parents(program, body);
        for stmt in stmts_in(program.ast(), body) {
            if let StmtKind::While { .. } = program.ast().stmts[stmt].kind
                && let Some(count) = count(program, &addresses, body, &parents, stmt)
                && count <= u64::from(most)
            {
                mark(program, stmt, count);
            }
        }
    }
    Ok(())
}

fn mark(program: &mut Program, stmt: StmtId, count: u64) {
    let span = program.ast().stmts[stmt].span;
    let label = program.fresh_label(&format!("{MARK}{count}"), span);
    let kind = program.ast().stmts[stmt].kind.clone();
    let inner = program.stmt(kind, stmt);
    program.ast_mut().stmts[stmt].kind = StmtKind::Label(label, inner);
}

/// How often a loop runs by its mark, which is taken off.
pub(crate) fn take_mark(program: &mut Program, whole: StmtId, stmt: StmtId) -> Option<u32> {
    for outer in stmts_in(program.ast(), whole) {
        if let StmtKind::Label(label, inner) = program.ast().stmts[outer].kind
            && inner == stmt
        {
            let name = program.ast().text(program.ast().labels[label].name);
            let count = name.strip_prefix(MARK)?.split_once("__")?.0.parse().ok()?;
            program.ast_mut().stmts[outer].kind = StmtKind::Block(vec![stmt]);
            return Some(count);
        }
    }
    None
}

fn parents(program: &Program, body: StmtId) -> FxHashMap<StmtId, StmtId> {
    let mut found = FxHashMap::default();
    for stmt in stmts_in(program.ast(), body) {
        for part in crate::visit::parts(program.ast(), Node::Stmt(stmt)) {
            if let Node::Stmt(inner) = part {
                found.insert(inner, stmt);
            }
        }
    }
    found
}

/// How often a loop runs, if that is a constant.
fn count(
    program: &Program,
    addresses: &Addresses,
    whole: StmtId,
    parents: &FxHashMap<StmtId, StmtId>,
    stmt: StmtId,
) -> Option<u64> {
    let StmtKind::While { body, .. } = program.ast().stmts[stmt].kind else { return None };
    let StmtKind::Block(list) = &program.ast().stmts[body].kind else { return None };
    let (&test, rest) = list.split_first()?;
    let (var, op, limit) = exit_test(program, test)?;
    let is_private = !addresses.var_may_be_shared(program.ast(), var);
    if !is_private || loops::entered_from_outside(program, whole, body) {
        return None;
    }
    let step = step(program, *rest.last()?, var)?;
    let changes = |stmt: StmtId| changes(program, stmt, var);
    if rest[..rest.len() - 1].iter().any(|&stmt| changes(stmt)) || leaves_early(program, stmt, rest) {
        return None;
    }
    // The last thing before the loop sets the variable.
    let StmtKind::Block(around) = &program.ast().stmts[*parents.get(&stmt)?].kind else { return None };
    let place = around.iter().position(|inner| *inner == stmt)?;
    let start = around[..place].iter().rev().find_map(|&before| {
        start(program, before, var).map(Some).or_else(|| changes(before).then_some(None))
    })??;
    trip_count(program, var, op, start, limit, step)
}

/// `if (var >= constant) break;`: the variable, the comparison and the constant.
fn exit_test(program: &Program, stmt: StmtId) -> Option<(VarId, BinaryOp, i128)> {
    let StmtKind::If { condition, then, otherwise: None } = program.ast().stmts[stmt].kind else {
        return None;
    };
    if !matches!(program.ast().stmts[then].kind, StmtKind::Break) {
        return None;
    }
    let ExprKind::Binary(op, left, right) = program.ast().exprs[condition].kind else { return None };
    let var = read_of(program, left)?;
    Some((var, op, program.constant(right)?))
}

/// The variable whose value an expression is, conversions that keep it aside.
fn read_of(program: &Program, expr: ExprId) -> Option<VarId> {
    let bare = program.bare(expr);
    let ExprKind::Var(var) = program.ast().exprs[bare].kind else { return None };
    // A conversion that changes the value would change the count.
    let (from, to) = (program.ast().vars[var].ty.id, program.ast().exprs[expr].ty.id);
    program.ast().types.same(from, to).then_some(var)
}

/// What `var` is set to by a statement.
fn start(program: &Program, stmt: StmtId, var: VarId) -> Option<i128> {
    match &program.ast().stmts[stmt].kind {
        StmtKind::Expr(expr) => {
            let ExprKind::Assign(target, value) = program.ast().exprs[*expr].kind else { return None };
            (program.ast().exprs[target].kind == ExprKind::Var(var)).then(|| program.constant(value))?
        }
        StmtKind::Declare(items) => items.iter().find_map(|item| {
            let raddle_cfront::ast::Item::Var { id, .. } = item else { return None };
            let Some(raddle_cfront::ast::Init::Expr(value)) = &program.ast().vars[*id].init else {
                return None;
            };
            (*id == var).then(|| program.constant(*value))?
        }),
        _ => None,
    }
}

/// By how much a statement, the last of a loop, changes the variable.
fn step(program: &Program, stmt: StmtId, var: VarId) -> Option<i128> {
    let StmtKind::Expr(expr) = program.ast().stmts[stmt].kind else { return None };
    let is_var = |expr: ExprId| program.ast().exprs[expr].kind == ExprKind::Var(var);
    match program.ast().exprs[expr].kind {
        ExprKind::Unary(UnaryOp::PreIncrement | UnaryOp::PostIncrement, operand) if is_var(operand) => {
            Some(1)
        }
        ExprKind::Unary(UnaryOp::PreDecrement | UnaryOp::PostDecrement, operand) if is_var(operand) => {
            Some(-1)
        }
        ExprKind::CompoundAssign { op, target, value, .. } if is_var(target) => match op {
            BinaryOp::Add => program.constant(value),
            BinaryOp::Sub => program.constant(value).map(|value| -value),
            _ => None,
        },
        ExprKind::Assign(target, value) if is_var(target) => {
            let ExprKind::Binary(op, left, right) = program.ast().exprs[program.bare(value)].kind else {
                return None;
            };
            match op {
                BinaryOp::Add if is_var(program.bare(left)) => program.constant(right),
                BinaryOp::Sub if is_var(program.bare(left)) => program.constant(right).map(|value| -value),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether a statement may change a private variable.
fn changes(program: &Program, stmt: StmtId, var: VarId) -> bool {
    exprs_in(program.ast(), stmt).into_iter().any(|expr| {
        let target = match program.ast().exprs[expr].kind {
            ExprKind::Assign(target, _) | ExprKind::CompoundAssign { target, .. } => target,
            ExprKind::Unary(
                UnaryOp::PreIncrement
                | UnaryOp::PreDecrement
                | UnaryOp::PostIncrement
                | UnaryOp::PostDecrement,
                target,
            ) => target,
            _ => return false,
        };
        crate::access::root(program.ast(), target) == crate::access::Root::Var(var)
    })
}

/// Whether something jumps over the step: then the count would be wrong. Leaving the loop only makes it shorter.
fn leaves_early(program: &Program, stmt: StmtId, rest: &[StmtId]) -> bool {
    let continues =
        rest.iter().any(|&inner| crate::flow::leaving(program, inner).iter().any(|(_, is_break)| !is_break));
    let StmtKind::While { body, .. } = program.ast().stmts[stmt].kind else { return true };
    continues || loops::computed_jump(program, body).is_some()
}

/// Counts the rounds of `for (v = start; !(v op limit); v += step)`.
fn trip_count(
    program: &Program,
    var: VarId,
    op: BinaryOp,
    start: i128,
    limit: i128,
    step: i128,
) -> Option<u64> {
    let kind = match program.ast().types.kind(program.ast().vars[var].ty.id) {
        Type::Int(kind) => *kind,
        _ => return None,
    };
    let mut value = start;
    for round in 0..=10_000_u64 {
        let leaves = match op {
            BinaryOp::GreaterEqual => value >= limit,
            BinaryOp::Greater => value > limit,
            BinaryOp::LessEqual => value <= limit,
            BinaryOp::Less => value < limit,
            BinaryOp::Equal => value == limit,
            BinaryOp::NotEqual => value != limit,
            _ => return None,
        };
        if leaves {
            return Some(round);
        }
        let next = value + step;
        // Wrapping round is nobody's intention.
        if program.ast().model.wrap(next, kind) != next {
            return None;
        }
        value = next;
    }
    None
}
