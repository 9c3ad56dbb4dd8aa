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
//! | `meeting` | where two threads may stand, by control alone |
//! | `sampling` | which of two threads drew its number last |
//! | `joins` | which thread a join waits for |
//! | `found`, `pairs` | what is known of one thread, and of two together |
//! | `fixpoint`, `level2` | invariants |
//! | `races` | invariants against data races and deadlocks |
//! | `certify` | invariants as a certificate |
//!
//! Direction of error: none that counts. What is found is a claim; only the checker of certificates (`raddle_proof`) makes a proof of it.

mod atoms;
mod certify;
pub mod counters;
mod fixpoint;
mod found;
mod joins;
mod level2;
mod linear;
mod meeting;
mod pairs;
mod races;
mod relevance;
mod sampling;
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
pub use races::{Goal, Tried, prove_together};

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
    /// Elements of two threads together; zero at level 1.
    pub pairs: usize,
}

/// A search: by signs as well, with which counters, whether of two threads together.
#[derive(Clone, Copy, Debug)]
struct Stage {
    signs: bool,
    level: Level,
    pairs: bool,
}

/// Cheap ones first.
fn stages() -> impl Iterator<Item = Stage> {
    let levels = [Level::None, Level::Contributions, Level::Passed, Level::All];
    let level_1 = [false, true]
        .into_iter()
        .flat_map(move |signs| levels.map(|level| Stage { signs, level, pairs: false }));
    let level_2 =
        [Level::Contributions, Level::Passed].map(|level| Stage { signs: false, level, pairs: true });
    level_1.chain(level_2)
}

/// Looks for invariants, with more and more counters, then of two threads together.
pub fn prove(program: &Program, flow: &mut Flow, budget: &Budget) -> Result<Answer, Exhausted> {
    relevance::read_as_computed(flow);
    let matters = relevance::what_matters(flow);
    let all_steps = [false, true].map(|signs| steps::split(flow, &matters, signs));
    let meeting = meeting::Meeting::new(flow);
    let mut open = flow.checks.ids().collect();
    let mut tried: Vec<(bool, bool, Vec<counters::Counter>)> = Vec::new();
    for Stage { signs, level, pairs } in stages() {
        let steps = &all_steps[usize::from(signs)];
        let Some(atoms) = atoms::choose(flow, steps, signs) else { continue };
        let counters = counters::derive(flow, level);
        let this = (signs, pairs, counters.clone());
        if tried.contains(&this) {
            continue;
        }
        tried.push(this);
        let space = space::Space::new(flow, &matters, &counters, &atoms);
        let sampling = if pairs { sampling::Sampling::of(flow, steps, &space) } else { None };
        if pairs && sampling.is_none() {
            continue;
        }
        let task =
            fixpoint::Task { flow, steps, space: &space, meeting: &meeting, sampling: sampling.as_ref() };
        let found = match fixpoint::find(&task, budget) {
            Ok(found) => found,
            Err(fixpoint::Stopped::TooMuch) => continue,
            Err(fixpoint::Stopped::Exhausted(why)) => return Err(why),
        };
        open = found.open_checks(flow, steps, &space);
        if open.is_empty() {
            let pairs = found.pairs.as_ref().map_or(0, pairs::Pairs::len);
            let effort = Effort { level, counters: counters.len(), elements: found.computed, pairs };
            let certificate = certify::certificate(program, flow, &space, &meeting, &found);
            return Ok(Answer::Claim(Box::new(Claim { certificate, effort })));
        }
    }
    Ok(Answer::Open(open))
}
