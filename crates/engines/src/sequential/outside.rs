//! A checker of other people for sequential programs, instead of ours.
//!
//! Who runs it and reads its answer stands outside of this crate, which starts no processes. What it finds is a claim until the
//! machine has seen it on the input; that it finds nothing is believed, up to the bounds.

use std::fmt;

use raddle_base::Budget;
use raddle_ir::Property;
use raddle_sequentialize::backend::counterexample::{CheckKind, Counterexample};
use raddle_sequentialize::backend::{Backend, cbmc};
use raddle_sequentialize::linemap::Printed;
use raddle_sequentialize::pipeline::Stage;
use raddle_sequentialize::record::Record;

use crate::Reason;

/// Runs a checker.
pub trait Checker: fmt::Debug + Sync {
    /// Which one.
    fn backend(&self) -> Backend;

    /// Gives it a program, with a bound for loops that are left in it; what went wrong otherwise, in a sentence.
    fn run(&self, text: &str, unwind: u32, budget: &Budget) -> Result<cbmc::CbmcAnswer, String>;
}

/// What it says about a property.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    /// Nothing was found.
    Safe,
    /// An execution breaks it; and what fails there.
    Fails(Record, String),
    /// It does not know.
    Unknown(Reason),
}

fn kind(property: Property) -> Option<CheckKind> {
    match property {
        Property::Assertion => Some(CheckKind::Assertion),
        Property::LockMisuse => Some(CheckKind::LockMisuse),
        Property::Deadlock => Some(CheckKind::Deadlock),
        Property::MemorySafety => Some(CheckKind::MemorySafety),
        Property::DataRace
        | Property::Overflow
        | Property::Arithmetic
        | Property::Leak
        | Property::Cleanup
        | Property::Uninitialised => None,
    }
}

/// The passes that make a sequential program fit for a backend, as the end of a pipeline.
pub(super) fn passes(backend: Backend, unwind: u32, properties: &[Property]) -> Vec<Stage> {
    let kinds: Vec<&str> =
        properties.iter().filter_map(|&property| kind(property)).map(CheckKind::name).collect();
    raddle_sequentialize::backend::passes(backend, unwind, &kinds.join("+"))
}

/// Asks a checker.
pub(super) fn ask(
    checker: &dyn Checker,
    printed: &Printed,
    unwind: u32,
    properties: &[Property],
    budget: &Budget,
) -> Vec<(Property, Answer)> {
    let same = |answer: &Answer| properties.iter().map(|&property| (property, answer.clone())).collect();
    let found = match checker.run(&printed.text, unwind, budget) {
        Ok(cbmc::CbmcAnswer::Safe) => return same(&Answer::Safe),
        Ok(cbmc::CbmcAnswer::Unknown(why)) | Err(why) => return same(&Answer::Unknown(Reason::Other(why))),
        Ok(cbmc::CbmcAnswer::Fails(found)) => found,
    };
    let answer = |&property: &Property| {
        let is_it = |failure: &&Counterexample| Some(failure.kind) == kind(property);
        let unsupported = found.iter().find(|failure| failure.kind == CheckKind::Unsupported);
        let answer = match (found.iter().find(is_it), unsupported) {
            (Some(failure), _) => Answer::Fails(failure.record(printed), failure.message.clone()),
            (None, Some(failure)) => {
                Answer::Unknown(Reason::Other(format!("not supported: {}", failure.message)))
            }
            (None, None) => Answer::Safe,
        };
        (property, answer)
    };
    properties.iter().map(answer).collect()
}
