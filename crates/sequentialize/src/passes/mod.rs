//! The passes, one a file, and the list of them all.

use crate::pass::Pass;

pub mod bounds;
pub mod declarations;
pub mod inline;
pub mod instrument;
pub mod labels;
pub mod lal_reps;
pub mod lazy;
pub mod loops;
pub mod merge;
pub mod models;
pub mod pointers;
pub mod prune;
pub mod simplify;
pub mod statics;
pub mod switches;
pub mod threads;
pub mod unroll;

/// Every pass, in the order in which they are usually run.
pub static PASSES: &[&Pass] = &[
    &merge::PASS,
    &models::PASS,
    &declarations::PASS,
    &simplify::PASS,
    &loops::PASS,
    &switches::PASS,
    &bounds::PASS,
    &unroll::PASS,
    &pointers::PASS,
    &inline::PASS,
    &prune::PASS,
    &threads::PASS,
    &statics::PASS,
    &labels::PASS,
    &lazy::PASS,
    &lal_reps::PASS,
    &instrument::PASS,
];
