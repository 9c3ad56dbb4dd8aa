//! A total order that fits a model.
//!
//! It is read off the declarations and the model alone, not off the theory's working state, and so checks the
//! theory: a cycle here would be an error there.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use raddle_base::Id;

use super::{NodeId, OrderTheory};
use crate::sat::Lit;

impl OrderTheory {
    /// All nodes in an order in which every edge holds whose conditions are all true. Where the edges leave a
    /// choice, the node with the smaller id comes first; the nodes of an atomic block stay together and
    /// count as their first one. `None` when there is no such order, which a model never causes.
    #[must_use]
    pub fn linearize(&self, value: impl Fn(Lit) -> Option<bool>) -> Option<Vec<NodeId>> {
        let head = |node: NodeId| match self.nodes[node] {
            Some((block, _)) => self.blocks[block as usize][0],
            None => node,
        };
        // A variable is a condition of many edges, and asking the solver takes longer than looking here.
        let values: Vec<Option<bool>> = self.observed.iter().map(|var| value(var.positive())).collect();
        let mut after: Vec<Vec<NodeId>> = vec![Vec::new(); self.nodes.len()];
        let mut before_count = vec![0_usize; self.nodes.len()];
        for edge in self.edges.values() {
            let holds = edge
                .conditions
                .iter()
                .all(|lit| values[lit.observation()].is_some_and(|value| value != lit.is_negated()));
            if !holds {
                continue;
            }
            match (self.nodes[edge.before], self.nodes[edge.after]) {
                // Inside of a block no edge is needed; one against its order has no solution.
                (Some((block, position)), Some((other, later))) if block == other => {
                    if position >= later {
                        return None;
                    }
                }
                _ => {
                    let (first, second) = (head(edge.before), head(edge.after));
                    after[first.index()].push(second);
                    before_count[second.index()] += 1;
                }
            }
        }
        // A heap, so that of several possible nodes the one with the smallest id is next: the same model
        // gives the same line.
        let mut ready: BinaryHeap<Reverse<NodeId>> = self
            .nodes
            .ids()
            .filter(|&node| head(node) == node && before_count[node.index()] == 0)
            .map(Reverse)
            .collect();
        let mut line = Vec::with_capacity(self.nodes.len());
        while let Some(Reverse(node)) = ready.pop() {
            match self.nodes[node] {
                Some((block, _)) => line.extend_from_slice(&self.blocks[block as usize]),
                None => line.push(node),
            }
            for &next in &after[node.index()] {
                before_count[next.index()] -= 1;
                if before_count[next.index()] == 0 {
                    ready.push(Reverse(next));
                }
            }
        }
        // Nodes on a cycle never become ready. The other nodes of a block were put out with its first one.
        (line.len() == self.nodes.len()).then_some(line)
    }
}
