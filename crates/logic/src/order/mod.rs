//! The theory of order: a graph of nodes that must stay acyclic while the solver switches its edges on (He, Sun and Fan:
//! "Satisfiability Modulo Ordering Consistency Theory for Multi-Threaded Program Verification", PLDI 2021).
//!
//! A model of the theory is a total order of all nodes. What is said about it are *edges* "a before b":
//! static ones, and ones under a conjunction of literals, which hold when all of those are true.
//!
//! | to say | call |
//! |---|---|
//! | a is before b, always (program order, fork, join) | [`add_edge`](OrderTheory::add_edge) |
//! | if `l`, then a is before b (read-from) | [`add_literal`](OrderTheory::add_literal) |
//! | `l` means a before b, `!l` means b before a (write order, lock order) | [`add_total_literal`](OrderTheory::add_total_literal) |
//! | r reads from w, so no w' is between them (from-read) | [`add_from_read`](OrderTheory::add_from_read) |
//! | nothing gets between these (atomic block) | [`make_atomic`](OrderTheory::make_atomic) |
//!
//! All of it may be added at any time between two solves. After a model was found,
//! [`linearize`](OrderTheory::linearize) gives a total order of the nodes that fits it.
//!
//! # How it works
//! The static edges split the nodes into chains (a thread is a chain). For each node and chain the theory
//! keeps the first position on the chain that the node reaches (Jagadish: "A Compression Technique to Materialize Transitive
//! Closure", 1990), where He, Sun and Fan maintain a topological order: one comparison decides whether an edge would close a cycle,
//! and taking an edge in costs in proportion to the pairs that become ordered by it. Exactly those pairs are looked up for edges
//! that just became impossible, and their last open literal is propagated. On backtracking a log is replayed. Memory: eight bytes
//! for each pair of node and chain (one table of what holds now, one of what holds for good), and twelve for each change in the
//! log, so nodes that are ordered anyway should be tied by static edges (the initial writes of all variables, say, into one chain)
//! rather than left loose.
//!
//! Explanations are made only when asked for, by a search for the path with the fewest literals among the
//! edges that were there at the time; static edges and literals fixed at level zero count nothing, and the
//! latter are not listed.
//!
//! Invariant: every conflict and explanation is a cycle of edges whose literals it lists, but for those that
//! are fixed at level zero, so it holds in every total order that those allow. Propagation finds all that the graph implies for
//! edges with a single open literal.
//!
//! # Example
//! Two threads take the locks x and y in opposite orders. Each literal says which thread has a lock first.
//!
//! ```
//! use raddle_base::Budget;
//! use raddle_logic::order::OrderTheory;
//! use raddle_logic::sat::{Answer, Sat, default_solver};
//!
//! let mut solver = default_solver();
//! let mut order = OrderTheory::new();
//! // Thread 1 holds x, then y; thread 2 holds y, then x. Each critical section is one node.
//! let [x1, y1, y2, x2] = [(); 4].map(|()| order.add_node());
//! order.add_edge(x1, y1);
//! order.add_edge(y2, x2);
//! let x_first = solver.new_var().positive();
//! let y_first = solver.new_var().positive();
//! order.add_total_literal(x_first, x1, x2);
//! order.add_total_literal(y_first, y1, y2);
//!
//! let budget = Budget::unlimited();
//! assert_eq!(solver.solve_with(&[!x_first, y_first], &mut order, &budget), Answer::Unsat);
//! assert_eq!(solver.solve_with(&[!x_first], &mut order, &budget), Answer::Sat);
//! let line = order.linearize(|lit| solver.value(lit)).expect("a model has an order");
//! assert_eq!(line, [y2, x2, x1, y1]);
//! ```

mod explain;
mod linear;
mod reach;
mod rebuild;
mod theory;

pub mod random;

use raddle_base::{Id, Table, define_id};
use smallvec::SmallVec;

use crate::sat::{Lit, Var};
use explain::PathSearch;
use reach::Reachability;

define_id!(
    /// Something that has a position in the order: an event, a critical section.
    pub struct NodeId, "n"
);

define_id!(struct EdgeId, "e");

/// A literal of an observed variable, numbered densely: twice the observation's position, plus one if negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Local(u32);

impl Local {
    const fn index(self) -> usize {
        self.0 as usize
    }
    const fn observation(self) -> usize {
        self.0 as usize >> 1
    }
    const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
    const fn negated(self) -> Self {
        Self(self.0 ^ 1)
    }
}

/// An edge as declared.
#[derive(Debug)]
struct Edge {
    before: NodeId,
    after: NodeId,
    /// All must be true for the edge to hold.
    conditions: SmallVec<[Local; 3]>,
}

/// One "r reads from w, and w' is another write" for [`OrderTheory::add_from_read`].
#[derive(Clone, Copy, Debug)]
pub struct FromRead {
    /// True when `read` reads from the write w.
    pub read_from: Lit,
    /// True when w is before `other`; `None` when static edges say so.
    pub overwritten: Option<Lit>,
    /// True when `other` happens and is to the same address; `None` when it always does.
    pub guard: Option<Lit>,
    /// The read.
    pub read: NodeId,
    /// The other write.
    pub other: NodeId,
}

/// What the theory did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OrderStatistics {
    /// Edges that came to hold.
    pub activations: u64,
    /// Those among them that ordered nodes not ordered before.
    pub insertions: u64,
    /// Changes to the reachability table.
    pub changes: u64,
    /// Edges closing a cycle that were found by a conflict, not by propagation.
    pub conflicts: u64,
    /// Literals propagated.
    pub propagations: u64,
    /// Explanations made, those of conflicts included.
    pub explanations: u64,
    /// Literals in all explanations.
    pub explanation_literals: u64,
    /// Nodes visited while looking for explanations.
    pub visits: u64,
}

/// A graph that must stay acyclic; see the [module](self).
#[derive(Debug, Default)]
pub struct OrderTheory {
    // What was declared.
    /// For each node, the atomic block it is part of and its position therein.
    nodes: Table<NodeId, Option<(u32, u32)>>,
    blocks: Vec<Vec<NodeId>>,
    edges: Table<EdgeId, Edge>,
    observed: Vec<Var>,
    /// For each variable of the solver, its position in `observed`.
    positions: Vec<Option<u32>>,
    /// Whether something was declared since the graph was last built.
    changed: bool,

    // What the solver has assigned.
    /// For each observed variable.
    values: Vec<Option<bool>>,
    /// For each observed variable, whether it was assigned at level zero.
    fixed: Vec<bool>,
    trail: Vec<Assigned>,
    /// How much of the trail has been taken into the graph.
    processed: usize,
    /// How long the trail was when each level above zero was opened.
    levels: Vec<usize>,

    // The graph, over vertices: a node, or all nodes of an atomic block.
    /// For each node.
    vertices: Vec<u32>,
    /// For each edge, its ends as vertices.
    ends: Vec<(u32, u32)>,
    /// For each edge, how many conditions are not known to be true.
    missing: Vec<u32>,
    /// For each edge that holds, how many literals an explanation pays for it, and when it came to hold:
    /// zero if it always does, else its position in `held`, counted from one.
    costs: Vec<(u32, u32)>,
    /// For each literal, the edges it is a condition of.
    occurrences: Rows<EdgeId>,
    /// For each vertex, where edges into it that may still come to hold come from, by chain and position.
    sources: Rows<EdgeSource>,
    /// These edges, in the order of `sources`.
    candidates: Vec<Candidate>,
    /// For each vertex, the vertices before it by an edge that was not redundant when it came to hold.
    predecessors: Vec<Vec<u32>>,
    /// For each vertex, the edges out of it that hold.
    outgoing: Vec<Vec<EdgeId>>,
    reach: Reachability,
    /// Edges whose conditions are all true, in that order; the first `held_count` of them are in the graph.
    held: Vec<Held>,
    held_count: usize,
    /// The cycle among the edges that hold at level zero, if there is one.
    broken: Option<Vec<Lit>>,
    /// Whether all candidates must be looked at once.
    rescan: bool,

    /// For each literal, the edge and the moment by which it was propagated, while it is.
    reasons: Vec<Option<(EdgeId, u32)>>,
    /// The propagated literals, each with how much of the trail led to it.
    implied: Vec<(Local, usize)>,

    search: PathSearch,
    statistics: OrderStatistics,
}

/// A literal the solver made true.
#[derive(Clone, Copy, Debug)]
struct Assigned {
    literal: Local,
    /// How many edges were in `held` before this literal was taken in.
    held_before: usize,
}

/// An edge whose conditions are all true.
#[derive(Clone, Copy, Debug)]
struct Held {
    edge: EdgeId,
    /// Whether the edge ordered something.
    needed: bool,
    /// How long the log of the reachability table was before.
    log_before: usize,
}

/// Edges that may come to hold and have both ends in common, as listed at the later one. There often are many,
/// for different conditions, so it is these that are searched.
#[derive(Clone, Copy, Debug)]
struct EdgeSource {
    /// Chain and position of the earlier end.
    chain: u32,
    position: u32,
    /// Where the edges are in `candidates`.
    start: u32,
    end: u32,
}

/// An edge that may come to hold.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    edge: EdgeId,
    /// Two of the conditions, if there are two: if one is false, as half of all are, the rest need not be
    /// looked at.
    conditions: [Local; 2],
}

/// Rows of varying length in one allocation.
#[derive(Debug)]
struct Rows<T> {
    starts: Vec<usize>,
    items: Vec<T>,
}

impl<T> Default for Rows<T> {
    fn default() -> Self {
        Self { starts: vec![0], items: Vec::new() }
    }
}

impl<T: Copy> Rows<T> {
    /// Puts the items into rows, keeping their order within a row. Goes over them twice: to count, and to put
    /// each in its position.
    fn new<I: Iterator<Item = (usize, T)>>(rows: usize, items: impl Fn() -> I) -> Self {
        // The rows are filled by counting sort: it keeps the order within a row, on which `sources` and the
        // explanations rely.
        let mut starts = vec![0; rows + 1];
        let mut any = None;
        for (row, item) in items() {
            starts[row + 1] += 1;
            any = Some(item);
        }
        for row in 0..rows {
            starts[row + 1] += starts[row];
        }
        let Some(any) = any else { return Self { starts, items: Vec::new() } };
        let mut next = starts.clone();
        let mut sorted = vec![any; starts[rows]];
        for (row, item) in items() {
            sorted[next[row]] = item;
            next[row] += 1;
        }
        Self { starts, items: sorted }
    }

    fn row(&self, row: usize) -> &[T] {
        &self.items[self.starts[row]..self.starts[row + 1]]
    }
}

impl OrderTheory {
    /// A theory without nodes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a node.
    pub fn add_node(&mut self) -> NodeId {
        self.changed = true;
        self.nodes.push(None)
    }

    /// How many nodes there are.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// `before` is before `after`, always.
    pub fn add_edge(&mut self, before: NodeId, after: NodeId) {
        self.add_conditional_edge(&[], before, after);
    }

    /// If `lit`, then `before` is before `after`. Its negation says nothing.
    pub fn add_literal(&mut self, lit: Lit, before: NodeId, after: NodeId) {
        self.add_conditional_edge(&[lit], before, after);
    }

    /// `lit` means that `before` is before `after`, and its negation that `after` is before `before`.
    pub fn add_total_literal(&mut self, lit: Lit, before: NodeId, after: NodeId) {
        self.add_conditional_edge(&[lit], before, after);
        self.add_conditional_edge(&[!lit], after, before);
    }

    /// If all conditions are true, then `before` is before `after`.
    pub fn add_conditional_edge(&mut self, conditions: &[Lit], before: NodeId, after: NodeId) {
        self.changed = true;
        // Equal conditions are one condition; `missing` counts each once.
        let mut local: SmallVec<[Local; 3]> = conditions.iter().map(|&lit| self.observe(lit)).collect();
        local.sort_unstable();
        local.dedup();
        // An edge under `l` and `not l` never holds.
        if local.windows(2).any(|pair| pair[0].negated() == pair[1]) {
            return;
        }
        self.edges.push(Edge { before, after, conditions: local });
    }

    /// If `read` reads from w, and w is before `other`, which happens, then `read` is before `other`.
    ///
    /// This is an edge with up to three conditions, so any one of them is propagated to false when the
    /// others are true and the edge would close a cycle: should `other` be before `read`, then the literal
    /// `overwritten` becomes false, and with [`add_total_literal`](Self::add_total_literal) on it `other` is
    /// before w. The literal `overwritten` is true as soon as any path leads from w to `other`, provided it
    /// was declared with [`add_total_literal`](Self::add_total_literal); for a pair that no static edges
    /// order it is needed, because the theory itself never chooses between two orders.
    pub fn add_from_read(&mut self, triple: FromRead) {
        let conditions: SmallVec<[Lit; 3]> =
            [Some(triple.read_from), triple.overwritten, triple.guard].into_iter().flatten().collect();
        self.add_conditional_edge(&conditions, triple.read, triple.other);
    }

    /// Nothing gets between these nodes, and they follow each other in this order.
    ///
    /// To the outside they are one node from now on. A literal or edge between two of them is decided by the
    /// order given here.
    ///
    /// # Panics
    /// When one of the nodes already is in an atomic block, or is listed twice.
    pub fn make_atomic(&mut self, nodes: &[NodeId]) {
        self.changed = true;
        let block = u32_of(self.blocks.len());
        for (position, &node) in nodes.iter().enumerate() {
            assert!(self.nodes[node].is_none(), "{node} is already in an atomic block");
            self.nodes[node] = Some((block, u32_of(position)));
        }
        self.blocks.push(nodes.to_vec());
    }

    /// Whether `before` is before `after` in every model, as far as the edges that hold at level zero imply.
    /// Takes in what was added first.
    // With levels open, edges that will be undone would count.
    pub fn always_before(&mut self, before: NodeId, after: NodeId) -> bool {
        debug_assert!(self.levels.is_empty(), "only asked between two solves");
        self.rebuild();
        if self.broken.is_some() {
            return true;
        }
        // A block is one vertex, so within it the positions decide.
        match (self.nodes[before], self.nodes[after]) {
            (Some((block, position)), Some((other, later))) if block == other => position < later,
            _ => {
                before != after
                    && self.reach.reaches(self.vertices[before.index()], self.vertices[after.index()])
            }
        }
    }

    /// What was done so far.
    #[must_use]
    pub const fn statistics(&self) -> OrderStatistics {
        self.statistics
    }

    /// Bytes held by the reachability table and its log, the part that grows fastest.
    #[must_use]
    pub fn table_bytes(&self) -> usize {
        self.reach.bytes()
    }

    fn observe(&mut self, lit: Lit) -> Local {
        let var = lit.var();
        if self.positions.len() <= var.index() {
            self.positions.resize(var.index() + 1, None);
        }
        let position = *self.positions[var.index()].get_or_insert_with(|| {
            let position = u32_of(self.observed.len());
            self.observed.push(var);
            self.values.push(None);
            self.fixed.push(false);
            // One slot for each sign.
            self.reasons.extend([None, None]);
            position
        });
        Local(position << 1 | u32::from(lit.is_negated()))
    }

    fn local(&self, lit: Lit) -> Option<Local> {
        let position = self.positions.get(lit.var().index()).copied().flatten()?;
        Some(Local(position << 1 | u32::from(lit.is_negated())))
    }

    fn global(&self, literal: Local) -> Lit {
        Lit::new(self.observed[literal.observation()], literal.is_negated())
    }

    fn value(&self, literal: Local) -> Option<bool> {
        self.values[literal.observation()].map(|value| value != literal.is_negated())
    }
}

/// A count as it is stored.
fn u32_of(count: usize) -> u32 {
    u32::try_from(count).expect("there are fewer than 2^32 nodes, edges and literals")
}
