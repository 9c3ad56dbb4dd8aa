//! Certificates of proofs without bounds, and their checker.

pub mod certificate;
mod checker;
mod statement;

pub use certificate::Certificate;
pub use checker::{Claim, Rejected, check};
pub use statement::{Kind, Statement, fingerprint};
