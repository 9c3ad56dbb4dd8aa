//! The flow without steps that are never taken because shared memory that looks variable holds one number for ever, as does the kind
//! of a mutex: they would spoil equations.

use std::collections::BTreeMap;

use raddle_base::Table;
use raddle_flow::{Flow, Template, TemplateId, VariableId};
use raddle_logic::term::TermId;

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
        let symbols = symbols(flow);
        let initial = {
            let nothing = BTreeMap::new();
            let view = View::exact(flow, &symbols, &nothing);
            let shared =
                flow.initial.iter().filter(|(variable, _)| flow.variables[*variable].owner.is_none());
            shared.filter_map(|&(variable, term)| Some((variable, view.value(term)?))).collect()
        };
        let templates = without_dead_edges(flow, &symbols, &initial);
        Self { flow, templates, symbols, initial }
    }
}

/// Assumes that no variable changes, and drops those that do, until that holds.
fn without_dead_edges(flow: &Flow, symbols: &Symbols, initial: &Beliefs) -> Table<TemplateId, Template> {
    let mut constant = initial.clone();
    loop {
        let view = View::exact(flow, symbols, &constant);
        let mut alive: Table<TemplateId, Template> = flow.templates.values().cloned().collect();
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
