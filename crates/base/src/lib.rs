//! What every other crate stands on: typed ids and tables, the source map, diagnostics, the budget, and
//! processes under limits.
//!
//! Nothing here knows of C, of threads or of solvers. This crate prints nothing; it renders to strings.

pub mod allotment;
pub mod budget;
pub mod diagnostic;
pub mod id;
pub mod process;
pub mod random;
pub mod source;
pub mod stack;

pub use allotment::{Allotment, Bell, SliceEnd};
pub use budget::{Budget, Canceller, Exhausted};
pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity};
pub use id::{Id, Table};
pub use random::SplitMix;
#[doc(hidden)]
pub use serde;
pub use source::{FileId, LineMarker, Location, SourceMap, Span};
pub use stack::on_large_stack;
