//! Control flow inside a function: predecessors, reverse post-order, what can be reached.
//!
//! Exact on the graph of blocks; that a branch may never be taken is not considered.

use raddle_base::Table;

use crate::program::{BlockId, Function};

/// The graph of a function's blocks.
#[derive(Clone, Debug)]
pub struct ControlFlow {
    predecessors: Table<BlockId, Vec<BlockId>>,
    successors: Table<BlockId, Vec<BlockId>>,
    reverse_postorder: Vec<BlockId>,
    /// The position in `reverse_postorder`; `None` for what cannot be reached.
    positions: Table<BlockId, Option<usize>>,
}

impl ControlFlow {
    /// Of a function; empty for one without a body.
    #[must_use]
    pub fn new(function: &Function) -> Self {
        let count = function.blocks.len();
        let mut predecessors: Table<BlockId, Vec<BlockId>> = Table::filled(count, Vec::new);
        let mut successors: Table<BlockId, Vec<BlockId>> = Table::filled(count, Vec::new);
        for (id, block) in function.blocks.iter() {
            for target in block.terminator.successors() {
                // Two edges to the same block count once.
                // A branch with two equal targets, or a switch with several cases for one.
                if !successors[id].contains(&target) {
                    successors[id].push(target);
                    predecessors[target].push(id);
                }
            }
        }
        let reverse_postorder = reverse_postorder(function, &successors);
        let mut positions = Table::filled(count, || None);
        for (position, &block) in reverse_postorder.iter().enumerate() {
            positions[block] = Some(position);
        }
        Self { predecessors, successors, reverse_postorder, positions }
    }

    /// The blocks that may come right before, each once; also those that cannot be reached.
    #[must_use]
    pub fn predecessors(&self, block: BlockId) -> &[BlockId] {
        &self.predecessors[block]
    }

    /// The blocks that may come right after, each once, in the terminator's order.
    #[must_use]
    pub fn successors(&self, block: BlockId) -> &[BlockId] {
        &self.successors[block]
    }

    /// The reachable blocks, each before its successors except along edges that close a cycle.
    #[must_use]
    pub fn reverse_postorder(&self) -> &[BlockId] {
        &self.reverse_postorder
    }

    /// Where the block stands in reverse post-order, if it can be reached.
    #[must_use]
    pub fn position(&self, block: BlockId) -> Option<usize> {
        self.positions[block]
    }

    /// Whether there is a way from the entry.
    #[must_use]
    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.positions[block].is_some()
    }
}

/// Depth-first from the first block, without recursion: functions may be long.
fn reverse_postorder(function: &Function, successors: &Table<BlockId, Vec<BlockId>>) -> Vec<BlockId> {
    let Some(entry) = function.blocks.ids().next() else { return Vec::new() };
    let mut seen = Table::filled(function.blocks.len(), || false);
    let mut order = Vec::with_capacity(function.blocks.len());
    seen[entry] = true;
    let mut stack = vec![(entry, 0)];
    while let Some((block, next)) = stack.last_mut() {
        if let Some(&target) = successors[*block].get(*next) {
            *next += 1;
            if !seen[target] {
                seen[target] = true;
                stack.push((target, 0));
            }
            // All successors are done, so the block comes before all of them in the order that is reversed
            // below.
        } else {
            order.push(*block);
            stack.pop();
        }
    }
    order.reverse();
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_program;

    #[test]
    fn a_diamond_with_a_dead_block() {
        let program = parse_program(
            "program pointer_bits 64 entry f0 function f0 \"main\" () { registers r0: i1
             b0: branch r0, b1, b2
             b1: jump b3
             b2: branch r0, b3, b3
             b3: return
             b4: jump b3 }",
        )
        .expect("parses");
        let flow = ControlFlow::new(&program.functions[program.entry]);
        let names = |blocks: &[BlockId]| blocks.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(names(flow.reverse_postorder()), "b0 b2 b1 b3");
        let last = program.functions[program.entry].blocks.ids().nth(3).expect("there are five");
        assert_eq!(names(flow.predecessors(last)), "b1 b2 b4");
        let reachable = program.functions[program.entry].blocks.ids().map(|block| flow.is_reachable(block));
        assert_eq!(reachable.collect::<Vec<_>>(), [true, true, true, true, false]);
    }
}
