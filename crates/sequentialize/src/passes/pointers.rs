//! Calls through pointers become tests against the functions that they may be.
//!
//! Candidates are the defined functions of a compatible type whose address is taken somewhere. If the pointer is none of them,
//! the call is made through the pointer as before: it may be a function of the library.

use raddle_cfront::ast::{BinaryOp, ExprKind, FunctionId, StmtId, StmtKind};
use raddle_cfront::check::compatible::compatible;
use raddle_cfront::types::QualType;

use crate::calls::{Call, CallGraph, statement_call};
use crate::copy::copy_expr;
use crate::pass::{Pass, Refusal, Values};
use crate::passes::simplify;
use crate::program::Program;
use crate::visit::stmts_in;

/// The pass.
pub static PASS: Pass = Pass {
    name: "pointers",
    description: "calls through pointers become tests against the functions they may be",
    parameters: &[],
    run,
};

fn run(program: &mut Program, values: &Values) -> Result<(), Refusal> {
    simplify::run(program, values)?;
    let graph = CallGraph::of(program);
    for (unit, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        for stmt in stmts_in(program.ast(), body) {
            if let Some(call) = statement_call(program, stmt)
                && call.function.is_none()
            {
                split(program, unit, stmt, &call, &graph);
            }
        }
    }
    crate::order::in_time(program);
    Ok(())
}

/// The functions that a pointer may be.
pub(crate) fn candidates(
    program: &Program,
    unit: usize,
    graph: &CallGraph,
    pointer: QualType,
) -> Vec<FunctionId> {
    let ast = program.ast();
    let Some(target) = ast.types.pointee(pointer.id) else { return Vec::new() };
    let fits = |&&id: &&FunctionId| {
        let function = &ast.functions[id];
        let visible = !function.internal || program.unit_of(id) == Some(unit);
        function.body.is_some() && function.owner.is_none() && visible && compatible(ast, function.ty, target)
    };
    let mut found: Vec<FunctionId> = graph.taken.iter().filter(fits).copied().collect();
    // In the order of their definitions, whatever takes their addresses.
    let order: Vec<FunctionId> = program.definitions().into_iter().map(|(_, id)| id).collect();
    found.sort_by_key(|id| order.iter().position(|known| known == id));
    found
}

fn split(program: &mut Program, unit: usize, stmt: StmtId, call: &Call, graph: &CallGraph) {
    let pointer = program.ast().exprs[call.callee].ty;
    let mut rest = program.ast().stmts[stmt].kind.clone();
    for function in candidates(program, unit, graph, pointer).into_iter().rev() {
        let span = program.ast().stmts[stmt].span;
        let visible = declared_in(program, unit, function);
        let arguments = call.arguments.iter().map(|&argument| {
            let copy = copy_expr(program, argument);
            program.bare(copy)
        });
        let arguments = arguments.collect();
        let value = program.call(visible, arguments, span);
        let then = match call.target {
            Some(target) => {
                let target = copy_expr(program, target);
                program.assign_stmt(target, value, stmt)
            }
            None => program.expr_stmt(value, stmt),
        };
        let callee = copy_expr(program, call.callee);
        let callee = program.bare(callee);
        let ty = program.ast().functions[visible].ty;
        let name = program.tree.expr(ExprKind::Function(visible), ty, true, span);
        let condition = program.tree.operators().binary(BinaryOp::Equal, callee, name, span);
        let otherwise = program.stmt(rest, stmt);
        let condition = program.tree.condition(condition);
        rest = StmtKind::If { condition, then, otherwise: Some(otherwise) };
    }
    program.ast_mut().stmts[stmt].kind = rest;
}

/// The declaration by which a unit knows a function of another unit; the function itself at home or where it is not declared.
fn declared_in(program: &Program, unit: usize, function: FunctionId) -> FunctionId {
    let ast = program.ast();
    let known = ast.units[unit].items.iter().find_map(|item| match *item {
        raddle_cfront::ast::Item::Function { id, .. }
            if id == function || ast.functions[id].linked == Some(function) =>
        {
            Some(id)
        }
        _ => None,
    });
    known.unwrap_or(function)
}
