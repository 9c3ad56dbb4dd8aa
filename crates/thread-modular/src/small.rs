//! Own variables that have few values, computed from each other: a back-off of 1, 2, 4, …, 64.
//!
//! All values are followed through the guards and values of steps that speak of one variable alone; what gets its value from anything else may have
//! any. So the sets are kept by all steps. Only those with holes say more than bounds do.

use std::collections::{BTreeMap, BTreeSet};

use raddle_flow::{Flow, VariableId};
use raddle_logic::term::{Model, Sort, Term, TermId};

use crate::linear::{constant, numeric};
use crate::steps::Step;

/// A variable with more values is left out.
const MOST: usize = 12;
/// More variables are not looked at.
const MOST_VARIABLES: usize = 2;

/// Values as bits; none: any.
type Sets = BTreeMap<VariableId, Option<BTreeSet<u128>>>;

/// Own variables with few values that are no interval, with these as numbers, ascending.
pub(crate) fn values(flow: &Flow, steps: &[Step]) -> Vec<(VariableId, Vec<i128>)> {
    let variables: BTreeMap<TermId, VariableId> =
        flow.variables.iter().map(|(id, variable)| (variable.now, id)).collect();
    let search = Search { flow, variables, steps };
    let mut sets = search.any_at_first();
    while search.round(&mut sets) {}
    let numbers = |(id, set): (VariableId, Option<BTreeSet<u128>>)| {
        let variable = &flow.variables[id];
        let width = numeric(variable.sort)?;
        let mut list: Vec<i128> =
            set?.into_iter().map(|value| constant(value, width, variable.signed)).collect();
        list.sort_unstable();
        let has_holes = list.windows(2).any(|two| two[1] - two[0] > 1);
        has_holes.then_some((id, list))
    };
    sets.into_iter().filter_map(numbers).take(MOST_VARIABLES).collect()
}

struct Search<'s> {
    flow: &'s Flow,
    variables: BTreeMap<TermId, VariableId>,
    steps: &'s [Step],
}

impl Search<'_> {
    /// Variables that are read from the start on though nobody gives them a value: they may have any.
    fn any_at_first(&self) -> Sets {
        let spawned = self.steps.iter().flat_map(|step| step.spawn.iter());
        let given: BTreeSet<VariableId> =
            spawned.flat_map(|(_, _, values)| values.iter().map(|(variable, _)| *variable)).collect();
        let entries = self.flow.templates.values().map(|template| &template.locations[template.entry]);
        let read = entries.flat_map(|entry| entry.live.iter().copied());
        read.filter(|variable| !given.contains(variable)).map(|variable| (variable, None)).collect()
    }

    /// Makes all steps once. Whether there was anything new.
    fn round(&self, sets: &mut Sets) -> bool {
        let mut news = false;
        for step in self.steps {
            let spawned = step.spawn.iter().flat_map(|(_, _, values)| values);
            for &(variable, value) in step.updates.iter().chain(spawned) {
                let variable_of = &self.flow.variables[variable];
                if variable_of.owner.is_none() || !matches!(variable_of.sort, Sort::BitVec(1..=64)) {
                    continue;
                }
                let found = self.results(step, value, sets);
                let Some(set) = sets.entry(variable).or_insert_with(|| Some(BTreeSet::new())) else {
                    continue;
                };
                let before = set.len();
                match found {
                    Some(found) => set.extend(found),
                    None => _ = sets.insert(variable, None),
                }
                match &sets[&variable] {
                    Some(set) if set.len() > MOST => {
                        sets.insert(variable, None);
                        news = true;
                    }
                    Some(set) => news |= set.len() > before,
                    None => news = true,
                }
            }
        }
        news
    }

    /// The values of a term where a step can be made; none: any.
    fn results(&self, step: &Step, value: TermId, sets: &Sets) -> Option<BTreeSet<u128>> {
        let terms = &self.flow.terms;
        let model = |symbol: Option<(TermId, u128)>| {
            let mut model = Model::new();
            if let Some((id, bits)) = symbol.and_then(|(term, bits)| Some((terms.as_symbol(term)?, bits))) {
                model.set_bits(id, bits);
            }
            model
        };
        match self.symbols(value)[..] {
            [] => Some([model(None).eval(terms, value).as_bits()?].into()),
            [symbol] => {
                let read = self.variables.get(&symbol)?;
                let guards: Vec<TermId> =
                    step.guards.iter().copied().filter(|guard| self.symbols(*guard) == [symbol]).collect();
                let nothing = Some(BTreeSet::new());
                let its = match sets.get(read) {
                    Some(set) => set.as_ref()?,
                    // Nobody has given it a value yet; a shared one may have any.
                    None if self.flow.variables[*read].owner.is_some() => return nothing,
                    None => return None,
                };
                let of = |bits: &u128| {
                    let model = model(Some((symbol, *bits)));
                    let holds = |guard: &TermId| model.eval(terms, *guard).as_bool() == Some(true);
                    guards.iter().all(holds).then(|| model.eval(terms, value).as_bits())
                };
                its.iter().filter_map(of).collect()
            }
            [..] => None,
        }
    }

    fn symbols(&self, term: TermId) -> Vec<TermId> {
        let terms = &self.flow.terms;
        let all = terms.subterms(&[term]).into_iter();
        all.filter(|term| matches!(terms[*term], Term::Symbol(_))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::steps::{By, split};
    use crate::test_flow::TestFlow;

    /// A thread whose variable begins with 1 and is doubled (or gets more) while it is not a limit.
    fn of(
        limit: i128,
        more: impl Fn(&mut crate::test_flow::Before<'_>, VariableId) -> TermId,
    ) -> Vec<Vec<i128>> {
        let mut test = TestFlow::new();
        test.single(2);
        let worker = test.many(2);
        let rounds = test.register(worker, "rounds");
        test.step(worker, 0, 1).put(rounds, 1);
        test.step(worker, 1, 1)
            .when(|before| before.is_not(rounds, limit))
            .set(rounds, |before| more(before, rounds));
        let mut flow = test.finish();
        let entry = flow.templates[worker].entry;
        flow.templates[worker].locations[entry].live.clear();
        let matters: BTreeSet<VariableId> = flow.variables.ids().collect();
        let steps = split(&mut flow, &matters, By::Choices);
        values(&flow, &steps).into_iter().map(|(_, values)| values).collect()
    }

    #[test]
    fn a_variable_that_is_doubled_up_to_a_limit_has_few_values() {
        let doubled = |before: &mut crate::test_flow::Before<'_>, rounds| {
            let rounds = before.of(rounds);
            before.terms.add(rounds, rounds)
        };
        assert_eq!(of(64, doubled), [[1, 2, 4, 8, 16, 32, 64]]);
    }

    #[test]
    fn what_is_read_before_it_has_a_value_may_have_any() {
        let mut test = TestFlow::new();
        test.single(2);
        let worker = test.many(2);
        let (rounds, other) = (test.register(worker, "rounds"), test.register(worker, "other"));
        test.step(worker, 0, 1).when(|before| before.is_not(rounds, 3));
        test.step(worker, 1, 0).put(rounds, 4);
        test.step(worker, 1, 0).put(rounds, 9);
        test.step(worker, 1, 0).put(other, 4);
        test.step(worker, 1, 0).put(other, 9);
        let mut flow = test.finish();
        let entry = flow.templates[worker].entry;
        flow.templates[worker].locations[entry].live = vec![rounds];
        let matters: BTreeSet<VariableId> = flow.variables.ids().collect();
        let steps = split(&mut flow, &matters, By::Choices);
        assert_eq!(values(&flow, &steps), [(other, vec![4, 9])]);
    }

    #[test]
    fn intervals_and_variables_with_many_values_are_left_out() {
        assert_eq!(of(5, |before, rounds| before.plus(rounds, 1)), Vec::<Vec<i128>>::new());
        assert_eq!(of(50, |before, rounds| before.plus(rounds, 2)), Vec::<Vec<i128>>::new());
    }
}
