//! Constraints from instructions, for functions as they are found to be called.

use indexmap::{IndexMap, IndexSet};
use raddle_base::{Table, define_id};
use rustc_hash::{FxBuildHasher, FxHashMap};

use super::solve::{ConstraintSolver, IndirectId, NodeId, PointerChange, PointerUse};
use super::strides::Strides;
use super::{CallSite, Object, ObjectId, ObjectKind, Offsets};
use crate::inst::{AllocStorage, BinaryOp, CastOp, Constant, InstKind, Operand, RmwOp, Rvalue, Terminator};
use crate::program::{Function, FunctionId, GlobalId, Program, RegisterId, Type};

define_id!(
    /// A function, or a copy of it for one call site.
    pub(super) struct InstanceId, "instance"
);

#[derive(Debug)]
pub(super) struct Instance {
    pub(super) function: FunctionId,
    /// The calls that the copy was made for, outermost first; empty for the instance that all other calls share.
    pub(super) context: Vec<CallSite>,
    registers: Table<RegisterId, Option<NodeId>>,
    result: Option<NodeId>,
}

#[derive(Debug)]
struct IndirectCall {
    instance: InstanceId,
    site: CallSite,
    dest: Option<RegisterId>,
    arguments: Vec<Operand>,
    is_fork: bool,
}

/// Copies are made of functions up to this size...
const MAX_COPIED_INSTS: usize = 60;
/// ...for chains of calls up to this length...
const MAX_CONTEXT: usize = 3;
/// ...until there are this many.
const MAX_INSTANCES: usize = 4000;

#[derive(Debug)]
pub(super) struct ConstraintGenerator<'p> {
    program: &'p Program,
    pub(super) solver: ConstraintSolver,
    pub(super) instances: Table<InstanceId, Instance>,
    pub(super) globals: FxHashMap<GlobalId, ObjectId>,
    functions: FxHashMap<FunctionId, ObjectId>,
    shared: FxHashMap<FunctionId, InstanceId>,
    copies: FxHashMap<(Vec<CallSite>, FunctionId), InstanceId>,
    /// Functions that are copied for each caller, because they make objects for them.
    copied: Table<FunctionId, bool>,
    indirects: Table<IndirectId, IndirectCall>,
    /// Differences: of a pointer, to a pointer, and where the result goes.
    differences: Vec<(NodeId, NodeId, NodeId)>,
    waiting: Vec<InstanceId>,
    /// What each call or fork may start.
    pub(super) callees: IndexMap<CallSite, IndexSet<FunctionId, FxBuildHasher>, FxBuildHasher>,
    pub(super) forked: IndexSet<FunctionId, FxBuildHasher>,
    pub(super) thread_result: NodeId,
    /// What thread ids count as pointers to, if they are followed.
    handles: Option<GlobalId>,
}

impl<'p> ConstraintGenerator<'p> {
    pub(super) fn solve(program: &'p Program, handles: Option<GlobalId>) -> Self {
        let mut solver = ConstraintSolver::default();
        let thread_result = solver.add_node();
        let mut generator = Self {
            program,
            solver,
            instances: Table::new(),
            globals: FxHashMap::default(),
            functions: FxHashMap::default(),
            shared: FxHashMap::default(),
            copies: FxHashMap::default(),
            copied: copied_functions(program),
            indirects: Table::new(),
            differences: Vec::new(),
            waiting: Vec::new(),
            callees: IndexMap::default(),
            forked: IndexSet::default(),
            thread_result,
            handles,
        };
        // What the objects hold at the start, then the entry, then whatever turns out to be called.
        generator.global_contents();
        let entry = generator.shared_instance(program.entry);
        generator.thread(entry);
        loop {
            // Constraints come first and are solved then; the solution may find new callees, which bring new
            // constraints.
            while let Some(instance) = generator.waiting.pop() {
                generator.instance(instance);
            }
            generator.solver.run();
            let called = std::mem::take(&mut generator.solver.called);
            // Distances last: they ask what two sets have in common, and that is known only when both are
            // complete. Each addition only enlarges sets, so this ends.
            if called.is_empty() && generator.waiting.is_empty() && !generator.distances() {
                return generator;
            }
            for (indirect, object) in called {
                generator.called(indirect, object);
            }
        }
    }

    /// The distance of two pointers is a number made of an address where they do not belong to the same object: where one is null,
    /// or a number that was made a pointer. Says whether there is anything new.
    fn distances(&mut self) -> bool {
        let mut new = false;
        // By index: the solver is changed on the way.
        for index in 0..self.differences.len() {
            let (from, other, dest) = self.differences[index];
            for (object, _) in self.solver.targets(from) {
                if !self.solver.points_to(other, object) {
                    new |= self.solver.add_target(dest, object, Offsets::ANY);
                }
            }
        }
        new
    }

    fn global_contents(&mut self) {
        for id in self.program.globals.ids() {
            // All objects first, so that initial values may point to any of them.
            let object = self.solver.add_object(Object { kind: ObjectKind::Global(id) });
            self.globals.insert(id, object);
        }
        for (id, global) in self.program.globals.iter() {
            for part in &global.init {
                let Some((target, offsets)) = self.constant_target(part.value) else { continue };
                let offset = i64::try_from(part.offset).map_or(Offsets::ANY, Offsets::exactly);
                let cell = self.solver.in_cell(self.globals[&id], offset, self.pointer_bytes());
                self.solver.add_target(cell, target, offsets);
            }
        }
    }

    fn pointer_bytes(&self) -> u64 {
        u64::from(self.program.pointer_bits) / 8
    }

    fn constant_target(&mut self, constant: Constant) -> Option<(ObjectId, Offsets)> {
        match constant {
            Constant::Global(global, offset) => Some((self.globals[&global], Offsets::exactly(offset))),
            Constant::Function(function) => Some((self.function_object(function), Offsets::exactly(0))),
            Constant::Int(..) | Constant::F32(_) | Constant::F64(_) | Constant::Null => None,
        }
    }

    fn function_object(&mut self, function: FunctionId) -> ObjectId {
        let solver = &mut self.solver;
        *self
            .functions
            .entry(function)
            .or_insert_with(|| solver.add_object(Object { kind: ObjectKind::Function(function) }))
    }

    fn shared_instance(&mut self, function: FunctionId) -> InstanceId {
        match self.shared.get(&function) {
            Some(instance) => *instance,
            None => {
                let instance = self.new_instance(function, Vec::new());
                self.shared.insert(function, instance);
                instance
            }
        }
    }

    fn new_instance(&mut self, function: FunctionId, context: Vec<CallSite>) -> InstanceId {
        let registers = Table::filled(self.program.functions[function].registers.len(), || None);
        let instance = self.instances.push(Instance { function, context, registers, result: None });
        self.waiting.push(instance);
        instance
    }

    /// The instance that a direct call runs.
    fn direct_instance(&mut self, caller: InstanceId, site: CallSite, callee: FunctionId) -> InstanceId {
        let context = &self.instances[caller].context;
        // A copy for each caller keeps the objects of different callers apart. The limits keep the number of
        // copies small; beyond them one instance serves all, which is coarser and never wrong.
        let copy = self.copied[callee]
            && context.len() < MAX_CONTEXT
            && self.instances.len() < MAX_INSTANCES
            // A recursive chain shares.
            && callee != site.function
            && !context.iter().any(|outer| outer.function == callee);
        if !copy {
            return self.shared_instance(callee);
        }
        let mut context = context.clone();
        context.push(site);
        match self.copies.get(&(context.clone(), callee)) {
            Some(instance) => *instance,
            None => {
                let instance = self.new_instance(callee, context.clone());
                self.copies.insert((context, callee), instance);
                instance
            }
        }
    }

    pub(super) fn register_node(&self, instance: InstanceId, register: RegisterId) -> Option<NodeId> {
        self.instances[instance].registers[register]
    }

    fn register(&mut self, instance: InstanceId, register: RegisterId) -> NodeId {
        let solver = &mut self.solver;
        *self.instances[instance].registers[register].get_or_insert_with(|| solver.add_node())
    }

    fn result(&mut self, instance: InstanceId) -> NodeId {
        let solver = &mut self.solver;
        *self.instances[instance].result.get_or_insert_with(|| solver.add_node())
    }

    /// What an operand points to goes to `to`.
    fn flow(&mut self, instance: InstanceId, operand: Operand, to: NodeId, change: PointerChange) {
        match operand {
            Operand::Register(register) => {
                let from = self.register(instance, register);
                self.solver.add_copy(from, to, change);
            }
            Operand::Constant(constant) => {
                if let Some((object, offsets)) = self.constant_target(constant) {
                    let offsets = match change {
                        PointerChange::None => offsets,
                        PointerChange::Move(distance) => offsets.plus(distance),
                        PointerChange::Blur => Offsets::ANY,
                    };
                    self.solver.add_target(to, object, offsets);
                }
            }
        }
    }

    /// A node for the operand; a new one for a constant.
    fn node(&mut self, instance: InstanceId, operand: Operand) -> NodeId {
        match operand {
            Operand::Register(register) => self.register(instance, register),
            Operand::Constant(_) => {
                let node = self.solver.add_node();
                self.flow(instance, operand, node, PointerChange::None);
                node
            }
        }
    }

    fn bytes(&self, ty: Type) -> u64 {
        ty.bytes(self.program.pointer_bits).unwrap_or(16)
    }

    fn instance(&mut self, instance: InstanceId) {
        let id = self.instances[instance].function;
        let program = self.program;
        let function = &program.functions[id];
        let strides = Strides::new(function);
        for (block, contents) in function.blocks.iter() {
            for (index, inst) in contents.insts.iter().enumerate() {
                // Registers are nodes of the instance, but sites are those of the function: an answer about a
                // site joins all instances.
                let site = CallSite { function: id, block, inst: index };
                self.inst(instance, site, &strides, &inst.kind);
            }
            match contents.terminator {
                Terminator::Return(Some(value)) => {
                    let result = self.result(instance);
                    self.flow(instance, value, result, PointerChange::None);
                }
                Terminator::ExitThread(value) => {
                    let result = self.thread_result;
                    self.flow(instance, value, result, PointerChange::None);
                }
                Terminator::Jump(_)
                | Terminator::Branch(..)
                | Terminator::Switch { .. }
                | Terminator::Return(None)
                // What does not return gives nothing to its caller.
                | Terminator::ExitProcess(_)
                | Terminator::Abort
                | Terminator::Unreachable
                | Terminator::Unsupported(_) => {}
            }
        }
    }

    fn inst(&mut self, instance: InstanceId, site: CallSite, strides: &Strides<'_>, kind: &InstKind) {
        match kind {
            InstKind::Assign { dest, value } => self.assign(instance, strides, *dest, value),
            InstKind::Load { dest, address, ty, .. } => {
                let (dest, address) = (self.register(instance, *dest), self.node(instance, *address));
                let width = self.bytes(*ty);
                self.solver.add_use(address, PointerUse::Load(dest, width));
            }
            InstKind::Store { address, value, ty, .. } => self.store(instance, *address, *value, *ty),
            InstKind::AtomicRmw { dest, op, address, value, ty, .. } => {
                let dest = self.register(instance, *dest);
                let node = self.node(instance, *address);
                let width = self.bytes(*ty);
                self.solver.add_use(node, PointerUse::Load(dest, width));
                // An exchange stores what it is given; nothing is computed.
                if *op == RmwOp::Exchange {
                    self.store(instance, *address, *value, *ty);
                } else {
                    // The new value is made of the old one and the operand.
                    let new = self.solver.add_node();
                    self.solver.add_copy(dest, new, PointerChange::Blur);
                    self.flow(instance, *value, new, PointerChange::Blur);
                    self.solver.add_use(node, PointerUse::Store(new, width));
                }
            }
            InstKind::CompareExchange { dest, address, desired, ty, .. } => {
                let dest = self.register(instance, *dest);
                let node = self.node(instance, *address);
                let width = self.bytes(*ty);
                // The expected value is compared and goes nowhere.
                self.solver.add_use(node, PointerUse::Load(dest, width));
                self.store(instance, *address, *desired, *ty);
            }
            InstKind::Alloc { dest, storage, .. } => {
                let context = self.instances[instance].context.clone();
                let kind = ObjectKind::Alloc { site, storage: *storage, context };
                let object = self.solver.add_object(Object { kind });
                let dest = self.register(instance, *dest);
                self.solver.add_target(dest, object, Offsets::exactly(0));
            }
            InstKind::Call { dest, callee, arguments } => {
                self.call(instance, site, *dest, *callee, arguments, false);
            }
            InstKind::Fork { dest, function, argument } => {
                // The thread is run apart, but its id may be followed like a pointer.
                self.number(instance, *dest);
                self.call(instance, site, None, *function, &[*argument], true);
            }
            InstKind::Join { dest: Some(dest), .. } => {
                let dest = self.register(instance, *dest);
                self.solver.add_copy(self.thread_result, dest, PointerChange::None);
            }
            // Nondeterministic values are no addresses of objects; what is printed is text.
            InstKind::Havoc { .. } | InstKind::Intrinsic { .. } => {}
            InstKind::Join { dest: None, .. }
            | InstKind::Fence(_)
            | InstKind::Free { .. }
            | InstKind::EndLife(_)
            | InstKind::Assume(_)
            | InstKind::WaitUntil(_)
            | InstKind::Check { .. }
            | InstKind::Lock { .. }
            | InstKind::Unlock { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd => {}
        }
    }

    /// The register gets the id of a thread.
    fn number(&mut self, instance: InstanceId, dest: RegisterId) {
        if let Some(handles) = self.handles {
            let (object, dest) = (self.globals[&handles], self.register(instance, dest));
            self.solver.add_target(dest, object, Offsets::ANY);
        }
    }

    fn store(&mut self, instance: InstanceId, address: Operand, value: Operand, ty: Type) {
        // Numbers that are stored point to nothing. One that was a pointer once is in a register.
        if matches!(
            value,
            Operand::Constant(Constant::Int(..) | Constant::Null | Constant::F32(_) | Constant::F64(_))
        ) {
            return;
        }
        let (address, value) = (self.node(instance, address), self.node(instance, value));
        let width = self.bytes(ty);
        self.solver.add_use(address, PointerUse::Store(value, width));
    }

    fn assign(&mut self, instance: InstanceId, strides: &Strides<'_>, dest: RegisterId, value: &Rvalue) {
        let mut flow = |operand: Operand, change: PointerChange| {
            let dest = self.register(instance, dest);
            self.flow(instance, operand, dest, change);
        };
        match value {
            Rvalue::Use(a) => flow(*a, PointerChange::None),
            Rvalue::Select(_, a, b) => {
                flow(*a, PointerChange::None);
                flow(*b, PointerChange::None);
            }
            Rvalue::PointerAdd(pointer, offset) => {
                // The offset moves the pointer by what is known of the number.
                flow(*pointer, PointerChange::Move(strides.values(*offset)));
                // An address as a number, added to null.
                flow(*offset, PointerChange::Blur);
            }
            Rvalue::Unary(_, a) => flow(*a, PointerChange::Blur),
            Rvalue::Binary(BinaryOp::Add, a, b) => {
                // Either operand may be the address and the other the distance.
                flow(*a, PointerChange::Move(strides.values(*b)));
                flow(*b, PointerChange::Move(strides.values(*a)));
            }
            Rvalue::Binary(BinaryOp::Sub, a, b) => {
                flow(*a, PointerChange::Move(strides.values(*b).times(-1)));
                flow(*b, PointerChange::Blur);
            }
            // Nobody shifts by an address.
            Rvalue::Binary(BinaryOp::Shl | BinaryOp::SignedShr | BinaryOp::UnsignedShr, a, _) => {
                flow(*a, PointerChange::Blur);
            }
            Rvalue::Binary(_, a, b) => {
                flow(*a, PointerChange::Blur);
                flow(*b, PointerChange::Blur);
            }
            Rvalue::Cast(op, a) => flow(
                *a,
                match op {
                    CastOp::PointerToInt | CastOp::IntToPointer | CastOp::ZeroExtend | CastOp::SignExtend => {
                        PointerChange::None
                    }
                    // Bits of an address that are cut or converted may be put together again: the object is
                    // kept, the offset is not.
                    CastOp::Truncate
                    | CastOp::SignedToFloat
                    | CastOp::UnsignedToFloat
                    | CastOp::FloatToSigned
                    | CastOp::FloatToUnsigned
                    | CastOp::FloatToFloat
                    | CastOp::Bits => PointerChange::Blur,
                },
            ),
            // The distance to a known number: an address minus a constant is that address, moved.
            Rvalue::PointerDifference(a, b) => match strides.values(*b).exact() {
                Some(distance) => flow(*a, PointerChange::Move(Offsets::exactly(distance).times(-1))),
                None => {
                    let dest = self.register(instance, dest);
                    let (a, b) = (self.node(instance, *a), self.node(instance, *b));
                    self.differences.extend([(a, b, dest), (b, a, dest)]);
                }
            },
            Rvalue::ThreadLocal(global) => {
                let object = self.globals[global];
                let dest = self.register(instance, dest);
                self.solver.add_target(dest, object, Offsets::exactly(0));
            }
            Rvalue::CurrentThread => self.number(instance, dest),
            Rvalue::Compare(..)
            | Rvalue::Overflows(..)
            | Rvalue::ThreadExists(_)
            | Rvalue::ObjectSize(_)
            | Rvalue::HoldsLock(_)
            | Rvalue::LockIsFree(_)
            | Rvalue::Peek(..) => {}
        }
    }

    fn call(
        &mut self,
        instance: InstanceId,
        site: CallSite,
        dest: Option<RegisterId>,
        callee: Operand,
        arguments: &[Operand],
        is_fork: bool,
    ) {
        // An entry also for a call that finds no callee.
        self.callees.entry(site).or_default();
        if let Operand::Constant(Constant::Function(function)) = callee {
            self.callees.entry(site).or_default().insert(function);
            // A thread may outlive the call that started it, so it gets no copy for that call.
            let target = if is_fork {
                self.shared_instance(function)
            } else {
                self.direct_instance(instance, site, function)
            };
            self.connect(instance, target, dest, arguments, is_fork);
            return;
        }
        let node = self.node(instance, callee);
        let indirect = IndirectCall { instance, site, dest, arguments: arguments.to_vec(), is_fork };
        let indirect = self.indirects.push(indirect);
        self.solver.add_use(node, PointerUse::Call(indirect));
    }

    /// A pointer to an object has reached a call.
    fn called(&mut self, indirect: IndirectId, object: ObjectId) {
        let ObjectKind::Function(function) = self.solver.objects[object].kind else { return };
        let IndirectCall { instance, site, dest, ref arguments, is_fork } = self.indirects[indirect];
        let arguments = arguments.clone();
        let caller = &self.program.functions[self.instances[instance].function];
        // The call may have more or fewer arguments than the function that its pointer has reached.
        let types: Option<Vec<Type>> = arguments.iter().map(|argument| argument.ty(caller)).collect();
        let result = if is_fork { Some(Type::Ptr) } else { dest.map(|dest| caller.registers[dest].ty) };
        // Anything else is a violation and calls nothing.
        if types
            .is_some_and(|types| self.program.fits_call(&self.program.functions[function], &types, result))
        {
            self.callees.entry(site).or_default().insert(function);
            // Through a pointer all calls share one instance.
            let target = self.shared_instance(function);
            self.connect(instance, target, dest, &arguments, is_fork);
        }
    }

    fn connect(
        &mut self,
        caller: InstanceId,
        target: InstanceId,
        dest: Option<RegisterId>,
        arguments: &[Operand],
        is_fork: bool,
    ) {
        let callee: &Function = &self.program.functions[self.instances[target].function];
        // Arguments that have no parameter are variadic: the model of `va_arg` finds them in memory.
        for (&parameter, argument) in callee.parameters.iter().zip(arguments) {
            let node = self.register(target, parameter);
            self.flow(caller, *argument, node, PointerChange::None);
        }
        if is_fork {
            self.thread(target);
        } else if let Some(dest) = dest {
            let (result, dest) = (self.result(target), self.register(caller, dest));
            self.solver.add_copy(result, dest, PointerChange::None);
        }
    }

    /// The instance is where a thread starts.
    fn thread(&mut self, instance: InstanceId) {
        self.forked.insert(self.instances[instance].function);
        let result = self.result(instance);
        self.solver.add_copy(result, self.thread_result, PointerChange::None);
    }
}

/// Small functions that return pointers and, themselves or through functions they call, take memory from the heap.
fn copied_functions(program: &Program) -> Table<FunctionId, bool> {
    let mut allocates: Table<FunctionId, bool> = Table::filled(program.functions.len(), || false);
    let mut changed = true;
    while changed {
        changed = false;
        for (id, function) in program.functions.iter() {
            let insts = || function.blocks.values().flat_map(|block| &block.insts);
            // Bottom up, so that a wrapper around a wrapper is found in the next turn.
            if allocates[id] || function.result != Some(Type::Ptr) || insts().count() > MAX_COPIED_INSTS {
                continue;
            }
            let found = insts().any(|inst| {
                if let InstKind::Call { callee: Operand::Constant(Constant::Function(callee)), .. } =
                    inst.kind
                {
                    return allocates[callee];
                }
                matches!(
                    inst.kind,
                    InstKind::Alloc { storage: AllocStorage::Heap | AllocStorage::Library, .. }
                )
            });
            if found {
                allocates[id] = true;
                changed = true;
            }
        }
    }
    allocates
}
