//! Which counters of threads a proof may need, derived from the program: few, and none by trial.
//!
//! A counter says how many threads stand at one of its members. It is defined by that, so none is wrong; one that has nothing to do with
//! the program's variables is only of no use. Most come from contributions: a variable that is only changed by constants is a sum over
//! threads, and the threads that contribute the same number are a counter. With the sets that are asked for come the classes that they divide
//! locations into, as many as are few: sums of classes are equalities, and equalities are kept by every step.
//!
//! Invariant: counters differ, none is empty, and none counts the main thread wherever it is, which would be the number 1. The order depends on
//! the flow alone.

mod contributions;
pub mod linear;
mod passed;
mod program;
mod shape;
mod values;
mod writes;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use raddle_flow::{Flow, LocationId, TemplateId};

use program::Program;
use writes::Writes;

/// How many threads stand at one of its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    /// Locations; those of threads that have ended or are stuck are ordinary ones.
    pub members: BTreeSet<(TemplateId, LocationId)>,
    /// What it counts, in words.
    pub name: String,
}

/// How many counters there should be. Each level has those of the ones before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// None.
    None,
    /// Those that make a variable a sum over threads.
    Contributions,
    /// Also: threads that have passed a write, were created, or have ended.
    Passed,
    /// Also: one for each location of templates with any number of threads, if these are few.
    All,
}

/// Threads, and in words what they have in common: "threads that …".
#[derive(Clone, Debug)]
struct Set {
    members: BTreeSet<(TemplateId, LocationId)>,
    words: String,
}

/// A variable that contributes this many different numbers is no counter of anything.
const MAX_CONTRIBUTIONS: usize = 8;
/// With more locations there are no counters of each.
const MAX_PLACES: usize = 40;
/// With more classes there are none, only the sets.
const MAX_CLASSES: usize = 24;

/// The counters of a program.
#[must_use]
pub fn derive(flow: &Flow, level: Level) -> Vec<Counter> {
    derive_also(flow, level, false)
}

/// The counters of a program, from [`Level::Passed`] on with those of all threads of each template.
#[must_use]
pub fn derive_with_lives(flow: &Flow, level: Level) -> Vec<Counter> {
    derive_also(flow, level, true)
}

/// Whether the main thread stands where no other thread exists yet.
pub(crate) fn stands_alone(flow: &Flow, location: LocationId) -> bool {
    shape::is_before_threads(flow, location)
}

fn derive_also(flow: &Flow, level: Level, lives: bool) -> Vec<Counter> {
    if level == Level::None || flow.templates.is_empty() {
        return Vec::new();
    }
    let program = Program::new(flow);
    let writes = writes::writes(&program);
    let hopeful = Program::hopeful(flow).map(|program| (writes::writes(&program), program));
    let mut sets = Vec::new();
    let mut counted = BTreeSet::new();
    for (variable, writes) in &writes {
        let name = &flow.variables[*variable].name;
        let certain = contributing(&program, writes, name);
        let hoped = || {
            let (writes, program) = hopeful.as_ref()?;
            contributing(program, writes.get(variable)?, name)
        };
        if let Some(found) = certain.or_else(hoped) {
            counted.insert(*variable);
            sets.extend(found);
        }
    }
    if level >= Level::Passed {
        sets.extend(passed::created(&program));
        sets.extend(passed::finished(&program));
        if lives {
            sets.extend(passed::lives(&program));
        }
        sets.extend(passed::passed(&program, &writes, |variable| counted.contains(&variable)));
    }
    let mut limit = MAX_CLASSES;
    if level >= Level::All {
        sets.extend(passed::each_place(&program, MAX_PLACES));
        limit += MAX_PLACES;
    }
    let sets = distinct(&program, sets);
    let classes = classes(&sets);
    let all = if classes.len() > limit { sets } else { distinct(&program, sets.into_iter().chain(classes)) };
    all.into_iter()
        .map(|set| Counter { name: format!("threads that {}", set.words), members: set.members })
        .collect()
}

/// For a variable that is a sum over threads: those that contribute the same.
fn contributing(program: &Program<'_>, writes: &Writes, variable: &str) -> Option<Vec<Set>> {
    let mut members: BTreeMap<i128, BTreeSet<(TemplateId, LocationId)>> = BTreeMap::new();
    for (place, number) in contributions::contributions(program, writes)? {
        members.entry(number).or_default().insert(place);
    }
    let words = |number: i128| match number {
        1 if writes.is_lock => format!("hold {variable}"),
        _ => format!("have added {number} to {variable}"),
    };
    let sets = members.into_iter().map(|(number, members)| Set { members, words: words(number) });
    (sets.len() <= MAX_CONTRIBUTIONS).then(|| sets.collect())
}

/// Without empty ones, each once, and without the main thread where it is a member wherever it may be when there are others.
fn distinct(program: &Program<'_>, sets: impl IntoIterator<Item = Set>) -> Vec<Set> {
    let Some((main, template)) = program.templates.iter().next() else {
        return Vec::new();
    };
    let alone = shape::alone(program, main);
    let always: BTreeSet<(TemplateId, LocationId)> = shape::places(template)
        .into_iter()
        .filter(|location| !alone.contains(location))
        .map(|location| (main, location))
        .collect();
    let mut found: Vec<Set> = Vec::new();
    for mut set in sets {
        if always.is_subset(&set.members) {
            set.members.retain(|(template, _)| *template != main);
        }
        match found.iter_mut().find(|other| other.members == set.members) {
            _ if set.members.is_empty() => {}
            None => found.push(set),
            Some(other) => {
                if !other.words.contains(&set.words) {
                    other.words = format!("{} and {}", other.words, set.words);
                }
            }
        }
    }
    found
}

/// The members that are in the same sets.
fn classes(sets: &[Set]) -> Vec<Set> {
    let mut signatures: BTreeMap<(TemplateId, LocationId), Vec<usize>> = BTreeMap::new();
    for (index, set) in sets.iter().enumerate() {
        for &place in &set.members {
            signatures.entry(place).or_default().push(index);
        }
    }
    let mut classes: BTreeMap<Vec<usize>, BTreeSet<(TemplateId, LocationId)>> = BTreeMap::new();
    for (place, signature) in signatures {
        classes.entry(signature).or_default().insert(place);
    }
    let words = |signature: &[usize]| {
        let words: Vec<&str> = signature.iter().map(|&index| sets[index].words.as_str()).collect();
        format!("{} and no more", words.join(" and "))
    };
    // A class that is one of the sets has its words already.
    let new = classes.into_iter().filter(|(_, members)| sets.iter().all(|set| set.members != *members));
    new.map(|(signature, members)| Set { words: words(&signature), members }).collect()
}
