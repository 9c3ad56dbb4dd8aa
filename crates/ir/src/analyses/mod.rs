//! Facts about programs that engines need, one analysis a file.
//!
//! Every analysis expects a program that [`crate::validate`] accepts. Each says in which direction it may be
//! wrong; none may be wrong in the other.

pub mod address_reuse;
pub mod call_graph;
pub mod cfg;
pub mod dominators;
pub mod liveness;
pub mod loop_names;
pub mod loops;
pub mod points_to;
pub mod punning;
pub mod sharing;
pub mod side_effects;
pub mod trip_count;
pub mod unsynchronised;
