//! Saying things to the solver: terms, clauses over terms, equalities under a condition, edges under conditions.
//!
//! Clauses and edges outnumber events by far, so the solver is mostly one that keeps no record of them, and its own check of
//! models does not know them; `check` looks at every model instead, in debug builds.

use raddle_logic::term::{Sort, TermId, Terms};

use super::Encoding;
use crate::execution_graph::events::StepId;

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
    pub(super) fn clause(&mut self, terms: &mut Terms, conditions: &[TermId], consequences: &[TermId]) {
        self.solver.assert_clause(terms, conditions, consequences);
    }

    /// If the condition holds, two values are equal.
    pub(super) fn equal_if(&mut self, terms: &mut Terms, condition: TermId, a: TermId, b: TermId) {
        self.solver.assert_equal_if(terms, condition, a, b);
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
        self.edges += 1;
        self.solver.add_edge_if(terms, conditions, self.nodes[before], self.nodes[after]);
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
