//! Answers where functions without a body are called: neither a proof nor a bug rests on what they do or return.
//!
//! The program of a task stops at such a call, so a violation that is found needs none; what is left open is asked again of an
//! over-approximation ([`over_approximate`]), in which calls return. Only proofs are taken from that.

use std::borrow::Cow;

use raddle_base::Table;
use raddle_ir::passes::unknown_calls::{ThreadEnds, over_approximate, undefined_function};
use raddle_ir::{AllocStorage, InstKind, Program, Property, Terminator, Type};
use raddle_lower::Threads;
use raddle_verdict::BodilessEntry;

use crate::{Answer, Engine, Exchange, Ledger, Outcome, Reason, Session, Source, Task, Verdict, alike};

/// Answers a task.
pub(crate) fn check<E: Engine + ?Sized>(engine: &E, task: &Task<'_>, session: &Session<'_>) -> Outcome {
    let mut outcome = ask(engine, task, session);
    if task.program.outside.functions.is_empty() {
        return outcome;
    }
    for answer in &mut outcome.answers {
        name_function(&mut answer.verdict, task.program);
    }
    prove(engine, task, session, &mut outcome);
    outcome.ledger.bodiless = undefined(task.program);
    outcome.ledger.time = session.budget.elapsed();
    outcome
}

/// What an engine answers for the program as it stands.
fn ask<E: Engine + ?Sized>(engine: &E, task: &Task<'_>, session: &Session<'_>) -> Outcome {
    let Session { budget, answers, .. } = *session;
    engine.answer(task, session);
    let work = answers.work();
    let nobody = budget.check().err().map_or_else(|| forgotten(engine), Reason::Exhausted);
    let memory_model = task.memory_model.name().to_owned();
    let ledger = Ledger { memory_model, work, time: budget.elapsed(), ..Ledger::default() };
    Outcome { answers: answers.finish(&nobody), ledger }
}

/// An engine that has time has to answer.
fn forgotten<E: Engine + ?Sized>(engine: &E) -> Reason {
    Reason::Internal { message: format!("the engine {} gives no answer", engine.name()), trace: None }
}

/// Asks again for what depends on unknown functions.
fn prove<E: Engine + ?Sized>(engine: &E, task: &Task<'_>, session: &Session<'_>, outcome: &mut Outcome) {
    for ends in [ThreadEnds::Ignored, ThreadEnds::Possible] {
        let depends = |verdict: &Verdict| matches!(verdict, Verdict::Unknown(Reason::Bodiless { .. }));
        let open: Vec<Property> = outcome
            .answers
            .iter()
            .filter(|answer| {
                depends(&answer.verdict) && proved_with(task.program, answer.property) == Some(ends)
            })
            .map(|answer| answer.property)
            .collect();
        // The steps of unknown code cannot be counted.
        let are_steps_counted = task.bounds.contexts.is_some();
        if open.is_empty() || are_steps_counted || session.budget.check().is_err() {
            continue;
        }
        // What calls do besides is in the lowered program alone.
        let fits = over_approximate(task.program, ends)
            .filter(|made| made.only_returns || !engine.card().rewrites_source);
        let Some(made) = fits else { continue };
        let again = Task { program: &made.program, properties: open, ..task.clone() };
        let answers = session.answers.about(&again.properties);
        // Facts are about the program of a task, and this is another one.
        let facts = Exchange::default();
        let proved = ask(engine, &again, &Session { answers: &answers, facts: &facts, ..*session });
        outcome.ledger.work = outcome.ledger.work.with(proved.ledger.work);
        for answer in proved.answers.into_iter().filter(|answer| matches!(answer.verdict, Verdict::Safe(_))) {
            take(outcome, answer);
        }
    }
}

/// The programs whose proofs of a property are proofs of it for a program, lowered from some source: the program itself, the one in which threads are
/// alike, and what stands for it where functions without a body are called.
#[must_use]
pub fn programs_for<'p>(
    program: &'p Program,
    source: &Source<'_>,
    property: Property,
) -> Vec<Cow<'p, Program>> {
    let mut all = vec![Cow::Borrowed(program)];
    if Threads::proofs_without_apart(property) {
        all.extend(alike::program(program, Some(source)).map(Cow::Owned));
    }
    if !program.outside.functions.is_empty() {
        let made = proved_with(program, property).and_then(|ends| over_approximate(program, ends));
        all.extend(made.map(|made| Cow::Owned(made.program)));
    }
    all
}

/// Whether what holds in the over-approximation holds whatever unknown functions do, and of which one.
fn proved_with(program: &Program, property: Property) -> Option<ThreadEnds> {
    match property {
        Property::Assertion
        | Property::LockMisuse
        | Property::DataRace
        | Property::MemorySafety
        | Property::Overflow
        | Property::Arithmetic => Some(ThreadEnds::Possible),
        // Deadlock is about threads that come back: who ends elsewhere releases nothing.
        Property::Deadlock => Some(ThreadEnds::Ignored),
        // They may lose pointers, and end the process before anything is freed.
        Property::Leak | Property::Cleanup => (!allocates(program)).then_some(ThreadEnds::Possible),
        // They may look at whatever they are given.
        Property::Uninitialised => None,
    }
}

fn allocates(program: &Program) -> bool {
    let mut insts = program
        .functions
        .values()
        .flat_map(|function| function.blocks.values())
        .flat_map(|block| &block.insts);
    insts.any(|inst| matches!(inst.kind, InstKind::Alloc { storage: AllocStorage::Heap, .. }))
}

fn take(outcome: &mut Outcome, proved: Answer) {
    if let Some(open) = outcome.answers.iter_mut().find(|answer| answer.property == proved.property) {
        *open = proved;
    }
}

/// Of what is open because a path ended at an unknown call, says so.
fn name_function(verdict: &mut Verdict, program: &Program) {
    if let Verdict::Unknown(Reason::Unsupported { what, span }) = verdict
        && let Some(function) = undefined_function(program, what)
    {
        *verdict = Verdict::Unknown(Reason::Bodiless { function: function.name.clone(), span: *span });
    }
}

/// The functions without a body.
fn undefined(program: &Program) -> Vec<BodilessEntry> {
    let named = program.outside.functions.iter().map(|undefined| {
        let function = &program.functions[undefined.id];
        let is_pointer = |parameter| function.registers[parameter].ty == Type::Ptr;
        BodilessEntry {
            function: function.name.clone(),
            takes_pointers: function.parameters.iter().copied().any(is_pointer),
            pure: undefined.pure,
        }
    });
    named.collect()
}

/// Lets calls return in a program that was made of another one, where they do there.
pub(crate) fn let_return(program: &mut Program, like: &Program) {
    for undefined in program.outside.functions.clone() {
        let function = &mut program.functions[undefined.id];
        let returns = |other: &raddle_ir::UndefinedFunction| {
            let other = &like.functions[other.id];
            other.name == function.name && other.blocks.is_empty()
        };
        if like.outside.functions.iter().any(returns) {
            function.blocks = Table::new();
        }
    }
}

/// Why nothing can be said for sure of a program that has unknown calls which stop; nothing if it has none.
pub(crate) fn first_stop(program: &Program) -> Option<Reason> {
    let functions = program.outside.functions.iter().map(|undefined| &program.functions[undefined.id]);
    let mut blocks = functions.filter_map(|function| function.blocks.values().next());
    blocks.find_map(|block| match &block.terminator {
        Terminator::Unsupported(what) => {
            Some(Reason::Unsupported { what: what.to_string(), span: block.span })
        }
        Terminator::Jump(_)
        | Terminator::Branch(..)
        | Terminator::Switch { .. }
        | Terminator::Return(_)
        | Terminator::ExitThread(_)
        | Terminator::ExitProcess(_)
        | Terminator::Abort
        | Terminator::Unreachable => None,
    })
}
