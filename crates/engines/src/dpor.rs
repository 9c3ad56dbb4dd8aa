//! Engine `dpor`: one execution of each class that differs only in the order of independent steps, in the VM.
//!
//! Optimal dynamic partial-order reduction (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014); `raddle_vm::explore` has the algorithm and
//! what it rests on. Executions of one class break the same properties, so it says `SAFE` when one of each was walked to its end, as
//! the enumeration of states does when it has visited each: see [`crate::enumerate`], which also says what becomes of properties
//! that hide each other.
//!
//! No state is kept but those on the path, so memory does not grow with the number of executions; a program whose executions do not end
//! is not proved, unless its loops only wait. Weak memory models are refused: what a delayed store depends on is not known here.

use raddle_ir::Property;
use raddle_vm::{Search, Strategy};

use crate::enumerate::Enumeration;
use crate::{Card, Engine, MemoryModel, Session, Task, Unsupported};

/// An execution of more steps is cut off, which the answer then says.
const MOST_STEPS: usize = 2000;

/// The engine.
#[derive(Clone, Copy, Debug)]
pub struct Dpor;

impl Engine for Dpor {
    fn card(&self) -> &'static Card {
        &Card {
            name: "dpor",
            about: "one execution of each class that differs only in the order of independent steps",
            properties: Property::ALL,
            memory_models: &[MemoryModel::Sc],
            options: &[],
            rewrites_source: false,
        }
    }

    fn supports(&self, task: &Task<'_>) -> Result<(), Unsupported> {
        if task.memory_model.is_weak() {
            return Err(Unsupported("it works under sequential consistency only".to_owned()));
        }
        self.card().bounds_contexts(task)
    }

    fn answer(&self, task: &Task<'_>, session: &Session<'_>) {
        let search = Search {
            strategy: Strategy::Dpor,
            max_depth: MOST_STEPS,
            jobs: task.jobs.max(1),
            ..Search::default()
        };
        Enumeration::new(self.name(), search, task, session).go();
    }
}
