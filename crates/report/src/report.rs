//! An outcome as plain data, ready to be written.

use raddle_base::{Exhausted, Span};
use raddle_ir::passes::unknown_calls::depends_on;
use raddle_ir::text::FindLocation;
use raddle_ir::{Program, Property};
use raddle_verdict::{self as verdict, Evidence, Outcome, Reason, Summary, Unfinished, Verdict};
use raddle_vm::code::Place;
use raddle_vm::trace::ProgramInfo;
use raddle_vm::{Deadlock, Outcome as Ending, ReplayedTrace, Story, ThreadId, Trace, Vm};
use serde::Serialize;

use crate::coverage::{CoverageReport, bounds, bounds_text};
use crate::invariants::InvariantsReport;
use crate::ledger::{self, LedgerReport};

/// What an outcome is about, and what is needed to tell it.
#[derive(Clone, Copy)]
pub struct Subject<'s> {
    /// The program in the VM; without it there can be no violation to tell.
    pub vm: Option<&'s Vm<'s>>,
    /// Where things stand in the source.
    pub find: FindLocation<'s>,
    /// A line of a source file as the user wrote it, if it is at hand.
    pub source: &'s dyn Fn(&str, u32) -> Option<String>,
    /// What is needed to build the program again.
    pub program: &'s ProgramInfo,
    /// How to see the violation of a property again.
    pub replay: &'s dyn Fn(Property) -> Replay,
}

impl std::fmt::Debug for Subject<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Subject").field("program", &self.program).finish_non_exhaustive()
    }
}

/// How to see a violation again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Replay {
    /// The file that the trace was written to, if it was.
    pub recorded: Option<String>,
    /// The commands that show it, to be given one after the other.
    pub commands: Vec<String>,
}

/// An outcome, ready to be written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// The version of this form: `1`. A field may be added without a new version; none changes its meaning.
    pub version: u32,
    /// Who wrote it.
    pub tool: String,
    /// What was checked.
    pub program: ProgramInfo,
    /// `TRUE`, `FALSE` or `UNKNOWN`.
    pub verdict: &'static str,
    /// All answers in one word; tells `bounded-safe` from `unknown`, which the verdict does not.
    pub answer: Answer,
    /// Every property there is, in a fixed order.
    pub properties: Vec<PropertyReport>,
    /// What the answers rest on.
    pub ledger: LedgerReport,
}

/// An answer in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Answer {
    /// Proved without bounds.
    Safe,
    /// No violation within bounds.
    BoundedSafe,
    /// Violated.
    Violated,
    /// Not known.
    Unknown,
    /// Not asked.
    NotChecked,
}

/// The answer for one property.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PropertyReport {
    /// Its name.
    pub property: &'static str,
    /// In one word.
    pub answer: Answer,
    /// The engine that decided it.
    pub engine: Option<String>,
    /// In one line, as the text form tells it.
    pub line: String,
    /// The bounds that it holds up to, as the text form tells them.
    pub bounds: Vec<String>,
    /// The same as numbers.
    pub coverage: Option<CoverageReport>,
    /// What was under way when the work ended.
    pub unfinished: Option<UnfinishedReport>,
    /// The certificate that was checked, where that is what it rests on.
    pub proof: Option<ProofReport>,
    /// The invariants of that certificate, if they are to be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invariants: Option<InvariantsReport>,
    /// Why it is not known.
    pub reason: Option<ReasonReport>,
    /// How it is violated.
    pub violation: Option<ViolationReport>,
}

/// What was under way when the work ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnfinishedReport {
    /// The bounds that would have been covered, as the text form tells them.
    pub bounds: Vec<String>,
    /// The same as numbers.
    pub coverage: Option<CoverageReport>,
    /// Why the work ended.
    pub reason: ReasonReport,
}

/// A certificate that was checked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ProofReport {
    /// What kind it is.
    pub method: &'static str,
    /// How many obligations were refuted.
    pub obligations: usize,
}

/// Why an answer is not known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReasonReport {
    /// `time`, `memory`, `cancelled`, `effort`, `undefined`, `unsupported`, `bodiless`, `sampled`, `internal` or `other`.
    pub kind: &'static str,
    /// In a phrase.
    pub text: String,
    /// `file:line`, where there is one.
    pub place: Option<String>,
}

/// A violation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ViolationReport {
    /// What is violated.
    pub message: String,
    /// `file:line`
    pub place: Option<String>,
    /// Of a data race, the place of the other access.
    pub other_place: Option<String>,
    /// The execution, told.
    pub story: Option<Story>,
    /// The execution, to be replayed.
    pub trace: Trace,
    /// How to see it again.
    pub replay: Replay,
}

impl Report {
    /// Makes an outcome plain.
    #[must_use]
    pub fn new(outcome: &Outcome, subject: &Subject<'_>) -> Self {
        let properties = Property::ALL.iter().map(|&property| {
            let answer = outcome.answers.iter().find(|answer| answer.property == property);
            property_report(property, answer, subject)
        });
        let (verdict, answer) = match outcome.summary() {
            Summary::False => ("FALSE", Answer::Violated),
            Summary::True => ("TRUE", Answer::Safe),
            Summary::Bounded => ("UNKNOWN", Answer::BoundedSafe),
            Summary::Unknown => ("UNKNOWN", Answer::Unknown),
        };
        Self {
            version: 1,
            tool: concat!("raddle ", env!("CARGO_PKG_VERSION")).to_owned(),
            program: subject.program.clone(),
            verdict,
            answer,
            properties: properties.collect(),
            ledger: ledger::report(outcome, subject),
        }
    }
}

fn property_report(
    property: Property,
    answer: Option<&verdict::Answer>,
    subject: &Subject<'_>,
) -> PropertyReport {
    let mut report = PropertyReport {
        property: property.name(),
        answer: Answer::NotChecked,
        engine: answer.map(|answer| answer.grounds.engine.to_owned()),
        line: "NOT CHECKED".to_owned(),
        bounds: Vec::new(),
        coverage: None,
        unfinished: None,
        proof: None,
        invariants: None,
        reason: None,
        violation: None,
    };
    match answer.map(|answer| &answer.verdict) {
        None => {}
        Some(Verdict::Safe(evidence)) => report.tell_proof(evidence),
        Some(Verdict::SafeUnless(evidence, replayed)) => {
            report.tell_proof(evidence);
            let reason = undefined_report(replayed, subject);
            report.answer = Answer::Unknown;
            let at = reason.place.as_deref().unwrap_or("an unknown location");
            report.line = format!("{}, unless {}, first at {at}", report.line, reason.text);
            report.reason = Some(reason);
        }
        Some(Verdict::Unknown(reason)) => {
            let reason = reason_report(reason, subject);
            report.answer = Answer::Unknown;
            let at = reason.place.as_ref().map_or_else(String::new, |place| format!(" at {place}"));
            report.line = format!("UNKNOWN: {}{at}", reason.text);
            report.reason = Some(reason);
        }
        Some(Verdict::Violated(replayed)) => {
            let violation = ViolationReport::of(property, replayed, subject);
            report.answer = Answer::Violated;
            report.line = violation.line();
            report.violation = Some(violation);
        }
    }
    if let Some(unfinished) = answer.and_then(|answer| answer.unfinished.as_ref()) {
        report.tell_unfinished(unfinished, subject);
    }
    report
}

impl PropertyReport {
    /// No execution breaks it.
    fn tell_proof(&mut self, evidence: &Evidence) {
        match evidence {
            Evidence::FullyUnrolled | Evidence::Enumerated => {
                self.answer = Answer::Safe;
                "SAFE".clone_into(&mut self.line);
            }
            Evidence::Proved(proof) => {
                self.answer = Answer::Safe;
                "SAFE".clone_into(&mut self.line);
                self.proof = Some(ProofReport { method: proof.method(), obligations: proof.obligations() });
            }
            Evidence::Bounded(coverage) => {
                self.answer = Answer::BoundedSafe;
                self.bounds = bounds(coverage);
                self.line = format!("SAFE up to {}", bounds_text(&self.bounds));
                self.coverage = Some(CoverageReport::new(coverage));
            }
        }
    }

    /// What was under way when the work ended, and why it ended where the line does not say that yet.
    fn tell_unfinished(&mut self, unfinished: &Unfinished, subject: &Subject<'_>) {
        let reason = reason_report(&unfinished.why, subject);
        let mut open = unfinished.attempted.as_ref().map(bounds).unwrap_or_default();
        open.retain(|bound| !self.bounds.contains(bound));
        let what = if open.is_empty() { "more was".to_owned() } else { bounds_text(&open) };
        match self.answer {
            Answer::BoundedSafe => {
                self.line = format!("{}; {what} not finished ({})", self.line, reason.text);
            }
            Answer::Unknown if !open.is_empty() => self.line = format!("{}; {what} not finished", self.line),
            Answer::Unknown | Answer::Safe | Answer::Violated | Answer::NotChecked => {}
        }
        let coverage = unfinished.attempted.as_ref().map(CoverageReport::new);
        self.unfinished = Some(UnfinishedReport { bounds: open, coverage, reason });
    }
}

/// What ends executions before they could break a property.
fn undefined_report(replayed: &ReplayedTrace, subject: &Subject<'_>) -> ReasonReport {
    let what = match replayed.outcome().property() {
        Some(Property::Overflow) => "signed overflow ends the execution before (overflow is not checked)",
        Some(Property::Arithmetic) => {
            "arithmetic without a result ends the execution before (arithmetic is not checked)"
        }
        Some(
            Property::MemorySafety
            | Property::Assertion
            | Property::Deadlock
            | Property::LockMisuse
            | Property::DataRace
            | Property::Leak
            | Property::Cleanup
            | Property::Uninitialised,
        )
        | None => "a memory error ends the execution before (memory-safety is not checked)",
    };
    let program = subject.vm.map(Vm::program);
    let place = program.and_then(|program| where_broken(program, replayed, subject));
    ReasonReport { kind: "undefined", text: what.to_owned(), place }
}

fn reason_report(reason: &Reason, subject: &Subject<'_>) -> ReasonReport {
    let (kind, text, span) = match reason {
        Reason::Exhausted(Exhausted::Time) => ("time", Exhausted::Time.to_string(), None),
        Reason::Exhausted(Exhausted::Memory) => ("memory", Exhausted::Memory.to_string(), None),
        Reason::Exhausted(Exhausted::Cancelled) => ("cancelled", Exhausted::Cancelled.to_string(), None),
        Reason::Effort(effort) => ("effort", effort.to_string(), None),
        Reason::Unsupported { what, span } => ("unsupported", format!("not supported: {what}"), Some(*span)),
        Reason::Bodiless { function, span } => ("bodiless", depends_on(function), Some(*span)),
        Reason::NotProved { why, span } => ("not-proved", why.clone(), Some(*span)),
        Reason::Sampled(what) => ("sampled", what.clone(), None),
        Reason::Internal { message, .. } => ("internal", format!("internal error: {message}"), None),
        Reason::Other(text) => ("other", text.clone(), None),
    };
    ReasonReport { kind, text, place: span.and_then(|span| subject.place(span)) }
}

/// Who waits, in a phrase.
fn deadlock_text(deadlock: &Deadlock) -> String {
    let name = |id: &ThreadId| deadlock.waiters.iter().find(|waiter| waiter.thread == *id);
    let names: Vec<&str> =
        deadlock.cycle.iter().filter_map(name).map(|waiter| waiter.name.as_str()).collect();
    match names.as_slice() {
        [] => "no thread is enabled".to_owned(),
        [alone] => format!("{alone} waits for itself"),
        [others @ .., last] => format!("{} and {last} wait for each other", others.join(", ")),
    }
}

impl ViolationReport {
    /// Makes a violation plain.
    #[must_use]
    pub fn of(property: Property, replayed: &ReplayedTrace, subject: &Subject<'_>) -> Self {
        let mut trace = replayed.trace().clone();
        trace.program = subject.program.clone();
        let program = subject.vm.map(Vm::program);
        let told =
            program.map(|program| Story::of(program, replayed, subject.find).with_source(subject.source));
        let (message, other) = match replayed.outcome() {
            Ending::Violated(violation) => match &violation.race {
                Some(race) => (format!("data race on `{}`", race.name), Some(race.first.user)),
                None => (violation.message.clone(), None),
            },
            Ending::Deadlock(deadlock) => (deadlock_text(deadlock), None),
            Ending::Exited(_)
            | Ending::Unsupported { .. }
            | Ending::StepLimit
            | Ending::Stopped
            | Ending::Halted
            | Ending::Exhausted(_) => (String::new(), None),
        };
        Self {
            message,
            place: program.and_then(|program| where_broken(program, replayed, subject)),
            other_place: program.zip(other).and_then(|(program, place)| subject.place(place.span(program))),
            story: told,
            trace,
            replay: (subject.replay)(property),
        }
    }

    /// In one line.
    #[must_use]
    pub fn line(&self) -> String {
        let at = self.place.as_deref().unwrap_or("an unknown location");
        let other = self.other_place.as_ref().map_or_else(String::new, |other| format!(" with {other}"));
        format!("BUG at {at}: {}{other}", self.message)
    }
}

/// The line to look at first.
fn where_broken(program: &Program, replayed: &ReplayedTrace, subject: &Subject<'_>) -> Option<String> {
    let is_user = |place: &&Place| !program.functions[place.function].model;
    match replayed.outcome() {
        Ending::Violated(violation) => {
            let user = violation.stack.iter().find(is_user).map(|place| place.span(program));
            subject.place(user.unwrap_or(violation.span))
        }
        Ending::Deadlock(deadlock) => {
            let first = deadlock.cycle.first();
            let waiter = deadlock.waiters.iter().find(|waiter| first.is_none_or(|&id| id == waiter.thread));
            subject.place(waiter.or(deadlock.waiters.first())?.user.span(program))
        }
        Ending::Exited(_)
        | Ending::Unsupported { .. }
        | Ending::StepLimit
        | Ending::Stopped
        | Ending::Halted
        | Ending::Exhausted(_) => None,
    }
}

impl Subject<'_> {
    /// A place as `file:line`.
    pub(crate) fn place(&self, span: Span) -> Option<String> {
        (self.find)(span).map(|at| format!("{}:{}", at.file, at.line))
    }
}
