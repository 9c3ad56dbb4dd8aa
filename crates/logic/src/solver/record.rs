//! What was asserted and declared: the question itself, apart from any way to answer it.

use indexmap::IndexMap;
use raddle_base::{Id, Table};
use rustc_hash::FxBuildHasher;

use super::Name;
use crate::order::NodeId;
use crate::term::{Sort, TermId, Terms};

/// An asserted term, perhaps with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// What shall hold.
    pub term: TermId,
    /// How the caller calls it.
    pub name: Option<Name>,
}

/// "If all conditions hold, then `before` is before `after`."
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderEdge {
    /// None for an edge that always holds.
    pub conditions: Vec<TermId>,
    /// The earlier node.
    pub before: NodeId,
    /// The later node.
    pub after: NodeId,
}

/// All assertions and order facts.
#[derive(Debug, Default)]
pub struct QueryRecord {
    /// The assertions that count, in the order they were made.
    pub assertions: Vec<Assertion>,
    /// What was asserted for good, in the order it was.
    pub lasting: Vec<TermId>,
    /// How many assertions there were when each open frame was opened.
    pub frames: Vec<usize>,
    /// For each node, the atomic block it is in and its position therein.
    pub nodes: Table<NodeId, Option<(u32, u32)>>,
    /// How many atomic blocks there are.
    pub blocks: u32,
    /// The edges, in the order they were added.
    pub edges: Vec<OrderEdge>,
    /// The terms that say "a before b", by a and b with a < b.
    pub befores: IndexMap<(NodeId, NodeId), TermId, FxBuildHasher>,
}

impl QueryRecord {
    /// Closes the last frame. Panics when there is none.
    pub fn pop(&mut self) {
        let length = self.frames.pop().expect("each pop closes a frame that a push opened");
        self.assertions.truncate(length);
    }

    /// The term that says that `before` is before `after`, and whether it is a new symbol.
    pub fn before(&mut self, terms: &mut Terms, before: NodeId, after: NodeId) -> (TermId, bool) {
        if before == after {
            return (terms.bool(false), false);
        }
        // The terms that order two nodes are kept under the smaller node, so both directions are one symbol.
        let (low, high) = (before.min(after), before.max(after));
        let known = self.befores.get(&(low, high)).copied();
        let symbol = known.unwrap_or_else(|| {
            let symbol = terms.symbol(&format!("before!{}!{}", low.index(), high.index()), Sort::Bool);
            self.befores.insert((low, high), symbol);
            symbol
        });
        let term = if before == low { symbol } else { terms.not(symbol) };
        (term, known.is_none())
    }

    /// Notes a clause, which no frame takes back.
    pub fn clause(&mut self, terms: &mut Terms, conditions: &[TermId], consequences: &[TermId]) {
        let condition = terms.and_all(conditions.iter().copied());
        let consequence = terms.or_all(consequences.iter().copied());
        let term = terms.implies(condition, consequence);
        self.lasting.push(term);
    }

    /// Notes that two values are equal under a condition, which no frame takes back.
    pub fn equal_if(&mut self, terms: &mut Terms, condition: TermId, a: TermId, b: TermId) {
        let equal = terms.eq(a, b);
        self.clause(terms, &[condition], &[equal]);
    }

    /// All terms that shall hold, with their names.
    pub fn all(&self) -> impl Iterator<Item = Assertion> + '_ {
        let lasting = self.lasting.iter().map(|&term| Assertion { term, name: None });
        lasting.chain(self.assertions.iter().copied())
    }

    /// Notes an atomic block.
    pub fn make_atomic(&mut self, nodes: &[NodeId]) {
        for (position, &node) in nodes.iter().enumerate() {
            assert!(self.nodes[node].is_none(), "{node} is in an atomic block already");
            self.nodes[node] = Some((self.blocks, u32::try_from(position).expect("few nodes")));
        }
        self.blocks += 1;
    }
}
