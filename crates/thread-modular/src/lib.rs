//! Thread-modular invariants with derived counters, for any number of threads.
//!
//! An invariant is found for each location of each template ([`raddle_flow`]), over shared variables, the thread's own ones, and
//! counters of threads: numbers of threads that stand at certain locations. A thread's invariant is kept by its own steps and by the
//! steps of all others, where what the two know is met before the other one steps (relational interference: Miné 2011; Monat and Miné 2017;
//! counters: Farzan, Kincaid, Podelski 2014). The analysis is abstract interpretation (Cousot and Cousot 1977) over zones and affine
//! equalities, partitioned by the values of flags.
//!
//! | module | what it is for |
//! |---|---|
//! | `steps` | edges without choices inside: guards that are literals, values without conditions |
//! | `relevance` | which variables matter |
//! | `linear` | terms as sums over integers, where machine arithmetic does not wrap |
//! | `counters` | which counters there are |
//! | `atoms` | by what states are partitioned |
//! | `space` | which dimension of an element is what |
//! | `transfer` | what a step makes of what is known |
//! | `fixpoint` | invariants |
//! | `joins` | which thread a join waits for |
//! | `races` | invariants against data races |
//! | `certify` | invariants as a certificate |
//!
//! Direction of error: none that counts. What is found is a claim; only the checker of certificates (`raddle_proof`) makes a proof of it.

mod atoms;
mod certify;
pub mod counters;
mod fixpoint;
mod joins;
mod linear;
mod races;
mod relevance;
mod space;
mod steps;
#[cfg(test)]
mod test_flow;
mod transfer;

use raddle_base::{Budget, Exhausted};
use raddle_flow::{CheckId, Flow};
use raddle_ir::Program;
use raddle_proof::Certificate;

pub use counters::Level;
pub use races::{Races, prove_race_free};

/// What came of it.
#[derive(Clone, Debug)]
pub enum Answer {
    /// No check fails, if the checker agrees.
    Claim(Box<Claim>),
    /// These checks may fail, as far as these invariants go.
    Open(Vec<CheckId>),
}

/// Invariants that show that no check fails.
#[derive(Clone, Debug)]
pub struct Claim {
    /// For the checker.
    pub certificate: Certificate,
    /// How much was needed.
    pub effort: Effort,
}

/// How much was needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Which counters.
    pub level: Level,
    /// How many there are.
    pub counters: usize,
    /// Elements that were computed.
    pub elements: usize,
}

/// Looks for invariants, with more and more counters.
pub fn prove(program: &Program, flow: &mut Flow, budget: &Budget) -> Result<Answer, Exhausted> {
    let matters = relevance::what_matters(flow);
    let all_steps = [false, true].map(|signs| steps::split(flow, &matters, signs));
    let mut open = Vec::new();
    let mut tried: Vec<Vec<counters::Counter>> = Vec::new();
    for signs in [false, true] {
        let steps = &all_steps[usize::from(signs)];
        let Some(atoms) = atoms::choose(flow, steps, signs) else { continue };
        tried.clear();
        for level in [Level::None, Level::Contributions, Level::Passed, Level::All] {
            let counters = counters::derive(flow, level);
            if tried.contains(&counters) {
                continue;
            }
            tried.push(counters.clone());
            let space = space::Space::new(flow, &matters, &counters, &atoms);
            let found = fixpoint::find(flow, steps, &space, budget)?;
            open = found.open_checks(flow, steps, &space);
            if open.is_empty() {
                let effort = Effort { level, counters: counters.len(), elements: found.computed };
                let certificate = certify::certificate(program, flow, &space, &found);
                return Ok(Answer::Claim(Box::new(Claim { certificate, effort })));
            }
        }
    }
    Ok(Answer::Open(open))
}
