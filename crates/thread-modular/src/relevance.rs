//! Which variables matter: a cone of influence.
//!
//! A variable matters if it may depend on it which steps can be made: it is in a guard, or a variable that matters gets its value from it. What
//! holds an address is left out: where objects lie has no meaning outside of the flow. Of what is left out nothing is known, so
//! that costs precision only.

use std::collections::{BTreeMap, BTreeSet};

use raddle_flow::{Flow, Pointee, Storage, VariableId};
use raddle_logic::term::{Term, TermId};
use rustc_hash::FxHashMap;

/// The variables that matter.
pub(crate) fn what_matters(flow: &Flow) -> BTreeSet<VariableId> {
    let by_symbol: FxHashMap<TermId, VariableId> =
        flow.variables.iter().map(|(id, variable)| (variable.now, id)).collect();
    let in_terms = |roots: &[TermId]| -> Vec<VariableId> {
        flow.terms.subterms(roots).iter().filter_map(|term| by_symbol.get(term).copied()).collect()
    };
    let edges = || flow.templates.values().flat_map(|template| template.edges.iter());
    let guards: Vec<TermId> = edges().flat_map(|edge| edge.guards.iter().copied()).collect();
    let mut written: FxHashMap<VariableId, Vec<TermId>> = FxHashMap::default();
    for edge in edges() {
        let spawned = edge.spawn.iter().flat_map(|spawn| spawn.values.iter());
        for &(variable, value) in edge.updates.iter().chain(spawned) {
            written.entry(variable).or_default().push(value);
        }
    }
    for &(variable, value) in &flow.initial {
        written.entry(variable).or_default().push(value);
    }
    let addresses = addresses(flow, &written, &in_terms);
    let mut found: BTreeSet<VariableId> =
        in_terms(&guards).into_iter().filter(|variable| !addresses.contains(variable)).collect();
    // Ids tell threads apart.
    found.extend(flow.templates.values().map(|template| template.identity));
    let mut open: Vec<VariableId> = found.iter().copied().collect();
    while let Some(variable) = open.pop() {
        let sources = written.get(&variable).map_or_else(Vec::new, |values| in_terms(values));
        let new = sources.into_iter().filter(|source| !addresses.contains(source) && found.insert(*source));
        open.extend(new.collect::<Vec<_>>());
    }
    found
}

/// Of the variables that matter those by which threads keep away from each other: what is accessed atomically, as locks are, and flags, which are
/// only given constants and copies. Other data is left out, and what is computed from it.
#[expect(clippy::wildcard_enum_match_arm, reason = "whatever else there is is computed")]
pub(crate) fn what_orders(flow: &Flow, matters: &BTreeSet<VariableId>) -> BTreeSet<VariableId> {
    let by_symbol: FxHashMap<TermId, VariableId> =
        flow.variables.iter().map(|(id, variable)| (variable.now, id)).collect();
    let edges = || flow.templates.values().flat_map(|template| template.edges.iter());
    let accesses = || edges().flat_map(|edge| edge.accesses.iter());
    let of = |is_atomic: bool| -> BTreeSet<VariableId> {
        accesses()
            .filter(|access| access.is_atomic == is_atomic)
            .filter_map(|access| access.variable)
            .collect()
    };
    let (plain, atomic) = (of(false), of(true));
    let updates = || edges().flat_map(|edge| edge.updates.iter());
    let is_data = |id: VariableId| plain.contains(&id) && !atomic.contains(&id);
    let read = |value: TermId| -> Vec<VariableId> {
        flow.terms.subterms(&[value]).iter().filter_map(|term| by_symbol.get(term).copied()).collect()
    };
    let is_computed = |variable: VariableId, value: TermId| match flow.terms[value] {
        Term::Bool(_) | Term::Bits { .. } => false,
        _ if by_symbol.contains_key(&value) => false,
        _ => is_data(variable) || read(value).into_iter().any(is_data),
    };
    let may_be_left = |id: VariableId| flow.variables[id].owner.is_some() || is_data(id);
    let mut left: BTreeSet<VariableId> = updates()
        .filter(|&&(variable, value)| may_be_left(variable) && is_computed(variable, value))
        .map(|(variable, _)| *variable)
        .collect();
    loop {
        let reads_left = |value: TermId| read(value).iter().any(|read| left.contains(read));
        let news: Vec<VariableId> = updates()
            .filter(|&&(id, value)| may_be_left(id) && !left.contains(&id) && reads_left(value))
            .map(|(variable, _)| *variable)
            .collect();
        if news.is_empty() {
            return matters.difference(&left).copied().collect();
        }
        left.extend(news);
    }
}

/// Reads ids as unsigned, and what is only computed from what is unsigned: which numbers bits stand for is a matter of reading, and sums
/// stay within the type longer if both sides are read in the same way. Of shared memory those words are read so that hold ids of threads: locks.
pub(crate) fn read_as_computed(flow: &mut Flow) {
    let identities: Vec<VariableId> = flow.templates.values().map(|template| template.identity).collect();
    for &identity in &identities {
        flow.variables[identity].signed = false;
    }
    for variable in compared_as_unsigned(flow) {
        flow.variables[variable].signed = false;
    }
    let by_symbol: FxHashMap<TermId, VariableId> =
        flow.variables.iter().map(|(id, variable)| (variable.now, id)).collect();
    let edges = || flow.templates.values().flat_map(|template| template.edges.iter());
    let started: Vec<TermId> = edges().filter_map(|edge| Some(edge.spawn.as_ref()?.id)).collect();
    // What each is computed from; an id of a thread that is started is like one of a thread that runs.
    let mut sources: BTreeMap<VariableId, BTreeSet<VariableId>> = BTreeMap::new();
    for &(variable, value) in edges().flat_map(|edge| edge.updates.iter()) {
        for term in flow.terms.subterms(&[value]) {
            let id = identities.first().filter(|_| started.contains(&term));
            let read = by_symbol.get(&term).or(id).filter(|read| **read != variable);
            sources.entry(variable).or_default().extend(read);
        }
    }
    loop {
        let is_news = |(variable, read): &(&VariableId, &BTreeSet<VariableId>)| {
            let variable = &flow.variables[**variable];
            let is_register = matches!(variable.storage, Storage::Register { .. });
            let holds_ids = read.iter().any(|id| identities.contains(id));
            let all = read.iter().all(|id| !flow.variables[*id].signed);
            variable.signed && !read.is_empty() && all && (is_register || holds_ids)
        };
        let news: Vec<VariableId> = sources.iter().filter(is_news).map(|(variable, _)| *variable).collect();
        if news.is_empty() {
            return;
        }
        news.into_iter().for_each(|id| flow.variables[id].signed = false);
    }
}

/// Registers that are compared as unsigned numbers and never as signed ones, they or what is computed from them.
#[expect(clippy::wildcard_enum_match_arm, reason = "whatever else there is compares nothing")]
fn compared_as_unsigned(flow: &Flow) -> BTreeSet<VariableId> {
    let by_symbol: FxHashMap<TermId, VariableId> =
        flow.variables.iter().map(|(id, variable)| (variable.now, id)).collect();
    let edges = || flow.templates.values().flat_map(|template| template.edges.iter());
    let (mut unsigned, mut signed) = (BTreeSet::new(), BTreeSet::new());
    let guards: Vec<TermId> = edges().flat_map(|edge| edge.guards.iter().copied()).collect();
    for term in flow.terms.subterms(&guards) {
        let (sides, list) = match flow.terms[term] {
            Term::Ult(a, b) => (vec![a, b], &mut unsigned),
            Term::Slt(a, b) => (vec![a, b], &mut signed),
            Term::SignExtend { of, .. } | Term::Extract { of, .. } => (vec![of], &mut signed),
            _ => continue,
        };
        let read = flow.terms.subterms(&sides).into_iter().filter_map(|term| by_symbol.get(&term).copied());
        list.extend(read);
    }
    let mut copies: Vec<(VariableId, VariableId)> = Vec::new();
    for &(copy, value) in edges().flat_map(|edge| edge.updates.iter()) {
        let read = flow.terms.subterms(&[value]).into_iter().filter_map(|term| by_symbol.get(&term));
        copies.extend(read.map(|of| (copy, *of)));
    }
    for list in [&mut unsigned, &mut signed] {
        loop {
            let news: Vec<VariableId> = copies
                .iter()
                .filter(|(copy, of)| list.contains(copy) && !list.contains(of))
                .map(|it| it.1)
                .collect();
            if news.is_empty() {
                break;
            }
            list.extend(news);
        }
    }
    let is_register = |id: &VariableId| matches!(flow.variables[*id].storage, Storage::Register { .. });
    unsigned.into_iter().filter(|id| !signed.contains(id) && is_register(id)).collect()
}

/// The variables that may hold an address.
fn addresses(
    flow: &Flow,
    written: &FxHashMap<VariableId, Vec<TermId>>,
    in_terms: &dyn Fn(&[TermId]) -> Vec<VariableId>,
) -> BTreeSet<VariableId> {
    let is_address = |value: &TermId| {
        let leads = |term| matches!(flow.pointee(term), Some(Pointee::Object(..) | Pointee::Function(_)));
        flow.terms.subterms(&[*value]).into_iter().any(leads)
    };
    let mut found: BTreeSet<VariableId> = flow
        .variables
        .ids()
        .filter(|variable| written.get(variable).is_some_and(|values| values.iter().any(is_address)))
        .collect();
    loop {
        let gets = |variable: &VariableId| {
            let values = written.get(variable).map_or(&[][..], |values| values);
            in_terms(values).iter().any(|source| found.contains(source))
        };
        let more: Vec<VariableId> =
            flow.variables.ids().filter(|variable| !found.contains(variable) && gets(variable)).collect();
        if more.is_empty() {
            return found;
        }
        found.extend(more);
    }
}
