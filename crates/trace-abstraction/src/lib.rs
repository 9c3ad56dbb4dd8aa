//! Trace abstraction refinement over a product of threads that is reduced by partial orders (Cassez and Ziegler 2015: RAPTOR).
//!
//! Error traces of the product of thread instances ([`raddle_flow`]) are taken one after the other, shortest first. One that is possible is a bug; one that is not is
//! generalised: interpolants show why it is impossible, and exclude all traces that they show impossible (Heizmann, Hoenicke and Podelski 2009). When all
//! are excluded no check fails.
//!
//! | module | what it is for |
//! |---|---|
//! | `footprint` | what steps touch, and what a thread may still do |
//! | `letters` | the alphabet: edges made by slots |
//! | `product` | the product and its reduction, with the argument why it loses nothing |
//! | `automaton` | the proof automaton: which predicates hold behind a letter |
//! | `trace` | whether an error trace is possible |
//! | `interpolate` | why one is not |
//! | `refine` | rounds of all this |
//! | `certify` | predicates as a certificate |
//!
//! Direction of error: none that counts. A bug is one when the VM has replayed it, a proof when the checker of certificates has accepted it.

mod automaton;
mod certify;
mod footprint;
mod interpolate;
mod letters;
mod product;
mod refine;
#[cfg(test)]
mod tests;
mod trace;

use raddle_base::{Budget, Exhausted};
use raddle_flow::Flow;
use raddle_ir::Program;

pub use product::Reduction;
pub use refine::{Answer, Effort, Execution, Options, Step};

/// Looks for an execution that fails a check, or for a proof that there is none.
pub fn decide(
    program: &Program,
    mut flow: Flow,
    options: Options,
    budget: &Budget,
) -> (Result<Answer, Exhausted>, Effort) {
    let terms = std::mem::take(&mut flow.terms);
    let mut refiner = refine::Refiner::new(program, &flow, terms, options);
    let answer = refiner.run(budget);
    (answer, refiner.effort)
}
