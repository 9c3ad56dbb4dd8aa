//! Steps in sequences, and trees of sequences: what is still to be searched from a state.
//!
//! A step is named by its thread and what its inputs get. Two sequences are *equivalent* when one becomes the other by exchanging
//! neighbours that are independent. A *wakeup tree* holds sequences that are pairwise not prefixes of each other up to equivalence;
//! its branches are searched from the left to the right (Abdulla, Aronis, Jonsson, Sagonas, POPL 2014, section 6).

use std::sync::Arc;

use super::super::footprint::{Footprint, Setting};
use crate::choice::Pick;
use crate::state::ThreadId;

/// A step of a sequence.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) thread: ThreadId,
    /// Which values its first inputs get; all others get their first.
    pub(super) picks: Arc<[Pick]>,
    pub(super) footprint: Arc<Footprint>,
}

impl Step {
    /// Whether the two cannot be exchanged where they are neighbours.
    pub(super) fn depends_on(&self, other: &Self, setting: Setting) -> bool {
        self.thread == other.thread
            || self.footprint.forks().contains(&other.thread)
            || other.footprint.forks().contains(&self.thread)
            || self.footprint.joins().contains(&other.thread)
            || other.footprint.joins().contains(&self.thread)
            || self.footprint.depends_on(&other.footprint, setting)
    }
}

/// Whether two lists say the same of all inputs.
pub(super) fn same_picks(a: &[Pick], b: &[Pick]) -> bool {
    let common = a.len().min(b.len());
    let is_first = |rest: &[Pick]| rest.iter().all(|(choice, _)| *choice == 0);
    let agree = a.iter().zip(b).all(|(a, b)| a.0 == b.0);
    agree && is_first(&a[common..]) && is_first(&b[common..])
}

/// Whether a list begins with another one.
pub(super) fn begins_with(picks: &[Pick], prefix: &[Pick]) -> bool {
    picks.len() >= prefix.len() && picks.iter().zip(prefix).all(|(a, b)| a.0 == b.0)
}

/// A step that is to be made, and what is to follow it. Behind a leaf anything may.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    pub(super) step: Step,
    pub(super) below: Vec<Branch>,
}

/// A sequence to be searched.
#[derive(Clone, Debug)]
pub(super) struct Sequence {
    pub(super) steps: Vec<Step>,
    /// Whether the last step may take any inputs: who has made it, or will, tries the others by himself.
    pub(super) is_open: bool,
}

impl Sequence {
    /// Whether a step can be the first of an equivalent sequence, or of one that this is continued to.
    pub(super) fn leads_with(&self, first: &Step, setting: Setting) -> bool {
        self.front(first, setting).is_some()
    }

    /// Whether a step can be moved to the front of a sequence, or put there: the step of the sequence that it then is.
    fn front(&self, first: &Step, setting: Setting) -> Option<Option<usize>> {
        for (position, step) in self.steps.iter().enumerate() {
            if step.thread == first.thread {
                let is_last = position + 1 == self.steps.len();
                let is_same = is_last && self.is_open || same_picks(&step.picks, &first.picks);
                return is_same.then_some(Some(position));
            }
            if step.depends_on(first, setting) {
                return None;
            }
        }
        Some(None)
    }
}

/// Adds a sequence to a tree, unless what is there leads to all that it leads to.
pub(super) fn insert(tree: &mut Vec<Branch>, mut sequence: Sequence, setting: Setting) -> bool {
    let mut level = tree;
    loop {
        let found = level
            .iter()
            .enumerate()
            .find_map(|(index, branch)| Some((index, sequence.front(&branch.step, setting)?)));
        let Some((index, position)) = found else { break };
        if let Some(position) = position {
            sequence.is_open &= position + 1 < sequence.steps.len();
            sequence.steps.remove(position);
        }
        level = &mut level[index].below;
        if level.is_empty() || sequence.steps.is_empty() {
            return false;
        }
    }
    let mut below = Vec::new();
    for step in sequence.steps.into_iter().rev() {
        below = vec![Branch { step, below }];
    }
    level.extend(below);
    true
}
