//! The engines: each takes a [`Task`] and gives [`Answers`]. None prints.
//!
//! [`ENGINES`] names them all; the command line, its help and the tests read that list.

mod alike;
pub mod answers;
mod confirm;
mod deepening;
pub mod dpor;
pub mod enumerate;
pub mod execution_graph;
pub mod facts;
mod looked;
pub mod paths;
pub mod po_bmc;
pub mod portfolio;
pub mod predict;
pub mod sample;
pub mod sequential;
pub mod shorten;
mod task;
pub mod thread_modular;
pub mod trace_abstraction;
mod undefined;
mod unknown_calls;
mod unsynchronised;
pub mod vacuity;

pub use answers::Answers;
pub use facts::Exchange;
use raddle_base::Budget;
use raddle_ir::Property;
pub use raddle_logic::smtlib::Command as InstalledSolver;
pub use raddle_verdict::{
    Answer, ArgumentBound, CheckedProof, Coverage, Effort, Evidence, Extent, Grounds, Ledger, LoopCoverage,
    Outcome, Reason, RecursionCoverage, Rounds, Sizes, Unfinished, Verdict, proof,
};
pub use task::{
    Bounds, MemoryModel, NoProgress, Progress, Questions, Solving, Source, Status, Task, Unsupported,
};
pub use unknown_calls::programs_for;

/// A way to answer a task.
pub trait Engine: Sync {
    /// What there is to know about it without asking it anything.
    fn card(&self) -> &'static Card;

    /// What people call it on the command line.
    fn name(&self) -> &'static str {
        self.card().name
    }

    /// Whether it can answer a task at all.
    fn supports(&self, task: &Task<'_>) -> Result<(), Unsupported>;

    /// Answers for the program of a task as it stands. Each answer is given as soon as it is known, and what is covered in the meantime
    /// is said; when this returns, every property that is open has an answer, with its reason if it is not known.
    fn answer(&self, task: &Task<'_>, session: &Session<'_>);

    /// Answers a task, within a budget; also where what functions without a body do makes no difference.
    fn check(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        let answers = Answers::new(&task.properties);
        let facts = Exchange::default();
        self.check_for(task, &Session { budget, progress, answers: &answers, facts: &facts })
    }

    /// The same for a session whose answers somebody else may want to see before they are complete.
    fn check_for(&self, task: &Task<'_>, session: &Session<'_>) -> Outcome {
        unknown_calls::check(self, task, session)
    }
}

/// An engine as data: for the command line, its help, the documentation and tests.
#[derive(Clone, Copy, Debug)]
pub struct Card {
    /// What people call it on the command line.
    pub name: &'static str,
    /// In a line, for `--help`.
    pub about: &'static str,
    /// The properties whose violations it looks for. Of others it says that they are unknown.
    pub properties: &'static [Property],
    /// The memory models that it knows.
    pub memory_models: &'static [MemoryModel],
    /// The options that it has beside those that all engines have.
    pub options: &'static [EngineOption],
    /// Whether it rewrites the C of a task, so that changes to its program do not reach it.
    pub rewrites_source: bool,
}

impl Card {
    /// Whether it looks for violations of a property.
    #[must_use]
    pub fn offers(&self, property: Property) -> bool {
        self.properties.contains(&property)
    }

    /// Whether it has an option.
    #[must_use]
    pub fn has(&self, option: EngineOption) -> bool {
        self.options.contains(&option)
    }
}

/// What only some engines can be told. An option that an engine does not have is refused: to ignore it would answer another question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineOption {
    /// How many round-robin rounds.
    Rounds,
    /// Which threads take part in each of them.
    Schedule,
    /// Where threads may be left.
    Switches,
    /// A checker of other people.
    Backend,
    /// Who solves formulas, and where they are written.
    Solver,
    /// How many context switches an execution may have.
    Contexts,
}

impl Card {
    /// Whether it can keep to the bound on context switches of a task, if there is one.
    pub(crate) fn bounds_contexts(&self, task: &Task<'_>) -> Result<(), Unsupported> {
        let refuse = |why: &str| Err(Unsupported(why.to_owned()));
        match task.bounds.contexts {
            None => Ok(()),
            Some(_) if !self.has(EngineOption::Contexts) => refuse("it does not bound context switches"),
            Some(_) if task.memory_model.is_weak() => {
                refuse("context switches are bounded under sequential consistency only")
            }
            Some(_) => Ok(()),
        }
    }
}

impl EngineOption {
    /// The engines that have it.
    pub fn engines(self) -> impl Iterator<Item = &'static dyn Engine> {
        ENGINES.iter().copied().filter(move |engine| engine.card().has(self))
    }
}

/// What an engine works with on one task. Its thread is what goes on: when work is allotted, it waits inside the budget's
/// [`poll`](Budget::poll) until there is more.
#[derive(Clone, Copy)]
pub struct Session<'s> {
    /// Ends the work, and allots it.
    pub budget: &'s Budget,
    /// Is told how far the work has come.
    pub progress: &'s dyn Progress,
    /// To be filled in.
    pub answers: &'s Answers,
    /// What engines that work on the same task let each other know.
    pub facts: &'s Exchange,
}

impl std::fmt::Debug for Session<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("answers", &self.answers).finish_non_exhaustive()
    }
}

impl Session<'_> {
    /// Says how far the work has come.
    pub(crate) fn report(&self, phase: &'static str, bound: String, sizes: Sizes) {
        self.answers.note_work(sizes);
        self.progress.update(&Status { phase, bound, sizes, elapsed: self.budget.elapsed() });
    }
}

/// All engines, the default first.
pub const ENGINES: &[&dyn Engine] = &[
    &portfolio::Portfolio,
    &po_bmc::PoBmc,
    &sequential::LAZY,
    &sequential::LAL_REPS,
    &thread_modular::ThreadModular,
    &trace_abstraction::TraceAbstraction,
    &enumerate::Enumerate,
    &dpor::Dpor,
    &sample::Sample,
];

/// The engine of a name.
#[must_use]
pub fn engine(name: &str) -> Option<&'static dyn Engine> {
    ENGINES.iter().copied().find(|engine| engine.name() == name)
}
