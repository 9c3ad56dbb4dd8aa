//! Sleep sets: one execution of each class that differs only in the order of independent steps (Godefroid 1996).
//!
//! A step that was searched from a state *sleeps* while others that are independent of it are made: behind them it would lead
//! to what was seen before. A step that depends on it wakes it. So every class of executions is searched, and none twice.
//!
//! Two executions of one class order the same accesses by happens-before, so they have the same races. A step that ended an
//! execution sleeps like any other: behind independent steps it would break the same property at the same program point.

use super::footprint::{Footprint, Setting};
use crate::state::{Move, State, Status};
use crate::step::Vm;

/// What is kept of a state on the current path.
#[derive(Clone, Debug)]
pub(super) struct Sleep {
    asleep: Vec<(Move, Footprint)>,
    /// What the step that is being searched does, with all inputs up to now; nothing if it was never made.
    searched: Option<Footprint>,
    setting: Setting,
}

impl Sleep {
    /// Before the first step nothing sleeps.
    pub(super) fn first(vm: &Vm<'_>) -> Self {
        let setting = Setting { reuse: vm.reuse().is_some(), weak: vm.memory_model().is_weak() };
        Self { asleep: Vec::new(), searched: None, setting }
    }

    /// Whether a move is not to be made.
    pub(super) fn contains(&self, made: Move) -> bool {
        self.asleep.iter().any(|(sleeper, _)| *sleeper == made)
    }

    /// What is kept behind a step that led from one state to another.
    pub(super) fn behind(
        &mut self,
        made: Move,
        (before, after): (&State, &State),
        mut footprint: Footprint,
    ) -> Self {
        footprint.exits = after.exit.is_some();
        footprint.ends_thread = ends_thread(before, after);
        let stays = |(sleeper, other): &&(Move, Footprint)| {
            sleeper.thread() != made.thread() && !other.depends_on(&footprint, self.setting)
        };
        let asleep = self.asleep.iter().filter(stays).cloned().collect();
        self.searched.get_or_insert_default().join(footprint);
        Self { asleep, searched: None, setting: self.setting }
    }

    /// A step was refused: with other inputs it may be made, and depends on what it saw now as well.
    pub(super) fn refused(&mut self, footprint: Footprint) {
        self.searched.get_or_insert_default().join(footprint);
    }

    /// A move was searched with all inputs: from now on it sleeps, if it was ever made.
    pub(super) fn searched(&mut self, made: Move, was_made: bool) {
        if let Some(footprint) = self.searched.take().filter(|_| was_made) {
            self.asleep.push((made, footprint));
        }
    }
}

/// Whether some thread runs before a step, or is started in it, and does not behind it.
fn ends_thread(before: &State, after: &State) -> bool {
    let ran = |id: usize| before.threads.get(id).is_none_or(|thread| thread.status == Status::Running);
    after.threads.iter().enumerate().any(|(id, thread)| thread.status != Status::Running && ran(id))
}
