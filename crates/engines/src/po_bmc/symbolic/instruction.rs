//! The meaning of each instruction.

use raddle_base::{Exhausted, Id};
use raddle_ir::{
    CastOp, CompareOp, Constant, FunctionId, HavocKind, IfUnchecked, InstKind, Intrinsic, Lifetime, Operand,
    Ordering, Property, RegisterId, RmwOp, Rvalue, Type,
};
use raddle_logic::term::TermId;
use raddle_vm::MemoryModel;
use raddle_vm::memory_model::{keeps_stores_before, waits_for_stores};

use super::access::{Request, Role};
use super::execute::{Executor, Flow, Registers};
use super::path::Path;
use super::world::Origin;
use crate::execution_graph::events::{StoreOrder, SynchronisationKind};
use crate::semantics::Target;
use crate::semantics::View;
use crate::semantics::values;

impl Executor<'_, '_> {
    fn request(&mut self, registers: &Registers, address: Operand, ty: Type, ordering: Ordering) -> Request {
        let operand = address;
        let address = self.operand(registers, operand);
        let size = values::bytes(ty, self.pointer_bits());
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
        self.wait_for_stores(kind, path);
        match kind {
            InstKind::Assign { dest, value } => return Ok(self.assign(*dest, value, path, registers)),
            InstKind::Load { dest, address, ty, ordering } => {
                let mut request = self.request(registers, *address, *ty, *ordering);
                request.view = self.view(*dest, *ty);
                let Some(value) = self.load(path, request) else { return Ok(Flow::Ends) };
                set(registers, *dest, value);
            }
            InstKind::Store { address, value, ty, ordering } => {
                let mut request = self.request(registers, *address, *ty, *ordering);
                if value.register().is_some_and(|register| self.is_copied(register)) {
                    request.view = View::Copy;
                }
                let value = self.operand(registers, *value);
                return Ok(self.store(path, request, value));
            }
            InstKind::AtomicRmw { dest, op, address, value, ty, ordering } => {
                let mut request = self.request(registers, *address, *ty, *ordering);
                request.view = self.view(*dest, *ty);
                let operand = self.operand(registers, *value);
                let old = self.update(path, request, |executor, _, _, old| {
                    let always = executor.terms().bool(true);
                    let new = match (*op, *ty) {
                        (RmwOp::Add, Type::Ptr) => executor.moved(old, operand),
                        (op, ty) => values::rmw(&mut executor.out.terms, op, old, operand, ty),
                    };
                    (always, new)
                });
                let Some(old) = old else { return Ok(Flow::Ends) };
                set(registers, *dest, old);
            }
            InstKind::CompareExchange { dest, address, expected, desired, ty, ordering, failure } => {
                let mut request = self.request(registers, *address, *ty, *ordering);
                request.failure = *failure;
                request.view = self.view(*dest, *ty);
                let (expected_operand, expected) = (*expected, self.operand(registers, *expected));
                let desired = self.operand(registers, *desired);
                let (ty, dest_operand) = (*ty, Operand::Register(*dest));
                let old = self.update(path, request, |executor, path, step, old| {
                    let same = if ty == Type::Ptr {
                        let (seen, wanted) = ((old, dest_operand), (expected, expected_operand));
                        executor.compare_pointers(path, step, CompareOp::Equal, seen, wanted)
                    } else {
                        values::compare(&mut executor.out.terms, CompareOp::Equal, old, expected, ty)
                    };
                    (same, desired)
                });
                let Some(old) = old else { return Ok(Flow::Ends) };
                set(registers, *dest, old);
            }
            InstKind::Fence(ordering) => {
                self.synchronise(path, SynchronisationKind::Fence(*ordering));
                self.operation(path);
            }
            InstKind::Alloc { dest, size, align, storage, zeroed, .. } => {
                let size = self.operand(registers, *size);
                let size = self.out.terms.resize(size, self.world.pointer_bits(), false);
                let Some(pointer) = self.allocate(path, size, *align, *storage, *zeroed) else {
                    return Ok(Flow::Ends);
                };
                set(registers, *dest, pointer);
            }
            InstKind::Free { pointer } => {
                let operand = *pointer;
                let pointer = self.operand(registers, operand);
                return Ok(self.free(path, pointer, operand));
            }
            InstKind::EndLife(Lifetime::Contents { pointer, size }) => {
                self.operation(path);
                let pointer = self.operand(registers, *pointer);
                return Ok(self.forget(path, pointer, *size));
            }
            InstKind::EndLife(lifetime) => {
                self.operation(path);
                let Some(objects) = self.ending(*lifetime, registers) else {
                    return Ok(self.unsupported(path, "the end of a local object that is one of many"));
                };
                self.end_objects(path, &objects);
            }
            InstKind::Call { dest, callee, arguments } => {
                return self.call_operand(*dest, *callee, arguments, path, registers);
            }
            InstKind::Intrinsic { dest, which, arguments } => {
                return Ok(self.intrinsic(*dest, *which, arguments, path, registers));
            }
            InstKind::Havoc { dest, site } => {
                let ty = self.register_type(*dest);
                let value = self.fresh("input", ty);
                self.unknown_value(ty, value);
                let site = &self.world.program.havocs[*site];
                if site.kind == HavocKind::Uninitialised {
                    self.report.uninitialised.push(path.guard.term());
                }
                let name = site.name.clone();
                let always = self.terms().bool(true);
                self.input(path, ty, value, name, always);
                set(registers, *dest, value);
            }
            InstKind::Assume(condition) => {
                let condition = self.operand(registers, *condition);
                return Ok(self.assume(path, condition));
            }
            InstKind::WaitUntil(condition) => {
                let condition = self.operand(registers, *condition);
                return Ok(self.wait(path, condition));
            }
            InstKind::Check { property, condition, message, if_unchecked } => {
                let condition = self.operand(registers, *condition);
                self.check(path, *property, condition, message);
                match if_unchecked {
                    IfUnchecked::GoesOn => {}
                    // What has no result at all ends by itself.
                    IfUnchecked::Ends
                        if *property == Property::Overflow && !self.options.ends_at_overflow => {}
                    IfUnchecked::Ends => return Ok(self.assume(path, condition)),
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
                let Some(result) = self.join(path, thread) else { return Ok(Flow::Ends) };
                if let Some(dest) = dest {
                    set(registers, *dest, result);
                }
            }
            InstKind::Lock { lock } => {
                let operand = *lock;
                let lock = self.operand(registers, operand);
                return Ok(self.lock(path, lock, operand));
            }
            InstKind::Unlock { lock } => {
                let operand = *lock;
                let lock = self.operand(registers, operand);
                return Ok(self.unlock(path, lock, operand));
            }
            InstKind::AtomicBegin => {
                self.begin_section(path);
                self.note_begin(path);
            }
            InstKind::AtomicEnd => {
                self.note_end(path);
                self.end_section(path);
            }
        }
        Ok(Flow::Next)
    }

    /// Under weak memory models some instructions wait until the thread's stores have become visible.
    fn wait_for_stores(&mut self, kind: &InstKind, path: &Path) {
        if !self.options.memory_model.is_weak() || !path.forked || path.section.is_some() {
            return;
        }
        if waits_for_stores(kind) {
            self.step(path, true);
            return;
        }
        if let InstKind::Fence(ordering) = kind
            && self.options.memory_model == MemoryModel::Pso
            && keeps_stores_before(*ordering)
        {
            let step = self.step(path, false);
            self.out.emit(self.thread).order_stores(step, StoreOrder::Fence);
        }
    }

    #[expect(clippy::too_many_lines, reason = "one flat match")]
    fn assign(
        &mut self,
        dest: RegisterId,
        value: &Rvalue,
        path: &mut Path,
        registers: &mut Registers,
    ) -> Flow {
        let to = self.register_type(dest);
        let pointer_bits = self.pointer_bits();
        let result = match value {
            Rvalue::Use(operand) => self.operand(registers, *operand),
            Rvalue::Unary(op, operand) => {
                let ty = self.operand_type(*operand);
                let operand = self.operand(registers, *operand);
                let result = values::unary(&mut self.out.terms, *op, operand, ty);
                self.fit(result, to)
            }
            Rvalue::Binary(op, left, right) => {
                let ty = self.operand_type(*left);
                let (left, right) = (self.operand(registers, *left), self.operand(registers, *right));
                let (result, defined) = values::binary(&mut self.out.terms, *op, left, right, ty);
                self.check(path, Property::Overflow, defined, "an operation whose result is undefined");
                if matches!(self.assume(path, defined), Flow::Ends) {
                    return Flow::Ends;
                }
                result
            }
            Rvalue::Compare(op, left, right) => {
                let ty = self.operand_type(*left);
                let operands = (*left, *right);
                let (left, right) = (self.operand(registers, *left), self.operand(registers, *right));
                if ty == Type::Ptr {
                    self.compare_pointers(path, None, *op, (left, operands.0), (right, operands.1))
                } else {
                    values::compare(&mut self.out.terms, *op, left, right, ty)
                }
            }
            Rvalue::Cast(op, operand) => {
                let from = self.operand_type(*operand);
                let source = *operand;
                let operand = self.operand(registers, source);
                match op {
                    CastOp::PointerToInt => {
                        let always = self.out.terms.bool(true);
                        self.number_of(path, always, operand, source)
                    }
                    CastOp::IntToPointer => self.pointer_of(path, operand),
                    CastOp::Truncate
                    | CastOp::ZeroExtend
                    | CastOp::SignExtend
                    | CastOp::SignedToFloat
                    | CastOp::UnsignedToFloat
                    | CastOp::FloatToSigned
                    | CastOp::FloatToUnsigned
                    | CastOp::FloatToFloat
                    | CastOp::Bits => {
                        values::cast(&mut self.out.terms, *op, operand, (from, to), pointer_bits)
                    }
                }
            }
            Rvalue::Select(condition, then, otherwise) => {
                let condition = self.operand(registers, *condition);
                let (then, otherwise) = (self.operand(registers, *then), self.operand(registers, *otherwise));
                self.out.terms.ite(condition, then, otherwise)
            }
            Rvalue::PointerAdd(pointer, offset) => {
                let (pointer, offset) = (self.operand(registers, *pointer), self.operand(registers, *offset));
                self.moved(pointer, offset)
            }
            Rvalue::PointerDifference(left, right) => {
                let operands = (*left, *right);
                let (left, right) = (self.operand(registers, *left), self.operand(registers, *right));
                self.distance(path, (left, operands.0), (right, operands.1))
            }
            Rvalue::Overflows(op, left, right) => {
                let (left, right) = (self.operand(registers, *left), self.operand(registers, *right));
                values::overflows(&mut self.out.terms, *op, left, right)
            }
            Rvalue::ThreadLocal(global) => self.thread_local(*global),
            Rvalue::CurrentThread => {
                self.knows_its_number();
                let number = self.out.threads[self.thread].thread_id;
                self.fit(number, to)
            }
            Rvalue::ThreadExists(thread) => {
                let thread = self.operand(registers, *thread);
                self.thread_exists(path, thread)
            }
            Rvalue::ObjectSize(pointer) => {
                let pointer = self.operand(registers, *pointer);
                match self.object_size(path, pointer) {
                    Some(size) => size,
                    None => return Flow::Ends,
                }
            }
            Rvalue::Peek(word, unwritten) => {
                let mut request = self.request(registers, *word, Type::Int(32), Ordering::Relaxed);
                request.role = Role::Peek(*unwritten);
                match self.load(path, request) {
                    Some(value) => value,
                    None => return Flow::Ends,
                }
            }
            Rvalue::HoldsLock(lock) | Rvalue::LockIsFree(lock) => {
                let holds = matches!(value, Rvalue::HoldsLock(_));
                let operand = *lock;
                let lock = self.operand(registers, operand);
                match self.lock_state(path, lock, operand, holds) {
                    Some(answer) => answer,
                    None => return Flow::Ends,
                }
            }
        };
        set(registers, dest, result);
        Flow::Next
    }

    /// A number as a value of a type that may have another width.
    fn fit(&mut self, value: TermId, ty: Type) -> TermId {
        values::fit(&mut self.out.terms, value, ty, self.world.pointer_bits())
    }

    /// Calls what an operand points to.
    fn call_operand(
        &mut self,
        dest: Option<RegisterId>,
        callee: Operand,
        arguments: &[Operand],
        path: &mut Path,
        registers: &mut Registers,
    ) -> Result<Flow, Exhausted> {
        let types: Vec<Type> = arguments.iter().map(|argument| self.operand_type(*argument)).collect();
        let result_type = dest.map(|dest| self.register_type(dest));
        let values: Vec<TermId> =
            arguments.iter().map(|argument| self.operand(registers, *argument)).collect();
        let candidates = match callee {
            Operand::Constant(Constant::Function(function)) => {
                let always = self.terms().bool(true);
                vec![(always, function)]
            }
            Operand::Constant(_) | Operand::Register(_) => {
                let target = self.operand(registers, callee);
                self.callees(path, target)
            }
        };
        let fits = |executor: &Self, function: FunctionId| {
            let callee = &executor.world.program.functions[function];
            callee.parameters.len() == types.len()
                && (result_type.is_none() || result_type == callee.result)
                && callee
                    .parameters
                    .iter()
                    .zip(&types)
                    .all(|(parameter, ty)| callee.registers[*parameter].ty == *ty)
        };
        let fitting: Vec<(TermId, FunctionId)> =
            candidates.into_iter().filter(|(_, function)| fits(self, *function)).collect();
        let some = self.out.terms.or_all(fitting.iter().map(|(condition, _)| *condition));
        self.check(
            path,
            Property::MemorySafety,
            some,
            "a call through a pointer that is not a fitting function",
        );
        if matches!(self.assume(path, some), Flow::Ends) {
            return Ok(Flow::Ends);
        }
        let site = self.site();
        let mut returns = Vec::new();
        for (condition, function) in fitting {
            let mut taken = path.clone();
            taken.guard = taken.guard.and(&mut self.out.terms, condition);
            if taken.guard.is_false(&self.out.terms) {
                continue;
            }
            if self.world.program.functions[function].blocks.is_empty() {
                returns.push(self.call_nothing(function, taken));
            } else if let Some(returned) = self.call(function, &values, taken, Some(site))? {
                returns.push(returned);
            }
        }
        let Some((returned, result)) = self.join_returns(returns) else { return Ok(Flow::Ends) };
        *path = returned;
        if let (Some(dest), Some(result)) = (dest, result) {
            set(registers, dest, result);
        }
        Ok(Flow::Next)
    }

    /// A function without a body returns anything.
    fn call_nothing(&mut self, function: FunctionId, mut path: Path) -> (Path, Option<TermId>) {
        let callee = &self.world.program.functions[function];
        let result = callee.result.map(|ty| {
            let value = self.fresh("result", ty);
            self.unknown_value(ty, value);
            let always = self.terms().bool(true);
            self.input(&mut path, ty, value, format!("result of `{}`", callee.name), always);
            value
        });
        (path, result)
    }

    /// The functions that a pointer may lead to.
    pub(crate) fn callees(&mut self, _: &Path, target: TermId) -> Vec<(TermId, FunctionId)> {
        if let Some(list) = self.world.addresses().targets(&mut self.out.terms, target) {
            let mut functions: Vec<(TermId, FunctionId)> = Vec::new();
            for Target { condition, object, address } in list {
                if self.out.terms.as_bits(address) != Some(self.world.base(object)) {
                    continue;
                }
                if let Origin::Function(function) = self.world.origin(object) {
                    match functions.iter_mut().find(|(_, known)| *known == function) {
                        Some((before, _)) => *before = self.out.terms.or(*before, condition),
                        None => functions.push((condition, function)),
                    }
                }
            }
            return functions;
        }
        let place = self.place();
        let site = raddle_ir::analyses::points_to::CallSite {
            function: place.function,
            block: place.block,
            inst: place.index as usize,
        };
        let callees: Vec<FunctionId> = self.world.points_to.callees(site).to_vec();
        callees
            .into_iter()
            .map(|function| {
                let object = self.world.object(Origin::Function(function));
                let address = self.pointer(self.world.base(object));
                (self.out.terms.eq(target, address), function)
            })
            .collect()
    }

    fn intrinsic(
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
                    let value = self.fit(byte, ty);
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
            let value = self.opaque(path, ty, what);
            set(registers, dest, value);
        }
        Flow::Next
    }
}

fn set(registers: &mut Registers, register: RegisterId, value: TermId) {
    registers[register.index()] = Some(value);
}
