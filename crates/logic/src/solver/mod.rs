//! The façade that engines use: assert terms and order facts, check, read a model or a core.
//!
//! [`Solver`] is one trait with two implementations: [`Embedded`], which bit-blasts to a SAT solver in this
//! process and is what engines use, and [`External`](crate::smtlib::External), which pipes SMT-LIB to an
//! installed solver and serves as a second opinion. Terms live in an arena that the caller owns and lends to
//! each call.
//!
//! Assertions are retracted by [`pop`](Solver::pop); clauses and order facts are not, they accumulate. What should
//! hold only sometimes is put under a condition or an assumption.
//!
//! An answer is never made up: debug builds evaluate all that was asserted under each model, and an answer
//! that did not come in time is [`Answer::Unknown`].

mod embedded;
pub mod record;

use std::fmt;

use raddle_base::Budget;

pub use crate::order::NodeId;
pub use crate::sat::{Answer, Stop};
use crate::term::{Model, TermId, Terms, Value};
pub use embedded::Embedded;
pub use record::QueryRecord;

/// The caller's number for an assertion, to recognise it in a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(pub u32);

/// What together has no model.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Core {
    /// The named assertions that were used, ascending.
    pub names: Vec<Name>,
    /// The assumptions that were used, in the order they were given.
    pub assumptions: Vec<TermId>,
}

/// What a solver did so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Terms asserted.
    pub assertions: u64,
    /// Calls of `check`.
    pub checks: u64,
    /// Gates made.
    pub gates: u64,
    /// Lemmas about arrays.
    pub array_lemmas: u64,
    /// Of the SAT solver.
    pub sat: crate::sat::Statistics,
    /// Of the theory of order.
    pub order: crate::order::OrderStatistics,
}

/// Why a check could not be made at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SolverError {
    /// The program is not installed.
    #[error("solver `{program}` cannot be started ({why}); {advice}")]
    Missing {
        /// What was to be started.
        program: String,
        /// What the system said.
        why: String,
        /// What to do about it.
        advice: String,
    },
    /// The program said something that is not understood.
    #[error("solver `{program}` gave an unexpected answer: {answer}")]
    Unexpected {
        /// What was started.
        program: String,
        /// The beginning of what it said.
        answer: String,
    },
}

/// Decides whether terms and order facts can hold together. See the [module](self).
///
/// ```
/// use raddle_base::Budget;
/// use raddle_logic::solver::{Answer, Embedded, Solver};
/// use raddle_logic::term::{Sort, Terms};
///
/// let mut terms = Terms::new();
/// let mut solver = Embedded::new();
/// let x = terms.symbol("x", Sort::BitVec(32));
/// let (square, expected) = (terms.mul(x, x), terms.bits(1_000_001_529, 32));
/// let equal = terms.eq(square, expected);
/// solver.assert(&mut terms, equal);
///
/// let answer = solver.check(&mut terms, &[], &Budget::unlimited()).expect("nothing external");
/// assert_eq!(answer, Answer::Sat);
/// let root = solver.value(&terms, x).and_then(|value| value.as_bits()).expect("there is a model");
/// assert_eq!(root * root % (1 << 32), 1_000_001_529);
/// ```
pub trait Solver: fmt::Debug {
    /// A short name for reports.
    fn name(&self) -> String;

    /// The term shall hold, until the frame it is asserted in is popped.
    fn assert(&mut self, terms: &mut Terms, term: TermId);

    /// As [`assert`](Self::assert), and a core may name it.
    fn assert_named(&mut self, terms: &mut Terms, name: Name, term: TermId);

    /// If all conditions hold, so does one of the consequences, from now on and in all frames.
    fn assert_clause(&mut self, terms: &mut Terms, conditions: &[TermId], consequences: &[TermId]);

    /// If the condition holds, two values are equal, from now on and in all frames.
    fn assert_equal_if(&mut self, terms: &mut Terms, condition: TermId, a: TermId, b: TermId);

    /// Opens a frame of assertions.
    fn push(&mut self);

    /// Closes the last frame and retracts its assertions. Panics when there is none.
    fn pop(&mut self);

    /// Adds a node to be ordered.
    fn add_node(&mut self) -> NodeId;

    /// `before` is before `after`, always.
    fn add_edge(&mut self, before: NodeId, after: NodeId);

    /// If all conditions hold, `before` is before `after`. Derived facts go here: "r reads from w and w is
    /// before w' imply r before w'" is an edge from r to w' under two conditions.
    fn add_edge_if(&mut self, terms: &Terms, conditions: &[TermId], before: NodeId, after: NodeId);

    /// The Boolean term that says that `before` is before `after`; its negation says that `after` is before
    /// `before`. False when both are the same node.
    fn before(&mut self, terms: &mut Terms, before: NodeId, after: NodeId) -> TermId;

    /// Nothing gets between these nodes, and they follow each other in this order.
    fn make_atomic(&mut self, nodes: &[NodeId]);

    /// How many conflicts each later check may meet before it is given up. Solvers that do not count them keep no such limit.
    fn limit_conflicts(&mut self, limit: Option<u64>);

    /// Looks for a model of the assertions, the order facts and the assumptions.
    fn check(
        &mut self,
        terms: &mut Terms,
        assumptions: &[TermId],
        budget: &Budget,
    ) -> Result<Answer, SolverError>;

    /// The model, if the last check found one.
    fn model(&self) -> Option<&Model>;

    /// All nodes in an order that fits the model, if the last check found one.
    fn order(&self) -> Option<Vec<NodeId>>;

    /// What was to blame, if the last check found no model. Not always a smallest set.
    fn core(&self) -> Option<&Core>;

    /// Makes the core of the last check minimal, by leaving out one part after the other, as far as the
    /// budget goes.
    fn minimize_core(&mut self, terms: &mut Terms, budget: &Budget) -> Result<(), SolverError>;

    /// What was done so far.
    fn statistics(&self) -> Statistics;

    /// All that was declared and asserted, for a dump, if this solver keeps it.
    fn record(&self) -> &QueryRecord;

    /// The value of any term in the model, if the last check found one.
    fn value(&self, terms: &Terms, term: TermId) -> Option<Value> {
        Some(self.model()?.eval(terms, term))
    }

    /// The question as SMT-LIB text, for any solver to read.
    fn dump_smt2(&self, terms: &Terms, assumptions: &[TermId]) -> String {
        crate::smtlib::script(terms, self.record(), assumptions)
    }
}
