//! Paths with the fewest literals.
//!
//! A search by distance, where an edge costs as many literals as it has conditions above level zero, with a
//! bucket per distance. It looks only at vertices that still reach the target, and only at edges that were
//! there at the moment that is to be explained. Two things make it short. Along a chain everything behind a
//! vertex is as near as the vertex itself; so a chain is looked at as a whole, from the last vertex that
//! reaches the target backwards: that one must have an edge that leads on. And from a vertex that reaches the
//! target by edges that cost nothing, nothing needs to be searched: a table answers that, and there is nothing to list.
//!
//! Edges that cost nothing count whatever the moment: what holds at level zero holds in every model.

use super::{EdgeId, OrderTheory};
use crate::sat::Lit;
use raddle_base::Id;

/// The memory of a search, kept from one to the next.
#[derive(Debug, Default)]
pub(super) struct PathSearch {
    /// Vertices to look at, by their distance.
    buckets: Vec<Vec<u32>>,
    /// For each vertex: the search it was last seen in, its distance then, and the edge by which it was
    /// reached.
    seen: Vec<(u32, u32, Option<EdgeId>)>,
    /// For each vertex that was looked at in the present search, the one on its chain, or itself, from where
    /// the chain was entered.
    entries: Vec<u32>,
    /// For each chain, the search it was last looked at in, and from which position on.
    chains: Vec<(u32, u32)>,
    /// The number of the present search.
    generation: u32,
}

impl PathSearch {
    fn start(&mut self, vertices: usize, chains: usize) {
        self.generation = self.generation.wrapping_add(1);
        // A new number is as good as an empty table. Only when the numbers run out, or the graph is another
        // one, is the memory cleared.
        if self.generation == 0 || self.seen.len() != vertices || self.chains.len() != chains {
            self.seen.clear();
            self.seen.resize(vertices, (0, 0, None));
            self.entries.resize(vertices, 0);
            self.chains.clear();
            self.chains.resize(chains, (0, 0));
            self.generation = 1;
        }
        for bucket in &mut self.buckets {
            bucket.clear();
        }
    }

    /// Notes a way to a vertex if it is the best so far.
    fn offer(&mut self, vertex: u32, distance: u32, by: Option<EdgeId>) {
        let seen = &mut self.seen[vertex as usize];
        // Of two ways of the same length the first stays: explanations must not depend on more than the
        // graph.
        if seen.0 == self.generation && seen.1 <= distance {
            return;
        }
        *seen = (self.generation, distance, by);
        let bucket = distance as usize;
        if self.buckets.len() <= bucket {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push(vertex);
    }
}

impl OrderTheory {
    /// Pushes the literals, but for fixed ones, of a path that has the fewest among those made of edges that
    /// held at `moment`, that is, when so many edges were in the graph. There must be such a path.
    pub(super) fn explain_path(&mut self, from: u32, to: u32, moment: u32, literals: &mut Vec<Lit>) {
        if self.reach.always_reaches(from, to) {
            return;
        }
        // Taken out, because the search needs both itself and the graph.
        let mut search = std::mem::take(&mut self.search);
        search.start(self.outgoing.len(), self.reach.chain_count());
        let mut vertex = self.search_path(&mut search, from, to, moment);
        // From the target back to the start. Along a chain the way from its entry to the vertex costs nothing
        // and has no literals, so it is skipped.
        while vertex != from {
            let (_, _, by) = search.seen[vertex as usize];
            let edge = by.expect("only to where the search starts no edge leads");
            literals.extend(self.open_conditions(edge));
            vertex = search.entries[self.ends[edge.index()].0 as usize];
        }
        self.search = search;
    }

    /// Searches for a path, and gives the vertex on it from where on it costs nothing.
    fn search_path(&mut self, search: &mut PathSearch, from: u32, to: u32, moment: u32) -> u32 {
        search.offer(from, 0, None);
        // The nearest vertex that reaches the target for nothing, among those seen.
        let mut best: Option<(u32, u32)> = None;
        let mut distance = 0;
        while (distance as usize) < search.buckets.len() && best.is_none_or(|(nearest, _)| nearest > distance)
        {
            while let Some(vertex) = search.buckets[distance as usize].pop() {
                // The vertex was reached by a shorter way later, and was or will be looked at there.
                if search.seen[vertex as usize].1 != distance {
                    continue;
                }
                self.look_along_chain(search, (vertex, distance), to, moment, &mut best);
                // No edge that costs nothing leads to such a vertex from one that is none, so all others are
                // farther by one at least.
                if best.is_some_and(|(nearest, _)| nearest <= distance + 1) {
                    break;
                }
            }
            distance += 1;
        }
        best.expect("what is explained was once implied").1
    }

    /// Looks at all edges out of the vertices behind an entry to a chain, unless that was done, until one is
    /// found that cannot be bettered.
    fn look_along_chain(
        &mut self,
        search: &mut PathSearch,
        (entry, distance): (u32, u32),
        to: u32,
        moment: u32,
        best: &mut Option<(u32, u32)>,
    ) {
        let (chain, first) = self.reach.position(entry);
        let (generation, done) = search.chains[chain as usize];
        // What lies behind `done` on the chain was looked at with a smaller distance.
        let end = if generation == search.generation { done } else { u32::MAX };
        if end <= first {
            return;
        }
        search.chains[chain as usize] = (search.generation, first);
        // Behind the last vertex of the chain that reaches the target no path can leave it.
        let last = self.reach.last_reaching(entry, to).min(end - 1);
        // Backwards: the edge that leads on often is at the end, and then the rest need not be looked at.
        for position in (first..=last).rev() {
            let vertex = self.reach.at(chain, position);
            search.entries[vertex as usize] = entry;
            self.statistics.visits += 1;
            for &edge in self.outgoing[vertex as usize].iter().rev() {
                let (cost, since) = self.costs[edge.index()];
                let (after, total) = (self.ends[edge.index()].1, distance + cost);
                // Not there yet at the moment that is explained. An explanation with such an edge would name
                // literals that were assigned later, and the solver would learn something wrong.
                if cost > 0 && since > moment
                    || best.is_some_and(|(nearest, _)| nearest <= total)
                    || self.reach.position(after).0 == chain
                    || !self.reach.reaches(after, to)
                {
                    continue;
                }
                search.offer(after, total, Some(edge));
                // From here on it costs nothing. With a cost of one nothing on this chain can be better.
                if self.reach.always_reaches(after, to) {
                    *best = Some((total, after));
                    if cost <= 1 {
                        return;
                    }
                }
            }
        }
    }
}
