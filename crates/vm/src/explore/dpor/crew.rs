//! What all who search together must know.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use raddle_base::Budget;

use super::super::commuting::Commuting;
use super::super::footprint::Setting;
use super::super::found::Limit;
use super::super::{Reduction, Search};
use super::execution::Partners;
use crate::step::Vm;

/// What a step costs of a budget, and how many basic blocks cost one unit more.
const UNITS_PER_STEP: u64 = 6;
const BLOCKS_PER_UNIT: u64 = 8;
/// One step in this many is reported to [`Search::progress`].
pub(super) const STEPS_PER_PROGRESS: u64 = 4096;

/// What all who search together must know.
pub(super) struct Orders<'e, 'p> {
    pub(super) vm: &'e Vm<'p>,
    pub(super) setting: Setting,
    pub(super) values: Vec<u128>,
    pub(super) reduction: Reduction,
    pub(super) commuting: Option<Commuting>,
    pub(super) max_depth: usize,
    max_states: u64,
    max_blocks: u64,
    budget: Option<&'e Budget>,
    /// The steps that all have made, and the blocks.
    steps: AtomicU64,
    blocks: AtomicU64,
    /// Why all are to stop, if they are.
    stopped: OnceLock<Limit>,
}

impl<'e, 'p> Orders<'e, 'p> {
    pub(super) fn new(vm: &'e Vm<'p>, search: &Search<'e>) -> Self {
        Self {
            vm,
            setting: Setting { reuse: vm.reuse().is_some(), weak: false },
            values: if search.values.is_empty() { vec![0] } else { search.values.clone() },
            reduction: search.reduction,
            commuting: search.commutes.then(|| Commuting::of(vm)),
            max_depth: search.max_depth,
            max_states: search.max_states,
            max_blocks: search.max_blocks,
            budget: search.budget,
            steps: AtomicU64::new(0),
            blocks: AtomicU64::new(0),
            stopped: OnceLock::new(),
        }
    }

    /// Which pairs of events are looked at.
    pub(super) const fn partners(&self, waits: bool) -> Partners {
        match self.reduction {
            Reduction::Optimal | Reduction::Source if !waits => Partners::Last,
            Reduction::Optimal | Reduction::Source | Reduction::Classic => Partners::All,
        }
    }

    /// All are to stop.
    pub(super) fn stop(&self, why: Limit) {
        self.stopped.get_or_init(|| why);
    }

    /// Pays for steps, steps made again, and blocks; why no more may be made, if so.
    pub(super) fn spend(&self, steps: u64, again: u64, blocks: u64) -> Option<Limit> {
        if let Some(&why) = self.stopped.get() {
            return Some(why);
        }
        let made = self.steps.fetch_add(steps + again, Ordering::Relaxed) + steps + again;
        let run = self.blocks.fetch_add(blocks, Ordering::Relaxed) + blocks;
        let units = blocks / BLOCKS_PER_UNIT + (steps + again) * UNITS_PER_STEP;
        let units = u32::try_from(units.max(1)).unwrap_or(u32::MAX);
        let limit = match self.budget.map(|budget| budget.spend(units)) {
            Some(Err(exhausted)) => Limit::Budget(exhausted),
            Some(Ok(())) | None if run > self.max_blocks => Limit::Blocks,
            Some(Ok(())) | None if made > self.max_states => Limit::States,
            Some(Ok(())) | None => return None,
        };
        self.stop(limit);
        Some(limit)
    }

}
