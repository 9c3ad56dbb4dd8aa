//! Answers: what an engine says about each property, and on what grounds.
//!
//! A violation is a [`ReplayedTrace`], which only [`raddle_vm::replay`] makes, so a counterexample that was not seen to run
//! cannot be reported. A proof without bounds is an exploration to its end or a [`CheckedProof`], which only [`proof::check`] makes.
//! Every other proof says within which bounds it holds ([`Coverage`]). Undefined behaviour is never a proof: where executions end
//! by it and nobody asked for the property that is about it, the answer is [`Verdict::SafeUnless`], which counts as unknown.
//! Everything else is [`Verdict::Unknown`] with its reason.
//!
//! Bounds are numbers here; `report` makes sentences of them.

mod coverage;
pub mod proof;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use raddle_base::{Exhausted, Span};
use raddle_ir::Property;
use raddle_vm::{ReplayedTrace, Trace};

pub use coverage::{ArgumentBound, Coverage, Extent, LoopCoverage, RecursionCoverage, Rounds};
pub use proof::CheckedProof;

/// What was found: an answer for each property that was asked for, in the order they were asked, and what all of them rest on.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// For each property that was asked for.
    pub answers: Vec<Answer>,
    /// What they all rest on.
    pub ledger: Ledger,
}

/// What is said about one property.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Which one.
    pub property: Property,
    /// What is said.
    pub verdict: Verdict,
    /// What that rests on.
    pub grounds: Arc<Grounds>,
    /// What was under way when the work ended, if that is why no more is said.
    pub unfinished: Option<Unfinished>,
}

/// Work that was not brought to its end.
#[derive(Clone, Debug, PartialEq)]
pub struct Unfinished {
    /// What would have been covered; unknown of engines that do not go from bound to bound.
    pub attempted: Option<Coverage>,
    /// Why it ended.
    pub why: Reason,
}

/// The answer for one property.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// An execution breaks it; it was seen to.
    Violated(Box<ReplayedTrace>),
    /// No execution breaks it, as far as the evidence goes.
    Safe(Evidence),
    /// No execution breaks it before it ends, but some end by undefined behaviour that was not asked for: the first that was seen,
    /// as a violation of the property that is about it.
    SafeUnless(Evidence, Box<ReplayedTrace>),
    /// Neither is known.
    Unknown(Reason),
}

/// How far a proof goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Every loop and recursion was unrolled to its end, every thread followed.
    FullyUnrolled,
    /// Every state was visited.
    Enumerated,
    /// Only executions within these bounds were covered.
    Bounded(Coverage),
    /// A certificate that was checked apart from the engine that found it.
    Proved(CheckedProof),
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// Time or memory ran out, or somebody asked to stop.
    Exhausted(Exhausted),
    /// A limit of work was reached; time was left.
    Effort(Effort),
    /// Something is not supported and can be reached.
    Unsupported {
        /// What, by name.
        what: String,
        /// Where.
        span: Span,
    },
    /// It depends on what a function without a body does or returns.
    Bodiless {
        /// Its name.
        function: String,
        /// Where it is called.
        span: Span,
    },
    /// Something is not proved, and may hold or not.
    NotProved {
        /// Why, in a sentence without a full stop.
        why: String,
        /// Where in the program; [`Span::NONE`] if nowhere.
        span: Span,
    },
    /// The engine tried only some of the executions or inputs, and found nothing.
    Sampled(String),
    /// Two things that must agree do not: a mistake of ours. The trace is for us.
    Internal {
        /// What went wrong.
        message: String,
        /// What was to be replayed.
        trace: Option<Box<Trace>>,
    },
    /// Anything else, in a sentence without a full stop.
    Other(String),
}

/// What there was too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// States of an enumeration.
    States,
    /// Instructions executed.
    Instructions,
    /// Conflicts of a solver.
    Conflicts,
    /// Steps of one execution: so many.
    Steps(usize),
    /// Stores of one thread that others do not see yet: so many.
    DelayedStores(usize),
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::States => f.write_str("there are too many states"),
            Self::Instructions => f.write_str("executions are too long"),
            Self::Conflicts => f.write_str("the question is too hard for the solver"),
            Self::Steps(most) => write!(f, "an execution has more than {most} steps"),
            Self::DelayedStores(most) => write!(f, "a thread delays more than {most} stores"),
        }
    }
}

/// What the answer for one property rests on: who gave it, and how far that engine looked.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Grounds {
    /// The engine's name.
    pub engine: &'static str,
    /// How far loops, recursions and threads were followed.
    pub coverage: Coverage,
    /// Assertions that no execution reaches within the bounds: where, and what each is.
    pub unreached: Vec<(Span, String)>,
    /// What else is to be known, a sentence each.
    pub notes: Vec<String>,
    /// How large the question was.
    pub sizes: Sizes,
}

/// What all answers rest on: shown under every proof.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    /// The memory model's name: `sc`, `tso`, `pso`.
    pub memory_model: String,
    /// Functions without a body that the program uses.
    pub bodiless: Vec<BodilessEntry>,
    /// What is taken for granted of the world around the program, a sentence each.
    pub assumptions: Vec<String>,
    /// What else is to be known, a sentence each.
    pub notes: Vec<String>,
    /// How much work was done in all, by all engines that took part.
    pub work: Sizes,
    /// How long it took in all.
    pub time: Duration,
}

/// A function without a body.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct BodilessEntry {
    /// Its name.
    pub function: String,
    /// Whether it takes pointers.
    pub takes_pointers: bool,
    /// Whether the user says that it does nothing but return a value.
    pub pure: bool,
}

/// How large a question was; zero where the engine has no such thing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sizes {
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

/// The word for scripts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Summary {
    /// Some property is violated.
    False,
    /// All are proved without bounds.
    True,
    /// All are safe, some only up to bounds.
    Bounded,
    /// Anything else.
    Unknown,
}

impl Verdict {
    /// Whether nothing better can come.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        match self {
            Self::Violated(_) | Self::Unknown(Reason::Internal { .. }) => true,
            Self::Safe(evidence) | Self::SafeUnless(evidence, _) => evidence.is_whole(),
            Self::Unknown(_) => false,
        }
    }

    /// How much it says: of two answers to one question, the one that says more counts. A mistake of ours is never hidden.
    #[must_use]
    pub const fn rank(&self) -> u8 {
        match self {
            Self::Unknown(Reason::Internal { .. }) => 4,
            Self::Violated(_) => 3,
            Self::Safe(evidence) | Self::SafeUnless(evidence, _) => {
                if evidence.is_whole() {
                    2
                } else {
                    1
                }
            }
            Self::Unknown(_) => 0,
        }
    }
}

impl Evidence {
    /// Whether it is about all executions.
    #[must_use]
    pub const fn is_whole(&self) -> bool {
        match self {
            Self::FullyUnrolled | Self::Enumerated | Self::Proved(_) => true,
            Self::Bounded(_) => false,
        }
    }
}

impl Outcome {
    /// Answers that all rest on the same.
    #[must_use]
    pub fn new(verdicts: Vec<(Property, Verdict)>, grounds: Grounds, ledger: Ledger) -> Self {
        let grounds = Arc::new(grounds);
        let answer = |(property, verdict)| Answer {
            property,
            verdict,
            grounds: Arc::clone(&grounds),
            unfinished: None,
        };
        Self { answers: verdicts.into_iter().map(answer).collect(), ledger }
    }

    /// The verdict for a property, if it was asked for.
    #[must_use]
    pub fn verdict(&self, property: Property) -> Option<&Verdict> {
        self.answers.iter().find(|answer| answer.property == property).map(|answer| &answer.verdict)
    }

    /// All verdicts in one word. `FALSE` outranks everything; a mistake of ours is never hidden by a proof.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let has = |test: fn(&Verdict) -> bool| self.answers.iter().any(|answer| test(&answer.verdict));
        if has(|verdict| matches!(verdict, Verdict::Violated(_))) {
            Summary::False
        } else if self.answers.is_empty()
            || has(|verdict| matches!(verdict, Verdict::Unknown(_) | Verdict::SafeUnless(..)))
        {
            Summary::Unknown
        } else if has(|verdict| matches!(verdict, Verdict::Safe(Evidence::Bounded(_)))) {
            Summary::Bounded
        } else {
            Summary::True
        }
    }
}

impl Sizes {
    /// The larger ones.
    #[must_use]
    pub fn larger(self, other: Self) -> Self {
        Self {
            events: self.events.max(other.events),
            variables: self.variables.max(other.variables),
            clauses: self.clauses.max(other.clauses),
            conflicts: self.conflicts.max(other.conflicts),
            states: self.states.max(other.states),
            executions: self.executions.max(other.executions),
        }
    }

    /// What two engines did together: work is added, of how large a question was the larger counts.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Self {
            conflicts: self.conflicts + other.conflicts,
            states: self.states + other.states,
            ..self.larger(other)
        }
    }
}
