//! Which vertex reaches which, over a decomposition of the graph into chains.
//!
//! For each vertex and each chain the table holds the first position on the chain that the vertex reaches. With
//! one chain per thread that is a vector clock (Fidge 1988, Mattern 1989); with chains of one vertex it is a plain transitive
//! closure. Edges come and go like a stack: a log of overwritten entries undoes them.

/// The vertex reaches nothing on that chain.
const NEVER: u32 = u32::MAX;

/// One overwritten entry of the table.
#[derive(Clone, Copy, Debug)]
pub(super) struct LoggedChange {
    pub(super) vertex: u32,
    pub(super) chain: u32,
    /// The position that was there before; positions from the present one up to this one became reachable.
    pub(super) old: u32,
}

#[derive(Debug, Default)]
pub(super) struct Reachability {
    chain_count: usize,
    /// Chain and position of each vertex.
    positions: Vec<(u32, u32)>,
    /// All vertices, chain after chain, and where each chain starts there.
    line: Vec<u32>,
    starts: Vec<u32>,
    /// Row by row, one per vertex: the first position reached on each chain.
    table: Vec<u32>,
    /// The same by the edges alone that will never be undone.
    kept: Vec<u32>,
    log: Vec<LoggedChange>,
    // Kept between calls for their memory.
    fresh: Vec<(u32, u32)>,
    stack: Vec<u32>,
}

impl Reachability {
    /// A table for vertices on these chains, each of which reaches itself and what is behind it there.
    pub(super) fn new(chain_count: usize, positions: Vec<(u32, u32)>) -> Self {
        // Each vertex reaches itself.
        let mut table = vec![NEVER; chain_count * positions.len()];
        for (vertex, &(chain, position)) in positions.iter().enumerate() {
            table[vertex * chain_count + chain as usize] = position;
        }
        let mut starts = vec![0; chain_count + 1];
        for &(chain, _) in &positions {
            starts[chain as usize + 1] += 1;
        }
        for chain in 0..chain_count {
            starts[chain + 1] += starts[chain];
        }
        let mut line = vec![0; positions.len()];
        for (vertex, &(chain, position)) in positions.iter().enumerate() {
            line[(starts[chain as usize] + position) as usize] = super::u32_of(vertex);
        }
        Self { chain_count, positions, line, starts, table, ..Self::default() }
    }

    /// Whether there is a path, perhaps of no edges.
    #[inline]
    pub(super) fn reaches(&self, from: u32, to: u32) -> bool {
        let (chain, position) = self.positions[to as usize];
        self.entry(from, chain) <= position
    }

    /// Whether there is a path that will never be undone, perhaps of no edges.
    #[inline]
    pub(super) fn always_reaches(&self, from: u32, to: u32) -> bool {
        let (chain, position) = self.positions[to as usize];
        self.kept[from as usize * self.chain_count + chain as usize] <= position
    }

    /// The last position on the chain of a vertex from where `to` is reached, if it is from the vertex.
    pub(super) fn last_reaching(&self, from: u32, to: u32) -> u32 {
        let (chain, position) = self.positions[from as usize];
        let start = self.starts[chain as usize] + position;
        let behind = &self.line[start as usize..self.starts[chain as usize + 1] as usize];
        // Along a chain the vertices that reach `to` come first: who reaches a vertex also reaches what is
        // behind it.
        let count = behind.partition_point(|&vertex| self.reaches(vertex, to));
        position + super::u32_of(count.max(1) - 1)
    }

    /// The first position on the chain that the vertex reaches.
    #[inline]
    pub(super) fn entry(&self, vertex: u32, chain: u32) -> u32 {
        self.table[vertex as usize * self.chain_count + chain as usize]
    }

    pub(super) fn position(&self, vertex: u32) -> (u32, u32) {
        self.positions[vertex as usize]
    }

    /// The vertex at a position of a chain.
    pub(super) fn at(&self, chain: u32, position: u32) -> u32 {
        self.line[(self.starts[chain as usize] + position) as usize]
    }

    /// How many vertices stand before this one when all chains are laid out one after the other.
    pub(super) fn rank(&self, vertex: u32) -> usize {
        let (chain, position) = self.positions[vertex as usize];
        (self.starts[chain as usize] + position) as usize
    }

    pub(super) const fn chain_count(&self) -> usize {
        self.chain_count
    }

    /// Nothing of what is in the table now will be undone.
    pub(super) fn keep(&mut self) {
        self.kept.clone_from(&self.table);
    }

    /// Nothing of what is in the table now will be undone, and only the changes after the first `length` ones
    /// are new since that was last so.
    pub(super) fn keep_changes(&mut self, length: usize) {
        // Only entries that changed at level zero are new in `kept`; the whole table would be much more to
        // copy.
        for change in &self.log[length..] {
            let position = change.vertex as usize * self.chain_count + change.chain as usize;
            self.kept[position] = self.table[position];
        }
    }

    /// Lets `from` reach what `to` reaches, for building the table successors first; not logged.
    pub(super) fn absorb(&mut self, from: u32, to: u32) {
        let (from, to) = (from as usize * self.chain_count, to as usize * self.chain_count);
        for chain in 0..self.chain_count {
            self.table[from + chain] = self.table[from + chain].min(self.table[to + chain]);
        }
    }

    /// Takes in an edge that closes no cycle and is not implied yet. The changes are those from the former
    /// length of the log on.
    pub(super) fn insert(&mut self, from: u32, to: u32, predecessors: &[Vec<u32>]) {
        let (from_row, to_row) = (from as usize * self.chain_count, to as usize * self.chain_count);
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.clear();
        // What `to` reaches earlier on some chain than `from` did.
        for chain in 0..self.chain_count {
            let position = self.table[to_row + chain];
            if position < self.table[from_row + chain] {
                fresh.push((chain_u32(chain), position));
            }
        }
        // A vertex that reaches `from` reaches all that `from` did: only the same entries can change.
        let mut stack = std::mem::take(&mut self.stack);
        stack.push(from);
        self.lower(from, &fresh);
        while let Some(vertex) = stack.pop() {
            for &before in &predecessors[vertex as usize] {
                // Who has these entries already needs no update, and neither do those that reach it.
                // By the invariant that who reaches `to` has all of its entries, the search stops here and
                // does not walk the whole past.
                if !self.reaches(before, to) {
                    self.lower(before, &fresh);
                    stack.push(before);
                }
            }
        }
        self.stack = stack;
        self.fresh = fresh;
    }

    fn lower(&mut self, vertex: u32, fresh: &[(u32, u32)]) {
        let start = vertex as usize * self.chain_count;
        let row = &mut self.table[start..start + self.chain_count];
        for &(chain, position) in fresh {
            let entry = &mut row[chain as usize];
            if position < *entry {
                // The log holds the old value, so undoing is in reverse order and needs no search.
                self.log.push(LoggedChange { vertex, chain, old: *entry });
                *entry = position;
            }
        }
    }

    pub(super) fn log(&self) -> &[LoggedChange] {
        &self.log
    }

    /// Undoes all changes after the first `length` ones.
    pub(super) fn undo_to(&mut self, length: usize) {
        while self.log.len() > length {
            if let Some(change) = self.log.pop() {
                self.table[change.vertex as usize * self.chain_count + change.chain as usize] = change.old;
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        (self.table.capacity() + self.kept.capacity()) * size_of::<u32>()
            + self.log.capacity() * size_of::<LoggedChange>()
    }
}

fn chain_u32(chain: usize) -> u32 {
    super::u32_of(chain)
}
