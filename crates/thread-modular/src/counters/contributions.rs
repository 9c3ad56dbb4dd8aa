//! A variable as a sum over threads: each thread contributes a number that depends on its location alone.
//!
//! Unknown is the contribution `a` of each location. An edge from `s` to `d` that starts threads of `U` and changes the variable by `c`
//! asks that `a(d) − a(s) + a(entry of U) = c`. With a solution, the variable is a constant plus the contributions of all
//! threads, in every state. Along the edges of a template contributions follow from the one of its entry, so that only those of
//! entries are unknowns of the linear equations.
//!
//! What the main thread does before it starts the first thread is left out: it only sets the constant.
//!
//! Where there is no solution a variable has no counters. (A refinement would split locations by the running value of the variable; but
//! counters count locations, so the flow would have to be split first.)

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::Id;
use raddle_domains::Form;
use raddle_flow::{Edge, LocationId, LocationKind, Template, TemplateId};

use super::linear::{Fraction, solve};
use super::program::Program;
use super::shape::{alone, is_place};
use super::writes::{Change, EdgeKey, Writes};

/// What a location contributes, where that is not zero.
pub(super) type Contributions = BTreeMap<(TemplateId, LocationId), i128>;

/// Which last steps of threads are left out of the equations, to be tried in this order: the sum is then only a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LeftOut {
    Nothing,
    Stuck,
    StuckAndEnded,
}

/// Contributions as forms over those of the entries, whose number is that of the template; and forms that have to be zero.
#[derive(Debug, Default)]
struct Equations {
    contributions: BTreeMap<(TemplateId, LocationId), Form>,
    zero: BTreeSet<Form>,
}

/// A solution for a variable that is only changed by constants; empty if one thread alone changes it, by constants or to constants.
/// Contributions are integers, of the variable or a multiple of it.
pub(super) fn contributions(program: &Program<'_>, writes: &Writes) -> Option<Contributions> {
    let certain = of_changes(program, &writes.changes);
    certain.or_else(|| of_changes(program, writes.as_lock.as_ref()?))
}

fn of_changes(program: &Program<'_>, all: &BTreeMap<EdgeKey, Change>) -> Option<Contributions> {
    let changes = changes(program, all);
    if !has_several_writers(program, &changes) {
        return changes.values().all(|change| *change != Change::Any).then(Contributions::new);
    }
    [LeftOut::Nothing, LeftOut::Stuck, LeftOut::StuckAndEnded].into_iter().find_map(|left_out| {
        let equations = equations(program, &changes, left_out)?;
        let rows: Vec<Form> = equations.zero.iter().cloned().collect();
        let start = solution(program, &rows)?;
        // Where all changes are left out nothing is explained.
        integral(&preferred(program, &equations, rows, start)?).filter(|found| !found.is_empty())
    })
}

/// The changes that count.
fn changes(program: &Program<'_>, all: &BTreeMap<EdgeKey, Change>) -> BTreeMap<EdgeKey, Change> {
    let counted = all.iter().filter(|((template, index), _)| {
        let edge = &program.templates[*template].edges[*index];
        let sets_constant =
            template.index() == 0 && edge.spawn.is_none() && alone(program, *template).contains(&edge.from);
        !sets_constant && is_place(&program.templates[*template], edge.to)
    });
    counted.map(|(&edge, &change)| (edge, change)).collect()
}

/// Whether more than one thread changes the variable. Of a variable with one writer the invariants of that writer say all.
fn has_several_writers(program: &Program<'_>, changes: &BTreeMap<EdgeKey, Change>) -> bool {
    let writers: BTreeSet<TemplateId> = changes
        .iter()
        .filter(|(_, change)| **change != Change::By(0))
        .map(|((template, _), _)| *template)
        .collect();
    writers.len() > 1 || writers.iter().any(|template| !program.templates[*template].is_single)
}

fn is_left_out(template: &Template, edge: &Edge, left_out: LeftOut) -> bool {
    match template.locations[edge.to].kind {
        LocationKind::Step(_) => false,
        LocationKind::Ended => left_out == LeftOut::StuckAndEnded,
        LocationKind::Stuck => left_out != LeftOut::Nothing,
        LocationKind::Failed(_) => true,
    }
}

/// None if a change is not constant, or a number does not fit.
fn equations(
    program: &Program<'_>,
    changes: &BTreeMap<EdgeKey, Change>,
    left_out: LeftOut,
) -> Option<Equations> {
    let mut equations = Equations::default();
    for (id, template) in program.templates.iter() {
        let mut leaving: Vec<Vec<usize>> = vec![Vec::new(); template.locations.len()];
        for (index, edge) in template.edges.iter().enumerate() {
            if !is_left_out(template, edge, left_out) {
                leaving[edge.from.index()].push(index);
            }
        }
        equations.contributions.insert((id, template.entry), Form::variable(id.index()));
        let mut pending = vec![template.entry];
        while let Some(location) = pending.pop() {
            let before = equations.contributions[&(id, location)].clone();
            for &index in &leaving[location.index()] {
                let edge = &template.edges[index];
                let change = match changes.get(&(id, index)) {
                    None => 0,
                    Some(Change::By(change)) => *change,
                    Some(Change::To(_) | Change::Any) => return None,
                };
                let mut after = before.plus_constant(change)?;
                if let Some(spawn) = &edge.spawn {
                    after = after.plus(&Form::variable(spawn.template.index()), -1)?;
                }
                match equations.contributions.get(&(id, edge.to)) {
                    Some(other) => {
                        equations.zero.insert(after.plus(other, -1)?);
                    }
                    None => {
                        equations.contributions.insert((id, edge.to), after);
                        pending.push(edge.to);
                    }
                }
            }
        }
    }
    Some(equations)
}

/// The contributions of entries that make all rows zero.
fn solution(program: &Program<'_>, rows: &[Form]) -> Option<Vec<Fraction>> {
    let unknowns = program.templates.len();
    let mut right = Vec::new();
    let mut matrix = Vec::new();
    for row in rows {
        let mut factors = vec![Fraction::ZERO; unknowns];
        for &(unknown, factor) in row.terms() {
            factors[unknown] = Fraction::whole(factor);
        }
        matrix.push(factors);
        right.push(Fraction::whole(row.offset().checked_neg()?));
    }
    solve(unknowns, &matrix, &right)
}

type Values = BTreeMap<(TemplateId, LocationId), Fraction>;

fn values(equations: &Equations, entries: &[Fraction]) -> Option<Values> {
    let value = |form: &Form| {
        form.terms().iter().try_fold(Fraction::whole(form.offset()), |sum, &(unknown, factor)| {
            sum.plus(entries[unknown].times(Fraction::whole(factor))?)
        })
    };
    equations.contributions.iter().map(|(&place, form)| Some((place, value(form)?))).collect()
}

/// Of all solutions one where threads of which there may be many contribute nothing below zero, if there is one: a sum of such
/// contributions is known not to be negative.
fn preferred(
    program: &Program<'_>,
    equations: &Equations,
    mut rows: Vec<Form>,
    start: Vec<Fraction>,
) -> Option<Values> {
    let cost = |values: &Values| {
        let negative = values.iter().filter(|((template, _), value)| {
            !program.templates[*template].is_single && value.numerator() < 0
        });
        (negative.count(), values.values().filter(|value| !value.is_zero()).count())
    };
    let mut entries = start;
    let mut best = values(equations, &entries)?;
    for (id, template) in program.templates.iter().filter(|(_, template)| !template.is_single) {
        let own = best.iter().filter(|((other, _), _)| *other == id);
        // Entries are whole in all but odd programs; then there is nothing to prefer.
        let Some(least) = own.map(|(_, value)| value.numerator()).min().filter(|least| *least < 0) else {
            continue;
        };
        let entry = entries[id.index()];
        debug_assert!(best.contains_key(&(id, template.entry)), "an entry contributes");
        if entry.denominator() != 1 {
            continue;
        }
        let wanted = entry.numerator().checked_sub(least)?;
        rows.push(Form::variable(id.index()).plus_constant(wanted.checked_neg()?)?);
        let shifted = solution(program, &rows).and_then(|found| Some((values(equations, &found)?, found)));
        match shifted {
            Some((shifted, found)) if cost(&shifted) < cost(&best) => (best, entries) = (shifted, found),
            Some(_) | None => {
                rows.pop();
            }
        }
    }
    Some(best)
}

/// The least multiple that is integral, without zeros.
fn integral(values: &Values) -> Option<Contributions> {
    let mut scale = Fraction::ONE;
    for value in values.values() {
        let rest = value.times(scale)?;
        scale = scale.times(Fraction::whole(rest.denominator()))?;
    }
    let scaled = values.iter().map(|(&place, value)| Some((place, value.times(scale)?.numerator())));
    let all: Option<Contributions> = scaled.collect();
    Some(all?.into_iter().filter(|(_, value)| *value != 0).collect())
}
