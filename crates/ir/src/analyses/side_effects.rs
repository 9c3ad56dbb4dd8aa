//! What calling a function may do, to memory and to other threads.
//!
//! Over-approximates: what is not listed does not happen. Effects of the functions called are included; those of
//! threads that are started are not, since they happen elsewhere.

use fixedbitset::FixedBitSet;
use raddle_base::{Id, Table};

use super::call_graph::{CallGraph, CallKind};
use super::points_to::{ObjectId, PointsTo};
use crate::inst::{BinaryOp, Constant, IfUnchecked, Inst, InstKind, Operand, Ordering, Rvalue, Terminator};
use crate::program::{Block, FunctionId, Program};
use crate::visit::AccessKind;

/// What may happen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Effects {
    /// Objects that may be read, by the index of their ids.
    pub reads: FixedBitSet,
    /// Objects that may be written or freed, by the index of their ids.
    pub writes: FixedBitSet,
    /// Has an instruction that writes memory, whatever its pointer points to.
    pub writes_memory: bool,
    /// Makes objects of any storage.
    pub allocates: bool,
    /// Ends the lifetimes of objects.
    pub frees: bool,
    /// Fences, locks, atomic blocks, forks, joins.
    pub synchronises: bool,
    /// Accesses memory atomically.
    pub has_atomics: bool,
    /// May wait: lock, join, `wait_until`.
    pub may_block: bool,
    /// Starts threads.
    pub forks: bool,
    /// May end the thread or the process, or stop as unsupported, instead of returning.
    pub may_not_return: bool,
    /// Takes nondeterministic values.
    pub takes_inputs: bool,
    /// Prints.
    pub prints: bool,
    /// Checks properties, or may fault: divides, shifts, or reaches memory through a pointer.
    pub may_violate: bool,
}

impl Effects {
    /// Nothing that lasts or is seen by others when the call is over: no writes, no allocation, no synchronisation,
    /// no waiting, no output. Reading and taking inputs is allowed.
    #[must_use]
    pub fn leaves_no_trace(&self) -> bool {
        !self.writes_memory
            && !self.allocates
            && !self.frees
            && !self.synchronises
            && !self.may_block
            && !self.forks
            && !self.prints
    }

    /// Adds what `other` may do.
    pub fn include(&mut self, other: &Self) {
        self.reads.union_with(&other.reads);
        self.writes.union_with(&other.writes);
        self.writes_memory |= other.writes_memory;
        self.allocates |= other.allocates;
        self.frees |= other.frees;
        self.synchronises |= other.synchronises;
        self.has_atomics |= other.has_atomics;
        self.may_block |= other.may_block;
        self.forks |= other.forks;
        self.may_not_return |= other.may_not_return;
        self.takes_inputs |= other.takes_inputs;
        self.prints |= other.prints;
        self.may_violate |= other.may_violate;
    }
}

/// The effects of all functions.
#[derive(Clone, Debug)]
pub struct SideEffects {
    effects: Table<FunctionId, Effects>,
}

impl SideEffects {
    /// Of a program.
    #[must_use]
    pub fn new(program: &Program, points_to: &PointsTo, graph: &CallGraph) -> Self {
        let mut own: Table<FunctionId, Effects> = Table::new();
        for (id, function) in program.functions.iter() {
            // What a function without a body gives is an input.
            let mut effects = Effects { takes_inputs: function.blocks.is_empty(), ..Effects::default() };
            for block in function.blocks.values() {
                block.insts.iter().for_each(|inst| add_inst(&mut effects, id, inst, points_to));
                add_terminator(&mut effects, block);
            }
            own.push(effects);
        }
        // Callees come first, so that theirs are complete; functions of one component share theirs.
        for component in graph.components() {
            let mut all = Effects::default();
            // A component calls itself, so its functions share one set; those below are complete already.
            for &function in component {
                all.include(&own[function]);
                for call in graph.calls(function).iter().filter(|call| call.kind != CallKind::Fork) {
                    call.callees.iter().for_each(|callee| all.include(&own[*callee]));
                }
            }
            for &function in component {
                own[function] = all.clone();
            }
        }
        Self { effects: own }
    }

    /// What calling the function may do.
    #[must_use]
    pub fn of(&self, function: FunctionId) -> &Effects {
        &self.effects[function]
    }
}

/// The objects that an operand may point into.
fn objects_of(points_to: &PointsTo, function: FunctionId, operand: Operand) -> Vec<ObjectId> {
    let mut objects: Vec<ObjectId> =
        points_to.targets(function, operand).into_iter().map(|(object, _)| object).collect();
    objects.dedup();
    objects
}

/// Adds what an instruction itself may do; calls add nothing here.
pub(crate) fn add_inst(effects: &mut Effects, function: FunctionId, inst: &Inst, points_to: &PointsTo) {
    if let Some(access) = inst.kind.access() {
        effects.may_violate = true;
        effects.has_atomics |= access.ordering != Ordering::Plain;
        for object in objects_of(points_to, function, access.address) {
            if access.kind != AccessKind::Write {
                effects.reads.grow_and_insert(object.index());
            }
            if access.kind != AccessKind::Read {
                effects.writes.grow_and_insert(object.index());
            }
        }
        effects.writes_memory |= access.kind != AccessKind::Read;
    }
    match &inst.kind {
        InstKind::Alloc { .. } => effects.allocates = true,
        InstKind::Free { pointer } => {
            effects.frees = true;
            effects.may_violate = true;
            for object in objects_of(points_to, function, *pointer) {
                effects.writes.grow_and_insert(object.index());
            }
        }
        InstKind::Intrinsic { which, .. } => effects.prints |= which.prints(),
        // Only what the calling thread made itself.
        InstKind::EndLife(_) => effects.frees = true,
        InstKind::Havoc { .. } => effects.takes_inputs = true,
        InstKind::Assume(_) => effects.may_not_return = true,
        InstKind::Check { if_unchecked, .. } => {
            effects.may_violate = true;
            effects.may_not_return |= *if_unchecked == IfUnchecked::Ends;
        }
        InstKind::WaitUntil(_) => effects.may_block = true,
        InstKind::Fork { .. } => {
            effects.forks = true;
            effects.synchronises = true;
        }
        InstKind::Join { .. } => {
            effects.may_block = true;
            effects.synchronises = true;
        }
        InstKind::Lock { .. } => {
            effects.may_block = true;
            effects.synchronises = true;
        }
        InstKind::Unlock { .. } => effects.synchronises = true,
        InstKind::Fence(_) | InstKind::AtomicBegin | InstKind::AtomicEnd => effects.synchronises = true,
        // Division and shifts may fault; telling which is not worth it.
        InstKind::Assign { .. } => effects.may_violate |= may_fault(inst),
        // A pointer may be none to a fitting function.
        InstKind::Call { callee, .. } => {
            effects.may_violate |= !matches!(callee, Operand::Constant(Constant::Function(_)));
        }
        InstKind::Load { .. }
        | InstKind::Store { .. }
        | InstKind::AtomicRmw { .. }
        | InstKind::CompareExchange { .. } => {}
    }
}

/// Whether an assignment may be undefined: a division or shift whose second operand is no harmless constant, or a look
/// at a lock word, whose pointer may be bad.
pub(crate) fn may_fault(inst: &Inst) -> bool {
    let InstKind::Assign { dest: _, value } = &inst.kind else { return false };
    if value.lock_word().is_some() {
        return true;
    }
    let Rvalue::Binary(op, _, second) = value else { return false };
    let constant = match second {
        Operand::Constant(Constant::Int(bits, value)) => Some((*bits, *value)),
        Operand::Constant(_) | Operand::Register(_) => None,
    };
    match op {
        BinaryOp::UnsignedDiv | BinaryOp::UnsignedRem => constant.is_none_or(|(_, value)| value == 0),
        BinaryOp::SignedDiv | BinaryOp::SignedRem => {
            constant.is_none_or(|(bits, value)| value == 0 || value == crate::fold::mask(bits))
        }
        // Every integer has at least one bit; wider ones are not looked up.
        BinaryOp::Shl | BinaryOp::SignedShr | BinaryOp::UnsignedShr => {
            constant.is_none_or(|(_, value)| value != 0)
        }
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::And
        | BinaryOp::Or
        | BinaryOp::Xor
        | BinaryOp::FloatAdd
        | BinaryOp::FloatSub
        | BinaryOp::FloatMul
        | BinaryOp::FloatDiv => false,
    }
}

fn add_terminator(effects: &mut Effects, block: &Block) {
    match block.terminator {
        Terminator::ExitThread(_)
        | Terminator::ExitProcess(_)
        | Terminator::Abort
        | Terminator::Unreachable
        | Terminator::Unsupported(_) => effects.may_not_return = true,
        Terminator::Jump(_) | Terminator::Branch(..) | Terminator::Switch { .. } | Terminator::Return(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_program;

    fn effects(text: &str) -> (Program, PointsTo, SideEffects) {
        let program = parse_program(&format!("program pointer_bits 64 entry f0 {text}")).expect("parses");
        let points_to = PointsTo::new(&program);
        let graph = CallGraph::new(&program, &points_to);
        let effects = SideEffects::new(&program, &points_to, &graph);
        (program, points_to, effects)
    }

    #[test]
    fn effects_go_from_callees_to_callers_but_not_from_threads() {
        let (program, points_to, effects) = effects(
            "havoc h0 \"n\" i32 global g0 \"x\" size 4 align 4 { } global g1 \"y\" size 4 align 4 { }
             function f0 \"main\" () { registers r0: i32
               b0: r0 = fork @thread(null) r0 = call @get() call @ping(r0) return }
             function f1 \"get\" () -> i32 { registers r0: i32 b0: r0 = load i32 [@x] return r0 }
             function f2 \"ping\" (r0) { registers r0: i32 b0: call @pong(r0) return }
             function f3 \"pong\" (r0) { registers r0: i32 b0: lock [@y] call @ping(r0) return }
             function f4 \"thread\" (r0) -> ptr { registers r0: ptr b0: store i32 [@x], i32 1 return r0 }
             function f5 \"yield\" () -> i32 { registers r0: i32 b0: r0 = havoc h0 return r0 }",
        );
        let of = |name: &str| {
            let id = program.functions.iter().find(|(_, each)| each.name == name).expect("the function").0;
            effects.of(id)
        };
        let x = points_to.global(Id::from_index(0)).expect("x").index();
        let y = points_to.global(Id::from_index(1)).expect("y").index();
        assert!(of("main").reads.contains(x) && !of("main").writes.contains(x));
        assert!(of("main").writes.contains(y) && of("main").may_block && of("main").forks);
        assert!(of("ping").may_block && of("ping").synchronises && !of("ping").forks);
        assert!(of("get").leaves_no_trace() && !of("get").takes_inputs);
        assert!(of("yield").leaves_no_trace() && of("yield").takes_inputs && !of("yield").may_violate);
        assert!(!of("thread").leaves_no_trace() && !of("ping").leaves_no_trace());
    }

    #[test]
    fn asking_about_a_lock_reads_it_and_may_fault() {
        for question in ["holds_lock", "lock_is_free"] {
            let (_, points_to, effects) = effects(&format!(
                "global g0 \"m\" size 4 align 4 {{ }}
                 function f0 \"main\" () {{ registers r0: i1 b0: r0 = {question} @m return }}"
            ));
            let found = effects.of(FunctionId::from_index(0));
            let lock = points_to.global(Id::from_index(0)).expect("m").index();
            assert!(found.reads.contains(lock) && !found.writes.contains(lock));
            assert!(found.may_violate && found.leaves_no_trace());
        }
    }

    #[test]
    fn faults_are_told_from_harmless_arithmetic() {
        let (_, _, effects) = effects(
            "function f0 \"main\" () { registers r0: i32 b0: r0 = i32 7 r0 = signed_div r0, i32 2 return }
             function f1 \"divide\" (r0) { registers r0: i32 b0: r0 = signed_div i32 1, r0 return }",
        );
        let ids = [FunctionId::from_index(0), FunctionId::from_index(1)];
        assert_eq!(ids.map(|id| effects.of(id).may_violate), [false, true]);
    }
}
