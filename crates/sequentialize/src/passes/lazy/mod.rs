//! Lazy sequentialization for bounded programs: a sequential program that goes through the interleavings of a concurrent one,
//! round by round.
//!
//! The schema of Inverso, Tomasco, Fischer, La Torre and Parlato (CAV 2014). Each thread function is called once in a round and
//! keeps its variables in between. In each call the driver guesses at which label the thread is left; the function jumps from
//! label to label to where it was left in the round before (`J`), goes on from there, and jumps from label to label to its end
//! when the guessed one is reached. Where control comes to a place by a jump, it is assumed that the guess does not lie in what
//! was jumped over (`G`).
//!
//! The input is what the passes before make of a program: every thread has a function of its own ([`super::threads`]) whose
//! variables are static ([`super::statics`]) and whose visible statements have labels ([`super::labels`]). Calls of the
//! primitives of the thread models become calls of the functions of `runtime.c`, which are plain sequential C.
//!
//! An assertion fails in the sequential program exactly when it fails in an execution of the input in which threads take turns
//! in the order of their numbers, for as many rounds. A thread that cannot go on (a lock that is held, an assumption that
//! does not hold) ends the whole simulation, but the same prefix is simulated with the thread left before it.

mod runtime;
mod thread;

use raddle_cfront::ast::{ExprKind, FunctionId, Init, InitPart, Item, Place, StmtKind, VarId};
use raddle_cfront::types::{ArrayLength, FunctionType, QualType, Type, Types};

use crate::calls::statement_call;
use crate::names::function_name_object;
use crate::pass::{Parameter, ParameterKind, Pass, Refusal, Values};
use crate::passes::threads::{called_functions, thread_functions};
use crate::passes::unroll::cut;
use crate::passes::{labels, merge};
use crate::program::Program;
use crate::tidy::tidy;
use crate::visit::{exprs_in, stmts_in};

/// The pass.
pub static PASS: Pass = Pass {
    name: "lazy",
    description: "a sequential program that goes through the interleavings in round-robin rounds",
    parameters: &[
        Parameter {
            name: "rounds",
            description: "how many rounds",
            kind: ParameterKind::Number { least: 1, most: 1_000, default: 2 },
        },
        Parameter {
            name: "schedule",
            description: "which threads take part in each round, as in `main+t1:t1+t2:main`; all if not said",
            kind: ParameterKind::Text,
        },
    ],
    run,
};

fn run(program: &mut Program, values: &Values) -> Result<(), Refusal> {
    let threads = thread_functions(program)?;
    let Some(&(main, _)) = threads.first() else { return Ok(()) };
    let functions: Vec<FunctionId> = threads.iter().map(|(function, _)| *function).collect();
    let place = program.ast().functions[main].span;
    let schedule = schedule(values, functions.len()).map_err(|message| Refusal::new(place, message))?;
    let sizes: Vec<u32> = functions.iter().map(|&function| labels::count(program, function)).collect();
    if let Some(unlabelled) = sizes.iter().position(|&size| size == 0) {
        let place = program.ast().functions[functions[unlabelled]].span;
        return Err(
            Refusal::new(place, "a thread function has no labels").help("run the pass `labels` before")
        );
    }
    let parameters: Vec<Vec<VarId>> =
        functions.iter().map(|&function| program.ast().functions[function].parameters.clone()).collect();
    for (number, &function) in functions.iter().enumerate() {
        prepare(program, function, number);
    }
    let names: Vec<String> =
        functions.iter().map(|&function| program.function_text(function).to_owned()).collect();
    let ends: Vec<u32> = sizes.iter().map(|size| size - 1).collect();
    let text = runtime::text(&names, &ends, &schedule);
    add_unit(program, &text)?;
    merge::run(program, values)?;
    let runtime = runtime::Runtime::find(program, functions.len());
    primitives(program, &runtime, &functions)?;
    for (number, &function) in functions.iter().enumerate() {
        thread::transform(program, &runtime, function, number, ends[number], &parameters[number])?;
    }
    thread_locals(program, &runtime, functions.len());
    for &function in &functions {
        tidy(program, function);
    }
    crate::order::in_time(program);
    super::prune::run(program, values)
}

/// Which threads take part in each round, by their numbers.
fn schedule(values: &Values, threads: usize) -> Result<Vec<Vec<usize>>, String> {
    let text = values.text(1);
    if text.is_empty() {
        let rounds = values.number(0) as usize;
        return Ok(vec![(0..threads).collect(); rounds]);
    }
    let mut rounds = Vec::new();
    for round in text.split(':') {
        let mut pool = Vec::new();
        for name in round.split('+') {
            let number = match name {
                "main" => Some(0),
                _ => name.strip_prefix('t').and_then(|number| number.parse::<usize>().ok()),
            };
            match number {
                Some(number) if number < threads => pool.push(number),
                Some(number) => {
                    return Err(format!("there is no thread {number}; the last is {}", threads - 1));
                }
                None => return Err(format!("`{name}` names no thread: say `main`, `t1`, `t2` and so on")),
            }
        }
        pool.sort_unstable();
        pool.dedup();
        rounds.push(pool);
    }
    if rounds.first().is_some_and(|pool| !pool.contains(&0)) {
        return Err("`main` must take part in the first round: without it nothing starts".to_owned());
    }
    Ok(rounds)
}

/// A thread function takes and gives nothing any more; `main` makes room for the driver.
fn prepare(program: &mut Program, function: FunctionId, number: usize) {
    let ty = program.ast_mut().types.intern(Type::Function(FunctionType {
        result: QualType::plain(Types::void()),
        parameters: Box::new([]),
        variadic: false,
        prototype: true,
    }));
    own_names(program, function);
    let name = if number == 0 { Some(program.ast_mut().names.intern("main__thread_0")) } else { None };
    let declared = &mut program.ast_mut().functions[function];
    declared.ty = QualType::plain(ty);
    declared.parameters.clear();
    declared.internal = false;
    declared.old_style = false;
    declared.noreturn = false;
    if let Some(name) = name {
        declared.name = name;
    }
    // What named it before, to start it, is a node of the old type; it goes with the call.
}

/// A function's own name must not change with its name.
fn own_names(program: &mut Program, function: FunctionId) {
    let Some(body) = program.body(function) else { return };
    for expr in exprs_in(program.ast(), body) {
        let found = program.ast().exprs[expr].clone();
        if let ExprKind::FunctionName(name, text) = found.kind {
            let (object, new) = function_name_object(program, name, &text, found.ty, found.span);
            if new {
                let item = Item::Var { id: object, definition: true };
                program.ast_mut().units[0].items.insert(0, item);
            }
            program.ast_mut().exprs[expr].kind = ExprKind::Var(object);
        }
    }
}

/// Reads a text as one more unit, and links it.
fn add_unit(program: &mut Program, text: &str) -> Result<(), Refusal> {
    use raddle_cfront::ast::Ast;
    use raddle_cfront::link::{UnitRange, link};
    let model = program.ast().model;
    let none = raddle_base::Span::NONE;
    let Some(file) = program.sources.add("<lazy>/runtime.c", text.as_bytes().to_vec()) else {
        return Err(Refusal::new(none, "the program's texts are too large"));
    };
    let before = UnitRange::starting(&Ast::new(model)).ending(program.ast());
    let start = UnitRange::starting(program.ast());
    let empty = raddle_cfront::check::Checker::new(model);
    let tree = std::mem::replace(&mut program.tree, empty);
    program.tree = raddle_cfront::parse_unit(&mut program.sources, file, tree);
    let added = start.ending(program.ast());
    let mut diagnostics = raddle_base::Diagnostics::new();
    link(&mut program.tree.ast, &[before, added], &mut diagnostics);
    program.tree.diagnostics.append(diagnostics);
    Ok(())
}

/// Calls of primitives become calls of the runtime, and the borders of atomic sections go.
fn primitives(
    program: &mut Program,
    runtime: &runtime::Runtime,
    threads: &[FunctionId],
) -> Result<(), Refusal> {
    let called = called_functions(program);
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        let is_thread = threads.contains(&function);
        for stmt in stmts_in(program.ast(), body) {
            let Some(call) = statement_call(program, stmt) else { continue };
            let Some(callee) = call.function else { continue };
            let name = program.function_text(callee).to_owned();
            if program.body(program.definition_of(callee)).is_some() {
                continue;
            }
            let span = program.ast().stmts[stmt].span;
            match name.as_str() {
                "__raddle_atomic_begin"
                | "__raddle_atomic_end"
                | "__VERIFIER_atomic_begin"
                | "__VERIFIER_atomic_end" => program.ast_mut().stmts[stmt].kind = StmtKind::Empty,
                "__raddle_fork" | "__raddle_exit_thread" if !is_thread => {
                    if called.contains(&function) {
                        let message = "a thread is started or ended in a function that is not inlined";
                        return Err(Refusal::new(span, message));
                    }
                    // Nobody calls it by its name: only a pointer that was not told apart could lead here.
                    let end = cut(program, 0, 1, stmt);
                    let kind = program.ast().stmts[end].kind.clone();
                    program.ast_mut().stmts[stmt].kind = kind;
                }
                "__raddle_fork" => thread::create(program, runtime, stmt, &call, threads)?,
                "pthread_create" | "thrd_create" => {
                    return Err(Refusal::new(span, format!("`{name}` is called directly"))
                        .help("run the pass `models` first"));
                }
                _ => {
                    if let Some(replacement) = runtime.replacement(&name) {
                        let arguments =
                            call.arguments.iter().map(|&argument| program.bare(argument)).collect();
                        let new = program.call(replacement, arguments, span);
                        let new = program.ast().exprs[new].clone();
                        program.ast_mut().exprs[call.expr] = new;
                    }
                }
            }
        }
    }
    Ok(())
}

/// A thread-local variable becomes an array with a place for each thread.
fn thread_locals(program: &mut Program, runtime: &runtime::Runtime, threads: usize) {
    let length = u64::try_from(threads).unwrap_or(u64::MAX);
    let mut found: Vec<VarId> = Vec::new();
    for item in &program.ast().units[0].items {
        if let Item::Var { id, .. } = *item
            && program.ast().vars[id].thread_local
            && !found.contains(&id)
        {
            found.push(id);
        }
    }
    for &var in &found {
        let element = program.ast().vars[var].ty;
        let array = Type::Array { element, length: ArrayLength::Fixed(length) };
        let ty = program.ast_mut().types.intern(array);
        let variable = &mut program.ast_mut().vars[var];
        variable.ty = QualType::plain(ty);
        variable.thread_local = false;
        if let Some(init) = variable.init.take() {
            let place = Place::Elements { first: 0, last: length - 1 };
            variable.init = Some(Init::Aggregate(vec![InitPart { place, value: init }]));
        }
    }
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        for expr in exprs_in(program.ast(), body) {
            let ExprKind::Var(var) = program.ast().exprs[expr].kind else { continue };
            if !found.contains(&var) {
                continue;
            }
            let span = program.ast().exprs[expr].span;
            let whole = program.var(var, span);
            let number = program.var(runtime.current, span);
            let place = program.tree.index(whole, number, span);
            let place = program.ast().exprs[place].clone();
            program.ast_mut().exprs[expr] = place;
        }
    }
}
