//! Engine `trace-abstraction`: refinement of error traces over a product of threads that is reduced by partial orders (RAPTOR). Proves programs with loops
//! without end and a bounded number of threads, and finds bugs.
//!
//! The program becomes automata of its threads (`raddle_flow`); their error traces are excluded one after the other (`raddle_trace_abstraction`). A trace that is
//! possible counts when the VM has replayed it; predicates that exclude all traces count when the checker of certificates (`raddle_proof`) has
//! accepted them. What is neither is `UNKNOWN`.

use raddle_base::Budget;
use raddle_flow::Flow;
use raddle_ir::{Point, Program, Property};
use raddle_proof::{Claim, Kind, Product, Statement};
use raddle_trace_abstraction::{Answer, Effort, Execution, Options};
use raddle_vm::code::is_operation;
use raddle_vm::trace::{Input, type_name};
use raddle_vm::{Trace, Vm};

use crate::confirm::{confirm, looks_at_layout};
use crate::{
    Card, CheckedProof, Engine, Evidence, Grounds, MemoryModel, Reason, Session, Sizes, Task, Unsupported,
    Verdict, alike,
};

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct TraceAbstraction;

/// What checks in the program are about. Of the others error traces say nothing yet.
const PROPERTIES: &[Property] = &[
    Property::Assertion,
    Property::LockMisuse,
    Property::MemorySafety,
    Property::Overflow,
    Property::Arithmetic,
];

/// So many threads are looked at if the task does not say.
const THREADS: usize = 10;

impl Engine for TraceAbstraction {
    fn card(&self) -> &'static Card {
        &Card {
            name: "trace-abstraction",
            about: "refinement of error traces over a reduced product of threads: proves and finds bugs without bounds on loops",
            properties: PROPERTIES,
            memory_models: &[MemoryModel::Sc],
            options: &[],
            rewrites_source: false,
        }
    }

    fn supports(&self, task: &Task<'_>) -> Result<(), Unsupported> {
        if task.memory_model.is_weak() {
            return Err(Unsupported("it works under sequential consistency only".to_owned()));
        }
        self.card().bounds_contexts(task)
    }

    fn answer(&self, task: &Task<'_>, session: &Session<'_>) {
        alike::ask(task, session, self.name(), &mut |task, property, grounds| {
            answer(task, property, session, grounds)
        });
    }
}

/// What is found out about a property.
fn answer(
    task: &Task<'_>,
    property: Property,
    session: &Session<'_>,
    grounds: &mut Grounds,
) -> Result<Verdict, Reason> {
    if !PROPERTIES.contains(&property) {
        return Err(Reason::Other(format!("error traces say nothing about {} yet", property.name())));
    }
    session.report("building automata of threads", String::new(), Sizes::default());
    let claim = claim(task, property);
    let flow = flow(&claim, session.budget)?;
    session.report("refining error traces", String::new(), Sizes::default());
    let bound = task.bounds.max_threads.and_then(|threads| usize::try_from(threads).ok());
    let options = Options { most_threads: bound.unwrap_or(THREADS), ..Options::default() };
    let (answer, effort) = raddle_trace_abstraction::decide(task.program, flow, options, session.budget);
    grounds.notes.push(describe(&effort));
    match answer.map_err(Reason::Exhausted)? {
        Answer::Bug(execution) => violation(task, property, &execution, session.budget),
        Answer::Safe(certificate) => {
            session.report("checking the proof", String::new(), Sizes::default());
            let proof = check(claim, *certificate, session.budget)?;
            Ok(Verdict::Safe(Evidence::Proved(proof)))
        }
        Answer::Open(why) => Err(Reason::Other(why)),
    }
}

fn describe(effort: &Effort) -> String {
    let Effort { rounds, states, predicates, .. } = effort;
    format!("{rounds} error traces excluded by {predicates} predicates, {states} states looked at")
}

/// What has to be shown for a property of a program.
fn claim<'p>(task: &Task<'p>, property: Property) -> Claim<'p> {
    let others = task.properties.iter().filter(|&&other| other != property);
    let excused = task.excused.iter().chain(others).copied().collect();
    Claim { program: task.program, asked: vec![property], excused }
}

/// Has a certificate checked.
fn check(claim: Claim<'_>, certificate: Product, budget: &Budget) -> Result<CheckedProof, Reason> {
    let statement = Statement::new(claim.program, (claim.asked, claim.excused), Kind::Product(certificate));
    statement.check(claim.program, budget).map_err(|rejected| match budget.check() {
        Err(why) => Reason::Exhausted(why),
        Ok(()) => Reason::NotProved {
            why: format!("the predicates were not accepted: {rejected}"),
            span: rejected.at,
        },
    })
}

/// The program as automata of its threads.
fn flow(claim: &Claim<'_>, budget: &Budget) -> Result<Flow, Reason> {
    let (asked, excused) = (claim.asked.clone(), claim.excused.clone());
    let options = raddle_flow::Options { asked, excused, ..Default::default() };
    raddle_flow::build(claim.program, &options, budget).map_err(|refused| match budget.check() {
        Err(why) => Reason::Exhausted(why),
        Ok(()) => Reason::Unsupported { what: refused.reason.to_string(), span: refused.span },
    })
}

/// What an execution that fails a check says, once the VM has replayed it.
fn violation(
    task: &Task<'_>,
    property: Property,
    execution: &Execution,
    budget: &Budget,
) -> Result<Verdict, Reason> {
    let machine = Vm::checking(task.program, &[property]);
    let mut trace = trace(task.program, execution);
    trace.property = Some(property.name().to_owned());
    match confirm(&machine, &trace, budget) {
        Ok(replayed) => Ok(Verdict::Violated(Box::new(replayed))),
        Err(why) => {
            budget.check().map_err(Reason::Exhausted)?;
            // Automata allow more than the program does: what is not followed in memory is any value.
            let what = format!("an error trace may be possible, but does not replay: {why}");
            Err(looks_at_layout(&machine, &trace).unwrap_or(Reason::Other(what)))
        }
    }
}

/// An execution for the VM: who makes how many operations, and what comes from outside.
fn trace(program: &Program, execution: &Execution) -> Trace {
    let mut trace = Trace::new();
    let count = execution.steps.len();
    for (index, step) in execution.steps.iter().enumerate() {
        let thread = u32::try_from(step.thread).unwrap_or(u32::MAX);
        let mut operations = step.path.iter().filter(|point| counts(program, point)).count() as u64;
        if index + 1 == count {
            operations = operations.max(1);
        }
        if operations > 0 {
            trace.record(thread, operations);
        }
        let havocs = step.path.iter().filter_map(|point| havoc(program, point));
        for ((name, ty), value) in havocs.zip(&step.havocs) {
            trace.inputs.push(Input { thread, name, ty, value: value.to_string() });
        }
    }
    trace
}

fn instruction<'p>(program: &'p Program, point: &Point) -> Option<&'p raddle_ir::InstKind> {
    let site = point.site;
    let block = &program.functions[site.function].blocks[site.block];
    block.insts.get(site.index).map(|inst| &inst.kind)
}

/// Whether a schedule counts the instruction of a point.
fn counts(program: &Program, point: &Point) -> bool {
    instruction(program, point).is_some_and(is_operation)
}

/// The name and type of what a point takes from outside, if it does.
fn havoc(program: &Program, point: &Point) -> Option<(String, String)> {
    let raddle_ir::InstKind::Havoc { dest, site } = instruction(program, point)? else { return None };
    let ty = program.functions[point.site.function].registers[*dest].ty;
    Some((program.havocs[*site].name.clone(), type_name(ty)))
}
