//! Points-to analysis: inclusion-based (Andersen: "Program Analysis and Specialization for the C Programming Language", 1994),
//! interprocedural, flow-insensitive, field-sensitive.
//!
//! Abstract objects are globals, allocation sites (distinguished by call chain for small allocating functions
//! such as `malloc` and its wrappers) and functions. A pointer is an object and a set of byte offsets, see
//! [`Offsets`]: exact, every n-th (array elements), or any. Integers and floats carry pointers as well as
//! pointers do, through memory, casts and arithmetic; arithmetic and partial copies lose the offset, not the object.
//!
//! Over-approximates: every object that a pointer validly points into, in any execution, is in its set. This rests on
//! four assumptions, which are the language's: a value into which no pointer has flown (a nondeterministic or
//! uninitialised value, a number) is the address of no object, so that using it as a pointer is a memory-safety
//! violation; a number made of addresses, made a pointer again, points into one of the objects they came from and
//! not into a neighbour that happens to lie there; branching on a pointer's bits and shifting by them is no flow; and offsets do
//! not wrap around the address space by moving a pointer again and again. Null is in no set.
//!
//! Only functions that can be called from the entry, directly, through pointers found here, or as threads, are
//! looked at; for registers of other functions all sets are empty.

mod generate;
mod offsets;
mod solve;
mod strides;

use raddle_base::{Table, define_id};
use rustc_hash::FxHashMap;

pub use offsets::{Offsets, Overlap};

use crate::inst::{AllocStorage, Constant, InstKind, Operand};
use crate::program::{BlockId, Function, FunctionId, GlobalId, Program, RegisterId};
use generate::{ConstraintGenerator, InstanceId};

define_id!(
    /// An abstract object: one or more objects of the running program.
    pub struct ObjectId, "o"
);

/// An instruction of the program: a call, a fork or an allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CallSite {
    /// In which function.
    pub function: FunctionId,
    /// In which block.
    pub block: BlockId,
    /// Which instruction.
    pub inst: usize,
}

/// An abstract object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// What it stands for.
    pub kind: ObjectKind,
}

/// What an abstract object stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    /// A global; every thread's copy of a thread-local one.
    Global(GlobalId),
    /// All objects made by an instruction when reached through these calls.
    Alloc {
        /// The instruction.
        site: CallSite,
        /// How long they live.
        storage: AllocStorage,
        /// The calls that lead to it, outermost first; empty stands for all chains that are not distinguished.
        context: Vec<CallSite>,
    },
    /// A function.
    Function(FunctionId),
}

/// A memory location that a pointer may point to.
pub type Target = (ObjectId, Offsets);

/// The solution for a program.
#[derive(Debug)]
pub struct PointsTo {
    objects: Table<ObjectId, Object>,
    globals: FxHashMap<GlobalId, ObjectId>,
    functions: FxHashMap<FunctionId, ObjectId>,
    registers: Table<FunctionId, Vec<Vec<Target>>>,
    contents: Table<ObjectId, Vec<Target>>,
    callees: FxHashMap<CallSite, Vec<FunctionId>>,
    reached: Table<FunctionId, bool>,
    threads: Vec<FunctionId>,
    thread_results: Vec<Target>,
}

impl PointsTo {
    /// Solves a program.
    #[must_use]
    pub fn new(program: &Program) -> Self {
        Self::solve(program, None)
    }

    /// Likewise; thread ids, and what is made of them, count as pointers to this global.
    #[must_use]
    pub fn with_handles(program: &Program, handles: GlobalId) -> Self {
        Self::solve(program, Some(handles))
    }

    fn solve(program: &Program, handles: Option<GlobalId>) -> Self {
        let generator = ConstraintGenerator::solve(program, handles);
        let solver = &generator.solver;
        let mut instances: Table<FunctionId, Vec<InstanceId>> =
            Table::filled(program.functions.len(), Vec::new);
        for (id, instance) in generator.instances.iter() {
            instances[instance.function].push(id);
        }
        let of_register = |function: FunctionId, register: RegisterId| {
            let nodes = instances[function].iter().filter_map(|id| generator.register_node(*id, register));
            merged(nodes.flat_map(|node| solver.targets(node)).collect())
        };
        let registers = program.functions.iter().map(|(id, function)| {
            if instances[id].is_empty() {
                return Vec::new();
            }
            function.registers.ids().map(|register| of_register(id, register)).collect()
        });
        let contents = solver
            .objects
            .ids()
            .map(|object| merged(solver.contents(object).flat_map(|node| solver.targets(node)).collect()));
        let mut functions = FxHashMap::default();
        for (id, object) in solver.objects.iter() {
            if let ObjectKind::Function(function) = object.kind {
                functions.insert(function, id);
            }
        }
        let callees = generator.callees.iter().map(|(site, callees)| {
            let mut callees: Vec<FunctionId> = callees.iter().copied().collect();
            callees.sort_unstable();
            (*site, callees)
        });
        let mut threads: Vec<FunctionId> = generator.forked.iter().copied().collect();
        threads.sort_unstable();
        Self {
            registers: registers.collect(),
            contents: contents.collect(),
            callees: callees.collect(),
            reached: instances.values().map(|instances| !instances.is_empty()).collect(),
            thread_results: solver.targets(generator.thread_result),
            globals: generator.globals.clone(),
            functions,
            threads,
            objects: generator.solver.objects,
        }
    }

    /// All abstract objects.
    #[must_use]
    pub fn objects(&self) -> &Table<ObjectId, Object> {
        &self.objects
    }

    /// The object of a global.
    #[must_use]
    pub fn global(&self, global: GlobalId) -> Option<ObjectId> {
        self.globals.get(&global).copied()
    }

    /// What an operand may point to, by object.
    #[must_use]
    pub fn targets(&self, function: FunctionId, operand: Operand) -> Vec<Target> {
        match operand {
            Operand::Register(register) => self.register_targets(function, register).to_vec(),
            Operand::Constant(Constant::Global(global, offset)) => self
                .globals
                .get(&global)
                .map(|object| (*object, Offsets::exactly(offset)))
                .into_iter()
                .collect(),
            Operand::Constant(Constant::Function(function)) => self
                .functions
                .get(&function)
                .map(|object| (*object, Offsets::exactly(0)))
                .into_iter()
                .collect(),
            Operand::Constant(Constant::Int(..) | Constant::F32(_) | Constant::F64(_) | Constant::Null) => {
                Vec::new()
            }
        }
    }

    /// What a register may point to at any time, by object.
    #[must_use]
    pub fn register_targets(&self, function: FunctionId, register: RegisterId) -> &[Target] {
        use raddle_base::Id;
        self.registers.get(function).and_then(|all| all.get(register.index())).map_or(&[], Vec::as_slice)
    }

    /// What may be stored somewhere in an object.
    #[must_use]
    pub fn contents(&self, object: ObjectId) -> &[Target] {
        &self.contents[object]
    }

    /// What a call or fork may run, in order; empty where the instruction is neither or is never reached.
    #[must_use]
    pub fn callees(&self, site: CallSite) -> &[FunctionId] {
        self.callees.get(&site).map_or(&[], Vec::as_slice)
    }

    /// Whether the function may be called at all.
    #[must_use]
    pub fn is_reached(&self, function: FunctionId) -> bool {
        self.reached[function]
    }

    /// The functions in which threads start: the entry and all that are forked, in order.
    #[must_use]
    pub fn thread_functions(&self) -> &[FunctionId] {
        &self.threads
    }

    /// What threads may leave as their results.
    #[must_use]
    pub fn thread_results(&self) -> &[Target] {
        &self.thread_results
    }

    /// Whether accesses of so many bytes through the two sets of pointers may share a byte.
    #[must_use]
    pub fn may_overlap(first: &[Target], width: u64, second: &[Target], other_width: u64) -> bool {
        first.iter().any(|(object, offsets)| {
            second.iter().any(|(other, other_offsets)| {
                object == other && {
                    let overlap = offsets.overlap(width, *other_offsets, other_width);
                    overlap.same_start || overlap.partial
                }
            })
        })
    }

    /// What people would call the object.
    #[must_use]
    pub fn name(&self, program: &Program, object: ObjectId) -> String {
        match &self.objects[object].kind {
            ObjectKind::Global(global) => program.globals[*global].name.clone(),
            ObjectKind::Function(function) => program.functions[*function].name.clone(),
            ObjectKind::Alloc { site, context, .. } => {
                let function: &Function = &program.functions[site.function];
                let inst = &function.blocks[site.block].insts[site.inst].kind;
                let name = if let InstKind::Alloc { name, .. } = inst { name } else { "memory" };
                let mut text = format!("{name} in {}", function.name);
                for call in context.iter().rev() {
                    text.push_str(" from ");
                    text.push_str(&program.functions[call.function].name);
                }
                text
            }
        }
    }
}

/// Sorted, without what another entry contains.
fn merged(mut targets: Vec<Target>) -> Vec<Target> {
    targets.sort_unstable();
    targets.dedup();
    let mut kept = Vec::with_capacity(targets.len());
    for group in targets.chunk_by(|first, second| first.0 == second.0) {
        let is_contained = |(_, offsets): &Target| {
            group.iter().any(|(_, wider)| offsets != wider && wider.contains(*offsets))
        };
        kept.extend(group.iter().filter(|target| !is_contained(target)));
    }
    kept
}

#[cfg(test)]
mod tests;
