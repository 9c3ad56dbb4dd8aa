//! Abstract domains over vectors of mathematical integers, for abstract interpretation (Cousot and Cousot 1977).
//!
//! [`Boxes`] are intervals, [`Zones`] bound variables and their differences (Miné 2001), [`Equalities`] are affine (Karr 1976), and
//! [`Product`] is the last two, each made sharper by the other. All implement [`Domain`].
//!
//! An element stands for a set of integer vectors. Errors are in one direction: every operation gives a superset of what it
//! should give. Numbers that no longer fit into 128 bits are left out, which only makes the set larger.

mod boxes;
mod equalities;
mod form;
mod product;
mod zones;

#[cfg(test)]
mod laws;

pub use boxes::Boxes;
pub use equalities::Equalities;
pub use form::{Constraint, Form, Interval, Relation};
pub use product::Product;
pub use zones::Zones;

/// Sets of integer vectors with a common number of dimensions.
pub trait Domain: Clone + PartialEq + std::fmt::Debug {
    /// All vectors.
    fn top(dims: usize) -> Self;

    /// How many dimensions the vectors have.
    fn dims(&self) -> usize;

    /// Whether it is known to be empty.
    fn is_empty(&self) -> bool;

    /// Whether the other one is known to be a subset.
    fn includes(&self, other: &Self) -> bool;

    /// What is in one of the two.
    fn join(&self, other: &Self) -> Self;

    /// What is in both.
    fn meet(&self, other: &Self) -> Self;

    /// What is in one of the two, and chains of it end soon: a bound that moved goes on to the next of the thresholds, which are
    /// in ascending order.
    fn widen(&self, next: &Self, thresholds: &[i128]) -> Self;

    /// Keeps those that satisfy the constraint.
    fn guard(&mut self, constraint: &Constraint);

    /// Gives a variable the value of a form.
    fn assign(&mut self, variable: usize, value: &Form);

    /// Gives a variable any value.
    fn forget(&mut self, variable: usize);

    /// Between which numbers the value of a form is.
    fn bounds(&self, form: &Form) -> Interval;

    /// Constraints that together say what is known.
    fn constraints(&self) -> Vec<Constraint>;

    /// Moves each variable to where `to` says, without a place forgets it, and gives those that nothing moves to any value.
    fn remap(&self, dims: usize, to: &[Option<usize>]) -> Self;

    /// Whether all its vectors are known to satisfy the constraint.
    fn entails(&self, constraint: &Constraint) -> bool {
        self.is_empty() || constraint.holds_within(self.bounds(&constraint.form))
    }
}
