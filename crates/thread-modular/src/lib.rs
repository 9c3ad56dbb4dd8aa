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
//! | `rows` | which sums are bounded as a whole |
//! | `small` | which own variables have few values |
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
mod rows;
mod sampling;
mod small;
mod space;
mod steps;
#[cfg(test)]
mod test_flow;
mod transfer;

use std::collections::BTreeSet;

use raddle_base::{Budget, Exhausted};
use raddle_flow::{CheckId, Flow, VariableId};
use raddle_ir::Program;
use raddle_proof::Certificate;

use steps::By;

pub use counters::Level;
pub use races::{Goal, Open, Tried, prove_together};

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

/// A search: by what steps are split, with which counters, whether of two threads together, whether with rows.
#[derive(Clone, Copy, Debug)]
struct Stage {
    by: By,
    level: Level,
    pairs: bool,
    rows: bool,
}

/// Cheap ones first.
const STAGES: [Stage; 13] = {
    const fn one(by: By, level: Level) -> Stage {
        Stage { by, level, pairs: false, rows: false }
    }
    const fn two(level: Level) -> Stage {
        Stage { by: By::Choices, level, pairs: true, rows: false }
    }
    const fn sums(by: By, level: Level) -> Stage {
        Stage { by, level, pairs: false, rows: true }
    }
    [
        one(By::Choices, Level::None),
        one(By::Choices, Level::Contributions),
        two(Level::Contributions),
        sums(By::Choices, Level::Contributions),
        sums(By::Wraps, Level::Contributions),
        one(By::Choices, Level::Passed),
        one(By::Choices, Level::All),
        one(By::Signs, Level::None),
        one(By::Signs, Level::Contributions),
        sums(By::Signs, Level::Contributions),
        one(By::Signs, Level::Passed),
        two(Level::Passed),
        one(By::Signs, Level::All),
    ]
};

/// The same where only what keeps threads apart is looked at.
const STAGES_OF_ORDER: [Stage; 4] = {
    const fn one(level: Level) -> Stage {
        Stage { by: By::Choices, level, pairs: false, rows: false }
    }
    [one(Level::None), one(Level::Contributions), one(Level::Passed), one(Level::All)]
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

/// What is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Focus {
    /// All that decides which steps can be made.
    Everything,
    /// First only what keeps threads apart, then all.
    Order,
}

/// Looks for invariants, with more and more counters, then of two threads together, until some are good enough. Whether searches were given up.
fn search(
    flow: &mut Flow,
    (counters, focus): (&CounterSource<'_>, Focus),
    budget: &Budget,
    is_enough: &mut dyn FnMut(&Attempt<'_>) -> Result<bool, Exhausted>,
) -> Result<bool, Exhausted> {
    relevance::read_as_computed(flow);
    let matters = relevance::what_matters(flow);
    let mut work = 0;
    if focus == Focus::Order {
        let orders = relevance::what_orders(flow, &matters);
        if orders != matters {
            let mut task = Search { counters, stages: &STAGES_OF_ORDER, work: &mut work, budget };
            if task.run(flow, &orders, is_enough)? == Ended::Enough {
                return Ok(false);
            }
        }
    }
    let mut task = Search { counters, stages: &STAGES, work: &mut work, budget };
    Ok(task.run(flow, &matters, is_enough)? == Ended::GaveUp)
}

/// Where counters come from.
type CounterSource<'c> = dyn Fn(&Flow, Level) -> Vec<counters::Counter> + 'c;

/// How searches ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ended {
    /// Invariants were good enough.
    Enough,
    /// None were.
    Open,
    /// None were, and some searches were not finished.
    GaveUp,
}

/// How many times the usual work searches may take, one time after the other: those that were not finished are made again.
const PATIENCE: [usize; 2] = [1, 4];

/// Searches for invariants of some variables.
struct Search<'s> {
    counters: &'s CounterSource<'s>,
    stages: &'s [Stage],
    work: &'s mut usize,
    budget: &'s Budget,
}

impl Search<'_> {
    fn run(
        &mut self,
        flow: &mut Flow,
        matters: &BTreeSet<VariableId>,
        is_enough: &mut dyn FnMut(&Attempt<'_>) -> Result<bool, Exhausted>,
    ) -> Result<Ended, Exhausted> {
        let all_steps = [By::Choices, By::Signs, By::Wraps].map(|by| steps::split(flow, matters, by));
        let flow = &*flow;
        let meeting = meeting::Meeting::new(flow);
        let mut all_rows = all_steps.each_ref().map(|steps| rows::choose(flow, steps));
        let few = small::values(flow, &all_steps[0]);
        let wraps = By::Wraps as usize;
        all_rows[wraps] = rows::with_computed(flow, &all_steps[wraps], &all_rows[wraps]);
        let mut tried: Vec<(By, bool, bool, Vec<counters::Counter>)> = Vec::new();
        for patience in PATIENCE {
            let mut given_up = Vec::new();
            for &Stage { by, level, pairs, rows } in self.stages {
                let steps = &all_steps[by as usize];
                let sums = if rows { &all_rows[by as usize][..] } else { &[] };
                let atoms = atoms::choose(flow, steps, sums, by).filter(|_| !rows || !sums.is_empty());
                let Some(atoms) = atoms else { continue };
                let counters = (self.counters)(flow, level);
                let this = (by, pairs, rows, counters.clone());
                if tried.contains(&this) {
                    continue;
                }
                tried.push(this.clone());
                let space = space::Space::new(flow, matters, &counters, &atoms, sums, &few);
                let sampling = if pairs { sampling::Sampling::of(flow, steps, &space) } else { None };
                if pairs && sampling.is_none() {
                    continue;
                }
                let sampling = sampling.as_ref();
                let task = fixpoint::Task { flow, steps, space: &space, meeting: &meeting, sampling };
                let found = match fixpoint::find(&task, patience, self.work, self.budget) {
                    Ok(found) => found,
                    Err(fixpoint::Stopped::TooMuch) => {
                        given_up.push(this);
                        continue;
                    }
                    Err(fixpoint::Stopped::Exhausted(why)) => return Err(why),
                };
                let attempt = Attempt { flow, steps, space: &space, meeting: &meeting, found: &found, level };
                if is_enough(&attempt)? {
                    return Ok(Ended::Enough);
                }
            }
            if given_up.is_empty() {
                return Ok(Ended::Open);
            }
            tried.retain(|this| !given_up.contains(this));
        }
        Ok(Ended::GaveUp)
    }
}

/// Looks for invariants that show that no check fails.
pub fn prove(program: &Program, flow: &mut Flow, budget: &Budget) -> Result<Answer, Exhausted> {
    let mut open: Vec<CheckId> = flow.checks.ids().collect();
    let mut claim = None;
    let gave_up = search(flow, (&counters::derive, Focus::Everything), budget, &mut |attempt| {
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
