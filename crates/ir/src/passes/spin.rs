//! Spin loops become waits.
//!
//! `while (flag != 1) ;` is turned into code that runs the loop's body once and *waits* where the loop would go back:
//! every edge back to the header leads to `wait_until false` instead.
//!
//! # Which loops
//! An innermost natural loop of which one iteration has no lasting effect:
//! - no store, read-modify-write, fence, lock, atomic block, allocation, free, fork, join, wait or output, in the
//!   loop or in what it calls; a `compare_exchange` only if its success always leaves the loop;
//! - no register that is assigned in the loop is live where an iteration starts, so every iteration starts from the same state.
//!
//! Loads, inputs, checks, assumptions and calls of functions without lasting effects may occur in any number.
//! When in doubt the loop stays.
//!
//! # Why this is exact for safety
//! Take an execution in which a thread makes k iterations. The iterations that went back changed neither memory nor a
//! live register, so without them the thread is in the same state, and the other threads cannot observe the difference. Dropping
//! them gives an execution of the changed program. So an execution that leaves the loop keeps its last iteration; one
//! that breaks a property inside an iteration keeps that iteration; and one that is still in the loop is a prefix.
//! Conversely an execution of the changed program is one of the original that happened to make no second iteration;
//! a thread that waits here is stopped for good, as any thread may be. Executions are prefix-closed, so assertions,
//! memory safety, lock misuse and overflow are reported for the changed program exactly if for the original.
//!
//! # Two forms, and deadlock
//! An iteration of several loads, such as `while (a && b) ;`, reads at several moments. To evaluate it in one atomic
//! block would be wrong: it may leave after reading `a` before and `b` after a change, with no single moment at
//! which the condition failed. So the loads stay steps of their own, followed by the wait:
//!
//! ```text
//! b1: r0 = load i32 [@a]  r1 = equal r0, i32 0  branch r1, exit, b2
//! b2: r2 = load i32 [@b]  r3 = equal r2, i32 0  branch r3, exit, stuck
//! stuck: wait_until false
//! ```
//!
//! This is [`Blocking::AssumeLike`]: it guesses that the iteration is the last one. A thread that guessed wrong is stuck
//! although the loop would have tried again. That loses nothing for safety, but the execution is not maximal: such a
//! thread says nothing about deadlock.
//!
//! When an iteration makes at most one access that other threads can see, it happens at one moment, and the iteration can be
//! one atomic block, which as a whole waits until it can leave:
//!
//! ```text
//! b1: atomic_begin  r0 = load i32 [@flag]  r1 = equal r0, i32 1  branch r1, leave, stuck
//! leave: atomic_end  jump exit
//! stuck: wait_until false
//! ```
//!
//! This is [`Blocking::Exact`]: the thread waits in a state exactly if, from that state, it would spin until another
//! thread changes something. With [`SpinOptions::deadlocks`] only this form is made. Even so a thread that waits here
//! spins in the original: "all threads are blocked" then means that no thread will ever get anywhere, which the
//! caller must report as such, not as a deadlock of blocked threads. The waits made are returned for this.
//!
//! # Data races
//! Two things would change for races. Accesses inside an atomic block may count as synchronised, so the exact form
//! is not made with [`SpinOptions::data_races`]. And a dropped iteration may be the one that races, with a write that needs
//! the thread to continue after the loop. The kept iteration races as well if it repeats all loads of the dropped one and
//! nothing in the loop synchronises: all loads plain or relaxed, from memory locations that do not change, and on every way out.
//! Otherwise one iteration is kept apart (*peeled*): the body is there twice, first going on to the second copy and then
//! waiting, so that any one iteration and the last one can both happen.

use raddle_base::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use super::spin_rewrite::{Plan, rewrite};
use crate::analyses::call_graph::CallGraph;
use crate::analyses::cfg::ControlFlow;
use crate::analyses::dominators::Dominators;
use crate::analyses::liveness::Liveness;
use crate::analyses::loops::{Loop, Loops};
use crate::analyses::points_to::{CallSite, PointsTo};
use crate::analyses::sharing::Sharing;
use crate::analyses::side_effects::SideEffects;
use crate::fold::evaluate;
use crate::inst::{CompareOp, Constant, Inst, InstKind, Operand, Ordering, Rvalue, Terminator};
use crate::program::{BlockId, Function, FunctionId, Program, RegisterId};
use crate::validate::debug_validate;

/// What the changed program will be asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SpinOptions {
    /// It must have the same data races.
    pub data_races: bool,
    /// A thread must wait only where it would spin for ever if nobody else moved.
    pub deadlocks: bool,
}

/// What it means that a thread waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocking {
    /// It would spin until another thread changes something; it goes on as soon as it can.
    Exact,
    /// It may be stuck although the loop would try again: good for safety, says nothing about deadlock.
    AssumeLike,
}

/// A loop that became a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpinWait {
    /// In which function.
    pub function: FunctionId,
    /// The loop's header, which is still the same block.
    pub header: BlockId,
    /// The block that waits.
    pub stuck: BlockId,
    /// What waiting means.
    pub blocking: Blocking,
    /// Whether one more iteration was kept before.
    pub peeled: bool,
    /// The span of the loop's back edge.
    pub span: Span,
}

/// Turns the spin loops of a program into waits, and returns which, in order.
pub fn convert_spin_loops(program: &mut Program, options: SpinOptions) -> Vec<SpinWait> {
    let points_to = PointsTo::new(program);
    let graph = CallGraph::new(program, &points_to);
    let effects = SideEffects::new(program, &points_to, &graph);
    let sharing = Sharing::new(program, &points_to, &graph);
    let mut waits = Vec::new();
    for id in program.functions.ids() {
        let facts = SpinFacts { program, id, points_to: &points_to, effects: &effects, sharing: &sharing };
        let plans = facts.plans(options);
        for plan in plans {
            waits.push(rewrite(id, &mut program.functions[id], &plan));
        }
    }
    debug_validate(program, "the conversion of spin loops");
    waits
}

pub(super) struct SpinFacts<'p> {
    pub(super) program: &'p Program,
    pub(super) id: FunctionId,
    pub(super) points_to: &'p PointsTo,
    pub(super) effects: &'p SideEffects,
    pub(super) sharing: &'p Sharing,
}

impl SpinFacts<'_> {
    /// What to do with which loops of the function. The loops are disjoint: none contains another.
    fn plans(&self, options: SpinOptions) -> Vec<Plan> {
        let function = &self.program.functions[self.id];
        let flow = ControlFlow::new(function);
        let dominators = Dominators::new(&flow, function.blocks.len());
        let loops = Loops::new(function, &flow, &dominators);
        let liveness = Liveness::new(function, &flow);
        let mut plans = Vec::new();
        for (id, each) in loops.loops.iter() {
            let has_inner = loops.loops.values().any(|other| other.parent == Some(id));
            let is_tangled = loops
                .irreducible
                .iter()
                .any(|region| region.blocks.iter().any(|block| each.contains(*block)));
            if has_inner || is_tangled || !self.is_spin(function, each, &liveness) {
                continue;
            }
            let exact = !options.data_races && self.is_one_moment(function, each, &flow);
            if options.deadlocks && !exact {
                continue;
            }
            let peel = options.data_races && !self.keeps_races(function, each, &dominators);
            let blocking = if exact { Blocking::Exact } else { Blocking::AssumeLike };
            plans.push(Plan { each: each.clone(), blocking, peel });
        }
        plans
    }

    pub(super) fn insts<'f>(
        function: &'f Function,
        each: &'f Loop,
    ) -> impl Iterator<Item = (BlockId, usize, &'f Inst)> {
        let blocks = each.blocks.iter();
        blocks.flat_map(|&block| {
            function.blocks[block].insts.iter().enumerate().map(move |(index, inst)| (block, index, inst))
        })
    }

    /// Whether an iteration that goes back has no lasting effect and leads to the state it started from.
    fn is_spin(&self, function: &Function, each: &Loop, liveness: &Liveness) -> bool {
        Self::insts(function, each).all(|(block, index, inst)| {
            let is_carried = |register| liveness.is_live_in(each.header, register);
            !inst.kind.dest().is_some_and(is_carried) && self.has_no_effect(function, each, block, index)
        })
    }

    pub(super) fn has_no_effect(
        &self,
        function: &Function,
        each: &Loop,
        block: BlockId,
        index: usize,
    ) -> bool {
        match &function.blocks[block].insts[index].kind {
            InstKind::Assign { .. }
            | InstKind::Load { .. }
            | InstKind::Havoc { .. }
            | InstKind::Check { .. }
            | InstKind::Assume(_) => true,
            InstKind::CompareExchange { .. } => success_leaves(function, each, block, index),
            InstKind::Call { .. } => {
                self.callees(block, index).iter().all(|callee| self.effects.of(*callee).leaves_no_trace())
            }
            InstKind::Intrinsic { which, .. } => !which.prints(),
            InstKind::Store { .. }
            | InstKind::AtomicRmw { .. }
            | InstKind::Fence(_)
            | InstKind::Alloc { .. }
            | InstKind::Free { .. }
            | InstKind::EndLife(_)
            | InstKind::WaitUntil(_)
            | InstKind::Fork { .. }
            | InstKind::Join { .. }
            | InstKind::Lock { .. }
            | InstKind::Unlock { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd => false,
        }
    }

    /// What a call may run. Of a function that is itself never called nothing is known, and nothing matters.
    fn callees(&self, block: BlockId, inst: usize) -> &[FunctionId] {
        self.points_to.callees(CallSite { function: self.id, block, inst })
    }

    /// Whether an iteration makes at most one access that other threads can see, and depends on nothing else that changes.
    fn is_one_moment(&self, function: &Function, each: &Loop, flow: &ControlFlow) -> bool {
        // A loop that is never left would be an atomic block that never ends.
        if each.exits.is_empty() || !self.points_to.is_reached(self.id) {
            return false;
        }
        // The most accesses on any way from the header to each block's end; inner cycles there are none.
        let mut most: FxHashMap<BlockId, u32> = FxHashMap::default();
        for &block in &each.blocks {
            let before = flow.predecessors(block).iter().filter(|_| block != each.header);
            let mut count = before.filter_map(|from| most.get(from)).max().copied().unwrap_or(0);
            for (index, inst) in function.blocks[block].insts.iter().enumerate() {
                match &inst.kind {
                    InstKind::Load { address, .. } | InstKind::CompareExchange { address, .. } => {
                        let targets = self.points_to.targets(self.id, *address);
                        let is_step =
                            targets.is_empty() || self.sharing.is_step(self.points_to, self.id, *address);
                        count += u32::from(is_step);
                    }
                    InstKind::Call { .. }
                        if !self.callees(block, index).iter().all(|id| self.is_trivial(*id)) =>
                    {
                        return false;
                    }
                    InstKind::Call { .. } | InstKind::Intrinsic { .. } => {}
                    InstKind::Assign { dest: _, value } => {
                        // These look at which threads and objects there are, and at who holds locks.
                        let asks = matches!(value, Rvalue::ThreadExists(_) | Rvalue::ObjectSize(_));
                        if asks || value.lock_word().is_some() {
                            return false;
                        }
                    }
                    InstKind::Havoc { .. } | InstKind::Check { .. } | InstKind::Assume(_) => return false,
                    InstKind::Store { .. }
                    | InstKind::AtomicRmw { .. }
                    | InstKind::Fence(_)
                    | InstKind::Alloc { .. }
                    | InstKind::Free { .. }
                    | InstKind::EndLife(_)
                    | InstKind::WaitUntil(_)
                    | InstKind::Fork { .. }
                    | InstKind::Join { .. }
                    | InstKind::Lock { .. }
                    | InstKind::Unlock { .. }
                    | InstKind::AtomicBegin
                    | InstKind::AtomicEnd => return false,
                }
            }
            if count > 1 {
                return false;
            }
            most.insert(block, count);
        }
        true
    }

    /// Whether a call of the function surely returns and reads nothing: a model of `sched_yield`, for example.
    fn is_trivial(&self, callee: FunctionId) -> bool {
        let function = &self.program.functions[callee];
        let effects = self.effects.of(callee);
        let calls = function.blocks.values().flat_map(|block| &block.insts);
        let flow = ControlFlow::new(function);
        let is_forward = |block: BlockId| {
            flow.successors(block).iter().all(|to| flow.position(*to) > flow.position(block))
        };
        effects.leaves_no_trace()
            && effects.reads.is_clear()
            && !effects.takes_inputs
            && !effects.may_not_return
            && !effects.may_violate
            && !calls.into_iter().any(|inst| matches!(inst.kind, InstKind::Call { .. }))
            && flow.reverse_postorder().iter().all(|block| is_forward(*block))
    }

    /// Whether the last iteration races wherever an earlier one does.
    fn keeps_races(&self, function: &Function, each: &Loop, dominators: &Dominators) -> bool {
        let assigned: FxHashSet<RegisterId> =
            Self::insts(function, each).filter_map(|(_, _, inst)| inst.kind.dest()).collect();
        Self::insts(function, each).all(|(block, index, inst)| match &inst.kind {
            InstKind::Load { address, ordering, .. } => {
                matches!(ordering, Ordering::Plain | Ordering::Relaxed)
                    && !address.register().is_some_and(|register| assigned.contains(&register))
                    && each.exits.iter().all(|(from, _)| dominators.dominates(block, *from))
            }
            InstKind::CompareExchange { .. } => false,
            InstKind::Call { .. } => {
                let reads_nothing = |id: &FunctionId| {
                    self.effects.of(*id).reads.is_clear() && !self.effects.of(*id).may_violate
                };
                self.callees(block, index).iter().all(reads_nothing)
            }
            InstKind::Assign { .. }
            | InstKind::Intrinsic { .. }
            | InstKind::Havoc { .. }
            | InstKind::Check { .. }
            | InstKind::Assume(_) => true,
            InstKind::Store { .. }
            | InstKind::AtomicRmw { .. }
            | InstKind::Fence(_)
            | InstKind::Alloc { .. }
            | InstKind::Free { .. }
            | InstKind::EndLife(_)
            | InstKind::WaitUntil(_)
            | InstKind::Fork { .. }
            | InstKind::Join { .. }
            | InstKind::Lock { .. }
            | InstKind::Unlock { .. }
            | InstKind::AtomicBegin
            | InstKind::AtomicEnd => false,
        })
    }
}

/// What holds on a way through the loop after a successful exchange.
#[derive(Clone, Default)]
struct Success {
    constants: FxHashMap<RegisterId, Constant>,
    /// Registers that hold the same value: the old one and the one it was compared with.
    equal: FxHashSet<RegisterId>,
}

impl Success {
    fn value(&self, operand: Operand) -> Option<Constant> {
        match operand {
            Operand::Constant(constant) => Some(constant),
            Operand::Register(register) => self.constants.get(&register).copied(),
        }
    }

    fn is_equal(&self, operand: Operand) -> bool {
        operand.register().is_some_and(|register| self.equal.contains(&register))
    }

    fn run(&mut self, function: &Function, inst: &Inst) {
        let Some(dest) = inst.kind.dest() else { return };
        let mut value = None;
        let mut is_equal = false;
        if let InstKind::Assign { dest: _, value: computed } = &inst.kind {
            let compared = if let Rvalue::Compare(op, a, b) = computed
                && self.is_equal(*a)
                && self.is_equal(*b)
            {
                match op {
                    CompareOp::Equal => Some(Constant::bool(true)),
                    CompareOp::NotEqual => Some(Constant::bool(false)),
                    CompareOp::SignedLess
                    | CompareOp::SignedLessEqual
                    | CompareOp::UnsignedLess
                    | CompareOp::UnsignedLessEqual
                    | CompareOp::FloatEqual
                    | CompareOp::FloatLess
                    | CompareOp::FloatLessEqual => None,
                }
            } else {
                None
            };
            let lookup = |operand| self.value(operand);
            value = compared.or_else(|| evaluate(computed, function.registers[dest].ty, lookup));
            is_equal = matches!(computed, Rvalue::Use(operand) if self.is_equal(*operand));
        }
        self.constants.remove(&dest);
        self.equal.remove(&dest);
        if let Some(value) = value {
            self.constants.insert(dest, value);
        }
        if is_equal {
            self.equal.insert(dest);
        }
    }
}

/// Ways through the loop that are followed.
const MAX_WAYS: u32 = 1000;

/// Whether every iteration in which the exchange succeeds leaves the loop.
fn success_leaves(function: &Function, each: &Loop, block: BlockId, index: usize) -> bool {
    let InstKind::CompareExchange { dest, expected, .. } = function.blocks[block].insts[index].kind else {
        return false;
    };
    let mut success = Success::default();
    match expected {
        Operand::Constant(constant) => {
            success.constants.insert(dest, constant);
        }
        // The old value may overwrite the register it is compared with; then they are equal all the same.
        Operand::Register(register) => {
            success.equal.insert(register);
            success.equal.insert(dest);
        }
    }
    let mut waiting = vec![(block, index + 1, success)];
    let mut ways = 0;
    while let Some((block, start, mut success)) = waiting.pop() {
        ways += 1;
        if ways > MAX_WAYS {
            return false;
        }
        let contents = &function.blocks[block];
        for inst in &contents.insts[start..] {
            success.run(function, inst);
        }
        for target in possible(&contents.terminator, &success) {
            if target == each.header {
                return false;
            }
            if each.contains(target) {
                waiting.push((target, 0, success.clone()));
            }
        }
    }
    true
}

/// Where a terminator may go.
fn possible(terminator: &Terminator, success: &Success) -> Vec<BlockId> {
    if let Terminator::Branch(condition, yes, no) = terminator
        && let Some(Constant::Int(1, value)) = success.value(*condition)
    {
        return vec![if value == 1 { *yes } else { *no }];
    }
    if let Terminator::Switch { value, cases, default } = terminator
        && let Some(Constant::Int(_, value)) = success.value(*value)
    {
        let case = cases.iter().find(|(low, high, _)| (*low..=*high).contains(&value));
        return vec![case.map_or(*default, |case| case.2)];
    }
    terminator.successors().to_vec()
}

#[cfg(test)]
mod tests;
