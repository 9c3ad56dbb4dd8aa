//! What an answer rests on: loops and how far they were followed, threads, what was taken on trust.

use raddle_base::Span;
use raddle_verdict::{Answer, Grounds, Ledger, LoopCoverage, Outcome, RecursionCoverage, Sizes};
use serde::Serialize;

use crate::report::Subject;

/// What answers rest on.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LedgerReport {
    /// The engine's name; where several took part, which of them decided what.
    pub engine: String,
    /// `sc`, `tso` or `pso`.
    pub memory_model: String,
    /// Every loop that was met.
    pub loops: Vec<LoopReport>,
    /// Recursive functions.
    pub recursions: Vec<RecursionReport>,
    /// How many threads were followed, the main one included.
    pub threads: u32,
    /// The bound on context switches, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contexts: Option<ContextsReport>,
    /// Functions without a body.
    pub without_body: Vec<BodilessReport>,
    /// Assertions that no execution reaches.
    pub never_reached: Vec<UnreachedReport>,
    /// What is taken for granted of the world around the program.
    pub assumptions: Vec<String>,
    /// What else is to be known.
    pub notes: Vec<String>,
    /// How large the question was; what an engine does not have is zero.
    pub sizes: SizesReport,
    /// How long it took, in seconds.
    pub seconds: f64,
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LoopReport {
    /// As `--unwindset` calls it.
    pub name: String,
    /// The function it is in.
    pub function: String,
    /// `file:line`
    pub place: Option<String>,
    /// The largest number of iterations that were followed.
    pub iterations: u32,
    /// Whether that is enough in every execution.
    pub complete: bool,
}

/// A recursive function.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RecursionReport {
    /// Its name.
    pub function: String,
    /// How deep it was followed.
    pub depth: u32,
}

/// A bound on context switches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ContextsReport {
    /// How many an execution may have that was followed.
    pub switches: u32,
    /// Whether that is enough in every execution.
    pub complete: bool,
}

/// A function without a body.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct BodilessReport {
    /// Its name.
    pub function: String,
    /// Whether it takes pointers, through which it could change what the program relies on.
    pub takes_pointers: bool,
    /// Whether it is said to do nothing but return a value.
    pub pure: bool,
}

/// An assertion that no execution reaches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreachedReport {
    /// `file:line`
    pub place: Option<String>,
    /// What is asserted.
    pub text: String,
}

/// How large a question was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SizesReport {
    /// Events of all threads.
    pub events: u64,
    /// Propositional variables.
    pub variables: u64,
    /// Clauses.
    pub clauses: u64,
    /// Conflicts met by the solver.
    pub conflicts: u64,
    /// States visited.
    pub states: u64,
    /// Executions run.
    pub executions: u64,
}

impl From<Sizes> for SizesReport {
    fn from(sizes: Sizes) -> Self {
        let Sizes { events, variables, clauses, conflicts, states, executions } = sizes;
        Self { events, variables, clauses, conflicts, states, executions }
    }
}

/// What the answers of an outcome rest on, each and all.
pub(crate) fn report(outcome: &Outcome, subject: &Subject<'_>) -> LedgerReport {
    let Outcome { answers, ledger } = outcome;
    // Engines one after the other: those that decided several properties in the same way once.
    let mut all: Vec<&Grounds> = Vec::new();
    for answer in answers {
        if !all.contains(&&*answer.grounds) {
            all.push(&answer.grounds);
        }
    }
    let deepest = loops(&all);
    let mut unreached: Vec<(Span, String)> =
        all.iter().flat_map(|grounds| grounds.unreached.clone()).collect();
    unreached.dedup();
    LedgerReport {
        engine: engines(answers),
        memory_model: ledger.memory_model.clone(),
        loops: deepest.iter().map(|entry| loop_report(entry, subject)).collect(),
        recursions: recursions(&all),
        threads: all.iter().map(|grounds| grounds.coverage.thread_count()).max().unwrap_or(0),
        contexts: contexts(&all),
        without_body: ledger
            .bodiless
            .iter()
            .map(|entry| BodilessReport {
                function: entry.function.clone(),
                takes_pointers: entry.takes_pointers,
                pure: entry.pure,
            })
            .collect(),
        never_reached: unreached
            .iter()
            .map(|(span, claim)| UnreachedReport { place: subject.place(*span), text: claim.clone() })
            .collect(),
        assumptions: ledger.assumptions.clone(),
        notes: notes(&all, ledger),
        sizes: sizes(&all, ledger).into(),
        seconds: ledger.time.as_secs_f64(),
    }
}

/// Every loop once, as far as the engine followed it that went furthest.
fn loops(all: &[&Grounds]) -> Vec<LoopCoverage> {
    let mut loops: Vec<LoopCoverage> = Vec::new();
    for entry in all.iter().flat_map(|grounds| &grounds.coverage.loops) {
        match loops.iter_mut().find(|known| known.name == entry.name) {
            Some(known) if (known.complete, known.iterations) < (entry.complete, entry.iterations) => {
                *known = entry.clone();
            }
            Some(_) => {}
            None => loops.push(entry.clone()),
        }
    }
    loops
}

fn loop_report(entry: &LoopCoverage, subject: &Subject<'_>) -> LoopReport {
    LoopReport {
        name: entry.name.clone(),
        function: entry.function.clone(),
        place: subject.place(entry.span),
        iterations: entry.iterations,
        complete: entry.complete,
    }
}

/// Every recursive function once, as deep as it was followed.
fn recursions(all: &[&Grounds]) -> Vec<RecursionReport> {
    let mut entries: Vec<&RecursionCoverage> =
        all.iter().flat_map(|grounds| &grounds.coverage.recursions).collect();
    entries.sort();
    entries.reverse();
    entries.dedup_by(|shallow, deep| shallow.function == deep.function);
    let report =
        |entry: &&RecursionCoverage| RecursionReport { function: entry.function.clone(), depth: entry.depth };
    entries.iter().rev().map(report).collect()
}

/// The bound is one for all; it is enough where nobody met an execution that has more.
fn contexts(all: &[&Grounds]) -> Option<ContextsReport> {
    let bounds = all.iter().filter_map(|grounds| grounds.coverage.contexts);
    let reports = bounds.map(|bound| ContextsReport { switches: bound.covered, complete: bound.complete });
    reports.min_by_key(|report| (report.complete, report.switches))
}

fn notes(all: &[&Grounds], ledger: &Ledger) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    let is_uncut = |grounds: &&Grounds| {
        grounds.coverage.rounds.is_some() && grounds.coverage.unwind.is_some_and(|unwind| unwind.complete)
    };
    if all.iter().any(is_uncut) {
        notes.push("no loop or recursion was cut off by the bound".to_owned());
    }
    for note in all.iter().flat_map(|grounds| &grounds.notes).chain(&ledger.notes) {
        if !notes.contains(note) {
            notes.push(note.clone());
        }
    }
    notes
}

/// How large the questions were that the answers rest on, and all the work that was done.
fn sizes(all: &[&Grounds], ledger: &Ledger) -> Sizes {
    let asked = all.iter().map(|grounds| grounds.sizes).fold(Sizes::default(), Sizes::larger);
    let Sizes { conflicts, states, executions, .. } = ledger.work;
    Sizes {
        conflicts: conflicts.max(asked.conflicts),
        states: states.max(asked.states),
        executions: executions.max(asked.executions),
        ..asked
    }
}

/// Who decided: one name, or several with their properties.
fn engines(answers: &[Answer]) -> String {
    let mut names: Vec<&str> = answers.iter().map(|answer| answer.grounds.engine).collect();
    names.sort_unstable();
    names.dedup();
    let parts = names.iter().map(|&name| {
        let decided = answers.iter().filter(|answer| answer.grounds.engine == name);
        let properties: Vec<&str> = decided.map(|answer| answer.property.name()).collect();
        format!("{name} ({})", properties.join(", "))
    });
    match names.as_slice() {
        [] => String::new(),
        [only] => (*only).to_owned(),
        _ => parts.collect::<Vec<_>>().join("; "),
    }
}
