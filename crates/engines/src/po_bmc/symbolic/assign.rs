//! Assignments: what an expression without side effects means on a path.

use raddle_ir::{CastOp, Ordering, Property, RegisterId, Rvalue, Type};

use super::comparison::Comparison;
use super::context::Flow;
use super::control::Registers;
use super::executor::Executor;
use super::instruction::{fit, set};
use super::memory::Role;
use super::objects::thread_local;
use super::path::Path;
use super::sync::{lock_state, thread_exists};
use raddle_semantics::values::{self, Binary};

impl Executor<'_, '_> {
    #[expect(clippy::too_many_lines, reason = "one flat match")]
    pub(crate) fn assign(
        &mut self,
        dest: RegisterId,
        value: &Rvalue,
        path: &mut Path,
        registers: &mut Registers,
    ) -> Flow {
        let to = self.register_type(dest);
        let pointer_bits = self.cx.pointer_bits();
        let result = match value {
            Rvalue::Use(operand) => self.operand(registers, *operand),
            Rvalue::Unary(op, operand) => {
                let ty = self.operand_type(*operand);
                let operand = self.operand(registers, *operand);
                let result = values::unary(&mut self.cx.out.terms, *op, operand, ty);
                fit(&mut self.cx, result, to)
            }
            Rvalue::Binary(op, left, right) => {
                let ty = self.operand_type(*left);
                let (left, right) = (self.operand(registers, *left), self.operand(registers, *right));
                let Binary { result, defined, fits } =
                    values::binary(&mut self.cx.out.terms, *op, left, right, ty);
                for (property, holds) in [(Property::Arithmetic, defined), (Property::Overflow, fits)] {
                    self.cx.check(path, property, holds, "an operation whose result is undefined");
                    if matches!(self.cx.assume(path, holds), Flow::Ends) {
                        return Flow::Ends;
                    }
                }
                result
            }
            Rvalue::Compare(op, left, right) => {
                let ty = self.operand_type(*left);
                let operands = (*left, *right);
                let (left, right) = (self.operand(registers, *left), self.operand(registers, *right));
                if ty == Type::Ptr {
                    let (left, right) = ((left, operands.0), (right, operands.1));
                    let mut comparison = Comparison { memory: &mut self.memory, path, step: None };
                    comparison.compare(&mut self.cx, *op, left, right)
                } else {
                    values::compare(&mut self.cx.out.terms, *op, left, right, ty)
                }
            }
            Rvalue::Cast(op, operand) => {
                let from = self.operand_type(*operand);
                let source = *operand;
                let operand = self.operand(registers, source);
                match op {
                    CastOp::PointerToInt => {
                        let always = self.cx.out.terms.bool(true);
                        self.memory.number_of(&mut self.cx, path, always, operand, source)
                    }
                    CastOp::IntToPointer => self.memory.pointer_of(&mut self.cx, path, operand),
                    CastOp::Truncate
                    | CastOp::ZeroExtend
                    | CastOp::SignExtend
                    | CastOp::SignedToFloat
                    | CastOp::UnsignedToFloat
                    | CastOp::FloatToSigned
                    | CastOp::FloatToUnsigned
                    | CastOp::FloatToFloat
                    | CastOp::Bits => {
                        values::cast(&mut self.cx.out.terms, *op, operand, (from, to), pointer_bits)
                    }
                }
            }
            Rvalue::Select(condition, then, otherwise) => {
                let condition = self.operand(registers, *condition);
                let (then, otherwise) = (self.operand(registers, *then), self.operand(registers, *otherwise));
                self.cx.out.terms.ite(condition, then, otherwise)
            }
            Rvalue::PointerAdd(pointer, offset) => {
                let (pointer, offset) = (self.operand(registers, *pointer), self.operand(registers, *offset));
                self.cx.moved(pointer, offset)
            }
            Rvalue::PointerDifference(left, right) => {
                let operands = (*left, *right);
                let (left, right) = (self.operand(registers, *left), self.operand(registers, *right));
                self.memory.distance(&mut self.cx, path, (left, operands.0), (right, operands.1))
            }
            Rvalue::Overflows(op, left, right) => {
                let (left, right) = (self.operand(registers, *left), self.operand(registers, *right));
                values::overflows(&mut self.cx.out.terms, *op, left, right)
            }
            Rvalue::ThreadLocal(global) => thread_local(&mut self.cx, *global),
            Rvalue::CurrentThread => {
                let thread_id = self.cx.own_thread_id();
                fit(&mut self.cx, thread_id, to)
            }
            Rvalue::ThreadExists(thread) => {
                let thread = self.operand(registers, *thread);
                thread_exists(&mut self.cx, path, thread)
            }
            Rvalue::ObjectSize(pointer) => {
                let pointer = self.operand(registers, *pointer);
                match self.memory.object_size(&mut self.cx, path, pointer) {
                    Some(size) => size,
                    None => return Flow::Ends,
                }
            }
            Rvalue::Peek(word, unwritten) => {
                let mut request = self.request(registers, *word, Type::Int(32), Ordering::Relaxed);
                request.role = Role::Peek(*unwritten);
                match self.memory.load(&mut self.cx, path, request) {
                    Some(value) => value,
                    None => return Flow::Ends,
                }
            }
            Rvalue::HoldsLock(lock) | Rvalue::LockIsFree(lock) => {
                let holds = matches!(value, Rvalue::HoldsLock(_));
                let operand = *lock;
                let lock = self.operand(registers, operand);
                match lock_state(&mut self.cx, &mut self.memory, path, lock, operand, holds) {
                    Some(answer) => answer,
                    None => return Flow::Ends,
                }
            }
        };
        set(registers, dest, result);
        Flow::Next
    }
}
