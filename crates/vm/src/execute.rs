//! How a thread moves through its code: calls, branches, its end; starting and joining threads.
//!
//! The meaning of the other instructions is in [`operate`](crate::operate).

use std::sync::Arc;

use raddle_base::Id;
use raddle_ir::{
    AllocStorage, BlockId, Constant, Function, FunctionId, Inst, InstKind, Operand, Property, RegisterId,
    Terminator, Type,
};

use crate::code::{Place, is_operation};
use crate::describe;
use crate::layout::{function_address, function_at};
use crate::mark::LAYOUT;
use crate::memory::{EndCause, Fault, Memory, StackMark, stack_of};
use crate::observe::{Action, Event, InputReason, InputRequest, Inputs, Observer, Way};
use crate::state::{Exit, State, Status, Thread, ThreadId};
use crate::step::{Halt, Vm, World, global_origin, joined};
use crate::value::{Origin, Value, mask, signed, width};
use crate::violation::Violation;

/// A thread that runs this many instructions in a row is interrupted.
const PATIENCE: u32 = 1 << 22;

/// Deeper recursion than this counts as a stack overflow: eight megabytes hold about as many activations.
const MAX_FRAMES: usize = 100_000;

/// How far a thread is to run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Until {
    /// To its next visible instruction.
    Visible,
    /// At least one instruction, and on to where it is in no atomic block.
    OutsideSections,
}

/// Whether an instruction was run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// It was.
    Next,
    /// It was not: it is visible, and the thread was to run up to such a one.
    Visible,
}

/// Why it does not run on.
pub(crate) enum Pause {
    /// It is there, or at its end.
    There,
    /// The next instruction concerns other threads, see [`Vm::special`].
    Special,
    /// The process ends.
    Exit(Exit),
    /// It has run for very long.
    Patience,
}

/// One thread's view of the state while it runs, with its current activation unpacked.
pub(crate) struct Cursor<'s, 'p> {
    pub(crate) vm: &'s Vm<'p>,
    pub(crate) memory: &'s mut Memory,
    pub(crate) thread: &'s mut Thread,
    pub(crate) id: ThreadId,
    /// How many threads were ever started.
    pub(crate) started: u32,
    /// Under weak memory models, whether no other thread could see a store, or make one.
    pub(crate) alone: bool,
    pub(crate) pointer_bits: u8,
    pub(crate) function: &'p Function,
    insts: &'p [Inst],
    base: usize,
    pub(crate) place: Place,
}

impl<'s, 'p> Cursor<'s, 'p> {
    pub(crate) fn new(
        vm: &'s Vm<'p>,
        memory: &'s mut Memory,
        thread: &'s mut Thread,
        id: ThreadId,
        (started, alone): (u32, bool),
    ) -> Self {
        let frame = thread.frames.last().expect("only running threads are run");
        let (place, base) = (frame.stands_at(false), frame.base as usize);
        let function = &vm.program().functions[place.function];
        let insts = &function.blocks[place.block].insts;
        let pointer_bits = vm.program().pointer_bits;
        Self { vm, memory, thread, id, started, alone, pointer_bits, function, insts, base, place }
    }

    /// Writes back where the thread stands.
    pub(crate) fn save(&mut self) {
        if let Some(frame) = self.thread.frames.last_mut() {
            frame.block = self.place.block;
            frame.index = self.place.index;
        }
    }

    /// Unpacks the innermost activation.
    fn load(&mut self) {
        let frame = self.thread.frames.last().expect("a running thread has a frame");
        (self.place, self.base) = (frame.stands_at(false), frame.base as usize);
        self.function = &self.vm.program().functions[self.place.function];
        self.insts = &self.function.blocks[self.place.block].insts;
    }

    /// What only weak memory models need is there for `WEAK` alone, so that it costs nothing without.
    pub(crate) fn go<const WEAK: bool, I: Inputs + ?Sized, O: Observer>(
        &mut self,
        until: Until,
        world: &mut World<'_, I, O>,
    ) -> Result<Pause, Halt> {
        let mut patience = PATIENCE;
        let result = self.run::<WEAK, I, O>(until, world, &mut patience);
        self.save();
        world.observer.executed(u64::from(PATIENCE - patience));
        result
    }

    /// Goes on behind an operation that was made.
    pub(crate) fn pass(&mut self) {
        self.place.index += 1;
        if self.vm.memory_model().is_weak() {
            self.thread.operations += 1;
        }
        self.save();
    }

    #[inline(always)]
    fn run<const WEAK: bool, I: Inputs + ?Sized, O: Observer>(
        &mut self,
        until: Until,
        world: &mut World<'_, I, O>,
        patience: &mut u32,
    ) -> Result<Pause, Halt> {
        while *patience > 0 {
            *patience -= 1;
            if WEAK && !self.thread.buffer.is_empty() && self.is_held_back(world) {
                return if until == Until::Visible { Ok(Pause::There) } else { Err(Halt::Blocked) };
            }
            let Some(inst) = self.insts.get(self.place.index as usize) else {
                let terminator = &self.function.blocks[self.place.block].terminator;
                // What ends the execution is a step of its own: others may go on before.
                let ends = matches!(
                    terminator,
                    Terminator::ExitProcess(_) | Terminator::Abort | Terminator::Unsupported(_)
                );
                if until == Until::Visible && ends {
                    return Ok(Pause::There);
                }
                if O::WATCHES {
                    world.observer.passed(self.id, self.place);
                }
                if !self.thread.tainted.is_empty() {
                    self.decides_way(terminator)?;
                }
                if let Some(pause) = self.terminate::<WEAK, I, O>(terminator, world)? {
                    return Ok(pause);
                }
                if until == Until::OutsideSections && self.thread.atomic_depth == 0 {
                    return Ok(Pause::There);
                }
                continue;
            };
            self.decides(&inst.kind)?;
            match &inst.kind {
                InstKind::Fork { .. } | InstKind::Join { .. } => {
                    return Ok(if until == Until::Visible { Pause::There } else { Pause::Special });
                }
                // Others may free what lies where it could.
                InstKind::Alloc { storage: AllocStorage::Heap | AllocStorage::Library, .. }
                    if self.vm.reuse().is_some() =>
                {
                    return Ok(if until == Until::Visible { Pause::There } else { Pause::Special });
                }
                InstKind::Call { dest, callee, arguments } => self.call(*dest, *callee, arguments, world)?,
                InstKind::Assign { .. }
                | InstKind::Load { .. }
                | InstKind::Store { .. }
                | InstKind::AtomicRmw { .. }
                | InstKind::CompareExchange { .. }
                | InstKind::Fence(_)
                | InstKind::Alloc { .. }
                | InstKind::Free { .. }
                | InstKind::EndLife(_)
                | InstKind::Intrinsic { .. }
                | InstKind::Havoc { .. }
                | InstKind::Assume(_)
                | InstKind::WaitUntil(_)
                | InstKind::Check { .. }
                | InstKind::Lock { .. }
                | InstKind::Unlock { .. }
                | InstKind::AtomicBegin
                | InstKind::AtomicEnd => {
                    if self.operate::<WEAK, I, O>(&inst.kind, until, world)? == Flow::Visible {
                        return Ok(Pause::There);
                    }
                    self.place.index += 1;
                    if WEAK && is_operation(&inst.kind) {
                        self.thread.operations += 1;
                    }
                }
            }
            if until == Until::OutsideSections && self.thread.atomic_depth == 0 {
                return Ok(Pause::There);
            }
        }
        Ok(Pause::Patience)
    }

    /// Where the registers of the current activation begin.
    pub(crate) const fn base(&self) -> usize {
        self.base
    }

    /// What an operand holds.
    #[inline]
    pub(crate) fn get(&self, operand: &Operand) -> Value {
        match operand {
            Operand::Register(register) => self.thread.registers[self.base + register.index()],
            Operand::Constant(constant) => self.vm.constant(self.memory, *constant),
        }
    }

    /// The bits of what an operand holds: half of the work where it is known to be a number.
    #[inline]
    pub(crate) fn bits(&self, operand: &Operand) -> u128 {
        match operand {
            Operand::Register(register) => self.thread.registers[self.base + register.index()].bits,
            Operand::Constant(Constant::Int(_, value)) => *value,
            Operand::Constant(constant) => self.vm.constant(self.memory, *constant).bits,
        }
    }

    /// The low 64 bits of what an operand holds: an address.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "taking the low bits is the point")]
    pub(crate) fn low(&self, operand: &Operand) -> u64 {
        self.bits(operand) as u64
    }

    /// What an operand points into.
    #[inline]
    pub(crate) fn origin(&self, operand: &Operand) -> Option<Origin> {
        match operand {
            Operand::Register(register) => self.thread.registers[self.base + register.index()].origin,
            Operand::Constant(Constant::Int(..)) => None,
            Operand::Constant(constant) => self.vm.constant(self.memory, *constant).origin,
        }
    }

    #[inline]
    pub(crate) fn set(&mut self, register: RegisterId, value: Value) {
        self.thread.registers[self.base + register.index()] = value;
    }

    #[inline]
    pub(crate) fn set_bits(&mut self, register: RegisterId, bits: u128) {
        let value = &mut self.thread.registers[self.base + register.index()];
        value.bits = bits;
        value.origin = None;
    }

    #[inline]
    pub(crate) fn type_of(&self, operand: &Operand) -> Type {
        match operand {
            Operand::Register(register) => self.function.registers[*register].ty,
            Operand::Constant(constant) => constant.ty(),
        }
    }

    /// What a register holds.
    pub(crate) fn register(&self, register: RegisterId) -> Value {
        self.thread.registers[self.base + register.index()]
    }

    /// Tells that an operation was made; what exactly is put together only for those who want to know.
    #[inline]
    pub(crate) fn notify<I: ?Sized, O: Observer>(
        &self,
        world: &mut World<'_, I, O>,
        action: impl FnOnce() -> Action,
    ) {
        if O::WATCHES {
            world.observer.operation(self.id);
            if world.observer.is_watching() {
                world.describe(self.vm, self.memory, self.thread, (self.id, self.place), action());
            }
        }
    }

    pub(crate) fn ask<I: Inputs + ?Sized, O: Observer>(
        &self,
        world: &mut World<'_, I, O>,
        reason: InputReason,
        ty: Type,
    ) -> Value {
        let request = InputRequest { thread: self.id, reason, ty, place: self.place };
        let value = Value::plain(world.inputs.input(&request) & mask(width(ty, self.pointer_bits)));
        world.observe(
            self.vm,
            self.memory,
            self.thread,
            (self.id, self.place),
            Action::Input(reason, value, ty),
        );
        value
    }

    /// A broken property at the instruction at hand. Where nobody checks it, the behaviour is undefined.
    #[cold]
    pub(crate) fn violated(&mut self, property: Property, message: String) -> Halt {
        if !self.vm.checks(property) {
            return Halt::Undefined(property);
        }
        self.save();
        self.vm.violation(self.thread, self.id, property, message)
    }

    #[cold]
    pub(crate) fn fault(&mut self, fault: Fault, what: &str) -> Halt {
        let message = describe::fault(self.vm.program(), self.memory, fault, what);
        self.violated(Property::MemorySafety, message)
    }

    fn jump(&mut self, target: BlockId) {
        self.place.block = target;
        self.place.index = 0;
        self.insts = &self.function.blocks[target].insts;
    }

    /// Goes to one of several blocks.
    #[inline]
    fn go_to<I: ?Sized, O: Observer>(&mut self, target: BlockId, world: &mut World<'_, I, O>) {
        if O::WATCHES {
            world.observer.went(self.id, self.place, Way::Block(target));
        }
        self.jump(target);
    }

    #[inline(always)]
    fn call<I: Inputs + ?Sized, O: Observer>(
        &mut self,
        dest: Option<RegisterId>,
        callee: Operand,
        arguments: &[Operand],
        world: &mut World<'_, I, O>,
    ) -> Result<(), Halt> {
        let program = self.vm.program();
        let Some(target) = self.vm.function_at(self.get(&callee)) else {
            let message = "a call through a pointer that is not a function".to_owned();
            return Err(self.violated(Property::MemorySafety, message));
        };
        let function = &program.functions[target];
        let wanted = dest.map(|dest| self.function.registers[dest].ty);
        let fits =
            function.parameters.len() == arguments.len()
                && (wanted.is_none() || wanted == function.result)
                && function.parameters.iter().zip(arguments).all(|(&parameter, &argument)| {
                    function.registers[parameter].ty == self.type_of(&argument)
                });
        if !fits {
            let message = format!("`{}` is called through a pointer of another type", function.name);
            return Err(self.violated(Property::MemorySafety, message));
        }
        if O::WATCHES && !matches!(callee, Operand::Constant(Constant::Function(_))) {
            world.observer.went(self.id, self.place, Way::Function(target));
        }
        if function.blocks.is_empty() {
            if let (Some(dest), Some(ty)) = (dest, function.result) {
                let value = self.ask(world, InputReason::External, ty);
                self.set(dest, value);
                self.taint(dest, 0);
            }
            self.place.index += 1;
            return Ok(());
        }
        if self.thread.frames.len() >= MAX_FRAMES {
            let message = "the stack overflows: recursion without end".to_owned();
            return Err(self.violated(Property::MemorySafety, message));
        }
        let values: smallvec::SmallVec<[Value; 8]> =
            arguments.iter().map(|argument| self.get(argument)).collect();
        let tainted: smallvec::SmallVec<[u128; 8]> =
            arguments.iter().map(|argument| self.tainted(argument)).collect();
        self.place.index += 1;
        self.save();
        self.thread.enter(program, target, &values, dest, self.memory.mark(stack_of(self.id)));
        self.load();
        for (&parameter, tainted) in program.functions[target].parameters.iter().zip(tainted) {
            self.taint(parameter, tainted);
        }
        Ok(())
    }

    /// Goes where a terminator leads. Gives a pause when the thread or the process has come to its end.
    #[inline]
    fn terminate<const WEAK: bool, I: ?Sized, O: Observer>(
        &mut self,
        terminator: &Terminator,
        world: &mut World<'_, I, O>,
    ) -> Result<Option<Pause>, Halt> {
        match terminator {
            Terminator::Jump(target) => self.jump(*target),
            Terminator::Branch(condition, then, otherwise) => {
                let target = if self.bits(condition) != 0 { *then } else { *otherwise };
                self.go_to(target, world);
            }
            Terminator::Switch { value, cases, default } => {
                if self.origin(value).is_some() {
                    world.observer.looked(self.place, LAYOUT);
                }
                let value = self.bits(value);
                let case = cases.iter().find(|(low, high, _)| (*low..=*high).contains(&value));
                self.go_to(case.map_or(*default, |(_, _, target)| *target), world);
            }
            Terminator::Return(result) => {
                let tainted = result.as_ref().map_or(0, |result| self.tainted(result));
                let result = result.as_ref().map(|result| self.get(result));
                let frame = self.thread.frames.pop().expect("the frame that returns");
                if !self.thread.tainted.is_empty() {
                    self.thread.tainted.split_off(&frame.base);
                }
                self.thread.registers.truncate(frame.base as usize);
                if self.thread.frames.is_empty() {
                    self.thread.tainted_result = tainted;
                    self.end(frame.mark, result.unwrap_or(Value::ZERO), world);
                    return Ok(Some(Pause::There));
                }
                self.memory.pop_to(stack_of(self.id), frame.mark, EndCause::Returned, self.place);
                if WEAK && !self.thread.buffer.is_empty() {
                    self.forget_dead_stores();
                }
                self.load();
                if let (Some(dest), Some(result)) = (frame.result, result) {
                    self.set(dest, result);
                    self.taint(dest, tainted);
                }
            }
            Terminator::ExitThread(result) => {
                self.thread.tainted_result = self.tainted(result);
                let result = self.get(result);
                let mark = self.thread.frames.first().expect("a running thread has a frame").mark;
                self.thread.frames.clear();
                self.thread.registers.clear();
                self.end(mark, result, world);
                return Ok(Some(Pause::There));
            }
            Terminator::ExitProcess(status) => {
                let status = signed(self.bits(status) & mask(32), 32);
                let status = i32::try_from(status).expect("32 bits were taken");
                return Ok(Some(Pause::Exit(Exit::Status(status))));
            }
            Terminator::Abort => return Ok(Some(Pause::Exit(Exit::Abort))),
            Terminator::Unreachable => {
                let message = "unreachable code was reached".to_owned();
                return Err(self.violated(Property::MemorySafety, message));
            }
            Terminator::Unsupported(what) => {
                return Err(Halt::Unsupported { what: what.to_string(), place: self.place });
            }
        }
        Ok(None)
    }

    /// Ends the thread: what is its own goes, its result may be seen by whoever joins it.
    fn end<I: ?Sized, O: Observer>(&mut self, mark: StackMark, result: Value, world: &mut World<'_, I, O>) {
        if let Some(origin) = result.origin {
            self.memory.share(origin);
        }
        self.memory.pop_to(stack_of(self.id), mark, EndCause::ThreadEnded, self.place);
        for &(_, origin) in &self.thread.thread_locals {
            self.memory.end(origin, EndCause::ThreadEnded, self.place);
        }
        self.thread.status = Status::Ended(result);
        self.thread.atomic_depth = 0;
        world.observe(self.vm, self.memory, self.thread, (self.id, self.place), Action::End(result));
    }
}

impl Vm<'_> {
    /// What an operand holds.
    pub(crate) fn operand(&self, memory: &Memory, thread: &Thread, operand: Operand) -> Value {
        match operand {
            Operand::Register(register) => thread.register(register),
            Operand::Constant(constant) => self.constant(memory, constant),
        }
    }

    /// The value of a constant.
    #[inline]
    pub(crate) fn constant(&self, memory: &Memory, constant: Constant) -> Value {
        match constant {
            Constant::Int(bits, value) => Value::plain(value & mask(bits)),
            Constant::F32(bits) => Value::plain(bits.into()),
            Constant::F64(bits) => Value::plain(bits.into()),
            Constant::Null => Value::ZERO,
            Constant::Global(id, offset) => {
                let origin = global_origin(id);
                let address =
                    memory.object(origin).map_or(0, |object| object.address).wrapping_add_signed(offset);
                Value { bits: u128::from(address) & mask(self.program().pointer_bits), origin: Some(origin) }
            }
            Constant::Function(function) => Value::plain(u128::from(function_address(function))),
        }
    }

    /// The function at an address.
    pub(crate) fn function_at(&self, pointer: Value) -> Option<FunctionId> {
        function_at(self.program(), pointer)
    }

    /// Starts or joins a thread, or makes an object whose address may have been known to others: the instructions that concern
    /// other threads.
    pub(crate) fn special<I: Inputs + ?Sized, O: Observer>(
        &self,
        state: &mut State,
        id: ThreadId,
        world: &mut World<'_, I, O>,
    ) -> Result<(), Halt> {
        let Some((place, kind)) = self.stands_at(state, id) else { return Ok(()) };
        let value = |state: &State, operand: Operand| {
            self.operand(&state.memory, &state.threads[id as usize], operand)
        };
        let mut tainted = 0;
        let (dest, result, action) = if let InstKind::Fork { dest, function, argument } = kind {
            let passed = tainted_bits(&state.threads[id as usize], *argument);
            let (function, argument) = (value(state, *function), value(state, *argument));
            let target = self.function_at(function).filter(|&target| self.can_start(target));
            let Some(target) = target else {
                let what =
                    "a thread is started at something that is not a function of one pointer with a body";
                return Err(self.misuse(state, id, what));
            };
            if let Some(origin) = argument.origin {
                state.memory.share(origin);
            }
            let child = self.spawn(state, Some(id), target, &[argument]);
            if O::WATCHES {
                world.observer.went(child, place, Way::Begin(target));
            }
            if let (1.., [parameter]) = (passed, &*self.program().functions[target].parameters) {
                let number = u32::try_from(parameter.index()).expect("ids have 32 bits");
                Arc::make_mut(&mut state.threads[child as usize]).tainted.insert(number, passed);
            }
            (Some(*dest), Value::plain(child.into()), Action::Fork(child))
        } else if let InstKind::Join { dest, thread } = kind {
            let (joined, result) = joined(state, value(state, *thread)).ok_or(Halt::Blocked)?;
            tainted = state.threads[joined as usize].tainted_result;
            Arc::make_mut(&mut state.threads[joined as usize]).joined = true;
            (*dest, result, Action::Join(joined))
        } else if let InstKind::Alloc { .. } = kind {
            return self.allocate(state, id, world);
        } else {
            return Ok(());
        };
        let State { memory, threads, .. } = state;
        let thread = Arc::make_mut(&mut threads[id as usize]);
        let frame = thread.frames.last_mut().expect("a running thread has a frame");
        frame.index += 1;
        if self.memory_model().is_weak() {
            thread.operations += 1;
        }
        if let Some(dest) = dest {
            let base = frame.base as usize;
            thread.registers[base + dest.index()] = result;
            let number = u32::try_from(base + dest.index()).expect("fewer than 2^32 registers are live");
            if tainted == 0 {
                thread.tainted.remove(&number);
            } else {
                thread.tainted.insert(number, tainted);
            }
        }
        world.observe(self, memory, thread, (id, place), action);
        Ok(())
    }

    fn can_start(&self, function: FunctionId) -> bool {
        let function = &self.program().functions[function];
        !function.blocks.is_empty()
            && match *function.parameters {
                [] => true,
                [only] => function.registers[only].ty == Type::Ptr,
                _ => false,
            }
    }

    fn misuse(&self, state: &State, id: ThreadId, what: &str) -> Halt {
        if !self.checks(Property::MemorySafety) {
            return Halt::Undefined(Property::MemorySafety);
        }
        self.violation(&state.threads[id as usize], id, Property::MemorySafety, what.to_owned())
    }

    /// A broken property at the thread's next instruction.
    pub(crate) fn violation(
        &self,
        thread: &Thread,
        id: ThreadId,
        property: Property,
        message: String,
    ) -> Halt {
        let stack = thread.stack();
        let span = stack.first().map_or(raddle_base::Span::NONE, |place| place.span(self.program()));
        Halt::Violated(Box::new(Violation { property, message, thread: id, stack, span, race: None }))
    }
}

/// The bits of an operand of a thread's current activation that were never written.
fn tainted_bits(thread: &Thread, operand: Operand) -> u128 {
    let (Operand::Register(register), Some(frame)) = (operand, thread.frames.last()) else { return 0 };
    let number = u32::try_from(frame.base as usize + register.index());
    number.ok().and_then(|number| thread.tainted.get(&number).copied()).unwrap_or(0)
}

impl<I: ?Sized, O: Observer> World<'_, I, O> {
    /// Tells the observer what a thread did at a place, and where the program itself stands.
    #[inline]
    pub(crate) fn observe(
        &mut self,
        vm: &Vm<'_>,
        memory: &Memory,
        thread: &Thread,
        (id, place): (ThreadId, Place),
        action: Action,
    ) {
        if !O::WATCHES {
            return;
        }
        if action.is_operation() {
            self.observer.operation(id);
        }
        if self.observer.is_watching() || matches!(action, Action::Input(..)) {
            self.describe(vm, memory, thread, (id, place), action);
        }
    }

    fn describe(
        &mut self,
        vm: &Vm<'_>,
        memory: &Memory,
        thread: &Thread,
        (id, place): (ThreadId, Place),
        action: Action,
    ) {
        let (place, user, api) = told_at(vm, thread, place);
        self.observer.event(&Event { thread: id, place, user, api, action }, memory);
    }
}

/// A place, with where the program itself stands and the API function that it called there, if the place is in a model.
pub(crate) fn told_at(vm: &Vm<'_>, thread: &Thread, place: Place) -> (Place, Place, Option<FunctionId>) {
    let is_model = |function: FunctionId| vm.program().functions[function].model;
    if is_model(place.function) {
        // The innermost activation is the one at hand; it is gone already when a thread's first function returns.
        let callers = thread.frames.len().saturating_sub(1);
        let user = (0..callers).rev().find(|&depth| !is_model(thread.frames[depth].function));
        if let Some(depth) = user {
            return (place, thread.frames[depth].stands_at(true), Some(thread.frames[depth + 1].function));
        }
    }
    (place, place, None)
}
