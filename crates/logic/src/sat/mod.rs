//! The one trait every SAT solver is used through, and the solvers behind it.
//!
//! - [`cadical`] binds CaDiCaL and is the default; it stands behind the feature `cadical`.
//! - [`batsat`] is pure Rust: the second opinion, and the default of a build without a C++ compiler.
//! - [`dimacs`] records the clauses on their way to another solver, and writes and reads DIMACS.
//!
//! A theory (see [`theory`]) is not stored in the solver: it is lent for the time of one
//! [`Sat::solve_with`], so its owner may add to it between two calls.
//!
//! Invariant: an answer is never made up. A solver that ran out of its budget says [`Answer::Unknown`]; a
//! panic in a theory surfaces as a panic of `solve_with`, also when a C++ solver called the theory.

use std::fmt;
use std::ops::Not;

use raddle_base::{Budget, Exhausted};

pub mod batsat;
#[cfg(feature = "cadical")]
pub mod cadical;
pub mod dimacs;
pub mod theory;

pub use theory::{Conflict, NoTheory, Theory};

/// A propositional variable, numbered from zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

/// A variable or its negation, as `2 * variable + negated`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(pub u32);

impl Var {
    /// The variable as a position in a table.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The variable itself.
    #[must_use]
    pub const fn positive(self) -> Lit {
        Lit(self.0 << 1)
    }

    /// The variable's negation.
    #[must_use]
    pub const fn negative(self) -> Lit {
        Lit(self.0 << 1 | 1)
    }

    /// The literal that is true exactly when the variable has this value.
    #[must_use]
    pub const fn literal(self, value: bool) -> Lit {
        if value { self.positive() } else { self.negative() }
    }
}

impl Lit {
    /// The variable, negated or not.
    #[must_use]
    pub const fn new(var: Var, negated: bool) -> Self {
        Self(var.0 << 1 | negated as u32)
    }

    /// The variable it speaks of.
    #[must_use]
    pub const fn var(self) -> Var {
        Var(self.0 >> 1)
    }

    /// Whether it is the negation of its variable.
    #[must_use]
    pub const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// The literal as a position in a table with two entries per variable.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The literal as DIMACS writes it: variables from one, the negation by a minus sign.
    #[must_use]
    pub fn to_dimacs(self) -> i32 {
        let number = i32::try_from(self.0 >> 1).expect("a variable is below 2^31") + 1;
        if self.is_negated() { -number } else { number }
    }

    /// The literal that DIMACS writes so; `None` for zero, which ends a clause.
    #[must_use]
    pub const fn from_dimacs(number: i32) -> Option<Self> {
        if number == 0 {
            return None;
        }
        Some(Self::new(Var(number.unsigned_abs() - 1), number < 0))
    }

    /// The literal's value when its variable has this value.
    #[must_use]
    pub const fn under(self, variable_value: bool) -> bool {
        variable_value != self.is_negated()
    }
}

impl Not for Lit {
    type Output = Self;
    fn not(self) -> Self {
        Self(self.0 ^ 1)
    }
}

impl From<Var> for Lit {
    fn from(var: Var) -> Self {
        var.positive()
    }
}

impl fmt::Display for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{}", self.0)
    }
}

impl fmt::Display for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.is_negated() { "!" } else { "" }, self.var())
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What [`Sat::solve`] found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is a model; [`Sat::value`] gives it.
    Sat,
    /// There is none; [`Sat::failed`] says which assumptions were to blame.
    Unsat,
    /// The budget or the conflict limit ended first.
    Unknown(Stop),
}

/// Why a solver stopped without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The budget ended.
    Budget(Exhausted),
    /// The number of conflicts allowed by [`Sat::set_conflict_limit`] was reached.
    Conflicts,
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Budget(exhausted) => exhausted.fmt(f),
            Self::Conflicts => f.write_str("conflict limit reached"),
        }
    }
}

/// What a solver did so far, over all its `solve` calls.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Variables made.
    pub variables: u64,
    /// Clauses given to the solver, before it simplified anything.
    pub clauses: u64,
    /// How often `solve` was called.
    pub solves: u64,
    /// Conflicts met.
    pub conflicts: u64,
    /// Decisions taken.
    pub decisions: u64,
    /// Literals propagated by clauses.
    pub propagations: u64,
    /// Restarts.
    pub restarts: u64,
    /// Literals propagated by the theory.
    pub theory_propagations: u64,
    /// Conflicts found by the theory.
    pub theory_conflicts: u64,
    /// Propagations the solver asked the theory to explain.
    pub theory_explanations: u64,
}

/// An incremental SAT solver.
///
/// Clauses only ever accumulate; what must be retracted is guarded by a literal that is assumed or not. The
/// model and the failed assumptions belong to the last `solve` and are gone with the next change.
///
/// ```
/// use raddle_base::Budget;
/// use raddle_logic::sat::{Answer, default_solver};
///
/// let mut solver = default_solver();
/// let (rain, wet) = (solver.new_var().positive(), solver.new_var().positive());
/// solver.add_clause(&[!rain, wet]);
///
/// assert_eq!(solver.solve(&[rain], &Budget::unlimited()), Answer::Sat);
/// assert_eq!(solver.value(wet), Some(true));
///
/// assert_eq!(solver.solve(&[rain, !wet], &Budget::unlimited()), Answer::Unsat);
/// assert!(solver.failed(rain) && solver.failed(!wet));
/// ```
pub trait Sat: fmt::Debug {
    /// Makes a variable; they are numbered from zero in the order they are made.
    fn new_var(&mut self) -> Var;

    /// How many variables were made.
    fn variables(&self) -> u32;

    /// Adds a clause over variables that were made. The empty clause makes everything unsatisfiable.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Looks for a model of the clauses in which the assumptions hold and the theory agrees.
    ///
    /// The theory must be the same one at each call: what the solver learnt from it stays.
    fn solve_with(&mut self, assumptions: &[Lit], theory: &mut dyn Theory, budget: &Budget) -> Answer;

    /// Looks for a model of the clauses in which the assumptions hold.
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> Answer {
        self.solve_with(assumptions, &mut NoTheory, budget)
    }

    /// The literal's value in the model of the last `solve`; `None` when that gave none, or when the model
    /// does not care.
    fn value(&self, lit: Lit) -> Option<bool>;

    /// Whether this assumption of the last `solve` was used to show that there is no model. Together the
    /// failed assumptions are an unsatisfiable core, not always a smallest one.
    fn failed(&self, lit: Lit) -> bool;

    /// When deciding on this variable, try this literal first. A hint, kept until cleared.
    fn set_phase(&mut self, lit: Lit);

    /// Withdraws [`set_phase`](Self::set_phase).
    fn clear_phase(&mut self, var: Var);

    /// How many conflicts each later `solve` may meet before it gives up; `None` for no limit.
    fn set_conflict_limit(&mut self, limit: Option<u64>);

    /// What was done so far.
    fn statistics(&self) -> Statistics;

    /// A short name for reports: `cadical`, `batsat`.
    fn name(&self) -> &'static str;
}

/// The solver to use when nothing speaks for another: CaDiCaL, or batsat in a build without it.
#[must_use]
pub fn default_solver() -> Box<dyn Sat> {
    #[cfg(feature = "cadical")]
    return Box::new(cadical::Cadical::new());
    #[cfg(not(feature = "cadical"))]
    return Box::new(batsat::Batsat::new());
}

#[cfg(test)]
mod tests;
