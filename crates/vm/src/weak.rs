//! What loads, stores and flushes do under weak memory models; the rules are in [`crate::memory_model`].
//!
//! To put a store into one's own buffer concerns nobody else, so it is no step, unless the object may end meanwhile: then
//! whether the store is a violation depends on when it is made. The flush is the step that others see.
//!
//! A delayed store is checked when it is made, like any other. If its object ends before it becomes visible, by its own thread, the
//! store is dropped: who would look at a variable that is gone is a violation already. If another thread
//! ended the object, the flush writes to memory that is not there any more, and is the violation.

use std::sync::Arc;

use raddle_ir::{InstKind, Ordering, Property, Type};

use crate::buffer::DelayedStore;
use crate::describe;
use crate::execute::{Cursor, Until, told_at};
use crate::mark::is_several;
use crate::memory::addresses::kept;
use crate::memory::{Creator, Fault, Memory, Object, Spot, stack_of};
use crate::memory_model::{MemoryModel, end_waits_for_stores, waits_for_stores};
use crate::observe::{Action, Event, InputReason, Inputs, Observer};
use crate::state::{Move, State, Status, Thread, ThreadId};
use crate::step::{Halt, StepResult, Vm, World, bytes};
use crate::value::{Origin, Value};
use crate::violation::Violation;

/// What became of a store that may be delayed.
pub(crate) enum Delay {
    /// It goes to memory like under sequential consistency.
    Direct,
    /// It is in the buffer.
    Delayed,
    /// It is a step of its own, and the thread is to stop before it.
    Visible,
}

/// What is stored: how, what, and with which ordering.
pub(crate) type Stored = (Type, Value, Ordering);

fn is_private(memory: &Memory, store: &DelayedStore) -> bool {
    memory.object(store.spot.origin).is_some_and(|object| !object.shared)
}

fn flush_event(thread: ThreadId, store: &DelayedStore) -> Event {
    let action = Action::Flush {
        operation: store.operation,
        spot: store.spot,
        ty: store.ty,
        value: store.value,
        ordering: store.ordering,
    };
    Event { thread, place: store.place, user: store.user, api: store.api, action }
}

impl Cursor<'_, '_> {
    /// Whether the next instruction waits until delayed stores have become visible. What nobody else can reach becomes so
    /// without a step.
    pub(crate) fn is_held_back<I: ?Sized, O: Observer>(&mut self, world: &mut World<'_, I, O>) -> bool {
        if !self.vm.waits_at(self.thread, self.place) {
            return false;
        }
        self.write_private_stores(world);
        !self.thread.buffer.is_empty()
    }

    /// Brings delayed stores to objects that only this thread can reach to memory.
    fn write_private_stores<I: ?Sized, O: Observer>(&mut self, world: &mut World<'_, I, O>) {
        let mut index = 0;
        while let Some(store) = self.thread.buffer.stores().get(index) {
            if is_private(self.memory, store) {
                let store = self.thread.buffer.remove(index);
                self.memory.write(store.spot, store.size, store.value);
                world.flushed(self.id, &store, self.memory);
            } else {
                index += 1;
            }
        }
    }

    /// Makes a store that is neither sequentially consistent nor in an atomic block, if it is to be delayed.
    pub(crate) fn delay<I: ?Sized, O: Observer>(
        &mut self,
        (address, origin): (u64, Option<Origin>),
        (ty, value, ordering): Stored,
        until: Until,
        world: &mut World<'_, I, O>,
    ) -> Result<Delay, Halt> {
        let size = bytes(ty, self.pointer_bits);
        let (spot, object) = match self.memory.locate_address(address, origin, size) {
            Ok(found) => found,
            Err(fault) => return Err(self.fault(fault, "write")),
        };
        let is_alone = self.alone && self.thread.buffer.is_empty();
        let matters = object.shared || self.vm.may_escape(object.creator);
        if object.read_only || is_alone || !matters {
            return Ok(Delay::Direct);
        }
        let may_end = object.shared && !matches!(object.creator, Creator::Global(_));
        if self.vm.is_full(self.thread) {
            self.write_private_stores(world);
        }
        if (may_end || self.vm.is_full(self.thread)) && until == Until::Visible {
            return Ok(Delay::Visible);
        }
        if self.vm.is_full(self.thread) {
            return Err(Halt::Blocked);
        }
        // What it points to can be found from now on, or as soon as the object itself can.
        if let Some(origin) = value.origin {
            self.memory.share(origin);
        }
        let operation = self.thread.operations + 1;
        let at = told_at(self.vm, self.thread, self.place);
        self.thread.buffer.push(DelayedStore::new((spot, size), (ty, value, ordering), operation, at));
        self.notify(world, || Action::Delay { operation, spot, ty, value, ordering });
        Ok(Delay::Delayed)
    }

    /// What a load sees where the thread has delayed stores to some of the bytes; `newest` is the last of them.
    pub(crate) fn read_delayed<I: Inputs + ?Sized, O: Observer>(
        &mut self,
        newest: DelayedStore,
        (spot, size): (Spot, u64),
        ty: Type,
        world: &mut World<'_, I, O>,
    ) -> Value {
        if (newest.spot, newest.size) == (spot, size) {
            let origin = kept(newest.value.origin, size, u64::from(self.pointer_bits / 8));
            return Value { origin, ..newest.value };
        }
        let pointer_bits = self.pointer_bits;
        let mut seen = self.seen(spot, size);
        let mut read = seen.read(spot.offset, size, pointer_bits);
        if !read.initialised {
            // In memory too, so that others see the same; also where a delayed store will write over it.
            let value = self.ask(world, InputReason::Uninitialised(spot), ty);
            self.memory.write_unwritten(spot, size, value);
            seen = self.seen(spot, size);
            read = seen.read(spot.offset, size, pointer_bits);
        }
        // As for any pointer that is read in pieces.
        if read.value.origin.is_none_or(is_several) {
            for origin in seen.pointers_in(spot.offset, size) {
                self.memory.share(origin);
            }
        }
        read.value
    }

    fn seen(&self, spot: Spot, size: u64) -> Object {
        let mut object = self.memory.object(spot.origin).expect("the load has found it").clone();
        self.thread.buffer.write_into(&mut object, (spot, size), self.pointer_bits);
        object
    }

    /// Local or thread-local variables have ended: the thread's own delayed stores to them are dropped.
    pub(crate) fn forget_dead_stores(&mut self) {
        let own = stack_of(self.id);
        let mut index = 0;
        while let Some(store) = self.thread.buffer.stores().get(index) {
            let origin = store.spot.origin;
            let is_own =
                origin.arena == own || self.thread.thread_locals.iter().any(|local| local.1 == origin);
            if is_own && self.memory.object(origin).is_none() {
                self.thread.buffer.remove(index);
            } else {
                index += 1;
            }
        }
    }
}

impl Vm<'_> {
    /// Whether what comes next in a thread waits until it has no delayed stores.
    fn waits_at(&self, thread: &Thread, place: crate::code::Place) -> bool {
        match place.inst(self.program()) {
            Some(inst) => waits_for_stores(&inst.kind),
            None => end_waits_for_stores(&place.block(self.program()).terminator, thread.frames.len() == 1),
        }
    }

    /// Whether no more stores of a thread can be delayed.
    fn is_full(&self, thread: &Thread) -> bool {
        thread.buffer.len() >= self.most_delayed()
    }

    /// Whether a thread must let delayed stores become visible before it is enabled.
    pub(crate) fn must_flush(&self, state: &State, id: ThreadId) -> bool {
        let thread = &state.threads[id as usize];
        if thread.buffer.stores().iter().all(|store| is_private(&state.memory, store)) {
            return false;
        }
        let Some(place) = thread.place() else { return false };
        // A thread stands at a store that goes into a full buffer only because that is full.
        let stores = || matches!(place.inst(self.program()), Some(inst) if matches!(inst.kind, InstKind::Store { .. }));
        self.waits_at(thread, place) || (self.is_full(thread) && stores())
    }

    /// Whether a delayed store may become visible now.
    #[must_use]
    pub fn can_flush(&self, state: &State, thread: ThreadId, store: u32) -> bool {
        let Some(owner) = state.threads.get(thread as usize) else { return false };
        state.exit.is_none() && owner.buffer.may_leave(self.memory_model(), store as usize)
    }

    /// The flushes that others could notice, by thread and age of the store.
    pub(crate) fn flushes<'s>(&'s self, state: &'s State) -> impl Iterator<Item = Move> + 's {
        let threads = state.threads.iter().zip(0..).filter(|(thread, _)| !thread.buffer.is_empty());
        threads.flat_map(move |(thread, id)| {
            thread.buffer.stores().iter().zip(0..).filter_map(move |(store, index)| {
                let can = !is_private(&state.memory, store) && self.can_flush(state, id, index);
                can.then_some(Move::Flush { thread: id, store: index })
            })
        })
    }

    /// Makes a delayed store visible; behind it, the invisible instructions that waited for it.
    pub fn flush<I: Inputs + ?Sized>(
        &self,
        state: &mut State,
        id: ThreadId,
        store: u32,
        inputs: &mut I,
        observer: &mut impl Observer,
    ) -> StepResult {
        if !self.can_flush(state, id, store) {
            return StepResult::Blocked;
        }
        let mut world = World { inputs, observer };
        let store = Arc::make_mut(&mut state.threads[id as usize]).buffer.remove(store as usize);
        if state.memory.object(store.spot.origin).is_some() {
            state.memory.write(store.spot, store.size, store.value);
            world.flushed(id, &store, &state.memory);
        } else if self.checks(Property::MemorySafety) {
            return StepResult::Violated(Box::new(self.late_write(&state.memory, id, &store)));
        } else {
            world.observer.undefined(Property::MemorySafety);
        }
        if state.threads[id as usize].status == Status::Running {
            return self.run_invisible(state, id, &mut world);
        }
        StepResult::Done
    }

    fn late_write(&self, memory: &Memory, id: ThreadId, store: &DelayedStore) -> Violation {
        let fault: Fault = memory.gone(store.spot.origin);
        let what = describe::fault(self.program(), memory, fault, "write");
        let mut stack = vec![store.place];
        if store.user != store.place {
            stack.push(store.user);
        }
        Violation {
            property: Property::MemorySafety,
            message: format!("{what}: the store was made before, and became visible only now"),
            thread: id,
            stack,
            span: store.user.span(self.program()),
            race: None,
        }
    }

    /// Whether stores to an object that is private must be delayed, since it may be published later.
    fn may_escape(&self, creator: Creator) -> bool {
        match self.memory_model() {
            MemoryModel::Sc | MemoryModel::Tso => false,
            MemoryModel::Pso => self.escapes().is_some_and(|escapes| escapes.may_escape(creator)),
        }
    }
}

impl<I: ?Sized, O: Observer> World<'_, I, O> {
    fn flushed(&mut self, id: ThreadId, store: &DelayedStore, memory: &Memory) {
        if O::WATCHES && self.observer.is_watching() {
            self.observer.event(&flush_event(id, store), memory);
        }
    }
}

#[cfg(test)]
mod tests;
