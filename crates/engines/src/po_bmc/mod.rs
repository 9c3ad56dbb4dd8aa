//! Partial-order bounded model checking: all schedules of the unrolled program in one question to a SAT solver.
//!
//! | file | does |
//! |---|---|
//! | `symbolic` | executes each thread symbolically, up to bounds: a program becomes [events](crate::execution_graph::events) |
//! | `hypotheses` | infers invariants that make the next execution smaller, and confirms them |
//! | `local` | rules out what terms alone make impossible |
//! | `execution_graph` (beside this engine) | says which executions there are: terms, and an order of events |
//! | `counterexample` | makes a trace of a model and has it replayed |
//! | `decide` | asks, property by property, with growing bounds |
//! | `orders` | asks about the statements of one run, in all orders |

mod addresses;
mod counterexample;
mod decide;
mod hypotheses;
mod local;
pub(crate) mod orders;
mod symbolic;

use raddle_ir::Property;

use crate::{Card, Engine, EngineOption, MemoryModel, Session, Task, Unsupported};

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct PoBmc;

impl Engine for PoBmc {
    fn card(&self) -> &'static Card {
        &Card {
            name: "po-bmc",
            about: "partial-order bounded model checking: all schedules of the unrolled program in one question to a SAT solver",
            properties: Property::ALL,
            memory_models: MemoryModel::ALL,
            options: &[EngineOption::Solver, EngineOption::Contexts],
            rewrites_source: false,
        }
    }

    fn supports(&self, task: &Task<'_>) -> Result<(), Unsupported> {
        self.card().bounds_contexts(task)
    }

    fn answer(&self, task: &Task<'_>, session: &Session<'_>) {
        decide::check(task, session);
    }
}
