//! Join runs: what a thread does that joins one thread after the other.
//!
//! Found by running the thread alone, on a copy of the state in which all others have ended. A step belongs to the run if it reads,
//! writes what only its thread reaches or what a model notes for itself, and joins; and if a join follows. So it breaks no
//! property, and is independent of the steps of others as long as those keep away from what it touches.
//!
//! Where data races are looked for, a step that would race with something done before is none of the run, and what happens before the
//! run's end is taken to order nothing: not the ends of the threads that are joined either. Atomic blocks of the program order each
//! other whatever they touch, so none of them is part of a run.

use std::sync::Arc;

use raddle_ir::{Program, Property};

use super::symmetry::{Touched, touched};
use crate::code::Place;
use crate::mark::{Look, MIXED};
use crate::memory::{Memory, stack_of};
use crate::observe::{Action, Event, InputRequest, Inputs, Observer, Stream};
use crate::race::RaceDetector;
use crate::state::{State, Status, Thread, ThreadId};
use crate::step::{StepResult, Vm};
use crate::value::Value;

/// What a thread does up to the last of some joins in a row.
#[derive(Clone, Debug, Default)]
pub(super) struct JoinRun {
    /// Whose.
    pub(super) thread: ThreadId,
    /// Whom it joins.
    pub(super) joins: Vec<ThreadId>,
    /// Whether one of those has not ended yet.
    pub(super) waits: bool,
    /// What of memory that others reach it reads and writes.
    touched: Vec<Touched>,
    /// Where it stands before each of its steps.
    pub(super) places: Vec<Place>,
    /// The blocks of code that it passes before a join that waits.
    pub(super) passed: Vec<Place>,
    /// Whether something is done with the result of a thread.
    pub(super) keeps_result: bool,
    /// How many blocks were executed to find out.
    pub(super) blocks: u64,
}

impl JoinRun {
    /// Whether a step of another thread is not independent of it.
    pub(super) fn conflicts(&self, step: &Touched) -> bool {
        self.touched.iter().any(|own| own.conflicts(step))
    }
}

/// Runs a thread alone, as if all others had ended with a result. The clocks are those of the state, where races are looked for.
pub(super) fn simulate<'p>(
    vm: &Vm<'p>,
    state: &State,
    clocks: Option<&RaceDetector<'p>>,
    (id, result): (ThreadId, Value),
) -> JoinRun {
    let mut trial = state.clone();
    let mut ghost = Thread::new(vm.program().entry, None);
    ghost.status = Status::Ended(result);
    let ghost = Arc::new(ghost);
    for (thread, other) in trial.threads.iter_mut().zip(0..) {
        if other != id {
            *thread = Arc::clone(&ghost);
        }
    }
    let has_ended = |other: &ThreadId| matches!(state.threads[*other as usize].status, Status::Ended(_));
    let mut run = JoinRun { thread: id, ..JoinRun::default() };
    let mut watch = Watch::new(vm.program(), clocks.cloned());
    let mut places = Vec::new();
    // Each join takes a step, and finding the handle may take another.
    for _ in 0..2 * state.threads.len() + 1 {
        places.extend(trial.threads[id as usize].place());
        let mut inputs = Refused(false);
        let stepped = vm.step(&mut trial, id, &mut inputs, &mut watch);
        let thread = &trial.threads[id as usize];
        let goes_on = trial.exit.is_none() && thread.status == Status::Running;
        if stepped != StepResult::Done || !goes_on || inputs.0 || !watch.joins_only || watch.races() {
            break;
        }
        watch.keeps_result |= thread.registers.iter().any(|value| value.origin == Some(MIXED));
        if watch.joins.len() > run.joins.len() {
            run.joins.clone_from(&watch.joins);
            run.touched.clone_from(&watch.touched);
            run.places.clone_from(&places);
            run.waits = !run.joins.iter().all(has_ended);
            if !run.waits {
                run.passed.clone_from(&watch.passed);
            }
        }
    }
    run.keeps_result = watch.keeps_result;
    run.blocks = watch.blocks;
    run
}

/// No nondeterministic value is given: who asks is no join run.
struct Refused(bool);

impl Inputs for Refused {
    fn input(&mut self, _: &InputRequest) -> u128 {
        self.0 = true;
        0
    }
}

/// Watches whether a thread does nothing but join.
struct Watch<'p> {
    program: &'p Program,
    joins_only: bool,
    keeps_result: bool,
    joins: Vec<ThreadId>,
    touched: Vec<Touched>,
    passed: Vec<Place>,
    blocks: u64,
    /// How many atomic blocks of models it is in.
    open_blocks: u32,
    /// What happened before what, but for the joins.
    clocks: Option<RaceDetector<'p>>,
}

impl<'p> Watch<'p> {
    fn new(program: &'p Program, clocks: Option<RaceDetector<'p>>) -> Self {
        Self {
            program,
            joins_only: true,
            keeps_result: false,
            joins: Vec::new(),
            touched: Vec::new(),
            passed: Vec::new(),
            blocks: 0,
            open_blocks: 0,
            clocks,
        }
    }

    fn is_model(&self, event: &Event) -> bool {
        self.program.functions[event.place.function].model
    }

    /// Whether some access races.
    fn races(&self) -> bool {
        self.clocks.as_ref().is_some_and(|clocks| clocks.race().is_some())
    }

    /// An access: whether a thread that only joins may make it.
    fn access(&mut self, event: &Event, memory: &Memory, new: Option<Value>) {
        let Some(touched) = touched(event, memory) else { return };
        self.keeps_result |= new.is_some_and(|value| value.origin == Some(MIXED));
        if memory.object(touched.spot.origin).is_some_and(|object| object.shared) {
            let is_note = self.open_blocks > 0 && self.is_model(event);
            self.joins_only &= !touched.writes || is_note;
            self.touched.push(touched);
        }
    }
}

impl Observer for Watch<'_> {
    fn event(&mut self, event: &Event, memory: &Memory) {
        if let Some(clocks) = &mut self.clocks
            && !matches!(event.action, Action::Join(_))
        {
            clocks.event(event, memory);
        }
        match event.action {
            Action::Read { .. } => self.access(event, memory, None),
            Action::Write { value, .. } => self.access(event, memory, Some(value)),
            Action::Update { new, .. } => self.access(event, memory, new),
            Action::Join(other) => self.joins.push(other),
            Action::AtomicBegin => {
                self.joins_only &= self.is_model(event);
                self.open_blocks += 1;
            }
            Action::AtomicEnd => self.open_blocks = self.open_blocks.saturating_sub(1),
            Action::Alloc(origin) => self.joins_only &= origin.arena == stack_of(event.thread),
            Action::Fence(_) | Action::Wait | Action::EndLife | Action::Query => {}
            Action::Delay { .. }
            | Action::Flush { .. }
            | Action::Lock(_)
            | Action::Unlock(_)
            | Action::Fork(_)
            | Action::Free(_)
            | Action::Ended(_)
            | Action::Input(..)
            | Action::End(_) => self.joins_only = false,
        }
    }

    fn passed(&mut self, _: ThreadId, place: Place) {
        self.blocks += 1;
        self.passed.push(place);
    }

    fn looked(&mut self, _: Place, _: Look) {
        self.keeps_result = true;
        self.joins_only = false;
    }

    fn undone(&mut self) {
        self.joins_only = false;
    }

    fn undefined(&mut self, _: Property) {
        self.joins_only = false;
    }

    /// No property depends on when something is printed.
    fn output(&mut self, _: Stream, _: &[u8]) {}
}
