//! An engine's answers held against the truth.
//!
//! A wrong verdict is one that the truth contradicts; so is a violation whose trace does not show it, a mistake that the
//! engine admits, and a panic. `SAFE up to` bounds and `UNKNOWN` are never wrong; they are counted apart.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use raddle_base::Budget;
use raddle_engines::{
    Bounds, Coverage, Engine, Evidence, Grounds, Ledger, MemoryModel, NoProgress, Outcome, Reason, Solving,
    Task, Verdict, sequential,
};
use raddle_ir::{Program, Property};
use raddle_vm::{Options, ReplayedTrace, Unwatched, Vm, replay};

use crate::build::Built;
use crate::truth::{Truth, Truths};

/// How an engine is asked.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    /// Who.
    pub engine: &'q dyn Engine,
    /// Under which memory model.
    pub memory_model: MemoryModel,
    /// For how long at most.
    pub time: Duration,
    /// How far it may deepen by itself, if the program's own bounds do not say.
    pub unwind_max: Option<u32>,
    /// How many rounds, for engines that go through schedules in rounds.
    pub rounds: Option<u32>,
    /// How many context switches an execution may have, if the program's own bounds do not say.
    pub contexts: Option<u32>,
    /// The seed of random numbers, for engines that use them.
    pub seed: u64,
}

impl std::fmt::Debug for Question<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Question").field("engine", &self.engine.name()).finish_non_exhaustive()
    }
}

/// What came of one property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// Both say violated.
    Violated,
    /// The engine shows a violation of which it counts few context switches, and the VM more: it counts every visible step.
    Beyond,
    /// Both say safe.
    Safe,
    /// The engine says safe up to bounds.
    Bounded(Truth),
    /// The engine does not know, for this reason.
    Unknown(String),
    /// The engine knows, the enumeration does not.
    Unchecked,
    /// They cannot both be right.
    Disagreement(Disagreement),
}

/// Why they cannot both be right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Disagreement {
    /// The engine says safe; some execution breaks it.
    WrongSafe,
    /// The engine says violated; no execution breaks it.
    WrongViolated,
    /// The engine says safe up to so many rounds or context switches, with all loops unrolled; some schedule within that breaks it.
    Missed,
    /// The engine's trace does not show what it claims.
    Replay(String),
    /// The engine says itself that it made a mistake.
    Internal(String),
    /// The engine panics.
    Panic(String),
}

impl Disagreement {
    /// What it is, without what differs from program to program.
    #[must_use]
    pub const fn class(&self) -> &'static str {
        match self {
            Self::WrongSafe => "WRONG SAFE",
            Self::WrongViolated => "WRONG BUG",
            Self::Missed => "MISSED WITHIN THE BOUND",
            Self::Replay(_) => "a trace that does not show it",
            Self::Internal(_) => "an internal error",
            Self::Panic(_) => "a panic",
        }
    }
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Replay(why) | Self::Internal(why) | Self::Panic(why) => {
                write!(f, "{}: {why}", self.class())
            }
            Self::WrongSafe | Self::WrongViolated | Self::Missed => f.write_str(self.class()),
        }
    }
}

/// An engine's answer and how long it took; what it said when it panicked otherwise.
#[derive(Debug)]
pub struct EngineAnswer {
    /// The outcome.
    pub outcome: Result<Outcome, String>,
    /// How long.
    pub time: Duration,
}

/// Asks an engine.
#[must_use]
pub fn ask(question: &Question<'_>, built: &Built, properties: &[Property], bounds: &Bounds) -> EngineAnswer {
    let budget = Budget::unlimited().with_time(question.time);
    let task = Task {
        program: &built.program,
        source: Some(built.source()),
        outside: None,
        properties: properties.to_vec(),
        excused: Vec::new(),
        bounds: Bounds {
            unwind_max: bounds.unwind_max.or(question.unwind_max),
            contexts: bounds.contexts.or(question.contexts),
            ..bounds.clone()
        },
        sequential: sequential::Options { rounds: question.rounds, ..sequential::Options::default() },
        memory_model: question.memory_model,
        solving: Solving::default(),
        seed: question.seed,
        jobs: 1,
    };
    let outcome = match question.engine.supports(&task) {
        Ok(()) => {
            let work = || question.engine.check(&task, &budget, &NoProgress);
            catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
                let text = panic.downcast_ref::<String>().cloned();
                text.or_else(|| panic.downcast_ref::<&str>().map(|&text| text.to_owned())).unwrap_or_default()
            })
        }
        Err(unsupported) => {
            let reason = Reason::Other(unsupported.0);
            let unknown = |&property: &Property| (property, Verdict::Unknown(reason.clone()));
            let verdicts = properties.iter().map(unknown).collect();
            Ok(Outcome::new(verdicts, Grounds::default(), Ledger::default()))
        }
    };
    EngineAnswer { outcome, time: budget.elapsed() }
}

/// Holds an answer against the truth, property by property.
#[must_use]
pub fn compare(
    program: &Program,
    properties: &[Property],
    truths: &Truths,
    answer: &EngineAnswer,
    memory_model: MemoryModel,
) -> Vec<(Property, Finding)> {
    let same_for_all = |finding: &Finding| {
        properties.iter().map(|&property| (property, finding.clone())).collect::<Vec<_>>()
    };
    let outcome = match &answer.outcome {
        Ok(outcome) => outcome,
        Err(panic) => return same_for_all(&Finding::Disagreement(Disagreement::Panic(panic.clone()))),
    };
    let judged = outcome.answers.iter().map(|raddle_engines::Answer { property, verdict, .. }| {
        let truth = truths.of(*property);
        let finding = match verdict {
            Verdict::Violated(trace) => match shows(program, *property, trace, memory_model) {
                Err(why) => Finding::Disagreement(Disagreement::Replay(why)),
                Ok(()) => match truth {
                    Truth::Violated if truths.in_contexts(*property) == Truth::Safe => Finding::Beyond,
                    Truth::Violated => Finding::Violated,
                    Truth::Open => Finding::Unchecked,
                    Truth::Safe => Finding::Disagreement(Disagreement::WrongViolated),
                },
            },
            // The truth, too, is about executions that may end by undefined behaviour.
            Verdict::Safe(evidence) | Verdict::SafeUnless(evidence, _) => match (evidence, truth) {
                (Evidence::Bounded(coverage), _) if misses(truths, *property, coverage) => {
                    Finding::Disagreement(Disagreement::Missed)
                }
                (Evidence::Bounded(_), _) => Finding::Bounded(truth),
                (Evidence::FullyUnrolled | Evidence::Enumerated | Evidence::Proved(_), Truth::Violated) => {
                    Finding::Disagreement(Disagreement::WrongSafe)
                }
                (Evidence::FullyUnrolled | Evidence::Enumerated | Evidence::Proved(_), Truth::Safe) => {
                    Finding::Safe
                }
                (Evidence::FullyUnrolled | Evidence::Enumerated | Evidence::Proved(_), Truth::Open) => {
                    Finding::Unchecked
                }
            },
            Verdict::Unknown(Reason::Internal { message, .. }) => {
                Finding::Disagreement(Disagreement::Internal(message.clone()))
            }
            Verdict::Unknown(reason) => Finding::Unknown(describe(reason)),
        };
        (*property, finding)
    });
    judged.collect()
}

/// Whether an engine that looked at all schedules of some rounds, or of few context switches, with no loop cut, should have found what is there.
fn misses(truths: &Truths, property: Property, coverage: &Coverage) -> bool {
    let in_rounds = truths.in_rounds && coverage.rounds.is_some() && truths.of(property) == Truth::Violated;
    let in_contexts =
        coverage.is_bounded_by_contexts_alone() && truths.in_contexts(property) == Truth::Violated;
    in_rounds && !coverage.cuts_loops() || in_contexts
}

/// Whether a trace shows, on this very program, that a property is broken: under the memory model asked for, or a stronger one.
pub fn shows(
    program: &Program,
    property: Property,
    trace: &ReplayedTrace,
    memory_model: MemoryModel,
) -> Result<(), String> {
    let strength = |model: MemoryModel| MemoryModel::ALL.iter().position(|&other| other == model);
    let model = trace.trace().memory_model;
    if strength(model) > strength(memory_model) {
        return Err(format!("it is one of {}", model.name()));
    }
    let vm = Vm::checking(program, &[property]).with_memory_model(model);
    let again = replay(&vm, trace.trace(), &Options::default(), &mut Unwatched);
    let again = again.map_err(|error| error.to_string())?;
    match again.outcome().property() {
        Some(shown) if shown == property => Ok(()),
        Some(shown) => Err(format!("it shows {} instead of {}", shown.name(), property.name())),
        None => Err("it shows nothing".to_owned()),
    }
}

/// A reason, without what differs from program to program.
#[must_use]
pub fn describe(reason: &Reason) -> String {
    match reason {
        Reason::Exhausted(why) => why.to_string(),
        Reason::Effort(effort) => effort.to_string(),
        Reason::Unsupported { what, .. } => format!("not supported: {what}"),
        Reason::Bodiless { .. } => "a function without a body".to_owned(),
        Reason::NotProved { why, .. } => why.clone(),
        Reason::Sampled(_) => "only some executions were tried".to_owned(),
        Reason::Internal { message, .. } => format!("an internal error: {message}"),
        Reason::Other(why) => why.clone(),
    }
}
