//! Paths that come to one program point become one.
//!
//! Those that parted last are merged first, so that the condition at which they parted disappears from the guard again
//! ([`Guard::join`]). Registers that are live there, and all that a path knows, become choices by that condition.
//!
//! Invariant: exactly the valuations under which one of the paths comes here make the merged guard true, and under each of them the
//! merged path knows what that one knew. Direction of error: forwarded values that only one of them has are given up.

use raddle_base::Id;
use raddle_ir::{BlockId, FunctionId, RegisterId};
use raddle_logic::term::TermId;

use super::atomic_block::AtomicBlock;
use super::control::Registers;
use super::executor::Executor;
use super::guard::Guard;
use super::path::Path;
use super::region::align_regions;
use crate::execution_graph::events::StepId;
use raddle_semantics::values;

impl Executor<'_, '_> {
    /// Paths that are in different atomic blocks go on by themselves.
    pub(crate) fn blocks_apart(&self, incoming: Vec<(Path, Registers)>) -> Vec<Vec<(Path, Registers)>> {
        let mut groups: Vec<Vec<(Path, Registers)>> = Vec::new();
        for (path, registers) in incoming {
            if path.guard.is_false(&self.cx.out.terms) {
                continue;
            }
            let same = groups.iter_mut().find(|group| block_of(&group[0].0) == block_of(&path));
            match same {
                Some(group) => group.push((path, registers)),
                None => groups.push(vec![(path, registers)]),
            }
        }
        groups
    }

    /// All paths that come to a block become one.
    pub(crate) fn meet(
        &mut self,
        function: FunctionId,
        block: BlockId,
        mut incoming: Vec<(Path, Registers)>,
    ) -> Option<(Path, Registers)> {
        if incoming.len() > 1 {
            let mut paths: Vec<&mut Path> = incoming.iter_mut().map(|(path, _)| path).collect();
            self.align(&mut paths);
        }
        while incoming.len() > 1 {
            // From the inside out: paths that parted later have more of their guards in common.
            let (first, second) = deepest_pair(&incoming, |(path, _)| &path.guard);
            let (other, others) = incoming.remove(second);
            let (path, registers) = &mut incoming[first];
            let selector = path.join(&other, &mut self.cx.out.terms);
            let facts = self.cx.world.facts(function);
            for (index, (own, other)) in registers.iter_mut().zip(&others).enumerate() {
                let register = RegisterId::from_index(index);
                if !facts.liveness.is_live_in(block, register) {
                    *own = None;
                } else if *own != *other {
                    // What was never assigned is zero, also where a register holds a whole word.
                    let zero = own.or(*other).map(|value| values::zero_like(&mut self.cx.out.terms, value));
                    *own = (own.or(zero))
                        .zip(other.or(zero))
                        .map(|(a, b)| self.cx.out.terms.ite(selector, a, b));
                }
            }
        }
        incoming.pop().filter(|(path, _)| !path.guard.is_false(&self.cx.out.terms))
    }

    /// Makes paths fit to be merged: all have forked or none, all are in the same atomic block or in none.
    pub(crate) fn align(&mut self, paths: &mut [&mut Path]) {
        if paths.iter().any(|path| path.forked) {
            for path in paths.iter_mut() {
                if !path.forked {
                    self.memory.publish(&mut self.cx, path);
                }
            }
        }
        align_regions(&mut self.cx, paths);
        let first = block_of(paths[0]);
        for path in paths.iter_mut().skip(1) {
            if block_of(path) != first && !path.guard.is_false(&self.cx.out.terms) {
                self.cx.unsupported(path, "atomic blocks that begin on different paths and end together");
                path.guard = Guard::new(self.cx.out.terms.bool(false));
                path.block = None;
            }
        }
    }

    pub(crate) fn join_returns(
        &mut self,
        mut returns: Vec<(Path, Option<TermId>)>,
    ) -> Option<(Path, Option<TermId>)> {
        if returns.len() > 1 {
            let mut paths: Vec<&mut Path> = returns.iter_mut().map(|(path, _)| path).collect();
            self.align(&mut paths);
            returns.retain(|(path, _)| !path.guard.is_false(&self.cx.out.terms));
        }
        while returns.len() > 1 {
            let (first, second) = deepest_pair(&returns, |(path, _)| &path.guard);
            let (other, others) = returns.remove(second);
            let (path, result) = &mut returns[first];
            let selector = path.join(&other, &mut self.cx.out.terms);
            *result = match (*result, others) {
                (Some(a), Some(b)) => Some(self.cx.out.terms.ite(selector, a, b)),
                (a, b) => a.or(b),
            };
        }
        returns.pop()
    }
}

/// The atomic block that a path is in.
fn block_of(path: &Path) -> Option<(StepId, u32)> {
    path.block.as_ref().map(AtomicBlock::name)
}

/// The two paths that parted last.
fn deepest_pair<T>(list: &[T], guard: impl Fn(&T) -> &Guard) -> (usize, usize) {
    const MANY: usize = 12;
    let count = list.len();
    if count == 2 || count > MANY {
        return (count - 2, count - 1);
    }
    let pairs = (0..count).flat_map(|first| (first + 1..count).map(move |second| (first, second)));
    pairs
        .max_by_key(|&(first, second)| {
            (guard(&list[first]).common_depth(guard(&list[second])), std::cmp::Reverse(first))
        })
        .expect("there are two")
}
