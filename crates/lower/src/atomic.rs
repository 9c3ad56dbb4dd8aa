//! Atomic built-ins: `__atomic_*` and `__sync_*`.
//!
//! A memory order is the value of an argument (C11 7.17.3), not always a constant: wrappers hand it on. Then the operation is
//! there once for each order, and the value chooses.

use crate::code::Code;
use crate::function::int;
use crate::place::{Body, Val};
use crate::refused::Refused;
use crate::types::{self, Class};
use raddle_cfront::ast::ExprId;
use raddle_cfront::check::builtin::{AtomicOp, Builtin};
use raddle_cfront::check::constant::{Constant as CConstant, evaluate};
use raddle_cfront::types::{QualType, Types};
use raddle_ir::{BinaryOp, BlockId, CastOp, InstKind, Operand, Ordering, RmwOp, Rvalue, Terminator, Type};

/// The object that an atomic built-in works on.
#[derive(Clone, Copy)]
pub(crate) struct AtomicObject {
    address: Operand,
    ty: Type,
    c_type: QualType,
}

/// The memory order of an operation.
#[derive(Clone, Copy)]
pub(crate) enum MemoryOrder {
    Fixed(Ordering),
    /// What this number says.
    Chosen(Operand),
}

/// Orders by their numbers in C.
const ORDERS: [Ordering; 6] = [
    Ordering::Relaxed,
    // Consume counts as acquire.
    Ordering::Acquire,
    Ordering::Acquire,
    Ordering::Release,
    Ordering::AcquireRelease,
    Ordering::SequentiallyConsistent,
];

/// Accesses objects atomically, under a memory order that may be chosen at run time.
pub(crate) struct Atomics<'c, 'l, 'a> {
    pub(crate) code: &'c mut Code<'l, 'a>,
}

impl Atomics<'_, '_, '_> {
    /// Does something with the order that counts.
    pub(crate) fn under(&mut self, order: MemoryOrder, mut act: impl FnMut(&mut Self, Ordering)) {
        let value = match order {
            MemoryOrder::Fixed(ordering) => return act(self, ordering),
            MemoryOrder::Chosen(value) => value,
        };
        // One block for each order. Only one of them runs, so there is one event on every path.
        let (cases, done): (Vec<BlockId>, BlockId) =
            (ORDERS.map(|_| self.code.b.block()).into(), self.code.b.block());
        // Other numbers mean nothing (C11 7.17.3).
        let default = cases[ORDERS.len() - 1];
        let numbered = (0..).zip(&cases).map(|(number, &block)| (number, number, block)).collect();
        self.code.b.terminate(Terminator::Switch { value, cases: numbered, default });
        for (block, ordering) in cases.into_iter().zip(ORDERS) {
            self.code.b.switch_to(block);
            act(self, ordering);
            self.code.b.terminate(Terminator::Jump(done));
        }
        self.code.b.switch_to(done);
    }

    fn atomic_load(&mut self, object: AtomicObject, order: MemoryOrder) -> Operand {
        let AtomicObject { address, ty, .. } = object;
        let dest = self.code.b.register(ty, None);
        self.under(order, |atomics, ordering| {
            atomics.code.b.emit(InstKind::Load { dest, address, ty, ordering: load_order(ordering) });
        });
        Operand::Register(dest)
    }

    fn atomic_store(&mut self, object: AtomicObject, value: Operand, order: MemoryOrder) {
        let AtomicObject { address, ty, .. } = object;
        self.under(order, |atomics, ordering| {
            atomics.code.b.store(address, value, ty, store_order(ordering))
        });
    }

    fn rmw(&mut self, op: RmwOp, object: AtomicObject, value: Operand, order: MemoryOrder) -> Operand {
        let dest = self.code.b.register(object.ty, None);
        let AtomicObject { address, ty, .. } = object;
        self.under(order, |atomics, ordering| {
            atomics.code.b.emit(InstKind::AtomicRmw { dest, op, address, value, ty, ordering });
        });
        Operand::Register(dest)
    }

    fn exchange_if(
        &mut self,
        object: AtomicObject,
        expected: Operand,
        desired: Operand,
        order: MemoryOrder,
        failure: MemoryOrder,
    ) -> Operand {
        let dest = self.code.b.register(object.ty, None);
        let AtomicObject { address, ty, .. } = object;
        self.under(order, |atomics, ordering| {
            atomics.under(failure, |atomics, failure| {
                let failure = load_order(failure);
                atomics.code.b.emit(InstKind::CompareExchange {
                    dest,
                    address,
                    expected,
                    desired,
                    ty,
                    ordering,
                    failure,
                });
            });
        });
        Operand::Register(dest)
    }

    fn fetch_value(
        &mut self,
        op: AtomicOp,
        object: AtomicObject,
        value: Operand,
        order: MemoryOrder,
        new: bool,
    ) -> Operand {
        let is_pointer = object.ty == Type::Ptr;
        let integer = if is_pointer { self.code.b.size_type() } else { object.ty };
        let (rmw, combine) = match op {
            AtomicOp::Add => (RmwOp::Add, BinaryOp::Add),
            AtomicOp::Sub => (RmwOp::Sub, BinaryOp::Sub),
            AtomicOp::And => (RmwOp::And, BinaryOp::And),
            AtomicOp::Or => (RmwOp::Or, BinaryOp::Or),
            AtomicOp::Xor => (RmwOp::Xor, BinaryOp::Xor),
            AtomicOp::Nand => (RmwOp::Nand, BinaryOp::And),
            AtomicOp::Min | AtomicOp::Max | AtomicOp::UnsignedMin | AtomicOp::UnsignedMax => {
                return self.fetch_extreme(op, object, value, order, new);
            }
        };
        let old = self.rmw(rmw, object, value, order);
        if !new {
            return old;
        }
        if is_pointer {
            let offset = if op == AtomicOp::Sub {
                self.code.b.binary(BinaryOp::Sub, integer, int(self.code.b.pointer_bits, 0), value)
            } else {
                value
            };
            // Computed once more, because the instruction gives the old value.
            return self.code.b.assign(Type::Ptr, Rvalue::PointerAdd(old, offset));
        }
        let mut result = self.code.b.binary(combine, integer, old, value);
        if op == AtomicOp::Nand {
            result = self.code.b.assign(integer, Rvalue::Unary(raddle_ir::UnaryOp::Not, result));
        }
        result
    }

    /// The least or greatest of the old value and another.
    fn fetch_extreme(
        &mut self,
        op: AtomicOp,
        object: AtomicObject,
        value: Operand,
        order: MemoryOrder,
        new: bool,
    ) -> Operand {
        let signed = types::is_signed(self.code.ast, object.c_type.id)
            && matches!(op, AtomicOp::Min | AtomicOp::Max)
            && object.ty != Type::Ptr;
        let least = matches!(op, AtomicOp::Min | AtomicOp::UnsignedMin);
        let rmw = match (least, signed) {
            (true, true) => RmwOp::SignedMin,
            (true, false) => RmwOp::UnsignedMin,
            (false, true) => RmwOp::SignedMax,
            (false, false) => RmwOp::UnsignedMax,
        };
        let old = self.rmw(rmw, object, value, order);
        let Some((compare, greater)) = rmw.stays_if().filter(|_| new) else { return old };
        let (left, right) = if greater { (value, old) } else { (old, value) };
        let stays = self.code.b.compare(compare, left, right);
        self.code.b.assign(object.ty, Rvalue::Select(stays, old, value))
    }
}

impl Body<'_, '_> {
    #[expect(clippy::too_many_lines, reason = "one flat match")]
    pub(crate) fn atomic(&mut self, builtin: Builtin, arguments: &[ExprId]) -> Val {
        let Some(object) = self.atomic_object(builtin, arguments[0]) else {
            return self.code.refuse(Refused::LargeAtomic);
        };
        let sequential = MemoryOrder::Fixed(Ordering::SequentiallyConsistent);
        match builtin {
            Builtin::SyncFetch(op) => self.fetch(op, object, arguments[1], sequential, false),
            Builtin::SyncOpFetch(op) => self.fetch(op, object, arguments[1], sequential, true),
            Builtin::AtomicFetch(op) => {
                let order = self.order(arguments.get(2).copied());
                self.fetch(op, object, arguments[1], order, false)
            }
            Builtin::AtomicOpFetch(op) => {
                let order = self.order(arguments.get(2).copied());
                self.fetch(op, object, arguments[1], order, true)
            }
            Builtin::SyncBoolCompareAndSwap | Builtin::SyncValCompareAndSwap => {
                let (expected, desired) = (self.scalar(arguments[1]), self.scalar(arguments[2]));
                // Both orders are the strongest there is.
                let old = self.code.atomics().exchange_if(object, expected, desired, sequential, sequential);
                if builtin == Builtin::SyncValCompareAndSwap {
                    return Val::Scalar(old);
                }
                let same = self.code.same_bits(old, expected, object.ty);
                Val::Scalar(self.code.resize(same, Type::Int(8), false))
            }
            Builtin::SyncLockTestAndSet => {
                let value = self.scalar(arguments[1]);
                Val::Scalar(self.code.atomics().rmw(
                    RmwOp::Exchange,
                    object,
                    value,
                    MemoryOrder::Fixed(Ordering::Acquire),
                ))
            }
            Builtin::SyncSwap => {
                let value = self.scalar(arguments[1]);
                Val::Scalar(self.code.atomics().rmw(RmwOp::Exchange, object, value, sequential))
            }
            Builtin::SyncLockRelease => {
                let zero = self.code.zero(object.c_type);
                self.code.b.store(object.address, zero, object.ty, Ordering::Release);
                Val::Void
            }
            Builtin::AtomicLoadN => {
                let order = self.order(arguments.get(1).copied());
                Val::Scalar(self.code.atomics().atomic_load(object, order))
            }
            Builtin::AtomicLoad => {
                let to = self.scalar(arguments[1]);
                let order = self.order(arguments.get(2).copied());
                let value = self.code.atomics().atomic_load(object, order);
                self.code.b.store(to, value, object.ty, Ordering::Plain);
                Val::Void
            }
            Builtin::AtomicStoreN | Builtin::AtomicStore => {
                // The general forms take values by pointer.
                let value = self.operand_of(object, arguments[1], builtin == Builtin::AtomicStore);
                let order = self.order(arguments.get(2).copied());
                self.code.atomics().atomic_store(object, value, order);
                Val::Void
            }
            Builtin::AtomicExchangeN => {
                let value = self.scalar(arguments[1]);
                let order = self.order(arguments.get(2).copied());
                Val::Scalar(self.code.atomics().rmw(RmwOp::Exchange, object, value, order))
            }
            Builtin::AtomicExchange => {
                let value = self.operand_of(object, arguments[1], true);
                let to = self.scalar(arguments[2]);
                let order = self.order(arguments.get(3).copied());
                let old = self.code.atomics().rmw(RmwOp::Exchange, object, value, order);
                self.code.b.store(to, old, object.ty, Ordering::Plain);
                Val::Void
            }
            Builtin::AtomicTestAndSet => {
                let order = self.order(arguments.get(1).copied());
                let old = self.code.atomics().rmw(RmwOp::Exchange, object, int(8, 1), order);
                let set = self.code.b.truth(old);
                Val::Scalar(self.code.resize(set, Type::Int(8), false))
            }
            Builtin::AtomicClear => {
                let order = self.order(arguments.get(1).copied());
                self.code.atomics().atomic_store(object, int(8, 0), order);
                Val::Void
            }
            Builtin::AtomicCompareExchangeN | Builtin::AtomicCompareExchange => {
                self.compare_exchange(builtin, object, arguments)
            }
            Builtin::VaStart
            | Builtin::VaEnd
            | Builtin::VaCopy
            | Builtin::Overflow(_)
            | Builtin::OverflowPredicate(_)
            | Builtin::FloatTest(_)
            | Builtin::FloatCompare(_)
            | Builtin::FloatClassify
            | Builtin::Complex
            | Builtin::Shuffle
            | Builtin::ShuffleVector
            | Builtin::ConvertVector
            | Builtin::SpeculationSafeValue
            | Builtin::SyncSynchronize
            | Builtin::AtomicThreadFence
            | Builtin::AtomicSignalFence
            | Builtin::Machine(_) => unreachable!("only atomic operations on an object come here"),
        }
    }

    /// `__atomic_compare_exchange`: what was found is written to `*expected` when it differs. A weak exchange may also fail
    /// without a reason (C11 7.17.7.4): then it is a load. Both are explored; which it is, is an input like any other.
    fn compare_exchange(&mut self, builtin: Builtin, object: AtomicObject, arguments: &[ExprId]) -> Val {
        let expected_address = self.scalar(arguments[1]);
        let desired = self.operand_of(object, arguments[2], builtin == Builtin::AtomicCompareExchange);
        let weak = self.weakness(arguments.get(3).copied());
        let order = self.order(arguments.get(4).copied());
        let failure = self.order(arguments.get(5).copied());
        // Read before the exchange, as a plain access of the caller's own variable.
        let expected = self.code.b.load(expected_address, object.ty, Ordering::Plain);
        let (old, same) = (self.code.b.register(object.ty, None), self.code.b.register(Type::Int(1), None));
        let (differs, done) = (self.code.b.block(), self.code.b.block());
        if let Some(weak) = weak {
            let (fails, tries) = (self.code.b.block(), self.code.b.block());
            self.code.b.branch(weak, fails, tries);
            // A spurious failure reads the object, and writes nothing.
            self.code.b.switch_to(fails);
            let seen = self.code.atomics().atomic_load(object, failure);
            self.code.b.set(old, seen);
            self.code.b.set(same, int(1, 0));
            self.code.b.terminate(Terminator::Jump(differs));
            self.code.b.switch_to(tries);
        }
        let found = self.code.atomics().exchange_if(object, expected, desired, order, failure);
        let equal = self.code.same_bits(found, expected, object.ty);
        self.code.b.set(old, found);
        self.code.b.set(same, equal);
        self.code.b.branch(equal, done, differs);
        self.code.b.switch_to(differs);
        // On failure the caller's variable gets what was found.
        self.code.b.store(expected_address, Operand::Register(old), object.ty, Ordering::Plain);
        self.code.b.fall_into(done);
        Val::Scalar(self.code.resize(Operand::Register(same), Type::Int(8), false))
    }

    /// Whether an exchange that is weak, if the argument says so, fails without a reason; nothing if it never does.
    fn weakness(&mut self, argument: Option<ExprId>) -> Option<Operand> {
        let argument = argument?;
        let weak = match evaluate(self.code.ast, argument) {
            Some(CConstant::Integer(0)) => return None,
            Some(CConstant::Integer(_)) => None,
            _ => Some(self.scalar(argument)),
            // The argument itself may be a variable, and counts when the exchange runs.
        };
        let fails = self.code.havoc("spurious failure".to_owned(), Type::Int(1), false);
        match weak {
            None => Some(fails),
            Some(weak) => {
                let weak = self.code.b.truth(weak);
                Some(self.code.b.binary(BinaryOp::And, Type::Int(1), weak, fails))
            }
        }
    }

    fn atomic_object(&mut self, builtin: Builtin, pointer: ExprId) -> Option<AtomicObject> {
        let target = self.code.ast.types.pointee(self.code.ast.exprs[pointer].ty.id)?;
        let address = self.scalar(pointer);
        if matches!(builtin, Builtin::AtomicTestAndSet | Builtin::AtomicClear) {
            return Some(AtomicObject { address, ty: Type::Int(8), c_type: QualType::plain(Types::bool()) });
        }
        let ty = match self.code.class(target) {
            Class::Scalar(ty) => ty,
            // Small structures are exchanged as the integer of their size.
            Class::Aggregate => match types::size_of(self.code.ast, target) {
                bytes @ (1 | 2 | 4 | 8 | 16) => Type::Int(u8::try_from(bytes * 8).ok()?),
                _ => return None,
            },
            Class::Void | Class::Function | Class::Unsupported(_) => return None,
        };
        Some(AtomicObject { address, ty, c_type: target })
    }

    /// A value argument, or what a pointer argument points to.
    fn operand_of(&mut self, object: AtomicObject, argument: ExprId, by_pointer: bool) -> Operand {
        let value = self.scalar(argument);
        if by_pointer { self.code.b.load(value, object.ty, Ordering::Plain) } else { value }
    }

    fn fetch(
        &mut self,
        op: AtomicOp,
        object: AtomicObject,
        argument: ExprId,
        order: MemoryOrder,
        new: bool,
    ) -> Val {
        let value = self.scalar(argument);
        // On pointers these built-ins count in bytes.
        // `fetch` on a pointer moves it; the other operations take its bits.
        let is_pointer = object.ty == Type::Ptr;
        let integer = if is_pointer { self.code.b.size_type() } else { object.ty };
        let value = if self.code.b.type_of(value) == Type::Ptr {
            self.code.b.cast(CastOp::PointerToInt, integer, value)
        } else {
            value
        };
        // The bits of a pointer are worked on as an integer.
        if is_pointer && !matches!(op, AtomicOp::Add | AtomicOp::Sub) {
            let bits = self.code.atomics().fetch_value(
                op,
                AtomicObject { ty: integer, ..object },
                value,
                order,
                new,
            );
            return Val::Scalar(self.code.b.cast(CastOp::IntToPointer, Type::Ptr, bits));
        }
        Val::Scalar(self.code.atomics().fetch_value(op, object, value, order, new))
    }

    /// A memory order argument. Where there is none the order is the strongest.
    pub(crate) fn order(&mut self, argument: Option<ExprId>) -> MemoryOrder {
        let Some(argument) = argument else { return MemoryOrder::Fixed(Ordering::SequentiallyConsistent) };
        match evaluate(self.code.ast, argument) {
            // A constant order, as nearly always.
            Some(CConstant::Integer(number)) => {
                // Above are hints for the processor (`__ATOMIC_HLE_ACQUIRE`).
                let known = usize::try_from(number & 0xffff).ok().and_then(|number| ORDERS.get(number));
                MemoryOrder::Fixed(known.copied().unwrap_or(Ordering::SequentiallyConsistent))
            }
            _ => MemoryOrder::Chosen(self.scalar(argument)),
        }
    }
}

/// A load cannot release; asked to, gcc takes the strongest order.
fn load_order(ordering: Ordering) -> Ordering {
    match ordering {
        Ordering::Release | Ordering::AcquireRelease => Ordering::SequentiallyConsistent,
        Ordering::Plain | Ordering::Relaxed | Ordering::Acquire | Ordering::SequentiallyConsistent => {
            ordering
        }
    }
}

/// A store cannot acquire.
fn store_order(ordering: Ordering) -> Ordering {
    match ordering {
        Ordering::Acquire | Ordering::AcquireRelease => Ordering::SequentiallyConsistent,
        Ordering::Plain | Ordering::Relaxed | Ordering::Release | Ordering::SequentiallyConsistent => {
            ordering
        }
    }
}
