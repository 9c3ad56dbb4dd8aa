//! Whether a program can observe that a new object has the address of one whose lifetime has ended.
//!
//! It needs a comparison of a pointer to such an object with one to an object that was made later. Over-approximates: where this
//! says no, no execution makes such a comparison, as far as [`super::points_to`] knows all pointers.

use raddle_base::Id;

use super::call_graph::CallGraph;
use super::points_to::{ObjectId, ObjectKind, PointsTo};
use crate::inst::{AllocStorage, CompareOp, InstKind, Lifetime, Operand, Rvalue, Terminator};
use crate::program::{Function, FunctionId, Program};

/// What comparisons may meet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Comparisons {
    /// A pointer to a freed object, and one to another object of the heap.
    pub heap: bool,
    /// A pointer to a local or thread-local object that has ended, and one to another object that may have begun since.
    pub locals: bool,
}

impl Comparisons {
    /// Those of a program.
    #[must_use]
    pub fn new(program: &Program, points_to: &PointsTo) -> Self {
        let survey = ObjectSurvey::new(program, points_to);
        let mut found = Self::default();
        survey.each_inst(|function, kind| {
            let Some((left, right)) = compared(kind) else { return };
            let (left, right) = (survey.objects(function, left), survey.objects(function, right));
            // Either side may be the one whose object has ended.
            let meets = |ended: &dyn Fn(&ObjectId) -> bool, other: &dyn Fn(&ObjectId) -> bool| {
                left.iter().any(ended) && right.iter().any(other)
                    || right.iter().any(ended) && left.iter().any(other)
            };
            let is = |object: &ObjectId, kind: MemoryKind| survey.kinds[object.index()] == kind;
            let ends = |object: &ObjectId, kind: MemoryKind| is(object, kind) && survey.ends[object.index()];
            // Two pointers into the heap: the other object must have been made while the first one was free,
            // so it is of the heap, too.
            found.heap |=
                meets(&|object| ends(object, MemoryKind::Heap), &|object| is(object, MemoryKind::Heap));
            // The memory of a local object may be used for any later object but a static one.
            found.locals |=
                meets(&|object| ends(object, MemoryKind::Local), &|object| !is(object, MemoryKind::Static));
        });
        found
    }

    /// Those of a program whose pointers are not known yet; quick where nothing is freed and nobody asks about locals.
    #[must_use]
    pub fn of_heap(program: &Program) -> bool {
        let mut blocks = program.functions.values().flat_map(|function| function.blocks.values());
        let frees = |kind: &InstKind| matches!(kind, InstKind::Free { .. });
        blocks.any(|block| block.insts.iter().any(|inst| frees(&inst.kind)))
            && Self::new(program, &PointsTo::new(program)).heap
    }
}

/// Whether a function is a model that makes objects and frees others, as `realloc` does. It makes the new object first, but the two
/// may have the same address all the same.
#[must_use]
pub fn moves(function: &Function) -> bool {
    let insts = || function.blocks.values().flat_map(|block| &block.insts);
    function.model
        && insts().any(|inst| matches!(inst.kind, InstKind::Free { .. }))
        && insts().any(|inst| matches!(inst.kind, InstKind::Alloc { storage: AllocStorage::Heap, .. }))
}

/// The operands that an instruction compares, if it does. What a compare-exchange reads is what it leaves in its register.
fn compared(kind: &InstKind) -> Option<(Operand, Operand)> {
    match kind {
        InstKind::Assign { value: Rvalue::Compare(op, left, right), .. } => match op {
            CompareOp::Equal | CompareOp::NotEqual => Some((*left, *right)),
            // An order depends on where objects lie in any case.
            CompareOp::SignedLess
            | CompareOp::SignedLessEqual
            | CompareOp::UnsignedLess
            | CompareOp::UnsignedLessEqual
            | CompareOp::FloatEqual
            | CompareOp::FloatLess
            | CompareOp::FloatLessEqual => None,
        },
        InstKind::CompareExchange { dest, expected, .. } => Some((Operand::Register(*dest), *expected)),
        InstKind::Assign { .. }
        | InstKind::Load { .. }
        | InstKind::Store { .. }
        | InstKind::AtomicRmw { .. }
        | InstKind::Fence(_)
        | InstKind::Alloc { .. }
        | InstKind::Free { .. }
        | InstKind::EndLife(_)
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
        | InstKind::AtomicEnd => None,
    }
}

/// What memory an object lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MemoryKind {
    /// Its lifetime is that of the program.
    Static,
    /// Local or thread-local.
    Local,
    Heap,
}

/// The objects of a program.
struct ObjectSurvey<'p> {
    program: &'p Program,
    points_to: &'p PointsTo,
    kinds: Vec<MemoryKind>,
    /// Which of them may end while somebody has a pointer to them that is used later.
    ends: Vec<bool>,
}

impl<'p> ObjectSurvey<'p> {
    fn new(program: &'p Program, points_to: &'p PointsTo) -> Self {
        let kinds: Vec<MemoryKind> =
            points_to.objects().values().map(|object| kind(program, &object.kind)).collect();
        let mut survey = Self { program, points_to, ends: vec![false; kinds.len()], kinds };
        let mut ends = vec![false; survey.kinds.len()];
        survey.each_inst(|function, kind| {
            if let InstKind::Free { pointer } | InstKind::EndLife(Lifetime::Object(pointer)) = kind {
                for object in survey.objects(function, *pointer) {
                    ends[object.index()] = true;
                }
            }
        });
        // What ends by itself counts only if somebody can still have a pointer to it.
        survey.find_returned(&mut ends);
        survey.find_kept(&mut ends);
        survey.ends = ends;
        survey
    }

    /// Local objects that their own function returns a pointer to.
    fn find_returned(&self, ends: &mut [bool]) {
        for (id, function) in self.program.functions.iter().filter(|(id, _)| self.points_to.is_reached(*id)) {
            for block in function.blocks.values() {
                let (Terminator::Return(Some(result)) | Terminator::ExitThread(result)) = &block.terminator
                else {
                    continue;
                };
                for object in self.objects(id, *result) {
                    ends[object.index()] |= self.home(object).is_some_and(|home| home == id);
                }
            }
        }
    }

    /// Local objects that a pointer leads to from what lives in no activation of the same function.
    fn find_kept(&self, ends: &mut [bool]) {
        let calls = CallGraph::new(self.program, self.points_to);
        let threads = self.points_to.thread_functions();
        let repeated = |function: FunctionId| {
            calls.is_recursive(function) || function != self.program.entry && threads.contains(&function)
        };
        for keeper in self.points_to.objects().ids() {
            // A pointer that is kept in the same activation ends with its target.
            for (object, _) in self.points_to.contents(keeper) {
                let is_local = self.kinds[object.index()] == MemoryKind::Local;
                // Both are of one activation, unless there may be several.
                let home = self.home(*object).filter(|home| !repeated(*home));
                let is_same = home.is_some() && self.home(keeper) == home;
                ends[object.index()] |= is_local && !is_same;
            }
        }
    }

    /// The function in whose activations a local object lives.
    fn home(&self, object: ObjectId) -> Option<FunctionId> {
        match &self.points_to.objects()[object].kind {
            ObjectKind::Alloc { site, .. } if self.kinds[object.index()] == MemoryKind::Local => {
                Some(site.function)
            }
            ObjectKind::Alloc { .. } | ObjectKind::Global(_) | ObjectKind::Function(_) => None,
        }
    }

    fn objects(&self, function: FunctionId, operand: Operand) -> Vec<ObjectId> {
        self.points_to.targets(function, operand).into_iter().map(|(object, _)| object).collect()
    }

    fn each_inst(&self, mut visit: impl FnMut(FunctionId, &InstKind)) {
        for (id, function) in self.program.functions.iter().filter(|(id, _)| self.points_to.is_reached(*id)) {
            for inst in function.blocks.values().flat_map(|block| &block.insts) {
                visit(id, &inst.kind);
            }
        }
    }
}

fn kind(program: &Program, kind: &ObjectKind) -> MemoryKind {
    match kind {
        ObjectKind::Global(global) if program.globals[*global].thread_local => MemoryKind::Local,
        ObjectKind::Global(_) | ObjectKind::Function(_) => MemoryKind::Static,
        ObjectKind::Alloc { storage, .. } => match storage {
            AllocStorage::Heap | AllocStorage::Library => MemoryKind::Heap,
            AllocStorage::Local | AllocStorage::Dynamic => MemoryKind::Local,
        },
    }
}
