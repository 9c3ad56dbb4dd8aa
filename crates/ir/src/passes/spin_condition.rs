//! Loops around waits for condition variables: spurious wake-ups that only lead back to the wait are left out.
//!
//! `while (!ready) pthread_cond_wait(&changed, &lock);` may go round any number of times, because a wait may end for no reason
//! (POSIX allows it). Here only the first such wake-up of a visit to the loop is kept: a new register says whether it may still
//! happen, and a thread that would wake up for no reason once more stops in a block of its own instead. What is left are
//! iterations that somebody woke, and those are as many as there are signals.
//!
//! # Which loops
//! An innermost natural loop whose only lasting effect is one call of a model that chooses whether to wake up for no reason
//! ([`HavocKind::Spurious`]) and then waits, always for the same condition variable and with the same mutex. Everything else
//! in it leaves no trace, and no register that it assigns is live where an iteration starts, as for [spin loops](super::spin), nor
//! behind the wait, unless it is the same in every iteration.
//! Waits with a deadline make no such choice and stay as they are, and so do waits where mutexes outlive threads (robust ones), since
//! taking and giving back such a mutex may change it.
//!
//! # Why this is exact
//! A wait is three steps: *enter* (become a waiter, release the mutex), *leave* (when woken, or for no reason; be a waiter no more)
//! and *lock*. Take an execution, and in it two iterations of a visit, one after the other, of which the second leaves without having been
//! woken:
//!
//! ```text
//! enter₁ … leave₁ … lock₁, test … enter₂ … leave₂ … lock₂
//! ```
//!
//! Leave out `leave₁, lock₁, test, enter₂`: the thread waits from `enter₁` to `leave₂`. This is an execution, in which all threads
//! do the same:
//! - Behind `leave₂` the condition variable and the mutex are as they were, and so are all registers that are still used: none was assigned
//!   between `lock₁` and `enter₂`.
//! - The mutex is free where the thread held it. Whoever takes it still can. Nobody sees that it is free: the pass changes
//!   nothing where the program may look at lock words of others ([`communication`]). Initialising and destroying it do, in checks; one that failed ends
//!   its thread in the one execution and need not be made in the other.
//! - The thread is a waiter also between `leave₁` and `enter₂`. A signal there goes to the waiter that it went to; where there was none,
//!   it goes to this thread, which leaves later, or it was woken already. A broadcast wakes it too. Between `enter₂` and `leave₂` nobody wakes it in
//!   the one execution, so each signal there has another waiter to go to, and takes it in the other too.
//! - A request to cancel the thread comes after `enter₂`, since entering is where it would be heeded. `leave₂` heeds it or does not, as before.
//!
//! So spurious iterations can be left out one after the other, but for the first iteration, which nothing comes before. A signal that is *lost*
//! while the thread is between waits is kept: it is lost to the first iteration, or to one that was woken.
//!
//! *Deadlock:* at the end the same threads wait for the same things, so all deadlocks stay. A thread that stops because it may not wake up again says
//! nothing about deadlock ([`Blocking::AssumeLike`]). *Checks and races* in an iteration: the iteration that an execution ends with keeps its test.
//! An iteration before it may be left out with its accesses, which is why there must be no communication without ordering: then accesses
//! that race do so co-enabled, at the end of some execution. *Destroying* the condition variable between `leave₁` and `enter₂`: entering it then is misuse,
//! and destroying it while the thread waits is misuse too, which the other execution has.
//!
//! Every execution of the changed program is one of the program. When in doubt a loop stays as it is.

use raddle_base::{Id as _, Span, Table};
use rustc_hash::FxHashMap;

use super::spin::{Blocking, SpinFacts, SpinWait};
use crate::analyses::call_graph::CallGraph;
use crate::analyses::cfg::ControlFlow;
use crate::analyses::dominators::Dominators;
use crate::analyses::liveness::{Liveness, add_terminator, step_back};
use crate::analyses::loops::{Loop, Loops};
use crate::analyses::points_to::PointsTo;
use crate::analyses::sharing::Sharing;
use crate::analyses::side_effects::SideEffects;
use crate::analyses::unsynchronised::{Live, communication};
use crate::inst::{CompareOp, Constant, Inst, InstKind, Operand, Rvalue, Terminator};
use crate::program::{Block, BlockId, Function, FunctionId, HavocKind, Program, Register, RegisterId, Type};
use crate::validate::debug_validate;

/// Leaves out spurious wake-ups that lead back to the wait, and tells in which loops. Exact under sequential consistency only.
pub fn limit_spurious_wakeups(program: &mut Program) -> Vec<SpinWait> {
    let has_choice = program.havocs.values().any(|havoc| havoc.kind == HavocKind::Spurious);
    if !has_choice || communication(program).is_some() {
        return Vec::new();
    }
    let points_to = PointsTo::new(program);
    let graph = CallGraph::new(program, &points_to);
    let effects = SideEffects::new(program, &points_to, &graph);
    let sharing = Sharing::new(program, &points_to, &graph);
    let live = Live::of(program);
    let mut waits = Vec::new();
    for id in program.functions.ids() {
        let facts = SpinFacts { program, id, points_to: &points_to, effects: &effects, sharing: &sharing };
        for plan in plans(&facts, &live) {
            waits.push(rewrite(id, &mut program.functions[id], &plan));
        }
    }
    debug_validate(program, "the limit of spurious wake-ups");
    waits
}

/// A loop, and the call in it that waits.
struct Plan {
    each: Loop,
    block: BlockId,
    index: usize,
    wait: Wait,
}

/// A model that chooses and then waits: one block.
struct Wait {
    registers: Table<RegisterId, Register>,
    parameters: Vec<RegisterId>,
    insts: Vec<Inst>,
    /// Which of them chooses, and where the choice goes.
    chooses: usize,
    choice: RegisterId,
    result: Option<Operand>,
}

fn plans(facts: &SpinFacts<'_>, live: &Live) -> Vec<Plan> {
    let function = &facts.program.functions[facts.id];
    if function.model {
        return Vec::new();
    }
    let flow = ControlFlow::new(function);
    let dominators = Dominators::new(&flow, function.blocks.len());
    let loops = Loops::new(function, &flow, &dominators);
    let liveness = Liveness::new(function, &flow);
    let mut plans = Vec::new();
    for (id, each) in loops.loops.iter() {
        let has_inner = loops.loops.values().any(|other| other.parent == Some(id));
        let is_tangled = |block: &BlockId| each.contains(*block);
        let is_tangled = loops.irreducible.iter().any(|region| region.blocks.iter().any(is_tangled));
        // Something must stand before the loop, to say that a wake-up is still free.
        let is_first = function.blocks.iter().next().is_some_and(|(first, _)| first == each.header);
        if !has_inner && !is_tangled && !is_first {
            plans.extend(plan(facts, live, &liveness, each));
        }
    }
    plans
}

/// What to do with a loop, if it is one around a wait.
fn plan(facts: &SpinFacts<'_>, live: &Live, liveness: &Liveness, each: &Loop) -> Option<Plan> {
    let function = &facts.program.functions[facts.id];
    let mut found: Option<(BlockId, usize, Wait)> = None;
    for (block, index, inst) in SpinFacts::insts(function, each) {
        if inst.kind.dest().is_some_and(|register| liveness.is_live_in(each.header, register)) {
            return None;
        }
        if facts.has_no_effect(function, each, block, index) {
            continue;
        }
        let InstKind::Call { callee: Operand::Constant(Constant::Function(callee)), arguments, .. } =
            &inst.kind
        else {
            return None;
        };
        let is_same = |argument: &Operand| is_invariant(function, each, *argument, DEEPEST);
        let wait = wait(facts.program, live, *callee)?;
        if found.is_some() || !arguments.iter().all(is_same) {
            return None;
        }
        found = Some((block, index, wait));
    }
    let (block, index, wait) = found?;
    if carries_over(function, liveness, each, (block, index)) {
        return None;
    }
    Some(Plan { each: each.clone(), block, index, wait })
}

/// Whether something that an iteration finds out before its wait is used behind it. A wait that stands for several would have it from the
/// first of them.
fn carries_over(function: &Function, liveness: &Liveness, each: &Loop, wait: (BlockId, usize)) -> bool {
    let block = &function.blocks[wait.0];
    let mut live = liveness.live_out_set(wait.0);
    add_terminator(&mut live, &block.terminator);
    block.insts[wait.1 + 1..].iter().rev().for_each(|inst| step_back(&mut live, inst));
    SpinFacts::insts(function, each).any(|(block, index, inst)| {
        let dest = inst.kind.dest().filter(|dest| (block, index) != wait && live.contains(dest.index()));
        dest.is_some_and(|dest| !is_invariant(function, each, Operand::Register(dest), DEEPEST))
    })
}

/// How far an argument is followed back.
const DEEPEST: u32 = 8;

/// Whether an operand is the same in every iteration.
fn is_invariant(function: &Function, each: &Loop, operand: Operand, depth: u32) -> bool {
    let Some(register) = operand.register() else { return true };
    let mut assigning =
        SpinFacts::insts(function, each).filter(|(_, _, inst)| inst.kind.dest() == Some(register));
    let Some((_, _, first)) = assigning.next() else { return true };
    // Of two assignments, which one came last may differ.
    if assigning.next().is_some() || depth == 0 {
        return false;
    }
    let same = |operand: Operand| is_invariant(function, each, operand, depth - 1);
    let InstKind::Assign { value, .. } = &first.kind else { return false };
    match *value {
        Rvalue::Use(a) | Rvalue::Unary(_, a) | Rvalue::Cast(_, a) => same(a),
        Rvalue::Binary(_, a, b) | Rvalue::PointerAdd(a, b) => same(a) && same(b),
        Rvalue::Compare(..)
        | Rvalue::Select(..)
        | Rvalue::PointerDifference(..)
        | Rvalue::Overflows(..)
        | Rvalue::ThreadLocal(_)
        | Rvalue::CurrentThread
        | Rvalue::ThreadExists(_)
        | Rvalue::ObjectSize(_)
        | Rvalue::HoldsLock(_)
        | Rvalue::LockIsFree(_)
        | Rvalue::Peek(..) => false,
    }
}

/// A model of one block that computes, lets another one choose whether to wake up for no reason, and calls one more.
fn wait(program: &Program, live: &Live, callee: FunctionId) -> Option<Wait> {
    let function = &program.functions[callee];
    let mut blocks = function.blocks.values();
    let (Some(block), None, true) = (blocks.next(), blocks.next(), function.model) else { return None };
    let Terminator::Return(result) = block.terminator else { return None };
    let mut calls = Vec::new();
    for (index, inst) in block.insts.iter().enumerate() {
        if let InstKind::Call { dest, callee: Operand::Constant(Constant::Function(called)), .. } = inst.kind
        {
            calls.push((index, dest, called));
        } else if !matches!(inst.kind, InstKind::Assign { .. }) {
            return None;
        }
    }
    let [(chooses, Some(choice), chooser), (_, _, waiter)] = calls[..] else { return None };
    if !is_choice(program, live, chooser) || !program.functions[waiter].model {
        return None;
    }
    Some(Wait {
        registers: function.registers.clone(),
        parameters: function.parameters.clone(),
        insts: block.insts.clone(),
        chooses,
        choice,
        result,
    })
}

/// Whether a model does nothing but choose whether to wake up for no reason.
fn is_choice(program: &Program, live: &Live, chooser: FunctionId) -> bool {
    let function = &program.functions[chooser];
    let blocks = function.blocks.iter().filter(|(block, _)| live.contains(chooser, *block));
    let mut choices = 0;
    for inst in blocks.flat_map(|(_, block)| &block.insts) {
        if let InstKind::Havoc { site, .. } = inst.kind
            && program.havocs[site].kind == HavocKind::Spurious
        {
            choices += 1;
        } else if let InstKind::Call { callee: Operand::Constant(Constant::Function(called)), .. } = inst.kind
            && asks_nothing(program, called)
        {
            // It asks the model's constant questions.
        } else if !matches!(inst.kind, InstKind::Assign { .. }) {
            return false;
        }
    }
    function.model && choices == 1
}

/// Whether a model only computes.
fn asks_nothing(program: &Program, called: FunctionId) -> bool {
    let function = &program.functions[called];
    let mut insts = function.blocks.values().flat_map(|block| &block.insts);
    function.model && insts.all(|inst| matches!(inst.kind, InstKind::Assign { .. }))
}

/// Lets the thread stop where it would wake up for no reason a second time.
fn rewrite(id: FunctionId, function: &mut Function, plan: &Plan) -> SpinWait {
    let each = &plan.each;
    let span = function.blocks[plan.block].insts[plan.index].span;
    let is_free = function.registers.push(Register { ty: Type::Int(1), name: None });
    enter(function, each, is_free);
    let stuck = function.blocks.push(Block {
        insts: vec![Inst { kind: InstKind::WaitUntil(Operand::FALSE), span }],
        terminator: Terminator::Unreachable,
        span,
    });
    let (before, after, allowed) = inline(function, plan, is_free);
    let (first, rest) = split(function, plan, before, after);
    let block = function.blocks.push(rest);
    function.blocks[plan.block].insts = first;
    function.blocks[plan.block].terminator = Terminator::Branch(allowed, block, stuck);
    SpinWait { function: id, header: each.header, stuck, blocking: Blocking::AssumeLike, peeled: false, span }
}

/// Whoever comes to the loop from outside may still wake up for no reason.
fn enter(function: &mut Function, each: &Loop, is_free: RegisterId) {
    let span = function.blocks[each.header].span;
    let outside: Vec<BlockId> = function.blocks.ids().filter(|block| !each.contains(*block)).collect();
    let insts = vec![assign(is_free, Rvalue::Use(Operand::TRUE), span)];
    let before = function.blocks.push(Block { insts, terminator: Terminator::Jump(each.header), span });
    for block in outside {
        function.blocks[block].terminator.for_each_successor_mut(|target| {
            if *target == each.header {
                *target = before;
            }
        });
    }
}

/// The instructions of the wait in the loop: up to the choice, behind it, and whether to go on from the one to the other.
fn inline(function: &mut Function, plan: &Plan, is_free: RegisterId) -> (Vec<Inst>, Vec<Inst>, Operand) {
    let wait = &plan.wait;
    let call = function.blocks[plan.block].insts[plan.index].clone();
    let InstKind::Call { dest, arguments, .. } = call.kind else { unreachable!("it is a call") };
    let own: FxHashMap<RegisterId, RegisterId> =
        wait.registers.iter().map(|(id, register)| (id, function.registers.push(register.clone()))).collect();
    let renamed = |operand: Operand| match operand {
        Operand::Register(register) => Operand::Register(own[&register]),
        Operand::Constant(_) => operand,
    };
    let mut insts: Vec<Inst> = Vec::new();
    for (parameter, argument) in wait.parameters.iter().zip(arguments) {
        insts.push(assign(own[parameter], Rvalue::Use(argument), call.span));
    }
    let from_here = insts.len();
    for inst in &wait.insts {
        let mut inst = inst.clone();
        inst.kind.for_each_operand_mut(|operand| *operand = renamed(*operand));
        if let InstKind::Assign { dest, .. } = &mut inst.kind {
            *dest = own[dest];
        } else if let InstKind::Call { dest, .. } = &mut inst.kind {
            *dest = dest.map(|dest| own[&dest]);
        }
        insts.push(inst);
    }
    if let (Some(dest), Some(result)) = (dest, wait.result) {
        insts.push(assign(dest, Rvalue::Use(renamed(result)), call.span));
    }
    let after = insts.split_off(from_here + wait.chooses + 1);
    let mut flag = || function.registers.push(Register { ty: Type::Int(1), name: None });
    let (is_patient, allowed) = (flag(), flag());
    let Type::Int(bits) = wait.registers[wait.choice].ty else { unreachable!("a choice is a number") };
    let zero = Operand::Constant(Constant::Int(bits, 0));
    let chosen = Operand::Register(own[&wait.choice]);
    let (patient, free) = (Operand::Register(is_patient), Operand::Register(is_free));
    insts.push(assign(is_patient, Rvalue::Compare(CompareOp::Equal, chosen, zero), call.span));
    insts.push(assign(allowed, Rvalue::Select(patient, Operand::TRUE, free), call.span));
    insts.push(assign(is_free, Rvalue::Select(patient, free, Operand::FALSE), call.span));
    (insts, after, Operand::Register(allowed))
}

/// The block of the call as two: the first one's instructions, and the second one.
fn split(function: &Function, plan: &Plan, before: Vec<Inst>, after: Vec<Inst>) -> (Vec<Inst>, Block) {
    let whole = &function.blocks[plan.block];
    let (head, tail) = (&whole.insts[..plan.index], &whole.insts[plan.index + 1..]);
    let first = head.iter().cloned().chain(before).collect();
    let insts = after.into_iter().chain(tail.iter().cloned()).collect();
    (first, Block { insts, terminator: whole.terminator.clone(), span: whole.span })
}

fn assign(dest: RegisterId, value: Rvalue, span: Span) -> Inst {
    Inst { kind: InstKind::Assign { dest, value }, span }
}

#[cfg(test)]
mod tests;
