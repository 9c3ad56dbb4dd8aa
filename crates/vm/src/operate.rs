//! The meaning of each instruction that concerns one thread and memory, and which of them others could notice.

use raddle_ir::{
    AllocStorage, BinaryOp, CastOp, CompareOp, GlobalId, IfUnchecked, InstKind, Intrinsic, Lifetime, Operand,
    Ordering, RegisterId, RmwOp, Rvalue, Type,
};

use crate::address::{self, Comparison};
use crate::execute::{Cursor, Flow, Until, told_at};
use crate::intrinsic;
use crate::layout::is_code;
use crate::mark::{ADDRESSES, FUNCTION, LAYOUT, LINEAR, Look, MIXED, is_several};
use crate::memory::{Creator, EndCause, Fault, PAGE, Request, Room, Spot, heap_of, stack_of};
use crate::memory_model::keeps_stores_before;
use crate::observe::{Action, InputReason, Inputs, Observer, Question};
use crate::step::{Halt, LOCK_BYTES, World, bytes};
use crate::value::{self, Origin, Undefined, Value, mask, width};
use crate::weak::Delay;

impl Cursor<'_, '_> {
    /// Whether others could tell when an assignment is made.
    #[inline]
    fn asks_about_others(&self, value: &Rvalue) -> bool {
        match value {
            // That a thread exists is so for ever; that it does not may change.
            Rvalue::ThreadExists(thread) => self.bits(thread) >= u128::from(self.started),
            Rvalue::ObjectSize(pointer) => {
                self.origin(pointer).is_none_or(|origin| self.memory.object(origin).is_none())
                    || self.reaches_shared(pointer)
            }
            Rvalue::HoldsLock(lock) | Rvalue::LockIsFree(lock) | Rvalue::Peek(lock, _) => {
                self.reaches_shared(lock)
            }
            Rvalue::Use(_)
            | Rvalue::Unary(..)
            | Rvalue::Binary(..)
            | Rvalue::Compare(..)
            | Rvalue::Cast(..)
            | Rvalue::Select(..)
            | Rvalue::PointerAdd(..)
            | Rvalue::PointerDifference(..)
            | Rvalue::Overflows(..)
            | Rvalue::ThreadLocal(_)
            | Rvalue::CurrentThread => false,
        }
    }

    /// Whether a pointer leads to an object that other threads may reach. A bad pointer leads nowhere: the access is
    /// a violation whoever runs next.
    fn reaches_shared(&self, address: &Operand) -> bool {
        self.memory.locate(self.get(address), 0).is_ok_and(|(_, object)| object.shared)
    }

    /// Runs an instruction, unless it is visible and the thread is to stop before such a one.
    #[expect(clippy::too_many_lines, reason = "one flat match")]
    #[inline]
    pub(crate) fn operate<const WEAK: bool, I: Inputs + ?Sized, O: Observer>(
        &mut self,
        kind: &InstKind,
        until: Until,
        world: &mut World<'_, I, O>,
    ) -> Result<Flow, Halt> {
        let stops = until == Until::Visible;
        match kind {
            InstKind::Assign { dest, value } => {
                let asks = matches!(
                    value,
                    Rvalue::ThreadExists(_)
                        | Rvalue::ObjectSize(_)
                        | Rvalue::HoldsLock(_)
                        | Rvalue::LockIsFree(_)
                        | Rvalue::Peek(..)
                );
                if asks && stops && self.asks_about_others(value) {
                    return Ok(Flow::Visible);
                }
                if O::WATCHES {
                    self.tell_question(value, world);
                    if asks && !self.asks_about_others(value) {
                        world.observer.settled();
                    }
                }
                let tainted = self.makes_tainted(*dest, value);
                if let Some(look) = self.assign(*dest, value)? {
                    world.observer.looked(self.place, look);
                }
                self.taint(*dest, tainted);
                if asks {
                    self.notify(world, || Action::Query);
                }
            }
            InstKind::Load { dest, address, ty, ordering } => {
                let Some(spot) = self.read::<WEAK, I, O>(*dest, address, *ty, stops, world)? else {
                    return Ok(Flow::Visible);
                };
                self.notify(world, || Action::Read {
                    spot,
                    ty: *ty,
                    value: self.register(*dest),
                    ordering: *ordering,
                });
            }
            InstKind::Store { address, value, ty, ordering } => {
                let tainted = self.tainted(value);
                let value = self.get(value);
                if WEAK && self.thread.atomic_depth == 0 && *ordering != Ordering::SequentiallyConsistent {
                    let pointer = (self.low(address), self.origin(address));
                    match self.delay(pointer, (*ty, value, *ordering), until, world)? {
                        Delay::Direct => {}
                        Delay::Delayed => return Ok(Flow::Next),
                        Delay::Visible => return Ok(Flow::Visible),
                    }
                }
                let Some(spot) = self.write((self.low(address), self.origin(address)), *ty, value, stops)?
                else {
                    return Ok(Flow::Visible);
                };
                self.taint_memory(spot, bytes(*ty, self.pointer_bits), tainted);
                self.notify(world, || Action::Write { spot, ty: *ty, value, ordering: *ordering });
            }
            InstKind::AtomicRmw { dest, op, address, value, ty, ordering } => {
                // Taken before the old value comes into its register, which may be one of these.
                let pointer = (self.low(address), self.origin(address));
                let operand = self.get(value);
                let operand_tainted = self.tainted(value);
                let Some(spot) = self.read::<WEAK, I, O>(*dest, address, *ty, stops, world)? else {
                    return Ok(Flow::Visible);
                };
                let old = self.register(*dest);
                let mut new = rmw(*op, old, operand, *ty, self.pointer_bits);
                if *ty != Type::Ptr {
                    new.origin = address::rmw(self.memory, *op, old, operand, new.bits);
                }
                self.write(pointer, *ty, new, false)?;
                let all = mask(width(*ty, self.pointer_bits));
                let tainted = if *op == RmwOp::Exchange {
                    operand_tainted
                } else if operand_tainted | self.tainted(&Operand::Register(*dest)) == 0 {
                    0
                } else {
                    all
                };
                self.taint_memory(spot, bytes(*ty, self.pointer_bits), tainted);
                self.notify(world, || Action::Update {
                    spot,
                    ty: *ty,
                    old,
                    new: Some(new),
                    ordering: *ordering,
                });
            }
            InstKind::CompareExchange { dest, address, expected, desired, ty, ordering, failure } => {
                let pointer = (self.low(address), self.origin(address));
                let desired_tainted = self.tainted(desired);
                let (expected, desired) = (self.get(expected), self.get(desired));
                let Some(spot) = self.read::<WEAK, I, O>(*dest, address, *ty, stops, world)? else {
                    return Ok(Flow::Visible);
                };
                let old = self.register(*dest);
                let (result, look) = self.compare(CompareOp::Equal, old, expected, old.bits == expected.bits);
                if let Some(look) = look {
                    world.observer.looked(self.place, look);
                }
                let new = result.then_some(desired);
                if let Some(new) = new {
                    self.write(pointer, *ty, new, false)?;
                    self.taint_memory(spot, bytes(*ty, self.pointer_bits), desired_tainted);
                }
                let ordering = if new.is_some() { *ordering } else { *failure };
                self.notify(world, || Action::Update { spot, ty: *ty, old, new, ordering });
            }
            InstKind::Fence(ordering) => {
                if WEAK && keeps_stores_before(*ordering) {
                    self.thread.buffer.fence();
                }
                self.notify(world, || Action::Fence(*ordering));
            }
            InstKind::Alloc { dest, size, align, storage, zeroed, .. } => {
                let (value, origin) = self.allocate(size, *align, *storage, *zeroed, None)?;
                self.set(*dest, value);
                self.taint(*dest, 0);
                self.notify(world, || Action::Alloc(origin));
            }
            InstKind::Free { pointer } => {
                if stops && self.reaches_shared(pointer) {
                    return Ok(Flow::Visible);
                }
                let pointer = self.get(pointer);
                let freed = match pointer.bits {
                    0 => None,
                    _ => Some(
                        self.memory.free(pointer, self.place).map_err(|fault| self.fault(fault, "free"))?,
                    ),
                };
                if let Some(freed) = freed
                    && self.vm.reuse().is_some_and(|reuse| reuse.moves(self.place.function))
                {
                    self.memory.may_stay(freed);
                }
                self.notify(world, || Action::Free(freed));
            }
            InstKind::EndLife(lifetime) => return Ok(self.end_life(*lifetime, stops, world)),
            InstKind::Intrinsic { dest, which, arguments } => {
                self.intrinsic(*dest, *which, arguments, world);
                if let Some(dest) = dest {
                    self.taint(*dest, 0);
                }
            }
            InstKind::Havoc { dest, site } => {
                let value = self.ask(world, InputReason::Havoc(*site), self.function.registers[*dest].ty);
                self.set(*dest, value);
                self.taint_by_input(*dest, self.vm.program().havocs[*site].kind);
            }
            InstKind::Assume(condition) => {
                if self.bits(condition) == 0 {
                    return Err(Halt::Stopped);
                }
            }
            InstKind::Check { property, condition, message, if_unchecked } => {
                let matters = self.vm.checks(*property) || *if_unchecked == IfUnchecked::Ends;
                if self.bits(condition) == 0 && matters {
                    return Err(self.violated(*property, message.to_string()));
                }
            }
            InstKind::WaitUntil(_)
            | InstKind::Lock { .. }
            | InstKind::Unlock { .. }
            | InstKind::AtomicBegin
                if stops =>
            {
                return Ok(Flow::Visible);
            }
            InstKind::WaitUntil(condition) => {
                if self.bits(condition) == 0 {
                    return Err(Halt::Blocked);
                }
                self.notify(world, || Action::Wait);
            }
            InstKind::Lock { lock } => {
                let spot = self.spot(lock, LOCK_BYTES, "lock")?;
                self.not_read_only(spot, "lock")?;
                if self.memory.read(spot, LOCK_BYTES).value.bits != 0 {
                    world.observer.refused(spot);
                    return Err(Halt::Blocked);
                }
                self.memory.lock(spot, self.id);
                self.notify(world, || Action::Lock(spot));
            }
            InstKind::Unlock { lock } => {
                let spot = self.spot(lock, LOCK_BYTES, "unlock")?;
                self.not_read_only(spot, "unlock")?;
                self.memory.write(spot, LOCK_BYTES, Value::ZERO);
                self.notify(world, || Action::Unlock(spot));
            }
            InstKind::AtomicBegin => {
                self.thread.atomic_depth += 1;
                self.notify(world, || Action::AtomicBegin);
            }
            InstKind::AtomicEnd => {
                self.thread.atomic_depth -= 1;
                self.notify(world, || Action::AtomicEnd);
            }
            InstKind::Call { .. } | InstKind::Fork { .. } | InstKind::Join { .. } => {
                unreachable!("handled where activations and other threads can be seen")
            }
        }
        Ok(Flow::Next)
    }

    #[inline]
    fn spot(&mut self, address: &Operand, size: u64, what: &str) -> Result<Spot, Halt> {
        match self.memory.resolve(self.get(address), size) {
            Ok(spot) => Ok(spot),
            Err(fault) => Err(self.fault(fault, what)),
        }
    }

    fn not_read_only(&mut self, spot: Spot, what: &str) -> Result<(), Halt> {
        match self.memory.object(spot.origin) {
            Some(object) if object.read_only => Err(self.fault(Fault::ReadOnly(spot.origin), what)),
            _ => Ok(()),
        }
    }

    /// Reads memory into a register; `None` if that is visible and the thread is to stop before it.
    #[inline]
    fn read<const WEAK: bool, I: Inputs + ?Sized, O: Observer>(
        &mut self,
        dest: RegisterId,
        address: &Operand,
        ty: Type,
        stops: bool,
        world: &mut World<'_, I, O>,
    ) -> Result<Option<Spot>, Halt> {
        let size = bytes(ty, self.pointer_bits);
        let (spot, object) = match self.memory.locate_address(self.low(address), self.origin(address), size) {
            Ok(found) => found,
            Err(fault) => return Err(self.fault(fault, "read")),
        };
        if stops && object.shared {
            return Ok(None);
        }
        if WEAK && let Some(&newest) = self.thread.buffer.newest(spot, size) {
            let value = self.read_delayed(newest, (spot, size), ty, world);
            self.set(dest, value);
            return Ok(Some(spot));
        }
        if object.is_plain() {
            let bits = object.fetch(spot.offset, size);
            self.set_bits(dest, bits);
        } else {
            let value = self.read_carefully(spot, size, ty, world);
            self.set(dest, value);
        }
        self.taint_by_memory(dest, spot, size);
        if ty == Type::Ptr {
            // Pieces of several addresses: whether that points anywhere, the layout says.
            let origin = self.register(dest).origin;
            if origin.is_some_and(|origin| is_several(origin) && origin != LINEAR) {
                world.observer.looked(self.place, LAYOUT);
            }
            if self.find_origin(dest) && origin.is_none() {
                world.observer.looked(self.place, LAYOUT);
            }
        }
        Ok(Some(spot))
    }

    /// A pointer that was put together from its bytes points into what lives there. Says whether something does.
    #[inline]
    fn find_origin(&mut self, dest: RegisterId) -> bool {
        let pointer = self.register(dest);
        if pointer.origin.is_none_or(is_several) && pointer.low() >= PAGE {
            let origin = self.memory.lives_at(pointer.low());
            self.set(dest, Value { origin, ..pointer });
            return origin.is_some();
        }
        false
    }

    /// What comparing two values gives, whose bits give this, and whether that tells where objects lie.
    #[inline]
    fn compare(&self, op: CompareOp, left: Value, right: Value, by_bits: bool) -> (bool, Option<Look>) {
        if left.origin.is_none() && right.origin.is_none() {
            return (by_bits, None);
        }
        match address::compare(self.vm, self.memory, op, left, right) {
            Comparison::ByBits => (by_bits, None),
            Comparison::Different => (op == CompareOp::NotEqual, None),
            Comparison::Look(look) => (by_bits, Some(look)),
        }
    }

    /// Reads bytes of an object in which some were never written, or which holds pointers.
    fn read_carefully<I: Inputs + ?Sized, O: Observer>(
        &mut self,
        spot: Spot,
        size: u64,
        ty: Type,
        world: &mut World<'_, I, O>,
    ) -> Value {
        let mut read = self.memory.read(spot, size);
        if !read.initialised {
            if self.tracks() {
                self.memory.taint_unwritten(spot, size);
            }
            let value = self.ask(world, InputReason::Uninitialised(spot), ty);
            self.memory.write_unwritten(spot, size, value);
            read = self.memory.read(spot, size);
        }
        // A pointer read in pieces may be put together by anybody: what it points to counts as reachable.
        if read.value.origin.is_none_or(is_several) {
            let pieces: smallvec::SmallVec<[Origin; 4]> = self.memory.pointers_in(spot, size).collect();
            for origin in pieces {
                self.memory.share(origin);
                self.memory.expose(origin);
            }
        }
        read.value
    }

    /// Writes memory; `None` if that is visible and the thread is to stop before it.
    #[inline]
    fn write(
        &mut self,
        (address, origin): (u64, Option<Origin>),
        ty: Type,
        value: Value,
        stops: bool,
    ) -> Result<Option<Spot>, Halt> {
        let size = bytes(ty, self.pointer_bits);
        let (spot, object) = match self.memory.locate_address(address, origin, size) {
            Ok(found) => found,
            Err(fault) => return Err(self.fault(fault, "write")),
        };
        if stops && object.shared {
            return Ok(None);
        }
        if object.read_only {
            return Err(self.fault(Fault::ReadOnly(spot.origin), "write"));
        }
        if let Some(origin) = value.origin
            && object.shared
        {
            self.memory.share(origin);
        }
        self.memory.write(spot, size, value);
        Ok(Some(spot))
    }

    /// Ends the lives of objects of this thread, all at once: nobody can tell, because a use of one commutes with the ends of
    /// the others. That is visible if others may reach one of them.
    fn end_life<I: ?Sized, O: Observer>(
        &mut self,
        lifetime: Lifetime,
        stops: bool,
        world: &mut World<'_, I, O>,
    ) -> Flow {
        if let Lifetime::Contents { pointer, size } = lifetime {
            self.notify(world, || Action::EndLife);
            if let Ok(spot) = self.memory.resolve(self.get(&pointer), size) {
                self.memory.forget(spot, size);
            }
            return Flow::Next;
        }
        let (objects, cause) = self.ending(lifetime);
        if stops && objects.iter().any(|&(_, shared)| shared) {
            return Flow::Visible;
        }
        self.notify(world, || Action::EndLife);
        for &(origin, shared) in &objects {
            self.memory.end(origin, cause, self.place);
            if shared {
                let at = (self.id, self.place);
                world.observe(self.vm, self.memory, self.thread, at, Action::Ended(origin));
            }
        }
        if !self.thread.buffer.is_empty() {
            self.forget_dead_stores();
        }
        Flow::Next
    }

    /// The objects that are to end and live still, with whether others may reach them; and why they end.
    fn ending(&self, lifetime: Lifetime) -> (smallvec::SmallVec<[(Origin, bool); 8]>, EndCause) {
        let is_last = self.thread.frames.len() == 1;
        let frame = match lifetime {
            Lifetime::Object(pointer) => {
                let origin = self.origin(&pointer);
                let object = origin.and_then(|origin| Some((origin, self.memory.object(origin)?)));
                let local = object.filter(|(_, object)| matches!(object.creator, Creator::Local(_)));
                let ended = local.map(|(origin, object)| (origin, object.shared));
                return (ended.into_iter().collect(), EndCause::BlockLeft);
            }
            Lifetime::Activation => self.thread.frames.last(),
            Lifetime::Activations | Lifetime::Thread => self.thread.frames.first(),
            Lifetime::Contents { .. } => return (smallvec::SmallVec::new(), EndCause::BlockLeft),
        };
        let mark = frame.expect("a running thread has a frame").mark;
        let locals = self.memory.since(stack_of(self.id), mark);
        let mut objects: smallvec::SmallVec<[(Origin, bool); 8]> =
            locals.map(|(origin, object)| (origin, object.shared)).collect();
        if lifetime == Lifetime::Activations {
            return (objects, EndCause::ThreadEnded);
        }
        let ends_thread = is_last || lifetime == Lifetime::Thread;
        if !ends_thread {
            return (objects, EndCause::Returned);
        }
        let thread_locals = self.thread.thread_locals.iter().filter_map(|&(_, origin)| {
            let object = self.memory.object(origin)?;
            Some((origin, object.shared))
        });
        objects.extend(thread_locals);
        (objects, EndCause::ThreadEnded)
    }

    pub(crate) fn allocate(
        &mut self,
        size: &Operand,
        align: u64,
        storage: AllocStorage,
        zeroed: bool,
        room: Option<Room>,
    ) -> Result<(Value, Origin), Halt> {
        let size = self.get(size).low();
        let (arena, creator) = match storage {
            AllocStorage::Heap | AllocStorage::Library => (heap_of(self.id), Creator::Heap(self.place)),
            AllocStorage::Local | AllocStorage::Dynamic => (stack_of(self.id), Creator::Local(self.place)),
        };
        let here = (self.place.block, self.place.index);
        let frame = self.thread.frames.last_mut().expect("a running thread has a frame");
        let known = frame.locals.iter().find(|local| (local.0, local.1) == here).map(|local| local.2);
        let request = Request { size, align, zeroed, read_only: false, shared: false, creator };
        let (arena, taken) = room.map_or((arena, known), |room| (room.arena, Some(room.slot)));
        let Ok((origin, address)) = self.memory.allocate(arena, request, taken) else {
            return Err(self.exhausted());
        };
        if storage == AllocStorage::Local && known.is_none() {
            frame.locals.push((here.0, here.1, origin.slot));
        }
        if known.is_some() && !self.thread.buffer.is_empty() {
            self.forget_dead_stores();
        }
        if storage == AllocStorage::Heap {
            let (_, user, _) = told_at(self.vm, self.thread, self.place);
            self.memory.note_user(origin, user);
        }
        Ok((Value { bits: address.into(), origin: Some(origin) }, origin))
    }

    /// That the simulated address space is full says nothing about the program.
    #[cold]
    fn exhausted(&self) -> Halt {
        let what = "more memory than the simulated address space holds".to_owned();
        Halt::Unsupported { what, place: self.place }
    }

    fn intrinsic<I: Inputs + ?Sized, O: Observer>(
        &mut self,
        dest: Option<RegisterId>,
        which: Intrinsic,
        arguments: &[Operand],
        world: &mut World<'_, I, O>,
    ) {
        let values: smallvec::SmallVec<[Value; 4]> =
            arguments.iter().map(|argument| self.get(argument)).collect();
        let result = intrinsic::call(which, &values, world.observer);
        if let Some(dest) = dest {
            let width = width(self.function.registers[dest].ty, self.pointer_bits);
            self.set(dest, Value::plain(result & mask(width)));
        }
    }

    #[inline]
    fn assign(&mut self, dest: RegisterId, rvalue: &Rvalue) -> Result<Option<Look>, Halt> {
        let pointer_bits = self.pointer_bits;
        let mut look = None;
        match rvalue {
            Rvalue::Use(operand) => {
                let value = self.get(operand);
                self.set(dest, value);
            }
            Rvalue::Unary(op, operand) => {
                let result = value::unary(*op, self.bits(operand), self.type_of(operand), pointer_bits);
                let origin = self.origin(operand).map(|_| MIXED);
                self.set(dest, Value { bits: result, origin });
            }
            Rvalue::Binary(op, left, right) => {
                let (a, b) = (self.bits(left), self.bits(right));
                let bits = match value::binary(*op, a, b, self.type_of(left), pointer_bits) {
                    Ok(bits) => bits,
                    Err(undefined) => {
                        let message = undefined_message(undefined).to_owned();
                        return Err(self.violated(undefined.property(), message));
                    }
                };
                if self.origin(left).is_none() && self.origin(right).is_none() {
                    self.set_bits(dest, bits);
                } else {
                    let origin = address::binary(self.memory, *op, self.get(left), self.get(right), bits);
                    self.set(dest, Value { bits, origin });
                }
            }
            Rvalue::Compare(op, left, right) => {
                let (a, b) = (self.bits(left), self.bits(right));
                let mut result = value::compare(*op, a, b, self.type_of(left), pointer_bits);
                if self.origin(left).is_some() || self.origin(right).is_some() {
                    (result, look) = self.compare(*op, self.get(left), self.get(right), result);
                } else if self.type_of(left) == Type::Ptr && address::orders_code(*op, a, b) {
                    look = Some(LAYOUT);
                }
                self.set_bits(dest, result.into());
            }
            Rvalue::Cast(op, operand) => look = self.cast(dest, *op, operand),
            Rvalue::Select(condition, then, otherwise) => {
                let value = self.get(if self.bits(condition) != 0 { then } else { otherwise });
                self.set(dest, value);
            }
            Rvalue::PointerAdd(pointer, offset) => {
                let bits = self.bits(pointer).wrapping_add(self.bits(offset)) & mask(pointer_bits);
                if self.origin(offset).is_some_and(|origin| is_several(origin) && origin != LINEAR) {
                    look = Some(LAYOUT);
                }
                let base = self.origin(offset).filter(|origin| !is_several(*origin));
                let origin = self.origin(pointer).or(base);
                self.set(dest, Value { bits, origin });
            }
            Rvalue::PointerDifference(left, right) => {
                let distance = self.bits(left).wrapping_sub(self.bits(right)) & mask(pointer_bits);
                let (left, right) = (self.get(left), self.get(right));
                let origin = match (left.origin, right.origin) {
                    (None, None) => None,
                    (_, _) => address::binary(self.memory, BinaryOp::Sub, left, right, distance),
                };
                self.set(dest, Value { bits: distance, origin });
            }
            Rvalue::Overflows(op, left, right) => {
                let width = width(self.type_of(left), pointer_bits);
                let result = value::overflows(*op, self.bits(left), self.bits(right), width);
                if self.origin(left).or(self.origin(right)).is_some() {
                    look = Some(LAYOUT);
                }
                self.set_bits(dest, result.into());
            }
            Rvalue::ThreadLocal(global) => {
                let value = self.thread_local(*global)?;
                self.set(dest, value);
            }
            Rvalue::CurrentThread => self.set_bits(dest, self.id.into()),
            Rvalue::ThreadExists(thread) => {
                let exists = self.bits(thread) < u128::from(self.started);
                self.set_bits(dest, exists.into());
            }
            Rvalue::ObjectSize(pointer) => {
                let object = self.memory.locate(self.get(pointer), 0);
                let size = object.map_or(0, |(_, object)| object.bytes.len() as u128);
                self.set_bits(dest, size);
            }
            Rvalue::HoldsLock(lock) => {
                let holds = self.lock_word(lock)? == u128::from(self.id) + 1;
                self.set_bits(dest, holds.into());
            }
            Rvalue::LockIsFree(lock) => {
                let free = self.lock_word(lock)? == 0;
                self.set_bits(dest, free.into());
            }
            Rvalue::Peek(word, unwritten) => {
                let spot = self.spot(word, LOCK_BYTES, "read")?;
                let read = self.memory.read(spot, LOCK_BYTES);
                let bits = if read.initialised { read.value.bits } else { u128::from(*unwritten) };
                self.set_bits(dest, bits);
            }
        }
        Ok(look)
    }

    /// Tells the observer of a question that may tell threads apart.
    fn tell_question<I: ?Sized, O: Observer>(&self, value: &Rvalue, world: &mut World<'_, I, O>) {
        let spot = |lock: &Operand| self.memory.resolve(self.get(lock), LOCK_BYTES).ok();
        let question = match value {
            Rvalue::CurrentThread => Some(Question::OwnId),
            Rvalue::HoldsLock(lock) => spot(lock).map(Question::Holds),
            Rvalue::LockIsFree(lock) => spot(lock).map(Question::IsFree),
            Rvalue::Peek(word, _) => spot(word).map(Question::Word),
            Rvalue::Use(_)
            | Rvalue::Unary(..)
            | Rvalue::Binary(..)
            | Rvalue::Compare(..)
            | Rvalue::Cast(..)
            | Rvalue::Select(..)
            | Rvalue::PointerAdd(..)
            | Rvalue::PointerDifference(..)
            | Rvalue::Overflows(..)
            | Rvalue::ThreadLocal(_)
            // That a thread exists says nothing of what it does.
            | Rvalue::ThreadExists(_)
            | Rvalue::ObjectSize(_) => None,
        };
        if let Some(question) = question {
            world.observer.asked(self.id, question, self.memory);
        }
    }

    /// What `Lock` would see: bytes that were never written are not asked for.
    fn lock_word(&mut self, lock: &Operand) -> Result<u128, Halt> {
        let spot = self.spot(lock, LOCK_BYTES, "lock")?;
        Ok(self.memory.read(spot, LOCK_BYTES).value.bits)
    }

    #[inline]
    fn cast(&mut self, dest: RegisterId, op: CastOp, operand: &Operand) -> Option<Look> {
        let (from, to) = (self.type_of(operand), self.function.registers[dest].ty);
        let origin = self.origin(operand);
        let bits = value::cast(op, self.bits(operand), from, to, self.pointer_bits);
        let Some(origin) = origin else {
            self.set_bits(dest, bits);
            if op == CastOp::PointerToInt && is_code(Value::plain(bits).low()) {
                self.set(dest, Value { bits, origin: Some(FUNCTION) });
            }
            // A plain number leads to an object in some layouts, and nowhere in others.
            let number = Value::plain(bits).low();
            let hits = op == CastOp::IntToPointer && number >= PAGE && self.memory.lives_at(number).is_some();
            return hits.then_some(LAYOUT);
        };
        let mut look = None;
        let origin = match op {
            CastOp::PointerToInt => {
                // A pointer that became a number may come back anywhere.
                self.memory.share(origin);
                Some(origin)
            }
            CastOp::IntToPointer if origin == FUNCTION => None,
            CastOp::IntToPointer if is_several(origin) => {
                look = (origin != LINEAR).then_some(LAYOUT);
                self.memory.lives_at(Value::plain(bits).low())
            }
            CastOp::IntToPointer | CastOp::Bits => Some(origin),
            CastOp::ZeroExtend | CastOp::SignExtend | CastOp::Truncate if origin == ADDRESSES => Some(MIXED),
            CastOp::ZeroExtend | CastOp::SignExtend | CastOp::Truncate
                if width(to, self.pointer_bits).min(width(from, self.pointer_bits)) >= self.pointer_bits =>
            {
                Some(origin)
            }
            CastOp::ZeroExtend
            | CastOp::SignExtend
            | CastOp::Truncate
            | CastOp::SignedToFloat
            | CastOp::UnsignedToFloat
            | CastOp::FloatToSigned
            | CastOp::FloatToUnsigned
            | CastOp::FloatToFloat => Some(MIXED),
        };
        self.set(dest, Value { bits, origin });
        look
    }

    fn thread_local(&mut self, global: GlobalId) -> Result<Value, Halt> {
        let known = self.thread.thread_locals.iter().find(|(id, _)| *id == global).map(|&(_, origin)| origin);
        let origin = match known {
            Some(origin) => origin,
            None => {
                let wanted = &self.vm.program().globals[global];
                let request = Request {
                    size: wanted.size,
                    align: wanted.align,
                    zeroed: true,
                    read_only: wanted.read_only,
                    shared: false,
                    creator: Creator::ThreadLocal(global),
                };
                let Ok((origin, _)) = self.memory.allocate(heap_of(self.id), request, None) else {
                    return Err(self.exhausted());
                };
                self.vm.initialise(self.memory, origin, global);
                self.thread.thread_locals.push((global, origin));
                origin
            }
        };
        let address = self.memory.object(origin).map_or(0, |object| object.address);
        Ok(Value { bits: address.into(), origin: Some(origin) })
    }
}

fn rmw(op: RmwOp, old: Value, operand: Value, ty: Type, pointer_bits: u8) -> Value {
    let all = mask(width(ty, pointer_bits));
    let bits = match op {
        RmwOp::Exchange => return operand,
        RmwOp::Add => old.bits.wrapping_add(operand.bits),
        RmwOp::Sub => old.bits.wrapping_sub(operand.bits),
        RmwOp::And => old.bits & operand.bits,
        RmwOp::Or => old.bits | operand.bits,
        RmwOp::Xor => old.bits ^ operand.bits,
        RmwOp::Nand => !(old.bits & operand.bits),
        RmwOp::SignedMin | RmwOp::SignedMax | RmwOp::UnsignedMin | RmwOp::UnsignedMax => {
            let bits = width(ty, pointer_bits);
            // With the sign bit flipped, signed numbers compare as unsigned ones.
            let signed = matches!(op, RmwOp::SignedMin | RmwOp::SignedMax);
            let flip = u128::from(signed) << (bits - 1);
            let old_is_less = (old.bits & all) ^ flip <= (operand.bits & all) ^ flip;
            let takes_less = matches!(op, RmwOp::SignedMin | RmwOp::UnsignedMin);
            if old_is_less == takes_less { old.bits } else { operand.bits }
        }
    };
    Value { bits: bits & all, origin: old.origin }
}

fn undefined_message(undefined: Undefined) -> &'static str {
    match undefined {
        Undefined::DivisionByZero => "division by zero",
        Undefined::DivisionOverflow => "division overflows: the smallest number divided by -1",
        Undefined::WideShift => "shift by at least the width of the type, or by a negative amount",
    }
}
