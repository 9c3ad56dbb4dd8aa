//! The flow without steps that are never taken because shared memory that looks variable holds one number for ever, as does the kind
//! of a mutex: they would spoil equations.
//!
//! A store through a pointer that could lead anywhere writes each variable on a condition. A second version of the flow
//! hopes that it writes none of them. That may be wrong; then some counters are of no use.

use std::collections::BTreeMap;

use raddle_base::Table;
use raddle_flow::{Flow, Template, TemplateId, Variable, VariableId};
use raddle_logic::term::{Term, TermId};

use super::shape::reached;
use super::values::{Beliefs, Symbols, Value, View, symbols};

/// A flow with fewer edges.
#[derive(Debug)]
pub(super) struct Program<'a> {
    /// Its terms and variables; not its templates.
    pub(super) flow: &'a Flow,
    /// The templates, without edges that are never taken.
    pub(super) templates: Table<TemplateId, Template>,
    /// The variables by their symbols.
    pub(super) symbols: Symbols,
    /// The initial numbers in shared variables.
    pub(super) initial: Beliefs,
}

impl<'a> Program<'a> {
    /// The flow, without what is never taken.
    pub(super) fn new(flow: &'a Flow) -> Self {
        Self::of(flow, flow.templates.values().cloned().collect())
    }

    /// The flow where stores through unknown pointers miss; none if there are no such stores.
    pub(super) fn hopeful(flow: &'a Flow) -> Option<Self> {
        let mut templates: Table<TemplateId, Template> = flow.templates.values().cloned().collect();
        let mut misses = false;
        for edge in templates.iter_mut().flat_map(|(_, template)| &mut template.edges) {
            let all = edge.updates.len();
            edge.updates.retain(|&(variable, value)| !may_miss(flow, variable, value));
            misses |= edge.updates.len() < all;
        }
        misses.then(|| Self::of(flow, templates))
    }

    fn of(flow: &'a Flow, templates: Table<TemplateId, Template>) -> Self {
        let symbols = symbols(flow);
        let initial = {
            let nothing = BTreeMap::new();
            let view = View::exact(flow, &symbols, &nothing);
            let shared =
                flow.initial.iter().filter(|(variable, _)| flow.variables[*variable].owner.is_none());
            shared.filter_map(|&(variable, term)| Some((variable, view.value(term)?))).collect()
        };
        let templates = without_dead_edges(flow, &templates, &symbols, &initial);
        Self { flow, templates, symbols, initial }
    }
}

/// Assumes that no variable changes, and drops those that do, until that holds.
fn without_dead_edges(
    flow: &Flow,
    templates: &Table<TemplateId, Template>,
    symbols: &Symbols,
    initial: &Beliefs,
) -> Table<TemplateId, Template> {
    let mut constant = initial.clone();
    loop {
        let view = View::exact(flow, symbols, &constant);
        let mut alive = templates.clone();
        let mut changed: Vec<VariableId> = Vec::new();
        for (_, template) in alive.iter_mut() {
            template.edges.retain(|edge| !edge.guards.iter().any(|&guard| view.excludes(guard)));
            let mut reachable = reached(template, &[template.entry], |_| false);
            reachable.insert(template.entry);
            template.edges.retain(|edge| reachable.contains(&edge.from));
            let updates = template.edges.iter().flat_map(|edge| &edge.updates);
            changed.extend(
                updates.filter(|update| changes(&view, &constant, update)).map(|(variable, _)| *variable),
            );
        }
        if changed.is_empty() {
            return alive;
        }
        for variable in changed {
            constant.remove(&variable);
        }
    }
}

fn changes(view: &View<'_>, constant: &Beliefs, &(variable, term): &(VariableId, TermId)) -> bool {
    constant.get(&variable).is_some_and(|value| match value {
        Value::Number(_) => view.value(term) != Some(*value),
        Value::Sum(..) => true,
    })
}

/// Whether a shared variable keeps its value under a condition that does not look at it, as a store through a pointer does that leads
/// elsewhere.
fn may_miss(flow: &Flow, variable: VariableId, value: TermId) -> bool {
    let Variable { now, owner: None, .. } = flow.variables[variable] else {
        return false;
    };
    let mut value = value;
    let mut looked_at = Vec::new();
    while let Term::Ite(condition, _, otherwise) = flow.terms[value] {
        looked_at.push(condition);
        value = otherwise;
    }
    !looked_at.is_empty() && value == now && !flow.terms.subterms(&looked_at).contains(&now)
}
