//! What follows from a guard without asking a solver.
//!
//! Guards grow as a thread goes on: each is an earlier one and another condition, or two branches that meet again. So it
//! pays to know, cheaply, that the guard of one event implies that of another, or excludes it.
//!
//! May miss implications and exclusions; never invents one.

use std::rc::Rc;

use raddle_logic::term::{Term, TermId, Terms};
use rustc_hash::{FxHashMap, FxHashSet};

/// How many facts are kept for all guards together; then the cache starts anew.
const CACHE_LIMIT: usize = 8_000_000;

/// How many parts of a goal are looked at.
const GOAL_LIMIT: usize = 4_096;

/// Terms that follow from a guard.
#[derive(Debug, Default)]
pub(super) struct Facts {
    holds: FxHashSet<TermId>,
    fails: FxHashSet<TermId>,
}

impl Facts {
    fn of(terms: &Terms, guard: TermId) -> Self {
        let mut facts = Self::default();
        let mut open = vec![guard];
        while let Some(term) = open.pop() {
            if !facts.holds.insert(term) {
                continue;
            }
            let Term::Not(inner) = terms[term] else {
                if let Term::And(a, b) = terms[term] {
                    open.extend([a, b]);
                }
                continue;
            };
            facts.fails.insert(inner);
            // A disjunction: what both sides say.
            if let Term::And(a, b) = terms[inner]
                && let (Term::Not(a), Term::Not(b)) = (terms[a], terms[b])
            {
                let left = conjuncts(terms, a);
                let right = conjuncts(terms, b);
                open.extend(left.into_iter().filter(|term| right.contains(term)));
            }
        }
        facts
    }

    fn excludes_part(&self, terms: &Terms, part: TermId) -> bool {
        match terms[part] {
            Term::Bool(value) => !value,
            Term::Not(inner) => self.holds.contains(&inner),
            Term::Symbol(_)
            | Term::Bits { .. }
            | Term::And(..)
            | Term::Xor(..)
            | Term::Ite(..)
            | Term::Eq(..)
            | Term::Ult(..)
            | Term::Slt(..)
            | Term::UmulOverflow(..)
            | Term::SmulOverflow(..)
            | Term::BvNot(_)
            | Term::BvAnd(..)
            | Term::BvXor(..)
            | Term::Add(..)
            | Term::Mul(..)
            | Term::Udiv(..)
            | Term::Urem(..)
            | Term::Shl(..)
            | Term::Lshr(..)
            | Term::Ashr(..)
            | Term::Concat(..)
            | Term::Extract { .. }
            | Term::SignExtend { .. }
            | Term::Select(..)
            | Term::Store(..)
            | Term::ConstArray { .. } => self.fails.contains(&part),
        }
    }
}

/// The conjuncts of a term, conjunctions among them included.
fn conjuncts(terms: &Terms, term: TermId) -> Vec<TermId> {
    let mut found = vec![term];
    let mut next = 0;
    while let Some(&part) = found.get(next) {
        next += 1;
        if let Term::And(a, b) = terms[part] {
            for part in [a, b] {
                if !found.contains(&part) {
                    found.push(part);
                }
            }
        }
    }
    found
}

/// Facts of guards that were asked for, kept.
#[derive(Debug, Default)]
pub(super) struct FactTable {
    known: FxHashMap<TermId, Rc<Facts>>,
    size: usize,
}

impl FactTable {
    /// What follows from a guard.
    pub(super) fn of(&mut self, terms: &Terms, guard: TermId) -> Rc<Facts> {
        if let Some(facts) = self.known.get(&guard) {
            return Rc::clone(facts);
        }
        let facts = Rc::new(Facts::of(terms, guard));
        self.size += facts.holds.len();
        if self.size > CACHE_LIMIT {
            self.known.clear();
            self.size = facts.holds.len();
        }
        self.known.insert(guard, Rc::clone(&facts));
        facts
    }
}

/// Whether the goal follows when all of these hold.
pub(super) fn implied(terms: &Terms, premises: &[&Facts], goal: TermId) -> bool {
    let mut open = vec![goal];
    let mut seen = 0;
    while let Some(part) = open.pop() {
        seen += 1;
        if seen > GOAL_LIMIT {
            return false;
        }
        if terms.as_bool(part) == Some(true) || premises.iter().any(|facts| facts.holds.contains(&part)) {
            continue;
        }
        if let Term::And(a, b) = terms[part] {
            open.extend([a, b]);
            continue;
        }
        let refuted = |term: &TermId| premises.iter().any(|facts| facts.fails.contains(term));
        if let Term::Not(inner) = terms[part]
            && let Term::And(a, b) = terms[inner]
            && (refuted(&a) || refuted(&b))
        {
            continue;
        }
        return false;
    }
    true
}

/// Whether the two guards cannot both hold.
pub(super) fn exclusive(terms: &Terms, a: &Facts, guard: TermId) -> bool {
    let mut open = vec![guard];
    let mut seen = 0;
    while let Some(part) = open.pop() {
        seen += 1;
        if seen > GOAL_LIMIT {
            return false;
        }
        // What both say is no contradiction, nor is what it consists of.
        if a.holds.contains(&part) {
            continue;
        }
        if a.excludes_part(terms, part) {
            return true;
        }
        if let Term::And(x, y) = terms[part] {
            open.extend([x, y]);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_logic::term::Sort;

    #[test]
    fn a_guard_implies_the_guards_it_grew_from() {
        let mut terms = Terms::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| terms.symbol(name, Sort::Bool));
        let ab = terms.and(a, b);
        let abc = terms.and(ab, c);
        let facts = Facts::of(&terms, abc);
        assert!(implied(&terms, &[&facts], ab) && implied(&terms, &[&facts], c));
        let ac = terms.and(a, c);
        assert!(implied(&terms, &[&facts], ac));
        let weak = Facts::of(&terms, ab);
        assert!(!implied(&terms, &[&weak], c));
        let only_c = Facts::of(&terms, c);
        assert!(implied(&terms, &[&weak, &only_c], abc));
    }

    #[test]
    fn branches_that_meet_again_imply_what_was_before() {
        let mut terms = Terms::new();
        let [g, c, granted, d] = ["g", "c", "granted", "d"].map(|name| terms.symbol(name, Sort::Bool));
        let mut guard = g;
        for condition in [c, d] {
            let yes = terms.and(guard, condition);
            let yes = terms.and(yes, granted);
            let negated = terms.not(condition);
            let no = terms.and(guard, negated);
            guard = terms.or(yes, no);
        }
        let facts = Facts::of(&terms, guard);
        assert!(implied(&terms, &[&facts], g));
        assert!(!implied(&terms, &[&facts], granted));
    }

    #[test]
    fn opposite_branches_exclude_each_other() {
        let mut terms = Terms::new();
        let [g, c, d] = ["g", "c", "d"].map(|name| terms.symbol(name, Sort::Bool));
        let yes = terms.and(g, c);
        let yes = terms.and(yes, d);
        let negated = terms.not(c);
        let no = terms.and(g, negated);
        let facts = Facts::of(&terms, yes);
        assert!(exclusive(&terms, &facts, no));
        assert!(!exclusive(&terms, &facts, g) && !exclusive(&terms, &facts, d));
        let facts = Facts::of(&terms, no);
        assert!(exclusive(&terms, &facts, yes));
    }
}
