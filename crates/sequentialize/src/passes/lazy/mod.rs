//! Lazy sequentialization for bounded programs: a sequential program that explores the interleavings of a concurrent one,
//! round by round.
//!
//! The schema of Inverso, Tomasco, Fischer, La Torre and Parlato: "Bounded Model Checking of Multi-threaded C Programs via Lazy
//! Sequentialization", CAV 2014. Each thread function is called once in a round and
//! keeps its variables in between. In each call the driver guesses at which label the thread is preempted; the function jumps from
//! label to label to where it was preempted in the round before (`J`), continues from there, and jumps from label to label to its
//! end when the guessed one is reached. Where control comes to a statement by a jump, it is assumed that the guess does not lie in
//! what was jumped over (`G`).
//!
//! The input is what the passes before make of a program: every thread has a function of its own ([`super::threads`]) whose
//! variables are static ([`super::statics`]) and whose visible statements have labels ([`super::labels`]). Calls of the
//! primitives of the thread models become calls of the functions of `runtime.c`, which are plain sequential C.
//!
//! An assertion fails in the sequential program exactly when it fails in an execution of the input in which threads take turns
//! in the order of their ids, for as many rounds. A thread that is blocked (a lock that is held, an assumption that
//! does not hold) ends the whole simulation, but the same prefix is simulated with the thread preempted before it.
//!
//! # Names in the printed program
//!
//! Others rely on these; they do not change.
//!
//! - `__raddle_round`, `__raddle_current`, `__raddle_leave`: the driver (`main`) assigns them, in this order, before each turn of a
//!   thread: the number of the round from 1 (once a round), the id of the thread (`main` is 0), and the label at which
//!   the thread will be preempted. Their assignments in an execution are the schedule. A thread that is not started yet has no
//!   turn.
//! - `__raddle_nondet_label()`: the guess, and the only choice that the schema brings in. All other nondeterministic calls are of
//!   the input, or stand for variables without initial values.
//! - `__raddle_point_N:` in a thread function: the label with number `N`. The first is the beginning, the last the end.
//! - `__raddle_at_T`: the label at which thread `T` stands between its turns.
//! - `__raddle_active[T]`, `__raddle_finished[T]`, `__raddle_argument[T]`, `__raddle_result[T]`: whether it was started, whether it
//!   has ended, what it was given and what it gave back.
//! - `__raddle_deadlock()`: called when all rounds are over and every live thread waits, if that is asked for. Before it the
//!   driver calls each thread function once more with `__raddle_probe` set (`probe.rs`); that is no turn.
//! - `__raddle_seq_…`: the primitives of the thread models as sequential functions.
//! - `main__thread_0`, `f__thread_N`: the functions of the threads.
//!
//! What a label stands for in the input is in [`Program::sequential`], as are the rounds.

mod probe;
mod runtime;
mod schedule;
mod thread;

use crate::steps::fork_argument;
use raddle_cfront::ast::{FunctionId, StmtKind, VarId};
use raddle_cfront::primitive::Primitive;

use crate::added::add_unit;
use crate::calls::statement_call;
use crate::pass::{Parameter, ParameterKind, Pass, Refusal, Values};
use crate::passes::labels;
use crate::passes::threads::{called_functions, thread_functions};
use crate::program::Program;
use crate::sequential::Sequential;
use crate::tidy::tidy;
use crate::turns;
use crate::visit::stmts_in;
use probe::Probes;
use schedule::Schedule;
use thread::Whose;

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
            description: "which threads take part in each round, as in `main+t1:t1+t2:all`; all in `rounds` rounds if not said",
            kind: ParameterKind::Text,
        },
        Parameter {
            name: "deadlock",
            description: "whether it is asked, when all rounds are over, if every thread waits",
            kind: ParameterKind::Choice(labels::SWITCH),
        },
        Parameter {
            name: "switches",
            description: "at which labels threads may be left, as in `1.main:3;2.t1:0..4|7`; at all if not said",
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
    let sizes: Vec<u32> = functions.iter().map(|&function| labels::count(program, function)).collect();
    if let Some(unlabelled) = sizes.iter().position(|&size| size == 0) {
        let place = program.ast().functions[functions[unlabelled]].span;
        return Err(
            Refusal::new(place, "a thread function has no labels").help("run the pass `labels` before")
        );
    }
    let ends: Vec<u32> = sizes.iter().map(|size| size - 1).collect();
    let schedule = Schedule::read(values.number(0), values.text(1), values.text(3), &ends)
        .map_err(|message| Refusal::new(place, message))?;
    let parameters: Vec<Vec<VarId>> =
        functions.iter().map(|&function| program.ast().functions[function].parameters.clone()).collect();
    let mut table = turns::table(program, &threads);
    for (number, &function) in functions.iter().enumerate() {
        turns::prepare(program, function, number);
        program.function_text(function).clone_into(&mut table[number].name);
    }
    let names: Vec<String> =
        functions.iter().map(|&function| program.function_text(function).to_owned()).collect();
    let deadlock = values.choice(2) == 1;
    let text = runtime::text(&names, &ends, &schedule, deadlock);
    program.sequential = Some(Sequential { threads: table, rounds: schedule.rounds });
    add_unit(program, "<lazy>/runtime.c", &text)?;
    let runtime = runtime::Runtime::find(program, functions.len());
    let probes = if deadlock {
        probe::probes(program, &runtime, &functions)?
    } else {
        vec![Probes::default(); functions.len()]
    };
    primitives(program, &runtime, &functions, &probes)?;
    for (number, &function) in functions.iter().enumerate() {
        program.may_go_on()?;
        let whose = Whose { number, end: ends[number], parameters: &parameters[number] };
        thread::transform(program, &runtime, function, whose, &probes[number])?;
    }
    turns::thread_locals(program, runtime.current, functions.len());
    for &function in &functions {
        tidy(program, function);
    }
    crate::order::in_time(program);
    super::prune::run(program, values)
}

/// Calls of primitives become calls of the runtime, and the borders of atomic blocks go.
fn primitives(
    program: &mut Program,
    runtime: &runtime::Runtime,
    threads: &[FunctionId],
    probes: &[Probes],
) -> Result<(), Refusal> {
    let called = called_functions(program);
    for (_, function) in program.definitions() {
        let Some(body) = program.body(function) else { continue };
        // The runtime means what it says.
        if program.function_text(function).starts_with("__raddle_") {
            continue;
        }
        let is_thread = threads.contains(&function);
        let mut stmts = stmts_in(program.ast(), body);
        if let Some(number) = threads.iter().position(|&thread| thread == function) {
            for &probe in probes[number].values() {
                stmts.extend(stmts_in(program.ast(), probe));
            }
        }
        for stmt in stmts {
            program.may_go_on()?;
            let Some(call) = statement_call(program, stmt) else { continue };
            let Some(callee) = call.function else { continue };
            if program.body(program.definition_of(callee)).is_some() {
                continue;
            }
            let span = program.ast().stmts[stmt].span;
            match program.primitive(callee) {
                // The stack is the one of the sequential program: it goes on.
                Some(Primitive::AtomicBegin | Primitive::AtomicEnd | Primitive::EndLocals) => {
                    program.ast_mut().stmts[stmt].kind = StmtKind::Empty;
                }
                Some(Primitive::Fork | Primitive::ExitThread) if !is_thread => {
                    if called.contains(&function) {
                        let message = "a thread is started or ended in a function that is not inlined";
                        return Err(Refusal::new(span, message));
                    }
                    // Nobody calls it by its name: only a pointer that was not distinguished could lead here.
                    let end = program.call(runtime.by_pointer, Vec::new(), span);
                    program.ast_mut().stmts[stmt].kind = StmtKind::Expr(end);
                }
                Some(Primitive::Fork) => thread::create(program, runtime, stmt, &call, threads)?,
                Some(primitive) => {
                    if let Some(replacement) = runtime.replacement(primitive) {
                        let arguments =
                            call.arguments.iter().map(|&argument| program.bare(argument)).collect();
                        let new = program.call(replacement, arguments, span);
                        let new = program.ast().exprs[new].clone();
                        program.ast_mut().exprs[call.expr] = new;
                    }
                }
                None if fork_argument(program, callee).is_some() => {
                    let name = program.function_text(callee);
                    return Err(Refusal::new(span, format!("`{name}` is called directly"))
                        .help("run the pass `models` first"));
                }
                None => {}
            }
        }
    }
    Ok(())
}
