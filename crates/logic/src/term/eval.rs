//! The value of any term under a model, computed straight from the semantics.
//!
//! This shares nothing with the way to the SAT solver, which is why it can judge it: models are checked by
//! evaluating what was asserted, rewrite rules by evaluating both sides. Iterative: depth does not matter.

#![expect(clippy::wildcard_enum_match_arm, reason = "anything else has no such value, and says so")]

use std::collections::BTreeMap;

use raddle_base::Id;
use rustc_hash::FxHashMap;

use super::bits::{self, mask};
use super::{Sort, SymbolId, Term, TermId, Terms};

/// A total map from bit-vectors to bit-vectors: a default, and where it differs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArrayValue {
    /// The element at every index that has no entry.
    pub default: u128,
    /// The elements at some indices.
    pub entries: BTreeMap<u128, u128>,
}

impl ArrayValue {
    /// The element at an index.
    #[must_use]
    pub fn get(&self, index: u128) -> u128 {
        self.entries.get(&index).copied().unwrap_or(self.default)
    }

    /// Whether both are the same map, on indices of this width.
    #[must_use]
    pub fn same(&self, other: &Self, index_width: u32) -> bool {
        let mut touched: Vec<u128> = self.entries.keys().chain(other.entries.keys()).copied().collect();
        touched.sort_unstable();
        touched.dedup();
        // The defaults matter only if some index is touched by neither.
        let exhausted = index_width < usize::BITS && touched.len() as u128 == mask(index_width) + 1;
        touched.iter().all(|&index| self.get(index) == other.get(index))
            && (exhausted || self.default == other.default)
    }
}

/// The value of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// Of a Boolean.
    Bool(bool),
    /// Of a bit-vector: the width, and the value in the low bits.
    Bits {
        /// How wide.
        width: u32,
        /// The value.
        value: u128,
    },
    /// Of an array.
    Array(ArrayValue),
}

impl Value {
    /// The Boolean, if it is one.
    #[must_use]
    pub const fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            Self::Bits { .. } | Self::Array(_) => None,
        }
    }

    /// The bits, if it is a bit-vector.
    #[must_use]
    pub const fn as_bits(&self) -> Option<u128> {
        match self {
            Self::Bits { value, .. } => Some(*value),
            Self::Bool(_) | Self::Array(_) => None,
        }
    }
}

/// Values for uninterpreted constants. A constant without one counts as false, zero, or zero everywhere.
#[derive(Clone, Debug, Default)]
pub struct Model {
    scalars: FxHashMap<SymbolId, u128>,
    arrays: FxHashMap<SymbolId, ArrayValue>,
}

impl Model {
    /// Every constant false, zero, or zero everywhere.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Gives a Boolean constant its value.
    pub fn set_bool(&mut self, symbol: SymbolId, value: bool) {
        self.scalars.insert(symbol, u128::from(value));
    }

    /// Gives a bit-vector constant its value.
    pub fn set_bits(&mut self, symbol: SymbolId, value: u128) {
        self.scalars.insert(symbol, value);
    }

    /// Gives an array constant its value.
    pub fn set_array(&mut self, symbol: SymbolId, value: ArrayValue) {
        self.arrays.insert(symbol, value);
    }

    /// The value of a Boolean (zero or one) or bit-vector constant.
    #[must_use]
    pub fn scalar(&self, symbol: SymbolId) -> u128 {
        self.scalars.get(&symbol).copied().unwrap_or(0)
    }

    /// The value of an array constant, if it was given one.
    #[must_use]
    pub fn array(&self, symbol: SymbolId) -> Option<&ArrayValue> {
        self.arrays.get(&symbol)
    }

    /// The value of one term. To evaluate many, keep an [`Evaluator`].
    #[must_use]
    pub fn eval(&self, terms: &Terms, term: TermId) -> Value {
        Evaluator::new(self).eval(terms, term)
    }

    /// Whether a Boolean term holds.
    #[must_use]
    pub fn holds(&self, terms: &Terms, term: TermId) -> bool {
        Evaluator::new(self).holds(terms, term)
    }
}

/// Evaluates terms under one model and remembers what it has computed.
#[derive(Debug)]
pub struct Evaluator<'model> {
    model: &'model Model,
    /// Values of Booleans and bit-vectors, by term.
    done: Vec<Option<u128>>,
    /// Array terms whose operands have been evaluated.
    arrays_done: Vec<bool>,
}

impl<'model> Evaluator<'model> {
    /// Nothing computed yet.
    #[must_use]
    pub const fn new(model: &'model Model) -> Self {
        Self { model, done: Vec::new(), arrays_done: Vec::new() }
    }

    /// Takes this as the value of a Boolean or bit-vector term, whatever its operands say. Must come before
    /// anything that uses the term is evaluated.
    pub fn preset(&mut self, terms: &Terms, term: TermId, value: u128) {
        self.grow(terms);
        self.done[term.index()] = Some(value);
    }

    fn grow(&mut self, terms: &Terms) {
        if self.done.len() < terms.len() {
            self.done.resize(terms.len(), None);
            self.arrays_done.resize(terms.len(), false);
        }
    }

    /// The value of a term.
    pub fn eval(&mut self, terms: &Terms, term: TermId) -> Value {
        match terms.sort(term) {
            Sort::Bool => Value::Bool(self.scalar(terms, term) == 1),
            Sort::BitVec(width) => Value::Bits { width, value: self.scalar(terms, term) },
            Sort::Array { .. } => {
                self.complete(terms, term);
                Value::Array(self.array(terms, term))
            }
        }
    }

    /// Whether a Boolean term holds.
    pub fn holds(&mut self, terms: &Terms, term: TermId) -> bool {
        debug_assert_eq!(terms.sort(term), Sort::Bool);
        self.scalar(terms, term) == 1
    }

    /// The value of a Boolean (zero or one) or a bit-vector.
    pub fn scalar(&mut self, terms: &Terms, term: TermId) -> u128 {
        self.complete(terms, term);
        self.done[term.index()].expect("complete() has computed it")
    }

    fn is_done(&self, term: TermId) -> bool {
        self.done[term.index()].is_some() || self.arrays_done[term.index()]
    }

    /// Evaluates the term and everything below it, operands first.
    fn complete(&mut self, terms: &Terms, root: TermId) {
        self.grow(terms);
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            if self.is_done(term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            stack.extend(terms[term].children().iter().copied().filter(|&child| !self.is_done(child)));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            match terms.sort(term) {
                Sort::Array { .. } => self.arrays_done[term.index()] = true,
                Sort::Bool | Sort::BitVec(_) => {
                    let value = self.compute(terms, term);
                    self.done[term.index()] = Some(value);
                }
            }
        }
    }

    fn known(&self, term: TermId) -> u128 {
        self.done[term.index()].expect("operands are evaluated first")
    }

    fn compute(&self, terms: &Terms, term: TermId) -> u128 {
        let node = &terms[term];
        if let Some(value) = scalar_operation(terms, node, |child| self.known(child)) {
            return value;
        }
        match *node {
            Term::Symbol(symbol) => self.model.scalar(symbol),
            Term::Select(array, index) => self.element(terms, array, self.known(index)),
            Term::Eq(a, b) => {
                let (index_width, _) = terms.array_widths(a);
                u128::from(self.array(terms, a).same(&self.array(terms, b), index_width))
            }
            _ => unreachable!("{node:?} has a scalar operation"),
        }
    }

    /// What an array term, whose operands are evaluated, holds at an index.
    fn element(&self, terms: &Terms, mut array: TermId, index: u128) -> u128 {
        loop {
            match terms[array] {
                Term::Store(_, at, value) if self.known(at) == index => return self.known(value),
                Term::Store(below, _, _) => array = below,
                Term::Ite(condition, a, b) => array = if self.known(condition) == 1 { a } else { b },
                Term::ConstArray { element, .. } => return self.known(element),
                Term::Symbol(symbol) => return self.model.array(symbol).map_or(0, |array| array.get(index)),
                _ => unreachable!("{array} is no array"),
            }
        }
    }

    /// The whole value of an array term whose operands are evaluated.
    fn array(&self, terms: &Terms, mut array: TermId) -> ArrayValue {
        let mut written: BTreeMap<u128, u128> = BTreeMap::new();
        let mut base = loop {
            match terms[array] {
                Term::Store(below, at, value) => {
                    // The outermost store to an index is the one that counts.
                    written.entry(self.known(at)).or_insert_with(|| self.known(value));
                    array = below;
                }
                Term::Ite(condition, a, b) => array = if self.known(condition) == 1 { a } else { b },
                Term::ConstArray { element, .. } => {
                    break ArrayValue { default: self.known(element), entries: BTreeMap::new() };
                }
                Term::Symbol(symbol) => break self.model.array(symbol).cloned().unwrap_or_default(),
                _ => unreachable!("{array} is no array"),
            }
        };
        base.entries.extend(written);
        base
    }
}

/// The value of a node whose operands and result are Booleans or bit-vectors, from the operands' values;
/// `None` for constants without interpretation and for what reads or compares arrays. Booleans are zero or
/// one.
#[must_use]
pub fn scalar_operation(terms: &Terms, node: &Term, get: impl Fn(TermId) -> u128) -> Option<u128> {
    let width = |id: TermId| terms.width(id);
    Some(match *node {
        Term::Symbol(_) | Term::Select(..) | Term::Store(..) | Term::ConstArray { .. } => return None,
        Term::Bool(value) => u128::from(value),
        Term::Bits { value, .. } => value,
        Term::Not(a) => get(a) ^ 1,
        Term::And(a, b) | Term::BvAnd(a, b) => get(a) & get(b),
        Term::Xor(a, b) | Term::BvXor(a, b) => get(a) ^ get(b),
        Term::Ite(condition, a, b) => {
            if matches!(terms.sort(a), Sort::Array { .. }) {
                return None;
            }
            if get(condition) == 1 { get(a) } else { get(b) }
        }
        Term::Eq(a, b) => {
            if matches!(terms.sort(a), Sort::Array { .. }) {
                return None;
            }
            u128::from(get(a) == get(b))
        }
        Term::Ult(a, b) => u128::from(get(a) < get(b)),
        Term::Slt(a, b) => u128::from(bits::signed(get(a), width(a)) < bits::signed(get(b), width(b))),
        Term::UmulOverflow(a, b) => u128::from(bits::umul_overflows(get(a), get(b), width(a))),
        Term::SmulOverflow(a, b) => u128::from(bits::smul_overflows(get(a), get(b), width(a))),
        Term::BvNot(a) => !get(a) & mask(width(a)),
        Term::Add(a, b) => bits::add(get(a), get(b), width(a)),
        Term::Mul(a, b) => bits::mul(get(a), get(b), width(a)),
        Term::Udiv(a, b) => bits::udiv(get(a), get(b), width(a)),
        Term::Urem(a, b) => bits::urem(get(a), get(b)),
        Term::Shl(a, b) => bits::shl(get(a), get(b), width(a)),
        Term::Lshr(a, b) => bits::lshr(get(a), get(b), width(a)),
        Term::Ashr(a, b) => bits::ashr(get(a), get(b), width(a)),
        Term::Concat(a, b) => bits::concat(get(a), get(b), width(b)),
        Term::Extract { high, low, of } => bits::extract(get(of), high, low),
        Term::SignExtend { by, of } => bits::unsigned(bits::signed(get(of), width(of)), width(of) + by),
    })
}
