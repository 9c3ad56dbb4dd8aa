//! Counters beside the contributions: threads that have passed a write, threads that were created, and threads that have ended.

use std::collections::{BTreeMap, BTreeSet};

use raddle_flow::{LocationId, LocationKind, Template, TemplateId, VariableId};

use super::Set;
use super::program::Program;
use super::shape::{alone, places, reached};
use super::writes::{Change, Writes};

/// More than this many counters of passed writes are of no help: the first ones are kept.
const MAX_PASSED: usize = 16;

/// For each write that is not a constant change of a variable with contributions (`is_counted`) and that a thread does at most
/// once: the threads that have done it.
pub(super) fn passed(
    program: &Program<'_>,
    writes: &BTreeMap<VariableId, Writes>,
    is_counted: impl Fn(VariableId) -> bool,
) -> Vec<Set> {
    // The paths of one instruction are many edges from one location.
    let mut groups: BTreeMap<(TemplateId, LocationId, VariableId), BTreeSet<usize>> = BTreeMap::new();
    for (&variable, writes) in writes.iter().filter(|(variable, _)| !is_counted(**variable)) {
        for (&(template, index), change) in &writes.changes {
            if *change != Change::By(0) {
                let from = program.templates[template].edges[index].from;
                groups.entry((template, from, variable)).or_default().insert(index);
            }
        }
    }
    let sets = groups.into_iter().filter_map(|((id, from, variable), edges)| {
        let template = &program.templates[id];
        let targets: Vec<LocationId> = edges.iter().map(|&index| template.edges[index].to).collect();
        if targets.contains(&from)
            || reached(template, &targets, |_| false).contains(&from)
            || alone(program, id).contains(&from)
        {
            return None;
        }
        let mut others = reached(template, &[template.entry], |index| edges.contains(&index));
        others.insert(template.entry);
        let members = places(template).difference(&others).map(|&location| (id, location)).collect();
        let words = format!("have written {} at {id} {from}", program.flow.variables[variable].name);
        Some(Set { members, words })
    });
    sets.take(MAX_PASSED).collect()
}

/// All threads of each template that starts any number of them, as long as something bounds the number.
pub(super) fn created(program: &Program<'_>) -> Vec<Set> {
    let many =
        program.templates.iter().filter(|(id, template)| !template.is_single && is_bounded(program, *id));
    many.map(|(id, template)| Set { members: all(id, template, |_| true), words: format!("run {id}") })
        .collect()
}

/// Whether a thread of the template is started under a guard, or on a cycle with a guard on variables.
fn is_bounded(program: &Program<'_>, started: TemplateId) -> bool {
    let now: BTreeSet<_> = program.flow.variables.values().map(|variable| variable.now).collect();
    let mentions = |guards: &[_]| program.flow.terms.subterms(guards).iter().any(|term| now.contains(term));
    program.templates.values().any(|template| {
        let starts = template
            .edges
            .iter()
            .filter(|edge| edge.spawn.as_ref().is_some_and(|spawn| spawn.template == started));
        starts.into_iter().any(|start| {
            let after = reached(template, &[start.from], |_| false);
            let is_on_cycle = |location: &LocationId| {
                after.contains(location) && reached(template, &[*location], |_| false).contains(&start.from)
            };
            let mut guarded =
                template.edges.iter().filter(|edge| mentions(&edge.guards)).map(|edge| edge.from);
            // Each thread of many starts one: they are as many as the others have made this step.
            let is_once_each = !template.is_single && !after.contains(&start.from);
            is_once_each || guarded.any(|location| is_on_cycle(&location))
        })
    })
}

/// Where threads may be waited for: those that have ended, and of templates with one thread also the one that has not.
pub(super) fn finished(program: &Program<'_>) -> Vec<Set> {
    let joins =
        program.templates.values().flat_map(|template| &template.edges).any(|edge| edge.joins.is_some());
    let mut sets = Vec::new();
    for (id, template) in program.templates.iter().skip(1).filter(|_| joins) {
        let is_ended = |location| match template.locations[location].kind {
            LocationKind::Ended => true,
            LocationKind::Step(_) | LocationKind::Stuck | LocationKind::Failed(_) => false,
        };
        sets.push(Set { members: all(id, template, is_ended), words: format!("have ended in {id}") });
        if template.is_single {
            let words = format!("have not ended in {id}");
            sets.push(Set { members: all(id, template, |location| !is_ended(location)), words });
        }
    }
    sets
}

/// All threads of each template that have not ended, and all that were started.
pub(super) fn lives(program: &Program<'_>) -> Vec<Set> {
    let mut sets = Vec::new();
    for (id, template) in program.templates.iter().skip(1) {
        let lives = |location| template.locations[location].kind != LocationKind::Ended;
        sets.push(Set { members: all(id, template, lives), words: format!("have not ended in {id}") });
        sets.push(Set { members: all(id, template, |_| true), words: format!("run {id}") });
    }
    sets
}

/// A set for each place of the templates with any number of threads; none if there are more than `limit`.
pub(super) fn each_place(program: &Program<'_>, limit: usize) -> Vec<Set> {
    let many = program.templates.iter().filter(|(_, template)| !template.is_single);
    let found: Vec<(TemplateId, LocationId)> = many
        .flat_map(|(id, template)| places(template).into_iter().map(move |location| (id, location)))
        .collect();
    if found.len() > limit {
        return Vec::new();
    }
    let sets = found.into_iter().map(|(id, location)| Set {
        members: BTreeSet::from([(id, location)]),
        words: format!("stand at {id} {location}"),
    });
    sets.collect()
}

fn all(
    id: TemplateId,
    template: &Template,
    is_member: impl Fn(LocationId) -> bool,
) -> BTreeSet<(TemplateId, LocationId)> {
    places(template)
        .into_iter()
        .filter(|location| is_member(*location))
        .map(|location| (id, location))
        .collect()
}
