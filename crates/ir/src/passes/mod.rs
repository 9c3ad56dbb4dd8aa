//! Passes: changes to programs that keep what they mean, one a file.
//!
//! Every pass leaves a well-formed program; debug builds check that.

pub mod dead_havoc;
pub mod known_starts;
#[cfg(test)]
mod random;
pub mod simplify;
pub mod spin;
pub mod spin_condition;
mod spin_rewrite;
pub mod unknown_calls;
