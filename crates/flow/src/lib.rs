//! A program as control-flow automata of its threads: what engines work on that prove programs without unrolling them.
//!
//! A [`Flow`] has a [`Template`] for each place that starts threads: an automaton over [`Location`]s whose [`Edge`]s are atomic
//! steps. All calls are inlined; what is constant is folded; what only the thread sees is fused with the visible step that it
//! stands next to, so an edge has at most one visible instruction or one atomic block. An edge is one path: a guard and the new values of
//! variables, as terms over the values before it and over inputs that may be anything.
//!
//! | file | has |
//! |---|---|
//! | `model` | what a flow is |
//! | `knowledge` | what is assumed of the program and only ever weakened until it holds |
//! | `addresses` | what constant pointers lead to |
//! | `objects` | the numbers of objects |
//! | `state` | a thread in the middle of a step |
//! | `walk` | the paths from one location to the next ones |
//! | `instruction`, `value`, `memory`, `lives` | what instructions do to a state |
//! | `finish` | from paths to a flow |
//! | `dump` | a flow as text |
//!
//! Direction of error: an edge may allow more than the program does (any value for what is not followed), never less. What has no
//! meaning here (recursion, an unsupported construct that can be reached) is refused by name.

mod addresses;
mod build;
mod dump;
mod finish;
mod instruction;
mod knowledge;
mod lives;
mod memory;
mod model;
mod names;
mod objects;
mod options;
mod state;
mod value;
mod walk;

pub use addresses::{Addresses, Pointee};
pub use build::build;
pub use dump::dump;
pub use model::*;
pub use options::{Options, Reason, Refused};

#[cfg(test)]
mod tests;
