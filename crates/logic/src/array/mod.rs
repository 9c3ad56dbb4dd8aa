//! Arrays by lemmas on demand.
//!
//! To the SAT solver a read is a vector of free bits and an equality of arrays a free bit. When it has found
//! a model, [`Arrays::check`] looks whether there are arrays that fit: it carries every read (and, where
//! arrays are compared, every store) through the stores, choices and equalities that do not touch its index
//! under the model, and compares where two meet at the same index. Where they disagree, a lemma says why they
//! may not: a consequence of the theory of arrays that the model breaks, built of ordinary terms. After
//! Brummayer and Biere, "Lemmas on Demand for the Extensional Theory of Arrays", JSAT 2009.
//!
//! Every equality of arrays is given an index at which they differ if it is false; constant arrays need an
//! index that nothing else touches when two of them are made equal.
//!
//! Invariants: a lemma holds in every model of the theory, so it may stay for ever; each lemma is broken by
//! the model it was made for, so the search ends.

#![expect(clippy::wildcard_enum_match_arm, reason = "array terms are stores, choices, constants and symbols")]

use std::collections::BTreeMap;

use indexmap::{IndexMap, IndexSet};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::blast::Blaster;
use crate::term::bits::mask;
use crate::term::{ArrayValue, Evaluator, Sort, SymbolId, Term, TermId, Terms};

/// What is known of the arrays in the terms that were blasted.
#[derive(Debug, Default)]
pub struct Arrays {
    /// How many of the blaster's free terms were looked at.
    looked: usize,
    reads: Vec<TermId>,
    equalities: Vec<TermId>,
    /// All array terms met, sub-terms first among those met together.
    arrays: IndexSet<TermId, FxBuildHasher>,
    /// For each array, the stores and choices directly above it.
    above: FxHashMap<TermId, Vec<TermId>>,
    lemmas: u64,
}

/// What [`Arrays::check`] found.
#[derive(Debug)]
pub enum Checked {
    /// Arrays that fit the model.
    Consistent(Vec<(SymbolId, ArrayValue)>),
    /// Terms that must hold and do not.
    Lemmas(Vec<TermId>),
}

impl Arrays {
    /// How many lemmas were made so far.
    #[must_use]
    pub const fn lemma_count(&self) -> u64 {
        self.lemmas
    }

    /// Takes in what was blasted since the last call, and gives terms that must hold because of it.
    pub fn register(&mut self, terms: &mut Terms, blaster: &mut Blaster) -> Vec<TermId> {
        let mut facts = Vec::new();
        while self.looked < blaster.free_terms().len() {
            let term = blaster.free_terms()[self.looked];
            self.looked += 1;
            match terms[term] {
                Term::Select(array, index) => {
                    self.reads.push(term);
                    blaster.blast(terms, index);
                    self.meet(terms, blaster, array);
                }
                Term::Eq(a, b) => {
                    self.equalities.push(term);
                    // Both sides, since an equality may hold or not by what either is made of.
                    self.meet(terms, blaster, a);
                    self.meet(terms, blaster, b);
                    let (index_width, _) = terms.array_widths(a);
                    // An index of its own for each equality: if the arrays agree there, they are equal. So a
                    // false equality has a witness, which the reads below make visible to the SAT solver.
                    let witness = terms.fresh("differ", Sort::BitVec(index_width));
                    let (in_a, in_b) = (terms.select(a, witness), terms.select(b, witness));
                    let same = terms.eq(in_a, in_b);
                    facts.push(terms.implies(same, term));
                    // The reads must be seen here even if the fact was simplified.
                    for read in [in_a, in_b] {
                        blaster.blast(terms, read);
                    }
                }
                Term::Symbol(_) => {}
                ref other => unreachable!("{other:?} is not free"),
            }
        }
        facts
    }

    /// Takes in an array and what it is made of.
    fn meet(&mut self, terms: &Terms, blaster: &mut Blaster, root: TermId) {
        let mut open = vec![root];
        while let Some(array) = open.pop() {
            // Each array once: terms share their parts.
            if !self.arrays.insert(array) {
                continue;
            }
            for child in terms[array].children() {
                if matches!(terms.sort(child), Sort::Array { .. }) {
                    self.above.entry(child).or_default().push(array);
                    open.push(child);
                } else {
                    blaster.blast(terms, child);
                }
            }
        }
    }

    /// Whether there are arrays that fit the values in `evaluator`, which must be preset with the values of
    /// all free terms.
    pub fn check(&mut self, terms: &mut Terms, evaluator: &mut Evaluator<'_>) -> Checked {
        let mut pass = ModelCheck::new(self, terms, evaluator);
        pass.seed();
        // First everything that can be carried; constant arrays come last, because what they need are indices
        // that nothing has touched.
        pass.run();
        pass.join_constant_arrays();
        if pass.conflicts.is_empty() {
            return Checked::Consistent(pass.values());
        }
        let conflicts = std::mem::take(&mut pass.conflicts);
        let mut lemmas: IndexSet<TermId, FxBuildHasher> = IndexSet::default();
        // One lemma for each conflict: several at once save searches, and equal ones are one.
        for conflict in conflicts {
            lemmas.insert(pass.lemma(&conflict));
        }
        self.lemmas += lemmas.len() as u64;
        Checked::Lemmas(lemmas.into_iter().collect())
    }
}

/// An index of an array whose element is known: a read, or a store seen from above.
#[derive(Clone, Copy, Debug)]
struct ArrayAccess {
    index: TermId,
    element: TermId,
    index_value: u128,
    element_value: u128,
}

/// Why an access counts at an array it was not made at.
#[derive(Clone, Copy, Debug)]
enum VisitReason {
    /// It was made here.
    Here,
    /// A store at another index lies between.
    Passed(TermId),
    /// A choice with this condition, which is true, or not.
    Chosen(TermId, bool),
    /// An equality that is true.
    Equal(TermId),
}

/// An access at an array, and how it got there.
#[derive(Clone, Copy, Debug)]
struct AccessVisit {
    access: ArrayAccess,
    array: TermId,
    from: Option<usize>,
    why: VisitReason,
}

/// Two visits that disagree, or a visit that disagrees with the element of a constant array.
#[derive(Clone, Copy, Debug)]
enum Disagreement {
    Visits(usize, usize),
    Constant(usize, TermId),
}

/// One check of one model.
struct ModelCheck<'a, 'model> {
    arrays: &'a Arrays,
    terms: &'a mut Terms,
    evaluator: &'a mut Evaluator<'model>,
    visits: Vec<AccessVisit>,
    next: usize,
    /// The visit that was first at an array and index.
    found: IndexMap<(TermId, u128), usize, FxBuildHasher>,
    /// For each array, the equalities that are true and the other side.
    equal: FxHashMap<TermId, Vec<(TermId, TermId)>>,
    conflicts: Vec<Disagreement>,
}

impl<'a, 'model> ModelCheck<'a, 'model> {
    fn new(arrays: &'a Arrays, terms: &'a mut Terms, evaluator: &'a mut Evaluator<'model>) -> Self {
        let mut equal: FxHashMap<TermId, Vec<(TermId, TermId)>> = FxHashMap::default();
        for &equality in &arrays.equalities {
            // Equalities that are false in this model connect nothing. Their witnesses are reads like others.
            if evaluator.scalar(terms, equality) == 1
                && let Term::Eq(a, b) = terms[equality]
            {
                equal.entry(a).or_default().push((equality, b));
                equal.entry(b).or_default().push((equality, a));
            }
        }
        Self {
            arrays,
            terms,
            evaluator,
            visits: Vec::new(),
            next: 0,
            found: IndexMap::default(),
            equal,
            conflicts: Vec::new(),
        }
    }

    fn value(&mut self, term: TermId) -> u128 {
        self.evaluator.scalar(self.terms, term)
    }

    fn start(&mut self, array: TermId, index: TermId, element: TermId) {
        let (index_value, element_value) = (self.value(index), self.value(element));
        let access = ArrayAccess { index, element, index_value, element_value };
        self.visits.push(AccessVisit { access, array, from: None, why: VisitReason::Here });
    }

    /// All accesses where they are made: stores first, so that reads meet them.
    fn seed(&mut self) {
        for &array in &self.arrays.arrays {
            if let Term::Store(_, index, element) = self.terms[array] {
                self.start(array, index, element);
            }
        }
        for &read in &self.arrays.reads {
            if let Term::Select(array, index) = self.terms[read] {
                self.start(array, index, read);
            }
        }
    }

    /// Carries all visits on until none is left.
    fn run(&mut self) {
        while self.next < self.visits.len() {
            let position = self.next;
            self.next += 1;
            let visit = self.visits[position];
            // The value of the index and not its term: two terms with the same value meet here, and that is
            // what may go wrong.
            match self.found.entry((visit.array, visit.access.index_value)) {
                indexmap::map::Entry::Occupied(entry) => {
                    let other = *entry.get();
                    if self.visits[other].access.element_value != visit.access.element_value {
                        self.conflicts.push(Disagreement::Visits(other, position));
                    }
                }
                indexmap::map::Entry::Vacant(entry) => {
                    // Only the first visit is carried on. Those that agree with it would carry the same
                    // element to the same places.
                    entry.insert(position);
                    self.carry(position, visit);
                }
            }
        }
    }

    /// Carries a visit to the neighbours of its array.
    fn carry(&mut self, position: usize, visit: AccessVisit) {
        let index = visit.access.index_value;
        let node = self.terms[visit.array];
        match node {
            // A store at another index lets the access pass; one at this index is itself a visit from the
            // seed.
            Term::Store(below, at, _) if self.value(at) != index => {
                self.go(position, below, VisitReason::Passed(at))
            }
            Term::Ite(condition, a, b) => {
                let holds = self.value(condition) == 1;
                self.go(position, if holds { a } else { b }, VisitReason::Chosen(condition, holds));
            }
            Term::ConstArray { element, .. } if self.value(element) != visit.access.element_value => {
                self.conflicts.push(Disagreement::Constant(position, element));
            }
            // A symbol has nothing below it; a store and a constant array may end the way.
            _ => {}
        }
        // Only equalities let an element be seen from below.
        if self.equal.is_empty() {
            return;
        }
        for above in self.arrays.above.get(&visit.array).cloned().unwrap_or_default() {
            match self.terms[above] {
                Term::Store(_, at, _) => {
                    if self.value(at) != index {
                        self.go(position, above, VisitReason::Passed(at));
                    }
                }
                Term::Ite(condition, a, b) => {
                    let holds = self.value(condition) == 1;
                    if visit.array == (if holds { a } else { b }) {
                        self.go(position, above, VisitReason::Chosen(condition, holds));
                    }
                }
                _ => unreachable!("only stores and choices lie above arrays"),
            }
        }
        for (equality, other) in self.equal.get(&visit.array).cloned().unwrap_or_default() {
            self.go(position, other, VisitReason::Equal(equality));
        }
    }

    fn go(&mut self, position: usize, array: TermId, why: VisitReason) {
        let access = self.visits[position].access;
        self.visits.push(AccessVisit { access, array, from: Some(position), why });
    }

    /// The conditions under which a visit's access counts at the visit's array, given that its index is
    /// equal to `same`. Of the two, the older is compared with the stores in between: that comparison is
    /// more likely to be known to the solver.
    fn conditions(&mut self, mut position: usize, same: TermId, conditions: &mut Vec<TermId>) {
        loop {
            let visit = self.visits[position];
            match visit.why {
                VisitReason::Here => {}
                VisitReason::Passed(at) => {
                    let index = visit.access.index.min(same);
                    conditions.push(self.terms.ne(index, at));
                }
                VisitReason::Chosen(condition, true) => conditions.push(condition),
                VisitReason::Chosen(condition, false) => conditions.push(self.terms.not(condition)),
                VisitReason::Equal(equality) => conditions.push(equality),
            }
            let Some(from) = visit.from else { return };
            position = from;
        }
    }

    /// What the model breaks.
    fn lemma(&mut self, conflict: &Disagreement) -> TermId {
        let mut conditions = Vec::new();
        let conclusion = match *conflict {
            Disagreement::Visits(a, b) => {
                // Each way is a list of conditions; together with "the indices are equal" they force the
                // elements to be equal.
                let (from_a, from_b) = (a, b);
                let (a, b) = (self.visits[a].access, self.visits[b].access);
                self.conditions(from_a, b.index, &mut conditions);
                self.conditions(from_b, a.index, &mut conditions);
                conditions.push(self.terms.eq(a.index, b.index));
                self.terms.eq(a.element, b.element)
            }
            Disagreement::Constant(position, element) => {
                let access = self.visits[position].access;
                self.conditions(position, access.index, &mut conditions);
                self.terms.eq(access.element, element)
            }
        };
        let premise = self.terms.and_all(conditions);
        self.terms.implies(premise, conclusion)
    }

    /// Arrays that agree wherever nothing touches them: related by stores, choices and true equalities.
    fn classes(&mut self) -> ArrayClasses {
        let mut classes = ArrayClasses::default();
        for &array in &self.arrays.arrays {
            match self.terms[array] {
                Term::Store(below, _, _) => classes.join(array, below),
                Term::Ite(condition, a, b) => {
                    let holds = self.value(condition) == 1;
                    classes.join(array, if holds { a } else { b });
                }
                _ => {}
            }
            for &(_, other) in self.equal.get(&array).map_or(&[][..], Vec::as_slice) {
                classes.join(array, other);
            }
        }
        classes
    }

    /// Constant arrays with different elements that are made equal must differ at an index that
    /// nothing touches; if there is none, at every index.
    fn join_constant_arrays(&mut self) {
        // With conflicts there are lemmas already, and the next model may have none of this.
        if self.equal.is_empty() || !self.conflicts.is_empty() {
            return;
        }
        let mut classes = self.classes();
        let mut first: IndexMap<TermId, TermId, FxBuildHasher> = IndexMap::default();
        let mut clashing: IndexMap<TermId, TermId, FxBuildHasher> = IndexMap::default();
        for &array in &self.arrays.arrays {
            let Term::ConstArray { element, .. } = self.terms[array] else { continue };
            let class = classes.find(array);
            let Some(&known) = first.get(&class) else {
                first.insert(class, array);
                continue;
            };
            let Term::ConstArray { element: other, .. } = self.terms[known] else { continue };
            // One clash for each class is enough: if there are more, the next model shows them.
            if self.value(element) != self.value(other) {
                clashing.insert(class, known);
            }
        }
        for (class, array) in clashing {
            let touched: BTreeMap<u128, ()> = self
                .found
                .keys()
                .filter(|(array, _)| classes.find(*array) == class)
                .map(|&(_, index)| (index, ()))
                .collect();
            let Term::ConstArray { index: width, element } = self.terms[array] else { continue };
            // There is one unless every index is touched, which only happens with arrays of few elements.
            let untouched = (0..=mask(width)).find(|index| !touched.contains_key(index));
            let indices: Vec<u128> =
                untouched.map_or_else(|| (0..=mask(width)).collect(), |index| vec![index]);
            for index in indices {
                let index = self.terms.bits(index, width);
                self.start(array, index, element);
            }
        }
        self.run();
    }

    /// The values of the array symbols.
    fn values(&mut self) -> Vec<(SymbolId, ArrayValue)> {
        let mut defaults: FxHashMap<TermId, u128> = FxHashMap::default();
        let mut classes = ArrayClasses::default();
        if !self.equal.is_empty() {
            classes = self.classes();
            for &array in &self.arrays.arrays {
                if let Term::ConstArray { element, .. } = self.terms[array] {
                    let value = self.value(element);
                    defaults.insert(classes.find(array), value);
                }
            }
        }
        let mut values: IndexMap<TermId, ArrayValue, FxBuildHasher> = IndexMap::default();
        // An array that nothing fixes is zero everywhere else.
        for &array in &self.arrays.arrays {
            if self.terms.as_symbol(array).is_some() {
                let default = defaults.get(&classes.find(array)).copied().unwrap_or(0);
                values.insert(array, ArrayValue { default, entries: BTreeMap::new() });
            }
        }
        for (&(array, index), &position) in &self.found {
            if let Some(value) = values.get_mut(&array) {
                value.entries.insert(index, self.visits[position].access.element_value);
            }
        }
        values
            .into_iter()
            .map(|(array, value)| (self.terms.as_symbol(array).expect("only symbols are listed"), value))
            .collect()
    }
}

/// Disjoint sets of arrays.
#[derive(Debug, Default)]
struct ArrayClasses(FxHashMap<TermId, TermId>);

impl ArrayClasses {
    fn find(&mut self, array: TermId) -> TermId {
        let mut root = array;
        while let Some(&parent) = self.0.get(&root) {
            root = parent;
        }
        let mut below = array;
        while below != root {
            below = self.0.insert(below, root).unwrap_or(root);
        }
        // Path compression: each array met on the way points to the root afterwards.
        root
    }

    fn join(&mut self, a: TermId, b: TermId) {
        let (a, b) = (self.find(a), self.find(b));
        if a != b {
            self.0.insert(a, b);
        }
    }
}
