//! From the paths of the last round to a flow: variables, what is read later, cycles.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use raddle_base::{Id as _, Table};
use raddle_logic::term::{TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::build::{Builder, Place};
use crate::knowledge::{Known, Slot};
use crate::model::{
    Access, Edge, Flow, Location, LocationId, LocationKind, Spawn, Storage, Template, TemplateId, VariableId,
};
use crate::state::{RawEdge, Target};

/// Which places can come back to themselves.
#[derive(Debug)]
pub(crate) struct Components {
    of: FxHashMap<Place, usize>,
}

impl Components {
    /// Whether a step is part of a cycle.
    pub(crate) fn is_on_cycle(&self, from: &Place, to: &Target) -> bool {
        let Target::Step(point) = to else { return false };
        let to = (from.0, point.clone());
        self.of.contains_key(from) && self.of.get(from) == self.of.get(&to)
    }
}

/// Strongly connected components (Tarjan 1972), without recursion.
pub(crate) fn components(edges: &IndexMap<Place, Vec<RawEdge>>) -> Components {
    let successors: Vec<Vec<usize>> = edges
        .iter()
        .map(|(place, edges)| {
            let to = |edge: &RawEdge| match &edge.to {
                Target::Step(point) => Some((place.0, point.clone())),
                Target::Ended | Target::Stuck | Target::Failed(_) => None,
            };
            let targets: BTreeSet<Place> = edges.iter().filter_map(to).collect();
            targets.into_iter().collect::<Vec<Place>>()
        })
        .map(|list| list.iter().filter_map(|place| edges.get_index_of(place)).collect())
        .collect();
    let count = successors.len();
    let (mut order, mut low) = (vec![usize::MAX; count], vec![0; count]);
    let (mut component, mut stack) = (vec![usize::MAX; count], Vec::new());
    let (mut next, mut found) = (0, 0);
    for root in 0..count {
        if order[root] != usize::MAX {
            continue;
        }
        let mut work = vec![(root, 0)];
        while let Some((node, child)) = work.pop() {
            if order[node] == usize::MAX {
                (order[node], low[node]) = (next, next);
                next += 1;
                stack.push(node);
            }
            if let Some(&to) = successors[node].get(child) {
                work.push((node, child + 1));
                if order[to] == usize::MAX {
                    work.push((to, 0));
                } else if component[to] == usize::MAX {
                    low[node] = low[node].min(order[to]);
                }
                continue;
            }
            if low[node] == order[node] {
                while let Some(member) = stack.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
            if let Some(&(parent, _)) = work.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    let of = edges.keys().cloned().zip(component).collect();
    Components { of }
}

/// The flow of what the last round found.
pub(crate) fn finish(mut builder: Builder<'_>) -> Flow {
    let components = components(&builder.edges);
    let edges = std::mem::take(&mut builder.edges);
    let mut templates: Table<TemplateId, Template> = Table::new();
    for index in 0..builder.knowledge.templates.len() {
        let template = one_template(&mut builder, TemplateId::from_index(index), &edges, &components);
        templates.push(template);
    }
    let mut initial = Vec::new();
    let shared: Vec<(VariableId, Storage)> = builder
        .variables
        .iter()
        .filter(|(_, variable)| variable.owner.is_none())
        .map(|(id, variable)| (id, variable.storage.clone()))
        .collect();
    for (id, storage) in shared {
        if let Some(value) = initial_value(&mut builder, &storage) {
            initial.push((id, value));
        }
    }
    let written = &builder.knowledge.written;
    let frozen: Vec<_> = builder.frozen.iter().copied().filter(|cell| !written.contains(cell)).collect();
    let constants = frozen
        .into_iter()
        .map(|cell| {
            let storage = builder.slot_storage(&Slot::Cell(cell));
            (storage, builder.initial(cell))
        })
        .collect();
    let addresses = builder.knowledge.objects.addresses();
    let mut flow = Flow {
        addresses,
        terms: builder.terms,
        variables: builder.variables,
        templates,
        checks: builder.checks,
        initial,
        constants,
        pointer_bits: u32::from(builder.program.pointer_bits),
    };
    find_live(&mut flow);
    drop_unused(&mut flow);
    flow
}

fn initial_value(builder: &mut Builder<'_>, storage: &Storage) -> Option<TermId> {
    let object_id = |object: &crate::model::Object| match object {
        crate::model::Object::Global(global) => Some(crate::objects::Objects::global(*global)),
        crate::model::Object::Made { .. } | crate::model::Object::Life(_) => None,
    };
    let value = match storage {
        Storage::Cell { object: crate::model::Object::Life(_), .. } => builder.terms.bits(0, 8),
        Storage::Cell { object, offset, bytes } => {
            let cell = crate::knowledge::Cell { object: object_id(object)?, offset: *offset, bytes: *bytes };
            builder.initial(cell)
        }
        Storage::Elements { object, stride, field, bytes, .. } => {
            builder.initial_array(object_id(object)?, (*field, *stride, *bytes))
        }
        Storage::Register { .. } | Storage::Identity => return None,
    };
    builder.terms.as_symbol(value).is_none().then_some(value)
}

/// One template with its locations and steps.
fn one_template(
    builder: &mut Builder<'_>,
    id: TemplateId,
    edges: &IndexMap<Place, Vec<RawEdge>>,
    components: &Components,
) -> Template {
    let known = builder.knowledge.templates[id.index()].clone();
    let mut locations: Table<LocationId, Location> = Table::new();
    let mut by_point = FxHashMap::default();
    let mut ends: Vec<(LocationKind, LocationId)> = Vec::new();
    let entry_point = builder.entry_point(id);
    for (point, slots) in &known.locations {
        let mut constants = Vec::new();
        for (slot, value) in slots {
            if let Known::Constant(value, sort) = *value {
                let term = builder.constant_of(value, sort);
                constants.push((builder.slot_storage(slot), term));
            }
        }
        let place = (id, point.clone());
        let steps = edges.get(&place).map_or(&[][..], Vec::as_slice);
        let is_on_cycle = steps.iter().any(|edge| components.is_on_cycle(&place, &edge.to));
        let kind = LocationKind::Step(point.clone());
        let location = locations.push(Location { kind, live: Vec::new(), constants, is_on_cycle });
        by_point.insert(point.clone(), location);
    }
    let entry = by_point.get(&entry_point).copied().unwrap_or_else(|| {
        let kind = LocationKind::Step(entry_point.clone());
        locations.push(Location { kind, live: Vec::new(), constants: Vec::new(), is_on_cycle: false })
    });
    let mut steps = Vec::new();
    for point in known.locations.keys() {
        let from = by_point[point];
        for raw in edges.get(&(id, point.clone())).into_iter().flatten() {
            let kind = match &raw.to {
                Target::Step(_) => None,
                Target::Ended => Some(LocationKind::Ended),
                Target::Stuck => Some(LocationKind::Stuck),
                Target::Failed(check) => Some(LocationKind::Failed(*check)),
            };
            let to = match (&raw.to, kind) {
                (Target::Step(point), _) => by_point[point],
                (_, Some(kind)) => {
                    let known = ends.iter().find(|(other, _)| *other == kind).map(|(_, id)| *id);
                    known.unwrap_or_else(|| {
                        let location = Location {
                            kind: kind.clone(),
                            live: Vec::new(),
                            constants: Vec::new(),
                            is_on_cycle: false,
                        };
                        let id = locations.push(location);
                        ends.push((kind, id));
                        id
                    })
                }
                (_, None) => continue,
            };
            steps.push(one_edge(builder, id, raw, (from, to)));
        }
    }
    let identity = builder.identity(id);
    let function = known.function.expect("a template has a function");
    let started_at = known.starts.iter().cloned().collect();
    Template { function, started_at, is_single: !known.is_several, locations, entry, edges: steps, identity }
}

/// One step.
fn one_edge(
    builder: &mut Builder<'_>,
    id: TemplateId,
    raw: &RawEdge,
    (from, to): (LocationId, LocationId),
) -> Edge {
    builder.current = id;
    let state = &raw.state;
    let mut updates = Vec::new();
    for (&cell, &value) in &state.cells {
        let is_followed = builder.knowledge.extents.get(&cell.object).and_then(|list| list.get(&cell.offset))
            == Some(&cell.bytes)
            && !builder.knowledge.summaries.contains(&cell.object)
            && !builder.knowledge.indexed.contains_key(&cell.object);
        if builder.knowledge.is_shared(cell.object) && is_followed && builder.cell_before(cell) != value {
            updates.push((builder.cell_variable(None, cell), value));
        }
    }
    for (&(object, field), &value) in &state.arrays {
        let Some(crate::knowledge::Indexed::Elements { stride, fields }) =
            builder.knowledge.indexed.get(&object).cloned()
        else {
            continue;
        };
        let Some(&bytes) = fields.get(&field) else { continue };
        let cell = crate::knowledge::Cell { object, offset: field, bytes };
        if builder.is_global(object) && !builder.knowledge.written.contains(&cell) {
            continue;
        }
        let variable = builder.array_variable(object, (field, stride, bytes));
        if builder.variables[variable].now != value {
            updates.push((variable, value));
        }
    }
    if let Target::Step(point) = &raw.to {
        updates.extend(own_values(builder, id, point, &raw.arrives));
        updates.retain(|(variable, value)| builder.variables[*variable].now != *value);
    }
    let spawn = state.spawn.as_ref().map(|spawn| {
        let entry = builder.entry_point(spawn.template);
        let values = own_values(builder, spawn.template, &entry, &raw.child);
        Spawn { template: spawn.template, point: spawn.point.clone(), id: spawn.id, values }
    });
    let accesses = state
        .accesses
        .iter()
        .map(|access| Access {
            variable: access.variable,
            address: access.address,
            bytes: access.bytes,
            writes: access.writes,
            is_atomic: access.is_atomic,
            site: access.site,
        })
        .collect();
    let (path, first) = state.path();
    let mut edge = Edge {
        from,
        to,
        guards: state.guards.clone(),
        updates,
        inputs: Vec::new(),
        waits: state.waits,
        spawn,
        joins: state.joins,
        accesses,
        path,
        havocs: state.havocs.clone(),
        existing: state.existing.clone(),
        span: state.span.unwrap_or(first),
    };
    let spoken = symbols_of(&builder.terms, &terms_of(&edge));
    edge.existing.retain(|existing| spoken.binary_search(&existing.holds).is_ok());
    let symbols = symbols_of(&builder.terms, &terms_of(&edge));
    edge.inputs = symbols.into_iter().filter(|symbol| !builder.symbols.contains_key(symbol)).collect();
    edge
}

/// The values of a thread's own that are variables at a point.
fn own_values(
    builder: &mut Builder<'_>,
    template: TemplateId,
    point: &raddle_ir::Point,
    values: &[(Slot, TermId)],
) -> Vec<(VariableId, TermId)> {
    let mut list = Vec::new();
    for (slot, value) in values {
        let known = builder.knowledge.templates[template.index()].locations.get(point);
        if let Some(&Known::Varies(sort)) = known.and_then(|known| known.get(slot)) {
            list.push((builder.slot_variable(template, slot, sort), *value));
        }
    }
    list
}

/// All terms of a step.
fn terms_of(edge: &Edge) -> Vec<TermId> {
    let mut list = edge.guards.clone();
    list.extend(edge.updates.iter().map(|(_, value)| *value));
    list.extend(edge.joins);
    list.extend(edge.existing.iter().map(|existing| existing.thread));
    if let Some(spawn) = &edge.spawn {
        list.push(spawn.id);
        list.extend(spawn.values.iter().map(|(_, value)| *value));
    }
    list.extend(edge.accesses.iter().map(|access| access.address));
    list
}

/// The symbols in terms, ascending.
fn symbols_of(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let (mut seen, mut stack) = (FxHashSet::default(), roots.to_vec());
    let mut found = BTreeSet::new();
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if terms.as_symbol(term).is_some() {
                found.insert(term);
            }
            stack.extend(terms[term].children());
        }
    }
    found.into_iter().collect()
}

/// The own variables that a step reads whatever comes later, and those that it reads to update another one.
type Reads = (Vec<VariableId>, Vec<(VariableId, Vec<VariableId>)>);

/// Which of the thread's own variables may be read from each location on; what is not read is not kept.
fn find_live(flow: &mut Flow) {
    let by_symbol: FxHashMap<TermId, VariableId> =
        flow.variables.iter().map(|(id, variable)| (variable.now, id)).collect();
    let owner = |id: VariableId| flow.variables[id].owner;
    let mut entries: BTreeMap<TemplateId, BTreeSet<VariableId>> = BTreeMap::new();
    for (id, template) in flow.templates.iter_mut() {
        let read = |terms: &[TermId]| -> Vec<VariableId> {
            let symbols = symbols_of(&flow.terms, terms);
            let own = symbols.into_iter().filter_map(|symbol| by_symbol.get(&symbol).copied());
            own.filter(|variable| owner(*variable) == Some(id)).collect()
        };
        // What a step reads whatever comes later, and what only for another variable.
        let reads: Vec<Reads> = template
            .edges
            .iter()
            .map(|edge| {
                let mut always = edge.guards.clone();
                always.extend(edge.joins);
                always.extend(edge.existing.iter().map(|existing| existing.thread));
                always.extend(edge.accesses.iter().map(|access| access.address));
                if let Some(spawn) = &edge.spawn {
                    always.extend(spawn.values.iter().map(|(_, value)| *value));
                }
                let (own, shared): (Vec<_>, Vec<_>) =
                    edge.updates.iter().partition(|(variable, _)| owner(*variable) == Some(id));
                always.extend(shared.iter().map(|(_, value)| *value));
                let own = own.into_iter().map(|(variable, value)| (variable, read(&[value]))).collect();
                (read(&always), own)
            })
            .collect();
        let mut live: Table<LocationId, BTreeSet<VariableId>> =
            Table::filled(template.locations.len(), BTreeSet::new);
        let mut changed = true;
        while changed {
            changed = false;
            for (edge, (always, own)) in template.edges.iter().zip(&reads).rev() {
                let mut needed: BTreeSet<VariableId> = live[edge.to].clone();
                for (variable, _) in own {
                    needed.remove(variable);
                }
                for (variable, reads) in own {
                    if live[edge.to].contains(variable) {
                        needed.extend(reads.iter().copied());
                    }
                }
                needed.extend(always.iter().copied());
                let before = live[edge.from].len();
                live[edge.from].extend(needed);
                changed |= live[edge.from].len() > before;
            }
        }
        for edge in &mut template.edges {
            edge.updates
                .retain(|(variable, _)| owner(*variable).is_none() || live[edge.to].contains(variable));
        }
        entries.insert(id, live[template.entry].clone());
        for (location, known) in template.locations.iter_mut() {
            known.live = live[location].iter().copied().collect();
        }
    }
    for (_, template) in flow.templates.iter_mut() {
        for edge in &mut template.edges {
            if let Some(spawn) = &mut edge.spawn {
                let live = &entries[&spawn.template];
                spawn.values.retain(|(variable, _)| live.contains(variable));
            }
            let symbols = symbols_of(&flow.terms, &terms_of(edge));
            edge.inputs = symbols.into_iter().filter(|symbol| !by_symbol.contains_key(symbol)).collect();
        }
    }
}

/// Variables that nothing speaks of get no id.
fn drop_unused(flow: &mut Flow) {
    let by_symbol: FxHashMap<TermId, VariableId> =
        flow.variables.iter().map(|(id, variable)| (variable.now, id)).collect();
    let mut used: BTreeSet<VariableId> = BTreeSet::new();
    for template in flow.templates.values() {
        used.insert(template.identity);
        used.extend(template.locations.values().flat_map(|location| location.live.iter().copied()));
        for edge in &template.edges {
            used.extend(edge.updates.iter().map(|(variable, _)| *variable));
            used.extend(edge.accesses.iter().filter_map(|access| access.variable));
            let symbols = symbols_of(&flow.terms, &terms_of(edge));
            used.extend(symbols.iter().filter_map(|symbol| by_symbol.get(symbol).copied()));
        }
    }
    let mut variables = Table::new();
    let mut renamed: FxHashMap<VariableId, VariableId> = FxHashMap::default();
    for (id, variable) in flow.variables.iter() {
        if used.contains(&id) {
            renamed.insert(id, variables.push(variable.clone()));
        }
    }
    flow.variables = variables;
    for (_, template) in flow.templates.iter_mut() {
        template.identity = renamed[&template.identity];
        for (_, location) in template.locations.iter_mut() {
            for variable in &mut location.live {
                *variable = renamed[variable];
            }
        }
        for edge in &mut template.edges {
            for (variable, _) in &mut edge.updates {
                *variable = renamed[variable];
            }
            for variable in edge.accesses.iter_mut().filter_map(|access| access.variable.as_mut()) {
                *variable = renamed[variable];
            }
            for (variable, _) in edge.spawn.iter_mut().flat_map(|spawn| spawn.values.iter_mut()) {
                *variable = renamed[variable];
            }
        }
    }
    flow.initial.retain(|(variable, _)| renamed.contains_key(variable));
    for (variable, _) in &mut flow.initial {
        *variable = renamed[variable];
    }
}
