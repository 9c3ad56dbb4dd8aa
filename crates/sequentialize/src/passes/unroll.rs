//! Loops become copies of their bodies.
//!
//! A loop has at most `bound` iterations; what is beyond is cut off by an assumption that ends the thread, or reported by a call of
//! `__raddle_bound_reached`, which is the unwinding assertion. A loop that is marked by [`super::bounds`] runs as often as the
//! mark says, and nothing is beyond it. Inner loops are unrolled first. The test at the head of a loop is made once more behind
//! the last copy, so a loop that ends after exactly `bound` iterations is not cut off.

use raddle_base::Span;
use raddle_cfront::ast::{FunctionId, StmtId, StmtKind};
use raddle_cfront::primitive::Primitive;
use raddle_cfront::types::Types;
use rustc_hash::FxHashSet;

use crate::calls::CallGraph;
use crate::copy::Copier;
use crate::escape::Sharing;
use crate::flow::{JumpTargets, gotos, redirect};
use crate::origin::Context;
use crate::pass::{Parameter, ParameterKind, Pass, Refusal, Values};
use crate::passes::{declarations, loops, switches};
use crate::program::Program;
use crate::steps::{Steps, Which};
use crate::tidy::tidy;
use crate::visit::stmts_in;

/// The pass.
pub static PASS: Pass = Pass {
    name: "unroll",
    description: "loops become copies of their bodies, up to a bound",
    parameters: &[
        Parameter {
            name: "bound",
            description: "how often a loop runs at most",
            kind: ParameterKind::Number { least: 1, most: 10_000, default: 2 },
        },
        Parameter {
            name: "beyond",
            description: "what happens beyond the bound",
            kind: ParameterKind::Choice(BEYOND),
        },
        Parameter {
            name: "which",
            description: "loops of all functions, or of those whose calls are more than one step to other threads",
            kind: ParameterKind::Choice(Which::WORDS),
        },
    ],
    run,
};

/// What happens beyond a bound: the thread ends, or `__raddle_bound_reached` is called.
pub(crate) const BEYOND: &[&str] = &["assume", "assert"];

/// More statements than this are not made.
pub(crate) const MOST_STATEMENTS: usize = 4_000_000;

fn run(program: &mut Program, values: &Values) -> Result<(), Refusal> {
    let (bound, beyond) = (values.number(0), values.choice(1));
    declarations::hoist(program);
    loops::run(program, values)?;
    let kept = kept_functions(program, Which::of(values.choice(2)));
    for (unit, function) in program.definitions() {
        if kept.contains(&function) {
            continue;
        }
        switches::around_loops(program, function);
        let Some(body) = program.body(function) else { continue };
        for stmt in stmts_in(program.ast(), body).into_iter().rev() {
            if let StmtKind::While { body: repeated, .. } = program.ast().stmts[stmt].kind {
                if let Some(jump) = loops::computed_jump(program, repeated) {
                    return Err(Refusal::new(jump, "a loop with a computed `goto` cannot be unrolled"));
                }
                if let Some(nested) = declarations::nested_function(program, repeated) {
                    let place = program.ast().functions[nested].span;
                    return Err(Refusal::new(place, "a loop with a nested function cannot be unrolled"));
                }
                unroll(program, unit, body, stmt, repeated, bound, beyond)?;
            }
        }
        tidy(program, function);
    }
    // What cuts a loop off may have been declared behind it.
    crate::order::in_time(program);
    Ok(())
}

/// The functions that can stay functions, and keep their loops, because a call of them is at most one step.
fn kept_functions(program: &Program, which: Which) -> FxHashSet<FunctionId> {
    if which == Which::All {
        return FxHashSet::default();
    }
    let graph = CallGraph::of(program);
    let sharing = Sharing::of(program);
    let steps = Steps::of(program, &sharing);
    let definitions = program.definitions().into_iter().map(|(_, id)| id);
    definitions.filter(|&id| !graph.is_root(id) && steps.summary(id).stays(which)).collect()
}

/// What a loop consists of when it is unrolled.
fn unroll(
    program: &mut Program,
    unit: usize,
    whole: StmtId,
    stmt: StmtId,
    body: StmtId,
    bound: u32,
    beyond: usize,
) -> Result<(), Refusal> {
    let place = program.ast().stmts[stmt].span;
    let known = super::bounds::take_mark(program, whole, stmt);
    let rounds = known.unwrap_or(bound);
    let size = stmts_in(program.ast(), body).len();
    let total = size.saturating_mul(rounds as usize).saturating_add(program.ast().stmts.len());
    if total > MOST_STATEMENTS {
        let message = format!("unrolling this loop {rounds} times makes the program too large");
        return Err(Refusal::new(place, message));
    }
    let outer = program.origins.stmt(stmt);
    let out = program.fresh_label("out", place);
    let head = head(program, body);
    let mut used = false;
    let mut list = Vec::new();
    // Copies first: the body itself becomes the first round, which jumps from outside may lead into.
    let mut copies = vec![body];
    for number in 2..=rounds {
        program.may_go_on()?;
        let around = program.origins.enter(Context::Iteration { place, number }, outer);
        copies.push(copy_inside(program, body, outer, around));
    }
    let last = (known.is_none()).then(|| {
        let number = rounds.saturating_add(1);
        let around = program.origins.enter(Context::Iteration { place, number }, outer);
        // In one piece: what the first statements declare the later ones use.
        let whole = program.block(head, stmt);
        copy_inside(program, whole, outer, around)
    });
    let first = program.origins.enter(Context::Iteration { place, number: 1 }, outer);
    mark_first(program, body, outer, first);
    for copy in copies {
        // Of a loop that never runs the test is what keeps its body from running.
        if known.is_some_and(|rounds| rounds > 0) {
            drop_test(program, copy);
        }
        let next = program.fresh_label("next", place);
        let targets = JumpTargets { on_break: Some(out), on_continue: Some(next) };
        let jumps = redirect(program, copy, targets);
        used |= jumps.by_break;
        list.push(copy);
        if jumps.by_continue {
            list.push(program.label_stmt(next, stmt));
        }
    }
    if let Some(test) = last {
        used |= redirect(program, test, JumpTargets { on_break: Some(out), on_continue: None }).by_break;
        list.push(test);
        list.push(cut(program, unit, beyond, stmt));
    }
    if used {
        list.push(program.label_stmt(out, stmt));
    }
    program.ast_mut().stmts[stmt].kind = StmtKind::Block(list);
    Ok(())
}

/// Copies a part of a loop; what it was a part of outside of the loop is not repeated in its origin.
fn copy_inside(
    program: &mut Program,
    stmt: StmtId,
    outer: Option<crate::origin::CopyId>,
    around: crate::origin::CopyId,
) -> StmtId {
    Copier::new(program, Some(around), None).without(outer).stmt(stmt)
}

/// A loop that runs a known number of times needs no test.
fn drop_test(program: &mut Program, body: StmtId) {
    if let StmtKind::Block(list) = &program.ast().stmts[body].kind
        && let Some(&first) = list.first()
        && let StmtKind::If { then, otherwise: None, .. } = program.ast().stmts[first].kind
        && is_break(program, then)
    {
        program.ast_mut().stmts[first].kind = StmtKind::Empty;
    }
}

/// The statements that are there already are those of the first round.
fn mark_first(
    program: &mut Program,
    body: StmtId,
    outer: Option<crate::origin::CopyId>,
    first: crate::origin::CopyId,
) {
    for stmt in stmts_in(program.ast(), body) {
        let inner = program.origins.stmt(stmt);
        let copy = program.origins.moved(inner, outer, Some(first));
        program.origins.set_stmt(stmt, copy);
    }
}

/// The statements up to the first test that leaves the loop, if nothing but plain statements comes before it.
fn head(program: &Program, body: StmtId) -> Vec<StmtId> {
    let StmtKind::Block(list) = &program.ast().stmts[body].kind else { return Vec::new() };
    for (place, &stmt) in list.iter().enumerate() {
        match program.ast().stmts[stmt].kind {
            StmtKind::If { then, otherwise: None, .. } if is_break(program, then) => {
                return list[..=place].to_vec();
            }
            StmtKind::Expr(_) | StmtKind::Declare(_) | StmtKind::Empty => {}
            // What a condition is made of.
            StmtKind::If { .. } | StmtKind::Block(_)
                if crate::flow::leaving(program, stmt).is_empty()
                    && gotos(program, stmt).is_empty()
                    && crate::visit::labels_in(program.ast(), stmt).is_empty() => {}
            _ => return Vec::new(),
        }
    }
    Vec::new()
}

fn is_break(program: &Program, stmt: StmtId) -> bool {
    match &program.ast().stmts[stmt].kind {
        StmtKind::Break => true,
        StmtKind::Block(list) => matches!(list[..], [only] if is_break(program, only)),
        _ => false,
    }
}

/// What stands where a bound is reached.
pub(crate) fn cut(program: &mut Program, unit: usize, beyond: usize, like: StmtId) -> StmtId {
    let span: Span = program.ast().stmts[like].span;
    let call = if beyond == 0 {
        let assume = program.external_primitive(Primitive::Assume, Types::void(), &[Types::int()], unit);
        let never = program.int(0, span);
        program.call(assume, vec![never], span)
    } else {
        let reached = program.external_primitive(Primitive::BoundReached, Types::void(), &[], unit);
        program.call(reached, Vec::new(), span)
    };
    program.expr_stmt(call, like)
}
