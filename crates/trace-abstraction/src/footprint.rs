//! What steps read and write that others may see, and what a thread may still do.
//!
//! Direction of error: a footprint may have more than its step touches, never less.

use fixedbitset::FixedBitSet;
use raddle_base::{Id as _, Table};
use raddle_flow::{Edge, Flow, LocationId, LocationKind, Storage, TemplateId, VariableId};
use raddle_logic::term::{TermId, Terms};
use rustc_hash::FxHashMap;

/// What is read and written: shared variables by their numbers, then memory that no variable stands for, then the number of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Footprint {
    pub reads: FixedBitSet,
    pub writes: FixedBitSet,
}

impl Footprint {
    fn new(resources: usize) -> Self {
        Self { reads: FixedBitSet::with_capacity(resources), writes: FixedBitSet::with_capacity(resources) }
    }

    /// Whether the order of the two can matter.
    pub(crate) fn conflicts(&self, other: &Self) -> bool {
        !self.writes.is_disjoint(&other.writes)
            || !self.writes.is_disjoint(&other.reads)
            || !self.reads.is_disjoint(&other.writes)
    }

    /// Whether it now has more.
    fn add(&mut self, other: &Self) -> bool {
        let is_more = !other.reads.is_subset(&self.reads) || !other.writes.is_subset(&self.writes);
        self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes);
        is_more
    }
}

/// What a thread and those that it starts may do from a location on.
#[derive(Clone, Debug)]
pub(crate) struct Future {
    pub touches: Footprint,
    /// Whether one of them may come to an error.
    pub fails: bool,
    /// Whether one of them may start a thread.
    pub starts: bool,
}

/// What all edges touch, and what may follow all locations.
#[derive(Debug)]
pub(crate) struct Footprints {
    /// By template and edge.
    pub edges: Vec<Vec<Footprint>>,
    /// By template and location.
    pub futures: Table<TemplateId, Table<LocationId, Future>>,
}

/// The symbols in terms, ascending.
pub(crate) fn symbols_of(terms: &Terms, roots: &[TermId]) -> Vec<TermId> {
    let mut seen = rustc_hash::FxHashSet::default();
    let (mut stack, mut found) = (roots.to_vec(), Vec::new());
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            if terms.as_symbol(term).is_some() {
                found.push(term);
            }
            stack.extend(terms[term].children());
        }
    }
    found.sort_unstable();
    found
}

impl Footprints {
    /// `starts_fail`: to start a thread may be an error.
    pub(crate) fn new(flow: &Flow, terms: &Terms, starts_fail: bool) -> Self {
        let by_symbol = flow.variables.iter().map(|(id, variable)| (variable.now, id)).collect();
        let edges: Vec<Vec<Footprint>> = flow
            .templates
            .values()
            .map(|template| {
                template.edges.iter().map(|edge| of_edge(flow, terms, edge, &by_symbol)).collect()
            })
            .collect();
        let futures = futures(flow, &edges, starts_fail);
        Self { edges, futures }
    }
}

/// What one edge touches.
fn of_edge(flow: &Flow, terms: &Terms, edge: &Edge, by_symbol: &FxHashMap<TermId, VariableId>) -> Footprint {
    let (memory, threads) = (flow.variables.len(), flow.variables.len() + 1);
    let mut found = Footprint::new(flow.variables.len() + 2);
    let mut roots = edge.guards.clone();
    roots.extend(edge.updates.iter().map(|(_, value)| *value));
    roots.extend(edge.joins);
    roots.extend(edge.spawn.iter().flat_map(|spawn| spawn.values.iter().map(|(_, value)| *value)));
    let is_shared = |id: VariableId| flow.variables[id].owner.is_none();
    for symbol in symbols_of(terms, &roots) {
        if let Some(&variable) = by_symbol.get(&symbol)
            && is_shared(variable)
        {
            found.reads.insert(variable.index());
        }
    }
    for &(variable, _) in edge.updates.iter().filter(|(variable, _)| is_shared(*variable)) {
        found.writes.insert(variable.index());
    }
    let is_array = |index: usize| {
        matches!(flow.variables[VariableId::from_index(index)].storage, Storage::Elements { .. })
    };
    let has_array = found.reads.ones().chain(found.writes.ones()).any(is_array);
    for access in edge.accesses.iter().filter(|access| access.variable.is_none() && !has_array) {
        if access.writes {
            found.writes.insert(memory);
        } else {
            found.reads.insert(memory);
        }
    }
    if !edge.existing.is_empty() {
        found.reads.insert(threads);
    }
    if edge.spawn.is_some() {
        found.writes.insert(threads);
    }
    found
}

/// What may follow each location: the least solution.
fn futures(
    flow: &Flow,
    edges: &[Vec<Footprint>],
    starts_fail: bool,
) -> Table<TemplateId, Table<LocationId, Future>> {
    let nothing =
        || Future { touches: Footprint::new(flow.variables.len() + 2), fails: false, starts: false };
    let mut futures: Table<TemplateId, Table<LocationId, Future>> = Table::new();
    for template in flow.templates.values() {
        futures.push(Table::filled(template.locations.len(), nothing));
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (id, template) in flow.templates.iter() {
            for (index, edge) in template.edges.iter().enumerate().rev() {
                let is_failure = matches!(template.locations[edge.to].kind, LocationKind::Failed(_));
                let after = futures[id][edge.to].clone();
                let child = edge
                    .spawn
                    .as_ref()
                    .map(|spawn| futures[spawn.template][flow.templates[spawn.template].entry].clone());
                let future = &mut futures[id][edge.from];
                changed |= future.touches.add(&edges[id.index()][index]);
                let starts = edge.spawn.is_some();
                let fails = is_failure || starts && starts_fail;
                for part in std::iter::once(&after).chain(&child) {
                    changed |= future.touches.add(&part.touches);
                }
                let others = || std::iter::once(&after).chain(&child);
                let (fails, starts) =
                    (fails || others().any(|part| part.fails), starts || others().any(|part| part.starts));
                changed |= fails && !future.fails || starts && !future.starts;
                future.fails |= fails;
                future.starts |= starts;
            }
        }
    }
    futures
}
