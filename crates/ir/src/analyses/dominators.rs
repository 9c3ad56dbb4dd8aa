//! Dominators and post-dominators, by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", 2001.
//!
//! Exact on the graph of blocks. Instructions after which a thread may stop (an `assume`, a wait, a call that never returns)
//! are not exits: "post-dominates" means "is on every path to an exit".

use raddle_base::{Id, Table};

use super::cfg::ControlFlow;
use crate::program::BlockId;

/// A tree of nodes, numbered so that "is an ancestor" takes constant time.
#[derive(Clone, Debug)]
struct Tree {
    parent: Vec<Option<usize>>,
    /// First and last number of each node's subtree; `None` outside the tree.
    interval: Vec<Option<(usize, usize)>>,
}

impl Tree {
    /// The dominator tree of a graph; `order` is its reverse post-order and starts with the root.
    fn new(nodes: usize, order: &[usize], predecessors: impl Fn(usize) -> Vec<usize>) -> Self {
        let mut position = vec![usize::MAX; nodes];
        for (index, &node) in order.iter().enumerate() {
            position[node] = index;
        }
        // By position in the order; the root is its own parent while this runs.
        let mut parent: Vec<usize> = vec![usize::MAX; order.len()];
        if let Some(root) = parent.first_mut() {
            *root = 0;
        }
        let mut changed = true;
        // Two or three turns are enough where loops are natural; irreducible graphs may take more.
        while changed {
            changed = false;
            for (index, &node) in order.iter().enumerate().skip(1) {
                let mut new = usize::MAX;
                for predecessor in predecessors(node) {
                    let rank = position[predecessor];
                    // Not reached yet in this turn, or not reachable at all.
                    if rank == usize::MAX || parent[rank] == usize::MAX {
                        continue;
                    }
                    new = if new == usize::MAX { rank } else { meet(&parent, new, rank) };
                }
                if parent[index] != new {
                    parent[index] = new;
                    changed = true;
                }
            }
        }
        Self::number(nodes, order, &parent)
    }

    fn number(nodes: usize, order: &[usize], parent: &[usize]) -> Self {
        let mut size = vec![1; order.len()];
        for index in (1..order.len()).rev() {
            // Children come after their parents in the order, so sizes are complete from the back.
            size[parent[index]] += size[index];
        }
        // Children take their numbers one after the other behind their parent's.
        let mut next = vec![0; order.len()];
        let mut tree = Self { parent: vec![None; nodes], interval: vec![None; nodes] };
        for (index, &node) in order.iter().enumerate() {
            let start = if index == 0 { 0 } else { next[parent[index]] };
            if index > 0 {
                next[parent[index]] += size[index];
                tree.parent[node] = Some(order[parent[index]]);
            }
            next[index] = start + 1;
            tree.interval[node] = Some((start, start + size[index] - 1));
        }
        tree
    }

    fn is_ancestor(&self, above: usize, below: usize) -> bool {
        match (self.interval[above], self.interval[below]) {
            (Some((start, end)), Some((number, _))) => (start..=end).contains(&number),
            _ => false,
        }
    }
}

/// The nearest common ancestor of two positions in the order.
fn meet(parent: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        // Numbers grow downwards, so the deeper of the two goes up.
        while a > b {
            a = parent[a];
        }
        while b > a {
            b = parent[b];
        }
    }
    a
}

/// Which blocks are met on every way from the entry.
#[derive(Clone, Debug)]
pub struct Dominators {
    tree: Tree,
}

impl Dominators {
    /// Of a function.
    #[must_use]
    pub fn new(flow: &ControlFlow, blocks: usize) -> Self {
        let order: Vec<usize> = flow.reverse_postorder().iter().map(|block| block.index()).collect();
        let predecessors = |node: usize| indices(flow.predecessors(BlockId::from_index(node)));
        Self { tree: Tree::new(blocks, &order, predecessors) }
    }

    /// The closest other block that dominates this one; `None` for the entry and for what cannot be reached.
    #[must_use]
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.tree.parent[block.index()].map(BlockId::from_index)
    }

    /// Whether every way from the entry to `below` meets `above`; a block dominates itself. False when either cannot be reached.
    #[must_use]
    pub fn dominates(&self, above: BlockId, below: BlockId) -> bool {
        self.tree.is_ancestor(above.index(), below.index())
    }
}

/// Which blocks are met on every way to an exit.
#[derive(Clone, Debug)]
pub struct PostDominators {
    tree: Tree,
    exit: usize,
}

impl PostDominators {
    /// Of a function.
    #[must_use]
    pub fn new(flow: &ControlFlow, blocks: usize) -> Self {
        // One more node stands behind all exits.
        let exit = blocks;
        let reachable = flow.reverse_postorder();
        let exits: Vec<usize> = (reachable.iter().filter(|block| flow.successors(**block).is_empty()))
            .map(|block| block.index())
            .collect();
        let backwards = |node: usize| -> Vec<usize> {
            if node == exit { exits.clone() } else { indices(flow.predecessors(BlockId::from_index(node))) }
        };
        let forwards = |node: usize| -> Vec<usize> {
            let successors =
                if node == exit { Vec::new() } else { indices(flow.successors(BlockId::from_index(node))) };
            if successors.is_empty() && node != exit { vec![exit] } else { successors }
        };
        let is_reachable = |node: usize| node == exit || flow.is_reachable(BlockId::from_index(node));
        // Endless loops reach no exit and get no number: nothing is claimed of them.
        let order = reverse_postorder(blocks + 1, exit, |node| {
            backwards(node).into_iter().filter(|node| is_reachable(*node)).collect()
        });
        Self { tree: Tree::new(blocks + 1, &order, forwards), exit }
    }

    /// The closest other block that post-dominates this one; `None` when there is none.
    #[must_use]
    pub fn immediate(&self, block: BlockId) -> Option<BlockId> {
        self.tree.parent[block.index()].filter(|parent| *parent != self.exit).map(BlockId::from_index)
    }

    /// Whether every way from `above` to an exit meets `below`; a block post-dominates itself. False when `above` cannot
    /// reach an exit, as in an endless loop.
    #[must_use]
    pub fn post_dominates(&self, below: BlockId, above: BlockId) -> bool {
        self.tree.is_ancestor(below.index(), above.index())
    }
}

fn indices(blocks: &[BlockId]) -> Vec<usize> {
    blocks.iter().map(|block| block.index()).collect()
}

fn reverse_postorder(nodes: usize, root: usize, successors: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut seen: Table<BlockId, bool> = Table::filled(nodes, || false);
    let mut order = Vec::new();
    seen[BlockId::from_index(root)] = true;
    let mut stack = vec![(root, successors(root).into_iter())];
    while let Some((node, rest)) = stack.last_mut() {
        if let Some(next) = rest.next() {
            if !seen[BlockId::from_index(next)] {
                seen[BlockId::from_index(next)] = true;
                stack.push((next, successors(next).into_iter()));
            }
        } else {
            order.push(*node);
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

    /// Immediate dominators and post-dominators of each block of `main`.
    fn trees(body: &str) -> (Vec<Option<usize>>, Vec<Option<usize>>) {
        let text =
            format!("program pointer_bits 64 entry f0 function f0 \"main\" () {{ registers r0: i1 {body} }}");
        let program = parse_program(&text).expect("parses");
        let function = &program.functions[program.entry];
        let flow = ControlFlow::new(function);
        let blocks = function.blocks.len();
        let (dominators, post) = (Dominators::new(&flow, blocks), PostDominators::new(&flow, blocks));
        // The defining property, by brute force: removing a dominator cuts the way from the entry.
        for above in function.blocks.ids() {
            for below in function.blocks.ids() {
                let cut = !reaches(&flow, function.blocks.ids().next().expect("an entry"), below, above);
                let expected =
                    flow.is_reachable(above) && flow.is_reachable(below) && (above == below || cut);
                assert_eq!(dominators.dominates(above, below), expected, "{above} dominates {below}");
            }
        }
        let of = |block: Option<BlockId>| block.map(Id::index);
        let immediate = function.blocks.ids().map(|block| of(dominators.immediate(block))).collect();
        (immediate, function.blocks.ids().map(|block| of(post.immediate(block))).collect())
    }

    fn reaches(flow: &ControlFlow, from: BlockId, to: BlockId, without: BlockId) -> bool {
        let mut seen = vec![];
        let mut stack = vec![from];
        while let Some(block) = stack.pop() {
            if block == without || seen.contains(&block) {
                continue;
            }
            if block == to {
                return true;
            }
            seen.push(block);
            stack.extend(flow.successors(block));
        }
        false
    }

    #[test]
    fn a_diamond() {
        let (dominators, post) =
            trees("b0: branch r0, b1, b2 b1: jump b3 b2: jump b3 b3: return b4: jump b3");
        assert_eq!(dominators, [None, Some(0), Some(0), Some(0), None]);
        assert_eq!(post, [Some(3), Some(3), Some(3), None, None]);
    }

    #[test]
    fn a_loop_with_two_exits() {
        let (dominators, post) =
            trees("b0: jump b1 b1: branch r0, b2, b3 b2: branch r0, b1, b4 b3: return b4: abort");
        assert_eq!(dominators, [None, Some(0), Some(1), Some(1), Some(2)]);
        assert_eq!(post, [Some(1), None, None, None, None]);
    }

    #[test]
    fn an_irreducible_graph() {
        // Figure 4 of the paper has this shape: two ways into a cycle.
        let (dominators, post) = trees(
            "b0: branch r0, b1, b2 b1: jump b3 b2: branch r0, b4, b5
             b3: jump b4 b4: branch r0, b3, b5 b5: branch r0, b4, b6 b6: return",
        );
        assert_eq!(dominators, [None, Some(0), Some(0), Some(0), Some(0), Some(0), Some(5)]);
        assert_eq!(post, [Some(5), Some(3), Some(5), Some(4), Some(5), Some(6), None]);
    }

    #[test]
    fn an_endless_loop_has_no_post_dominators() {
        let (_, post) = trees("b0: branch r0, b1, b2 b1: jump b1 b2: return");
        assert_eq!(post, [Some(2), None, None]);
    }
}
