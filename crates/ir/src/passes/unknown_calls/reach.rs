//! What code that is not part of the program may do.
//!
//! - It *changes* what it can reach: objects that it can name, what it is given pointers to, whatever pointers in those lead to, what
//!   functions return that it may call, and what the library keeps between calls.
//! - It *calls* functions that it can name or is given, and those that the library calls for anybody: handlers of signals, of exits,
//!   of the ends of threads.
//! - It *keeps* what it is given, for later calls. So nothing of that may have ended when it is called.
//! - It *ends*: it returns, or ends the process or its thread. To other threads it does something only if it may hold their handles.
//!
//! What it does in its own memory and in the library's is its own affair, as long as the program does not look there.
//!
//! Over-approximates: what is not listed here it does not do.

use fixedbitset::FixedBitSet;
use raddle_base::{Id, Span};

use super::is_undefined;
use crate::analyses::call_graph::CallGraph;
use crate::analyses::points_to::{CallSite, ObjectId, ObjectKind, PointsTo, Target};
use crate::analyses::side_effects::{Effects, SideEffects};
use crate::inst::{AllocStorage, Constant, InstKind, Lifetime, Operand, Rvalue};
use crate::program::{Function, FunctionId, Global, GlobalId, Program, RegisterId, Shape, Type};

/// What the object is called in which the arguments behind `...` are passed: each call has one of its own.
pub const VARIADIC_AREA: &str = "variadic arguments";

/// What the object is called that stands for an activation that `longjmp` may go back to.
pub const JUMP_FRAME: &str = "frame";

/// What unknown functions can reach and call.
pub(super) struct Reach {
    /// The program, with an object that stands for all threads: their handles point to it.
    program: Program,
    threads: ObjectId,
    points_to: PointsTo,
    /// What they may change.
    objects: FixedBitSet,
    /// Those of them whose address they may have. They may name a thread-local object without: then each thread has its own.
    held: FixedBitSet,
    /// The functions that they may call.
    functions: FixedBitSet,
}

impl Reach {
    pub(super) fn new(program: &Program) -> Self {
        let mut program = program.clone();
        let threads = program.globals.push(Global {
            name: "all threads".to_owned(),
            size: 1,
            align: 1,
            init: Vec::new(),
            read_only: false,
            thread_local: false,
            span: Span::NONE,
            shape: Shape::Bytes,
        });
        let points_to = PointsTo::with_handles(&program, threads);
        let closure = Closure::new(&program, &points_to);
        let Closure { objects, held, functions, .. } = closure;
        let threads = points_to.global(threads).unwrap_or(ObjectId::from_index(0));
        Self { program, threads, points_to, objects, held, functions }
    }

    pub(super) fn points_to(&self) -> &PointsTo {
        &self.points_to
    }

    pub(super) fn has_threads(&self) -> bool {
        self.points_to.thread_functions().len() > 1
    }

    /// Whether nothing happens by unknown calls but that memory changes and that threads end: they have no handle of a thread and
    /// nowhere to jump back to, and functions of the program that they may call do nothing that matters.
    pub(super) fn only_change_memory(&self) -> bool {
        let program = &self.program;
        let effects = SideEffects::new(program, &self.points_to, &CallGraph::new(program, &self.points_to));
        let mut called = self.functions.ones().map(FunctionId::from_index);
        let matters = |function: FunctionId| {
            // Who frees may violate something; what else ends are its own variables.
            let effects = Effects { frees: false, ..effects.of(function).clone() };
            !effects.leaves_no_trace() || effects.may_violate || effects.may_not_return
        };
        !self.objects.contains(self.threads.index())
            && !self.may_jump()
            && !called.any(|function| !is_undefined(program, function) && matters(function))
    }

    /// Whether two unknown calls may access the same memory of the program.
    pub(super) fn is_shared(&self) -> bool {
        let is_ours = |object: ObjectId| match &self.points_to.objects()[object].kind {
            ObjectKind::Global(global) => !self.program.outside.hidden.contains(global),
            ObjectKind::Alloc { storage, .. } => *storage != AllocStorage::Library,
            ObjectKind::Function(_) => false,
        };
        let mut held = self.held.ones().map(ObjectId::from_index);
        held.any(|object| is_ours(object) && self.is_changed(object))
    }

    /// Whether changes to the object may matter.
    fn is_changed(&self, object: ObjectId) -> bool {
        self.objects.contains(object.index())
            && match &self.points_to.objects()[object].kind {
                ObjectKind::Global(global) => !self.program.globals[*global].read_only,
                ObjectKind::Alloc { site, storage, .. } => !self.is_variadic_area(*site, *storage),
                ObjectKind::Function(_) => false,
            }
    }

    /// Whether an object only carries arguments into one call: nobody looks at it afterwards.
    fn is_variadic_area(&self, site: CallSite, storage: AllocStorage) -> bool {
        storage == AllocStorage::Local && self.is_named(site, VARIADIC_AREA)
    }

    fn is_named(&self, site: CallSite, wanted: &str) -> bool {
        let inst = &self.program.functions[site.function].blocks[site.block].insts[site.inst];
        matches!(&inst.kind, InstKind::Alloc { name, .. } if **name == *wanted)
    }

    /// Whether they can reach a buffer that says where to jump back to.
    fn may_jump(&self) -> bool {
        self.objects.ones().any(|object| match &self.points_to.objects()[ObjectId::from_index(object)].kind {
            ObjectKind::Alloc { site, .. } => self.is_named(*site, JUMP_FRAME),
            ObjectKind::Global(_) | ObjectKind::Function(_) => false,
        })
    }

    fn may_change(&self, targets: &[Target]) -> bool {
        targets.iter().any(|(object, _)| self.is_changed(*object))
    }

    /// The instructions of the program of which something is true, in order.
    fn sites(&self, is_one: impl Fn(FunctionId, &Function, &InstKind) -> bool) -> Vec<CallSite> {
        let mut found = Vec::new();
        for (id, function) in self.program.functions.iter().filter(|(id, _)| self.points_to.is_reached(*id)) {
            for (block, contents) in function.blocks.iter() {
                let sites = contents.insts.iter().enumerate().filter(|(_, i)| is_one(id, function, &i.kind));
                found.extend(sites.map(|(inst, _)| CallSite { function: id, block, inst }));
            }
        }
        found
    }

    /// Where the program accesses what unknown functions can change.
    pub(super) fn accesses(&self) -> Vec<CallSite> {
        self.sites(|id, function, kind| {
            let accessed = accessed(function, kind);
            let targets = |operand: &Operand| self.points_to.targets(id, *operand);
            // A pointer from nowhere may lead anywhere; models are given null where nothing is meant.
            let changes = |operand: &Operand| {
                let targets = targets(operand);
                (targets.is_empty() && !function.model) || self.may_change(&targets)
            };
            // What is printed is read through pointers in memory, too.
            let prints = matches!(kind, InstKind::Intrinsic { .. })
                && accessed
                    .iter()
                    .flat_map(targets)
                    .any(|(object, _)| self.may_change(self.points_to.contents(object)));
            prints || accessed.iter().any(changes)
        })
    }

    /// Where something ends whose address unknown functions may have.
    pub(super) fn ends(&self) -> Vec<CallSite> {
        let is_held = |object: ObjectId| self.held.contains(object.index()) && self.is_changed(object);
        let any_held = |ends: &dyn Fn(&ObjectKind) -> bool| {
            let objects = self.points_to.objects().iter();
            objects.into_iter().any(|(id, object)| is_held(id) && ends(&object.kind))
        };
        let is_thread_local = |kind: &ObjectKind| matches!(kind, ObjectKind::Global(global) if self.program.globals[*global].thread_local);
        let is_local_of = |function: Option<FunctionId>, kind: &ObjectKind| {
            matches!(kind, ObjectKind::Alloc { site, storage: AllocStorage::Local | AllocStorage::Dynamic, .. }
                if function.is_none_or(|function| function == site.function))
        };
        self.sites(|id, _, kind| match kind {
            InstKind::Free { pointer } | InstKind::EndLife(Lifetime::Object(pointer)) => {
                self.points_to.targets(id, *pointer).iter().any(|(object, _)| is_held(*object))
            }
            InstKind::EndLife(Lifetime::Activation) => {
                let is_first = self.points_to.thread_functions().contains(&id);
                any_held(&|kind| is_local_of(Some(id), kind) || (is_first && is_thread_local(kind)))
            }
            InstKind::EndLife(Lifetime::Activations) => any_held(&|kind| is_local_of(None, kind)),
            InstKind::EndLife(Lifetime::Thread) => {
                any_held(&|kind| is_local_of(None, kind) || is_thread_local(kind))
            }
            InstKind::EndLife(Lifetime::Contents { .. })
            | InstKind::Assign { .. }
            | InstKind::Load { .. }
            | InstKind::Store { .. }
            | InstKind::AtomicRmw { .. }
            | InstKind::CompareExchange { .. }
            | InstKind::Fence(_)
            | InstKind::Alloc { .. }
            | InstKind::Call { .. }
            | InstKind::Intrinsic { .. }
            | InstKind::Havoc { .. }
            | InstKind::Assume(_)
            | InstKind::WaitUntil(_)
            | InstKind::Check { .. }
            | InstKind::Fork { .. }
            | InstKind::Join { .. }
            | InstKind::Lock { .. }
            | InstKind::Unlock { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd => false,
        })
    }

    /// Where the program looks at what a thread has left as its result.
    pub(super) fn uses_of_results(&self) -> Vec<CallSite> {
        let mut found = Vec::new();
        for (id, function) in self.program.functions.iter().filter(|(id, _)| self.points_to.is_reached(*id)) {
            let results = results(function);
            if results.is_empty() {
                continue;
            }
            for (block, contents) in function.blocks.iter() {
                let mut is_used = false;
                let mut look = |operand: Operand| {
                    is_used |= operand.register().is_some_and(|register| results.contains(&register));
                };
                contents.terminator.for_each_operand(&mut look);
                let last = is_used.then_some(contents.insts.len());
                let uses = contents.insts.iter().enumerate().filter(|(_, inst)| {
                    let mut is_used = false;
                    inst.kind.for_each_operand(|operand| {
                        is_used |= operand.register().is_some_and(|register| results.contains(&register));
                    });
                    is_used && !matches!(inst.kind, InstKind::Assign { .. })
                });
                let uses = uses.map(|(inst, _)| inst).chain(last);
                found.extend(uses.map(|inst| CallSite { function: id, block, inst }));
            }
        }
        found
    }
}

/// The registers that hold results of threads, or what is computed from them.
fn results(function: &Function) -> Vec<RegisterId> {
    let insts = || function.blocks.values().flat_map(|block| &block.insts);
    let mut found: Vec<RegisterId> = Vec::new();
    loop {
        let before = found.len();
        for inst in insts() {
            let mut is_made_of = matches!(inst.kind, InstKind::Join { .. });
            if matches!(inst.kind, InstKind::Assign { .. }) {
                inst.kind.for_each_operand(|operand| {
                    is_made_of |= operand.register().is_some_and(|register| found.contains(&register));
                });
            }
            found.extend(inst.kind.dest().filter(|dest| is_made_of && !found.contains(dest)));
        }
        if found.len() == before {
            return found;
        }
    }
}

/// The pointers through which an instruction reads, writes, frees or measures.
fn accessed(function: &Function, kind: &InstKind) -> Vec<Operand> {
    if let Some(access) = kind.access() {
        return vec![access.address];
    }
    match kind {
        InstKind::Free { pointer } | InstKind::EndLife(Lifetime::Contents { pointer, .. }) => vec![*pointer],
        InstKind::Assign { value: Rvalue::ObjectSize(pointer), .. } => vec![*pointer],
        InstKind::Intrinsic { arguments, .. } => {
            arguments.iter().filter(|argument| argument.ty(function) == Some(Type::Ptr)).copied().collect()
        }
        InstKind::Assign { .. }
        | InstKind::Load { .. }
        | InstKind::Store { .. }
        | InstKind::AtomicRmw { .. }
        | InstKind::CompareExchange { .. }
        | InstKind::Fence(_)
        | InstKind::Alloc { .. }
        | InstKind::EndLife(
            Lifetime::Object(_) | Lifetime::Activation | Lifetime::Activations | Lifetime::Thread,
        )
        | InstKind::Call { .. }
        | InstKind::Havoc { .. }
        | InstKind::Assume(_)
        | InstKind::WaitUntil(_)
        | InstKind::Check { .. }
        | InstKind::Fork { .. }
        | InstKind::Join { .. }
        | InstKind::Lock { .. }
        | InstKind::Unlock { .. }
        | InstKind::AtomicBegin
        | InstKind::AtomicEnd => Vec::new(),
    }
}

/// Follows pointers from where unknown functions have them from.
struct Closure<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
    objects: FixedBitSet,
    held: FixedBitSet,
    functions: FixedBitSet,
    waiting: Vec<ObjectId>,
    called: Vec<FunctionId>,
}

impl<'p> Closure<'p> {
    fn new(program: &'p Program, points_to: &'p PointsTo) -> Self {
        let objects = FixedBitSet::with_capacity(points_to.objects().len());
        let mut closure = Self {
            program,
            points_to,
            held: objects.clone(),
            objects,
            functions: FixedBitSet::with_capacity(program.functions.len()),
            waiting: Vec::new(),
            called: Vec::new(),
        };
        let outside = &program.outside;
        outside.objects.iter().chain(&outside.hidden).for_each(|global| closure.name(*global));
        outside.entries.iter().for_each(|function| closure.call(*function));
        for object in outside.handlers.iter().filter_map(|global| points_to.global(*global)) {
            closure.give_all(points_to.contents(object));
        }
        for undefined in outside.functions.iter().filter(|function| !function.pure) {
            for &parameter in &program.functions[undefined.id].parameters {
                closure.give_all(points_to.register_targets(undefined.id, parameter));
            }
        }
        closure.follow();
        closure
    }

    fn follow(&mut self) {
        loop {
            if let Some(object) = self.waiting.pop() {
                self.give_all(self.points_to.contents(object));
            } else if let Some(function) = self.called.pop() {
                self.give_mentioned(function);
            } else {
                return;
            }
        }
    }

    fn name(&mut self, global: GlobalId) {
        let Some(object) = self.points_to.global(global) else { return };
        if self.program.globals[global].thread_local {
            self.reach(object);
        } else {
            self.give(object);
        }
    }

    fn reach(&mut self, object: ObjectId) {
        if !self.objects.put(object.index()) {
            self.waiting.push(object);
        }
    }

    fn give_all(&mut self, targets: &[Target]) {
        targets.iter().for_each(|(object, _)| self.give(*object));
    }

    fn give(&mut self, object: ObjectId) {
        self.held.insert(object.index());
        self.reach(object);
        if let ObjectKind::Function(function) = self.points_to.objects()[object].kind {
            self.call(function);
        }
    }

    fn call(&mut self, function: FunctionId) {
        if !self.functions.put(function.index()) {
            self.called.push(function);
        }
    }

    /// What a function returns that looks at no memory: what it names. One that does look is not followed; it may do anything.
    fn give_mentioned(&mut self, function: FunctionId) {
        let blocks = &self.program.functions[function].blocks;
        let mut constants = Vec::new();
        let mut note = |operand: Operand| constants.extend(operand.constant());
        let mut globals = Vec::new();
        for block in blocks.values() {
            for inst in &block.insts {
                inst.kind.for_each_operand(&mut note);
                if let InstKind::Assign { value: Rvalue::ThreadLocal(global), .. } = inst.kind {
                    globals.push(global);
                }
            }
            block.terminator.for_each_operand(&mut note);
        }
        for constant in constants {
            match constant {
                Constant::Global(global, _) => globals.push(global),
                Constant::Function(function) => self.call(function),
                Constant::Int(..) | Constant::F32(_) | Constant::F64(_) | Constant::Null => {}
            }
        }
        for object in globals.into_iter().filter_map(|global| self.points_to.global(global)) {
            self.give(object);
        }
    }
}
