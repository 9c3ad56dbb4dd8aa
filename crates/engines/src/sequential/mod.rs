//! Engines `lazy` and `lal-reps`: the concurrent program becomes a sequential one, which goes through round-robin schedules,
//! and our own bounded checker answers for that.
//!
//! | file | does |
//! |---|---|
//! | `bounds` | says within which bounds to look, one after the other |
//! | `transform` | runs the passes of a schema and lowers what comes out |
//! | `observe` | notes what an execution of the sequential program does that concerns the input |
//! | `records` | makes a record of an execution of the input of it |
//! | `work` | asks, with growing bounds |
//! | `outside` | lets a checker of other people answer instead of ours |
//! | `guide` | finds that execution of the input in the VM, and replays it |
//! | `inputs` | what that execution is given from outside |
//!
//! What is covered are schedules of so many rounds, in each of which threads take turns in the order of their numbers, with
//! every loop and recursion up to a bound. Both grow until the budget ends. So these engines find bugs and never prove more than
//! bounds. A counterexample that the VM does not find again on the input is an internal error, never a verdict.

mod bounds;
mod guide;
mod inputs;
mod observe;
mod options;
pub mod outside;
mod records;
mod transform;
mod work;

use raddle_ir::analyses::address_reuse::Comparisons;
use raddle_ir::analyses::points_to::PointsTo;
use raddle_ir::{AddressReuse, Property};
use raddle_sequentialize::{Pipeline, schema};

pub use options::Options;

use crate::{Card, Engine, EngineOption, MemoryModel, Session, Task, Unsupported};
use bounds::{Bound, MOST_CONSTANT, ladder};
use work::Work;

/// The lazy schema.
pub const LAZY: Sequentialization = Sequentialization { schema: Schema::Lazy };

/// The schema of Lal and Reps.
pub const LAL_REPS: Sequentialization = Sequentialization { schema: Schema::LalReps };

/// How the input becomes sequential.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Schema {
    Lazy,
    LalReps,
}

/// What a sequential program is made for: to look for deadlocks it asks more, which others need not pay for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Question {
    Checks,
    Deadlock,
}

impl Question {
    const ALL: [Self; 2] = [Self::Checks, Self::Deadlock];

    fn of(property: Property) -> Self {
        if property == Property::Deadlock { Self::Deadlock } else { Self::Checks }
    }
}

/// The engine of a schema.
#[derive(Clone, Copy, Debug)]
pub struct Sequentialization {
    schema: Schema,
}

impl Sequentialization {
    /// The passes, for these bounds.
    fn pipeline(self, bound: Bound, task: &Task<'_>, question: Question) -> Pipeline {
        let (unwind, rounds) = (bound.unwind, bound.rounds);
        let constant = Some(bound.constant.min(MOST_CONSTANT));
        match self.schema {
            Schema::Lazy => {
                let mut lazy = schema::Lazy { unwind, rounds, constant, ..schema::Lazy::default() };
                lazy.deadlock = question == Question::Deadlock;
                lazy.schedule.clone_from(&task.sequential.schedule);
                lazy.switches.clone_from(&task.sequential.switches);
                if let Some(threads) = task.bounds.max_threads {
                    lazy.threads = threads.saturating_sub(1).max(1);
                }
                lazy.pipeline()
            }
            Schema::LalReps => {
                schema::LalReps { unwind, rounds, constant, ..schema::LalReps::default() }.pipeline()
            }
        }
    }
}

const LAZY_CARD: Card = Card {
    name: "lazy",
    about: "lazy sequentialization: schedules of a few round-robin rounds in one sequential program; finds bugs",
    properties: &[Property::Assertion, Property::Deadlock, Property::LockMisuse],
    memory_models: &[MemoryModel::Sc],
    options: &[
        EngineOption::Rounds,
        EngineOption::Schedule,
        EngineOption::Switches,
        EngineOption::Backend,
        EngineOption::Solver,
    ],
    rewrites_source: true,
};

const LAL_REPS_CARD: Card = Card {
    name: "lal-reps",
    about: "the older schema of Lal and Reps: the same schedules, with the memory of later rounds guessed",
    properties: &[Property::Assertion],
    options: &[EngineOption::Rounds, EngineOption::Solver],
    ..LAZY_CARD
};

impl Engine for Sequentialization {
    fn card(&self) -> &'static Card {
        match self.schema {
            Schema::Lazy => &LAZY_CARD,
            Schema::LalReps => &LAL_REPS_CARD,
        }
    }

    fn supports(&self, task: &Task<'_>) -> Result<(), Unsupported> {
        self.card().bounds_contexts(task)?;
        let refuse = |why: &str| Err(Unsupported(why.to_owned()));
        let Some(source) = task.source else {
            return refuse("it rewrites C, and there is only the lowered program");
        };
        if !self.card().memory_models.contains(&task.memory_model) {
            return refuse("weak memory models are not supported by this engine");
        }
        if self.schema == Schema::LalReps && task.sequential.schedule.is_some() {
            return refuse("all threads take part in all its rounds");
        }
        if task.sequential.switches.is_some() && (self.schema == Schema::LalReps || ladder(task).len() > 1) {
            return refuse(
                "switch points are restricted in the schema lazy, when all its other bounds are given",
            );
        }
        if self.schema == Schema::LalReps && task.outside.is_some() {
            return refuse("its programs are only given to our own checker");
        }
        if !task.bounds.unwind_set.is_empty() {
            return refuse("it has one bound for all loops");
        }
        if !source.lowering.error_labels.is_empty() {
            return refuse("error labels are not supported by this engine");
        }
        if source.lowering.arguments.len() > 1 || source.lowering.environment.free_arguments {
            return refuse("arguments of the program are not supported by this engine");
        }
        Ok(())
    }

    fn answer(&self, task: &Task<'_>, session: &Session<'_>) {
        Work::new(*self, task, session).go();
    }
}

/// Whether the program may compare a pointer to an object that has ended with one that may have the same address. The sequential
/// programs do not show that: their locals do not end, and no thread can be left just before it makes an object.
fn misses_reuse(task: &Task<'_>) -> bool {
    if task.program.address_reuse == AddressReuse::Never {
        return false;
    }
    let comparisons = Comparisons::new(task.program, &PointsTo::new(task.program));
    comparisons.locals || comparisons.heap
}
