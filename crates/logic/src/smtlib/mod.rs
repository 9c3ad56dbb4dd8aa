//! SMT-LIB: any question as text, and installed solvers as a second implementation of
//! [`Solver`](crate::solver::Solver).
//!
//! - [`script`] writes a question: bit-vectors and arrays as they are, nodes to be ordered as integers
//!   (difference logic), an atomic block as one integer.
//! - [`read`] reads s-expressions, which is how solvers answer.
//! - [`External`] pipes the one to a solver and reads the other.

mod external;
pub mod read;
mod write;

pub use external::{Command, External};
pub use write::script;
