//! What one instruction means, as terms: values, pointers and memory. Pure functions: terms in, terms out.
//!
//! | file | has |
//! |---|---|
//! | `values` | operators, comparisons, conversions, floating-point numbers, read-modify-writes |
//! | `pointers` | the ranges of objects; which object a pointer belongs to; moving pointers; accesses that overlap |
//! | `words` | values as bytes in memory, with marks of what a byte is a byte of |
//! | `contents` | what an object holds: cells that are split and joined |
//!
//! Nothing here knows of paths, threads, events or engines, so that every engine that makes terms of instructions can use it, and the
//! checker of proofs too. It
//! shares no evaluation with the VM: what computes values is written twice, and the tests hold one against the other. What
//! both share is data: sizes and alignment (`raddle_ir::layout`).

mod contents;
pub mod pointers;
pub mod values;
mod words;

pub use contents::{Background, Contents, and_equal_contents, possible};
pub use pointers::{AddressSpace, ObjectId, Target};
pub use words::{View, WordLayout};

#[cfg(test)]
mod tests;
