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
//! | `found`, `pairs` | what is known of one thread, and of two together |
//! | `fixpoint`, `level2` | invariants |
//! | `joins` | which thread a join waits for |
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
    /// The same; some searches were not finished, because they would have been too much work.
    GaveUp(Vec<CheckId>),
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
const STAGES: [Stage; 10] = {
    const fn one(signs: bool, level: Level) -> Stage {
        Stage { signs, level, pairs: false }
    }
    const fn two(level: Level) -> Stage {
        Stage { signs: false, level, pairs: true }
    }
    [
        one(false, Level::None),
        one(false, Level::Contributions),
        two(Level::Contributions),
        one(false, Level::Passed),
        one(true, Level::None),
        one(true, Level::Contributions),
        one(true, Level::Passed),
        two(Level::Passed),
        one(false, Level::All),
        one(true, Level::All),
    ]
};

/// Invariants that a search found.
struct Attempt<'a> {
    flow: &'a Flow,
    steps: &'a [steps::Step],
    space: &'a space::Space<'a>,
    meeting: &'a meeting::Meeting,
    found: &'a found::Found,
    level: Level,
}

impl Attempt<'_> {
    /// As a claim for the checker.
    fn claim(&self, program: &Program) -> Claim {
        let pairs = self.found.pairs.as_ref().map_or(0, pairs::Pairs::len);
        let (level, counters, elements) = (self.level, self.space.counters.len(), self.found.computed);
        let effort = Effort { level, counters, elements, pairs };
        let certificate = certify::certificate(program, self.flow, self.space, self.meeting, self.found);
        Claim { certificate, effort }
    }
}

/// Looks for invariants, with more and more counters, then of two threads together, until some are good enough. Whether searches were given up.
fn search(
    flow: &mut Flow,
    counters: &dyn Fn(&Flow, Level) -> Vec<counters::Counter>,
    budget: &Budget,
    is_enough: &mut dyn FnMut(&Attempt<'_>) -> Result<bool, Exhausted>,
) -> Result<bool, Exhausted> {
    relevance::read_as_computed(flow);
    let matters = relevance::what_matters(flow);
    let all_steps = [false, true].map(|signs| steps::split(flow, &matters, signs));
    let flow = &*flow;
    let meeting = meeting::Meeting::new(flow);
    let mut tried: Vec<(bool, bool, Vec<counters::Counter>)> = Vec::new();
    let (mut gave_up, mut work) = (false, 0);
    for Stage { signs, level, pairs } in STAGES {
        let steps = &all_steps[usize::from(signs)];
        let Some(atoms) = atoms::choose(flow, steps, signs) else { continue };
        let counters = counters(flow, level);
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
        let found = match fixpoint::find(&task, &mut work, budget) {
            Ok(found) => found,
            Err(fixpoint::Stopped::TooMuch) => {
                gave_up = true;
                continue;
            }
            Err(fixpoint::Stopped::Exhausted(why)) => return Err(why),
        };
        let attempt = Attempt { flow, steps, space: &space, meeting: &meeting, found: &found, level };
        if is_enough(&attempt)? {
            break;
        }
    }
    Ok(gave_up)
}

/// Looks for invariants that show that no check fails.
pub fn prove(program: &Program, flow: &mut Flow, budget: &Budget) -> Result<Answer, Exhausted> {
    let mut open: Vec<CheckId> = flow.checks.ids().collect();
    let mut claim = None;
    let gave_up = search(flow, &counters::derive, budget, &mut |attempt| {
        open = attempt.found.open_checks(attempt.flow, attempt.steps, attempt.space);
        if open.is_empty() {
            claim = Some(Box::new(attempt.claim(program)));
        }
        Ok(open.is_empty())
    })?;
    Ok(match claim {
        Some(claim) => Answer::Claim(claim),
        None if gave_up => Answer::GaveUp(open),
        None => Answer::Open(open),
    })
}
