//! What a solver reports to a theory and asks of it, for any solver: DPLL(T) (Nieuwenhuis, Oliveras and Tinelli: "Solving SAT and
//! SAT Modulo Theories", JACM 2006).
//!
//! The solver assigns literals level by level. A theory hears of the variables it
//! [observes](Theory::observed), may derive further literals, and must object to an assignment it cannot
//! agree with, at the latest when all is assigned. Reasons are asked for later and only for the few
//! propagations a conflict depends on.
//!
//! Invariant every theory keeps: a conflict or an explanation names only literals that are true, and an
//! explanation only those that were assigned when the literal was propagated. What was assigned at level zero
//! need not be named. A theory that propagates little is slow; one that explains wrongly is unsound.

use super::{Lit, Var};

/// Literals that are all true now and that the theory cannot accept together. Never empty unless the
/// theory has no model at all, given what was assigned at level zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict(pub Vec<Lit>);

/// A theory that a SAT solver consults while it searches.
///
/// Between two `solve_with` calls the theory is always at level zero, with everything above undone. What
/// was assigned at level zero follows from the clauses and stays for good; it is not sent again.
pub trait Theory {
    /// The variables the theory wants to hear of. Asked at the start of each `solve_with`; the list may
    /// only have grown. No variable may be listed twice.
    fn observed(&self) -> &[Var];

    /// A `solve_with` starts, at level zero. Here it takes in what was added since the last one.
    fn begin(&mut self) {}

    /// A literal of an observed variable became true at the current level. Literals that the theory itself
    /// propagated are sent as well; a literal may be sent again while it is true.
    fn assign(&mut self, lit: Lit);

    /// The solver opens a decision level.
    fn new_level(&mut self);

    /// The solver drops all levels above this one: their assignments are undone. May be called with the
    /// current level, and then means nothing.
    fn backtrack(&mut self, level: u32);

    /// Draws conclusions from all that was assigned: pushes literals of observed variables that must be true
    /// (in any state of assignment but true), or objects.
    ///
    /// # Errors
    /// The assigned literals that cannot hold together.
    fn propagate(&mut self, implied: &mut Vec<Lit>) -> Result<(), Conflict>;

    /// Pushes the literals that made the theory propagate `lit`. They were all true at that moment.
    fn explain(&mut self, lit: Lit, reason: &mut Vec<Lit>);

    /// All observed variables are assigned, and [`propagate`](Self::propagate) had nothing to say. The last
    /// chance to object.
    ///
    /// # Errors
    /// The assigned literals that cannot hold together.
    fn check_final(&mut self) -> Result<(), Conflict> {
        Ok(())
    }

    /// A literal of an observed, unassigned variable to decide on next, or `None` to leave it to the solver.
    /// Solvers without such a hook never ask.
    fn decide(&mut self) -> Option<Lit> {
        None
    }
}

/// The theory that observes nothing and accepts everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoTheory;

impl Theory for NoTheory {
    fn observed(&self) -> &[Var] {
        &[]
    }
    fn assign(&mut self, _lit: Lit) {}
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _level: u32) {}
    fn propagate(&mut self, _implied: &mut Vec<Lit>) -> Result<(), Conflict> {
        Ok(())
    }
    fn explain(&mut self, _lit: Lit, _reason: &mut Vec<Lit>) {}
}
