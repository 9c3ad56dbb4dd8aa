//! Edges without choices inside.
//!
//! An edge of a flow is a path, but its terms may still choose: `ite(c, a, b)`, a condition that is a disjunction, a truth value that is
//! stored. Here each becomes several steps, one for each choice, so that guards are literals and values have no conditions. What has
//! too many choices keeps them: what is then not understood counts as any value.

use std::collections::BTreeSet;

use raddle_flow::{Edge, Flow, LocationId, TemplateId, VariableId};
use raddle_logic::term::{Sort, Term, TermId, Terms};
use rustc_hash::FxHashMap;

use crate::joins::Joins;

/// More steps than this are not made of one edge.
const MOST: usize = 96;

/// A thread that is started: its template, its id, and what it has of its own at first.
pub(crate) type Started = (TemplateId, TermId, Vec<(VariableId, TermId)>);

/// An edge, or a part of it, without choices inside.
#[derive(Clone, Debug)]
pub(crate) struct Step {
    /// Whose it is.
    pub template: TemplateId,
    /// Before.
    pub from: LocationId,
    /// After.
    pub to: LocationId,
    /// Literals, all of which hold.
    pub guards: Vec<TermId>,
    /// New values.
    pub updates: Vec<(VariableId, TermId)>,
    /// Symbols that stand for any value.
    pub inputs: Vec<TermId>,
    /// The thread that it starts: its template, its id, and what it has of its own at first.
    pub spawn: Option<Started>,
    /// The template whose only thread it waits for.
    pub joined: Option<TemplateId>,
    /// The largest id that the thread that it starts can have, where that is known.
    pub most_id: Option<i128>,
}

impl Step {
    /// No step: a thread stays where it is.
    pub(crate) fn stays((template, location): (TemplateId, LocationId)) -> Self {
        Self {
            template,
            from: location,
            to: location,
            guards: Vec::new(),
            updates: Vec::new(),
            inputs: Vec::new(),
            spawn: None,
            joined: None,
            most_id: None,
        }
    }
}

/// What steps are split by, beside the choices inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// Nothing.
    Choices,
    /// What differs from a constant is less or greater.
    Signs,
    /// A sum with a constant wraps or not.
    Wraps,
}

/// All steps of all templates, in the order of their edges. What does not matter is not written.
pub(crate) fn split(flow: &mut Flow, matters: &BTreeSet<VariableId>, by: By) -> Vec<Step> {
    let mut steps = Vec::new();
    let joins = Joins::new(flow);
    let most_ids = crate::joins::most_ids(flow);
    let edges: Vec<(TemplateId, usize, Edge)> = flow
        .templates
        .iter()
        .flat_map(|(id, template)| {
            template.edges.iter().enumerate().map(move |(index, edge)| (id, index, edge.clone()))
        })
        .collect();
    for (template, index, edge) in edges {
        let mut first = Step {
            template,
            from: edge.from,
            to: edge.to,
            guards: edge.guards.clone(),
            updates: relevant(&edge.updates, matters),
            inputs: edge.inputs.clone(),
            spawn: edge
                .spawn
                .as_ref()
                .map(|spawn| (spawn.template, spawn.id, relevant(&spawn.values, matters))),
            joined: joins.joined(template, index),
            most_id: edge.spawn.as_ref().and_then(|spawn| most_ids[spawn.template]),
        };
        first.guards = with_known(&mut flow.terms, &first.guards, joins.exist(template, index));
        split_one(&mut flow.terms, first, by, &mut steps);
    }
    steps
}

fn relevant(values: &[(VariableId, TermId)], matters: &BTreeSet<VariableId>) -> Vec<(VariableId, TermId)> {
    values.iter().copied().filter(|(variable, _)| matters.contains(variable)).collect()
}

/// Conditions where some truth values are true.
fn with_known(terms: &mut Terms, conditions: &[TermId], known: &[TermId]) -> Vec<TermId> {
    if known.is_empty() {
        return conditions.to_vec();
    }
    let yes = terms.bool(true);
    let map: FxHashMap<TermId, TermId> = known.iter().map(|&symbol| (symbol, yes)).collect();
    terms.substitute(conditions, &map)
}

fn split_one(terms: &mut Terms, first: Step, by: By, steps: &mut Vec<Step>) {
    let mut open = vec![first];
    let mut made = 0;
    while let Some(mut step) = open.pop() {
        if !flatten(terms, &mut step) {
            continue;
        }
        let room = made + open.len() < MOST;
        let other = |terms: &mut Terms| match by {
            By::Choices => None,
            By::Signs => sign_choice(terms, &step),
            By::Wraps => wrap_choice(terms, &step),
        };
        match choice(terms, &step).or_else(|| other(terms)).filter(|_| room) {
            None => {
                made += 1;
                steps.push(step);
            }
            Some(condition) => {
                let opposite = terms.not(condition);
                // The last one that is pushed comes first.
                let others = decided(terms, &step, opposite);
                open.push(others);
                open.push(decided(terms, &step, condition));
            }
        }
    }
}

/// Takes conjunctions apart. Whether all guards may hold.
#[expect(clippy::wildcard_enum_match_arm, reason = "whatever else there is is treated alike")]
fn flatten(terms: &Terms, step: &mut Step) -> bool {
    let mut open: Vec<TermId> = std::mem::take(&mut step.guards);
    open.reverse();
    let mut literals: Vec<TermId> = Vec::new();
    while let Some(guard) = open.pop() {
        match terms[guard] {
            Term::Bool(true) => {}
            Term::Bool(false) => return false,
            Term::And(a, b) => open.extend([b, a]),
            _ if literals.contains(&guard) => {}
            _ => literals.push(guard),
        }
    }
    step.guards = literals;
    true
}

/// A condition to be decided before the step is free of choices.
fn choice(terms: &Terms, step: &Step) -> Option<TermId> {
    let inside_guards = step.guards.iter().find_map(|&guard| choice_of_literal(terms, guard));
    let spawned = step.spawn.iter().flat_map(|(_, _, values)| values.iter());
    let values = || step.updates.iter().chain(spawned.clone()).map(|&(_, value)| value);
    inside_guards.or_else(|| values().find_map(|value| choice_of_truth(terms, value))).or_else(|| {
        let roots: Vec<TermId> = step.guards.iter().copied().chain(values()).collect();
        innermost_choice(terms, &roots)
    })
}

/// Of a guard that is a disjunction of some kind, one of its parts.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "whatever else there is has no parts that are truth values"
)]
fn choice_of_literal(terms: &Terms, guard: TermId) -> Option<TermId> {
    let positive = if let Term::Not(of) = terms[guard] { of } else { guard };
    let atom = match terms[positive] {
        Term::And(a, _) | Term::Xor(a, _) => atom_of(terms, a),
        Term::Ite(condition, _, _) => atom_of(terms, condition),
        _ => return None,
    };
    // Conditions on the highest bits of sums say that these do not overflow; they are understood as they are.
    crate::linear::highest_bit(terms, atom).is_none().then_some(atom)
}

/// Of what differs from a constant and is not compared with it yet, whether it is less.
fn sign_choice(terms: &mut Terms, step: &Step) -> Option<TermId> {
    for &guard in &step.guards {
        let Term::Not(atom) = terms[guard] else { continue };
        let Term::Eq(a, b) = terms[atom] else { continue };
        let (number, constant) = if terms.as_bits(a).is_some() { (b, a) } else { (a, b) };
        if terms.as_bits(constant).is_none() || !matches!(terms[number], Term::Symbol(_)) {
            continue;
        }
        let less = terms.slt(number, constant);
        let not_less = terms.not(less);
        if terms.as_bool(less).is_none()
            && !step.guards.iter().any(|&guard| guard == less || guard == not_less)
        {
            return Some(less);
        }
    }
    None
}

/// Of a sum of a symbol and a constant, whether the symbol is so small that it does not wrap, if that is not said yet.
fn wrap_choice(terms: &mut Terms, step: &Step) -> Option<TermId> {
    for &(_, value) in &step.updates {
        let Term::Add(a, b) = terms[value] else { continue };
        let (symbol, constant) = if terms.as_bits(a).is_some() { (b, a) } else { (a, b) };
        let (Some(added), Term::Symbol(_)) = (terms.as_bits(constant), &terms[symbol]) else { continue };
        let width = terms.width(symbol);
        let room = (1_u128 << width.min(64)) - added;
        let room = terms.bits(room, width);
        let fits = terms.ult(symbol, room);
        let wraps = terms.not(fits);
        let is_said = step.guards.iter().any(|&guard| guard == fits || guard == wraps);
        if terms.as_bool(fits).is_none() && !is_said {
            return Some(fits);
        }
    }
    None
}

/// A truth value that is stored, unless it is a constant or a variable.
fn choice_of_truth(terms: &Terms, value: TermId) -> Option<TermId> {
    let plain = matches!(terms[value], Term::Bool(_) | Term::Symbol(_));
    (terms.sort(value) == Sort::Bool && !plain).then(|| atom_of(terms, value))
}

/// The first part of a truth value that has no truth values inside.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "whatever else there is has no parts that are truth values"
)]
fn atom_of(terms: &Terms, condition: TermId) -> TermId {
    match terms[condition] {
        Term::Not(a) | Term::And(a, _) | Term::Xor(a, _) | Term::Ite(a, _, _)
            if terms.sort(condition) == Sort::Bool =>
        {
            atom_of(terms, a)
        }
        _ => condition,
    }
}

/// The condition of a choice inside of numbers that has none inside itself.
fn innermost_choice(terms: &Terms, roots: &[TermId]) -> Option<TermId> {
    let of = |term: TermId| if let Term::Ite(condition, ..) = terms[term] { Some(condition) } else { None };
    terms.subterms(roots).into_iter().find_map(of).map(|condition| atom_of(terms, condition))
}

/// The step where a literal holds: it is a guard, and known everywhere else.
fn decided(terms: &mut Terms, step: &Step, literal: TermId) -> Step {
    let (atom, holds) = if let Term::Not(of) = terms[literal] { (of, false) } else { (literal, true) };
    let known = terms.bool(holds);
    let map: FxHashMap<TermId, TermId> = [(atom, known)].into_iter().collect();
    let mut decided = step.clone();
    decided.guards = terms.substitute(&step.guards, &map);
    decided.guards.push(literal);
    let substitute = |terms: &mut Terms, list: &mut Vec<(VariableId, TermId)>| {
        let values: Vec<TermId> = list.iter().map(|&(_, value)| value).collect();
        let values = terms.substitute(&values, &map);
        list.iter_mut().zip(values).for_each(|(entry, value)| entry.1 = value);
    };
    substitute(terms, &mut decided.updates);
    if let Some((_, _, values)) = &mut decided.spawn {
        substitute(terms, values);
    }
    decided
}
