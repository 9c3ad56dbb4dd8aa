//! Sleep sets: one execution of each class that differs only in the order of independent steps (Godefroid 1996).
//!
//! A step that was searched from a state *sleeps* while others that are independent of it are made: behind them it would lead
//! to what was seen before. A step that depends on it wakes it. So every class of executions is searched, and none twice.
//!
//! Two executions of one class order the same accesses by happens-before. So each is searched with vector clocks
//! ([`crate::race`]), which also find races of accesses that are never co-enabled; a search by states cannot, since two
//! ways to one state may differ in what happens before what. A race ends its execution, as any violation does. A step that ended an
//! execution sleeps like any other: behind independent steps it would break the same property at the same program point.

use super::footprint::{Footprint, Setting};
use crate::memory::Memory;
use crate::observe::{Event, Observer as _};
use crate::race::{Race, RaceDetector};
use crate::state::{Move, State, Status};
use crate::step::Machine;

/// What is kept of a state on the current path.
#[derive(Clone, Debug)]
pub(super) struct Sleep<'p> {
    asleep: Vec<(Move, Footprint)>,
    /// As they are at the state.
    clocks: RaceDetector<'p>,
    /// What the step that is being searched does, with all inputs up to now; nothing if it was never made.
    searched: Option<Footprint>,
    setting: Setting,
}

/// Watches a step: its clocks and its footprint.
#[derive(Clone, Debug)]
pub(super) struct Dependencies<'p> {
    program: &'p raddle_ir::Program,
    clocks: RaceDetector<'p>,
    footprint: Footprint,
}

impl<'p> Dependencies<'p> {
    /// For what happens before the first step.
    pub(super) fn new(machine: &Machine<'p>) -> Self {
        let program = machine.program();
        Self { program, clocks: RaceDetector::new(program), footprint: Footprint::default() }
    }

    pub(super) fn event(&mut self, event: &Event, memory: &Memory) {
        self.clocks.event(event, memory);
        self.footprint.add(event, memory, self.program);
    }

    /// The step does not commit. It depends on what it read all the same.
    pub(super) fn undone(&mut self) {
        self.clocks.undone();
    }

    pub(super) fn exited(&mut self, memory: &Memory) {
        self.clocks.exited(memory);
    }
}

impl<'p> Sleep<'p> {
    /// Before the first step nothing sleeps.
    pub(super) fn first(machine: &Machine<'p>, dependencies: Dependencies<'p>) -> Self {
        let setting = Setting { reuse: machine.reuse().is_some(), weak: machine.memory_model().is_weak() };
        Self { asleep: Vec::new(), clocks: dependencies.clocks, searched: None, setting }
    }

    /// Whether a move is not to be made.
    pub(super) fn contains(&self, made: Move) -> bool {
        self.asleep.iter().any(|(sleeper, _)| *sleeper == made)
    }

    /// The race that the clocks show.
    pub(super) fn race(&self) -> Option<&Race> {
        self.clocks.race()
    }

    /// To watch the next step.
    pub(super) fn watch(&self, machine: &Machine<'p>) -> Dependencies<'p> {
        Dependencies {
            program: machine.program(),
            clocks: self.clocks.clone(),
            footprint: Footprint::default(),
        }
    }

    /// What is kept behind a step that led from one state to another.
    pub(super) fn behind(
        &mut self,
        made: Move,
        (before, after): (&State, &State),
        dependencies: Dependencies<'p>,
    ) -> Self {
        let Dependencies { clocks, mut footprint, .. } = dependencies;
        footprint.exits = after.exit.is_some();
        footprint.ends_thread = ends_thread(before, after);
        let stays = |(sleeper, other): &&(Move, Footprint)| {
            sleeper.thread() != made.thread() && !other.depends_on(&footprint, self.setting)
        };
        let asleep = self.asleep.iter().filter(stays).cloned().collect();
        self.searched.get_or_insert_default().join(footprint);
        Self { asleep, clocks, searched: None, setting: self.setting }
    }

    /// A step was refused: with other inputs it may be made, and depends on what it saw now as well.
    pub(super) fn refused(&mut self, dependencies: Dependencies<'p>) {
        self.searched.get_or_insert_default().join(dependencies.footprint);
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
