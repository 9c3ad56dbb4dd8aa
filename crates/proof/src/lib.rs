//! Certificates of proofs without bounds, and their checker.

pub mod certificate;
mod checker;
pub mod product;
mod statement;
pub mod words;

pub use certificate::Certificate;
pub use checker::{Claim, Rejected, Unproved, check, check_product};
pub use product::Product;
pub use statement::{Kind, Statement, fingerprint};
