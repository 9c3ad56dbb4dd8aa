//! Engine `thread-modular`: invariants of any number of threads, without bounds. Proves, finds nothing.
//!
//! The program becomes automata of its threads (`raddle_flow`); invariants of each location, over shared memory, the thread's own variables and
//! counters of threads, are found by abstract interpretation (`raddle_thread_modular`); the checker of certificates (`raddle_proof`), which derives
//! from the program by itself what has to be shown, makes a proof of them or does not. What cannot be shown is `UNKNOWN`.

use raddle_base::{Budget, Span};
use raddle_flow::{Check, CheckId, Flow};
use raddle_ir::{CheckMessage, Point, Program, Property};
use raddle_proof::{Certificate, Claim, Kind, Statement};
use raddle_thread_modular::{Answer as Found, Goal, Open, Tried};

use crate::{
    Card, CheckedProof, Engine, Evidence, Grounds, MemoryModel, Reason, Session, Sizes, Task, Unsupported,
    Verdict, alike,
};

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct ThreadModular;

/// What checks in the program are about. Of the others invariants say nothing yet.
const PROPERTIES: &[Property] = &[
    Property::Assertion,
    Property::LockMisuse,
    Property::MemorySafety,
    Property::Overflow,
    Property::Arithmetic,
    Property::DataRace,
    Property::Deadlock,
];

impl Engine for ThreadModular {
    fn card(&self) -> &'static Card {
        &Card {
            name: "thread-modular",
            about: "invariants of any number of threads, checked apart: proves without bounds, finds no bugs",
            properties: PROPERTIES,
            memory_models: &[MemoryModel::Sc],
            options: &[],
            rewrites_source: false,
        }
    }

    fn supports(&self, task: &Task<'_>) -> Result<(), Unsupported> {
        if task.memory_model.is_weak() {
            return Err(Unsupported("it proves under sequential consistency only".to_owned()));
        }
        self.card().bounds_contexts(task)
    }

    fn answer(&self, task: &Task<'_>, session: &Session<'_>) {
        alike::ask(task, session, self.name(), &mut |task, property, grounds| {
            prove(task, property, session, grounds).map(|proof| Verdict::Safe(Evidence::Proved(proof)))
        });
    }
}

/// What has to be shown for a property of a program.
fn claim<'p>(task: &Task<'p>, property: Property) -> Claim<'p> {
    let others = task.properties.iter().filter(|&&other| other != property);
    let excused = task.excused.iter().chain(others).copied().collect();
    Claim { program: task.program, asked: vec![property], excused }
}

/// A proof of a property, or why there is none.
fn prove(
    task: &Task<'_>,
    property: Property,
    session: &Session<'_>,
    grounds: &mut Grounds,
) -> Result<CheckedProof, Reason> {
    let goal = match property {
        Property::DataRace => Some(Goal::NoRace),
        Property::Deadlock => Some(Goal::NoDeadlock),
        Property::Assertion
        | Property::LockMisuse
        | Property::MemorySafety
        | Property::Overflow
        | Property::Arithmetic
        | Property::Leak
        | Property::Cleanup
        | Property::Uninitialised => None,
    };
    if let Some(goal) = goal {
        return prove_together(task, (property, goal), session, grounds);
    }
    let (certificate, about) = certificate(task, property, session)?;
    grounds.notes.push(about);
    session.report("checking the proof", String::new(), Sizes::default());
    check(claim(task, property), certificate, session.budget)
}

/// A proof that there are no data races or deadlocks, or why there is none.
fn prove_together(
    task: &Task<'_>,
    (property, goal): (Property, Goal),
    session: &Session<'_>,
    grounds: &mut Grounds,
) -> Result<CheckedProof, Reason> {
    session.report("building automata of threads", String::new(), Sizes::default());
    let mut flow = flow(task, property, session.budget)?;
    session.report("looking for invariants", String::new(), Sizes::default());
    let mut last = None;
    let mut accepts = |found: raddle_thread_modular::Claim| {
        let about = about(&found);
        let checked = check(claim(task, property), found.certificate, session.budget);
        if checked.is_ok() {
            grounds.notes.push(about);
        }
        last.insert(checked).is_ok()
    };
    let found =
        raddle_thread_modular::prove_together(task.program, &mut flow, goal, session.budget, &mut accepts)
            .map_err(Reason::Exhausted)?;
    match (found, last) {
        (Tried::Open(Some(open)), _) => Err(why_open(task.program, &open, &flow, "")),
        (_, Some(checked)) => checked,
        (Tried::Accepted | Tried::Open(None), None) => Err(Reason::NotProved {
            why: "no invariants were found that bound the threads".to_owned(),
            span: Span::NONE,
        }),
    }
}

/// A sentence about invariants that were found.
fn about(claim: &raddle_thread_modular::Claim) -> String {
    let (locations, counters) = (claim.certificate.locations.len(), claim.effort.counters);
    format!("invariants at {locations} locations, with {counters} counters of threads")
}

/// Has a certificate checked.
fn check(claim: Claim<'_>, certificate: Certificate, budget: &Budget) -> Result<CheckedProof, Reason> {
    let kind = Kind::ThreadModular(certificate);
    let statement = Statement::new(claim.program, (claim.asked, claim.excused), kind);
    statement.check(claim.program, budget).map_err(|rejected| match budget.check() {
        Err(why) => Reason::Exhausted(why),
        Ok(()) => Reason::NotProved {
            why: format!("the invariants were not accepted: {rejected}"),
            span: rejected.at,
        },
    })
}

/// Invariants that are claimed to show a property, and a sentence about them.
fn certificate(
    task: &Task<'_>,
    property: Property,
    session: &Session<'_>,
) -> Result<(Certificate, String), Reason> {
    if !PROPERTIES.contains(&property) {
        return Err(Reason::Other(format!("invariants say nothing about {} yet", property.name())));
    }
    session.report("building automata of threads", String::new(), Sizes::default());
    let mut flow = flow(task, property, session.budget)?;
    session.report("looking for invariants", String::new(), Sizes::default());
    match raddle_thread_modular::prove(task.program, &mut flow, session.budget).map_err(Reason::Exhausted)? {
        Found::Claim(claim) => {
            let about = about(&claim);
            Ok((claim.certificate, about))
        }
        Found::Open(open) => Err(why_not(task.program, &open, &flow, "")),
        Found::GaveUp(open) => Err(why_not(task.program, &open, &flow, " with a bounded amount of work")),
    }
}

/// Why there are no invariants that show all checks. Calls of functions without a body have to be named: then those are let return.
fn why_not(program: &Program, open: &[CheckId], flow: &Flow, how: &str) -> Reason {
    let unsupported = |check: &CheckId| match &flow.checks[*check].message {
        CheckMessage::Wrong(text) => text.starts_with(UNSUPPORTED),
        CheckMessage::Asserts(_) | CheckMessage::Forbids(_) | CheckMessage::ForbidsLabel(_) => false,
    };
    let first = open.iter().find(|check| unsupported(check)).or(open.first());
    match first {
        Some(&check) => why_open(program, &Open::Check(check), flow, how),
        None => Reason::NotProved {
            why: format!("no invariant was found that shows the property{how}"),
            span: Span::NONE,
        },
    }
}

/// How the message of a check begins that stands for something that is not supported.
const UNSUPPORTED: &str = "not supported: ";

/// What invariants do not show, in words of the program, and where the program does it.
fn why_open(program: &Program, open: &Open, flow: &Flow, how: &str) -> Reason {
    match open {
        Open::Check(check) => {
            let Check { message, point, span, .. } = &flow.checks[*check];
            if let CheckMessage::Wrong(text) = message
                && let Some(what) = text.strip_prefix(UNSUPPORTED)
            {
                return Reason::Unsupported { what: what.to_owned(), span: *span };
            }
            Reason::NotProved {
                why: format!("no invariant was found{how} that excludes this: {message}"),
                span: called_from(program, point).unwrap_or(*span),
            }
        }
        Open::Race { variable, at } => {
            let name = &flow.variables[*variable].name;
            Reason::NotProved {
                why: format!(
                    "no invariant was found{how} that keeps threads from accessing `{name}` at the same time"
                ),
                span: called_from(program, at).unwrap_or(Span::NONE),
            }
        }
    }
}

/// Where in the program a thread is that stands in a model: where it called that.
fn called_from(program: &Program, point: &Point) -> Option<Span> {
    let sites = point.frame.iter().chain([&point.site]).rev();
    let mut own = sites.filter(|site| !program.functions[site.function].model);
    own.find_map(|site| {
        let block = program.functions[site.function].blocks.get(site.block)?;
        let span = block.insts.get(site.index).map_or(block.span, |inst| inst.span);
        (span != Span::NONE).then_some(span)
    })
}

/// The program as automata of its threads.
fn flow(task: &Task<'_>, property: Property, budget: &Budget) -> Result<Flow, Reason> {
    let claim = claim(task, property);
    let options = raddle_flow::Options { asked: claim.asked, excused: claim.excused, ..Default::default() };
    raddle_flow::build(task.program, &options, budget).map_err(|refused| match budget.check() {
        Err(why) => Reason::Exhausted(why),
        Ok(()) => Reason::Unsupported { what: refused.reason.to_string(), span: refused.span },
    })
}
