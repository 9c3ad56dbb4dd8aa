//! The alphabet: an edge of a template, made by the thread of a slot.
//!
//! Slots are numbered in the order in which threads are created, and the number of a slot is the id of its thread, as in the VM. What a thread has of
//! its own becomes a symbol for each slot. With the ids, what is computed of them are constants too: own variables that are not assigned in loops are
//! part of where a thread stands while they are constants. So a join is of one thread, mostly.

use indexmap::{IndexMap, IndexSet};
use raddle_base::{Id as _, define_id};
use raddle_flow::{CheckId, Edge, Flow, LocationId, LocationKind, TemplateId, VariableId};
use raddle_logic::term::{Term, TermId, Terms};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

define_id!(
    /// A letter.
    pub(crate) struct LetterId, "a"
);
define_id!(
    /// What own variables hold that are constants.
    pub(crate) struct ValuesId, "c"
);

/// Where a thread stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    pub template: TemplateId,
    pub location: LocationId,
    pub values: ValuesId,
}

/// What tells letters apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    pub slot: usize,
    pub template: TemplateId,
    /// What the thread's variables hold before it.
    pub values: ValuesId,
    /// An index of the template's edges.
    pub edge: usize,
    /// The slot whose end is waited for.
    pub joined: Option<usize>,
    /// The slot of the thread that is started.
    pub child: Option<usize>,
    /// How many threads there are before it, if it asks; else 0.
    pub threads: usize,
}

/// Where a letter leads that must not happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A check fails.
    Check(CheckId),
    /// More threads are started than are looked at.
    Threads,
}

/// A step of the product.
#[derive(Clone, Debug)]
pub(crate) struct Letter {
    pub key: Key,
    pub to: Place,
    /// Where the thread that it starts stands.
    pub born: Option<Place>,
    /// A conjunction over symbols of slots and inputs.
    pub guards: Vec<TermId>,
    /// New values of symbols.
    pub updates: FxHashMap<TermId, TermId>,
    /// Symbols that stand for any value: inputs, and what a new thread has that is not given.
    pub inputs: Vec<TermId>,
    /// How many of them are inputs.
    own_inputs: usize,
    pub failure: Option<Failure>,
    /// Whether its guards contradict each other on their face.
    pub is_dead: bool,
}

impl Letter {
    /// Whether a symbol is what the thread that is started has and nobody gave it.
    pub(crate) fn is_own_of_child(&self, symbol: TermId) -> bool {
        self.inputs[self.own_inputs..].contains(&symbol)
    }
}

/// All letters that were met.
#[derive(Debug, Default)]
pub(crate) struct Letters {
    all: IndexMap<Key, Letter, FxBuildHasher>,
    /// The symbol of a variable in a slot.
    symbols: FxHashMap<(usize, VariableId), TermId>,
    /// The variable, and the slot if it has one, of a symbol.
    meaning: FxHashMap<TermId, (VariableId, Option<usize>)>,
    /// By variable, ascending.
    values: IndexSet<Vec<(VariableId, TermId)>, FxBuildHasher>,
    /// Own variables that are assigned in loops.
    varying: FxHashSet<VariableId>,
    /// Symbols and the constants that they were part of a place as, in the order they were met.
    pub constants: IndexSet<(TermId, TermId), FxBuildHasher>,
}

impl std::ops::Index<LetterId> for Letters {
    type Output = Letter;
    fn index(&self, id: LetterId) -> &Letter {
        &self.all[id.index()]
    }
}

impl Letters {
    /// With the symbols of shared variables.
    pub(crate) fn new(flow: &Flow) -> Self {
        let mut letters = Self::default();
        for (id, variable) in flow.variables.iter().filter(|(_, variable)| variable.owner.is_none()) {
            letters.meaning.insert(variable.now, (id, None));
        }
        for template in flow.templates.values() {
            let loops = |location: LocationId| template.locations[location].is_on_cycle;
            for edge in template.edges.iter().filter(|edge| loops(edge.from) && loops(edge.to)) {
                letters.varying.extend(edge.updates.iter().map(|(variable, _)| *variable));
            }
        }
        letters.values.insert(Vec::new());
        letters
    }

    /// A thread whose variables hold anything.
    pub(crate) fn place(template: TemplateId, location: LocationId) -> Place {
        Place { template, location, values: ValuesId::from_index(0) }
    }

    /// A term of a template's, with the constants that are part of a place.
    pub(crate) fn valued(&self, flow: &Flow, terms: &mut Terms, place: Place, term: TermId) -> TermId {
        let values = self.values[place.values.index()].iter();
        let map = values.map(|&(variable, value)| (flow.variables[variable].now, value)).collect();
        terms.substitute(&[term], &map)[0]
    }

    /// A thread of a slot behind a step that gives variables new values.
    fn arrive(
        &mut self,
        flow: &Flow,
        terms: &Terms,
        (slot, before): (usize, Option<ValuesId>),
        to: Place,
        updates: &FxHashMap<TermId, TermId>,
    ) -> Place {
        let live = &flow.templates[to.template].locations[to.location].live;
        let mut values = Vec::new();
        for &variable in live.iter().filter(|variable| !self.varying.contains(variable)) {
            let Some(&symbol) = self.symbols.get(&(slot, variable)) else { continue };
            let before = before.and_then(|before| {
                let known = &self.values[before.index()];
                known.iter().find(|(other, _)| *other == variable).map(|(_, value)| *value)
            });
            let value = updates.get(&symbol).copied().or(before);
            let constant =
                value.filter(|&value| terms.as_bits(value).is_some() || terms.as_bool(value).is_some());
            if let Some(value) = constant {
                values.push((variable, value));
                self.constants.insert((symbol, value));
            }
        }
        Place { values: ValuesId::from_index(self.values.insert_full(values).0), ..to }
    }

    /// What a symbol stands for; none if it is an input.
    pub(crate) fn meaning(&self, symbol: TermId) -> Option<(VariableId, Option<usize>)> {
        self.meaning.get(&symbol).copied()
    }

    /// The symbol of a variable in a slot.
    fn symbol(&mut self, flow: &Flow, terms: &mut Terms, slot: usize, variable: VariableId) -> TermId {
        if let Some(&symbol) = self.symbols.get(&(slot, variable)) {
            return symbol;
        }
        let known = &flow.variables[variable];
        let symbol = terms.symbol(&format!("{}@{slot}", known.name), known.sort);
        self.symbols.insert((slot, variable), symbol);
        self.meaning.insert(symbol, (variable, Some(slot)));
        symbol
    }

    /// The letter of a key.
    pub(crate) fn get(&mut self, flow: &Flow, terms: &mut Terms, key: Key) -> LetterId {
        if let Some(index) = self.all.get_index_of(&key) {
            return LetterId::from_index(index);
        }
        let letter = self.make(flow, terms, key);
        let (index, _) = self.all.insert_full(key, letter);
        LetterId::from_index(index)
    }

    fn make(&mut self, flow: &Flow, terms: &mut Terms, key: Key) -> Letter {
        let template = &flow.templates[key.template];
        let edge = &template.edges[key.edge];
        let mut map = self.own_symbols(flow, terms, key, edge);
        for existing in &edge.existing {
            let count = key.threads + usize::from(existing.is_after_spawn);
            let thread = terms.substitute(&[existing.thread], &map)[0];
            let count = terms.bits(count as u128, terms.width(thread));
            let exists = terms.ult(thread, count);
            map.insert(existing.holds, exists);
        }
        let mut guards: Vec<TermId> = terms.substitute(&edge.guards, &map);
        if let (Some(thread), Some(joined)) = (edge.joins, key.joined) {
            let thread = terms.substitute(&[thread], &map)[0];
            guards.push(is_slot(terms, thread, joined));
        }
        let guards = conjuncts(terms, guards);
        let is_dead = guards.iter().any(|&guard| terms.as_bool(guard) == Some(false));
        let mut updates = FxHashMap::default();
        let mut inputs = edge.inputs.clone();
        for &(variable, value) in &edge.updates {
            let owner = flow.variables[variable].owner;
            let symbol = match owner {
                None => flow.variables[variable].now,
                Some(_) => self.symbol(flow, terms, key.slot, variable),
            };
            let value = terms.substitute(&[value], &map)[0];
            updates.insert(symbol, value);
        }
        let mut failure = match template.locations[edge.to].kind {
            LocationKind::Failed(check) => Some(Failure::Check(check)),
            LocationKind::Step(_) | LocationKind::Ended | LocationKind::Stuck => None,
        };
        if let Some(spawn) = &edge.spawn {
            match key.child {
                None => failure = Some(Failure::Threads),
                Some(child) => {
                    let started = &flow.templates[spawn.template];
                    for &variable in &started.locations[started.entry].live {
                        let symbol = self.symbol(flow, terms, child, variable);
                        match spawn.values.iter().find(|(other, _)| *other == variable) {
                            Some(&(_, value)) => {
                                let value = terms.substitute(&[value], &map)[0];
                                updates.insert(symbol, value);
                            }
                            None => inputs.push(symbol),
                        }
                    }
                }
            }
        }
        let own_inputs = edge.inputs.len();
        let to = Self::place(key.template, edge.to);
        let to = self.arrive(flow, terms, (key.slot, Some(key.values)), to, &updates);
        let born = edge.spawn.as_ref().zip(key.child).map(|(spawn, child)| {
            let entry = Self::place(spawn.template, flow.templates[spawn.template].entry);
            self.arrive(flow, terms, (child, None), entry, &updates)
        });
        Letter { key, to, born, guards, updates, inputs, own_inputs, failure, is_dead }
    }

    /// What the variables of a thread are in its slot.
    fn own_symbols(
        &mut self,
        flow: &Flow,
        terms: &mut Terms,
        key: Key,
        edge: &Edge,
    ) -> FxHashMap<TermId, TermId> {
        let template = &flow.templates[key.template];
        let mut map = FxHashMap::default();
        let own = flow.variables.iter().filter(|(_, variable)| variable.owner == Some(key.template));
        let own: Vec<(VariableId, TermId)> = own.map(|(id, variable)| (id, variable.now)).collect();
        let values = self.values[key.values.index()].clone();
        for (id, now) in own {
            let symbol = self.symbol(flow, terms, key.slot, id);
            let symbol = if id == template.identity {
                terms.bits(key.slot as u128, 32)
            } else {
                values.iter().find(|(variable, _)| *variable == id).map_or(symbol, |(_, value)| *value)
            };
            map.insert(now, symbol);
        }
        if let (Some(spawn), Some(child)) = (&edge.spawn, key.child) {
            let number = terms.bits(child as u128, terms.width(spawn.id));
            map.insert(spawn.id, number);
        }
        map
    }
}

/// That a thread's id is that of a slot.
pub(crate) fn is_slot(terms: &mut Terms, thread: TermId, slot: usize) -> TermId {
    let number = terms.bits(slot as u128, terms.width(thread));
    terms.eq(thread, number)
}

/// Takes conjunctions apart; each part once, and those that are true not at all.
pub(crate) fn conjuncts(terms: &Terms, mut open: Vec<TermId>) -> Vec<TermId> {
    open.reverse();
    let mut found: Vec<TermId> = Vec::new();
    while let Some(part) = open.pop() {
        if let Term::And(a, b) = terms[part] {
            open.extend([b, a]);
        } else if terms.as_bool(part) != Some(true) && !found.contains(&part) {
            found.push(part);
        }
    }
    found
}
