//! Which steps are ordered in every execution.
//!
//! The steps lie on chains whose members are ordered by static edges; for each step and chain the first position that the step
//! reaches is kept. So a question is one comparison, and the table takes four bytes for each pair of step and chain.

use raddle_base::{Id, Table};

use crate::execution_graph::events::StepId;

const NOWHERE: u32 = u32::MAX;

/// Static order.
#[derive(Debug)]
pub(super) struct Reach {
    /// Chain and position of each step.
    positions: Table<StepId, (u32, u32)>,
    chains: usize,
    /// For each step and chain, the first position reached, the step's own included.
    first: Vec<u32>,
}

impl Reach {
    /// The closure of acyclic edges. `chain_of` gives each step's chain: along a chain, in ascending order of steps, each
    /// member must reach the next by edges.
    pub(super) fn new(chain_of: &Table<StepId, u32>, edges: &[(StepId, StepId)]) -> Self {
        let chains = chain_of.values().max().map_or(0, |&chain| chain as usize + 1);
        let mut lengths = vec![0; chains];
        let positions: Table<StepId, (u32, u32)> = chain_of
            .values()
            .map(|&chain| {
                let length = &mut lengths[chain as usize];
                *length += 1;
                (chain, *length - 1)
            })
            .collect();
        let count = positions.len();
        let mut reach = Self { positions, chains, first: vec![NOWHERE; count * chains] };
        for step in chain_of.ids() {
            let (chain, position) = reach.positions[step];
            reach.first[step.index() * chains + chain as usize] = position;
        }
        let mut successors: Vec<Vec<StepId>> = vec![Vec::new(); count];
        let mut waiting = vec![0_u32; count];
        for &(before, after) in edges {
            successors[after.index()].push(before);
            waiting[before.index()] += 1;
        }
        // From the last steps backwards.
        let mut ready: Vec<StepId> = chain_of.ids().filter(|step| waiting[step.index()] == 0).collect();
        let mut done = 0;
        while let Some(step) = ready.pop() {
            done += 1;
            for &before in &successors[step.index()] {
                reach.absorb(before, step);
                waiting[before.index()] -= 1;
                if waiting[before.index()] == 0 {
                    ready.push(before);
                }
            }
        }
        assert_eq!(done, count, "program order and thread creation have no cycles");
        reach
    }

    fn absorb(&mut self, before: StepId, after: StepId) {
        for chain in 0..self.chains {
            let reached = self.first[after.index() * self.chains + chain];
            let own = &mut self.first[before.index() * self.chains + chain];
            *own = (*own).min(reached);
        }
    }

    /// Whether `a` is before `b` in every execution in which both happen.
    pub(super) fn before(&self, a: StepId, b: StepId) -> bool {
        let (chain, position) = self.positions[b];
        a != b && self.first[a.index() * self.chains + chain as usize] <= position
    }

    /// Adds an edge, and tells whether it could be added: one that would close a cycle is not.
    pub(super) fn add(&mut self, before: StepId, after: StepId) -> bool {
        if before == after || self.before(after, before) {
            return false;
        }
        if !self.before(before, after) {
            // All that reach the new edge's beginning, and that itself, reach what its end reaches.
            for step in self.positions.ids() {
                if step == before || self.before(step, before) {
                    self.absorb(step, after);
                }
            }
        }
        true
    }
}
