//! The meaning of each instruction.

use raddle_base::{Exhausted, Id};
use raddle_ir::{
    CompareOp, HavocKind, IfUnchecked, InstKind, Intrinsic, Lifetime, Operand, Ordering, Property,
    RegisterId, RmwOp, Type,
};
use raddle_logic::term::TermId;
use raddle_vm::MemoryModel;

use super::comparison::Comparison;
use super::context::{Context, Flow};
use super::control::Registers;
use super::executor::Executor;
use super::follow::leave;
use super::memory::{Request, Role};
use super::path::Path;
use super::store_order::{EarlierStores, earlier_stores};
use super::sync::{self, begin_block, end_block, join, unlock, wait};
use super::synchronise::{note_begin, note_end, synchronise};
use crate::execution_graph::events::{StoreOrder, SynchronisationKind};
use raddle_semantics::View;
use raddle_semantics::values;

impl Executor<'_, '_> {
    pub(crate) fn request(
        &mut self,
        registers: &Registers,
        address: Operand,
        ty: Type,
        ordering: Ordering,
    ) -> Request {
        let operand = address;
        let address = self.operand(registers, operand);
        let size = values::bytes(ty, self.cx.pointer_bits());
        let view = View::Value(ty);
        Request { address, operand, size, ordering, failure: ordering, role: Role::Alone, view }
    }

    /// Executes an instruction.
    #[expect(clippy::too_many_lines, reason = "one flat match")]
    pub(crate) fn instruction(
        &mut self,
        kind: &InstKind,
        path: &mut Path,
        registers: &mut Registers,
    ) -> Result<Flow, Exhausted> {
        wait_for_stores(&mut self.cx, kind, path);
        match kind {
            InstKind::Assign { dest, value } => return Ok(self.assign(*dest, value, path, registers)),
            InstKind::Load { dest, address, ty, ordering } => {
                let mut request = self.request(registers, *address, *ty, *ordering);
                request.view = self.cx.view(*dest, *ty);
                let Some(value) = self.memory.load(&mut self.cx, path, request) else {
                    return Ok(Flow::Ends);
                };
                set(registers, *dest, value);
            }
            InstKind::Store { address, value, ty, ordering } => {
                let mut request = self.request(registers, *address, *ty, *ordering);
                if value.register().is_some_and(|register| self.cx.is_copied(register)) {
                    request.view = View::Copy;
                }
                let value = self.operand(registers, *value);
                return Ok(self.memory.store(&mut self.cx, path, request, value));
            }
            InstKind::AtomicRmw { dest, op, address, value, ty, ordering } => {
                let mut request = self.request(registers, *address, *ty, *ordering);
                request.view = self.cx.view(*dest, *ty);
                let operand = self.operand(registers, *value);
                let old = self.memory.update(&mut self.cx, path, request, |_, cx, _, _, old| {
                    let always = cx.terms().bool(true);
                    let new = match (*op, *ty) {
                        (RmwOp::Add, Type::Ptr) => cx.moved(old, operand),
                        (op, ty) => values::rmw(&mut cx.out.terms, op, old, operand, ty),
                    };
                    (always, new)
                });
                let Some(old) = old else { return Ok(Flow::Ends) };
                set(registers, *dest, old);
            }
            InstKind::CompareExchange { dest, address, expected, desired, ty, ordering, failure } => {
                let mut request = self.request(registers, *address, *ty, *ordering);
                request.failure = *failure;
                request.view = self.cx.view(*dest, *ty);
                let (expected_operand, expected) = (*expected, self.operand(registers, *expected));
                let desired = self.operand(registers, *desired);
                let (ty, dest_operand) = (*ty, Operand::Register(*dest));
                let old = self.memory.update(&mut self.cx, path, request, |memory, cx, path, step, old| {
                    let same = if ty == Type::Ptr {
                        let (seen, wanted) = ((old, dest_operand), (expected, expected_operand));
                        Comparison { memory, path, step }.compare(cx, CompareOp::Equal, seen, wanted)
                    } else {
                        values::compare(&mut cx.out.terms, CompareOp::Equal, old, expected, ty)
                    };
                    (same, desired)
                });
                let Some(old) = old else { return Ok(Flow::Ends) };
                set(registers, *dest, old);
            }
            InstKind::Fence(ordering) => {
                synchronise(&mut self.cx, path, SynchronisationKind::Fence(*ordering));
                self.cx.operation(path);
            }
            InstKind::Alloc { dest, size, align, storage, zeroed, .. } => {
                let size = self.operand(registers, *size);
                let size = self.cx.out.terms.resize(size, self.cx.world.pointer_bits(), false);
                let made = self.memory.allocate(&mut self.cx, path, (size, *align), *storage, *zeroed);
                let Some((pointer, local)) = made else { return Ok(Flow::Ends) };
                if let Some(object) = local {
                    self.stack.add_local(object);
                }
                set(registers, *dest, pointer);
            }
            InstKind::Free { pointer } => {
                let operand = *pointer;
                let pointer = self.operand(registers, operand);
                return Ok(self.memory.free(&mut self.cx, path, pointer, operand));
            }
            InstKind::EndLife(Lifetime::Contents { pointer, size }) => {
                self.cx.operation(path);
                let pointer = self.operand(registers, *pointer);
                return Ok(self.memory.forget(&mut self.cx, path, pointer, *size));
            }
            InstKind::EndLife(lifetime) => {
                self.cx.operation(path);
                let Some(objects) = self.ending(*lifetime, registers) else {
                    return Ok(self.cx.unsupported(path, "the end of a local object that is one of many"));
                };
                self.memory.end_objects(&mut self.cx, path, &objects);
            }
            InstKind::Call { dest, callee, arguments } => {
                return self.call_operand(*dest, *callee, arguments, path, registers);
            }
            InstKind::Intrinsic { dest, which, arguments } => {
                return Ok(self.intrinsic(*dest, *which, arguments, path, registers));
            }
            InstKind::Havoc { dest, site } => {
                let ty = self.register_type(*dest);
                let value = self.given(path, ty, "input");
                self.memory.placement.unknown_value(&mut self.cx, ty, value);
                let site = &self.cx.world.program.havocs[*site];
                if site.kind == HavocKind::Uninitialised {
                    self.cx.report.uninitialised.push(path.guard.term());
                }
                let name = site.name.clone();
                let always = self.cx.terms().bool(true);
                self.cx.input(path, ty, value, name, always);
                set(registers, *dest, value);
            }
            InstKind::Assume(condition) => {
                let condition = self.operand(registers, *condition);
                return Ok(self.cx.assume(path, condition));
            }
            InstKind::WaitUntil(condition) => {
                let condition = self.operand(registers, *condition);
                return Ok(wait(&mut self.cx, path, condition));
            }
            InstKind::Check { property, condition, message, if_unchecked } => {
                let condition = self.operand(registers, *condition);
                self.cx.check(path, *property, condition, &message.to_string());
                if self.is_through(path, condition) {
                    leave(&mut self.cx, path);
                    return Ok(Flow::Ends);
                }
                match if_unchecked {
                    IfUnchecked::GoesOn => {}
                    // What has no result at all ends by itself.
                    IfUnchecked::Ends
                        if *property == Property::Overflow && !self.cx.options.ends_at_overflow => {}
                    IfUnchecked::Ends => return Ok(self.cx.assume(path, condition)),
                }
            }
            InstKind::Fork { dest, function, argument } => {
                let function = self.operand(registers, *function);
                let argument = self.operand(registers, *argument);
                let Some(number) = self.fork(path, function, argument) else { return Ok(Flow::Ends) };
                set(registers, *dest, number);
            }
            InstKind::Join { dest, thread } => {
                let thread = self.operand(registers, *thread);
                let Some(result) = join(&mut self.cx, path, thread) else { return Ok(Flow::Ends) };
                if let Some(dest) = dest {
                    set(registers, *dest, result);
                }
            }
            InstKind::Lock { lock } => {
                let operand = *lock;
                let lock = self.operand(registers, operand);
                return Ok(sync::lock(&mut self.cx, &mut self.memory, path, lock, operand));
            }
            InstKind::Unlock { lock } => {
                let operand = *lock;
                let lock = self.operand(registers, operand);
                return Ok(unlock(&mut self.cx, &mut self.memory, path, lock, operand));
            }
            InstKind::AtomicBegin => {
                begin_block(&mut self.cx, path);
                note_begin(&mut self.cx, path);
            }
            InstKind::AtomicEnd => {
                note_end(&mut self.cx, path);
                end_block(&mut self.cx, path);
            }
        }
        Ok(Flow::Next)
    }

    pub(crate) fn intrinsic(
        &mut self,
        dest: Option<RegisterId>,
        which: Intrinsic,
        arguments: &[Operand],
        path: &mut Path,
        registers: &mut Registers,
    ) -> Flow {
        let what = match which {
            Intrinsic::PutByte => {
                if let (Some(dest), Some(byte)) = (dest, arguments.get(1)) {
                    let ty = self.register_type(dest);
                    let byte = self.operand(registers, *byte);
                    let value = fit(&mut self.cx, byte, ty);
                    set(registers, dest, value);
                }
                return Flow::Next;
            }
            Intrinsic::PutInteger | Intrinsic::PutFloat | Intrinsic::PutPointer => {
                "the number of bytes that were printed"
            }
            Intrinsic::FloatByte => "the digits of a floating number",
            Intrinsic::Decimal => "a floating number that was read",
            Intrinsic::Math(_) => "a function of <math.h>",
        };
        if let Some(dest) = dest {
            let ty = self.register_type(dest);
            let value = self.cx.havoc(path, ty, what);
            set(registers, dest, value);
        }
        Flow::Next
    }
}

/// Under weak memory models some instructions wait until the thread's stores have become visible.
fn wait_for_stores(cx: &mut Context<'_, '_>, kind: &InstKind, path: &Path) {
    if !cx.options.memory_model.is_weak() || !path.forked || path.block.is_some() {
        return;
    }
    match earlier_stores(kind) {
        EarlierStores::Visible => {
            cx.step(path, true);
        }
        EarlierStores::Precede if cx.options.memory_model == MemoryModel::Pso => {
            let step = cx.step(path, false);
            cx.emit().order_stores(step, StoreOrder::Fence);
        }
        EarlierStores::Precede | EarlierStores::Pass => {}
    }
}

/// A number as a value of a type that may have another width.
pub(crate) fn fit(cx: &mut Context<'_, '_>, value: TermId, ty: Type) -> TermId {
    values::fit(&mut cx.out.terms, value, ty, cx.world.pointer_bits())
}

pub(crate) fn set(registers: &mut Registers, register: RegisterId, value: TermId) {
    registers[register.index()] = Some(value);
}
