//! Paths with the fewest literals.
//!
//! A search by distance, where an edge costs as many literals as it has conditions above level zero: a
//! breadth-first search with a bucket per distance. It looks only at vertices that still reach the target,
//! and only at edges that were there at the moment that is to be explained.

use super::{EdgeId, OrderTheory};
use crate::sat::Lit;
use raddle_base::Id;

/// The memory of a search, kept from one to the next.
#[derive(Debug, Default)]
pub(super) struct Search {
    /// Vertices to look at, by their distance.
    buckets: Vec<Vec<u32>>,
    /// For each vertex: the search it was last seen in, its distance then, and the edge by which it was
    /// reached.
    seen: Vec<(u32, u32, Option<EdgeId>)>,
    round: u32,
}

impl Search {
    fn start(&mut self, vertices: usize) {
        self.round = self.round.wrapping_add(1);
        if self.round == 0 || self.seen.len() != vertices {
            self.seen.clear();
            self.seen.resize(vertices, (0, 0, None));
            self.round = 1;
        }
        for bucket in &mut self.buckets {
            bucket.clear();
        }
    }

    /// Notes a way to a vertex if it is the best so far.
    fn offer(&mut self, vertex: u32, distance: u32, by: Option<EdgeId>) {
        let seen = &mut self.seen[vertex as usize];
        if seen.0 == self.round && seen.1 <= distance {
            return;
        }
        *seen = (self.round, distance, by);
        let bucket = distance as usize;
        if self.buckets.len() <= bucket {
            self.buckets.resize_with(bucket + 1, Vec::new);
        }
        self.buckets[bucket].push(vertex);
    }
}

impl OrderTheory {
    /// Pushes the literals of a path that has the fewest among those made of edges that held at `moment`,
    /// that is, when so many edges were in the graph. There must be such a path.
    pub(super) fn explain_path(&mut self, from: u32, to: u32, moment: u32, literals: &mut Vec<Lit>) {
        if from == to {
            return;
        }
        let mut search = std::mem::take(&mut self.search);
        search.start(self.outgoing.len());
        search.offer(from, 0, None);
        let mut distance = 0;
        'found: while distance < search.buckets.len() {
            while let Some(vertex) = search.buckets[distance].pop() {
                if search.seen[vertex as usize].1 as usize != distance {
                    continue;
                }
                if vertex == to {
                    break 'found;
                }
                self.statistics.visits += 1;
                for &edge in &self.outgoing[vertex as usize] {
                    let (cost, since) = self.costs[edge.index()];
                    let after = self.ends[edge.index()].1;
                    if since <= moment && self.reach.reaches(after, to) {
                        search.offer(after, super::u32_of(distance) + cost, Some(edge));
                    }
                }
            }
            distance += 1;
        }
        let mut vertex = to;
        while vertex != from {
            let (round, _, by) = search.seen[vertex as usize];
            let edge = by.filter(|_| round == search.round).expect("what is explained was once implied");
            literals.extend(self.edges[edge].conditions.iter().map(|&condition| self.global(condition)));
            vertex = self.ends[edge.index()].0;
        }
        self.search = search;
    }
}
