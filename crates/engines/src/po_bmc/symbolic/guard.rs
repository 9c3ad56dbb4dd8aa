//! Path conditions: conjunctions that remember how they were built.
//!
//! A guard is a list of literals from the start of its thread on, shared between paths. Where paths meet, what they have in
//! common is kept, and a condition taken one way on one path and the other way on the other disappears: after an
//! `if` the guard is what it was before. Keeping guards small this way is what keeps the whole question small.

use std::rc::Rc;

use raddle_logic::term::{TermId, Terms};

/// A path condition.
#[derive(Clone, Debug)]
pub(crate) struct Guard(Rc<Node>);

#[derive(Debug)]
struct Node {
    parent: Option<Guard>,
    /// The last conjunct.
    literal: TermId,
    /// How many conjuncts there are before it.
    depth: u32,
    /// All of them together.
    term: TermId,
}

impl Drop for Node {
    fn drop(&mut self) {
        // Long lists are taken apart without recursion.
        let mut next = self.parent.take();
        while let Some(Guard(node)) = next {
            next = Rc::into_inner(node).and_then(|mut node| node.parent.take());
        }
    }
}

impl Guard {
    /// The guard that is one literal.
    pub(crate) fn new(literal: TermId) -> Self {
        Self(Rc::new(Node { parent: None, literal, depth: 0, term: literal }))
    }

    /// The condition as a term.
    pub(crate) fn term(&self) -> TermId {
        self.0.term
    }

    /// Whether it can never be.
    pub(crate) fn is_false(&self, terms: &Terms) -> bool {
        terms.as_bool(self.0.term) == Some(false)
    }

    /// This and one more condition.
    pub(crate) fn and(&self, terms: &mut Terms, literal: TermId) -> Self {
        if terms.as_bool(literal) == Some(true) || self.implies(literal) {
            return self.clone();
        }
        let term = terms.and(self.0.term, literal);
        Self(Rc::new(Node { parent: Some(self.clone()), literal, depth: self.0.depth + 1, term }))
    }

    /// Whether a literal is one of the last conjuncts. Looks back a little only.
    pub(crate) fn implies(&self, literal: TermId) -> bool {
        const FAR: usize = 64;
        let mut node = Some(self);
        for _ in 0..FAR {
            let Some(guard) = node else { return false };
            if guard.0.literal == literal || guard.0.term == literal {
                return true;
            }
            node = guard.0.parent.as_ref();
        }
        false
    }

    /// The conjuncts of both behind what they have in common, and that.
    fn split(&self, other: &Self) -> (Option<Self>, Vec<TermId>, Vec<TermId>) {
        let (mut left, mut right) = (Some(self.clone()), Some(other.clone()));
        let (mut own, mut others) = (Vec::new(), Vec::new());
        loop {
            match (&left, &right) {
                (Some(a), Some(b)) if Rc::ptr_eq(&a.0, &b.0) => break,
                (Some(a), b) if b.as_ref().is_none_or(|b| a.0.depth >= b.0.depth) => {
                    own.push(a.0.literal);
                    left = a.0.parent.clone();
                }
                (_, Some(b)) => {
                    others.push(b.0.literal);
                    right = b.0.parent.clone();
                }
                (Some(_) | None, None) => break,
            }
        }
        own.reverse();
        others.reverse();
        (left, own, others)
    }

    /// How many conjuncts both have in common.
    pub(crate) fn common_depth(&self, other: &Self) -> u32 {
        self.split(other).0.map_or(0, |common| common.0.depth + 1)
    }

    /// The guard of where two different paths meet, and a condition that is true on the first one and false on the second.
    pub(crate) fn join(&self, other: &Self, terms: &mut Terms) -> (Self, TermId) {
        let (common, own, others) = self.split(other);
        let (first, second) = (own.first().copied(), others.first().copied());
        let opposite = match (first, second) {
            (Some(a), Some(b)) => terms.not(a) == b,
            (_, _) => false,
        };
        let (literal, selector) = if opposite {
            let condition = own[0];
            let then = terms.and_all(own[1..].iter().copied());
            let otherwise = terms.and_all(others[1..].iter().copied());
            (terms.ite(condition, then, otherwise), condition)
        } else {
            let then = terms.and_all(own.iter().copied());
            let otherwise = terms.and_all(others.iter().copied());
            // Paths exclude each other, so the one's own condition tells them apart.
            (terms.or(then, otherwise), then)
        };
        let guard = match common {
            Some(common) => common.and(terms, literal),
            None => Self::new(literal),
        };
        (guard, selector)
    }
}
