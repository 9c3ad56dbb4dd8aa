//! Calls of the thread API and the C library go to their models.
//!
//! The models are C, written on a few primitives; they come along as a unit of their own, which is merged with the program
//! first. A call of `f` that the program does not define becomes a call of `__model_f`, arguments cast to what that takes.
//! Models with `...` are left out: what prints stays a call of the library. Afterwards what nobody needs is dropped.

mod around;
mod starts;

use raddle_base::Span;
use raddle_cfront::asked::{MODEL_PREFIX, Named, Reached};
use raddle_cfront::ast::{
    Ast, Attribute, ExprId, ExprKind, FunctionId, Init, InitPart, Item, StmtId, StmtKind, Storage, Subobject,
    UnaryOp, VarId,
};
use raddle_cfront::layout::access::unit;
use raddle_cfront::layout::align_of;
use raddle_cfront::opaque::{Looks, Opaque, copies_locks, looks};
use raddle_cfront::primitive::{Primitive, Question};
use raddle_cfront::types::{ArrayLength, QualType, Type, Types};
use rustc_hash::FxHashMap;

use crate::calls::{direct, statement_call};
use crate::pass::{Pass, Refusal, Values};
use crate::passes::{merge, prune, threads};
use crate::program::Program;
use crate::tidy::tidy;
use crate::visit::{Node, declared_here, each_expr, exprs_in, init_parts, stmts_in, walk};

/// The pass.
pub static PASS: Pass = Pass {
    name: "models",
    description: "calls of the thread API and the library go to their models in C",
    parameters: &[],
    run,
};

fn run(program: &mut Program, values: &Values) -> Result<(), Refusal> {
    let provided = provided_vars(program);
    let own: Vec<FunctionId> = program.own_definitions().into_iter().map(|(_, function)| function).collect();
    merge::run(program, values)?;
    // The library's own variables stay the library's.
    for item in &mut program.tree.ast.units[0].items {
        if let Item::Var { id, definition } = item
            && provided.contains(id)
        {
            *definition = false;
        }
    }
    for (_, var) in program.ast_mut().vars.iter_mut() {
        if var.linked.is_some_and(|definition| provided.contains(&definition)) {
            var.linked = None;
        }
    }
    for id in provided {
        let var = &mut program.ast_mut().vars[id];
        (var.init, var.defined) = (None, false);
    }
    // What models declare of races means nothing to a sequential program.
    for (_, function) in program.ast_mut().functions.iter_mut() {
        function.attributes.retain(|attribute| !matches!(attribute, Attribute::ForeignReads(_)));
    }
    // They are the program's own from here on.
    for (_, function) in program.definitions() {
        if program.function_text(function).starts_with(MODEL_PREFIX) {
            program.ast_mut().functions[function].internal = true;
        }
    }
    refuse_jumps(program)?;
    let mut named = named_functions(program);
    // The model of the one cancellation point with any number of arguments is left out.
    if named.has("pthread_cancel") && named.has("open") {
        return Err(Refusal::new(Span::NONE, "`open` in a program that cancels threads"));
    }
    around::main_calls(program, &mut named)?;
    let facts = ModelFacts {
        reached: Reached::from(program.ast(), &named),
        named,
        threads: looks(program.ast(), Opaque::Thread),
        keys: looks(program.ast(), Opaque::Key),
        copies_locks: copies_locks(program.ast()),
    };
    if facts.named.has("pthread_cancel") {
        around::cancellation_points(program, &own);
    }
    fewer_keys(program);
    cleanup_handlers(program);
    let models = models(program);
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        for expr in exprs_in(program.ast(), body) {
            redirect(program, &models, &facts, expr);
        }
    }
    fold_questions(program, Some(starts::END_MATTERS));
    let end_matters = answers(program)
        .into_iter()
        .any(|(function, answer)| program.function_text(function) == starts::END_MATTERS && answer != 0);
    starts::run(program, end_matters);
    fold_questions(program, None);
    for (_, function) in program.definitions() {
        tidy(program, function);
    }
    crate::order::in_time(program);
    prune::run(program, values)
}

/// Threads are left and come back in the middle of functions, so nobody could jump back into one.
fn refuse_jumps(program: &Program) -> Result<(), Refusal> {
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        for expr in exprs_in(program.ast(), body) {
            let ExprKind::Function(named) = program.ast().exprs[expr].kind else { continue };
            let name = program.function_text(named).trim_start_matches('_');
            let name = name.trim_start_matches("builtin_");
            let jumps = matches!(name, "setjmp" | "sigsetjmp" | "longjmp" | "siglongjmp" | "longjmp_chk");
            if jumps && program.body(named).is_none() {
                let span = program.ast().exprs[expr].span;
                return Err(Refusal::new(span, "`setjmp` and `longjmp` cannot be followed"));
            }
        }
    }
    Ok(())
}

/// Programs use few keys for thread-specific data, and loops over all that there may be are long: one for each program point in
/// `main` that makes a key, if it is not in a loop, and two for others. More than that are reported as unsupported when they are
/// made.
fn fewer_keys(program: &mut Program) {
    let mut keys = 0;
    for (_, function) in program.definitions() {
        let is_model = program.function_text(function).starts_with(MODEL_PREFIX);
        let Some(body) = program.body(function).filter(|_| !is_model) else { continue };
        keys += 2 * keys_made(program, body);
        if program.function_text(function) == "main" {
            let again = threads::inside_loops(program, body);
            for stmt in stmts_in(program.ast(), body) {
                if let StmtKind::Expr(_) = program.ast().stmts[stmt].kind
                    && !again.contains(&stmt)
                {
                    keys -= keys_made(program, stmt);
                }
            }
        }
    }
    for (_, function) in program.definitions() {
        let name = program.function_text(function);
        if !matches!(
            name,
            "__model_pthread_key_create"
                | "__thread_key_place"
                | "__thread_key_number"
                | "__thread_destroy_values"
        ) {
            continue;
        }
        let Some(body) = program.body(function) else { continue };
        for expr in exprs_in(program.ast(), body) {
            if let ExprKind::EnumConstant(id, place) = program.ast().exprs[expr].kind
                && let Some(constants) = &program.ast().enums[id].constants
                && program.ast().text(constants[place as usize].name) == "THREAD_KEYS"
                && program.constant(expr).is_some_and(|most| most > keys)
            {
                program.ast_mut().exprs[expr].kind = ExprKind::Integer(keys.max(1));
            }
        }
    }
}

/// At how many program points below a statement keys are made.
fn keys_made(program: &Program, stmt: StmtId) -> i128 {
    let makes_one = |expr: &ExprId| match program.ast().exprs[*expr].kind {
        ExprKind::Function(named) => {
            matches!(program.function_text(named), "pthread_key_create" | "tss_create")
        }
        _ => false,
    };
    let places = exprs_in(program.ast(), stmt).iter().filter(|expr| makes_one(expr)).count();
    i128::try_from(places).unwrap_or(i128::MAX / 4)
}

/// `pthread_cleanup_push`, as glibc's headers expand it: the handler and its argument are variables of the block in which a buffer
/// is registered. They are handed over to the model there.
fn cleanup_handlers(program: &mut Program) {
    let all = program.definitions();
    let Some(&(_, push)) =
        all.iter().find(|(_, id)| program.function_text(*id) == "__model__pthread_cleanup_push")
    else {
        return;
    };
    for (_, function) in all {
        let Some(body) = program.body(function) else { continue };
        for stmt in stmts_in(program.ast(), body) {
            let StmtKind::Block(list) = program.ast().stmts[stmt].kind.clone() else { continue };
            let declared: Vec<VarId> =
                list.iter().flat_map(|&stmt| declared_here(program.ast(), stmt)).collect();
            let variable = |name: &str| declared.iter().copied().find(|&var| program.var_text(var) == name);
            let (Some(routine), Some(argument)) = (variable("__cancel_routine"), variable("__cancel_arg"))
            else {
                continue;
            };
            for &stmt in &list {
                let Some(call) = statement_call(program, stmt) else { continue };
                let Some(callee) = call.function else { continue };
                if program.function_text(callee) != "__pthread_register_cancel" {
                    continue;
                }
                let span = program.ast().stmts[stmt].span;
                let Some(&buffer) = call.arguments.first() else { continue };
                let buffer = program.bare(buffer);
                let (routine, argument) = (program.var(routine, span), program.var(argument, span));
                let new = program.call(push, vec![buffer, routine, argument], span);
                let new = program.ast().exprs[new].clone();
                program.ast_mut().exprs[call.expr] = new;
            }
        }
    }
}

/// The functions without parameters that only return a constant.
fn answers(program: &Program) -> FxHashMap<FunctionId, i128> {
    let mut constants: FxHashMap<FunctionId, i128> = FxHashMap::default();
    for (_, function) in program.definitions() {
        if let Some(body) = program.body(function)
            && program.ast().functions[function].parameters.is_empty()
            && let StmtKind::Block(list) = &program.ast().stmts[body].kind
            && let [only] = list[..]
            && let StmtKind::Return(Some(value)) = program.ast().stmts[only].kind
            && let Some(value) = program.constant(value)
            && program.ast().functions[function].internal
        {
            constants.insert(function, value);
        }
    }
    constants
}

/// Calls of them become the constant; those of one of them may be kept.
fn fold_questions(program: &mut Program, kept: Option<&str>) {
    let mut constants = answers(program);
    constants.retain(|&function, _| kept != Some(program.function_text(function)));
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        for expr in exprs_in(program.ast(), body) {
            if let ExprKind::Call { callee, .. } = program.ast().exprs[expr].kind
                && let Some(called) = direct(program, callee)
                && let Some(&value) = constants.get(&program.definition_of(called))
                && program.ast().types.same(program.ast().exprs[expr].ty.id, Types::int())
                && value >= 0
            {
                program.ast_mut().exprs[expr].kind = ExprKind::Integer(value);
            }
        }
    }
}

/// The variables with external linkage that the models define.
fn provided_vars(program: &Program) -> Vec<VarId> {
    let units = &program.ast().units;
    let models = units.len().saturating_sub(program.models);
    let mut found = Vec::new();
    for item in units[models..].iter().flat_map(|unit| &unit.items) {
        if let Item::Var { id, definition: true } = *item
            && program.ast().vars[id].storage == Storage::External
        {
            found.push(id);
        }
    }
    found
}

/// All functions and variables that the program itself names, also in initialisers.
fn named_functions(program: &Program) -> Named {
    let ast = program.ast();
    let mut named = Named::default();
    for (_, function) in program.definitions() {
        if program.function_text(function).starts_with(MODEL_PREFIX) {
            continue;
        }
        let Some(body) = program.body(function) else { continue };
        each_expr(ast, body, &mut |expr| named.look_at(ast, &ast.exprs[expr].kind));
    }
    for init in ast.vars.values().filter_map(|var| var.init.as_ref()) {
        init_parts(&mut init.clone(), &mut |expr| {
            walk(ast, Node::Expr(*expr), &mut |node| {
                if let Node::Expr(expr) = node {
                    named.look_at(ast, &ast.exprs[expr].kind);
                }
                true
            });
        });
    }
    named
}

/// The model of each function that has one and no body.
fn models(program: &Program) -> FxHashMap<FunctionId, FunctionId> {
    let by_name: FxHashMap<&str, FunctionId> =
        program.definitions().into_iter().map(|(_, id)| (program.function_text(id), id)).collect();
    let mut found = FxHashMap::default();
    for (id, function) in program.ast().functions.iter() {
        if function.body.is_some() || function.linked.is_some() {
            continue;
        }
        let name = program.ast().text(function.name);
        let name = name.strip_prefix("__builtin_").unwrap_or(name);
        if let Some(&model) = by_name.get(format!("{MODEL_PREFIX}{name}").as_str())
            && !is_variadic(program, model)
            && !by_name.contains_key(name)
        {
            found.insert(id, model);
        }
    }
    found
}

/// For a function that copies memory: the model that does so by units, and the unit that the types of the pointers guarantee.
/// Lowering chooses in the same way.
fn copying(program: &Program, model: FunctionId, arguments: &[ExprId]) -> Option<(FunctionId, i128)> {
    let name = format!("{}_by", program.function_text(model));
    let by_units = program.definitions().into_iter().find(|(_, id)| program.function_text(*id) == name)?.1;
    let ast = program.ast();
    let alignment = arguments.iter().filter_map(|argument| pointed_alignment(ast, *argument)).min();
    Some((by_units, unit(ast.model, alignment.unwrap_or(1)).into()))
}

/// The alignment of what an argument points to, before it became a pointer to `void`; nothing if it is no pointer.
fn pointed_alignment(ast: &Ast, mut argument: ExprId) -> Option<u64> {
    let is_void = |pointee: QualType| matches!(ast.types.kind(pointee.id), Type::Void);
    let mut pointee = ast.types.pointee(ast.exprs[argument].ty.id)?;
    while is_void(pointee)
        && let ExprKind::Cast { operand, .. } = ast.exprs[argument].kind
        && let Some(inner) = ast.types.pointee(ast.exprs[operand].ty.id)
    {
        (argument, pointee) = (operand, inner);
    }
    let known = if is_void(pointee) { None } else { align_of(ast, pointee).ok() };
    Some(known.unwrap_or(1))
}

fn is_variadic(program: &Program, function: FunctionId) -> bool {
    match program.ast().types.kind(program.ast().functions[function].ty.id) {
        Type::Function(ty) => ty.variadic,
        _ => true,
    }
}

/// What the models ask about the program.
struct ModelFacts {
    /// The functions that it names, and those of the models that it reaches by that.
    named: Named,
    reached: Reached,
    /// How it looks at handles of threads, and at keys.
    threads: Looks,
    keys: Looks,
    /// Whether it may copy locks.
    copies_locks: bool,
}

fn redirect(
    program: &mut Program,
    models: &FxHashMap<FunctionId, FunctionId>,
    facts: &ModelFacts,
    expr: ExprId,
) {
    let span = program.ast().exprs[expr].span;
    match program.ast().exprs[expr].kind.clone() {
        ExprKind::Call { callee, arguments } => {
            let Some(function) = direct(program, callee) else { return };
            if let Some(Primitive::Question(question)) = program.primitive(function) {
                let fact = match question {
                    Question::Uses => {
                        let name = text_argument(program, &arguments);
                        i128::from(name.is_some_and(|name| facts.named.has(&name)))
                    }
                    Question::Reaches => {
                        let name = text_argument(program, &arguments);
                        i128::from(name.is_some_and(|name| facts.reached.has(&name)))
                    }
                    Question::ThreadsLookedAt => facts.threads as i128,
                    Question::KeysLookedAt => facts.keys as i128,
                    Question::LocksCopied => i128::from(facts.copies_locks),
                    Question::KeepsThreadsApart => 1,
                };
                program.ast_mut().exprs[expr].kind = ExprKind::Integer(fact);
                return;
            }
            let Some(&model) = models.get(&function) else { return };
            let mut arguments = arguments.into_vec();
            let model = match copying(program, model, &arguments) {
                Some((by_units, unit)) => {
                    arguments.push(program.int(unit, span));
                    by_units
                }
                None => model,
            };
            let parameters = match program.ast().types.kind(program.ast().functions[model].ty.id) {
                Type::Function(ty) => ty.parameters.clone(),
                _ => return,
            };
            if parameters.len() != arguments.len() {
                return;
            }
            let arguments: Vec<ExprId> = arguments
                .iter()
                .zip(&parameters)
                .map(|(&argument, &parameter)| fit(program, argument, parameter))
                .collect();
            let call = program.call(model, arguments, span);
            let ty = program.ast().exprs[expr].ty;
            let ast = program.ast();
            let same = ast.types.same(ast.exprs[call].ty.id, ty.id);
            let is_record = matches!(ast.types.kind(ty.id), Type::Record(_));
            let new = match (same, is_record) {
                (true, _) => call,
                (false, true) => record_as(program, call, ty),
                (false, false) => program.tree.explicit_cast(call, ty, span),
            };
            let new = program.ast().exprs[new].clone();
            program.ast_mut().exprs[expr] = new;
        }
        // Its address.
        ExprKind::Cast { operand, .. } => {
            if let ExprKind::Function(function) = program.ast().exprs[operand].kind
                && let Some(&model) = models.get(&function)
                && !is_callee(program, expr)
            {
                let ty = program.ast().functions[model].ty;
                let name = program.tree.expr(ExprKind::Function(model), ty, true, span);
                let wanted = program.ast().exprs[expr].ty;
                let cast = program.tree.explicit_cast(name, wanted, span);
                let new = program.ast().exprs[cast].clone();
                program.ast_mut().exprs[expr] = new;
            }
        }
        _ => {}
    }
}

/// A structure that a model gives, as the program knows it: `(0, *(ty *)(type of the model [1]){call})`.
fn record_as(program: &mut Program, call: ExprId, ty: QualType) -> ExprId {
    let span = program.ast().exprs[call].span;
    let element = QualType::plain(program.ast().types.unqualified(program.ast().exprs[call].ty));
    let array = program.ast_mut().types.intern(Type::Array { element, length: ArrayLength::Fixed(1) });
    let part = InitPart { subobject: Subobject::Elements { first: 0, last: 0 }, value: Init::Expr(call) };
    let init = Init::Aggregate(vec![part]);
    let literal = ExprKind::CompoundLiteral { init, static_storage: false };
    let literal = program.tree.expr(literal, array, true, span);
    let unqualified = program.ast().types.unqualified(ty);
    let pointer = program.ast_mut().types.pointer_to(unqualified.into());
    let pointer = program.tree.explicit_cast(literal, pointer.into(), span);
    let object = program.tree.operators().unary(UnaryOp::Deref, pointer, span);
    let first = program.int(0, span);
    program.tree.primaries().comma(first, object)
}

/// Whether the decayed name is what a call calls. Calls come before their parts, so these are done already.
fn is_callee(program: &Program, decayed: ExprId) -> bool {
    program
        .ast()
        .exprs
        .values()
        .any(|expr| matches!(expr.kind, ExprKind::Call { callee, .. } if callee == decayed))
}

/// An argument in the type that the model takes.
fn fit(program: &mut Program, argument: ExprId, parameter: QualType) -> ExprId {
    let bare = program.bare(argument);
    let value = program.tree.rvalue(bare);
    let ast = program.ast();
    let pointers = ast.types.pointee(ast.exprs[value].ty.id).is_some()
        || ast.types.pointee(parameter.id).is_some() && program.constant(value) != Some(0);
    if pointers && !ast.types.same(ast.exprs[value].ty.id, parameter.id) {
        let span = ast.exprs[argument].span;
        return program.tree.explicit_cast(bare, parameter, span);
    }
    bare
}

/// The text of a string literal that is the only argument.
fn text_argument(program: &Program, arguments: &[ExprId]) -> Option<String> {
    let [argument] = arguments else { return None };
    match &program.ast().exprs[program.bare(*argument)].kind {
        ExprKind::String(literal) => literal.units.iter().map(|&unit| char::from_u32(unit)).collect(),
        _ => None,
    }
}
