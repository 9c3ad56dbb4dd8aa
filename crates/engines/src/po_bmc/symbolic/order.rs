//! In which order the blocks of an unrolled function are executed.
//!
//! A weak topological order (Bourdoncle, "Efficient chaotic iteration strategies with widenings", 1993) nests a function's
//! blocks into components with heads: every edge leads forward in the order, or back to the head of a component that
//! contains its source. Loops are components; so are cycles with several entries. Unrolling counts the iterations of each
//! component, and a [`Position`] — where in the order, in which iteration of each component around it — ascends along
//! every path, so that executing positions in ascending order meets each after all that lead to it.

use raddle_base::{Id, Table};
use raddle_ir::{BlockId, Function, Terminator};
use smallvec::SmallVec;

/// Where a block instance stands: for each component around it the index of the head in the order and the iteration, then the block's own index.
/// Compared lexicographically.
pub(crate) type Position = SmallVec<[u32; 7]>;

/// The order of a function's blocks.
#[derive(Clone, Debug)]
pub(crate) struct BlockOrder {
    /// For each reachable block, its index in the order and the heads of the components around it, outermost first; a
    /// head's own component is among them.
    blocks: Table<BlockId, Option<Entry>>,
    /// Whether all ways from a block end the process, without a loop on them: where an assertion fails, for one.
    fatal: Table<BlockId, bool>,
}

#[derive(Clone, Debug)]
struct Entry {
    index: u32,
    heads: SmallVec<[BlockId; 3]>,
    /// Of a head: whether its component can be left for a block that is not fatal.
    is_left: bool,
}

/// What taking an edge means.
pub(crate) struct Taken {
    /// Where it leads.
    pub(crate) position: Position,
    /// If it begins another iteration of a component: its head and the number of that iteration, from one.
    pub(crate) iteration: Option<(BlockId, u32)>,
}

impl BlockOrder {
    pub(crate) fn new(function: &Function) -> Self {
        let mut builder = Builder {
            function,
            depth_first: Table::filled(function.blocks.len(), || 0),
            stack: Vec::new(),
            count: 0,
            order: Vec::new(),
        };
        if !function.blocks.is_empty() {
            let mut top = Vec::new();
            builder.visit(BlockId::from_index(0), &mut top);
            top.reverse();
            builder.order = top;
        }
        let mut blocks: Table<BlockId, Option<Entry>> = Table::filled(function.blocks.len(), || None);
        let (mut index, mut heads) = (0, SmallVec::new());
        number(&builder.order, &mut index, &mut heads, &mut blocks);
        let mut order = Self { blocks, fatal: fatal(function) };
        order.find_ways_out(function);
        order
    }

    fn find_ways_out(&mut self, function: &Function) {
        let mut left = Vec::new();
        for (block, from) in function.blocks.iter().filter(|(block, _)| self.blocks[*block].is_some()) {
            for target in from.terminator.successors().into_iter().filter(|target| !self.fatal[*target]) {
                let inside = self.heads(target);
                left.extend(self.heads(block).iter().filter(|head| !inside.contains(head)));
            }
        }
        for head in left {
            self.blocks[head].as_mut().expect("heads are reachable").is_left = true;
        }
    }

    /// Whether to go to a target means to leave a component for good. To end the process does not count, unless there is no
    /// other way out: a loop of known length with assertions in it has a known length.
    pub(crate) fn leaves(&self, head: BlockId, target: BlockId) -> bool {
        let is_inside = self.heads(target).contains(&head);
        let ends_only = self.fatal[target] && self.entry(head).is_left;
        !is_inside && !ends_only
    }

    /// Where execution begins.
    pub(crate) fn start(&self) -> Position {
        let entry = self.entry(BlockId::from_index(0));
        let mut position = Position::new();
        for head in &entry.heads {
            position.extend([self.entry(*head).index, 0]);
        }
        position.push(entry.index);
        position
    }

    fn entry(&self, block: BlockId) -> &Entry {
        self.blocks[block].as_ref().expect("only reachable blocks are executed")
    }

    /// The heads of the components around a block, outermost first.
    pub(crate) fn heads(&self, block: BlockId) -> &[BlockId] {
        &self.entry(block).heads
    }

    /// Whether an edge leads back, to where another iteration of a component begins.
    pub(crate) fn goes_back(&self, from: BlockId, to: BlockId) -> bool {
        self.entry(to).index <= self.entry(from).index
    }

    /// Goes along an edge.
    pub(crate) fn take(&self, from: BlockId, at: &Position, to: BlockId) -> Taken {
        let (source, target) = (self.entry(from), self.entry(to));
        let common = source.heads.iter().zip(&target.heads).take_while(|(a, b)| a == b).count();
        let mut position = Position::new();
        for (depth, head) in target.heads.iter().enumerate() {
            let count = if depth < common { at[2 * depth + 1] } else { 0 };
            position.extend([self.entry(*head).index, count]);
        }
        // An edge to the head of a component that the source is in begins another iteration.
        let mut iteration = None;
        if common == target.heads.len() && target.heads.last() == Some(&to) {
            let next = at[2 * common - 1] + 1;
            position[2 * common - 1] = next;
            iteration = Some((to, next));
        }
        position.push(target.index);
        Taken { position, iteration }
    }
}

/// A block, or a component with its head and the rest in order.
enum Element {
    Block(BlockId),
    Component(BlockId, Vec<Element>),
}

struct Builder<'f> {
    function: &'f Function,
    /// The number of each block in depth-first order; 0: not visited; `u32::MAX`: done.
    depth_first: Table<BlockId, u32>,
    stack: Vec<BlockId>,
    count: u32,
    order: Vec<Element>,
}

impl Builder<'_> {
    /// Bourdoncle's recursive visit. Partitions are built back to front and reversed by the caller. Functions have at most
    /// some ten thousand blocks, and engines run on a large stack.
    fn visit(&mut self, block: BlockId, partition: &mut Vec<Element>) -> u32 {
        self.stack.push(block);
        self.count += 1;
        let own = self.count;
        self.depth_first[block] = own;
        let (mut head, mut is_loop) = (own, false);
        for successor in self.function.blocks[block].terminator.successors() {
            let low = match self.depth_first[successor] {
                0 => self.visit(successor, partition),
                number => number,
            };
            if low <= head {
                head = low;
                is_loop = true;
            }
        }
        if head == own {
            self.depth_first[block] = u32::MAX;
            let mut element = self.stack.pop();
            if is_loop {
                while element != Some(block) {
                    self.depth_first[element.expect("the block is on the stack")] = 0;
                    element = self.stack.pop();
                }
                let component = self.component(block);
                partition.push(component);
            } else {
                partition.push(Element::Block(block));
            }
        }
        head
    }

    fn component(&mut self, head: BlockId) -> Element {
        let mut partition = Vec::new();
        for successor in self.function.blocks[head].terminator.successors() {
            if self.depth_first[successor] == 0 {
                self.visit(successor, &mut partition);
            }
        }
        partition.reverse();
        Element::Component(head, partition)
    }
}

/// For each block whether all ways from it end the process, without a loop on them.
fn fatal(function: &Function) -> Table<BlockId, bool> {
    let mut fatal = Table::filled(function.blocks.len(), || false);
    loop {
        let mut changed = false;
        for (block, code) in function.blocks.iter().filter(|(block, _)| !fatal[*block]).collect::<Vec<_>>() {
            let ends = match &code.terminator {
                Terminator::ExitProcess(_) | Terminator::Abort | Terminator::Unreachable => true,
                Terminator::Return(_) | Terminator::ExitThread(_) | Terminator::Unsupported(_) => false,
                way @ (Terminator::Jump(_) | Terminator::Branch(..) | Terminator::Switch { .. }) => {
                    way.successors().into_iter().all(|target| fatal[target])
                }
            };
            fatal[block] = ends;
            changed |= ends;
        }
        if !changed {
            return fatal;
        }
    }
}

fn number(
    elements: &[Element],
    index: &mut u32,
    heads: &mut SmallVec<[BlockId; 3]>,
    blocks: &mut Table<BlockId, Option<Entry>>,
) {
    for element in elements {
        match element {
            Element::Block(block) => {
                blocks[*block] = Some(Entry { index: *index, heads: heads.clone(), is_left: false });
                *index += 1;
            }
            Element::Component(head, rest) => {
                heads.push(*head);
                blocks[*head] = Some(Entry { index: *index, heads: heads.clone(), is_left: false });
                *index += 1;
                number(rest, index, heads, blocks);
                heads.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_ir::text::parse_program;

    #[test]
    fn a_loop_is_left_where_it_goes_on_behind_it() {
        let program = parse_program(
            r#"program pointer_bits 64 entry f0
            function f0 "main" () {
              registers r0: i1
            b0:
              jump b1
            b1:
              branch r0, b2, b3
            b2:
              branch r0, b1, b4
            b3:
              jump b5
            b4:
              jump b6
            b5:
              branch r0, b5, b6
            b6:
              abort
            b7:
              exit_process i32 0
            }
            function f1 "other" () {
              registers r0: i1
            b0:
              jump b1
            b1:
              branch r0, b2, b3
            b2:
              branch r0, b1, b4
            b3:
              return
            b4:
              abort
            }"#,
        )
        .unwrap();
        let block = BlockId::from_index;
        let orders: Vec<BlockOrder> = program.functions.values().map(BlockOrder::new).collect();
        // The loop at b5 may go on for ever, so the way to it is not fatal; b4 is.
        assert!(orders[0].leaves(block(1), block(3)) && !orders[0].leaves(block(1), block(4)));
        // The loop at b5 has no other way out.
        assert!(orders[0].leaves(block(5), block(6)));
        assert!(orders[1].leaves(block(1), block(3)) && !orders[1].leaves(block(1), block(4)));
        assert!(!orders[1].leaves(block(1), block(2)));
    }
}
