//! Uniform views of instructions and terminators: what they define, use, and where they go.
//!
//! Analyses and passes that treat all operands alike go through here, so that a new instruction is added to
//! these matches once. Everything is matched exhaustively: forgetting an operand would make an analysis unsound.

use smallvec::{SmallVec, smallvec};

use crate::inst::{Constant, InstKind, Lifetime, Operand, Ordering, Rvalue, Terminator};
use crate::program::{BlockId, Function, Program, RegisterId, Type};

/// How an instruction touches memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AccessKind {
    /// Reads only.
    Read,
    /// Writes only.
    Write,
    /// Reads and perhaps writes, in one step.
    ReadWrite,
}

/// The one access to memory that an instruction makes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryAccess {
    /// A pointer to the first byte.
    pub address: Operand,
    /// Read, written or both.
    pub kind: AccessKind,
    /// What is read or written; lock words are 32 bits.
    pub ty: Type,
    /// Plain or atomic; taking and releasing a lock counts as sequentially consistent, asking about one as relaxed.
    pub ordering: Ordering,
}

impl Constant {
    /// The type that the constant has in `program`.
    #[must_use]
    pub const fn ty(self) -> Type {
        match self {
            Self::Int(bits, _) => Type::Int(bits),
            Self::F32(_) => Type::F32,
            Self::F64(_) => Type::F64,
            Self::Null | Self::Global(..) | Self::Function(_) => Type::Ptr,
        }
    }

    /// The `i1` of a truth value.
    #[must_use]
    pub fn bool(value: bool) -> Self {
        Self::Int(1, u128::from(value))
    }
}

impl Operand {
    /// The constant `true`.
    pub const TRUE: Self = Self::Constant(Constant::Int(1, 1));
    /// The constant `false`.
    pub const FALSE: Self = Self::Constant(Constant::Int(1, 0));

    /// The register, if it is one.
    #[must_use]
    pub const fn register(self) -> Option<RegisterId> {
        match self {
            Self::Register(register) => Some(register),
            Self::Constant(_) => None,
        }
    }

    /// The constant, if it is one.
    #[must_use]
    pub const fn constant(self) -> Option<Constant> {
        match self {
            Self::Register(_) => None,
            Self::Constant(constant) => Some(constant),
        }
    }

    /// The operand's type; `None` for a register that the function does not have.
    #[must_use]
    pub fn ty(self, function: &Function) -> Option<Type> {
        match self {
            Self::Register(register) => function.registers.get(register).map(|register| register.ty),
            Self::Constant(constant) => Some(constant.ty()),
        }
    }
}

impl From<RegisterId> for Operand {
    fn from(register: RegisterId) -> Self {
        Self::Register(register)
    }
}

impl From<Constant> for Operand {
    fn from(constant: Constant) -> Self {
        Self::Constant(constant)
    }
}

impl Type {
    /// Bytes in memory; `None` for an integer that cannot be stored.
    #[must_use]
    pub const fn bytes(self, pointer_bits: u8) -> Option<u64> {
        match self {
            Self::Int(bits) if bits > 0 && bits <= 128 && bits.is_multiple_of(8) => Some(bits as u64 / 8),
            Self::Int(_) => None,
            Self::F32 => Some(4),
            Self::F64 => Some(8),
            Self::Ptr => Some(pointer_bits as u64 / 8),
        }
    }
}

impl Program {
    /// Whether calling `callee` with such arguments, and taking such a result, is a call of a fitting function.
    /// A call that ignores the result fits whatever the callee returns.
    #[must_use]
    pub fn fits_call(&self, callee: &Function, arguments: &[Type], result: Option<Type>) -> bool {
        callee.parameters.len() == arguments.len()
            && (callee.parameters.iter().zip(arguments))
                .all(|(&parameter, &ty)| callee.registers.get(parameter).is_some_and(|known| known.ty == ty))
            && result.is_none_or(|ty| callee.result == Some(ty))
    }
}

/// Calls `visit` on every operand of a node; `$node` is matched by the reference it is.
macro_rules! visit_rvalue {
    ($node:expr, $visit:expr) => {
        match $node {
            Rvalue::Use(a)
            | Rvalue::Unary(_, a)
            | Rvalue::Cast(_, a)
            | Rvalue::ThreadExists(a)
            | Rvalue::ObjectSize(a)
            | Rvalue::HoldsLock(a)
            | Rvalue::LockIsFree(a)
            | Rvalue::Peek(a, _) => $visit(a),
            Rvalue::Binary(_, a, b)
            | Rvalue::Compare(_, a, b)
            | Rvalue::PointerAdd(a, b)
            | Rvalue::PointerDifference(a, b)
            | Rvalue::Overflows(_, a, b) => {
                $visit(a);
                $visit(b);
            }
            Rvalue::Select(a, b, c) => {
                $visit(a);
                $visit(b);
                $visit(c);
            }
            Rvalue::ThreadLocal(_) | Rvalue::CurrentThread => {}
        }
    };
}

macro_rules! visit_inst {
    ($node:expr, $visit:expr) => {
        match $node {
            InstKind::Assign { dest: _, value } => visit_rvalue!(value, $visit),
            InstKind::Load { address, .. } => $visit(address),
            InstKind::Store { address, value, .. } | InstKind::AtomicRmw { address, value, .. } => {
                $visit(address);
                $visit(value);
            }
            InstKind::CompareExchange { address, expected, desired, .. } => {
                $visit(address);
                $visit(expected);
                $visit(desired);
            }
            InstKind::Alloc { size, .. } => $visit(size),
            InstKind::Free { pointer }
            | InstKind::EndLife(Lifetime::Object(pointer) | Lifetime::Contents { pointer, .. }) => {
                $visit(pointer)
            }
            InstKind::EndLife(Lifetime::Activation | Lifetime::Activations | Lifetime::Thread) => {}
            InstKind::Call { callee, arguments, .. } => {
                $visit(callee);
                for argument in arguments {
                    $visit(argument);
                }
            }
            InstKind::Intrinsic { arguments, .. } => {
                for argument in arguments {
                    $visit(argument);
                }
            }
            InstKind::Assume(condition)
            | InstKind::WaitUntil(condition)
            | InstKind::Check { condition, .. } => $visit(condition),
            InstKind::Fork { function, argument, .. } => {
                $visit(function);
                $visit(argument);
            }
            InstKind::Join { thread, .. } => $visit(thread),
            InstKind::Lock { lock } | InstKind::Unlock { lock } => $visit(lock),
            InstKind::Fence(_) | InstKind::Havoc { .. } | InstKind::AtomicBegin | InstKind::AtomicEnd => {}
        }
    };
}

impl Rvalue {
    /// The pointer to the lock word that it looks at, if it does.
    #[must_use]
    pub const fn lock_word(&self) -> Option<Operand> {
        if let Self::HoldsLock(lock) | Self::LockIsFree(lock) | Self::Peek(lock, _) = self {
            Some(*lock)
        } else {
            None
        }
    }

    /// Calls `visit` on every operand, in order.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        visit_rvalue!(self, |operand: &Operand| visit(*operand));
    }

    /// Calls `visit` on every operand, in order, to change it.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        visit_rvalue!(self, |operand: &mut Operand| visit(operand));
    }
}

impl InstKind {
    /// The register that the instruction assigns, if it does.
    #[must_use]
    pub const fn dest(&self) -> Option<RegisterId> {
        match self {
            Self::Assign { dest, .. }
            | Self::Load { dest, .. }
            | Self::AtomicRmw { dest, .. }
            | Self::CompareExchange { dest, .. }
            | Self::Alloc { dest, .. }
            | Self::Havoc { dest, .. }
            | Self::Fork { dest, .. } => Some(*dest),
            Self::Call { dest, .. } | Self::Intrinsic { dest, .. } | Self::Join { dest, .. } => *dest,
            Self::Store { .. }
            | Self::Fence(_)
            | Self::Free { .. }
            | Self::EndLife(_)
            | Self::Assume(_)
            | Self::WaitUntil(_)
            | Self::Check { .. }
            | Self::Lock { .. }
            | Self::Unlock { .. }
            | Self::AtomicBegin
            | Self::AtomicEnd => None,
        }
    }

    /// Calls `visit` on every operand, in order.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        visit_inst!(self, |operand: &Operand| visit(*operand));
    }

    /// Calls `visit` on every operand, in order, to change it.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        visit_inst!(self, |operand: &mut Operand| visit(operand));
    }

    /// The instruction's access to memory. `Free` ends a lifetime and is not an access here; neither is what an
    /// intrinsic reads or writes for the outside, nor asking for an object's size.
    #[must_use]
    pub const fn access(&self) -> Option<MemoryAccess> {
        let atomic = Ordering::SequentiallyConsistent;
        let (address, kind, ty, ordering) = match self {
            Self::Load { address, ty, ordering, .. } => (*address, AccessKind::Read, *ty, *ordering),
            Self::Store { address, ty, ordering, .. } => (*address, AccessKind::Write, *ty, *ordering),
            Self::AtomicRmw { address, ty, ordering, .. }
            | Self::CompareExchange { address, ty, ordering, .. } => {
                (*address, AccessKind::ReadWrite, *ty, *ordering)
            }
            Self::Lock { lock } => (*lock, AccessKind::ReadWrite, Type::Int(32), atomic),
            Self::Unlock { lock } => (*lock, AccessKind::Write, Type::Int(32), atomic),
            Self::Assign { value, .. } => match value.lock_word() {
                Some(lock) => (lock, AccessKind::Read, Type::Int(32), Ordering::Relaxed),
                None => return None,
            },
            Self::Fence(_)
            | Self::Alloc { .. }
            | Self::Free { .. }
            | Self::EndLife(_)
            | Self::Call { .. }
            | Self::Intrinsic { .. }
            | Self::Havoc { .. }
            | Self::Assume(_)
            | Self::WaitUntil(_)
            | Self::Check { .. }
            | Self::Fork { .. }
            | Self::Join { .. }
            | Self::AtomicBegin
            | Self::AtomicEnd => return None,
        };
        Some(MemoryAccess { address, kind, ty, ordering })
    }
}

macro_rules! visit_terminator {
    ($node:expr, $visit:expr) => {
        match $node {
            Terminator::Branch(operand, ..)
            | Terminator::Switch { value: operand, .. }
            | Terminator::Return(Some(operand))
            | Terminator::ExitThread(operand)
            | Terminator::ExitProcess(operand) => $visit(operand),
            Terminator::Jump(_)
            | Terminator::Return(None)
            | Terminator::Abort
            | Terminator::Unreachable
            | Terminator::Unsupported(_) => {}
        }
    };
}

impl Terminator {
    /// Where control may go, in the order written; a block may come up more than once.
    #[must_use]
    pub fn successors(&self) -> SmallVec<[BlockId; 4]> {
        match self {
            Self::Jump(target) => smallvec![*target],
            Self::Branch(_, yes, no) => smallvec![*yes, *no],
            Self::Switch { cases, default, .. } => {
                cases.iter().map(|case| case.2).chain(std::iter::once(*default)).collect()
            }
            Self::Return(_)
            | Self::ExitThread(_)
            | Self::ExitProcess(_)
            | Self::Abort
            | Self::Unreachable
            | Self::Unsupported(_) => SmallVec::new(),
        }
    }

    /// Calls `visit` on every target, to change it.
    pub fn for_each_successor_mut(&mut self, mut visit: impl FnMut(&mut BlockId)) {
        match self {
            Self::Jump(target) => visit(target),
            Self::Branch(_, yes, no) => {
                visit(yes);
                visit(no);
            }
            Self::Switch { cases, default, .. } => {
                for (_, _, target) in cases {
                    visit(target);
                }
                visit(default);
            }
            Self::Return(_)
            | Self::ExitThread(_)
            | Self::ExitProcess(_)
            | Self::Abort
            | Self::Unreachable
            | Self::Unsupported(_) => {}
        }
    }

    /// Calls `visit` on the operand, if there is one.
    pub fn for_each_operand(&self, mut visit: impl FnMut(Operand)) {
        visit_terminator!(self, |operand: &Operand| visit(*operand));
    }

    /// Calls `visit` on the operand, if there is one, to change it.
    pub fn for_each_operand_mut(&mut self, mut visit: impl FnMut(&mut Operand)) {
        visit_terminator!(self, |operand: &mut Operand| visit(operand));
    }
}
