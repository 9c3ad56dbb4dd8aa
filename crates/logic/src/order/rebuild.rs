//! Building the graph anew after something was declared, at level zero.

use raddle_base::Id;

use super::reach::Reachability;
use super::{Candidate, EdgeId, EdgeSource, OrderTheory, Rows, u32_of};

/// What an edge is when the graph is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// Says what an atomic block says anyway, or has a condition that is false for good.
    Idle,
    /// Holds for good.
    Holds,
    /// May come to hold.
    Open,
}

impl OrderTheory {
    /// Takes in what was declared since the last time. Only at level zero.
    pub(super) fn rebuild(&mut self) {
        if !std::mem::take(&mut self.changed) {
            return;
        }
        debug_assert!(self.levels.is_empty(), "the graph is built at level zero");
        self.number_vertices();
        let standings: Vec<Standing> = self.edges.ids().map(|edge| self.standing(edge)).collect();

        // Literals above level zero do not exist here, so conditions are true or false for good or open.
        // All that is assigned is at level zero and goes into the standings.
        self.held.clear();
        self.held_count = 0;
        self.processed = self.trail.len();
        self.costs = vec![(0, 0); self.edges.len()];
        self.missing = self
            .edges
            .values()
            .map(|edge| u32_of(edge.conditions.iter().filter(|&&lit| self.value(lit) != Some(true)).count()))
            .collect();

        let vertices = self.outgoing.len();
        for edge in self.edges.ids().filter(|edge| standings[edge.index()] == Standing::Holds) {
            let (before, after) = self.ends[edge.index()];
            self.outgoing[before as usize].push(edge);
            self.predecessors[after as usize].push(before);
        }
        // A cycle now means that there is no model at all; its literals are all fixed at level zero.
        self.broken = None;
        let Some(line) = self.topological_line() else {
            self.broken = Some(self.find_cycle());
            return;
        };
        self.build_reach(&line);

        let open = || self.edges.iter().filter(|(edge, _)| standings[edge.index()] == Standing::Open);
        self.occurrences = Rows::new(2 * self.observed.len(), || {
            open().flat_map(|(id, edge)| edge.conditions.iter().map(move |condition| (condition.index(), id)))
        });
        // First by where they come from, then by where they lead: both sorts keep the order of equals.
        let by_source: Rows<EdgeId> = Rows::new(vertices, || {
            open().map(|(edge, _)| (self.reach.rank(self.ends[edge.index()].0), edge))
        });
        let by_both = Rows::new(vertices, || {
            by_source.items.iter().map(|&edge| (self.ends[edge.index()].1 as usize, edge))
        });
        self.list_candidates(&by_both.items);
    }

    /// Lists the edges that may come to hold, which are given sorted by their later end and by the position of the
    /// earlier one.
    fn list_candidates(&mut self, edges: &[EdgeId]) {
        let candidate = |&edge: &EdgeId| {
            let conditions = &self.edges[edge].conditions;
            let (Some(&first), Some(&last)) = (conditions.first(), conditions.last()) else {
                unreachable!("an edge without conditions is not open");
            };
            Candidate { edge, conditions: [first, last] }
        };
        self.candidates = edges.iter().map(candidate).collect();
        let mut sources: Vec<(usize, EdgeSource)> = Vec::new();
        let mut start = 0;
        for group in edges.chunk_by(|a, b| self.ends[a.index()] == self.ends[b.index()]) {
            let (before, after) = self.ends[group[0].index()];
            let (chain, position) = self.reach.position(before);
            let end = start + u32_of(group.len());
            sources.push((after as usize, EdgeSource { chain, position, start, end }));
            start = end;
        }
        self.sources = Rows::new(self.outgoing.len(), || sources.iter().copied());
    }

    /// One vertex for each atomic block and for each other node, in the order of their first nodes.
    fn number_vertices(&mut self) {
        const NONE: u32 = u32::MAX;
        let mut block_vertices = vec![NONE; self.blocks.len()];
        let mut count = 0;
        let mut fresh = || {
            count += 1;
            count - 1
        };
        self.vertices = self
            .nodes
            .values()
            // A block is numbered at its first node, so the numbers depend on the order of declaration alone.
            .map(|block| match *block {
                None => fresh(),
                Some((block, _)) => {
                    let vertex = &mut block_vertices[block as usize];
                    if *vertex == NONE {
                        *vertex = fresh();
                    }
                    *vertex
                }
            })
            .collect();
        let vertex = |node: super::NodeId| self.vertices[node.index()];
        self.ends = self.edges.values().map(|edge| (vertex(edge.before), vertex(edge.after))).collect();
        self.outgoing = vec![Vec::new(); count as usize];
        self.predecessors = vec![Vec::new(); count as usize];
    }

    fn standing(&self, edge: EdgeId) -> Standing {
        let edge = &self.edges[edge];
        if edge.conditions.iter().any(|&lit| self.value(lit) == Some(false)) {
            return Standing::Idle;
        }
        // Within a block the order is given. An edge that agrees with it says nothing; one against it becomes
        // a loop at one vertex, which is a cycle.
        if let (Some((block, position)), Some((other, later))) =
            (self.nodes[edge.before], self.nodes[edge.after])
            && block == other
            && position < later
        {
            return Standing::Idle;
        }
        let holds = edge.conditions.iter().all(|&lit| self.value(lit) == Some(true));
        if holds { Standing::Holds } else { Standing::Open }
    }

    /// All vertices, each after its predecessors; `None` when there is a cycle.
    fn topological_line(&self) -> Option<Vec<u32>> {
        let mut waiting: Vec<usize> = self.predecessors.iter().map(Vec::len).collect();
        let mut line: Vec<u32> =
            (0..waiting.len()).filter(|&vertex| waiting[vertex] == 0).map(u32_of).collect();
        let mut next = 0;
        while let Some(&vertex) = line.get(next) {
            next += 1;
            for &edge in &self.outgoing[vertex as usize] {
                let after = self.ends[edge.index()].1;
                waiting[after as usize] -= 1;
                if waiting[after as usize] == 0 {
                    line.push(after);
                }
            }
        }
        (line.len() == waiting.len()).then_some(line)
    }

    /// Lays the vertices out on chains along the edges that hold for good, and fills the table.
    fn build_reach(&mut self, line: &[u32]) {
        let mut positions = vec![(0, 0); line.len()];
        let mut is_last = vec![false; line.len()];
        let mut chains = 0;
        for &vertex in line {
            // A vertex goes behind a predecessor that is the last of its chain, else it begins a new chain.
            // Fewest chains would be better still, but threads give theirs at once.
            let before = self.predecessors[vertex as usize].iter().copied().find(|&v| is_last[v as usize]);
            positions[vertex as usize] = match before {
                Some(before) => {
                    is_last[before as usize] = false;
                    let (chain, position) = positions[before as usize];
                    (chain, position + 1)
                }
                None => {
                    chains += 1;
                    (u32_of(chains - 1), 0)
                }
            };
            is_last[vertex as usize] = true;
        }
        self.reach = Reachability::new(chains, positions);
        // Successors first: then each row takes in rows that are complete.
        for &vertex in line.iter().rev() {
            for &edge in &self.outgoing[vertex as usize] {
                self.reach.absorb(vertex, self.ends[edge.index()].1);
            }
        }
        self.reach.keep();
    }

    /// The literals of some cycle among the edges that hold for good, of which there is one.
    fn find_cycle(&self) -> Vec<crate::sat::Lit> {
        // Vertices from which no cycle can be reached are peeled off.
        // Walking along edges between vertices that have both predecessors and successors left leads around.
        let mut waiting: Vec<usize> = self.outgoing.iter().map(Vec::len).collect();
        let mut done: Vec<u32> =
            (0..waiting.len()).filter(|&vertex| waiting[vertex] == 0).map(u32_of).collect();
        while let Some(vertex) = done.pop() {
            for &before in &self.predecessors[vertex as usize] {
                waiting[before as usize] -= 1;
                if waiting[before as usize] == 0 {
                    done.push(before);
                }
            }
        }
        let start = waiting.iter().position(|&left| left > 0).expect("there is a cycle");
        let mut visited_at = vec![None; waiting.len()];
        let mut path: Vec<EdgeId> = Vec::new();
        let mut vertex = start;
        let from = loop {
            if let Some(from) = visited_at[vertex] {
                break from;
            }
            visited_at[vertex] = Some(path.len());
            let next = self.outgoing[vertex]
                .iter()
                .copied()
                .find(|edge| waiting[self.ends[edge.index()].1 as usize] > 0)
                .expect("every vertex left leads to another one left");
            path.push(next);
            vertex = self.ends[next.index()].1 as usize;
        };
        // The walk may have entered the cycle from a tail, which is not part of it.
        let mut literals: Vec<_> = path[from..]
            .iter()
            .flat_map(|&edge| self.edges[edge].conditions.iter().map(|&condition| self.global(condition)))
            .collect();
        literals.sort_unstable();
        literals.dedup();
        literals
    }
}
