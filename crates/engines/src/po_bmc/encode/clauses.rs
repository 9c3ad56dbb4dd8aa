//! Saying things to the solver: terms, clauses over terms, equalities under a condition, edges under conditions.
//!
//! What is said often goes to the SAT solver and the order theory directly, without a term of its own: clauses outnumber events
//! by far. So the solver's record of what was asserted, and with it its own check of models, does not know them; `check` looks at
//! every model instead, in debug builds.

use std::rc::Rc;

use raddle_logic::sat::Lit;
use raddle_logic::solver::Solver;
use raddle_logic::term::{Sort, TermId, Terms};
use smallvec::SmallVec;

use super::Encoding;
use crate::po_bmc::events::StepId;

/// A bit of a value: known, or a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bit {
    Known(bool),
    Open(Lit),
}

impl Encoding<'_> {
    /// The term holds.
    pub(super) fn assert(&mut self, terms: &mut Terms, term: TermId) {
        if terms.as_bool(term) != Some(true) {
            self.solver.assert(terms, term);
        }
    }

    /// If all of these hold, so does that.
    pub(super) fn assert_if(&mut self, terms: &mut Terms, conditions: &[TermId], consequence: TermId) {
        let condition = terms.and_all(conditions.iter().copied());
        let term = terms.implies(condition, consequence);
        self.assert(terms, term);
    }

    /// If all of the first hold, so does one of the second.
    pub(super) fn clause(&mut self, terms: &Terms, conditions: &[TermId], consequences: &[TermId]) {
        let mut clause: SmallVec<[Lit; 8]> = SmallVec::new();
        for (part, sign) in
            conditions.iter().map(|part| (part, false)).chain(consequences.iter().map(|part| (part, true)))
        {
            match terms.as_bool(*part) {
                Some(value) if value == sign => return,
                Some(_) => {}
                None => {
                    let lit = self.solver.literal(terms, *part);
                    clause.push(if sign { lit } else { !lit });
                }
            }
        }
        self.solver.sat().add_clause(&clause);
    }

    /// If the condition holds, two values are equal.
    pub(super) fn equal_if(&mut self, terms: &mut Terms, condition: TermId, a: TermId, b: TermId) {
        if a == b {
            return;
        }
        // Being a constant is a literal that other conditions can use, too.
        if terms.sort(a) == Sort::Bool || terms.as_bits(a).is_some() || terms.as_bits(b).is_some() {
            let equal = terms.eq(a, b);
            self.clause(terms, &[condition], &[equal]);
            return;
        }
        let unless: Option<Lit> = match terms.as_bool(condition) {
            Some(false) => return,
            Some(true) => None,
            None => Some(!self.solver.literal(terms, condition)),
        };
        let (a, b) = (self.bits(terms, a), self.bits(terms, b));
        for (&a, &b) in a.iter().zip(b.iter()) {
            let mut say = |parts: &[Lit]| {
                let clause: SmallVec<[Lit; 4]> = unless.iter().chain(parts).copied().collect();
                self.solver.sat().add_clause(&clause);
            };
            match (a, b) {
                (Bit::Known(a), Bit::Known(b)) if a == b => {}
                (Bit::Known(_), Bit::Known(_)) => say(&[]),
                (Bit::Known(true), Bit::Open(lit)) | (Bit::Open(lit), Bit::Known(true)) => say(&[lit]),
                (Bit::Known(false), Bit::Open(lit)) | (Bit::Open(lit), Bit::Known(false)) => say(&[!lit]),
                (Bit::Open(a), Bit::Open(b)) if a == b => {}
                (Bit::Open(a), Bit::Open(b)) => {
                    say(&[!a, b]);
                    say(&[a, !b]);
                }
            }
        }
    }

    /// The bits of a bit-vector.
    fn bits(&mut self, terms: &mut Terms, value: TermId) -> Rc<[Bit]> {
        if let Some(bits) = self.bits.get(&value) {
            return Rc::clone(bits);
        }
        let bits = (0..terms.width(value))
            .map(|place| {
                let bit = terms.bit(value, place);
                terms.as_bool(bit).map_or_else(|| Bit::Open(self.solver.literal(terms, bit)), Bit::Known)
            })
            .collect::<Rc<[Bit]>>();
        self.bits.insert(value, Rc::clone(&bits));
        bits
    }

    /// If all of these hold, one step is before the other.
    pub(super) fn edge_if(
        &mut self,
        terms: &mut Terms,
        conditions: &[TermId],
        before: StepId,
        after: StepId,
    ) {
        if self.reach.before(before, after)
            || conditions.iter().any(|&term| terms.as_bool(term) == Some(false))
        {
            return;
        }
        if before == after || self.reach.before(after, before) {
            self.clause(terms, conditions, &[]);
            return;
        }
        let lits: SmallVec<[Lit; 4]> = conditions
            .iter()
            .filter(|&&term| terms.as_bool(term).is_none())
            .map(|&term| self.solver.literal(terms, term))
            .collect();
        self.edges += 1;
        let (before, after) = (self.nodes[before], self.nodes[after]);
        self.solver.order_theory().add_conditional_edge(&lits, before, after);
    }

    /// The condition under which one step is before another.
    pub(super) fn before(&mut self, terms: &mut Terms, before: StepId, after: StepId) -> TermId {
        if self.reach.before(before, after) {
            return terms.bool(true);
        }
        if before == after || self.reach.before(after, before) {
            return terms.bool(false);
        }
        self.solver.before(terms, self.nodes[before], self.nodes[after])
    }
}

/// A new Boolean symbol.
pub(super) fn choice(terms: &mut Terms, name: &str) -> TermId {
    terms.fresh(name, Sort::Bool)
}
