//! Certificates of proofs without bounds, and their checker.

pub mod certificate;

pub use certificate::Certificate;
