//! Which thread a join waits for.
//!
//! Where a template has one thread at most, its handle is a number that goes from where the thread is started to where it is joined: through variables
//! of the thread that started it, perhaps with a constant added. That is followed along the edges of the template that does both. Shared
//! variables are followed as well if no other template writes them.
//!
//! Direction of error: none that counts. The certificate says which variables hold handles; the checker shows it.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::Table;
use raddle_flow::{Edge, Existing, Flow, LocationId, TemplateId, VariableId};
use raddle_logic::term::{Term, TermId};
use rustc_hash::FxHashMap;

/// The id of the only thread of a template, and a number that is added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle {
    /// Whose id.
    pub of: TemplateId,
    /// What is added, as a number of the variable's width.
    pub added: u128,
}

/// What variables hold handles at a location.
pub(crate) type Handles = BTreeMap<VariableId, Handle>;

/// The handles of all locations, and who is joined.
#[derive(Debug, Default)]
pub(crate) struct Joins {
    handles: BTreeMap<(TemplateId, LocationId), Handles>,
    joined: BTreeMap<(TemplateId, usize), TemplateId>,
    /// Inputs of edges that say whether a thread exists that does.
    exist: BTreeMap<(TemplateId, usize), Vec<TermId>>,
}

/// How deep terms are looked into.
const DEEPEST: u32 = 40;

impl Joins {
    /// Of a program.
    pub(crate) fn new(flow: &Flow) -> Self {
        let mut joins = Self::default();
        if !flow.templates.values().any(|template| template.edges.iter().any(|edge| edge.joins.is_some())) {
            return joins;
        }
        let search = Search::new(flow);
        for id in flow.templates.ids() {
            joins.follow(&search, id);
        }
        joins
    }

    /// What variables hold handles at a location.
    pub(crate) fn handles(&self, at: (TemplateId, LocationId)) -> impl Iterator<Item = (VariableId, Handle)> {
        self.handles.get(&at).into_iter().flatten().map(|(&variable, &handle)| (variable, handle))
    }

    /// The template whose only thread has ended behind an edge, because the edge waits for it.
    pub(crate) fn joined(&self, template: TemplateId, edge: usize) -> Option<TemplateId> {
        self.joined.get(&(template, edge)).copied()
    }

    /// Inputs of an edge that are true: they say that a thread exists that was started before.
    pub(crate) fn exist(&self, template: TemplateId, edge: usize) -> &[TermId] {
        self.exist.get(&(template, edge)).map_or(&[], Vec::as_slice)
    }

    /// What the threads of a template know at its locations: less and less, until it is so.
    fn follow(&mut self, search: &Search<'_>, id: TemplateId) {
        let template = &search.flow.templates[id];
        let mut known: BTreeMap<LocationId, Handles> = BTreeMap::from([(template.entry, Handles::new())]);
        let mut open = vec![template.entry];
        while let Some(location) = open.pop() {
            for edge in template.edges.iter().filter(|edge| edge.from == location) {
                let after = search.after(id, edge, &known[&location]);
                let joined = match known.get(&edge.to) {
                    None => after,
                    Some(old) => {
                        let same =
                            |(variable, handle): &(&VariableId, &Handle)| after.get(variable) == Some(handle);
                        old.iter().filter(same).map(|(&variable, &handle)| (variable, handle)).collect()
                    }
                };
                if known.get(&edge.to) != Some(&joined) {
                    known.insert(edge.to, joined);
                    open.push(edge.to);
                }
            }
        }
        for (index, edge) in template.edges.iter().enumerate() {
            let handle = edge.joins.zip(known.get(&edge.from));
            let handle = handle.and_then(|(term, before)| search.value(term, edge, before, DEEPEST));
            if let Some(Handle { of, added: 0 }) = handle {
                self.joined.insert((id, index), of);
            }
            let Some(before) = known.get(&edge.from) else { continue };
            for &Existing { holds: exists, thread, .. } in &edge.existing {
                let handle = search.value(thread, edge, before, DEEPEST);
                if handle.is_some_and(|handle| handle.added == 0) {
                    self.exist.entry((id, index)).or_default().push(exists);
                }
            }
        }
        self.handles.extend(known.into_iter().map(|(location, handles)| ((id, location), handles)));
    }
}

struct Search<'f> {
    flow: &'f Flow,
    symbols: FxHashMap<TermId, VariableId>,
    /// The only template that writes a shared variable; none if several do.
    writers: BTreeMap<VariableId, Option<TemplateId>>,
}

impl<'f> Search<'f> {
    fn new(flow: &'f Flow) -> Self {
        let mut writers: BTreeMap<VariableId, Option<TemplateId>> = BTreeMap::new();
        for (id, template) in flow.templates.iter() {
            for &(variable, _) in template.edges.iter().flat_map(|edge| &edge.updates) {
                let writer = writers.entry(variable).or_insert(Some(id));
                if *writer != Some(id) || !template.is_single {
                    *writer = None;
                }
            }
        }
        let symbols = flow.variables.iter().map(|(id, variable)| (variable.now, id)).collect();
        Self { flow, symbols, writers }
    }

    /// Whether what a thread of a template writes to a variable stays there.
    fn is_kept(&self, template: TemplateId, variable: VariableId) -> bool {
        match self.flow.variables[variable].owner {
            Some(owner) => owner == template,
            None => self.writers.get(&variable) == Some(&Some(template)),
        }
    }

    fn after(&self, template: TemplateId, edge: &Edge, before: &Handles) -> Handles {
        let mut after = before.clone();
        for &(variable, value) in &edge.updates {
            match self.value(value, edge, before, DEEPEST) {
                Some(handle) if self.is_kept(template, variable) => after.insert(variable, handle),
                Some(_) | None => after.remove(&variable),
            };
        }
        after
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what is not followed is no handle")]
    fn value(&self, term: TermId, edge: &Edge, before: &Handles, deep: u32) -> Option<Handle> {
        let deep = deep.checked_sub(1)?;
        let terms = &self.flow.terms;
        let low = |added: u128, width: u32| if width >= 128 { added } else { added & ((1 << width) - 1) };
        match terms[term] {
            Term::Symbol(_) => {
                let started = edge.spawn.as_ref().filter(|spawn| spawn.id == term);
                if let Some(spawn) = started {
                    let is_single = self.flow.templates[spawn.template].is_single;
                    return is_single.then_some(Handle { of: spawn.template, added: 0 });
                }
                before.get(self.symbols.get(&term)?).copied()
            }
            Term::Add(a, b) => {
                let (constant, rest) = match (terms.as_bits(a), terms.as_bits(b)) {
                    (Some(constant), None) => (constant, b),
                    (None, Some(constant)) => (constant, a),
                    (Some(_), Some(_)) | (None, None) => return None,
                };
                let Handle { of, added } = self.value(rest, edge, before, deep)?;
                Some(Handle { of, added: low(added.wrapping_add(constant), terms.width(term)) })
            }
            Term::Concat(high, rest) if terms.as_bits(high) == Some(0) => {
                self.value(rest, edge, before, deep).filter(|handle| handle.added == 0)
            }
            Term::Extract { low: 0, of, .. } => {
                let handle = self.value(of, edge, before, deep)?;
                Some(Handle { added: low(handle.added, terms.width(term)), ..handle })
            }
            _ => None,
        }
    }
}

/// The largest ids of the threads of templates that have one thread at most, where only threads of such templates can have been started before: all
/// threads are, or the main thread alone starts it.
pub(crate) fn most_ids(flow: &Flow) -> Table<TemplateId, Option<i128>> {
    let mut most: Table<TemplateId, Option<i128>> = Table::filled(flow.templates.len(), || None);
    let Some((main, entry)) = flow.templates.iter().next().map(|(id, template)| (id, template.entry)) else {
        return most;
    };
    let beside = beside_main(flow, main, entry);
    let is_single = |template: &TemplateId| flow.templates[*template].is_single;
    let all = flow.templates.ids().all(|template| is_single(&template));
    for (template, most) in most.iter_mut().filter(|(template, _)| *template != main && is_single(template)) {
        let before = |edge: &Edge| {
            let others = beside.get(&edge.from).into_iter().flatten().filter(|other| **other != template);
            let others: Vec<TemplateId> = others.copied().collect();
            others.iter().all(is_single).then_some(others.len())
        };
        let starts = |edge: &&Edge| edge.spawn.as_ref().is_some_and(|spawn| spawn.template == template);
        let known: Option<Vec<usize>> =
            flow.templates[main].edges.iter().filter(starts).map(before).collect();
        let by_main = flow.templates[template].started_at.iter().all(|(by, _)| *by == main);
        let count = known.filter(|_| by_main).and_then(|known| known.into_iter().max());
        let count = count.or(all.then(|| flow.templates.len() - 2));
        *most = count.and_then(|count| i128::try_from(count + 1).ok());
    }
    most
}

/// The templates of which a thread may have been started, by where the main thread stands.
fn beside_main(
    flow: &Flow,
    main: TemplateId,
    entry: LocationId,
) -> BTreeMap<LocationId, BTreeSet<TemplateId>> {
    let mut beside = BTreeMap::from([(entry, BTreeSet::new())]);
    let mut open = vec![entry];
    while let Some(from) = open.pop() {
        for edge in flow.templates[main].edges.iter().filter(|edge| edge.from == from) {
            let mut after: BTreeSet<TemplateId> = beside[&from].clone();
            after.extend(edge.spawn.as_ref().map(|spawn| spawn.template));
            // Whoever is started may start others at once.
            while let Some(more) = (flow.templates.iter()).find(|(id, it)| {
                !after.contains(id) && it.started_at.iter().any(|(by, _)| after.contains(by))
            }) {
                after.insert(more.0);
            }
            let known = beside.get(&edge.to);
            if known.is_none_or(|known| !after.is_subset(known)) {
                after.extend(known.into_iter().flatten());
                beside.insert(edge.to, after);
                open.push(edge.to);
            }
        }
    }
    beside
}
