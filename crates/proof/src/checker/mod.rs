//! The checker of thread-modular certificates.
//!
//! Nothing is taken from a certificate but constraints and the points where they hold. From the program, and the meaning of its
//! instructions in `raddle_semantics`, the checker derives by itself which paths lead from one point to the next, what they do to memory, who starts
//! whom, which memory is private, and which templates have one thread at most. From these it makes obligations (Owicki and Gries 1976; with
//! counters Pani, Weissenbacher and Zuleger 2023):
//!
//! - *initial*: the main thread's first invariant holds at the start;
//! - *own step*: each path from a point leads to a state in which the invariant of the next point holds;
//! - *creation*: a step that starts a thread establishes that one's first invariant;
//! - *interference*: a step of a thread keeps the invariant of every other thread that may stand anywhere at that time;
//! - *checks*: no path leads to a failing check, an invalid access, or something that is not supported.
//!
//! When all are refuted, each invariant holds in every reachable state by induction on the steps of an execution, and so no check fails. Between two
//! points a path makes at most one step that others could notice, so that executions whose threads stand at points after each step are
//! all that matter (Lipton 1975).
//!
//! | file | has |
//! |---|---|
//! | `explore`, `calls`, `execute`, `operate`, `memory`, `cells`, `lives`, `constants` | a thread on a path: control, instructions, values, accesses |
//! | `objects`, `state`, `facts` | what objects are; a path; what is claimed of all paths |
//! | `setup`, `rounds` | what the certificate names; paths of all locations, again until nothing more escapes |
//! | `quantity`, `axioms`, `beside` | constraints as formulas; what holds of counters and ids; who is there beside the main thread |
//! | `obligations`, `pairs`, `races`, `deadlock` | what is shown: of one thread, of two, that no two conflicting accesses are both next, that not all wait |
//! | `product` | the checker of certificates over the product of thread instances, on the same paths |
//!
//! Direction of error: what is not understood is refused by name. A certificate may be rejected although what it says is true.

mod axioms;
mod beside;
mod calls;
mod cells;
mod constants;
mod deadlock;
mod execute;
mod explore;
mod facts;
mod lives;
mod memory;
mod objects;
mod obligations;
mod operate;
mod pairs;
mod product;
mod quantity;
mod races;
mod rounds;
mod setup;
mod state;
#[cfg(test)]
mod tests;

use raddle_base::{Budget, Span};
use raddle_ir::{Point, Program, Property};
use raddle_verdict::CheckedProof;
use raddle_verdict::proof;

use crate::certificate::Certificate;

pub use product::{Unproved, check_product};

/// What a certificate is to prove.
#[derive(Clone, Debug)]
pub struct Claim<'p> {
    /// Of which program.
    pub program: &'p Program,
    /// The properties that hold.
    pub asked: Vec<Property>,
    /// Properties that may be broken: a thread that breaks one has undefined behaviour and takes no more steps. Of properties that are neither
    /// asked nor excused, those without which behaviour is undefined are proved as well.
    pub excused: Vec<Property>,
}

/// Why a certificate proves nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{why}")]
pub struct Rejected {
    /// In a sentence without a full stop.
    pub why: String,
    /// Where in the program; [`Span::NONE`] if nowhere.
    pub at: Span,
    /// The other place that matters: the other step, the thread that interferes.
    pub other: Option<Span>,
    /// A location that the certificate should have: a template, and what is executed there.
    pub missing: Option<(usize, Point)>,
}

/// The same, inside.
type Refusal = Rejected;

impl Rejected {
    fn new(why: impl Into<String>, at: Span) -> Self {
        Self { why: why.into(), at, other: None, missing: None }
    }
}

impl From<proof::Rejected> for Rejected {
    fn from(why: proof::Rejected) -> Self {
        Self::new(why.to_string(), Span::NONE)
    }
}

/// Checks a certificate.
pub fn check(
    claim: &Claim<'_>,
    certificate: &Certificate,
    budget: &Budget,
) -> Result<CheckedProof, Rejected> {
    can_be_proved(&claim.asked, Together::Shown)?;
    proof::check_each("thread-modular invariants", budget, |obligations| {
        let derived = rounds::derive(claim, certificate, budget)?;
        obligations::show(derived, obligations)
    })
}

/// Whether what is about several threads together is among what is shown: data races and deadlocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Together {
    Shown,
    NotShown,
}

/// Refuses properties that are decided elsewhere.
fn can_be_proved(asked: &[Property], together: Together) -> Result<(), Rejected> {
    for &property in asked {
        match property {
            Property::Assertion
            | Property::LockMisuse
            | Property::MemorySafety
            | Property::Overflow
            | Property::Arithmetic => {}
            Property::DataRace | Property::Deadlock if together == Together::Shown => {}
            Property::DataRace
            | Property::Deadlock
            | Property::Leak
            | Property::Cleanup
            | Property::Uninitialised => {
                return Err(Rejected::new(
                    format!("this checker cannot prove {}", name(property)),
                    Span::NONE,
                ));
            }
        }
    }
    Ok(())
}

fn name(property: Property) -> &'static str {
    match property {
        Property::Assertion => "assertions",
        Property::LockMisuse => "that locks are used right",
        Property::MemorySafety => "memory safety",
        Property::Overflow => "the absence of overflow",
        Property::Arithmetic => "that arithmetic has results",
        Property::DataRace => "the absence of data races",
        Property::Deadlock => "the absence of deadlocks",
        Property::Leak => "the absence of leaks",
        Property::Cleanup => "that all memory is freed",
        Property::Uninitialised => "that no value is used that was never written",
    }
}
