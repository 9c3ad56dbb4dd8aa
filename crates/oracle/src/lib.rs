//! How engines are judged: by programs whose verdicts are known otherwise.
//!
//! - [`generate`] makes small random concurrent programs; [`truth`] enumerates all their interleavings, [`clocks`]
//!   those of some with vector clocks; [`compare`] asks an engine and
//!   compares; [`shrink`] makes a program on which they disagree as small as it can.
//! - [`cases`] reads the programs under `tests/cases`, each with its verdict in its header, and [`variant`] rewrites them in ways
//!   that leave the verdict as it is.
//! - [`proofs`] gives programs without bounds, and mutants of programs ([`mutate`]), to engines that only prove: what any judge breaks must not
//!   be proved. [`invariants`] looks at certificates on random runs.
//!
//! Nothing of this is part of the product: `cargo xtask oracle` and the tests of this crate use it. What the enumeration
//! says is taken as true, so a mistake that the engine shares with the VM goes unnoticed here.

pub mod build;
pub mod campaign;
pub mod cases;
pub mod clocks;
pub mod compare;
pub mod generate;
pub mod invariants;
pub mod judge;
pub mod mutate;
pub mod orders;
pub mod outcomes;
pub mod proofs;
pub mod shrink;
pub mod tree;
pub mod truth;
pub mod variant;
