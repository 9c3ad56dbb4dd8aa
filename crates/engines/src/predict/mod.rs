//! What a run that passed foretells: does another order of the same statements break a property?
//!
//! A run is made, or a recorded one is followed again; its threads' paths and inputs are kept ([`paths`](crate::paths)), and all orders of its
//! statements are one question (φ of Yang and Sakallah, "Trace-Driven Verification of Multithreaded Programs"; Wang, Kundu, Ganai and
//! Gupta, "Symbolic Predictive Analysis for Concurrent Programs", FM 2009). Unlike in [`observed`](crate::execution_graph::observed), where
//! a read of another value is the last thing that a thread does, threads go on as long as their branches go the same way: so the
//! executions are all that consist of the run's statements, and of all their prefixes.
//!
//! Direction of error: none. What is foretold was replayed by the VM. "Holds" is said of the run's statements with the run's inputs only,
//! never of the program.

mod reversed;
mod widen;

use std::sync::Arc;

use raddle_base::Budget;
use raddle_ir::Property;
use raddle_vm::recording::{Entry, Recorder, Recording};
use raddle_vm::{Exit, Options, Outcome, ReplayError, ReplayedTrace, Trace, Unwatched, Vm, follow, replay};

use crate::paths::{PathRecorder, Paths};
use crate::po_bmc::orders::{self, InOtherOrders};
use crate::{Reason, Sizes, Task, Verdict};
pub use reversed::{Deed, Reversed, reversed};
pub use widen::{Ended, Step, widen};

/// A run, and all that is kept of it.
#[derive(Debug)]
pub struct Run {
    /// The schedule and the inputs.
    pub trace: Trace,
    /// What happened.
    pub recording: Recording,
    /// How many steps were made.
    pub steps: u64,
    /// How many threads there were.
    pub threads: usize,
    /// The status that the process ended with, if it did.
    pub exit: Option<Exit>,
    paths: Arc<Paths>,
}

/// Why nothing is known of a run.
#[derive(Debug)]
pub enum NoRun {
    /// The trace is not one of the program.
    Misfit(ReplayError),
    /// It comes upon something that the VM does not know.
    Unsupported(String),
}

impl std::fmt::Display for NoRun {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Misfit(why) => why.fmt(f),
            Self::Unsupported(what) => write!(f, "the run comes upon what is not supported: {what}"),
        }
    }
}

impl std::error::Error for NoRun {}

impl Run {
    /// Follows a trace. Nothing is checked, so that the run goes on behind what it breaks itself.
    pub fn follow(task: &Task<'_>, trace: &Trace) -> Result<Self, NoRun> {
        let vm = Vm::checking(task.program, &[]).with_memory_model(task.memory_model);
        let mut watching = (Recorder::new(task.program.pointer_bits), PathRecorder::new(task.program));
        let result = follow(&vm, trace, &Options::default(), &mut watching).map_err(NoRun::Misfit)?;
        if let Outcome::Unsupported { what, .. } = result.outcome {
            return Err(NoRun::Unsupported(what));
        }
        let exit = if let Outcome::Exited(exit) = result.outcome { Some(exit) } else { None };
        let paths = watching.1.finish();
        Ok(Self {
            trace: trace.clone(),
            recording: watching.0.finish(),
            steps: result.steps,
            threads: result.state.threads.len(),
            exit,
            paths: Arc::new(paths),
        })
    }

    /// How many events others could see.
    #[must_use]
    pub fn events(&self) -> usize {
        self.recording.entries().iter().filter(|entry| matches!(entry, Entry::Event(_))).count()
    }
}

/// What a run says about a property.
#[derive(Clone, Debug)]
pub enum Foretold {
    /// The run itself breaks it.
    InTheRun(Box<ReplayedTrace>),
    /// Another order of its statements breaks it.
    Possible(Box<ReplayedTrace>),
    /// No order of its statements breaks it.
    Holds,
    /// Not known, for this reason.
    Unknown(Reason),
}

/// Asks what a run says about the properties of a task; with a window, only events that are so near to each other in the run are put in
/// another order. Each answer is told as soon as it is known.
pub fn foretell(
    task: &Task<'_>,
    run: &Run,
    window: Option<u64>,
    budget: &Budget,
    mut tell: impl FnMut(Property, Foretold),
) -> Sizes {
    let mut rest = Task { properties: Vec::new(), ..task.clone() };
    for &property in &task.properties {
        match broken_in(task, run, property) {
            Some(replayed) => tell(property, Foretold::InTheRun(Box::new(replayed))),
            None => rest.properties.push(property),
        }
    }
    if rest.properties.is_empty() {
        return Sizes::default();
    }
    orders::ask(&rest, &run.paths, window, budget, |property, found| {
        tell(
            property,
            match found {
                InOtherOrders::Asked(Verdict::Violated(replayed)) => Foretold::Possible(replayed),
                InOtherOrders::Asked(Verdict::Unknown(reason)) => Foretold::Unknown(reason),
                InOtherOrders::Asked(Verdict::Safe(_) | Verdict::SafeUnless(..)) | InOtherOrders::Holds => {
                    Foretold::Holds
                }
            },
        );
    })
}

/// The run as a violation, if it is one.
fn broken_in(task: &Task<'_>, run: &Run, property: Property) -> Option<ReplayedTrace> {
    let vm = Vm::checking(task.program, &[property]).with_memory_model(task.memory_model);
    let trace = Trace { property: Some(property.name().to_owned()), ..run.trace.clone() };
    replay(&vm, &trace, &Options::default(), &mut Unwatched).ok()
}
