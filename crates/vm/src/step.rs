//! One step of one thread.
//!
//! A step is one *visible* instruction — an access to memory that other threads may reach, or a
//! synchronisation — and all invisible ones behind it up to the thread's next visible one. A whole atomic
//! section is one step. What is invisible commutes with everything other threads do, so these steps are all
//! the interleavings there are. What a new thread does before its first visible instruction belongs to the step
//! that started it.
//!
//! Under weak memory models ([`crate::memory_model`]) there is another kind of step: a delayed store becomes visible.

use std::num::NonZeroU32;
use std::sync::{Arc, OnceLock};

use raddle_base::Id;
pub use raddle_ir::layout::bytes;

pub(crate) use crate::layout::LOCK_BYTES;
use raddle_ir::{Constant, FunctionId, GlobalId, InstKind, Program, Property, Type};

use crate::buffer::MOST_DELAYED;
use crate::code::Place;
use crate::escape::Escapes;
use crate::execute::{Cursor, Pause, Until};
use crate::facts::Facts;
use crate::memory::{Creator, GLOBALS, Memory, Request, Spot, stack_of};
use crate::memory_model::MemoryModel;
use crate::observe::{InputRequest, Inputs, Observer, Unwatched};
use crate::reuse::Reuse;
use crate::state::{Move, State, Status, Thread, ThreadId};
use crate::value::{Origin, Value};
use crate::violation::Violation;

/// What became of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepResult {
    /// It was made.
    Done,
    /// The thread cannot go on now; nothing has changed.
    Blocked,
    /// A property was broken; the state is as it was at that moment.
    Violated(Box<Violation>),
    /// The program reached something that is not supported.
    Unsupported {
        /// What.
        what: String,
        /// Where.
        place: Place,
    },
}

/// Whether a thread can make a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Readiness {
    /// It can.
    Ready,
    /// It waits for something that others must do.
    Waiting,
    /// It is at an atomic block that takes nondeterministic values before it waits: with some it may go on.
    Perhaps,
    /// It has come to its end, or the process has.
    Over,
}

/// Why the instruction at hand does not lead on to the next.
pub(crate) enum Halt {
    Blocked,
    /// An assumption does not hold.
    Stopped,
    /// The behaviour is undefined, for a reason that this property is about and nobody checks.
    Undefined(Property),
    Violated(Box<Violation>),
    Unsupported {
        what: String,
        place: Place,
    },
}

/// The program to run, and its meaning.
#[derive(Clone, Debug)]
pub struct Vm<'p> {
    program: &'p Program,
    facts: Arc<Facts>,
    /// When it was first asked: whether addresses that come again matter.
    reuse: Arc<OnceLock<Option<Reuse>>>,
    /// The globals before the first step.
    image: Memory,
    checked: [bool; Property::ALL.len()],
    model: MemoryModel,
    /// How many stores a thread may delay.
    most_delayed: usize,
    /// What may be published later; only known where that matters.
    escapes: Option<Arc<Escapes>>,
}

/// What a run is connected to.
pub(crate) struct World<'w, I: ?Sized, O> {
    pub(crate) inputs: &'w mut I,
    pub(crate) observer: &'w mut O,
}

impl<'p> Vm<'p> {
    /// A VM for a validated program, which checks what every program is expected to keep.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self::checking(program, Property::COMMON)
    }

    /// A VM that checks only some properties. A check of another is passed over, and a thread whose next
    /// instruction has no meaning (a wild access, a division by zero) ends there, which only an observer is told.
    #[must_use]
    pub fn checking(program: &'p Program, properties: &[Property]) -> Self {
        let mut checked = [false; Property::ALL.len()];
        for &property in properties {
            checked[property as usize] = true;
        }
        let image = Memory::new(program.pointer_bits);
        let mut vm = Self {
            program,
            facts: Arc::new(Facts::new(program)),
            reuse: Arc::default(),
            image,
            checked,
            model: MemoryModel::Sc,
            most_delayed: MOST_DELAYED,
            escapes: None,
        };
        vm.image = vm.lay_out_globals();
        vm
    }

    /// The same VM, checking nothing but one property.
    #[must_use]
    pub fn only(&self, property: Property) -> Self {
        let mut vm = self.clone();
        vm.checked = [false; Property::ALL.len()];
        vm.checked[property as usize] = true;
        vm
    }

    /// The same VM under a memory model; without, it is sequentially consistent.
    #[must_use]
    pub fn with_memory_model(mut self, model: MemoryModel) -> Self {
        self.model = model;
        self.escapes = match model {
            MemoryModel::Sc | MemoryModel::Tso => None,
            MemoryModel::Pso => Some(Arc::new(Escapes::new(self.program))),
        };
        self
    }

    /// The same VM, with room for so many delayed stores of each thread; another one waits for room.
    #[must_use]
    pub(crate) fn delaying_at_most(&self, stores: usize) -> Self {
        Self { most_delayed: stores, ..self.clone() }
    }

    /// Where a global lies.
    #[must_use]
    pub fn global_address(&self, global: GlobalId) -> Option<u64> {
        let mut objects = self.image.objects();
        let found = objects.find(|(_, object)| object.creator == Creator::Global(global));
        found.map(|(_, object)| object.address)
    }

    /// The memory model.
    #[inline]
    #[must_use]
    pub fn memory_model(&self) -> MemoryModel {
        self.model
    }

    pub(crate) fn most_delayed(&self) -> usize {
        self.most_delayed
    }

    /// What is needed to choose where objects of the heap lie, if the program may tell.
    pub(crate) fn reuse(&self) -> Option<&Reuse> {
        self.reuse.get_or_init(|| Reuse::new(self.program)).as_ref()
    }

    pub(crate) fn escapes(&self) -> Option<&Escapes> {
        self.escapes.as_deref()
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Whether a property is checked.
    #[must_use]
    pub fn checks(&self, property: Property) -> bool {
        self.checked[property as usize]
    }

    fn lay_out_globals(&self) -> Memory {
        let mut memory = Memory::new(self.program.pointer_bits);
        // Slot n of the arena is global n; of a thread-local one it holds an image that nobody uses.
        for (id, global) in self.program.globals.iter() {
            let request = Request {
                size: global.size,
                align: global.align,
                zeroed: true,
                read_only: global.read_only,
                shared: !global.read_only,
                creator: Creator::Global(id),
            };
            // What does not fit is left out: every access to it is then a violation.
            if memory.allocate(GLOBALS, request, None).is_err() {
                break;
            }
        }
        // Initialisers may hold addresses of later globals, which are known only now.
        for id in self.program.globals.ids() {
            self.initialise(&mut memory, global_origin(id), id);
        }
        memory
    }

    pub(crate) fn initialise(&self, memory: &mut Memory, origin: Origin, id: GlobalId) {
        for part in &self.program.globals[id].init {
            let value = self.constant(memory, part.value);
            let size = bytes(constant_type(part.value), self.program.pointer_bits);
            let offset = u32::try_from(part.offset).expect("a validated initialiser lies in its global");
            memory.write(Spot { origin, offset }, size, value);
        }
    }

    /// The state before the first step: globals laid out, the main thread at its first visible instruction.
    pub fn start<I: Inputs + ?Sized>(
        &self,
        inputs: &mut I,
        observer: &mut impl Observer,
    ) -> (State, StepResult) {
        #[cfg(test)]
        STARTS.with(|starts| starts.set(starts.get() + 1));
        let mut state = State { memory: self.image.clone(), threads: Vec::new(), exit: None };
        self.spawn(&mut state, None, self.program.entry, &[]);
        let result = self.run_invisible(&mut state, 0, &mut World { inputs, observer });
        (state, result)
    }

    pub(crate) fn spawn(
        &self,
        state: &mut State,
        parent: Option<ThreadId>,
        function: FunctionId,
        arguments: &[Value],
    ) -> ThreadId {
        let id = u32::try_from(state.threads.len()).expect("fewer than 2^32 threads");
        let mut thread = Thread::new(function, parent);
        thread.enter(self.program, function, arguments, None, state.memory.mark(stack_of(id)));
        state.threads.push(Arc::new(thread));
        id
    }

    /// What can happen next: the steps of threads that can make one, or perhaps can, in order; then the delayed stores that
    /// can become visible.
    #[must_use]
    pub fn moves(&self, state: &State) -> Vec<Move> {
        let mut moves = Vec::new();
        self.moves_into(state, &mut moves);
        moves
    }

    /// The same without a new list.
    pub fn moves_into(&self, state: &State, moves: &mut Vec<Move>) {
        moves.clear();
        let threads = 0..u32::try_from(state.threads.len()).unwrap_or(u32::MAX);
        moves.extend(threads.filter(|&id| self.is_enabled(state, id)).map(Move::Step));
        if self.model.is_weak() {
            moves.extend(self.flushes(state));
        }
    }

    /// The threads that can make a step, in order; also those that perhaps can.
    #[must_use]
    pub fn enabled(&self, state: &State) -> Vec<ThreadId> {
        let threads = 0..u32::try_from(state.threads.len()).unwrap_or(u32::MAX);
        threads.filter(|&id| self.is_enabled(state, id)).collect()
    }

    /// Whether a thread can, or perhaps can, make a step.
    #[must_use]
    pub fn is_enabled(&self, state: &State, id: ThreadId) -> bool {
        match self.readiness(state, id) {
            Readiness::Ready | Readiness::Perhaps => true,
            Readiness::Waiting | Readiness::Over => false,
        }
    }

    /// Whether a thread can make a step.
    #[must_use]
    pub fn readiness(&self, state: &State, id: ThreadId) -> Readiness {
        let thread = &state.threads[id as usize];
        if thread.status != Status::Running || state.exit.is_some() {
            return Readiness::Over;
        }
        let Some(place) = thread.place() else { return Readiness::Over };
        if self.model.is_weak() && self.must_flush(state, id) {
            return Readiness::Waiting;
        }
        let Some(inst) = place.inst(self.program) else { return Readiness::Ready };
        let ready = |ready: bool| if ready { Readiness::Ready } else { Readiness::Waiting };
        match &inst.kind {
            InstKind::WaitUntil(condition) => {
                ready(self.operand(&state.memory, thread, *condition).is_true())
            }
            InstKind::Lock { lock } => {
                let pointer = self.operand(&state.memory, thread, *lock);
                let spot = state.memory.resolve(pointer, LOCK_BYTES);
                // A bad pointer is reported by the step.
                ready(spot.map_or(true, |spot| state.memory.read(spot, LOCK_BYTES).value.bits == 0))
            }
            InstKind::Join { thread: target, .. } => {
                ready(joined(state, self.operand(&state.memory, thread, *target)).is_some())
            }
            InstKind::AtomicBegin if self.facts.block(place).waits => self.block_readiness(state, id),
            InstKind::AtomicBegin
            | InstKind::Assign { .. }
            | InstKind::Load { .. }
            | InstKind::Store { .. }
            | InstKind::AtomicRmw { .. }
            | InstKind::CompareExchange { .. }
            | InstKind::Fence(_)
            | InstKind::Alloc { .. }
            | InstKind::Free { .. }
            | InstKind::EndLife(_)
            | InstKind::Call { .. }
            | InstKind::Intrinsic { .. }
            | InstKind::Havoc { .. }
            | InstKind::Assume(_)
            | InstKind::Check { .. }
            | InstKind::Fork { .. }
            | InstKind::Unlock { .. }
            | InstKind::AtomicEnd => Readiness::Ready,
        }
    }

    /// Whether a thread gets through the section it is at: found by trying.
    fn block_readiness(&self, state: &State, id: ThreadId) -> Readiness {
        let mut inputs = CountingZeros(0);
        let mut trial = state.clone();
        match self.run_first(&mut trial, id, &mut World { inputs: &mut inputs, observer: &mut Unwatched }) {
            Err(Halt::Blocked) if inputs.0 > 0 => Readiness::Perhaps,
            Err(Halt::Blocked) => Readiness::Waiting,
            Ok(())
            | Err(Halt::Stopped | Halt::Undefined(_) | Halt::Violated(_) | Halt::Unsupported { .. }) => {
                Readiness::Ready
            }
        }
    }

    /// For a thread that waits: the state in which it stands at the very instruction that waits, which may be inside an
    /// atomic block.
    pub(crate) fn waiting_state(&self, state: &State, id: ThreadId) -> State {
        let mut trial = state.clone();
        let mut world = World { inputs: &mut CountingZeros(0), observer: &mut Unwatched };
        match self.run_first(&mut trial, id, &mut world) {
            Err(Halt::Blocked) => trial,
            Ok(())
            | Err(Halt::Stopped | Halt::Undefined(_) | Halt::Violated(_) | Halt::Unsupported { .. }) => {
                state.clone()
            }
        }
    }

    /// Makes a move.
    pub fn make<I: Inputs + ?Sized>(
        &self,
        state: &mut State,
        next: Move,
        inputs: &mut I,
        observer: &mut impl Observer,
    ) -> StepResult {
        match next {
            Move::Step(id) => self.step(state, id, inputs, observer),
            Move::Flush { thread, store } => self.flush(state, thread, store, inputs, observer),
        }
    }

    /// Makes one step of a thread.
    pub fn step<I: Inputs + ?Sized>(
        &self,
        state: &mut State,
        id: ThreadId,
        inputs: &mut I,
        observer: &mut impl Observer,
    ) -> StepResult {
        let mut world = World { inputs, observer };
        let before = self.may_be_undone(state, id).then(|| state.clone());
        let started = state.threads.len();
        match (self.run_first(state, id, &mut world), before) {
            (Ok(()), _) => {}
            // The section did not come to its end: nobody has seen anything of it.
            (Err(Halt::Blocked), Some(before)) => {
                *state = before;
                world.observer.undone();
                return StepResult::Blocked;
            }
            (Err(halt @ (Halt::Stopped | Halt::Undefined(_))), before) => {
                // Without a state to go back to, nothing was written.
                if let Some(before) = before {
                    *state = before;
                }
                world.observer.undone();
                return self.halted(state, id, halt, world.observer);
            }
            (Err(halt), _) => return self.halted(state, id, halt, world.observer),
        }
        for new in started..state.threads.len() {
            let new = u32::try_from(new).expect("fewer than 2^32 threads");
            match self.run_invisible(state, new, &mut world) {
                StepResult::Done | StepResult::Blocked => {}
                result @ (StepResult::Violated(_) | StepResult::Unsupported { .. }) => return result,
            }
        }
        self.run_invisible(state, id, &mut world)
    }

    /// Whether the thread is at an atomic block that may not come to its end.
    fn may_be_undone(&self, state: &State, id: ThreadId) -> bool {
        let Some(place) = state.threads[id as usize].place() else { return false };
        let starts = place.inst(self.program).is_some_and(|inst| matches!(inst.kind, InstKind::AtomicBegin));
        starts && self.facts.block(place).any()
    }

    /// Whether the next step of a thread may have to wait for something that others do, beside the end of a thread.
    pub(crate) fn may_wait(&self, state: &State, id: ThreadId) -> bool {
        match self.stands_at(state, id) {
            Some((place, InstKind::AtomicBegin)) => self.facts.block(place).waits,
            Some((_, kind)) => matches!(kind, InstKind::Lock { .. } | InstKind::WaitUntil(_)),
            None => false,
        }
    }

    fn halted<O: Observer>(
        &self,
        state: &mut State,
        id: ThreadId,
        halt: Halt,
        observer: &mut O,
    ) -> StepResult {
        let mut stop = || {
            let thread = Arc::make_mut(&mut state.threads[id as usize]);
            thread.status = Status::Stopped;
            thread.atomic_depth = 0;
            StepResult::Done
        };
        match halt {
            Halt::Blocked => StepResult::Blocked,
            Halt::Stopped => stop(),
            Halt::Undefined(property) => {
                observer.undefined(property);
                stop()
            }
            Halt::Violated(violation) => StepResult::Violated(violation),
            Halt::Unsupported { what, place } => StepResult::Unsupported { what, place },
        }
    }

    /// Runs invisible instructions up to the next visible one.
    pub(crate) fn run_invisible<I: Inputs + ?Sized, O: Observer>(
        &self,
        state: &mut State,
        id: ThreadId,
        world: &mut World<'_, I, O>,
    ) -> StepResult {
        if state.exit.is_some() || state.threads[id as usize].status != Status::Running {
            return StepResult::Done;
        }
        match self.go(state, id, Until::Visible, world) {
            // A thread that runs very long without a visible instruction gives others a turn.
            Ok(Pause::There | Pause::Special | Pause::Patience) => StepResult::Done,
            Ok(Pause::Exit(exit)) => {
                state.exit = Some(exit);
                world.observer.exited(&state.memory);
                StepResult::Done
            }
            Err(halt) => self.halted(state, id, halt, world.observer),
        }
    }

    /// Runs the next instruction, visible or not; if that opens an atomic block, all of it.
    fn run_first<I: Inputs + ?Sized, O: Observer>(
        &self,
        state: &mut State,
        id: ThreadId,
        world: &mut World<'_, I, O>,
    ) -> Result<(), Halt> {
        loop {
            match self.go(state, id, Until::OutsideSections, world)? {
                Pause::There => return Ok(()),
                Pause::Special => {
                    self.special(state, id, world)?;
                    if state.threads[id as usize].atomic_depth == 0 {
                        return Ok(());
                    }
                }
                Pause::Exit(exit) => {
                    state.exit = Some(exit);
                    world.observer.exited(&state.memory);
                    return Ok(());
                }
                Pause::Patience => {
                    let place =
                        state.threads[id as usize].place().expect("a running thread stands somewhere");
                    let what = "an atomic block of more than four million instructions".to_owned();
                    return Err(Halt::Unsupported { what, place });
                }
            }
        }
    }

    fn go<I: Inputs + ?Sized, O: Observer>(
        &self,
        state: &mut State,
        id: ThreadId,
        until: Until,
        world: &mut World<'_, I, O>,
    ) -> Result<Pause, Halt> {
        if self.model.is_weak() {
            self.with_cursor(state, id, |cursor| cursor.go::<true, I, O>(until, world))
        } else {
            self.with_cursor(state, id, |cursor| cursor.go::<false, I, O>(until, world))
        }
    }

    /// Does something where a thread stands.
    #[inline(always)]
    pub(crate) fn with_cursor<R>(
        &self,
        state: &mut State,
        id: ThreadId,
        act: impl FnOnce(&mut Cursor<'_, '_>) -> R,
    ) -> R {
        let started = u32::try_from(state.threads.len()).expect("fewer than 2^32 threads");
        let State { memory, threads, .. } = state;
        let idle = |thread: &Thread| thread.status != Status::Running && thread.buffer.is_empty();
        let others = || threads.iter().zip(0..).filter(|&(_, other)| other != id);
        let alone = self.model.is_weak() && others().all(|(thread, _)| idle(thread));
        let thread = Arc::make_mut(&mut threads[id as usize]);
        act(&mut Cursor::new(self, memory, thread, id, (started, alone)))
    }

    /// The section facts are public to the crate: deadlock reports and exploration look at them.
    pub(crate) fn stands_at(&self, state: &State, id: ThreadId) -> Option<(Place, &'p InstKind)> {
        let place = state.threads[id as usize].place()?;
        Some((place, &place.inst(self.program)?.kind))
    }
}

#[cfg(test)]
std::thread_local! {
    /// How many executions were begun in this thread of the tests.
    static STARTS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// How many executions were begun in this thread of the tests.
#[cfg(test)]
pub(crate) fn starts() -> u64 {
    STARTS.with(std::cell::Cell::get)
}

/// Zero, always; and how often it was asked.
struct CountingZeros(u32);

impl Inputs for CountingZeros {
    fn input(&mut self, _: &InputRequest) -> u128 {
        self.0 += 1;
        0
    }
}

/// The object of a global.
pub(crate) fn global_origin(id: GlobalId) -> Origin {
    let slot = u32::try_from(id.index()).expect("ids have 32 bits");
    Origin::new(GLOBALS, slot, NonZeroU32::MIN.saturating_add(slot))
}

/// The thread that a join waits for, if it has ended, and its result.
pub(crate) fn joined(state: &State, target: Value) -> Option<(ThreadId, Value)> {
    let id = u32::try_from(target.bits).ok()?;
    match state.threads.get(id as usize)?.status {
        Status::Ended(result) => Some((id, result)),
        Status::Running | Status::Stopped => None,
    }
}

pub(crate) fn constant_type(constant: Constant) -> Type {
    constant.ty()
}
