//! The terms that some others are made of, each once, in an order in which operands come first.
//!
//! Values of terms are computed over and over while what reads see grows. A flat list, and places instead of hashes, make one
//! such iteration a plain loop.

use raddle_logic::term::{Term, TermId, Terms};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::po_bmc::symbolic::range::{Range, within};

/// A term of the cone.
pub(super) struct Node {
    pub(super) term: TermId,
    /// Where its operands are. None for what a read sees.
    pub(super) children: SmallVec<[u32; 3]>,
    /// The place that it is read from.
    pub(super) read: Option<usize>,
    /// Whether it depends on a read.
    pub(super) varies: bool,
    /// For a choice of numbers, what the condition says about the one and the other.
    pub(super) within: Option<Box<[Option<Range>; 2]>>,
}

/// See the [module](self).
pub(super) struct Cone {
    pub(super) nodes: Vec<Node>,
    positions: FxHashMap<TermId, u32>,
}

impl Cone {
    /// All that `roots` are made of, down to what is read.
    pub(super) fn new(
        terms: &Terms,
        roots: impl Iterator<Item = TermId>,
        reads: &FxHashMap<TermId, usize>,
    ) -> Self {
        let mut found: FxHashMap<TermId, u32> = FxHashMap::default();
        let mut stack: Vec<TermId> = roots.collect();
        let mut list = Vec::new();
        while let Some(term) = stack.pop() {
            if found.insert(term, 0).is_none() {
                list.push(term);
                if !reads.contains_key(&term) {
                    stack.extend(terms[term].children());
                }
            }
        }
        // Operands have smaller ids.
        list.sort_unstable();
        for (position, term) in list.iter().enumerate() {
            found.insert(*term, u32::try_from(position).expect("there are fewer terms than that"));
        }
        let mut nodes: Vec<Node> = Vec::with_capacity(list.len());
        for term in list {
            let read = reads.get(&term).copied();
            let children: SmallVec<[u32; 3]> = match read {
                Some(_) => SmallVec::new(),
                None => terms[term].children().iter().map(|child| found[child]).collect(),
            };
            let varies = read.is_some() || children.iter().any(|&child| nodes[child as usize].varies);
            let within = if read.is_none() { choice(terms, term) } else { None };
            nodes.push(Node { term, children, read, varies, within });
        }
        Self { nodes, positions: found }
    }

    /// Where a term is.
    pub(super) fn position(&self, term: TermId) -> Option<usize> {
        self.positions.get(&term).map(|position| *position as usize)
    }
}

/// What the condition of a choice says about either side, if it says anything.
fn choice(terms: &Terms, term: TermId) -> Option<Box<[Option<Range>; 2]>> {
    let Term::Ite(condition, then, otherwise) = terms[term] else { return None };
    let sides = [within(terms, (condition, true), then), within(terms, (condition, false), otherwise)];
    (sides != [None, None]).then(|| Box::new(sides))
}
