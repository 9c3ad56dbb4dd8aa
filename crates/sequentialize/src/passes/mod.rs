//! The passes, one a file, and the list of them all.

use crate::pass::Pass;

pub mod declarations;
pub mod loops;
pub mod simplify;
pub mod switches;

/// Every pass, in the order in which they are usually run.
pub static PASSES: &[&Pass] = &[&declarations::PASS, &simplify::PASS, &loops::PASS, &switches::PASS];
