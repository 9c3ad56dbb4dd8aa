//! What calls of functions that no file defines do.
//!
//! Nothing is known of such a function but what it can reach: what its arguments point to, objects with external linkage,
//! whatever pointers in those lead to, and what earlier calls were given. There it may change anything until it returns, and it
//! may call functions that it can name or was given.
//!
//! [`stop_at_undefined`] makes a program that goes no further than the first such call of each thread: whatever goes wrong in
//! it rests on none. [`over_approximate`] makes one whose calls return, with any value. A flag says that some call was made,
//! and from then on whoever accesses what unknown functions can reach stops: whatever is proved of it holds whatever they do.
//! The flag is plain memory, written by the calls and read before each such access, so accesses that may race with what an
//! unknown function does race on the flag. Where a call cannot be bounded like this (it may call back, it is where a thread
//! starts, it returns a pointer that is used) it still stops.

use fixedbitset::FixedBitSet;
use raddle_base::{Id, Span, Table};

use crate::analyses::call_graph::CallGraph;
use crate::analyses::points_to::{CallSite, ObjectId, ObjectKind, PointsTo, Target};
use crate::analyses::side_effects::SideEffects;
use crate::inst::{AllocStorage, CompareOp, Constant, Inst, InstKind, Operand, Ordering, Rvalue, Terminator};
use crate::program::{
    Block, BlockId, Function, FunctionId, Global, GlobalId, Havoc, HavocKind, Program, Register, ScalarStyle,
    Shape, Type,
};

/// What the object is called in which the arguments behind `...` are passed: each call has one of its own.
pub const VARIADIC_AREA: &str = "variadic arguments";

/// What the object is called that stands for an activation that `longjmp` may go back to.
pub const JUMP_FRAME: &str = "frame";

/// What a path that ends at a call of the function says.
#[must_use]
pub fn depends_on(function: &str) -> String {
    format!("depends on `{function}`, which has no body: give a stub")
}

/// Gives every undefined function a body that stops, at the place of its first call, unless it does nothing and nobody looks at
/// what it returns.
pub fn stop_at_undefined(program: &mut Program) {
    for undefined in program.outside.functions.clone() {
        if undefined.pure && !is_result_used(program, undefined.id) {
            continue;
        }
        let span = first_call(program, undefined.id).unwrap_or(program.functions[undefined.id].span);
        let function = &mut program.functions[undefined.id];
        let terminator = Terminator::Unsupported(depends_on(&function.name).into());
        function.blocks = Table::from_iter([Block { insts: Vec::new(), terminator, span }]);
    }
}

/// The undefined function at whose calls a path ended with these words, and where that is.
#[must_use]
pub fn undefined_function<'p>(program: &'p Program, what: &str) -> Option<&'p Function> {
    let functions = program.outside.functions.iter().map(|undefined| &program.functions[undefined.id]);
    functions.into_iter().find(|function| depends_on(&function.name) == what)
}

fn first_call(program: &Program, callee: FunctionId) -> Option<Span> {
    let target = Operand::Constant(Constant::Function(callee));
    let names_it = |inst: &&Inst| {
        let mut found = false;
        inst.kind.for_each_operand(|operand| found |= operand == target);
        found
    };
    let own = program.functions.values().filter(|function| !function.model);
    let mut insts = own.flat_map(|function| function.blocks.values()).flat_map(|block| &block.insts);
    insts.find(names_it).map(|inst| inst.span)
}

/// A program whose unknown calls return.
#[derive(Clone, Debug)]
pub struct OverApproximation {
    /// The program.
    pub program: Program,
    /// Whether it accesses what unknown functions can reach: then it has the flag, and stops at such accesses after a call.
    pub has_flag: bool,
}

/// Lets calls return where what they may do can be bounded; nothing if no call that may be reached does.
#[must_use]
pub fn over_approximate(program: &Program) -> Option<OverApproximation> {
    let points_to = PointsTo::new(program);
    let reached: Vec<_> = program.outside.functions.iter().filter(|f| points_to.is_reached(f.id)).collect();
    let is_impure = reached.iter().any(|function| !function.pure);
    let reach = Reach::new(program, &points_to);
    let calls_back = is_impure && (reach.calls_back(program, &points_to) || reach.jumps(program, &points_to));
    let returning: Vec<_> = reached
        .into_iter()
        .filter(|function| {
            (function.pure || !calls_back)
                && !points_to.thread_functions().contains(&function.id)
                && (program.functions[function.id].result != Some(Type::Ptr)
                    || !is_result_used(program, function.id))
        })
        .collect();
    if returning.is_empty() {
        return None;
    }
    let mut made = program.clone();
    for function in &returning {
        made.functions[function.id].blocks = Table::new();
    }
    let impure: Vec<FunctionId> =
        returning.iter().filter(|function| !function.pure).map(|function| function.id).collect();
    let guarded = if impure.is_empty() { Vec::new() } else { reach.accesses(program, &points_to) };
    let has_flag = !guarded.is_empty();
    if has_flag {
        let flag = add_flag(&mut made);
        let what = depends_on(&program.functions[impure[0]].name);
        for (function, sites) in
            guarded.chunk_by(|a, b| a.function == b.function).map(|part| (part[0].function, part))
        {
            guard(&mut made.functions[function], flag, sites, &what);
        }
        for function in impure {
            raise_flag(&mut made, function, flag);
        }
    }
    crate::validate::debug_validate(&made, "letting unknown calls return");
    Some(OverApproximation { program: made, has_flag })
}

/// What unknown functions can reach.
struct Reach {
    objects: FixedBitSet,
}

impl Reach {
    fn new(program: &Program, points_to: &PointsTo) -> Self {
        let exposed = program.outside.objects.iter().filter_map(|global| points_to.global(*global));
        let mut waiting: Vec<ObjectId> = exposed.collect();
        for undefined in program.outside.functions.iter().filter(|function| !function.pure) {
            for &parameter in &program.functions[undefined.id].parameters {
                let targets = points_to.register_targets(undefined.id, parameter);
                waiting.extend(targets.iter().map(|(object, _)| *object));
            }
        }
        let mut objects = FixedBitSet::with_capacity(points_to.objects().len());
        while let Some(object) = waiting.pop() {
            if !objects.put(object.index()) {
                waiting.extend(points_to.contents(object).iter().map(|(inner, _)| *inner));
            }
        }
        Self { objects }
    }

    /// Whether a function of the program that unknown functions can call does anything that matters.
    fn calls_back(&self, program: &Program, points_to: &PointsTo) -> bool {
        let effects = SideEffects::new(program, points_to, &CallGraph::new(program, points_to));
        let given = self.objects.ones().filter_map(|object| {
            match points_to.objects()[ObjectId::from_index(object)].kind {
                ObjectKind::Function(function) => Some(function),
                ObjectKind::Global(_) | ObjectKind::Alloc { .. } => None,
            }
        });
        given.chain(program.outside.entries.iter().copied()).any(|function| {
            let effects = effects.of(function);
            !effects.leaves_no_trace() || effects.may_violate || effects.may_not_return
        })
    }

    /// Whether unknown functions can reach a buffer that says where to jump back to.
    fn jumps(&self, program: &Program, points_to: &PointsTo) -> bool {
        self.objects.ones().any(|object| match &points_to.objects()[ObjectId::from_index(object)].kind {
            ObjectKind::Alloc { site, .. } => is_named(program, *site, JUMP_FRAME),
            ObjectKind::Global(_) | ObjectKind::Function(_) => false,
        })
    }

    /// Whether changes to what a pointer points to may matter.
    fn may_change(&self, program: &Program, points_to: &PointsTo, targets: &[Target]) -> bool {
        let is_changed = |object: ObjectId| match &points_to.objects()[object].kind {
            ObjectKind::Global(global) => !program.globals[*global].read_only,
            ObjectKind::Alloc { site, storage, .. } => !is_variadic_area(program, *site, *storage),
            ObjectKind::Function(_) => false,
        };
        targets.iter().any(|(object, _)| self.objects.contains(object.index()) && is_changed(*object))
    }

    /// The instructions of the program that access what unknown functions can change, in order.
    fn accesses(&self, program: &Program, points_to: &PointsTo) -> Vec<CallSite> {
        let mut found = Vec::new();
        for (id, function) in program.functions.iter().filter(|(id, _)| points_to.is_reached(*id)) {
            for (block, contents) in function.blocks.iter() {
                for (inst, kind) in contents.insts.iter().map(|inst| &inst.kind).enumerate() {
                    let accessed = accessed(function, kind);
                    let targets = |operand: &Operand| points_to.targets(id, *operand);
                    // A pointer from nowhere may lead anywhere; models are given null where nothing is meant.
                    let changes = |operand: &Operand| {
                        let targets = targets(operand);
                        (targets.is_empty() && !function.model)
                            || self.may_change(program, points_to, &targets)
                    };
                    // What is printed is read through pointers in memory, too.
                    let prints = matches!(kind, InstKind::Intrinsic { .. })
                        && accessed.iter().flat_map(targets).any(|(object, _)| {
                            self.may_change(program, points_to, points_to.contents(object))
                        });
                    if prints || accessed.iter().any(changes) {
                        found.push(CallSite { function: id, block, inst });
                    }
                }
            }
        }
        found
    }
}

/// The pointers through which an instruction reads, writes, frees or measures.
fn accessed(function: &Function, kind: &InstKind) -> Vec<Operand> {
    if let Some(access) = kind.access() {
        return vec![access.address];
    }
    match kind {
        InstKind::Free { pointer } => vec![*pointer],
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
        | InstKind::EndLife(_)
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

/// Whether an object only carries arguments into one call: nobody looks at it afterwards.
fn is_variadic_area(program: &Program, site: CallSite, storage: AllocStorage) -> bool {
    storage == AllocStorage::Local && is_named(program, site, VARIADIC_AREA)
}

fn is_named(program: &Program, site: CallSite, wanted: &str) -> bool {
    let inst = &program.functions[site.function].blocks[site.block].insts[site.inst];
    matches!(&inst.kind, InstKind::Alloc { name, .. } if **name == *wanted)
}

/// Whether some caller may read what the function returns: one that does, or one that calls it through a pointer.
fn is_result_used(program: &Program, callee: FunctionId) -> bool {
    let target = Constant::Function(callee);
    let stored = program.globals.values().flat_map(|global| &global.init).any(|part| part.value == target);
    program.functions[callee].result.is_some()
        && (stored || program.functions.values().any(|function| uses_result(function, target.into())))
}

fn uses_result(function: &Function, callee: Operand) -> bool {
    let insts = || function.blocks.values().flat_map(|block| &block.insts);
    let mut results = Vec::new();
    let mut named = 0;
    for inst in insts() {
        inst.kind.for_each_operand(|operand| named += usize::from(operand == callee));
        if let InstKind::Call { dest, callee: called, .. } = &inst.kind
            && *called == callee
        {
            named -= 1;
            results.extend(dest.map(Operand::Register));
        }
    }
    let mut used = named > 0;
    let mut look = |operand: Operand| used |= operand == callee || results.contains(&operand);
    function.blocks.values().for_each(|block| block.terminator.for_each_operand(&mut look));
    let mut look = |operand: Operand| used |= results.contains(&operand);
    insts().for_each(|inst| inst.kind.for_each_operand(&mut look));
    used
}

const FLAG: Type = Type::Int(32);

fn add_flag(program: &mut Program) -> GlobalId {
    program.globals.push(Global {
        name: "an unknown function was called".to_owned(),
        size: 4,
        align: 4,
        init: Vec::new(),
        read_only: false,
        thread_local: false,
        span: Span::NONE,
        shape: Shape::Scalar(FLAG, ScalarStyle::Unsigned),
    })
}

/// The body of an unknown function: says that it was called, and returns any value.
fn raise_flag(program: &mut Program, id: FunctionId, flag: GlobalId) {
    let function = &mut program.functions[id];
    let span = function.span;
    let address = Operand::Constant(Constant::Global(flag, 0));
    let value = Operand::Constant(Constant::Int(32, 1));
    let mut kinds = vec![InstKind::Store { address, value, ty: FLAG, ordering: Ordering::Plain }];
    let result = function.result.map(|ty| {
        let name = format!("result of `{}`", function.name);
        let site = program.havocs.push(Havoc { name, ty, signed: true, kind: HavocKind::Input, span });
        let dest = function.registers.push(Register { ty, name: None });
        kinds.push(InstKind::Havoc { dest, site });
        Operand::Register(dest)
    });
    let insts = kinds.into_iter().map(|kind| Inst { kind, span }).collect();
    function.blocks = Table::from_iter([Block { insts, terminator: Terminator::Return(result), span }]);
}

/// Stops before each of these accesses if the flag is up.
fn guard(function: &mut Function, flag: GlobalId, sites: &[CallSite], what: &str) {
    // From the last to the first, so that what is left of a block keeps its numbers.
    for site in sites.iter().rev() {
        let rest = function.blocks[site.block].insts.split_off(site.inst);
        let span = rest.first().map_or(Span::NONE, |inst| inst.span);
        let before = &mut function.blocks[site.block];
        let terminator = std::mem::replace(&mut before.terminator, Terminator::Unreachable);
        let end = std::mem::replace(&mut before.span, span);
        let after: BlockId = function.blocks.push(Block { insts: rest, terminator, span: end });
        let stop = Terminator::Unsupported(what.into());
        let stop = function.blocks.push(Block { insts: Vec::new(), terminator: stop, span });
        let seen = function.registers.push(Register { ty: FLAG, name: None });
        let free = function.registers.push(Register { ty: Type::Int(1), name: None });
        let address = Operand::Constant(Constant::Global(flag, 0));
        let zero = Operand::Constant(Constant::Int(32, 0));
        let value = Rvalue::Compare(CompareOp::Equal, Operand::Register(seen), zero);
        let load = InstKind::Load { dest: seen, address, ty: FLAG, ordering: Ordering::Plain };
        let before = &mut function.blocks[site.block];
        before.insts.push(Inst { kind: load, span });
        before.insts.push(Inst { kind: InstKind::Assign { dest: free, value }, span });
        before.terminator = Terminator::Branch(Operand::Register(free), after, stop);
    }
}

#[cfg(test)]
mod tests;
