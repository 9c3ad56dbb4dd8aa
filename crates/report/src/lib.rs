//! Outcomes for people and for programs.
//!
//! A [`Report`] is an outcome made plain: every place is a file and a line, every violation has its story and the commands
//! that show it again. [`Report::text`] and [`Report::json`] are two forms of the same data, so they cannot say different
//! things. Nothing here decides anything: an answer is told as the engine gave it, and `TRUE` is told only for proofs of all
//! properties that were asked, without bounds.

mod coverage;
mod invariants;
mod json;
mod ledger;
mod report;
#[cfg(test)]
mod tests;
mod text;

pub use coverage::{CoverageReport, LoopBoundReport, RecursionBoundReport};
pub use invariants::{InvariantsReport, LineReport};
pub use ledger::LedgerReport;
pub use report::{
    Answer, ProofReport, PropertyReport, ReasonReport, Replay, Report, Subject, UnfinishedReport,
    ViolationReport,
};
pub use text::{Detail, TextOptions};
