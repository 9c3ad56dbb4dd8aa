//! The intermediate representation that every engine and the VM share.
//!
//! A [`Program`] is a set of functions of basic blocks over typed registers, and a set of global objects. An
//! instruction makes at most one access to memory, because that is the grain at which threads interleave.
//! All enums are closed and matched exhaustively: a new instruction does not compile until every engine has
//! said what it means.
//!
//! [`text`] is the readable form that round-trips; [`validate`] says what a well-formed program is; [`analyses`]
//! compute facts that engines need, and [`passes`] change programs without changing what they mean.

pub mod analyses;
pub mod dot;
pub mod fold;
pub mod inst;
pub mod layout;
pub mod passes;
pub mod point;
pub mod program;
#[cfg(test)]
mod test_run;
pub mod text;
pub mod validate;
pub mod visit;

pub use inst::*;
pub use point::{Frame, Point, Site};
pub use program::*;
pub use visit::{AccessKind, MemoryAccess};
