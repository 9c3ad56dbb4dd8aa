//! Which locations can be reached from which, by the edges of a template alone.

use std::collections::BTreeSet;

use raddle_base::Id;
use raddle_flow::{Flow, LocationId, LocationKind, Template, TemplateId};

use super::program::Program;

/// The locations that some of `starts` lead to by one edge or more, without the edges that are left out.
pub(super) fn reached(
    template: &Template,
    starts: &[LocationId],
    is_left_out: impl Fn(usize) -> bool,
) -> BTreeSet<LocationId> {
    let mut leaving: Vec<Vec<LocationId>> = vec![Vec::new(); template.locations.len()];
    for (index, edge) in template.edges.iter().enumerate() {
        if !is_left_out(index) {
            leaving[edge.from.index()].push(edge.to);
        }
    }
    let mut found = BTreeSet::new();
    let mut stack = starts.to_vec();
    while let Some(location) = stack.pop() {
        stack.extend(leaving[location.index()].iter().filter(|to| found.insert(**to)));
    }
    found
}

/// Whether threads that stand there matter: where a check has failed nothing is left to show.
pub(super) fn is_place(template: &Template, location: LocationId) -> bool {
    match template.locations[location].kind {
        LocationKind::Step(_) | LocationKind::Ended | LocationKind::Stuck => true,
        LocationKind::Failed(_) => false,
    }
}

/// Where threads of a template can stand: its entry and what it leads to.
pub(super) fn places(template: &Template) -> BTreeSet<LocationId> {
    let mut found = reached(template, &[template.entry], |_| false);
    found.insert(template.entry);
    found.retain(|location| is_place(template, *location));
    found
}

/// Where the main thread stands before any other thread exists: nobody else sees what it does there. Other
/// templates have no such locations.
pub(super) fn alone(program: &Program<'_>, template: TemplateId) -> BTreeSet<LocationId> {
    if Some(template) != program.templates.ids().next() {
        return BTreeSet::new();
    }
    before_threads(&program.templates[template])
}

/// The locations of the main thread that no edge that starts a thread leads to.
fn before_threads(template: &Template) -> BTreeSet<LocationId> {
    let started: Vec<LocationId> =
        template.edges.iter().filter(|edge| edge.spawn.is_some()).map(|edge| edge.to).collect();
    let mut after = reached(template, &started, |_| false);
    after.extend(started);
    template.locations.ids().filter(|location| !after.contains(location)).collect()
}

/// Whether the main thread stands there before any other thread exists.
pub(super) fn is_before_threads(flow: &Flow, location: LocationId) -> bool {
    flow.templates.values().next().is_some_and(|main| before_threads(main).contains(&location))
}
