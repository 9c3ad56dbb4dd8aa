//! The flow as counters are derived from it, and what threads believe at its locations.
//!
//! It is without steps that are never taken because shared memory that looks variable holds a few numbers for ever, as does the kind
//! of a mutex, and without steps of a thread that finds a lock free that it holds: they would spoil equations.
//!
//! A store through a pointer that could lead anywhere writes each variable on a condition. A second version of the flow
//! hopes that it writes none of them. That may be wrong; then some counters are of no use.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::Table;
use raddle_flow::{Edge, Flow, LocationId, Template, TemplateId, Variable, VariableId};
use raddle_logic::term::{Term, TermId};

use super::shape::reached;
use super::values::{Beliefs, Symbols, Value, View, common, is_identity, symbols};

/// A variable with more numbers than this is taken to hold any.
const MAX_NUMBERS: usize = 4;

/// A flow with fewer edges.
#[derive(Debug)]
pub(super) struct Program<'a> {
    /// Its terms and variables; not its templates.
    pub(super) flow: &'a Flow,
    /// The templates, without edges that are never taken.
    pub(super) templates: Table<TemplateId, Template>,
    /// The variables by their symbols.
    pub(super) symbols: Symbols,
    /// What threads believe at their locations; nothing at all where they do not come.
    pub(super) beliefs: Table<TemplateId, Table<LocationId, Option<Beliefs>>>,
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
        let mut templates = without_dead_edges(flow, &templates, &symbols, &initial);
        let mut beliefs = Table::new();
        for (id, template) in templates.iter_mut() {
            let is_main = Some(id) == flow.templates.ids().next();
            let start = if is_main { initial.clone() } else { Beliefs::new() };
            let known = believed(flow, &symbols, template, start);
            template.edges.retain(|edge| {
                known[edge.from].as_ref().is_some_and(|before| !is_doubted(flow, &symbols, before, edge))
            });
            beliefs.push(known);
        }
        Self { flow, templates, symbols, beliefs }
    }
}

/// The numbers that shared variables hold, of those that hold few.
type Numbers = BTreeMap<VariableId, BTreeSet<i128>>;

/// Assumes that variables hold their initial numbers only, and adds what edges that are taken then write, until that is all.
fn without_dead_edges(
    flow: &Flow,
    templates: &Table<TemplateId, Template>,
    symbols: &Symbols,
    initial: &Beliefs,
) -> Table<TemplateId, Template> {
    let number = |value: &Value| match value {
        Value::Number(number) => Some(BTreeSet::from([*number])),
        Value::Sum(..) => None,
    };
    let mut numbers: Numbers =
        initial.iter().filter_map(|(&variable, value)| Some((variable, number(value)?))).collect();
    loop {
        let possible = Possible::new(flow, symbols, &numbers);
        let mut alive = templates.clone();
        let mut more = numbers.clone();
        for (_, template) in alive.iter_mut() {
            template.edges.retain(|edge| !possible.excludes(&edge.guards));
            let mut reachable = reached(template, &[template.entry], |_| false);
            reachable.insert(template.entry);
            template.edges.retain(|edge| reachable.contains(&edge.from));
            for &(variable, term) in template.edges.iter().flat_map(|edge| &edge.updates) {
                let Some(known) = more.get_mut(&variable) else {
                    continue;
                };
                if let Some(Value::Number(number)) = possible.single.value(term) {
                    known.insert(number);
                    if known.len() <= MAX_NUMBERS {
                        continue;
                    }
                }
                more.remove(&variable);
            }
        }
        if more == numbers {
            return alive;
        }
        numbers = more;
    }
}

/// Which guards can hold.
struct Possible<'a> {
    flow: &'a Flow,
    symbols: &'a Symbols,
    /// Where the variables are that hold one number only.
    single: View<'a>,
    /// Where also one of the others holds one of its numbers.
    cases: BTreeMap<VariableId, Vec<View<'a>>>,
}

impl<'a> Possible<'a> {
    fn new(flow: &'a Flow, symbols: &'a Symbols, numbers: &Numbers) -> Self {
        let mut single = Beliefs::new();
        for (&variable, numbers) in numbers.iter().filter(|(_, numbers)| numbers.len() == 1) {
            single.extend(numbers.iter().map(|&number| (variable, Value::Number(number))));
        }
        let case = |variable: VariableId, number: i128| {
            let mut known = single.clone();
            known.insert(variable, Value::Number(number));
            View::exact(flow, symbols, &known)
        };
        let several = numbers.iter().filter(|(_, numbers)| numbers.len() > 1);
        let cases = several
            .map(|(&variable, numbers)| {
                (variable, numbers.iter().map(|&number| case(variable, number)).collect())
            })
            .collect();
        Self { flow, symbols, single: View::exact(flow, symbols, &single), cases }
    }

    /// Whether guards fail: always, or for each number of some variable that they mention.
    fn excludes(&self, guards: &[TermId]) -> bool {
        let excluded = |view: &View<'_>| guards.iter().any(|&guard| view.excludes(guard));
        if excluded(&self.single) {
            return true;
        }
        let terms = self.flow.terms.subterms(guards);
        let mut mentioned = terms.iter().filter_map(|term| self.cases.get(self.symbols.get(term)?));
        mentioned.any(|views| views.iter().all(excluded))
    }
}

/// What the threads of a template believe at its locations if they believe this at first.
fn believed(
    flow: &Flow,
    symbols: &Symbols,
    template: &Template,
    start: Beliefs,
) -> Table<LocationId, Option<Beliefs>> {
    let mut known: Table<LocationId, Option<Beliefs>> = Table::filled(template.locations.len(), || None);
    known[template.entry] = Some(start);
    let mut leaving: Table<LocationId, Vec<&Edge>> = Table::filled(template.locations.len(), Vec::new);
    for edge in &template.edges {
        leaving[edge.from].push(edge);
    }
    let mut pending = vec![template.entry];
    while let Some(location) = pending.pop() {
        for edge in &leaving[location] {
            let Some(before) = &known[location] else {
                continue;
            };
            if is_doubted(flow, symbols, before, edge) {
                continue;
            }
            let after = View::new(flow, symbols, before, &edge.guards).after(&edge.updates);
            // What is believed at a location only becomes less.
            let joined = match &known[edge.to] {
                Some(old) => common(old, &after),
                None => after,
            };
            if known[edge.to].as_ref() != Some(&joined) {
                known[edge.to] = Some(joined);
                pending.push(edge.to);
            }
        }
    }
    known
}

/// Whether an edge is only taken by a thread that no longer holds a lock that it has taken.
fn is_doubted(flow: &Flow, symbols: &Symbols, before: &Beliefs, edge: &Edge) -> bool {
    let is_held = |value: &Value| matches!(value, Value::Sum(base, 1) if is_identity(flow, *base));
    let held: Beliefs = before
        .iter()
        .filter(|(_, value)| is_held(value))
        .map(|(&variable, &value)| (variable, value))
        .collect();
    if held.is_empty() {
        return false;
    }
    let view = View::new(flow, symbols, &held, &[]);
    edge.guards.iter().any(|&guard| view.excludes(guard))
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
