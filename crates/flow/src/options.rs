//! What a flow is asked for, and why there may be none.

use raddle_base::{Exhausted, Span};
use raddle_ir::Property;

/// What a flow is asked for.
#[derive(Clone, Debug)]
pub struct Options {
    /// The properties whose checks are errors.
    pub asked: Vec<Property>,
    /// Undefined behaviour that may end executions without a word: of other such behaviour it has to be shown that there is none.
    pub excused: Vec<Property>,
    /// More locations are refused.
    pub most_locations: usize,
    /// More edges are refused.
    pub most_edges: usize,
    /// More paths from one location are refused.
    pub most_paths: usize,
    /// Longer paths are refused, in instructions.
    pub longest_path: usize,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            asked: vec![Property::Assertion],
            excused: vec![Property::MemorySafety, Property::Overflow, Property::Arithmetic],
            most_locations: 5_000,
            most_edges: 20_000,
            most_paths: 5_000,
            longest_path: 20_000,
        }
    }
}

/// There is no flow of this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Refused {
    /// Why.
    pub reason: Reason,
    /// Where.
    pub span: Span,
}

/// Why there is no flow of a program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// A function may call itself.
    #[error("`{0}` is recursive")]
    Recursion(String),
    /// It is not known which function is called.
    #[error("a call through a pointer that is not known")]
    UnknownCallee,
    /// It is not known which function a thread runs.
    #[error("a thread runs a function that is not known")]
    UnknownThread,
    /// A function is called with other arguments than it takes.
    #[error("`{0}` is called as a function of another type")]
    WrongCall(String),
    /// A loop in an atomic block is not known to end.
    #[error("a loop in an atomic block of `{0}` whose end is not known")]
    LoopInAtomicBlock(String),
    /// Several threads are started, or waited for, in one atomic block.
    #[error("several threads are started or joined in one atomic block")]
    SeveralThreads,
    /// There are too many ways from one step to the next.
    #[error("too many paths in `{0}`")]
    TooManyPaths(String),
    /// There are too many locations or edges.
    #[error("the program has too many steps")]
    TooLarge,
    /// There are too many objects, or too large ones.
    #[error("the program has too many or too large objects")]
    Objects,
    /// The budget was used up.
    #[error("{0}")]
    Exhausted(Exhausted),
}

impl Reason {
    /// At a place.
    pub(crate) fn at(self, span: Span) -> Refused {
        Refused { reason: self, span }
    }
}

impl From<Exhausted> for Refused {
    fn from(why: Exhausted) -> Self {
        Reason::Exhausted(why).at(Span::NONE)
    }
}
