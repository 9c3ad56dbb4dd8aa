//! Source-to-source passes over typed C, from concurrent programs to sequential ones.
//!
//! A pass rewrites the tree; a pipeline is a list of passes; what comes out is C again. The passes are small, each in a file
//! of its own under [`passes`], and all but the last make a program that means the same as before: they bring it into a form
//! that the next one can rely on. The last ones make a sequential program that explores the interleavings of the
//! concurrent one.
//!
//! Invariant: after every pass the tree prints as C that reads back as the same tree ([`check`]), and every statement leads back
//! to the line it came from ([`origin`]). A pass that does not support a program refuses it by name; it never skips something.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a rewrite names the kinds of nodes that it changes; all others go through as they are"
)]

pub mod access;
mod added;
pub mod backend;
pub mod build;
mod calls;
pub mod check;
pub mod copy;
mod escape;
pub mod flow;
mod interference;
pub mod linemap;
mod names;
mod order;
pub mod origin;
pub mod pass;
pub mod passes;
pub mod pipeline;
pub mod program;
pub mod record;
pub mod schema;
pub mod sequential;
mod steps;
pub mod switch_points;
mod targets;
mod tidy;
mod turns;
mod views;

pub use pass::{Pass, Refusal};
pub use passes::PASSES;
pub use pipeline::{Pipeline, PipelineError, RunError};
pub use program::Program;
pub use raddle_cfront::visit;
