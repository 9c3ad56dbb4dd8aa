//! Runs of a program: one step after the other, chosen by a scheduler, recorded as a trace.
//!
//! Replaying the trace of a run gives the same run: [`replay`] does that, and is the only way to a
//! [`ReplayedTrace`], so that what claims to be a counterexample has been seen to be one.

use raddle_base::Budget;
use raddle_base::budget::Exhausted;
use raddle_ir::{Constant, InstKind, Operand, Program, Property, Type};

use crate::choice::Choices;
use crate::code::Place;
use crate::deadlock::{self, Deadlock};
use crate::describe;
use crate::leak;
use crate::mark::Look;
use crate::memory::Memory;
use crate::memory_model::MemoryModel;
use crate::observe::{Action, Event, InputReason, Inputs, Observer, Stream, Way};
use crate::race::RaceDetector;
use crate::recording::{Recorder, Recording};
use crate::schedule::{Misfit, Replay, ReplayInputs, Scheduler};
use crate::state::{Exit, Move, State, Status, ThreadId};
use crate::step::{StepResult, Vm};
use crate::trace::{AddressChoice, Input, Trace, type_name};
use crate::violation::Violation;

/// What a step costs of a budget, and how many instructions cost one unit more.
const UNITS_PER_STEP: u32 = 4;
const INSTRUCTIONS_PER_UNIT: u64 = 32;

/// How far a run may go. Which properties it checks is the VM's to know.
#[derive(Clone, Copy, Debug)]
pub struct Options<'b> {
    /// At most so many steps.
    pub max_steps: u64,
    /// No further step after so many instructions: also those count that nobody can see.
    pub max_instructions: u64,
    /// Time and memory.
    pub budget: Option<&'b Budget>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { max_steps: u64::MAX, max_instructions: u64::MAX, budget: None }
    }
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub enum Outcome {
    /// The process ended; or all its threads did, which is a status of zero.
    Exited(Exit),
    /// A property was broken.
    Violated(Box<Violation>),
    /// No thread can ever go on.
    Deadlock(Box<Deadlock>),
    /// It came upon something that is not supported.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        place: Place,
    },
    /// It made as many steps, or executed as many instructions, as it may.
    StepLimit,
    /// No thread is enabled, and that is no reportable deadlock: an assumption ended a thread, or deadlocks are not checked.
    Stopped,
    /// The scheduler stopped it.
    Halted,
    /// Time or memory ran out.
    Exhausted(Exhausted),
}

impl Outcome {
    /// The property that was broken.
    #[must_use]
    pub fn property(&self) -> Option<Property> {
        match self {
            Self::Violated(violation) => Some(violation.property),
            Self::Deadlock(_) => Some(Property::Deadlock),
            Self::Exited(_)
            | Self::Unsupported { .. }
            | Self::StepLimit
            | Self::Stopped
            | Self::Halted
            | Self::Exhausted(_) => None,
        }
    }
}

/// A run that has ended.
#[derive(Clone, Debug)]
pub struct RunResult {
    /// How it ended.
    pub outcome: Outcome,
    /// What is needed to see it again.
    pub trace: Trace,
    /// How many steps were made; a step that breaks a property counts.
    pub steps: u64,
    /// The last state.
    pub state: State,
}

/// Counts operations, takes down inputs, looks for races, and lets another observer watch.
struct TraceRecorder<'r, O> {
    program: &'r Program,
    observer: &'r mut O,
    races: Option<RaceDetector<'r>>,
    /// Operations that each thread has made.
    operations: Vec<u64>,
    /// How many of them are in the trace.
    recorded: Vec<u64>,
    /// Instructions of all threads.
    instructions: u64,
    inputs: Vec<Input>,
    addresses: Vec<AddressChoice>,
}

impl<'r, O> TraceRecorder<'r, O> {
    fn new(vm: &Vm<'r>, observer: &'r mut O) -> Self {
        let races = vm.checks(Property::DataRace).then(|| RaceDetector::new(vm.program()));
        Self {
            program: vm.program(),
            observer,
            races,
            operations: vec![0],
            recorded: vec![0],
            instructions: 0,
            inputs: Vec::new(),
            addresses: Vec::new(),
        }
    }

    fn count(&mut self, thread: ThreadId) -> &mut u64 {
        let index = thread as usize;
        if self.operations.len() <= index {
            self.operations.resize(index + 1, 0);
            self.recorded.resize(index + 1, 0);
        }
        &mut self.operations[index]
    }

    /// Puts the operations that a thread has made since it was last recorded into the trace. Others made in the same step
    /// (by threads that it started) are recorded when those are chosen.
    fn record(&mut self, trace: &mut Trace, thread: ThreadId, at_least: u64) {
        let made = *self.count(thread);
        let recorded = &mut self.recorded[thread as usize];
        let operations = (made - *recorded).max(at_least);
        *recorded = made;
        if operations > 0 {
            trace.record(thread, operations);
        }
    }

    fn input(&mut self, event: &Event, memory: &Memory, reason: InputReason, bits: u128, ty: Type) {
        let name = match reason {
            InputReason::Havoc(site) => self.program.havocs[site].name.clone(),
            InputReason::Uninitialised(spot) => {
                format!("uninitialised `{}`", describe::spot(self.program, memory, spot))
            }
            InputReason::External => external_name(self.program, event.place),
            InputReason::Address(_) => {
                let choice = u32::try_from(bits).unwrap_or(0);
                self.addresses.push(AddressChoice { thread: event.thread, choice });
                return;
            }
        };
        self.inputs.push(Input { thread: event.thread, name, ty: type_name(ty), value: bits.to_string() });
    }
}

fn external_name(program: &Program, place: Place) -> String {
    let called = place.inst(program).map(|inst| &inst.kind);
    if let Some(InstKind::Call { callee: Operand::Constant(Constant::Function(callee)), .. }) = called {
        return format!("result of `{}`", program.functions[*callee].name);
    }
    "result of a function".to_owned()
}

impl<O: Observer> Observer for TraceRecorder<'_, O> {
    fn is_watching(&self) -> bool {
        self.races.is_some() || (O::WATCHES && self.observer.is_watching())
    }

    #[inline]
    fn operation(&mut self, thread: ThreadId) {
        *self.count(thread) += 1;
        if O::WATCHES {
            self.observer.operation(thread);
        }
    }

    fn event(&mut self, event: &Event, memory: &Memory) {
        if let Action::Input(reason, value, ty) = event.action {
            self.input(event, memory, reason, value.bits, ty);
        }
        if let Some(races) = &mut self.races {
            races.event(event, memory);
        }
        if O::WATCHES {
            self.observer.event(event, memory);
        }
    }

    #[inline]
    fn passed(&mut self, thread: ThreadId, place: Place) {
        if O::WATCHES {
            self.observer.passed(thread, place);
        }
    }

    #[inline]
    fn went(&mut self, thread: ThreadId, place: Place, way: Way) {
        if O::WATCHES {
            self.observer.went(thread, place, way);
        }
    }

    #[inline]
    fn executed(&mut self, instructions: u64) {
        self.instructions += instructions;
        self.observer.executed(instructions);
    }

    fn undone(&mut self) {
        // Operations and inputs of a section that an assumption ended stay in the trace: replay tries it again.
        if let Some(races) = &mut self.races {
            races.undone();
        }
        self.observer.undone();
    }

    fn undefined(&mut self, property: Property) {
        self.observer.undefined(property);
    }

    fn looked(&mut self, place: Place, what: Look) {
        self.observer.looked(place, what);
    }

    fn exited(&mut self, memory: &Memory) {
        if let Some(races) = &mut self.races {
            races.exited(memory);
        }
        self.observer.exited(memory);
    }

    fn output(&mut self, stream: Stream, bytes: &[u8]) {
        self.observer.output(stream, bytes);
    }
}

/// Runs a program from its start.
pub fn run<S, I, O>(
    vm: &Vm<'_>,
    scheduler: &mut S,
    inputs: &mut I,
    options: &Options<'_>,
    observer: &mut O,
) -> RunResult
where
    S: Scheduler + ?Sized,
    I: Inputs + ?Sized,
    O: Observer,
{
    let mut recorder = TraceRecorder::new(vm, observer);
    scheduler.begin();
    let (state, first) = vm.start(inputs, &mut recorder);
    let mut run = Run { vm, state, recorder, trace: Trace::new(), steps: 0, refused: Vec::new() };
    run.trace.memory_model = vm.memory_model();
    let outcome = match run.note(Move::Step(0), first) {
        Some(outcome) => outcome,
        None => run.go(scheduler, inputs, options),
    };
    let Run { state, recorder, mut trace, steps, .. } = run;
    trace.inputs = recorder.inputs;
    trace.addresses = recorder.addresses;
    if let Some(property) = outcome.property() {
        trace.property = Some(property.name().to_owned());
        trace.message = Some(message(&outcome));
        trace.failing_step = Some(steps);
    }
    RunResult { outcome, trace, steps, state }
}

fn message(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Violated(violation) => violation.message.clone(),
        Outcome::Deadlock(_) => "no thread is enabled".to_owned(),
        Outcome::Exited(_)
        | Outcome::Unsupported { .. }
        | Outcome::StepLimit
        | Outcome::Stopped
        | Outcome::Halted
        | Outcome::Exhausted(_) => String::new(),
    }
}

/// A run under way.
struct Run<'r, 'p, O> {
    vm: &'r Vm<'p>,
    state: State,
    recorder: TraceRecorder<'r, O>,
    trace: Trace,
    steps: u64,
    /// Threads whose next atomic block could not be brought to its end with the inputs it was given, since the last step.
    refused: Vec<ThreadId>,
}

impl<O: Observer> Run<'_, '_, O> {
    fn go<S: Scheduler + ?Sized, I: Inputs + ?Sized>(
        &mut self,
        scheduler: &mut S,
        inputs: &mut I,
        options: &Options<'_>,
    ) -> Outcome {
        let mut enabled = Vec::new();
        let mut paid = 0;
        loop {
            let executed = self.recorder.instructions;
            let units = u32::try_from((executed - paid) / INSTRUCTIONS_PER_UNIT).unwrap_or(u32::MAX);
            paid = executed;
            let units = UNITS_PER_STEP.saturating_add(units);
            if let Some(Err(exhausted)) = options.budget.map(|budget| budget.spend(units)) {
                return Outcome::Exhausted(exhausted);
            }
            self.vm.moves_into(&self.state, &mut enabled);
            if enabled.is_empty() {
                return self.nobody_can_go_on();
            }
            if self.steps >= options.max_steps || executed >= options.max_instructions {
                return Outcome::StepLimit;
            }
            if !self.refused.is_empty() {
                enabled.retain(|next| !matches!(next, Move::Step(thread) if self.refused.contains(thread)));
            }
            let (chosen, result) = if enabled.is_empty() {
                match self.persuade() {
                    Some(made) => made,
                    None => return Outcome::Stopped,
                }
            } else {
                match scheduler.choose(self.vm, &self.state, &enabled) {
                    Some(chosen) if enabled.contains(&chosen) || self.can_flush(chosen) => {
                        (chosen, self.make(chosen, inputs))
                    }
                    _ => return Outcome::Halted,
                }
            };
            if result == StepResult::Blocked {
                self.refused.push(chosen.thread());
                continue;
            }
            self.refused.clear();
            self.steps += 1;
            if let Some(outcome) = self.note(chosen, result) {
                return outcome;
            }
            scheduler.end(chosen, &self.recorder.operations);
        }
    }

    /// Whether a delayed store may become visible: also one that nobody could notice, which is not among the moves.
    fn can_flush(&self, chosen: Move) -> bool {
        match chosen {
            Move::Step(_) => false,
            Move::Flush { thread, store } => self.vm.can_flush(&self.state, thread, store),
        }
    }

    fn make<I: Inputs + ?Sized>(&mut self, chosen: Move, inputs: &mut I) -> StepResult {
        match chosen {
            Move::Step(thread) => self.step(thread, inputs),
            Move::Flush { thread, store } => {
                // The store itself was made before, perhaps in another thread's step: it is in the trace before its flush.
                self.recorder.record(&mut self.trace, thread, 0);
                let operation = self.state.threads[thread as usize].buffer.stores()[store as usize].operation;
                self.trace.record_flush(thread, operation);
                self.recorder.observer.step(thread, self.steps + 1);
                self.vm.flush(&mut self.state, thread, store, inputs, &mut self.recorder)
            }
        }
    }

    /// Makes a step; one that is not made leaves nothing behind.
    fn step<I: Inputs + ?Sized>(&mut self, chosen: ThreadId, inputs: &mut I) -> StepResult {
        let (operations, taken) = (*self.recorder.count(chosen), self.recorder.inputs.len());
        self.recorder.observer.step(chosen, self.steps + 1);
        let result = self.vm.step(&mut self.state, chosen, inputs, &mut self.recorder);
        if result == StepResult::Blocked {
            *self.recorder.count(chosen) = operations;
            self.recorder.inputs.truncate(taken);
        }
        result
    }

    /// All threads that were enabled are at atomic blocks that wait under the inputs they got: looks for inputs with which one does not.
    fn persuade(&mut self) -> Option<(Move, StepResult)> {
        const TRIES: u32 = 4096;
        for chosen in self.vm.enabled(&self.state) {
            let mut choices = Choices::new(&[0, 1]);
            for _ in 0..TRIES {
                let result = self.step(chosen, &mut choices);
                if result != StepResult::Blocked {
                    return Some((Move::Step(chosen), result));
                }
                if !choices.advance() {
                    break;
                }
            }
        }
        None
    }

    /// Records what was done, and says whether the run ends with it.
    fn note(&mut self, chosen: Move, result: StepResult) -> Option<Outcome> {
        let outcome = match result {
            StepResult::Done | StepResult::Blocked => match self.race() {
                Some(race) => Some(Outcome::Violated(Box::new(race))),
                None => self.state.exit.map(|exit| self.ended(exit)),
            },
            StepResult::Violated(violation) => Some(Outcome::Violated(violation)),
            StepResult::Unsupported { what, place } => Some(Outcome::Unsupported { what, place }),
        };
        // A run may end in a step without operations, which would not be found in a schedule that counts them. Before the
        // first step nobody needs to be chosen.
        let at_least = u64::from(outcome.is_some() && self.steps > 0);
        match chosen {
            Move::Step(thread) => self.recorder.record(&mut self.trace, thread, at_least),
            // What its thread did behind the flush is recorded when the thread is next chosen.
            Move::Flush { .. } => {}
        }
        outcome
    }

    fn race(&self) -> Option<Violation> {
        let race = self.recorder.races.as_ref()?.race()?;
        Some(race.violation(self.vm.program(), &self.state))
    }

    /// The process has ended: what it leaves behind may be a leak.
    fn ended(&self, exit: Exit) -> Outcome {
        match leak::violation(self.vm, &self.state) {
            Some(leak) => Outcome::Violated(Box::new(leak)),
            None => Outcome::Exited(exit),
        }
    }

    fn nobody_can_go_on(&self) -> Outcome {
        let waits = |status: Status| match status {
            Status::Running | Status::Stopped => true,
            Status::Ended(_) => false,
        };
        if !self.state.threads.iter().any(|thread| waits(thread.status)) {
            return self.ended(Exit::Status(0));
        }
        let deadlock = self.vm.checks(Property::Deadlock).then(|| deadlock::find(self.vm, &self.state));
        match deadlock.flatten() {
            Some(deadlock) => Outcome::Deadlock(Box::new(deadlock)),
            None => Outcome::Stopped,
        }
    }
}

/// A trace that was seen to break its property. Only [`replay`] makes one.
#[derive(Clone, Debug)]
pub struct ReplayedTrace {
    trace: Trace,
    outcome: Outcome,
    steps: u64,
    state: State,
    recording: Recording,
}

impl ReplayedTrace {
    /// The trace, with its property and the step at which it was broken here.
    #[must_use]
    pub fn trace(&self) -> &Trace {
        &self.trace
    }

    /// What happened: [`Outcome::Violated`] or [`Outcome::Deadlock`].
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The step in which it happened.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The state in which it happened.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// What happened up to there.
    #[must_use]
    pub fn recording(&self) -> &Recording {
        &self.recording
    }
}

/// Why a trace is not one of the program's.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// A thread cannot go on where the schedule says that it does.
    #[error(
        "the trace does not fit the program: at segment {segment} of its schedule, thread {thread} is not enabled"
    )]
    Stuck {
        /// Which segment, from one.
        segment: usize,
        /// Who was to run.
        thread: ThreadId,
    },
    /// A delayed store cannot become visible where the schedule says that it does.
    #[error(
        "the trace does not fit the program: at segment {segment} of its schedule, operation {operation} of thread \
         {thread} cannot become visible"
    )]
    Flush {
        /// Which segment, from one.
        segment: usize,
        /// Whose store.
        thread: ThreadId,
        /// Which of its operations the store is.
        operation: u64,
    },
    /// It is one of another memory model.
    #[error("the trace is one of the memory model {}, and the VM runs {}", .trace.name(), .vm.name())]
    MemoryModel {
        /// The trace's.
        trace: MemoryModel,
        /// The VM's.
        vm: MemoryModel,
    },
    /// An input has another type than the program asks for.
    #[error("the trace does not fit the program: thread {} asks for an input of type {}, the trace has {}",
        .0.thread, .0.asked, .0.recorded)]
    Input(Misfit),
    /// The property in the trace has no such name.
    #[error("the trace names a property that does not exist: {0}")]
    Property(String),
    /// All fits, but the property is not broken.
    #[error("the trace runs, but {expected}: {found}")]
    NotBroken {
        /// What the trace promised.
        expected: String,
        /// What happened.
        found: String,
    },
}

/// Follows a trace to its end.
pub fn follow<O: Observer>(
    vm: &Vm<'_>,
    trace: &Trace,
    options: &Options<'_>,
    observer: &mut O,
) -> Result<RunResult, ReplayError> {
    if trace.memory_model != vm.memory_model() {
        return Err(ReplayError::MemoryModel { trace: trace.memory_model, vm: vm.memory_model() });
    }
    let mut scheduler = Replay::new(trace);
    let mut inputs = ReplayInputs::new(trace);
    let mut result = run(vm, &mut scheduler, &mut inputs, options, observer);
    if let Some(misfit) = inputs.misfit() {
        return Err(ReplayError::Input(misfit.clone()));
    }
    if let (Outcome::Halted, Some((position, segment))) = (&result.outcome, scheduler.current()) {
        let thread = segment.thread;
        return Err(match segment.flush {
            Some(operation) => ReplayError::Flush { segment: position + 1, thread, operation },
            None => ReplayError::Stuck { segment: position + 1, thread },
        });
    }
    result.trace.program = trace.program.clone();
    result.trace.seed = trace.seed;
    Ok(result)
}

/// Follows a trace to its end and makes sure that it breaks the property it says it breaks. Others are not looked at: that
/// another one is broken before does not make the promised one hold. What happens is recorded, so that nobody who asks for it
/// later needs to execute it again.
pub fn replay<O: Observer>(
    vm: &Vm<'_>,
    trace: &Trace,
    options: &Options<'_>,
    observer: &mut O,
) -> Result<ReplayedTrace, ReplayError> {
    let promised = match trace.property.as_deref() {
        Some(name) => Some(Property::from_name(name).ok_or_else(|| ReplayError::Property(name.to_owned()))?),
        None => None,
    };
    let mut watching = (Recorder::new(vm.program().pointer_bits), observer);
    let result = match promised {
        Some(property) => follow(&vm.only(property), trace, options, &mut watching)?,
        None => follow(vm, trace, options, &mut watching)?,
    };
    let broken = result.outcome.property();
    if broken.is_none() || (promised.is_some() && broken != promised) {
        let expected = match promised {
            Some(property) => format!("it does not break the property {}", property.name()),
            None => "it breaks no property".to_owned(),
        };
        return Err(ReplayError::NotBroken { expected, found: found(&result.outcome) });
    }
    let RunResult { outcome, trace, steps, state } = result;
    Ok(ReplayedTrace { trace, outcome, steps, state, recording: watching.0.finish() })
}

fn found(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Exited(Exit::Status(status)) => format!("the process ends with status {status}"),
        Outcome::Exited(Exit::Abort) => "the process aborts".to_owned(),
        Outcome::Violated(violation) => format!("{}: {}", violation.property.name(), violation.message),
        Outcome::Deadlock(_) => "no thread is enabled".to_owned(),
        Outcome::Unsupported { what, .. } => format!("it comes upon what is not supported: {what}"),
        Outcome::StepLimit => "it makes as many steps as it may".to_owned(),
        Outcome::Stopped => "an assumption ends it".to_owned(),
        Outcome::Halted => "it ends where the schedule does".to_owned(),
        Outcome::Exhausted(exhausted) => exhausted.to_string(),
    }
}

#[cfg(test)]
pub(crate) mod tests;
