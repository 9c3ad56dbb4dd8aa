//! What runs around `main` though nobody calls it: constructors and destructors, handlers for the exit, and tests whether the thread
//! was cancelled. Lowering does the same for the input.

use raddle_base::Span;
use raddle_cfront::asked::Named;
use raddle_cfront::ast::{Attribute, ExprId, ExprKind, FunctionId, Init, StmtId, StmtKind};
use raddle_cfront::library::OPTIONAL_CANCELLATION_POINTS;
use raddle_cfront::types::Type;

use crate::calls::direct;
use crate::pass::Refusal;
use crate::program::Program;
use crate::visit::{exprs_in, stmts_in};

fn find(program: &Program, name: &str) -> Option<FunctionId> {
    program.definitions().into_iter().find(|(_, id)| program.function_text(*id) == name).map(|(_, id)| id)
}

/// A function that runs before or behind `main`, with its priority: those without one come last.
type Around = (u32, FunctionId);

/// Calls of what runs before and behind `main`, from `main`. `named` are the functions that the program names.
pub(super) fn main_calls(program: &mut Program, named: &mut Named) -> Result<(), Refusal> {
    let Some(main) = find(program, "main") else { return Ok(()) };
    let Some(body) = program.body(main) else { return Ok(()) };
    let (constructors, destructors) = around(program)?;
    let mut first = Vec::new();
    // Handlers run in reverse order, so the destructors, noted first, run last.
    if let Some(at_exit) = find(program, "__model_atexit").filter(|_| !destructors.is_empty()) {
        named.add("atexit");
        for (_, destructor) in destructors {
            let span = program.ast().functions[destructor].span;
            let ty = program.ast().functions[destructor].ty;
            let name = program.tree.expr(ExprKind::Function(destructor), ty, true, span);
            let call = program.call(at_exit, vec![name], span);
            first.push(program.expr_stmt(call, body));
        }
    }
    for (_, constructor) in constructors {
        let span = program.ast().functions[constructor].span;
        let call = program.call(constructor, Vec::new(), span);
        first.push(program.expr_stmt(call, body));
    }
    let exit = find(program, "__model_exit")
        .filter(|_| ["atexit", "on_exit"].into_iter().any(|name| named.has(name)));
    if (exit.is_some() || !first.is_empty()) && named.has("main") {
        let message = "`main` is called, and something runs before or behind it";
        return Err(Refusal::new(program.ast().functions[main].span, message));
    }
    if let Some(exit) = exit {
        exit_at_returns(program, exit, body);
    }
    if let StmtKind::Block(list) = &mut program.ast_mut().stmts[body].kind {
        list.splice(0..0, first);
    }
    Ok(())
}

/// The constructors and the destructors, in order. They are called by name from here on.
fn around(program: &mut Program) -> Result<(Vec<Around>, Vec<Around>), Refusal> {
    let (mut constructors, mut destructors): (Vec<Around>, Vec<Around>) = (Vec::new(), Vec::new());
    for (_, id) in program.definitions() {
        let function = &program.ast().functions[id];
        for attribute in &function.attributes {
            let (list, priority) = match attribute {
                Attribute::Constructor(priority) => (&mut constructors, priority),
                Attribute::Destructor(priority) => (&mut destructors, priority),
                Attribute::Weak
                | Attribute::Alias(_)
                | Attribute::Cleanup(_)
                | Attribute::ReturnsTwice
                | Attribute::AlwaysInline
                | Attribute::NoInline
                | Attribute::ForeignReads(_) => continue,
            };
            if !function.parameters.is_empty() {
                let message = "a constructor or destructor with parameters";
                return Err(Refusal::new(function.span, message));
            }
            list.push((priority.unwrap_or(u32::MAX), id));
        }
    }
    for &(_, id) in constructors.iter().chain(&destructors) {
        let is_around =
            |attribute: &Attribute| matches!(attribute, Attribute::Constructor(_) | Attribute::Destructor(_));
        program.ast_mut().functions[id].attributes.retain(|attribute| !is_around(attribute));
    }
    constructors.sort_by_key(|(priority, _)| *priority);
    destructors.sort_by_key(|(priority, _)| *priority);
    Ok((constructors, destructors))
}

/// Where `main` returns, the process ends with all that belongs to that.
fn exit_at_returns(program: &mut Program, exit: FunctionId, body: StmtId) {
    for stmt in stmts_in(program.ast(), body) {
        let StmtKind::Return(value) = program.ast().stmts[stmt].kind else { continue };
        let span = program.ast().stmts[stmt].span;
        let status = match value {
            Some(value) => program.bare(value),
            None => program.int(0, span),
        };
        let call = program.call(exit, vec![status], span);
        let end = program.expr_stmt(call, stmt);
        program.ast_mut().stmts[stmt].kind = StmtKind::Block(vec![end]);
    }
    let status = program.int(0, Span::NONE);
    let call = program.call(exit, vec![status], Span::NONE);
    let end = program.expr_stmt(call, body);
    if let StmtKind::Block(list) = &mut program.ast_mut().stmts[body].kind {
        list.push(end);
    }
}

/// Behind calls that may be cancellation points in the program's own functions, it is tested whether the thread ends there.
pub(super) fn cancellation_points(program: &mut Program, own: &[FunctionId]) {
    let Some(test) = find(program, "__model___cancel_optional") else { return };
    for &function in own {
        let Some(body) = program.body(function) else { continue };
        for expr in exprs_in(program.ast(), body) {
            if may_be_point(program, expr) {
                test_behind(program, (function, body), expr, test);
            }
        }
    }
}

fn may_be_point(program: &Program, expr: ExprId) -> bool {
    let ExprKind::Call { callee, .. } = program.ast().exprs[expr].kind else { return false };
    let Some(function) = direct(program, callee) else { return false };
    let name = program.function_text(function);
    program.body(program.definition_of(function)).is_none()
        && OPTIONAL_CANCELLATION_POINTS.contains(&name.strip_prefix("__builtin_").unwrap_or(name))
}

/// `({ ty result = call; test(); result; })` in place of a call.
fn test_behind(
    program: &mut Program,
    (function, body): (FunctionId, StmtId),
    expr: ExprId,
    test: FunctionId,
) {
    let old = program.ast().exprs[expr].clone();
    let (ty, span) = (program.ast().types.unqualified(old.ty), old.span);
    let call = program.ast_mut().exprs.push(old);
    let tests = program.call(test, Vec::new(), span);
    let new = if matches!(program.ast().types.kind(ty), Type::Void) {
        program.tree.primaries().comma(call, tests)
    } else {
        let (var, declaration) = program.local(function, "result", ty, span, body);
        program.ast_mut().vars[var].init = Some(Init::Expr(call));
        let tests = program.expr_stmt(tests, body);
        let result = program.var(var, span);
        let result = program.expr_stmt(result, body);
        let block = program.block(vec![declaration, tests, result], body);
        program.tree.expr(ExprKind::Statement(block), ty, false, span)
    };
    let new = program.ast().exprs[new].clone();
    program.ast_mut().exprs[expr] = new;
}
