//! Certificates of proofs without bounds, and their checker.

pub mod certificate;
mod checker;

pub use certificate::Certificate;
pub use checker::{Claim, Rejected, check};
