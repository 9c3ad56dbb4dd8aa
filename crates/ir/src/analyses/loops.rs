//! Natural loops (Hecht and Ullman 1974), how they nest, and cycles that are no natural loops.
//!
//! A natural loop is entered through its header only; loops with the same header are one. A cycle with several
//! entries (a `goto` into a loop's middle) is reported as an irreducible region and belongs to no loop. Together
//! loops and regions cover every cycle of the graph.

use raddle_base::{Id, Table, define_id};

use super::cfg::ControlFlow;
use super::dominators::Dominators;
use crate::program::{BlockId, Function};

define_id!(
    /// A natural loop of a function.
    pub struct LoopId, "loop"
);

/// A natural loop.
#[derive(Clone, Debug)]
pub struct Loop {
    /// The only way in.
    pub header: BlockId,
    /// All its blocks, inner loops' too, in reverse post-order; the header is first.
    pub blocks: Vec<BlockId>,
    /// The blocks that go back to the header, in reverse post-order.
    pub latches: Vec<BlockId>,
    /// The edges that leave it, from a block inside to one outside.
    pub exits: Vec<(BlockId, BlockId)>,
    /// The smallest loop around it.
    pub parent: Option<LoopId>,
    /// One for an outermost loop.
    pub depth: u32,
}

impl Loop {
    /// Whether the block belongs to the loop or to one inside it.
    #[must_use]
    pub fn contains(&self, block: BlockId) -> bool {
        self.blocks.contains(&block)
    }
}

/// A cycle with more than one entry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IrreducibleRegion {
    /// Its blocks, in reverse post-order.
    pub blocks: Vec<BlockId>,
    /// Those that are reached from outside.
    pub entries: Vec<BlockId>,
}

/// The loops of a function.
#[derive(Clone, Debug)]
pub struct Loops {
    /// Outer loops before inner ones.
    pub loops: Table<LoopId, Loop>,
    /// Cycles that are not natural loops.
    pub irreducible: Vec<IrreducibleRegion>,
    innermost: Table<BlockId, Option<LoopId>>,
}

impl Loops {
    /// Of a function.
    #[must_use]
    pub fn new(function: &Function, flow: &ControlFlow, dominators: &Dominators) -> Self {
        let order = flow.reverse_postorder();
        let mut found: Vec<Loop> = Vec::new();
        let mut crossing: Vec<(BlockId, BlockId)> = Vec::new();
        // Edges that go back in the order: to a dominator they close a natural loop.
        for &header in order {
            let is_back =
                // Against the order or to itself: only such edges close cycles.
                |from: &&BlockId| flow.position(**from).is_some_and(|at| Some(at) >= flow.position(header));
            let sources: Vec<BlockId> = flow.predecessors(header).iter().filter(is_back).copied().collect();
            let (mut latches, others): (Vec<_>, Vec<_>) =
                sources.into_iter().partition(|from| dominators.dominates(header, *from));
            crossing.extend(others.into_iter().map(|from| (from, header)));
            if !latches.is_empty() {
                latches.sort_by_key(|latch| flow.position(*latch));
                found.push(natural_loop(flow, header, latches));
            }
        }
        // An inner loop's header comes after the outer's, so this is the order wanted already.
        let mut loops: Table<LoopId, Loop> = Table::new();
        let mut innermost: Table<BlockId, Option<LoopId>> = Table::filled(function.blocks.len(), || None);
        for mut each in found {
            // Outer loops have marked their blocks by now, and inner ones overwrite the mark: what the header has is the parent.
            each.parent = innermost[each.header];
            each.depth = each.parent.map_or(1, |parent| loops[parent].depth + 1);
            let id = loops.next_id();
            for &block in &each.blocks {
                innermost[block] = Some(id);
            }
            loops.push(each);
        }
        let mut result = Self { loops, irreducible: Vec::new(), innermost };
        // Several edges may close the same irreducible cycle: one region stands for all of them.
        for (from, to) in crossing {
            if !result
                .irreducible
                .iter()
                .any(|region| region.blocks.contains(&to) && region.blocks.contains(&from))
            {
                let region = result.irreducible_region(flow, from, to);
                result.irreducible.push(region);
            }
        }
        result
    }

    /// The smallest loop that the block belongs to.
    #[must_use]
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block]
    }

    /// The smallest loop that both blocks belong to.
    fn common(&self, a: BlockId, b: BlockId) -> Option<LoopId> {
        let mut candidate = self.innermost[a];
        while let Some(id) = candidate {
            if self.loops[id].contains(b) {
                return Some(id);
            }
            candidate = self.loops[id].parent;
        }
        None
    }

    /// The blocks on cycles through the edge that do not pass the header of the loop around it.
    fn irreducible_region(&self, flow: &ControlFlow, from: BlockId, to: BlockId) -> IrreducibleRegion {
        let around = self.common(from, to).map(|id| &self.loops[id]);
        let inside = |block: BlockId| around.is_none_or(|each| each.header != block && each.contains(block));
        // On a cycle through `to` is what `to` reaches and what reaches `to`.
        let forwards = reach(to, |block| flow.successors(block), inside);
        let backwards =
            reach(to, |block| flow.predecessors(block), |block| inside(block) && flow.is_reachable(block));
        let mut blocks: Vec<BlockId> =
            forwards.into_iter().filter(|block| backwards.contains(block)).collect();
        blocks.sort_by_key(|block| flow.position(*block));
        let is_entry = |block: &&BlockId| {
            flow.predecessors(**block).iter().any(|from| flow.is_reachable(*from) && !blocks.contains(from))
        };
        let entries = blocks.iter().filter(is_entry).copied().collect();
        IrreducibleRegion { blocks, entries }
    }
}

/// All blocks met from `start` along edges to blocks that are allowed.
fn reach<'f>(
    start: BlockId,
    next: impl Fn(BlockId) -> &'f [BlockId],
    allowed: impl Fn(BlockId) -> bool,
) -> Vec<BlockId> {
    let mut found = vec![start];
    let mut index = 0;
    while let Some(&block) = found.get(index) {
        index += 1;
        for &target in next(block) {
            if allowed(target) && !found.contains(&target) {
                found.push(target);
            }
        }
    }
    found
}

/// The blocks from which a latch is reached without meeting the header.
fn natural_loop(flow: &ControlFlow, header: BlockId, latches: Vec<BlockId>) -> Loop {
    let mut is_member = fixedbitset::FixedBitSet::with_capacity(header.index() + 1);
    let mut insert = |block: BlockId| {
        is_member.grow(block.index() + 1);
        !is_member.put(block.index())
    };
    insert(header);
    let mut blocks = vec![header];
    let mut waiting = latches.clone();
    while let Some(block) = waiting.pop() {
        // The header is in already, so the walk does not pass it.
        if insert(block) {
            blocks.push(block);
            waiting.extend(flow.predecessors(block).iter().filter(|from| flow.is_reachable(**from)));
        }
    }
    blocks.sort_by_key(|block| flow.position(*block));
    let mut exits = Vec::new();
    for &from in &blocks {
        for &to in flow.successors(from) {
            if !is_member.contains(to.index()) {
                exits.push((from, to));
            }
        }
    }
    Loop { header, blocks, latches, exits, parent: None, depth: 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse_program;

    fn loops(body: &str) -> Loops {
        let text =
            format!("program pointer_bits 64 entry f0 function f0 \"main\" () {{ registers r0: i1 {body} }}");
        let program = parse_program(&text).expect("parses");
        let function = &program.functions[program.entry];
        let flow = ControlFlow::new(function);
        Loops::new(function, &flow, &Dominators::new(&flow, function.blocks.len()))
    }

    fn show(blocks: &[BlockId]) -> String {
        blocks.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn nested_loops_with_a_continue_and_a_break() {
        let found = loops(
            "b0: jump b1
             b1: branch r0, b2, b6
             b2: branch r0, b3, b5
             b3: branch r0, b4, b2
             b4: branch r0, b2, b6
             b5: jump b1
             b6: return",
        );
        assert!(found.irreducible.is_empty());
        let all: Vec<String> = (found.loops.iter())
            .map(|(id, each)| {
                let exits: Vec<String> = each.exits.iter().map(|(a, b)| format!("{a}>{b}")).collect();
                let parent = each.parent.map_or("-".to_owned(), |parent| parent.to_string());
                format!(
                    "{id} in {parent}: {} | back {} | out {}",
                    show(&each.blocks),
                    show(&each.latches),
                    exits.join(" ")
                )
            })
            .collect();
        assert_eq!(
            all,
            [
                "loop0 in -: b1 b2 b5 b3 b4 | back b5 | out b1>b6 b4>b6",
                "loop1 in loop0: b2 b3 b4 | back b3 b4 | out b2>b5 b4>b6"
            ]
        );
        let inner = found.loops.ids().nth(1);
        assert_eq!(found.innermost(BlockId::from_index(4)), inner);
        assert_eq!(found.innermost(BlockId::from_index(6)), None);
    }

    #[test]
    fn a_jump_into_a_loop_is_an_irreducible_region() {
        let found = loops("b0: branch r0, b1, b2 b1: jump b2 b2: branch r0, b1, b3 b3: return");
        assert_eq!(found.loops.len(), 0);
        assert_eq!(found.irreducible.len(), 1);
        assert_eq!(show(&found.irreducible[0].blocks), "b1 b2");
        assert_eq!(show(&found.irreducible[0].entries), "b1 b2");
    }

    #[test]
    fn an_irreducible_region_inside_a_loop_leaves_the_header_out() {
        let found = loops(
            "b0: jump b1 b1: branch r0, b2, b3 b2: jump b3 b3: branch r0, b2, b4 b4: branch r0, b1, b5 b5: return",
        );
        assert_eq!(found.loops.len(), 1);
        assert_eq!(found.irreducible.len(), 1);
        assert_eq!(show(&found.irreducible[0].blocks), "b2 b3");
    }

    #[test]
    fn a_block_may_be_a_loop_of_its_own() {
        let found = loops("b0: branch r0, b0, b1 b1: return");
        let only = found.loops.values().next().expect("one loop");
        assert_eq!((show(&only.blocks), show(&only.latches)), ("b0".to_owned(), "b0".to_owned()));
    }
}
