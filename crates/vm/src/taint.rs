//! Values that were never written, as far as anybody asks what becomes of them.
//!
//! A value is *tainted* when it was read from memory that nobody had written, comes from a variable without a value, or was computed
//! from such. Copying it is fine. It breaks the property `uninitialised` where it decides something: a branch, an address, an output.
//! Nothing is tainted where nobody asks for the property, and then all of this costs a look at two empty sets.
//!
//! Taint is a matter of single bits, as bit-fields and copies of padding need it: copies, masks and shifts by constants keep the other
//! bits clean, and every other operation makes all of its result tainted. So it may be wrong in one direction: what is computed from a
//! tainted value is tainted even where its result does not depend on it (`x ^ x`).

use raddle_base::Id;
use raddle_ir::{
    BinaryOp, CastOp, Constant, HavocKind, InstKind, Operand, Property, RegisterId, Rvalue, Terminator, Type,
};

use crate::execute::Cursor;
use crate::memory::Spot;
use crate::step::Halt;
use crate::value::{mask, width};

impl Cursor<'_, '_> {
    /// Whether anybody asks what becomes of values that were never written. Delayed stores are not followed.
    pub(crate) fn tracks(&self) -> bool {
        self.vm.checks(Property::Uninitialised) && !self.vm.memory_model().is_weak()
    }

    fn number(&self, register: RegisterId) -> u32 {
        u32::try_from(self.base() + register.index()).expect("fewer than 2^32 registers are live")
    }

    /// The bits of what an operand holds that are tainted.
    pub(crate) fn tainted(&self, operand: &Operand) -> u128 {
        match operand {
            Operand::Register(register) if !self.thread.tainted.is_empty() => {
                self.thread.tainted.get(&self.number(*register)).copied().unwrap_or(0)
            }
            Operand::Register(_) | Operand::Constant(_) => 0,
        }
    }

    fn is_tainted(&self, operand: &Operand) -> bool {
        self.tainted(operand) != 0
    }

    /// A register was assigned.
    pub(crate) fn taint(&mut self, register: RegisterId, tainted: u128) {
        let number = self.number(register);
        if tainted != 0 {
            self.thread.tainted.insert(number, tainted);
        } else if !self.thread.tainted.is_empty() {
            self.thread.tainted.remove(&number);
        }
    }

    /// A register was read from memory.
    pub(crate) fn taint_by_memory(&mut self, register: RegisterId, spot: Spot, size: u64) {
        if self.tracks() {
            let tainted = self.memory.tainted.bits(spot, size);
            self.taint(register, tainted);
        }
    }

    /// A register takes any value.
    pub(crate) fn taint_by_input(&mut self, register: RegisterId, kind: HavocKind) {
        let is_source = kind == HavocKind::Uninitialised && self.tracks();
        let all = self.all_bits(self.type_of(&Operand::Register(register)));
        self.taint(register, if is_source { all } else { 0 });
    }

    /// Memory was written.
    pub(crate) fn taint_memory(&mut self, spot: Spot, size: u64, tainted: u128) {
        if tainted != 0 || !self.memory.tainted.is_empty() {
            self.memory.tainted.set(spot, size, tainted);
        }
    }

    fn all_bits(&self, ty: Type) -> u128 {
        mask(width(ty, self.pointer_bits))
    }

    /// The bits of a value that is computed from others for a register that are tainted.
    pub(crate) fn makes_tainted(&self, dest: RegisterId, value: &Rvalue) -> u128 {
        if self.thread.tainted.is_empty() {
            return 0;
        }
        let all = self.all_bits(self.type_of(&Operand::Register(dest)));
        let any = |operands: &[&Operand]| {
            if operands.iter().any(|operand| self.is_tainted(operand)) { all } else { 0 }
        };
        match value {
            Rvalue::Use(a)
            | Rvalue::Cast(
                CastOp::Truncate
                | CastOp::ZeroExtend
                | CastOp::Bits
                | CastOp::PointerToInt
                | CastOp::IntToPointer,
                a,
            ) => self.tainted(a) & all,
            Rvalue::Cast(CastOp::SignExtend, a) => {
                let (bits, sign) = (self.tainted(a), self.all_bits(self.type_of(a)));
                // The highest bit is what fills the new ones.
                if bits & (sign ^ sign >> 1) == 0 { bits } else { bits | all & !sign }
            }
            Rvalue::Binary(op, a, b) => {
                let known = |operand: &Operand| match operand {
                    Operand::Constant(Constant::Int(_, value)) => Some(*value),
                    Operand::Constant(_) | Operand::Register(_) => None,
                };
                let bits = self.tainted(a) | self.tainted(b);
                match (op, known(a).or(known(b)), known(b)) {
                    (BinaryOp::And, Some(constant), _) => bits & constant,
                    (BinaryOp::Or, Some(constant), _) => bits & !constant,
                    (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor, _, _) => bits,
                    (BinaryOp::Shl, _, Some(amount @ 0..128)) => bits << amount & all,
                    (BinaryOp::UnsignedShr, _, Some(amount @ 0..128)) => bits >> amount,
                    (BinaryOp::SignedShr, _, Some(amount @ 0..128)) => {
                        let sign = all ^ all >> 1;
                        let filled = if bits & sign == 0 { 0 } else { all & !(all >> amount) };
                        bits >> amount | filled
                    }
                    _ => any(&[a, b]),
                }
            }
            Rvalue::Unary(_, a) | Rvalue::Cast(_, a) | Rvalue::ThreadExists(a) | Rvalue::ObjectSize(a) => {
                any(&[a])
            }
            Rvalue::Compare(_, a, b)
            | Rvalue::PointerAdd(a, b)
            | Rvalue::PointerDifference(a, b)
            | Rvalue::Overflows(_, a, b) => any(&[a, b]),
            Rvalue::Select(condition, then, otherwise) => {
                let chosen = if self.bits(condition) != 0 { then } else { otherwise };
                any(&[condition]) | self.tainted(chosen)
            }
            Rvalue::ThreadLocal(_)
            | Rvalue::CurrentThread
            | Rvalue::HoldsLock(_)
            | Rvalue::LockIsFree(_)
            | Rvalue::Peek(..) => 0,
        }
    }

    /// Sees to it that no tainted value decides what the next instruction does.
    pub(crate) fn decides(&mut self, kind: &InstKind) -> Result<(), Halt> {
        if self.thread.tainted.is_empty() && self.memory.tainted.is_empty() {
            return Ok(());
        }
        let address = "decides an address";
        let decided = match kind {
            InstKind::Load { address: operand, .. }
            | InstKind::Store { address: operand, .. }
            | InstKind::AtomicRmw { address: operand, .. }
            | InstKind::CompareExchange { address: operand, .. }
            | InstKind::Free { pointer: operand }
            | InstKind::Lock { lock: operand }
            | InstKind::Unlock { lock: operand }
            | InstKind::Call { callee: operand, .. }
            | InstKind::Fork { function: operand, .. }
            | InstKind::Alloc { size: operand, .. } => self.is_tainted(operand).then_some(address),
            InstKind::Assign {
                value: Rvalue::HoldsLock(operand) | Rvalue::LockIsFree(operand) | Rvalue::Peek(operand, _),
                ..
            } => self.is_tainted(operand).then_some(address),
            InstKind::Assume(operand)
            | InstKind::WaitUntil(operand)
            | InstKind::Check { condition: operand, .. }
            | InstKind::Join { thread: operand, .. } => {
                self.is_tainted(operand).then_some("decides what the program does next")
            }
            InstKind::Intrinsic { arguments, .. } => {
                let printed = |argument: &Operand| {
                    self.is_tainted(argument)
                        || self.origin(argument).is_some_and(|origin| {
                            self.memory.tainted.has(Spot { origin, offset: 0 }, u64::from(u32::MAX))
                        })
                };
                arguments.iter().any(printed).then_some("is given to the outside")
            }
            InstKind::Assign { .. }
            | InstKind::EndLife(_)
            | InstKind::Fence(_)
            | InstKind::Havoc { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd => None,
        };
        self.no_decision(decided)
    }

    /// Sees to it that no tainted value decides where a block leads.
    pub(crate) fn decides_way(&mut self, terminator: &Terminator) -> Result<(), Halt> {
        let decided = match terminator {
            Terminator::Branch(operand, ..) | Terminator::Switch { value: operand, .. } => {
                self.is_tainted(operand).then_some("decides a branch")
            }
            Terminator::ExitProcess(operand) => {
                self.is_tainted(operand).then_some("is the status at the end")
            }
            Terminator::Jump(_)
            | Terminator::Return(_)
            | Terminator::ExitThread(_)
            | Terminator::Abort
            | Terminator::Unreachable
            | Terminator::Unsupported(_) => None,
        };
        self.no_decision(decided)
    }

    fn no_decision(&mut self, decided: Option<&str>) -> Result<(), Halt> {
        match decided {
            Some(what) => {
                Err(self.violated(Property::Uninitialised, format!("a value that was never written {what}")))
            }
            None => Ok(()),
        }
    }
}
