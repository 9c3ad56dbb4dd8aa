//! Balance of atomic blocks.

use raddle_base::Table;

use super::{InstPosition, Rule, Validator};
use crate::analyses::cfg::ControlFlow;
use crate::inst::{InstKind, Terminator};
use crate::program::{BlockId, Function, FunctionId};

impl<'p> Validator<'p> {
    /// The depth at each block is the same on every way there, never negative, and zero at a return. A thread or
    /// process may end at any depth: that ends its atomic blocks, too.
    pub(super) fn atomic_blocks(&mut self, id: FunctionId, function: &'p Function) {
        let mut depths: Table<BlockId, Option<u32>> = Table::filled(function.blocks.len(), || None);
        if let Some(entry) = function.blocks.ids().next() {
            depths[entry] = Some(0);
        }
        let flow = ControlFlow::new(function);
        // In this order a block comes after one of its predecessors, so that its depth is known.
        for &block_id in flow.reverse_postorder() {
            let Some(mut depth) = depths[block_id] else { continue };
            let block = &function.blocks[block_id];
            let mut position = InstPosition { id, function, block: block_id, inst: 0 };
            for (index, inst) in block.insts.iter().enumerate() {
                position.inst = index;
                match inst.kind {
                    InstKind::AtomicBegin => depth += 1,
                    InstKind::AtomicEnd => match depth.checked_sub(1) {
                        Some(outer) => depth = outer,
                        None => self.report_at(Rule::AtomicBlocks, position, "no atomic block is open here"),
                    },
                    InstKind::Assign { .. }
                    | InstKind::Load { .. }
                    | InstKind::Store { .. }
                    | InstKind::AtomicRmw { .. }
                    | InstKind::CompareExchange { .. }
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
                    | InstKind::Unlock { .. } => {}
                }
            }
            position.inst = block.insts.len();
            if matches!(block.terminator, Terminator::Return(_)) && depth > 0 {
                self.report_at(Rule::AtomicBlocks, position, "returns inside an atomic block");
            }
            for &target in flow.successors(block_id) {
                match depths[target] {
                    None => depths[target] = Some(depth),
                    Some(known) if known != depth => {
                        let text = format!(
                            "{target} is reached {depth} atomic blocks deep from here, and {known} from elsewhere"
                        );
                        self.report_at(Rule::AtomicBlocks, position, &text);
                    }
                    Some(_) => {}
                }
            }
        }
    }
}
