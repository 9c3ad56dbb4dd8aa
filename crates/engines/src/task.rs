//! What is asked of an engine.

use std::collections::BTreeMap;
use std::time::Duration;

use raddle_base::SourceMap;
use raddle_cfront::ast::Ast;
use raddle_ir::{Program, Property};
use raddle_lower::LowerOptions;
use raddle_verdict::Sizes;
pub use raddle_vm::MemoryModel;

use raddle_logic::smtlib::External;
use raddle_logic::solver::{Embedded, Solver};

use crate::sequential::outside::Checker;
use crate::{InstalledSolver, sequential};

/// A program and what is asked about it.
#[derive(Clone, Debug)]
pub struct Task<'p> {
    /// The program, as lowered: an engine makes its own copy if it wants to rewrite it, so that traces fit this one.
    pub program: &'p Program,
    /// The C that it was lowered from, for engines that rewrite that.
    pub source: Option<Source<'p>>,
    /// A checker of other people, for engines that make sequential programs; without it, ours.
    pub outside: Option<&'p dyn Checker>,
    /// The properties that are asked for, each once.
    pub properties: Vec<Property>,
    /// Properties that are not asked for and whose violations may end executions without a word: SV-COMP's rules say that such
    /// executions do not count, or somebody else answers for them.
    pub excused: Vec<Property>,
    /// How far to look.
    pub bounds: Bounds,
    /// For engines that go through schedules in rounds.
    pub sequential: sequential::Options,
    /// Which reorderings of memory accesses are possible.
    pub memory_model: MemoryModel,
    /// Who solves what engines ask.
    pub solving: Solving<'p>,
    /// For engines that choose at random.
    pub seed: u64,
    /// How many threads may work at the same time.
    pub jobs: usize,
}

impl Task<'_> {
    /// Whether executions that end by undefined behaviour that this property is about must be told of: nobody asks for it.
    #[must_use]
    pub fn is_unchecked(&self, property: Property) -> bool {
        property.is_about_undefined_behaviour()
            && !self.properties.contains(&property)
            && !self.excused.contains(&property)
    }

    /// All those properties.
    pub fn unchecked(&self) -> impl Iterator<Item = Property> + '_ {
        Property::ALL.iter().copied().filter(|&property| self.is_unchecked(property))
    }
}

/// Who solves the formulas that engines make, and who is shown them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Solving<'p> {
    /// An installed solver; without it, ours.
    pub external: Option<&'p InstalledSolver>,
    /// Is shown every question before it is asked.
    pub reader: Option<&'p dyn Questions>,
}

impl Solving<'_> {
    /// Whether the caller left it all to us.
    #[must_use]
    pub const fn is_ours(&self) -> bool {
        self.external.is_none() && self.reader.is_none()
    }

    /// A solver that has heard nothing yet.
    #[must_use]
    pub fn solver(&self) -> Box<dyn Solver> {
        match self.external {
            Some(command) => Box::new(External::new(command.clone())),
            None if self.reader.is_some() => Box::new(Embedded::new()),
            None => Box::new(Embedded::without_record()),
        }
    }
}

/// Reads the questions that a solver is asked.
pub trait Questions: std::fmt::Debug + Sync {
    /// A question as SMT-LIB text, and a few words on what it is about: `unwind 3 assertion`.
    fn question(&self, about: &str, smt2: &str);
}

/// The C that a program was lowered from.
#[derive(Clone, Copy, Debug)]
pub struct Source<'p> {
    /// The texts: spans of the program lead into them.
    pub sources: &'p SourceMap,
    /// All units, linked; the last one has the API models.
    pub ast: &'p Ast,
    /// How it was lowered.
    pub lowering: &'p LowerOptions,
}

/// How far an engine looks into loops, recursion and thread creation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// Iterations of every loop, and depth of every recursion; without it the engine deepens by itself.
    pub unwind: Option<u32>,
    /// For loops by the name that `--unwindset` gives them: `function.N`, the N-th loop of the function in source order
    /// from 0, or `function` for the depth of a recursion.
    pub unwind_set: BTreeMap<String, u32>,
    /// When deepening by itself, no further than this.
    pub unwind_max: Option<u32>,
    /// Threads, the main one included.
    pub max_threads: Option<u32>,
    /// Context switches in an execution, under sequential consistency.
    pub contexts: Option<u32>,
}

impl Bounds {
    /// Whether there is a bound on anything but context switches.
    #[must_use]
    pub fn bounds_more_than_contexts(&self) -> bool {
        Self { contexts: None, ..self.clone() } != Self::default()
    }
}

/// Why an engine cannot answer a task: a sentence without a full stop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

/// How far the work has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Status {
    /// What is being done: `unrolling`, `encoding`, `solving`, `replaying`.
    pub phase: &'static str,
    /// The bound at work: `unwind 3`.
    pub bound: String,
    /// Sizes so far.
    pub sizes: Sizes,
    /// Since the start.
    pub elapsed: Duration,
}

/// Is told how far the work has come. Calls may be many: the receiver decides what to show.
pub trait Progress: Sync {
    /// Takes notice.
    fn update(&self, status: &Status);
}

/// Takes no notice.
#[derive(Clone, Copy, Debug)]
pub struct NoProgress;

impl Progress for NoProgress {
    fn update(&self, _: &Status) {}
}
