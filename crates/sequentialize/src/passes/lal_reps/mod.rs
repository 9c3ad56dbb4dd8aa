//! Lal-Reps sequentialization: a sequential program in which threads run one after the other, each once and to its end, on one
//! copy of the shared memory for each round.
//!
//! The schema of Lal and Reps: "Reducing Concurrent Analysis Under a Context Bound to Sequential Analysis" (CAV 2008; Formal
//! Methods in System Design 35, 2009), with dynamic creation of threads. The contents of
//! memory at the beginning of the second and later rounds are guessed. Threads run in the order of their ids, each from
//! the round in which it was started; before each visible statement a thread may continue in a later round, or stop for good. When
//! all have run, what the last thread left at the end of each round must be what was guessed for the next one. A violation is
//! only written down when it is met, and reported behind that comparison: nothing is ever reported from memory that was guessed
//! wrong. Of two violations the one that comes first in time is reported: threads that would run after it do nothing.
//!
//! The input is that of the pass `lazy`: threads have functions of their own ([`super::threads`]), their variables are static
//! ([`super::statics`]), visible statements have labels ([`super::labels`]). The same thread ids, rounds and switch points
//! mean the same: an assertion fails in one sequential program exactly when it fails in the other.
//!
//! Pointers lead to the first copy of an object, and are moved to the copy of the round where something is accessed through them
//! (`points`, `copies`, `rewrite`); an access never leaves its copy for that of another round (`within`). A guessed pointer is one
//! of those that may ever be there (`memory`). Refused by name: pointers that cannot be followed, memory from the heap among them;
//! unions accessed in several ways; values that cannot be guessed.
//!
//! # Names in the printed program
//!
//! Others rely on these; they do not change.
//!
//! - `__raddle_current`, `__raddle_round`: the driver (`main`) assigns them, in this order, before each thread runs: the id of the
//!   thread, and the round in which it was started, from 0. Threads run in the order of their ids, each once.
//! - `__raddle_leave`, `__raddle_round`: assigned in this order at each switch point: the label's number, and the round in which
//!   the thread continues from there; the number of rounds when it stops for good. So a thread is preempted at that label in all
//!   rounds from the one before to the one that is assigned, this one not included.
//! - `__raddle_error`: assigned with a number other than 0 when a violation is met, in the round `__raddle_round` of the thread
//!   `__raddle_current`. The last of these assignments is the violation that comes first in time, and that one is reported:
//!   what threads do in later rounds, or in the same round with a greater id, is over then.
//! - `__raddle_point_N:` in a thread function: the label with number `N`. The first is the beginning, the last the end.
//! - `__raddle_guess`, `__raddle_check`, `__raddle_report`: the functions that guess memory, compare it and report.
//!   Nondeterministic calls in functions of the runtime, whose names begin so, belong to the schema; all others are of the input,
//!   or stand for variables and memory without initial values.
//! - An object with copies is an array of them: `x[__raddle_round]`.

mod accesses;
mod copies;
mod flows;
mod freed;
mod heap;
mod memory;
mod points;
mod rewrite;
mod runtime;
mod thread;
mod unread;
mod violations;
mod within;

use raddle_cfront::ast::{
    ExprId, ExprKind, FunctionId, Init, Item, StmtId, StmtKind, Storage, UnaryOp, VarId,
};
use raddle_cfront::primitive::Primitive;
use rustc_hash::FxHashSet;

use crate::access::{Root, root};
use crate::added::add_unit;
use crate::calls::statement_call;
use crate::pass::{Parameter, ParameterKind, Pass, Refusal, Values};
use crate::passes::labels;
use crate::passes::threads::thread_functions;
use crate::program::Program;
use crate::sequential::Sequential;
use crate::tidy::tidy;
use crate::turns;
use crate::visit::stmts_in;

/// The pass.
pub static PASS: Pass = Pass {
    name: "lal_reps",
    description: "a sequential program that runs threads one after the other on guessed copies of memory",
    parameters: &[
        Parameter {
            name: "rounds",
            description: "how many rounds",
            kind: ParameterKind::Number { least: 1, most: 200, default: 2 },
        },
        Parameter {
            name: "misuse",
            description: "whether misused locks are violations, which end a thread as failed assertions do",
            kind: ParameterKind::Choice(labels::SWITCH),
        },
    ],
    run,
};

fn run(program: &mut Program, values: &Values) -> Result<(), Refusal> {
    let misuse = values.choice(1) == 1;
    let threads = thread_functions(program)?;
    if threads.is_empty() {
        return Ok(());
    }
    let functions: Vec<FunctionId> = threads.iter().map(|(function, _)| *function).collect();
    for &function in &functions {
        if labels::count(program, function) == 0 {
            let place = program.ast().functions[function].span;
            return Err(
                Refusal::new(place, "a thread function has no labels").help("run the pass `labels` before")
            );
        }
    }
    violations::no_hidden_calls(program, misuse)?;
    let given: Vec<Vec<VarId>> =
        functions.iter().map(|&function| program.ast().functions[function].parameters.clone()).collect();
    for (_, function) in program.definitions() {
        turns::own_names(program, function);
    }
    let mut table = turns::table(program, &threads);
    for (number, &function) in functions.iter().enumerate() {
        turns::prepare(program, function, number);
        program.function_text(function).clone_into(&mut table[number].name);
    }
    let names: Vec<String> =
        functions.iter().map(|&function| program.function_text(function).to_owned()).collect();
    let rounds = values.number(0);
    let pools = (0..rounds).map(|_| (0..functions.len()).collect()).collect();
    program.sequential = Some(Sequential { threads: table, rounds: pools });
    add_unit(program, "<lal_reps>/runtime.c", &runtime::text(&names, rounds))?;
    let runtime = runtime::Runtime::find(program);
    arguments(program, &runtime, &given);
    let mut rewritten = thread::Threads::new(program, &runtime, &functions, &given, misuse);
    rewritten.run()?;
    let violations = rewritten.violations;
    unread::drop_unread(program);
    let named = heap::objects(program, &functions);
    freed::follow(program, &runtime, &named);
    for &function in &functions {
        tidy(program, function);
    }
    let own = turns::thread_locals(program, runtime.current, functions.len());
    // What a thread is given is written before the thread runs, also in the order of the sequential program.
    let own: Vec<VarId> = [own, runtime.own.clone(), given.concat()].concat();
    memory_of_rounds(program, &runtime, &functions, &own, u64::from(rounds))?;
    let report = violations::reports_of(program, runtime.error, &violations);
    fill(program, runtime.report, report);
    for (_, function) in program.definitions() {
        tidy(program, function);
    }
    crate::order::in_time(program);
    super::prune::run(program, values)
}

/// What a thread is given lies in variables: parameters there are no more.
fn arguments(program: &mut Program, runtime: &runtime::Runtime, given: &[Vec<VarId>]) {
    for (number, parameters) in given.iter().enumerate() {
        for (place, &var) in parameters.iter().enumerate() {
            let text = program.var_text(var).to_owned();
            let name = program.fresh_name(&text);
            let span = program.ast().vars[var].span;
            let init = match (number, place) {
                // `main` gets a name and nothing else.
                (0, 0) => Some(program.int(1, span)),
                (0, 1) => {
                    let all = program.var(runtime.arguments, span);
                    let ty = program.ast().vars[var].ty;
                    Some(program.tree.explicit_cast(all, ty, span))
                }
                (_, _) => None,
            };
            let variable = &mut program.ast_mut().vars[var];
            variable.name = Some(name);
            variable.storage = Storage::Static;
            variable.owner = None;
            variable.defined = true;
            variable.init = init.map(Init::Expr);
            let unqualified = program.ast().types.unqualified(program.ast().vars[var].ty);
            program.ast_mut().vars[var].ty = unqualified.into();
            program.ast_mut().units[0].items.push(Item::Var { id: var, definition: true });
        }
    }
}

/// Gives shared memory its copies, and fills the functions that guess and compare them.
fn memory_of_rounds(
    program: &mut Program,
    runtime: &runtime::Runtime,
    functions: &[FunctionId],
    own: &[VarId],
    rounds: u64,
) -> Result<(), Refusal> {
    let points = points::Points::of(program);
    let copies = copies::find(program, &points, functions, runtime.create, own)?;
    lift(program, &points, &copies);
    let all = rewrite::accesses(program, &copies, runtime, rounds);
    let mut memory = memory::Memory::default();
    let mut making = memory::Making { program, points: &points, assume: runtime.assume, rounds, all: &all };
    for &copied in &all {
        if let Some(found) = copies.uses.get(&points::Object::Var(copied.var)) {
            memory.object(&mut making, copied, found)?;
        }
    }
    written(program, &copies);
    let begins = !memory.begin.is_empty();
    fill(program, runtime.guess, memory.guess);
    fill(program, runtime.begin, memory.begin);
    fill(program, runtime.check, memory.check);
    if begins && let Some(&main) = functions.first() {
        begin(program, runtime, main);
    }
    Ok(())
}

/// Objects with copies count as written, whatever was said of them.
fn written(program: &mut Program, copies: &copies::Copies) {
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        for stmt in stmts_in(program.ast(), body) {
            let Some(call) = statement_call(program, stmt) else { continue };
            let says_so = call
                .function
                .is_some_and(|function| program.primitive(function) == Some(Primitive::Unwritten));
            if says_so
                && !call.arguments.first().is_some_and(|&argument| is_single(program, argument, copies))
            {
                program.ast_mut().stmts[stmt].kind = StmtKind::Empty;
            }
        }
    }
}

/// Whether an argument is the address of a variable without copies.
fn is_single(program: &Program, argument: ExprId, copies: &copies::Copies) -> bool {
    let mut expr = argument;
    while let ExprKind::Cast { operand, .. } = program.ast().exprs[expr].kind {
        expr = operand;
    }
    match program.ast().exprs[expr].kind {
        ExprKind::Unary(UnaryOp::AddressOf, object) => match root(program.ast(), object) {
            Root::Var(var) => !copies.strides.contains_key(&var),
            Root::Constant | Root::Memory => false,
        },
        _ => false,
    }
}

/// Moves to file scope what has to be known there: static variables of functions that have copies, or that pointers in copies may
/// lead to.
fn lift(program: &mut Program, points: &points::Points, copies: &copies::Copies) {
    let mut wanted: FxHashSet<VarId> = FxHashSet::default();
    for &var in copies.strides.keys() {
        wanted.insert(var);
        for target in points.held(points::Object::Var(var), None).iter() {
            if let points::Object::Var(target) = target.object {
                wanted.insert(target);
            }
        }
    }
    let lifts = |program: &Program, var: VarId| {
        wanted.contains(&var) && program.ast().vars[var].storage == Storage::Static
    };
    let mut items = Vec::new();
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        for stmt in stmts_in(program.ast(), body) {
            let StmtKind::Declare(declared) = program.ast().stmts[stmt].kind.clone() else { continue };
            let (lifted, left): (Vec<Item>, Vec<Item>) = declared
                .into_iter()
                .partition(|item| matches!(item, Item::Var { id, .. } if lifts(program, *id)));
            if lifted.is_empty() {
                continue;
            }
            program.ast_mut().stmts[stmt].kind =
                if left.is_empty() { StmtKind::Empty } else { StmtKind::Declare(left) };
            items.extend(lifted);
        }
    }
    for item in &items {
        let Item::Var { id, .. } = *item else { continue };
        let text = program.var_text(id).to_owned();
        let name = program.fresh_name(&text);
        if let Some(old) = program.ast().vars[id].name {
            program.origins.set_name(id, old);
        }
        let variable = &mut program.ast_mut().vars[id];
        (variable.name, variable.owner) = (Some(name), None);
    }
    program.ast_mut().units[0].items.extend(items);
}

/// Before a thread is started for the first time, what will not change any more goes to all copies.
fn begin(program: &mut Program, runtime: &runtime::Runtime, main: FunctionId) {
    let Some(body) = program.body(main) else { return };
    for stmt in stmts_in(program.ast(), body) {
        let starts = statement_call(program, stmt).and_then(|call| call.function) == Some(runtime.create);
        if starts {
            let kind = program.ast().stmts[stmt].kind.clone();
            let create = program.stmt(kind, stmt);
            let first = thread::call_of(program, runtime.begin, &[]);
            program.ast_mut().stmts[stmt].kind = StmtKind::Block(vec![first, create]);
        }
    }
}

/// Gives a function of the runtime its statements.
fn fill(program: &mut Program, function: FunctionId, list: Vec<StmtId>) {
    let function = program.definition_of(function);
    if let Some(body) = program.body(function) {
        program.ast_mut().stmts[body].kind = StmtKind::Block(list);
    }
}
