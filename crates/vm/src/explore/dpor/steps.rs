//! Steps, each kept once, and which of them depend on each other.
//!
//! Executions of one program make the same steps again and again. A step that was met before gets the number it had, so that
//! sequences of steps are short lists of numbers, and whether two depend on each other is looked up.

use std::cell::Cell;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::footprint::{Footprint, Setting};
use crate::choice::Pick;
use crate::state::ThreadId;

/// Dependence is looked up for so many steps, and found out each time for others.
const MOST_LOOKED_UP: usize = 2048;

/// A step of a thread: what its inputs get, and what it depends on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Step {
    pub(super) thread: ThreadId,
    /// Which values its first inputs get; all others get their first.
    pub(super) picks: Vec<Pick>,
    pub(super) footprint: Footprint,
}

impl Step {
    /// Whether the two cannot be exchanged where they are neighbours.
    fn depends_on(&self, other: &Self, setting: Setting) -> bool {
        self.thread == other.thread
            || self.footprint.forks().contains(&other.thread)
            || other.footprint.forks().contains(&self.thread)
            || self.footprint.joins().contains(&other.thread)
            || other.footprint.joins().contains(&self.thread)
            || self.footprint.depends_on(&other.footprint, setting)
    }
}

/// The number of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct StepId(u32);

impl StepId {
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What is known about a pair of steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    Nothing,
    Independent,
    Dependent,
}

/// The steps that were met.
#[derive(Debug)]
pub(super) struct Steps {
    pub(super) setting: Setting,
    /// By number.
    steps: Vec<Arc<Step>>,
    ids: FxHashMap<Arc<Step>, StepId>,
    /// For each pair of steps, the one with the higher number first.
    dependence: Vec<Cell<Known>>,
}

impl Steps {
    /// None yet.
    pub(super) fn new(setting: Setting) -> Self {
        Self { setting, steps: Vec::new(), ids: FxHashMap::default(), dependence: Vec::new() }
    }

    /// The number of a step.
    pub(super) fn id_of(&mut self, step: Step) -> StepId {
        if let Some(&id) = self.ids.get(&step) {
            return id;
        }
        let id = StepId(u32::try_from(self.steps.len()).expect("fewer than 2^32 steps differ"));
        let step = Arc::new(step);
        self.steps.push(Arc::clone(&step));
        self.ids.insert(step, id);
        let count = self.steps.len().min(MOST_LOOKED_UP);
        self.dependence.resize(count * (count + 1) / 2, Cell::new(Known::Nothing));
        id
    }

    /// The step of a number.
    pub(super) fn of(&self, id: StepId) -> &Step {
        &self.steps[id.index()]
    }

    /// Whose step it is.
    pub(super) fn thread(&self, id: StepId) -> ThreadId {
        self.of(id).thread
    }

    /// What a step depends on.
    pub(super) fn footprint(&self, id: StepId) -> &Footprint {
        &self.of(id).footprint
    }

    /// Whether two steps cannot be exchanged where they are neighbours.
    pub(super) fn depend(&self, a: StepId, b: StepId) -> bool {
        let (low, high) = (a.index().min(b.index()), a.index().max(b.index()));
        let find = || self.of(a).depends_on(self.of(b), self.setting);
        let Some(known) = self.dependence.get(high * (high + 1) / 2 + low) else { return find() };
        match known.get() {
            Known::Independent => false,
            Known::Dependent => true,
            Known::Nothing => {
                let depend = find();
                known.set(if depend { Known::Dependent } else { Known::Independent });
                depend
            }
        }
    }

    /// Whether two steps are of one thread and their inputs get the same.
    pub(super) fn are_alike(&self, a: StepId, b: StepId) -> bool {
        a == b || {
            let (a, b) = (self.of(a), self.of(b));
            a.thread == b.thread && same_picks(&a.picks, &b.picks)
        }
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
