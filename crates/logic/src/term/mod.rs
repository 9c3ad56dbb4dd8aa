//! Terms: a hash-consed graph of Booleans, bit-vectors and arrays.
//!
//! All terms live in one arena, [`Terms`], and are named by [`TermId`]; equal terms have equal ids. The
//! constructors (`terms.add(a, b)`, `terms.ite(c, a, b)`, …) simplify while they build, by the rules listed
//! in one table, [`rules::TABLE`], so what comes back is often smaller than what was asked for. They panic
//! when the sorts do not fit: that is an error of the caller, never of a user's input.
//!
//! The arena keeps few operators. Others are spelled out when built and folded back when printed: `a or b`
//! is `not (not a and not b)`, `a - b` is `a + -1 * b`, `a <= b` is `not (b < a)`, zero extension is a
//! concatenation with zeros, signed division is unsigned division of magnitudes. Sub-terms are stored
//! before the terms that use them, so ascending ids are a topological order.
//!
//! Semantics are those of SMT-LIB's `QF_ABV`; division by zero gives all ones, remainder by zero the
//! dividend. Invariant: a rewrite never changes the value of a term under any model ([`eval`] is the judge).
//! Nothing in here recurses along the depth of the graph.

pub mod bits;
mod build;
pub mod eval;
mod facts;
pub(crate) mod print;
pub mod rules;
mod substitute;

use indexmap::{IndexMap, IndexSet};
use raddle_base::{Id, Table, define_id};
use rustc_hash::FxBuildHasher;
use smallvec::{SmallVec, smallvec};

pub use bits::MAX_WIDTH;
pub use eval::{ArrayValue, Evaluator, Model, Value};
pub use facts::TermFacts;

define_id!(
    /// A term of one [`Terms`] arena.
    pub struct TermId,
    "t"
);
define_id!(
    /// An uninterpreted constant of one [`Terms`] arena.
    pub struct SymbolId,
    "s"
);

/// What kind of value a term has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// True or false.
    Bool,
    /// A bit-vector of this many bits, 1 to 128.
    BitVec(u32),
    /// A total map from bit-vectors to bit-vectors.
    Array {
        /// The width of the index.
        index: u32,
        /// The width of the elements.
        element: u32,
    },
}

/// An uninterpreted constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name, unique in the arena.
    pub name: String,
    /// The kind of its values.
    pub sort: Sort,
}

/// One node of the graph. `Not`, `And` and `Xor` are Boolean; `Eq` compares bit-vectors or arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Term {
    /// An uninterpreted constant.
    Symbol(SymbolId),
    /// True or false.
    Bool(bool),
    /// A bit-vector constant.
    Bits {
        /// How wide.
        width: u32,
        /// Its value, in the low bits.
        value: u128,
    },
    /// Boolean negation.
    Not(TermId),
    /// Boolean conjunction.
    And(TermId, TermId),
    /// Boolean exclusive or.
    Xor(TermId, TermId),
    /// If the first then the second, else the third; of any sort.
    Ite(TermId, TermId, TermId),
    /// Equality of bit-vectors or arrays.
    Eq(TermId, TermId),
    /// Unsigned less-than.
    Ult(TermId, TermId),
    /// Signed less-than.
    Slt(TermId, TermId),
    /// Whether the unsigned product does not fit.
    UmulOverflow(TermId, TermId),
    /// Whether the signed product does not fit.
    SmulOverflow(TermId, TermId),
    /// Bitwise negation.
    BvNot(TermId),
    /// Bitwise conjunction.
    BvAnd(TermId, TermId),
    /// Bitwise exclusive or.
    BvXor(TermId, TermId),
    /// Sum.
    Add(TermId, TermId),
    /// Product.
    Mul(TermId, TermId),
    /// Unsigned quotient.
    Udiv(TermId, TermId),
    /// Unsigned remainder.
    Urem(TermId, TermId),
    /// Shift to the left by an amount of the same width.
    Shl(TermId, TermId),
    /// Shift to the right, filling with zeros.
    Lshr(TermId, TermId),
    /// Shift to the right, filling with the sign.
    Ashr(TermId, TermId),
    /// The first above the second.
    Concat(TermId, TermId),
    /// Bits `high` down to `low`, both included.
    Extract {
        /// The highest bit taken.
        high: u32,
        /// The lowest bit taken.
        low: u32,
        /// What they are taken from.
        of: TermId,
    },
    /// Widening by `by` copies of the sign bit.
    SignExtend {
        /// How many bits are added.
        by: u32,
        /// What is widened.
        of: TermId,
    },
    /// The element of an array at an index.
    Select(TermId, TermId),
    /// The array, but with the third at the index that is the second.
    Store(TermId, TermId, TermId),
    /// The array that has the same element everywhere.
    ConstArray {
        /// The width of the index.
        index: u32,
        /// The element.
        element: TermId,
    },
}

/// The operators, in the order of [`rules::TABLE`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[expect(missing_docs, reason = "each is the variant of `Term` with the same name")]
pub enum Operator {
    Symbol,
    Bool,
    Bits,
    Not,
    And,
    Xor,
    Ite,
    Eq,
    Ult,
    Slt,
    UmulOverflow,
    SmulOverflow,
    BvNot,
    BvAnd,
    BvXor,
    Add,
    Mul,
    Udiv,
    Urem,
    Shl,
    Lshr,
    Ashr,
    Concat,
    Extract,
    SignExtend,
    Select,
    Store,
    ConstArray,
}

impl Term {
    /// The operator without its operands.
    #[must_use]
    pub const fn operator(&self) -> Operator {
        match self {
            Self::Symbol(_) => Operator::Symbol,
            Self::Bool(_) => Operator::Bool,
            Self::Bits { .. } => Operator::Bits,
            Self::Not(_) => Operator::Not,
            Self::And(..) => Operator::And,
            Self::Xor(..) => Operator::Xor,
            Self::Ite(..) => Operator::Ite,
            Self::Eq(..) => Operator::Eq,
            Self::Ult(..) => Operator::Ult,
            Self::Slt(..) => Operator::Slt,
            Self::UmulOverflow(..) => Operator::UmulOverflow,
            Self::SmulOverflow(..) => Operator::SmulOverflow,
            Self::BvNot(_) => Operator::BvNot,
            Self::BvAnd(..) => Operator::BvAnd,
            Self::BvXor(..) => Operator::BvXor,
            Self::Add(..) => Operator::Add,
            Self::Mul(..) => Operator::Mul,
            Self::Udiv(..) => Operator::Udiv,
            Self::Urem(..) => Operator::Urem,
            Self::Shl(..) => Operator::Shl,
            Self::Lshr(..) => Operator::Lshr,
            Self::Ashr(..) => Operator::Ashr,
            Self::Concat(..) => Operator::Concat,
            Self::Extract { .. } => Operator::Extract,
            Self::SignExtend { .. } => Operator::SignExtend,
            Self::Select(..) => Operator::Select,
            Self::Store(..) => Operator::Store,
            Self::ConstArray { .. } => Operator::ConstArray,
        }
    }

    /// The operands, in order.
    #[must_use]
    pub fn children(&self) -> SmallVec<[TermId; 4]> {
        match *self {
            Self::Symbol(_) | Self::Bool(_) | Self::Bits { .. } => smallvec![],
            Self::Not(a)
            | Self::BvNot(a)
            | Self::Extract { of: a, .. }
            | Self::SignExtend { of: a, .. }
            | Self::ConstArray { element: a, .. } => smallvec![a],
            Self::And(a, b)
            | Self::Xor(a, b)
            | Self::Eq(a, b)
            | Self::Ult(a, b)
            | Self::Slt(a, b)
            | Self::UmulOverflow(a, b)
            | Self::SmulOverflow(a, b)
            | Self::BvAnd(a, b)
            | Self::BvXor(a, b)
            | Self::Add(a, b)
            | Self::Mul(a, b)
            | Self::Udiv(a, b)
            | Self::Urem(a, b)
            | Self::Shl(a, b)
            | Self::Lshr(a, b)
            | Self::Ashr(a, b)
            | Self::Concat(a, b)
            | Self::Select(a, b) => smallvec![a, b],
            Self::Ite(a, b, c) | Self::Store(a, b, c) => smallvec![a, b, c],
        }
    }

    /// Whether it has no operands.
    #[must_use]
    pub const fn is_leaf(&self) -> bool {
        matches!(self, Self::Symbol(_) | Self::Bool(_) | Self::Bits { .. })
    }
}

/// What is remembered of a term beside its node.
#[derive(Clone, Copy, Debug)]
struct Info {
    sort: Sort,
    /// Where in `Terms::facts` more than nothing is known of the bits.
    facts: Option<FactsId>,
    /// How many terms have it as an operand.
    uses: u32,
}

define_id!(struct FactsId, "f");

/// The arena. See the [module](self).
#[derive(Debug)]
pub struct Terms {
    nodes: IndexSet<Term, FxBuildHasher>,
    infos: Vec<Info>,
    facts: Table<FactsId, TermFacts>,
    symbols: IndexMap<String, Sort, FxBuildHasher>,
    fresh: u32,
    rewriting: bool,
    /// How many rules are at work inside each other now.
    nesting: u32,
}

/// Rules that have called each other to this depth apply no further rules: what they ask for is built as it
/// is. This bounds the stack whatever the shape of the graph.
const MAX_NESTING: u32 = 200;

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}

impl std::ops::Index<TermId> for Terms {
    type Output = Term;
    fn index(&self, id: TermId) -> &Term {
        &self.nodes[id.index()]
    }
}

impl Terms {
    /// An empty arena.
    #[must_use]
    pub fn new() -> Self {
        Self {
            nodes: IndexSet::default(),
            infos: Vec::new(),
            facts: Table::new(),
            symbols: IndexMap::default(),
            fresh: 0,
            rewriting: true,
            nesting: 0,
        }
    }

    /// An arena whose constructors apply no rule: for tests and measurements of the rules' worth.
    #[must_use]
    pub fn without_rewriting() -> Self {
        Self { rewriting: false, ..Self::new() }
    }

    /// How many terms there are. Ids below this number exist.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// All terms, sub-terms first.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = TermId> + ExactSizeIterator + use<> {
        (0..self.nodes.len()).map(TermId::from_index)
    }

    /// The kind of value a term has.
    #[must_use]
    pub fn sort(&self, term: TermId) -> Sort {
        self.infos[term.index()].sort
    }

    /// How many terms of the arena have this one as an operand.
    #[must_use]
    pub fn uses(&self, term: TermId) -> u32 {
        self.infos[term.index()].uses
    }

    /// The width of a bit-vector term. Panics on another sort.
    #[must_use]
    pub fn width(&self, term: TermId) -> u32 {
        match self.sort(term) {
            Sort::BitVec(width) => width,
            sort @ (Sort::Bool | Sort::Array { .. }) => panic!("{term} is {sort:?}, not a bit-vector"),
        }
    }

    /// The widths of index and element of an array term. Panics on another sort.
    #[must_use]
    pub fn array_widths(&self, term: TermId) -> (u32, u32) {
        match self.sort(term) {
            Sort::Array { index, element } => (index, element),
            sort @ (Sort::Bool | Sort::BitVec(_)) => panic!("{term} is {sort:?}, not an array"),
        }
    }

    /// The value of a bit-vector constant.
    #[must_use]
    pub fn as_bits(&self, term: TermId) -> Option<u128> {
        if let Term::Bits { value, .. } = self[term] { Some(value) } else { None }
    }

    /// The value of a Boolean constant.
    #[must_use]
    pub fn as_bool(&self, term: TermId) -> Option<bool> {
        if let Term::Bool(value) = self[term] { Some(value) } else { None }
    }

    /// What is known of the bits of a bit-vector term whatever the model: nothing, at worst.
    #[must_use]
    pub fn facts(&self, term: TermId) -> TermFacts {
        let width = self.width(term);
        match (self[term], self.infos[term.index()].facts) {
            (Term::Bits { value, .. }, _) => TermFacts::constant(value, width),
            (_, Some(facts)) => self.facts[facts],
            (_, None) => TermFacts::nothing(width),
        }
    }

    /// An uninterpreted constant's name and sort.
    #[must_use]
    pub fn symbol_name(&self, symbol: SymbolId) -> &str {
        self.symbols.get_index(symbol.index()).expect("the symbol is of this arena").0
    }

    /// An uninterpreted constant's sort.
    #[must_use]
    pub fn symbol_sort(&self, symbol: SymbolId) -> Sort {
        self.symbols[symbol.index()]
    }

    /// All uninterpreted constants, in the order they were made.
    pub fn symbols(&self) -> impl DoubleEndedIterator<Item = SymbolId> + ExactSizeIterator + use<> {
        (0..self.symbols.len()).map(SymbolId::from_index)
    }

    /// The terms that `roots` consist of, each once, sub-terms first.
    #[must_use]
    pub fn subterms(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut seen = vec![false; self.len()];
        let mut stack: Vec<TermId> = roots.to_vec();
        let mut found = Vec::new();
        while let Some(term) = stack.pop() {
            if !std::mem::replace(&mut seen[term.index()], true) {
                found.push(term);
                stack.extend(self[term].children());
            }
        }
        // Ids ascend from sub-terms to terms.
        found.sort_unstable();
        found
    }

    /// The node as it is, without rewriting.
    fn intern(&mut self, term: Term) -> TermId {
        let (index, new) = self.nodes.insert_full(term);
        if new {
            let sort = self.sort_of(&term);
            let facts = match sort {
                Sort::BitVec(width) => {
                    let facts = TermFacts::of(self, &term, width);
                    (!term.is_leaf() && facts != TermFacts::nothing(width)).then(|| self.facts.push(facts))
                }
                Sort::Bool | Sort::Array { .. } => None,
            };
            for child in term.children() {
                self.infos[child.index()].uses += 1;
            }
            self.infos.push(Info { sort, facts, uses: 0 });
        }
        TermId::from_index(index)
    }

    /// The node, rewritten by the first rule that fits, or as it is.
    fn make(&mut self, term: Term) -> TermId {
        if !self.rewriting || self.nesting >= MAX_NESTING {
            return self.intern(term);
        }
        if let Some(index) = self.nodes.get_index_of(&term) {
            // It was built before, so no rule applies to it.
            return TermId::from_index(index);
        }
        self.nesting += 1;
        let rewritten = rules::rewrite(self, &term);
        self.nesting -= 1;
        if let Some(rewritten) = rewritten {
            debug_assert_eq!(
                self.sort_of(&term),
                self.sort(rewritten),
                "a rule changed the sort of {term:?}"
            );
            return rewritten;
        }
        self.intern(term)
    }

    /// The sort of a node that need not be in the arena yet.
    fn sort_of(&self, term: &Term) -> Sort {
        match *term {
            Term::Symbol(symbol) => self.symbol_sort(symbol),
            Term::Bits { width, .. } => Sort::BitVec(width),
            Term::Bool(_)
            | Term::Not(_)
            | Term::And(..)
            | Term::Xor(..)
            | Term::Eq(..)
            | Term::Ult(..)
            | Term::Slt(..)
            | Term::UmulOverflow(..)
            | Term::SmulOverflow(..) => Sort::Bool,
            Term::Ite(_, a, _)
            | Term::BvNot(a)
            | Term::BvAnd(a, _)
            | Term::BvXor(a, _)
            | Term::Add(a, _)
            | Term::Mul(a, _)
            | Term::Udiv(a, _)
            | Term::Urem(a, _)
            | Term::Shl(a, _)
            | Term::Lshr(a, _)
            | Term::Ashr(a, _)
            | Term::Store(a, _, _) => self.sort(a),
            Term::Concat(a, b) => Sort::BitVec(self.width(a) + self.width(b)),
            Term::Extract { high, low, .. } => Sort::BitVec(high - low + 1),
            Term::SignExtend { by, of } => Sort::BitVec(self.width(of) + by),
            Term::Select(a, _) => Sort::BitVec(self.array_widths(a).1),
            Term::ConstArray { index, element } => Sort::Array { index, element: self.width(element) },
        }
    }
}
