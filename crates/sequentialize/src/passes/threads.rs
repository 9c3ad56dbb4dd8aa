//! One copy of a thread function for each thread.
//!
//! Where a thread is started, its function gets a copy that belongs to that thread alone; threads are numbered in the order in
//! which the program points that start them are met, `main` being thread 0. A function that is known only as a pointer is
//! distinguished by tests first, as in [`super::pointers`]. A program point in a loop, or in a function that is not `main` or a
//! thread's own, may start several threads: it is left alone, so loops are to be unrolled and calls inlined before. A thread
//! function that starts itself is copied until there are enough threads; what is beyond is cut off.

use std::collections::VecDeque;

use raddle_cfront::ast::{BinaryOp, ExprId, ExprKind, FunctionId, Item, StmtId, StmtKind};
use rustc_hash::FxHashSet;

use crate::calls::{Call, CallGraph, named_function, statement_call};
use crate::copy::{Copier, copy_expr};
use crate::origin::Context;
use crate::pass::{Parameter, ParameterKind, Pass, Refusal, Values};
use crate::passes::unroll::{BEYOND, cut};
use crate::passes::{declarations, pointers, prune, simplify};
use crate::program::Program;
use crate::steps::fork_argument;
use crate::visit::stmts_in;

/// The pass.
pub static PASS: Pass = Pass {
    name: "threads",
    description: "every thread gets a copy of its function",
    parameters: &[
        Parameter {
            name: "most",
            description: "how many threads there are at most, main not counted",
            kind: ParameterKind::Number { least: 0, most: 250, default: 32 },
        },
        Parameter { name: "beyond", description: "what happens beyond", kind: ParameterKind::Choice(BEYOND) },
    ],
    run,
};

fn run(program: &mut Program, values: &Values) -> Result<(), Refusal> {
    let (most, beyond) = (values.number(0), values.choice(1));
    // A thread may be started where a variable gets its first value.
    declarations::run(program, values)?;
    simplify::run(program, values)?;
    let Some((unit, main)) = main_function(program) else { return Ok(()) };
    let graph = CallGraph::of(program);
    let mut open = VecDeque::from([main]);
    let mut number = 0;
    while let Some(function) = open.pop_front() {
        for site in sites(program, unit, function, &graph) {
            if number == most {
                let end = cut(program, unit, beyond, site.stmt);
                let kind = program.ast().stmts[end].kind.clone();
                program.ast_mut().stmts[site.stmt].kind = kind;
                continue;
            }
            number += 1;
            program.may_go_on()?;
            open.push_back(copy_function(program, unit, &site, number)?);
        }
    }
    prune::unused_functions(program);
    crate::order::in_time(program);
    Ok(())
}

/// Where the program starts, and its unit.
pub(crate) fn main_function(program: &Program) -> Option<(usize, FunctionId)> {
    program.definitions().into_iter().find(|(_, id)| program.function_text(*id) == "main")
}

/// A program point that starts a thread with a function known by its name.
#[derive(Clone, Debug)]
pub(crate) struct Site {
    /// The statement.
    pub(crate) stmt: StmtId,
    /// What the thread runs.
    pub(crate) function: FunctionId,
    /// The function's name in the arguments.
    argument: ExprId,
}

/// The call that starts a thread, and the index of the function among its arguments.
fn fork(program: &Program, stmt: StmtId) -> Option<(Call, usize)> {
    let call = statement_call(program, stmt)?;
    let function = call.function?;
    if program.body(program.definition_of(function)).is_some() {
        return None;
    }
    let place = fork_argument(program, function)?;
    (place < call.arguments.len()).then_some((call, place))
}

/// The program point of a statement, if it starts a thread with a function known by its name.
pub(crate) fn site(program: &Program, stmt: StmtId) -> Option<Site> {
    let (call, place) = fork(program, stmt)?;
    let (argument, function) = named_function(program, call.arguments[place])?;
    let function = program.definition_of(function);
    program.body(function).map(|_| Site { stmt, function, argument })
}

/// The statements inside of loops.
pub(crate) fn inside_loops(program: &Program, body: StmtId) -> FxHashSet<StmtId> {
    let mut found = FxHashSet::default();
    for stmt in stmts_in(program.ast(), body) {
        if let StmtKind::While { body, .. } | StmtKind::DoWhile { body, .. } | StmtKind::For { body, .. } =
            program.ast().stmts[stmt].kind
        {
            found.extend(stmts_in(program.ast(), body));
        }
    }
    found
}

/// The program points in a function that start one thread each; pointers are distinguished.
fn sites(program: &mut Program, unit: usize, function: FunctionId, graph: &CallGraph) -> Vec<Site> {
    let Some(body) = program.body(function) else { return Vec::new() };
    let repeated = inside_loops(program, body);
    for stmt in stmts_in(program.ast(), body) {
        if let Some((call, place)) = fork(program, stmt)
            && !repeated.contains(&stmt)
            && named_function(program, call.arguments[place]).is_none()
        {
            split(program, unit, stmt, &call, place, graph);
        }
    }
    let all = stmts_in(program.ast(), body);
    all.into_iter().filter(|stmt| !repeated.contains(stmt)).filter_map(|stmt| site(program, stmt)).collect()
}

/// Tells apart what a pointer to a thread function may be.
fn split(program: &mut Program, unit: usize, stmt: StmtId, call: &Call, place: usize, graph: &CallGraph) {
    let span = program.ast().stmts[stmt].span;
    let pointer = program.ast().exprs[call.arguments[place]].ty;
    let mut rest = program.ast().stmts[stmt].kind.clone();
    for candidate in pointers::candidates(program, unit, graph, pointer).into_iter().rev() {
        let Some(callee) = call.function else { return };
        let mut arguments = Vec::new();
        for (index, &argument) in call.arguments.iter().enumerate() {
            if index == place {
                let ty = program.ast().functions[candidate].ty;
                arguments.push(program.tree.expr(ExprKind::Function(candidate), ty, true, span));
            } else {
                let copy = copy_expr(program, argument);
                arguments.push(program.bare(copy));
            }
        }
        let value = program.call(callee, arguments, span);
        let then = match call.target {
            Some(target) => {
                let target = copy_expr(program, target);
                program.assign_stmt(target, value, stmt)
            }
            None => program.expr_stmt(value, stmt),
        };
        let copy = copy_expr(program, call.arguments[place]);
        let copy = program.bare(copy);
        let ty = program.ast().functions[candidate].ty;
        let name = program.tree.expr(ExprKind::Function(candidate), ty, true, span);
        let condition = program.tree.operators().binary(BinaryOp::Equal, copy, name, span);
        let condition = program.tree.condition(condition);
        let otherwise = program.stmt(rest, stmt);
        rest = StmtKind::If { condition, then, otherwise: Some(otherwise) };
    }
    program.ast_mut().stmts[stmt].kind = rest;
}

/// Gives the thread that is started at `site` a function of its own.
fn copy_function(
    program: &mut Program,
    unit: usize,
    site: &Site,
    number: u32,
) -> Result<FunctionId, Refusal> {
    let place = program.ast().stmts[site.stmt].span;
    let mut function = program.ast().functions[site.function].clone();
    let Some(body) = function.body else { return Ok(site.function) };
    if declarations::nested_function(program, body).is_some() {
        return Err(Refusal::new(function.span, "a thread function with a nested function cannot be copied"));
    }
    let wanted = format!("{}__thread_{number}", program.function_text(site.function));
    let known = program.ast().names.find(&wanted).is_some();
    function.name = if known { program.fresh_name(&wanted) } else { program.ast_mut().names.intern(&wanted) };
    function.internal = true;
    function.attributes.clear();
    function.linked = None;
    let parameters = std::mem::take(&mut function.parameters);
    function.body = None;
    let new = program.ast_mut().functions.push(function);
    program.origins.set_function(new, site.function);
    let outer = program.origins.stmt(site.stmt);
    let original = program.origins.function(site.function);
    let around = program.origins.enter(Context::Thread { place, function: original, number }, outer);
    let mut copier = Copier::new(program, Some(around), Some(new)).keep_names();
    let parameters = parameters.into_iter().map(|parameter| copier.var(parameter)).collect();
    let body = copier.stmt(body);
    let function = &mut program.ast_mut().functions[new];
    function.parameters = parameters;
    function.body = Some(body);
    let items = &mut program.ast_mut().units[unit].items;
    let home = items.iter().position(|item| *item == Item::Function { id: site.function, definition: true });
    let home = home.map_or(items.len(), |home| home + 1);
    items.insert(home, Item::Function { id: new, definition: true });
    program.ast_mut().exprs[site.argument].kind = ExprKind::Function(new);
    Ok(new)
}

/// The functions that are called by their names.
pub(crate) fn called_functions(program: &Program) -> FxHashSet<FunctionId> {
    let mut found = FxHashSet::default();
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        for stmt in stmts_in(program.ast(), body) {
            if let Some(call) = statement_call(program, stmt)
                && let Some(callee) = call.function
            {
                found.insert(program.definition_of(callee));
            }
        }
    }
    found
}

/// The functions of all threads in the order of their ids, `main` first, each with the program point that starts it.
///
/// # Errors
/// When one function serves several threads, or is called as well, or a thread is started at a program point that may be
/// passed several times.
pub(crate) fn thread_functions(program: &Program) -> Result<Vec<(FunctionId, Option<StmtId>)>, Refusal> {
    let Some((_, main)) = main_function(program) else { return Ok(Vec::new()) };
    let mut found: Vec<(FunctionId, Option<StmtId>)> = vec![(main, None)];
    let mut next = 0;
    while let Some(&(function, _)) = found.get(next) {
        next += 1;
        let Some(body) = program.body(function) else { continue };
        let repeated = inside_loops(program, body);
        for stmt in stmts_in(program.ast(), body) {
            let Some((call, place)) = fork(program, stmt) else { continue };
            let span = program.ast().stmts[stmt].span;
            let Some(site) = site(program, stmt) else {
                let what = if named_function(program, call.arguments[place]).is_some() {
                    "a thread runs a function without a body"
                } else {
                    "it is not known which function a thread runs"
                };
                return Err(Refusal::new(span, what));
            };
            if repeated.contains(&stmt) {
                return Err(Refusal::new(span, "threads are started in a loop").help("unroll it first"));
            }
            if found.iter().any(|(known, _)| *known == site.function) {
                let name = program.function_text(site.function);
                return Err(Refusal::new(span, format!("several threads run `{name}`"))
                    .help("run the pass `threads` before this one"));
            }
            found.push((site.function, Some(stmt)));
        }
    }
    let threads: FxHashSet<FunctionId> = found.iter().map(|(function, _)| *function).collect();
    let called = called_functions(program);
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        for stmt in stmts_in(program.ast(), body) {
            let span = program.ast().stmts[stmt].span;
            // A function that is only compared with, because threads have copies of it, starts nothing.
            let runs = !threads.contains(&function) && called.contains(&function);
            if runs && fork(program, stmt).is_some() {
                return Err(Refusal::new(span, "a thread is started in a function that is not inlined"));
            }
            if let Some(call) = statement_call(program, stmt)
                && let Some(callee) = call.function
                && threads.contains(&program.definition_of(callee))
            {
                let name = program.function_text(callee);
                return Err(Refusal::new(
                    span,
                    format!("`{name}` is a thread's function and is called, too"),
                ));
            }
        }
    }
    Ok(found)
}
