//! The meaning of each instruction that concerns one thread and memory, and which of them others could notice.

use raddle_ir::{
    AllocStorage, GlobalId, InstKind, Intrinsic, Operand, Property, RegisterId, RmwOp, Rvalue, Type,
};

use crate::execute::Cursor;
use crate::intrinsic;
use crate::memory::{Creator, Fault, Request, Spot, heap_of, stack_of};
use crate::observe::{Action, InputReason, Inputs, Observer};
use crate::step::{Halt, LOCK_BYTES, World, bytes};
use crate::value::{self, Origin, Undefined, Value, mask, width};

impl Cursor<'_, '_> {
    /// Whether others could tell when an instruction is run.
    #[inline]
    pub(crate) fn is_visible(&self, kind: &InstKind) -> bool {
        match kind {
            InstKind::Assign { value, .. } => match value {
                // That a thread exists is so for ever; that it does not may change.
                Rvalue::ThreadExists(thread) => self.get(*thread).bits >= u128::from(self.started),
                Rvalue::ObjectSize(pointer) => {
                    self.get(*pointer).origin.is_none_or(|origin| self.memory.object(origin).is_none())
                        || self.reaches_shared(*pointer)
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
            },
            InstKind::Load { address, .. }
            | InstKind::Store { address, .. }
            | InstKind::AtomicRmw { address, .. }
            | InstKind::CompareExchange { address, .. }
            | InstKind::Free { pointer: address } => self.reaches_shared(*address),
            InstKind::Intrinsic { which, arguments, .. } => match which {
                Intrinsic::PrintOut | Intrinsic::PrintError | Intrinsic::PrintBuffer => {
                    arguments.iter().any(|&argument| self.prints_shared(argument))
                }
                Intrinsic::PutByte | Intrinsic::Math(_) => false,
            },
            InstKind::WaitUntil(_)
            | InstKind::Fork { .. }
            | InstKind::Join { .. }
            | InstKind::Lock { .. }
            | InstKind::Unlock { .. }
            | InstKind::AtomicBegin => true,
            // Under sequential consistency a fence changes nothing that another thread sees.
            InstKind::Fence(_)
            | InstKind::Alloc { .. }
            | InstKind::Call { .. }
            | InstKind::Havoc { .. }
            | InstKind::Assume(_)
            | InstKind::Check { .. }
            | InstKind::AtomicEnd => false,
        }
    }

    /// Whether a pointer leads to an object that other threads may reach. A bad pointer leads nowhere: the access is
    /// a violation whoever runs next.
    fn reaches_shared(&self, address: Operand) -> bool {
        let spot = self.memory.resolve(self.get(address), 0);
        spot.ok().and_then(|spot| self.memory.object(spot.origin)).is_some_and(|object| object.shared)
    }

    /// Whether an argument of a printing function leads to a shared object, at once or through a pointer in the area
    /// of arguments.
    fn prints_shared(&self, argument: Operand) -> bool {
        let Ok(spot) = self.memory.resolve(self.get(argument), 0) else { return false };
        let Some(object) = self.memory.object(spot.origin) else { return false };
        let is_shared = |origin| self.memory.object(origin).is_some_and(|target| target.shared);
        object.shared || object.pointers().any(is_shared)
    }

    #[expect(clippy::too_many_lines, reason = "one flat match")]
    pub(crate) fn operate<I: Inputs + ?Sized, O: Observer>(
        &mut self,
        kind: &InstKind,
        world: &mut World<'_, I, O>,
    ) -> Result<(), Halt> {
        match kind {
            InstKind::Assign { dest, value } => {
                let result = self.rvalue(value, *dest)?;
                self.set(*dest, result);
                if matches!(value, Rvalue::ThreadExists(_) | Rvalue::ObjectSize(_)) {
                    self.tell(world, Action::Query);
                }
            }
            InstKind::Load { dest, address, ty, ordering } => {
                let (spot, value) = self.read(*address, *ty, world)?;
                self.set(*dest, value);
                self.tell(world, Action::Read { spot, ty: *ty, value, ordering: *ordering });
            }
            InstKind::Store { address, value, ty, ordering } => {
                let value = self.get(*value);
                let spot = self.write(*address, *ty, value)?;
                self.tell(world, Action::Write { spot, ty: *ty, value, ordering: *ordering });
            }
            InstKind::AtomicRmw { dest, op, address, value, ty, ordering } => {
                let operand = self.get(*value);
                let (spot, old) = self.read(*address, *ty, world)?;
                let new = rmw(*op, old, operand, *ty, self.pointer_bits);
                self.write(*address, *ty, new)?;
                self.set(*dest, old);
                self.tell(world, Action::Update { spot, ty: *ty, old, new: Some(new), ordering: *ordering });
            }
            InstKind::CompareExchange { dest, address, expected, desired, ty, ordering } => {
                let (expected, desired) = (self.get(*expected), self.get(*desired));
                let (spot, old) = self.read(*address, *ty, world)?;
                let new = (old.bits == expected.bits).then_some(desired);
                if let Some(new) = new {
                    self.write(*address, *ty, new)?;
                }
                self.set(*dest, old);
                self.tell(world, Action::Update { spot, ty: *ty, old, new, ordering: *ordering });
            }
            InstKind::Fence(ordering) => self.tell(world, Action::Fence(*ordering)),
            InstKind::Alloc { dest, size, align, storage, zeroed, .. } => {
                let (value, origin) = self.allocate(*size, *align, *storage, *zeroed)?;
                self.set(*dest, value);
                self.tell(world, Action::Alloc(origin));
            }
            InstKind::Free { pointer } => {
                let pointer = self.get(*pointer);
                let freed = match pointer.bits {
                    0 => None,
                    _ => Some(self.memory.free(pointer).map_err(|fault| self.fault(fault, "free"))?),
                };
                self.tell(world, Action::Free(freed));
            }
            InstKind::Intrinsic { dest, which, arguments } => {
                self.intrinsic(*dest, *which, arguments, world)?;
            }
            InstKind::Havoc { dest, site } => {
                let ty = self.type_of(Operand::Register(*dest));
                let value = self.ask(world, InputReason::Havoc(*site), ty);
                self.set(*dest, value);
            }
            InstKind::Assume(condition) => {
                if !self.get(*condition).is_true() {
                    return Err(Halt::Stopped);
                }
            }
            InstKind::WaitUntil(condition) => {
                if !self.get(*condition).is_true() {
                    return Err(Halt::Blocked);
                }
                self.tell(world, Action::Wait);
            }
            InstKind::Check { property, condition, message } => {
                if self.machine.checks(*property) && !self.get(*condition).is_true() {
                    return Err(self.violated(*property, message.to_string()));
                }
            }
            InstKind::Lock { lock } => {
                let spot = self.spot(*lock, LOCK_BYTES, "lock")?;
                self.not_read_only(spot, "lock")?;
                if self.memory.read(spot, LOCK_BYTES).value.bits != 0 {
                    return Err(Halt::Blocked);
                }
                self.memory.write(spot, LOCK_BYTES, Value::plain(u128::from(self.id) + 1));
                self.tell(world, Action::Lock(spot));
            }
            InstKind::Unlock { lock } => {
                let spot = self.spot(*lock, LOCK_BYTES, "unlock")?;
                self.not_read_only(spot, "unlock")?;
                self.memory.write(spot, LOCK_BYTES, Value::ZERO);
                self.tell(world, Action::Unlock(spot));
            }
            InstKind::AtomicBegin => {
                self.thread.atomic_depth += 1;
                self.tell(world, Action::AtomicBegin);
            }
            InstKind::AtomicEnd => {
                self.thread.atomic_depth -= 1;
                self.tell(world, Action::AtomicEnd);
            }
            InstKind::Call { .. } | InstKind::Fork { .. } | InstKind::Join { .. } => {
                unreachable!("handled where activations and other threads can be seen")
            }
        }
        Ok(())
    }

    #[inline]
    fn spot(&mut self, address: Operand, size: u64, what: &str) -> Result<Spot, Halt> {
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

    fn read<I: Inputs + ?Sized, O: Observer>(
        &mut self,
        address: Operand,
        ty: Type,
        world: &mut World<'_, I, O>,
    ) -> Result<(Spot, Value), Halt> {
        let size = bytes(ty, self.pointer_bits);
        let spot = self.spot(address, size, "read")?;
        let mut read = self.memory.read(spot, size);
        if !read.initialised {
            let value = self.ask(world, InputReason::Uninitialised(spot), ty);
            self.memory.settle(spot, size, value);
            read = self.memory.read(spot, size);
        }
        // A pointer read in pieces may be put together by anybody: what it points to counts as reachable.
        if read.value.origin.is_none() && self.memory.holds_pointers(spot) {
            let pieces: smallvec::SmallVec<[Origin; 4]> = self.memory.pointers_in(spot, size).collect();
            for origin in pieces {
                self.memory.share(origin);
            }
        }
        Ok((spot, read.value))
    }

    fn write(&mut self, address: Operand, ty: Type, value: Value) -> Result<Spot, Halt> {
        let size = bytes(ty, self.pointer_bits);
        let spot = self.spot(address, size, "write")?;
        let object = self.memory.object(spot.origin).expect("resolved just now");
        if object.read_only {
            return Err(self.fault(Fault::ReadOnly(spot.origin), "write"));
        }
        if let Some(origin) = value.origin
            && object.shared
        {
            self.memory.share(origin);
        }
        self.memory.write(spot, size, value);
        Ok(spot)
    }

    fn allocate(
        &mut self,
        size: Operand,
        align: u64,
        storage: AllocStorage,
        zeroed: bool,
    ) -> Result<(Value, Origin), Halt> {
        let size = self.get(size).low();
        let (arena, creator) = match storage {
            AllocStorage::Heap => (heap_of(self.id), Creator::Heap(self.place)),
            AllocStorage::Local | AllocStorage::Dynamic => (stack_of(self.id), Creator::Local(self.place)),
        };
        let here = (self.place.block, self.place.index);
        let frame = self.thread.frames.last_mut().expect("a running thread has a frame");
        let known = frame.locals.iter().find(|local| (local.0, local.1) == here).map(|local| local.2);
        let request = Request { size, align, zeroed, read_only: false, shared: false, creator };
        let (origin, address) = match self.memory.allocate(arena, request, known) {
            Ok(made) => made,
            Err(fault) => return Err(self.fault(fault, "allocate")),
        };
        if storage == AllocStorage::Local && known.is_none() {
            frame.locals.push((here.0, here.1, origin.slot));
        }
        Ok((Value { bits: address.into(), origin: Some(origin) }, origin))
    }

    fn intrinsic<I: Inputs + ?Sized, O: Observer>(
        &mut self,
        dest: Option<RegisterId>,
        which: Intrinsic,
        arguments: &[Operand],
        world: &mut World<'_, I, O>,
    ) -> Result<(), Halt> {
        let values: smallvec::SmallVec<[Value; 4]> =
            arguments.iter().map(|&argument| self.get(argument)).collect();
        let result = match intrinsic::call(self.memory, self.pointer_bits, which, &values, world.observer) {
            Ok(result) => result,
            Err(fault) => return Err(self.fault(fault, "printing reads or writes")),
        };
        if let Some(dest) = dest {
            let width = width(self.type_of(Operand::Register(dest)), self.pointer_bits);
            self.set(dest, Value::plain(result.bits & mask(width)));
        }
        match which {
            Intrinsic::PrintOut | Intrinsic::PrintError => self.tell(world, Action::Print(None)),
            Intrinsic::PrintBuffer => {
                let spot = values.first().and_then(|&buffer| self.memory.resolve(buffer, 0).ok());
                self.tell(world, Action::Print(spot));
            }
            Intrinsic::PutByte | Intrinsic::Math(_) => {}
        }
        Ok(())
    }

    fn rvalue(&mut self, rvalue: &Rvalue, dest: RegisterId) -> Result<Value, Halt> {
        let bits = self.pointer_bits;
        Ok(match rvalue {
            Rvalue::Use(operand) => self.get(*operand),
            Rvalue::Unary(op, operand) => {
                Value::plain(value::unary(*op, self.get(*operand).bits, self.type_of(*operand), bits))
            }
            Rvalue::Binary(op, left, right) => {
                let (a, b) = (self.get(*left), self.get(*right));
                match value::binary(*op, a.bits, b.bits, self.type_of(*left), bits) {
                    // An integer made from one pointer stays tied to it; one made from two is tied to neither.
                    Ok(bits) => Value {
                        bits,
                        origin: if b.origin.is_none() {
                            a.origin
                        } else {
                            b.origin.filter(|_| a.origin.is_none())
                        },
                    },
                    Err(undefined) => {
                        return Err(
                            self.violated(Property::Overflow, undefined_message(undefined).to_owned())
                        );
                    }
                }
            }
            Rvalue::Compare(op, left, right) => Value::truth(value::compare(
                *op,
                self.get(*left).bits,
                self.get(*right).bits,
                self.type_of(*left),
                bits,
            )),
            Rvalue::Cast(op, operand) => {
                let (from, to) = (self.type_of(*operand), self.type_of(Operand::Register(dest)));
                let operand = self.get(*operand);
                // A pointer that became a number may come back anywhere.
                if from == Type::Ptr
                    && let Some(origin) = operand.origin
                {
                    self.memory.share(origin);
                }
                Value { bits: value::cast(*op, operand.bits, from, to, bits), origin: operand.origin }
            }
            Rvalue::Select(condition, then, otherwise) => {
                self.get(if self.get(*condition).is_true() { *then } else { *otherwise })
            }
            Rvalue::PointerAdd(pointer, offset) => {
                let (pointer, offset) = (self.get(*pointer), self.get(*offset));
                Value { bits: pointer.bits.wrapping_add(offset.bits) & mask(bits), origin: pointer.origin }
            }
            Rvalue::PointerDifference(left, right) => {
                Value::plain(self.get(*left).bits.wrapping_sub(self.get(*right).bits) & mask(bits))
            }
            Rvalue::Overflows(op, left, right) => {
                let width = width(self.type_of(*left), bits);
                Value::truth(value::overflows(*op, self.get(*left).bits, self.get(*right).bits, width))
            }
            Rvalue::ThreadLocal(global) => self.thread_local(*global)?,
            Rvalue::CurrentThread => Value::plain(self.id.into()),
            Rvalue::ThreadExists(thread) => Value::truth(self.get(*thread).bits < u128::from(self.started)),
            Rvalue::ObjectSize(pointer) => {
                let spot = self.memory.resolve(self.get(*pointer), 0).ok();
                let object = spot.and_then(|spot| self.memory.object(spot.origin));
                Value::plain(object.map_or(0, |object| object.bytes.len() as u128))
            }
        })
    }

    fn thread_local(&mut self, global: GlobalId) -> Result<Value, Halt> {
        let known = self.thread.thread_locals.iter().find(|(id, _)| *id == global).map(|&(_, origin)| origin);
        let origin = match known {
            Some(origin) => origin,
            None => {
                let wanted = &self.machine.program().globals[global];
                let request = Request {
                    size: wanted.size,
                    align: wanted.align,
                    zeroed: true,
                    read_only: wanted.read_only,
                    shared: false,
                    creator: Creator::ThreadLocal(global),
                };
                let origin = match self.memory.allocate(heap_of(self.id), request, None) {
                    Ok((origin, _)) => origin,
                    Err(fault) => return Err(self.fault(fault, "allocate")),
                };
                self.machine.initialise(self.memory, origin, global);
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
