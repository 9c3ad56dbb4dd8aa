//! The engines: each takes a [`Task`] and gives an [`Outcome`]. None prints.
//!
//! [`ENGINES`] names them all; the command line, its help and the tests read that list.

pub mod enumerate;
mod looked;
pub mod po_bmc;
pub mod portfolio;
pub mod sample;
pub mod sequential;
pub mod shorten;
mod task;
mod undefined;
mod unknown_calls;
mod unsynchronised;
pub mod vacuity;

use raddle_base::Budget;
use raddle_ir::Property;
pub use raddle_logic::smtlib::Command as InstalledSolver;
pub use raddle_vm::verdict::{Effort, Evidence, Ledger, Outcome, Reason, Sizes, Verdict};
pub use task::{
    Bounds, MemoryModel, NoProgress, Progress, Questions, Solving, Source, Status, Task, Unsupported,
};

/// A way to answer a task.
pub trait Engine: Sync {
    /// What people call it on the command line.
    fn name(&self) -> &'static str;

    /// In a line, for `--help`.
    fn about(&self) -> &'static str;

    /// Whether it looks for violations of a property. Of others it says that they are unknown.
    fn offers(&self, _property: Property) -> bool {
        true
    }

    /// Whether it makes formulas for a solver: whoever names one wants it to be used.
    fn asks_solver(&self) -> bool {
        false
    }

    /// Whether it can answer a task at all.
    fn supports(&self, task: &Task<'_>) -> Result<(), Unsupported>;

    /// Whether it rewrites the C of a task, so that changes to its program do not reach it.
    fn rewrites_source(&self) -> bool {
        false
    }

    /// Answers for the program of a task as it stands, within a budget.
    fn answer(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome;

    /// Answers a task, within a budget; also where what functions without a body do makes no difference.
    fn check(&self, task: &Task<'_>, budget: &Budget, progress: &dyn Progress) -> Outcome {
        unknown_calls::check(self, task, budget, progress)
    }
}

/// All engines, the default first.
pub const ENGINES: &[&dyn Engine] = &[
    &portfolio::Portfolio,
    &po_bmc::PoBmc,
    &sequential::LAZY,
    &sequential::LAL_REPS,
    &enumerate::Enumerate,
    &sample::Sample,
];

/// The engine of a name.
#[must_use]
pub fn engine(name: &str) -> Option<&'static dyn Engine> {
    ENGINES.iter().copied().find(|engine| engine.name() == name)
}
