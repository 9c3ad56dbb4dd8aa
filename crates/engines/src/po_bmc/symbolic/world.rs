//! What stays the same when a program is executed symbolically again: facts about the program, and names.
//!
//! The same program is executed several times, with growing bounds and under other assumptions. Objects, activations and
//! threads are named by how they come about, so that a name means the same each time, and the address of an object
//! ([`AddressSpace`]) is the same constant each time.

use raddle_base::{Id, Table, define_id};
use raddle_ir::analyses::address_reuse::Comparisons;
use raddle_ir::analyses::call_graph::CallGraph;
use raddle_ir::analyses::cfg::ControlFlow;
use raddle_ir::analyses::liveness::Liveness;
use raddle_ir::analyses::points_to::{self, ObjectKind, PointsTo};
use raddle_ir::analyses::punning::Punning;
use raddle_ir::analyses::sharing::Sharing;
use raddle_ir::{BlockId, Function, FunctionId, GlobalId, InstKind, Program, RegisterId, Type};
use raddle_vm::code::Place;
use rustc_hash::{FxHashMap, FxHashSet};

use super::follow::Sides;
use super::order::{BlockOrder, Position};
use crate::execution_graph::events::InstanceId;
use raddle_semantics::{AddressSpace, ObjectId, WordLayout};

define_id!(
    /// A call of a function in the unrolled program.
    pub struct ActivationId, "call"
);
define_id!(
    /// A visit of a block in the unrolled program.
    pub struct VisitId, "visit"
);

/// An instruction of the unrolled program.
pub(crate) type SiteKey = (VisitId, u32);

/// How an object comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Origin {
    /// Null, and integers made pointers.
    Nothing,
    /// A function.
    Function(FunctionId),
    /// A global.
    Global(GlobalId),
    /// A thread's copy of a thread-local global.
    ThreadLocal(InstanceId, GlobalId),
    /// An allocation.
    Alloc(SiteKey),
    /// What a pointer points to that has left its object by far.
    Nowhere,
}

/// Who may access an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// One thread.
    Own,
    /// Several threads.
    Shared,
}

/// Facts about a function.
#[derive(Debug)]
pub(crate) struct FunctionFacts {
    pub(crate) order: BlockOrder,
    pub(crate) liveness: Liveness,
}

/// What became of the spin loops of a program: see [`raddle_ir::passes::spin`].
#[derive(Clone, Debug, Default)]
pub(crate) struct Spins {
    /// Blocks in which a thread waits that would spin.
    pub(crate) stuck: FxHashSet<(FunctionId, BlockId)>,
    /// Blocks whose first instruction begins an atomic block that the program itself does not have.
    pub(crate) headers: FxHashSet<(FunctionId, BlockId)>,
    /// How many blocks each function has in the program itself.
    pub(crate) blocks: Vec<usize>,
}

/// See the [module](self).
#[derive(Debug)]
pub(crate) struct World<'p> {
    pub(crate) program: &'p Program,
    pub(crate) points_to: PointsTo,
    functions: Table<FunctionId, Option<FunctionFacts>>,
    /// For each global, and for each place of allocation.
    shared_globals: FxHashSet<GlobalId>,
    shared_sites: FxHashSet<points_to::CallSite>,
    spins: Spins,
    /// Whether anything is freed.
    frees: bool,
    /// Whether it can be told that the address of an object that has ended came again.
    pub(crate) comparisons: Comparisons,
    /// Reads that take pointers for numbers or numbers for pointers.
    punning: Punning,
    /// The addresses of objects.
    addresses: AddressSpace,
    objects: Table<ObjectId, Origin>,
    object_names: FxHashMap<Origin, ObjectId>,
    activations: FxHashMap<(InstanceId, Option<SiteKey>, FunctionId), ActivationId>,
    visits: FxHashMap<(ActivationId, BlockId, Position), VisitId>,
    instances: FxHashMap<SiteKey, InstanceId>,
    /// See [`tear`](Self::tear).
    torn: bool,
    /// What lies beside a run, when one is followed.
    sides: Option<Sides>,
}

impl<'p> World<'p> {
    pub(crate) fn new(program: &'p Program, spins: Spins) -> Self {
        let points_to = PointsTo::new(program);
        let graph = CallGraph::new(program, &points_to);
        let sharing = Sharing::new(program, &points_to, &graph);
        let mut shared_globals = FxHashSet::default();
        let mut shared_sites = FxHashSet::default();
        for (id, object) in points_to.objects().iter() {
            match &object.kind {
                ObjectKind::Global(global) if program.globals[*global].thread_local => {
                    if pointer_is_kept(program, &points_to, id) {
                        shared_globals.insert(*global);
                    }
                }
                ObjectKind::Global(global) => {
                    if sharing.is_shared(id) {
                        shared_globals.insert(*global);
                    }
                }
                // One thread may make it and another be the only one to use it.
                ObjectKind::Alloc { site, .. } => {
                    if sharing.is_escaped(id) {
                        shared_sites.insert(*site);
                    }
                }
                ObjectKind::Function(_) => {}
            }
        }
        let punning = Punning::new(program, &points_to);
        let comparisons = Comparisons::new(program, &points_to);
        let mut world = Self {
            program,
            punning,
            points_to,
            functions: Table::filled(program.functions.len(), || None),
            shared_globals,
            shared_sites,
            spins,
            frees: program.functions.values().any(frees),
            comparisons,
            addresses: AddressSpace::new(
                u32::from(program.pointer_bits),
                offset_bits(program),
                0,
                ObjectId::from_index(1 + program.functions.len() + program.globals.len()),
            ),
            objects: Table::new(),
            object_names: FxHashMap::default(),
            activations: FxHashMap::default(),
            visits: FxHashMap::default(),
            instances: FxHashMap::default(),
            torn: false,
            sides: None,
        };
        world.object(Origin::Nothing);
        for function in program.functions.ids() {
            world.object(Origin::Function(function));
        }
        for global in program.globals.ids() {
            world.object(Origin::Global(global));
        }
        let nowhere = world.object(Origin::Nowhere);
        debug_assert_eq!(nowhere, world.addresses.nowhere());
        world
    }

    /// Whether a thread that waits in this block would spin in the program itself.
    pub(crate) fn is_spin(&self, place: Place) -> bool {
        self.spins.stuck.contains(&(place.function, place.block))
    }

    /// Whether the beginning or end of an atomic block at this place is not one of the program itself: a spin loop contains none.
    pub(crate) fn is_added(&self, place: Place) -> bool {
        let before = self.spins.blocks.get(place.function.index()).copied();
        before.is_some_and(|before| place.block.index() >= before)
            || place.index == 0 && self.spins.headers.contains(&(place.function, place.block))
    }

    /// Whether the program frees any object.
    pub(crate) fn frees(&self) -> bool {
        self.frees
    }

    /// Whether an instruction takes a pointer that it reads for a number, or a number for a pointer.
    pub(crate) fn is_punned(&self, place: Place) -> bool {
        let site =
            points_to::CallSite { function: place.function, block: place.block, inst: place.index as usize };
        self.torn || self.punning.reads.contains(&site)
    }

    /// A plain number is written over a part of a pointer: from now on every read is one that may take it for what it is not.
    pub(crate) fn tear(&mut self) {
        self.torn = true;
    }

    /// Whether that was said.
    pub(crate) fn is_torn(&self) -> bool {
        self.torn
    }

    /// Whether an instruction reads a pointer.
    pub(crate) fn reads_pointer(&self, place: Place) -> bool {
        matches!(place.inst(self.program).map(|inst| &inst.kind), Some(InstKind::Load { ty: Type::Ptr, .. }))
    }

    /// Whether there are such instructions at all.
    fn has_punned(&self) -> bool {
        self.torn || !self.punning.reads.is_empty()
    }

    /// How memory holds values.
    pub(crate) fn layout(&self) -> WordLayout {
        WordLayout { marked: self.has_punned(), pointer_bytes: self.pointer_bits() / 8 }
    }

    /// Whether a register's value is only copied, and such instructions matter.
    pub(crate) fn is_copied(&self, function: FunctionId, register: RegisterId) -> bool {
        self.has_punned() && self.punning.copied.contains(&(function, register))
    }

    /// Bits of a pointer.
    pub(crate) fn pointer_bits(&self) -> u32 {
        u32::from(self.program.pointer_bits)
    }

    /// The addresses of the objects that there are so far.
    pub(crate) fn addresses(&self) -> &AddressSpace {
        &self.addresses
    }

    pub(crate) fn object_count(&self) -> usize {
        self.objects.len()
    }

    pub(crate) fn object(&mut self, origin: Origin) -> ObjectId {
        *self.object_names.entry(origin).or_insert_with(|| {
            self.addresses.add_object();
            self.objects.push(origin)
        })
    }

    pub(crate) fn origin(&self, object: ObjectId) -> Origin {
        self.objects[object]
    }

    /// A pointer to an object's first byte.
    pub(crate) fn base(&self, object: ObjectId) -> u128 {
        self.addresses.base(object)
    }

    /// The object that a pointer belongs to: that of null for small numbers, none for what is no pointer.
    pub(crate) fn object_at(&self, pointer: u128) -> Option<ObjectId> {
        self.addresses.object_at(pointer)
    }

    /// Who may access an object.
    pub(crate) fn reach(&self, object: ObjectId) -> Reach {
        let shared = match self.objects[object] {
            Origin::Nothing | Origin::Function(_) | Origin::Nowhere => false,
            Origin::Global(global) | Origin::ThreadLocal(_, global) => self.shared_globals.contains(&global),
            Origin::Alloc(_) => unreachable!("allocations are asked by their place"),
        };
        if shared { Reach::Shared } else { Reach::Own }
    }

    /// Who may access what an instruction allocates.
    pub(crate) fn site_reach(&self, function: FunctionId, block: BlockId, inst: usize) -> Reach {
        let site = points_to::CallSite { function, block, inst };
        if self.shared_sites.contains(&site) { Reach::Shared } else { Reach::Own }
    }

    pub(crate) fn activation(
        &mut self,
        instance: InstanceId,
        call: Option<SiteKey>,
        function: FunctionId,
    ) -> ActivationId {
        let next = ActivationId::from_index(self.activations.len());
        *self.activations.entry((instance, call, function)).or_insert(next)
    }

    pub(crate) fn visit(&mut self, activation: ActivationId, block: BlockId, position: &Position) -> VisitId {
        let next = VisitId::from_index(self.visits.len());
        *self.visits.entry((activation, block, position.clone())).or_insert(next)
    }

    /// The thread that is started at a place. The main thread has number 0 and no place.
    pub(crate) fn instance(&mut self, fork: SiteKey) -> InstanceId {
        let next = InstanceId::from_index(self.instances.len() + 1);
        *self.instances.entry(fork).or_insert(next)
    }

    /// What lies beside a run.
    pub(crate) fn sides(&mut self) -> &Sides {
        let program = self.program;
        self.sides.get_or_insert_with(|| Sides::new(program))
    }

    /// See [`Sides::rejoins`].
    pub(crate) fn rejoins(&mut self, function: FunctionId, way: (BlockId, BlockId, BlockId)) -> bool {
        self.facts(function);
        let program = self.program;
        let order = &self.functions[function].as_ref().expect("it was just asked for").order;
        let sides = self.sides.get_or_insert_with(|| Sides::new(program));
        sides.rejoins((program, order), function, way)
    }

    pub(crate) fn facts(&mut self, function: FunctionId) -> &FunctionFacts {
        let body = &self.program.functions[function];
        self.functions[function].get_or_insert_with(|| FunctionFacts {
            order: BlockOrder::new(body),
            liveness: Liveness::new(body, &ControlFlow::new(body)),
        })
    }
}

/// Whether a pointer to a thread-local object may be kept where another thread finds it.
fn pointer_is_kept(program: &Program, points_to: &PointsTo, object: points_to::ObjectId) -> bool {
    let points = |targets: &[points_to::Target]| targets.iter().any(|(target, _)| *target == object);
    points_to.objects().ids().any(|other| points(points_to.contents(other)))
        || points(points_to.thread_results())
        || points_to.thread_functions().iter().any(|&function| {
            let parameters = &program.functions[function].parameters;
            parameters.iter().any(|&parameter| points(points_to.register_targets(function, parameter)))
        })
}

fn frees(function: &Function) -> bool {
    let mut insts = function.blocks.values().flat_map(|block| &block.insts);
    insts.any(|inst| matches!(inst.kind, InstKind::Free { .. }))
}

/// Every object must be smaller than half a range. With 32 bits that is a choice between large objects and many.
fn offset_bits(program: &Program) -> u32 {
    if program.pointer_bits == 64 {
        return 40;
    }
    let largest = program.globals.values().map(|global| global.size).max().unwrap_or(0);
    (2 * largest + 2).next_power_of_two().trailing_zeros().clamp(18, 28)
}
