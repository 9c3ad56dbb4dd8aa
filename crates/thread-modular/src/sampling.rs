//! Who came later: where threads take numbers from a shared variable, the order in which they took them says how the numbers compare.
//!
//! A step *samples* a variable if it changes it to something that is no constant while, behind it, something of the thread's own is live that was
//! computed from the variable: drawing a ticket, claiming a range. Of two threads the *tag* says which of them sampled last. What is known
//! of the two is kept apart by it: it is what makes `a < b or b < a` of two tickets two convex sets. When nothing of what one of
//! them took is live any more the tag is dropped.
//!
//! Direction of error: none. Tags only divide what is known into cases.

use std::collections::BTreeSet;

use raddle_flow::{Flow, VariableId};
use raddle_logic::term::{Term, TermId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::found::At;
use crate::space::Space;
use crate::steps::Step;

/// More variables are not looked at.
const MOST: usize = 2;

/// Which of two threads sampled a variable last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Last {
    /// It is not known, or does not matter.
    #[default]
    Unknown,
    First,
    Second,
}

/// For each sampled variable.
pub(crate) type Tags = Vec<Last>;

/// The sampled variables.
#[derive(Clone, Debug)]
pub(crate) struct Sampling {
    /// Of each, what is computed from it.
    copies: Vec<BTreeSet<VariableId>>,
    /// Of each, which steps sample it.
    steps: Vec<BTreeSet<usize>>,
    /// Locations of threads that may have sampled something.
    behind: FxHashSet<At>,
}

/// Seen from the other one.
pub(crate) fn swapped(tags: &Tags) -> Tags {
    let swap = |last: &Last| match last {
        Last::Unknown => Last::Unknown,
        Last::First => Last::Second,
        Last::Second => Last::First,
    };
    tags.iter().map(swap).collect()
}

impl Sampling {
    /// The sampled variables of a flow; none if there are none.
    pub(crate) fn of(flow: &Flow, steps: &[Step], space: &Space<'_>) -> Option<Self> {
        let mut found = Self { copies: Vec::new(), steps: Vec::new(), behind: FxHashSet::default() };
        for &global in &space.shared {
            let copies = copies(flow, steps, global);
            let samples = |step: &Step| {
                let changes = |&(variable, value): &(VariableId, TermId)| {
                    variable == global && !matches!(flow.terms[value], Term::Bits { .. } | Term::Bool(_))
                };
                step.updates.iter().any(changes)
                    && space.locals((step.template, step.to)).iter().any(|own| copies.contains(own))
            };
            let sampling: BTreeSet<usize> =
                (0..steps.len()).filter(|&index| samples(&steps[index])).collect();
            if !sampling.is_empty() && found.steps.len() < MOST {
                found.copies.push(copies);
                found.steps.push(sampling);
            }
        }
        let mut open: Vec<At> = found.steps.iter().flatten().map(|&index| to(&steps[index])).collect();
        while let Some(at) = open.pop() {
            if found.behind.insert(at) {
                open.extend(steps.iter().filter(|step| (step.template, step.from) == at).map(to));
            }
        }
        (!found.steps.is_empty()).then_some(found)
    }

    /// Whether something is to be known of threads at two locations together.
    pub(crate) fn relates(&self, one: At, other: At) -> bool {
        self.behind.contains(&one) && self.behind.contains(&other)
    }

    /// Of two threads of which nothing is known.
    pub(crate) fn nothing(&self) -> Tags {
        vec![Last::Unknown; self.steps.len()]
    }

    /// The tags behind a step of the first of two threads.
    pub(crate) fn after(&self, step: usize, before: &Tags) -> Tags {
        let tag = |(steps, last): (&BTreeSet<usize>, &Last)| {
            if steps.contains(&step) { Last::First } else { *last }
        };
        self.steps.iter().zip(before).map(tag).collect()
    }

    /// Without those that do not matter for threads that stand here and there.
    pub(crate) fn kept(&self, mut tags: Tags, space: &Space<'_>, one: At, other: At) -> Tags {
        for (tag, copies) in tags.iter_mut().zip(&self.copies) {
            let has = |at: At| space.locals(at).iter().any(|own| copies.contains(own));
            if !has(one) || !has(other) {
                *tag = Last::Unknown;
            }
        }
        tags
    }
}

fn to(step: &Step) -> At {
    (step.template, step.to)
}

/// What threads have of their own that is computed from a shared variable.
fn copies(flow: &Flow, steps: &[Step], global: VariableId) -> BTreeSet<VariableId> {
    let by_symbol: FxHashMap<TermId, VariableId> =
        flow.variables.iter().map(|(id, variable)| (variable.now, id)).collect();
    let mut found: BTreeSet<VariableId> = BTreeSet::new();
    loop {
        let before = found.len();
        for &(variable, value) in steps.iter().flat_map(|step| step.updates.iter()) {
            if flow.variables[variable].owner.is_none() || found.contains(&variable) {
                continue;
            }
            let sources = flow.terms.subterms(&[value]);
            let mut sources = sources.iter().filter_map(|term| by_symbol.get(term));
            if sources.any(|source| *source == global || found.contains(source)) {
                found.insert(variable);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}
