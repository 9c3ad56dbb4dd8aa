//! Whether an error trace is possible: its letters one after the other, decided by the solver bit by bit.

use raddle_base::{Budget, Exhausted};
use raddle_logic::solver::{Answer, Embedded, Solver as _};
use raddle_logic::term::{TermId, Terms};
use rustc_hash::FxHashMap;

use crate::letters::Letter;

/// A trace as values over the start and inputs.
#[derive(Debug)]
pub(crate) struct Unfolded {
    /// What is assumed at each step, over symbols of the start and inputs.
    pub guards: Vec<Vec<TermId>>,
    /// What symbols are before each step, and at the end: those that are not named are as at the start.
    pub stores: Vec<FxHashMap<TermId, TermId>>,
    /// What inputs are called at each step.
    pub inputs: Vec<FxHashMap<TermId, TermId>>,
}

/// What the solver says of a trace.
#[derive(Debug)]
pub(crate) enum Decided {
    /// It is possible: what `Havoc` instructions give at each step.
    Possible(Vec<Vec<u128>>),
    /// It is not: which guards of each step are to blame.
    Impossible(Vec<Vec<usize>>),
    /// The solver gave up.
    Open,
}

/// Takes a trace apart.
pub(crate) fn unfold(
    terms: &mut Terms,
    letters: &[&Letter],
    initial: &FxHashMap<TermId, TermId>,
) -> Unfolded {
    let mut store = initial.clone();
    let mut unfolded = Unfolded { guards: Vec::new(), stores: Vec::new(), inputs: Vec::new() };
    for letter in letters {
        let mut inputs = FxHashMap::default();
        for &input in &letter.inputs {
            let fresh = terms.fresh("in", terms.sort(input));
            inputs.insert(input, fresh);
        }
        let mut values = store.clone();
        values.extend(&inputs);
        unfolded.guards.push(terms.substitute(&letter.guards, &values));
        unfolded.stores.push(store.clone());
        let mut updates: Vec<(TermId, TermId)> =
            letter.updates.iter().map(|(symbol, value)| (*symbol, *value)).collect();
        updates.sort_unstable();
        for (symbol, value) in updates {
            let value = terms.substitute(&[value], &values)[0];
            store.insert(symbol, value);
        }
        // What a new thread has that nobody gave it: anything.
        store.extend(inputs.iter().filter(|(input, _)| letter.is_own_of_child(**input)));
        unfolded.inputs.push(inputs);
    }
    unfolded.stores.push(store);
    unfolded
}

/// Decides a trace.
pub(crate) fn decide(
    terms: &mut Terms,
    unfolded: &Unfolded,
    havocs: &[&[TermId]],
    budget: &Budget,
) -> Result<Decided, Exhausted> {
    let mut solver = Embedded::without_record();
    let mut assumed: Vec<TermId> = unfolded.guards.iter().flatten().copied().collect();
    assumed.sort_unstable();
    assumed.dedup();
    let answer = solver.check(terms, &assumed, budget);
    budget.check()?;
    match answer {
        Ok(Answer::Sat) => {
            let mut values = Vec::new();
            for (inputs, havocs) in unfolded.inputs.iter().zip(havocs) {
                let value = |havoc: &TermId| {
                    let value = solver.value(terms, *inputs.get(havoc)?)?;
                    value.as_bits().or_else(|| value.as_bool().map(u128::from))
                };
                values.push(havocs.iter().map(|havoc| value(havoc).unwrap_or(0)).collect());
            }
            Ok(Decided::Possible(values))
        }
        Ok(Answer::Unsat) => {
            let _kept = solver.minimize_core(terms, budget);
            budget.check()?;
            let core = solver.core().map(|core| core.assumptions.clone()).unwrap_or_default();
            let blamed = |guards: &Vec<TermId>| {
                (0..guards.len()).filter(|&index| core.contains(&guards[index])).collect()
            };
            Ok(Decided::Impossible(unfolded.guards.iter().map(blamed).collect()))
        }
        Ok(Answer::Unknown(_)) | Err(_) => Ok(Decided::Open),
    }
}
