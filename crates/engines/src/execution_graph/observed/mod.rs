//! The events of one run: which other executions does it vouch for?
//!
//! The model is the maximal causal model of a run (Huang, Meredith and Roşu: "Maximal Sound Predictive Race Detection with Control
//! Flow Abstraction", PLDI 2014; before it Said, Wang, Yang and Sakallah: "Generating Data Race Witnesses by an SMT-based
//! Analysis", NFM 2011). Each thread does what it did in the run, as long as its reads read the values that they had: from any write
//! that gives that value. A read that reads another value happens too, but it is the last thing that its thread does,
//! because nobody knows what the thread would do next. So the executions are prefixes of the run's threads, interleaved anew.
//!
//! One step of the VM is one step here. What the main thread did before it started others happens in every execution as well.
//!
//! [`Observed::from_state`] asks about a state of the VM in the midst of a run: what led there happens in every execution as it did in the run, and what
//! came later is interleaved anew. That is what can still happen from there.
//!
//! # Direction of error
//! Executions are missing: those in which a thread goes on after it has read something new. Few are too many: what a thread
//! learns by asking (`Action::Query`: whether a lock is free, whether a thread exists) is taken to be what it was, and memory that was
//! never written to be asked for by the same threads. So a prediction is a claim, and the VM decides by replaying it.
//! Thread ids stay what they were: threads are started in the order of the run.

mod locations;
mod steps;
#[cfg(test)]
mod tests;

use raddle_base::Budget;
use raddle_ir::Property;
use raddle_logic::solver::{Answer, Embedded, SolverError, Stop};
use raddle_logic::term::{TermId, Terms};
use raddle_vm::trace::AddressChoice;
use raddle_vm::{MemoryModel, Recording, Trace, Vm};

use super::encode::{Addresses, Encoding, Question, Reads};
use super::events::{EventId, Unrolling};
use super::read_back::{Failure, Reader};
use locations::OFFSET_BITS;
use steps::Steps;

/// The events of a run.
#[derive(Debug)]
pub struct Observed {
    unrolling: Unrolling,
    reads: Vec<ObservedRead>,
    choices: Vec<AddressChoice>,
}

/// A read of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ObservedRead {
    /// The event.
    pub event: EventId,
    /// Whether it happens and reads another value than in the run: where its thread leaves the run.
    pub differs: TermId,
}

/// Why nothing is predicted from a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unfit {
    /// Stores were delayed.
    WeakMemory,
    /// The word of a lock was read or written like other memory while several threads ran.
    LockWord,
}

impl std::fmt::Display for Unfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::WeakMemory => "runs of weak memory models are not followed",
            Self::LockWord => "a lock word is accessed as memory",
        })
    }
}

impl std::error::Error for Unfit {}

/// What was asked of a run.
#[derive(Clone, Debug)]
pub enum Prediction {
    /// An execution that breaks the property, if the VM agrees.
    Possible(Box<Trace>),
    /// No execution of the model breaks it.
    Impossible,
    /// A limit was reached.
    Unknown(Stop),
}

/// Objects lie apart: which one is in the high bits of an address.
#[derive(Debug)]
struct ObjectsApart;

impl Addresses for ObjectsApart {
    fn may_be_equal(&self, _: &Terms, _: TermId, _: TermId) -> bool {
        // All addresses are constants.
        true
    }

    fn same_object(&self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        let high = terms.width(a) - 1;
        let (a, b) = (terms.extract(high, OFFSET_BITS, a), terms.extract(high, OFFSET_BITS, b));
        terms.eq(a, b)
    }
}

impl Observed {
    /// The events of a run of the program of this VM.
    pub fn new(machine: &Vm<'_>, recording: &Recording) -> Result<Self, Unfit> {
        Self::from_state(machine, recording, 0)
    }

    /// The same from the state after so many steps of the run. A race between two accesses before that state counts.
    pub fn from_state(machine: &Vm<'_>, recording: &Recording, steps: u64) -> Result<Self, Unfit> {
        let state = steps;
        let mut steps = Steps::new(machine, recording)?;
        steps.follow(state)?;
        let (unrolling, reads, choices) = steps.finish();
        Ok(Self { unrolling, reads, choices })
    }

    /// Its threads, steps and events.
    #[must_use]
    pub fn unrolling(&self) -> &Unrolling {
        &self.unrolling
    }

    /// Its reads, and when each leads out of the run: whoever looks for new behaviour asks for these.
    #[must_use]
    pub fn reads(&self) -> &[ObservedRead] {
        &self.reads
    }

    /// Looks for an execution that breaks a property: data races, deadlocks, and of memory safety the use of objects that have
    /// ended. Of other properties nothing is known, because what a thread computes is not in a run.
    pub fn predict(&mut self, property: Property, budget: &Budget) -> Result<Prediction, SolverError> {
        let question = match property {
            Property::DataRace => Question::Race,
            Property::Deadlock => Question::Deadlock,
            Property::MemorySafety
            | Property::Assertion
            | Property::LockMisuse
            | Property::Overflow
            | Property::Arithmetic
            | Property::Leak
            | Property::Cleanup
            | Property::Uninitialised => {
                let checks = self.unrolling.checks.iter().filter(|check| check.property == property);
                let violated: Vec<TermId> = checks.map(|check| check.violated).collect();
                Question::Holds(self.unrolling.terms.or_all(violated))
            }
        };
        self.ask(question, budget, |reader| {
            let failure = match question {
                Question::Race => reader.race().map(Failure::Race),
                Question::Deadlock => Some(Failure::Deadlock),
                Question::Holds(_) => reader.failing_check(property).map(Failure::Check),
            };
            reader.trace(property, failure.expect("the model answers the question"), |_| reader.asked())
        })
    }

    /// Looks for an execution in which a read reads another value than in the run. It ends there, and breaks nothing.
    pub fn leave(&mut self, read: ObservedRead, budget: &Budget) -> Result<Prediction, SolverError> {
        let step = self.unrolling.events[read.event].step;
        self.ask(Question::Holds(read.differs), budget, |reader| reader.trace_to(step, |_| reader.asked()))
    }

    fn ask(
        &mut self,
        question: Question,
        budget: &Budget,
        read_back: impl FnOnce(&Reader<'_>) -> Trace,
    ) -> Result<Prediction, SolverError> {
        let model = MemoryModel::Sc;
        let solver = Box::new(Embedded::new());
        let mut encoding =
            match Encoding::new(solver, &mut self.unrolling, model, &ObjectsApart, Reads::All, budget) {
                Ok(encoding) => encoding,
                Err(exhausted) => return Ok(Prediction::Unknown(Stop::Budget(exhausted))),
            };
        match encoding.ask(&mut self.unrolling, question, budget)? {
            Answer::Sat => {}
            Answer::Unsat => return Ok(Prediction::Impossible),
            Answer::Unknown(stop) => return Ok(Prediction::Unknown(stop)),
        }
        let reader = Reader::new(&self.unrolling, &encoding, model).expect("there is a model");
        let mut trace = read_back(&reader);
        trace.addresses.clone_from(&self.choices);
        Ok(Prediction::Possible(Box::new(trace)))
    }
}
