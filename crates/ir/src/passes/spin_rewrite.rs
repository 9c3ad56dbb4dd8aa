//! Rewrites a loop that was found to be a spin loop. The proof is in [`super::spin`].

use raddle_base::Span;
use rustc_hash::FxHashMap;

use super::spin::{Blocking, SpinWait};
use crate::analyses::loops::Loop;
use crate::inst::{Inst, InstKind, Operand, Terminator};
use crate::program::{Block, BlockId, Function, FunctionId};

/// What to do with a loop.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub(super) each: Loop,
    pub(super) blocking: Blocking,
    pub(super) peel: bool,
}

/// Makes the loop wait where it would go back.
pub(super) fn rewrite(id: FunctionId, function: &mut Function, plan: &Plan) -> SpinWait {
    let each = &plan.each;
    let span = each.latches.first().map_or(Span::NONE, |latch| function.blocks[*latch].span);
    let stuck = function.blocks.push(Block {
        insts: vec![Inst { kind: InstKind::WaitUntil(Operand::FALSE), span }],
        terminator: Terminator::Unreachable,
        span,
    });
    if plan.blocking == Blocking::Exact {
        wrap(function, each);
    }
    if plan.peel {
        // The first copy goes back to the second, and only the second waits.
        let copies = copy_blocks(function, each);
        for latch in &each.latches {
            redirect(function, copies[latch], copies[&each.header], stuck);
            redirect(function, *latch, each.header, copies[&each.header]);
        }
    } else {
        for latch in &each.latches {
            redirect(function, *latch, each.header, stuck);
        }
    }
    SpinWait { function: id, header: each.header, stuck, blocking: plan.blocking, peeled: plan.peel, span }
}

/// Lets all edges from a block to `old` go to `new`.
fn redirect(function: &mut Function, from: BlockId, old: BlockId, new: BlockId) {
    function.blocks[from].terminator.for_each_successor_mut(|target| {
        if *target == old {
            *target = new;
        }
    });
}

/// Makes an iteration one atomic block: it begins at the header and ends on every way out.
fn wrap(function: &mut Function, each: &Loop) {
    let header = &mut function.blocks[each.header];
    let span = header.insts.first().map_or(header.span, |inst| inst.span);
    header.insts.insert(0, Inst { kind: InstKind::AtomicBegin, span });
    for &(from, to) in &each.exits {
        let span = function.blocks[from].span;
        let leave = function.blocks.push(Block {
            insts: vec![Inst { kind: InstKind::AtomicEnd, span }],
            terminator: Terminator::Jump(to),
            span,
        });
        redirect(function, from, to, leave);
    }
}

/// A second copy of the loop's blocks, with edges among themselves.
fn copy_blocks(function: &mut Function, each: &Loop) -> FxHashMap<BlockId, BlockId> {
    let mut copies = FxHashMap::default();
    for &block in &each.blocks {
        let copy = function.blocks[block].clone();
        copies.insert(block, function.blocks.push(copy));
    }
    for block in &each.blocks {
        function.blocks[copies[block]].terminator.for_each_successor_mut(|target| {
            if let Some(copy) = copies.get(target) {
                *target = *copy;
            }
        });
    }
    copies
}
