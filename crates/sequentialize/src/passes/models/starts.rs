//! Threads whose functions are known by their names start with a function of their own, not by a pointer in memory.
//!
//! Two models begin a thread with a function that takes the real one from memory: that of `thrd_create`, whose threads return
//! numbers, and that of `pthread_create` where the end of a thread matters (destructors of keys run there, for one). Where the real function is
//! known, `f__started` does the same without memory: which thread runs what stays known.

use raddle_base::Span;
use raddle_cfront::ast::{ExprId, ExprKind, FunctionId, Item, Stmt, StmtKind, Storage};
use raddle_cfront::types::{FunctionType, QualType, Type, TypeId, Types};
use rustc_hash::FxHashMap;

use crate::build::{new_function, new_var};
use crate::calls::{direct, named_function};
use crate::program::Program;
use crate::visit::exprs_in;

/// The model's question whether threads have something to do at their end.
pub(super) const END_MATTERS: &str = "__thread_end_matters";

/// A call that starts a thread.
struct Start {
    call: ExprId,
    arguments: Vec<ExprId>,
    /// What the thread runs, if that is named.
    function: Option<FunctionId>,
    is_c11: bool,
}

/// Gives threads with known functions functions of their own.
pub(super) fn run(program: &mut Program, end_matters: bool) {
    let find = |name: &str| {
        let found = program.definitions().into_iter().find(|(_, id)| program.function_text(*id) == name);
        found.map(|(_, id)| id)
    };
    let (Some(create), Some(create_c11)) = (find("__model_pthread_create"), find("__model_thrd_create"))
    else {
        return;
    };
    let destructors = find("__thread_run_destructors").filter(|_| end_matters);
    let starts = starts(program, create, create_c11);
    let all_known = starts.iter().all(|start| start.function.is_some());
    let destructors = destructors.filter(|_| all_known);
    let mut made: FxHashMap<(FunctionId, bool), FunctionId> = FxHashMap::default();
    for start in starts {
        let Some(function) = start.function.filter(|_| start.is_c11 || destructors.is_some()) else {
            continue;
        };
        let own =
            *made.entry((function, start.is_c11)).or_insert_with(|| started(program, function, destructors));
        replace(program, &start, create, own);
    }
    if destructors.is_some() {
        without_entry(program, create);
    }
}

/// The calls that start threads, those in the models themselves left out.
fn starts(program: &Program, create: FunctionId, create_c11: FunctionId) -> Vec<Start> {
    let mut found = Vec::new();
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function).filter(|_| function != create_c11) else { continue };
        for expr in exprs_in(program.ast(), body) {
            let ExprKind::Call { callee, arguments } = &program.ast().exprs[expr].kind else { continue };
            let callee = direct(program, *callee).map(|callee| program.definition_of(callee));
            let is_c11 = callee == Some(create_c11);
            if !is_c11 && callee != Some(create) {
                continue;
            }
            let place = if is_c11 { 1 } else { 2 };
            let named = arguments.get(place).and_then(|&argument| named_function(program, argument));
            let function = named.map(|(_, function)| program.definition_of(function));
            let function = function
                .filter(|&function| program.body(function).is_some() && fits(program, function, is_c11));
            found.push(Start { call: expr, arguments: arguments.to_vec(), function, is_c11 });
        }
    }
    found
}

/// Whether a function takes a pointer and gives a number, or a pointer.
fn fits(program: &Program, function: FunctionId, is_c11: bool) -> bool {
    let ast = program.ast();
    let Type::Function(ty) = ast.types.kind(ast.functions[function].ty.id) else { return false };
    let result = match ast.types.kind(ty.result.id) {
        Type::Int(_) => is_c11,
        Type::Pointer(_) => !is_c11,
        _ => false,
    };
    let pointers = ty.parameters.iter().all(|parameter| ast.types.pointee(parameter.id).is_some());
    result && pointers && ty.parameters.len() == 1 && !ty.variadic
}

/// `void *f__started(void *argument) { int result; result = f(argument); destructors(); return (void *)(long)result; }`
fn started(program: &mut Program, function: FunctionId, destructors: Option<FunctionId>) -> FunctionId {
    let span = program.ast().functions[function].span;
    let pointer = Types::void_pointer();
    let hint = format!("{}__started", program.function_text(function));
    let name = if program.ast().names.find(&hint).is_some() {
        program.fresh_name(&hint)
    } else {
        program.ast_mut().names.intern(&hint)
    };
    let ty = program.ast_mut().types.intern(Type::Function(FunctionType {
        result: QualType::plain(pointer),
        parameters: Box::new([QualType::plain(pointer)]),
        variadic: false,
        prototype: true,
    }));
    let mut new = new_function(name, QualType::plain(ty), span);
    new.internal = true;
    let new = program.ast_mut().functions.push(new);
    let kept = match program.ast().types.kind(program.ast().functions[function].ty.id) {
        Type::Function(ty) => program.ast().types.unqualified(ty.result),
        _ => pointer,
    };
    let local = |program: &mut Program, name: &str, ty: TypeId, storage: Storage| {
        let name = program.ast_mut().names.intern(name);
        program.ast_mut().vars.push(new_var(name, ty, storage, Some(new), span))
    };
    let argument = local(program, "argument", pointer, Storage::Parameter);
    let result = local(program, "result", kept, Storage::Automatic);
    let mut list = Vec::new();
    let mut push = |program: &mut Program, kind: StmtKind| {
        list.push(program.ast_mut().stmts.push(Stmt { kind, span: Span::NONE }));
    };
    push(program, StmtKind::Declare(vec![Item::Var { id: result, definition: true }]));
    let given = program.var(argument, span);
    let value = program.call(function, vec![given], span);
    let target = program.var(result, span);
    let assign = program.tree.operators().assign(target, value, span);
    push(program, StmtKind::Expr(assign));
    if let Some(destructors) = destructors {
        let call = program.call(destructors, Vec::new(), span);
        push(program, StmtKind::Expr(call));
    }
    let mut back = program.read(result, span);
    if let Type::Int(_) = program.ast().types.kind(kept) {
        back = program.tree.explicit_cast(back, QualType::plain(Types::long()), span);
    }
    let ast = program.ast();
    if !ast.types.same(ast.exprs[back].ty.id, pointer) {
        back = program.tree.explicit_cast(back, QualType::plain(pointer), span);
    }
    push(program, StmtKind::Return(Some(back)));
    let body = program.ast_mut().stmts.push(Stmt { kind: StmtKind::Block(list), span });
    let home = &mut program.ast_mut().functions[new];
    home.parameters = vec![argument];
    home.body = Some(body);
    program.ast_mut().units[0].items.push(Item::Function { id: new, definition: true });
    new
}

/// The call starts the thread with the function of its own.
fn replace(program: &mut Program, start: &Start, create: FunctionId, own: FunctionId) {
    let span = program.ast().exprs[start.call].span;
    let ty = program.ast().functions[own].ty;
    let name = program.tree.expr(ExprKind::Function(own), ty, true, span);
    let bare: Vec<ExprId> = start.arguments.iter().map(|&argument| program.bare(argument)).collect();
    let arguments = match (start.is_c11, &bare[..]) {
        (true, &[thread, _, argument]) => vec![thread, program.int(0, span), name, argument],
        (false, &[thread, attributes, _, argument]) => vec![thread, attributes, name, argument],
        _ => return,
    };
    let call = program.call(create, arguments, span);
    let call = program.ast().exprs[call].clone();
    program.ast_mut().exprs[start.call] = call;
}

/// The model need not ask any more whether the end matters.
fn without_entry(program: &mut Program, create: FunctionId) {
    let Some(body) = program.body(create) else { return };
    for expr in exprs_in(program.ast(), body) {
        if let ExprKind::Call { callee, .. } = program.ast().exprs[expr].kind
            && direct(program, callee).is_some_and(|function| program.function_text(function) == END_MATTERS)
        {
            program.ast_mut().exprs[expr].kind = ExprKind::Integer(0);
        }
    }
}
