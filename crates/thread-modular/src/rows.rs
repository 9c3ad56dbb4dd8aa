//! Rows: sums that are bounded as a whole (template polyhedra: Sankaranarayanan, Sipma, Manna 2005).
//!
//! Zones bound variables and differences of two. What guards compare beside that, `t + tokens <= 1000` or `x == y + z`, gets a dimension of
//! its own that equals the sum. So bounds of the sum are kept where the variables change together. Registers stand for what they were loaded from:
//! a guard looks at copies, and the invariant is about what was copied.

use std::collections::BTreeMap;

use raddle_base::Id as _;
use raddle_domains::{Form, Interval};
use raddle_flow::{Flow, TemplateId, VariableId};
use raddle_logic::term::{Term, TermId};
use rustc_hash::FxHashMap;

use crate::linear::{Dim, Reader, numeric};
use crate::steps::Step;

/// More rows are not used.
const MOST: usize = 4;
/// Sums of more variables are not looked at.
const MOST_TERMS: usize = 4;
/// Larger coefficients are not looked at.
const LARGEST: i128 = 8;
/// How long chains of copies are that are followed.
const CHAIN: usize = 8;

/// A sum of variables, shared ones and those of one template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    /// Coefficients, in the order of variables.
    pub terms: Vec<(VariableId, i128)>,
}

impl Row {
    /// As a form, where each variable has a place.
    pub(crate) fn form(&self, place: &dyn Fn(VariableId) -> Option<usize>) -> Option<Form> {
        self.terms.iter().try_fold(Form::constant(0), |form, &(variable, factor)| {
            form.plus(&Form::variable(place(variable)?), factor)
        })
    }
}

/// The sums that guards speak of, beside what zones know anyway.
pub(crate) fn choose(flow: &Flow, steps: &[Step]) -> Vec<Row> {
    let dims: FxHashMap<TermId, Dim> = flow
        .variables
        .iter()
        .filter(|(_, variable)| numeric(variable.sort).is_some())
        .map(|(id, variable)| (variable.now, Dim { index: id.index() }))
        .collect();
    // As if nothing ever wrapped.
    let bounds = |_: &Form| Interval::only(0);
    let reader = Reader::new(&flow.terms, &dims, &bounds);
    let sources = sources(flow, steps);
    let mut rows = Vec::new();
    for guard in steps.iter().flat_map(|step| step.guards.iter()) {
        let atom = if let Term::Not(of) = flow.terms[*guard] { of } else { *guard };
        let (Term::Eq(a, b) | Term::Ult(a, b) | Term::Slt(a, b)) = flow.terms[atom] else { continue };
        let form = |term| reader.form(term, true);
        let Some(form) = form(a).zip(form(b)).and_then(|(a, b)| a.plus(&b, -1)) else { continue };
        let row = row(flow, &form, &sources);
        rows.extend(row.filter(|row| !rows.contains(row) && rows.len() < MOST));
    }
    rows
}

/// Beside rows the differences of their variables and of registers that hold one of them and a number, which may have wrapped.
pub(crate) fn with_computed(flow: &Flow, steps: &[Step], rows: &[Row]) -> Vec<Row> {
    /// More are not used.
    const MOST_COMPUTED: usize = 12;
    let mut all = rows.to_vec();
    for &(register, value) in steps.iter().flat_map(|step| step.updates.iter()) {
        let Term::Add(a, b) = flow.terms[value] else { continue };
        let is_read = |variable: &VariableId| {
            let now = flow.variables[*variable].now;
            (now == a || now == b) && flow.variables[register].owner.is_some()
        };
        let variables = rows.iter().flat_map(|row| row.terms.iter().map(|(variable, _)| *variable));
        for variable in variables.filter(is_read) {
            let row = Row { terms: vec![(register, 1), (variable, -1)] };
            if !all.contains(&row) && all.len() < MOST_COMPUTED {
                all.push(row);
            }
        }
    }
    all
}

/// A row of a form; none if zones know it, or if it is too long.
fn row(flow: &Flow, form: &Form, sources: &BTreeMap<VariableId, VariableId>) -> Option<Row> {
    let source = |index: usize| {
        let mut variable = VariableId::from_index(index);
        for _ in 0..CHAIN {
            variable = sources.get(&variable).copied().unwrap_or(variable);
        }
        Some(variable.index())
    };
    let form = form.renamed(source)?;
    let factors: Vec<i128> = form.terms().iter().map(|(_, factor)| *factor).collect();
    let is_known = factors.len() < 2 || matches!(factors[..], [1, -1] | [-1, 1]);
    if is_known || factors.len() > MOST_TERMS || factors.iter().any(|factor| factor.abs() > LARGEST) {
        return None;
    }
    let sign = factors[0].signum();
    let terms: Vec<(VariableId, i128)> =
        form.terms().iter().map(|&(index, factor)| (VariableId::from_index(index), factor * sign)).collect();
    let mut owners: Vec<TemplateId> =
        terms.iter().filter_map(|(variable, _)| flow.variables[*variable].owner).collect();
    owners.dedup();
    (owners.len() < 2).then_some(Row { terms })
}

/// What each own variable is a copy of, if it is never anything else.
fn sources(flow: &Flow, steps: &[Step]) -> BTreeMap<VariableId, VariableId> {
    let by_symbol: BTreeMap<TermId, VariableId> =
        flow.variables.iter().map(|(id, variable)| (variable.now, id)).collect();
    let mut all: BTreeMap<VariableId, Option<VariableId>> = BTreeMap::new();
    for step in steps {
        let spawned = step.spawn.iter().flat_map(|(_, _, values)| values);
        for &(variable, value) in step.updates.iter().chain(spawned) {
            let source = by_symbol.get(&value).copied();
            let known = all.entry(variable).or_insert(source);
            if *known != source {
                *known = None;
            }
        }
    }
    let is_own = |variable: &VariableId| flow.variables[*variable].owner.is_some();
    all.into_iter().filter(|(variable, _)| is_own(variable)).filter_map(|(id, of)| Some((id, of?))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::steps::{By, split};
    use crate::test_flow::TestFlow;

    #[test]
    fn rows_are_sums_of_what_was_copied_and_differences_are_none() {
        let mut test = TestFlow::new();
        test.single(2);
        let worker = test.many(4);
        let (all, some) = (test.shared("all", 0), test.shared("some", 0));
        let (seen, more) = (test.register(worker, "seen"), test.register(worker, "more"));
        test.step(worker, 0, 1).havoc(more);
        test.step(worker, 1, 2).copy(seen, all);
        // seen + more < some, and seen < some.
        test.step(worker, 2, 3).when(|before| {
            let (seen, more, some) = (before.of(seen), before.of(more), before.of(some));
            let sum = before.terms.add(seen, more);
            before.terms.ult(sum, some)
        });
        test.step(worker, 2, 3).when(|before| before.below(seen, some));
        let mut flow = test.finish();
        let matters: BTreeSet<VariableId> = flow.variables.ids().collect();
        let steps = split(&mut flow, &matters, By::Choices);
        let mut terms = vec![(all, 1), (some, -1), (more, 1)];
        terms.sort_unstable();
        assert_eq!(choose(&flow, &steps), [Row { terms }]);
    }
}
