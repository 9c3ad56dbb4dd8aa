//! Substitution: a term with other terms in place of some of its sub-terms.

use rustc_hash::FxHashMap;

use super::{Term, TermId, Terms};

impl Terms {
    /// The terms, with each sub-term that `map` names replaced by what it names, all at once: what is put in is not looked into.
    pub fn substitute(&mut self, roots: &[TermId], map: &FxHashMap<TermId, TermId>) -> Vec<TermId> {
        let mut made: FxHashMap<TermId, TermId> = map.clone();
        // What is replaced is not looked into either, so walk from the roots and stop there.
        let mut stack: Vec<TermId> = roots.to_vec();
        let mut needed: Vec<TermId> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(term) = stack.pop() {
            if !map.contains_key(&term) && seen.insert(term) {
                needed.push(term);
                stack.extend(self[term].children());
            }
        }
        // Ids ascend from sub-terms to terms.
        needed.sort_unstable();
        for term in needed {
            let rebuilt = self.with_children(term, &made);
            made.insert(term, rebuilt);
        }
        roots.iter().map(|root| made[root]).collect()
    }

    /// The term with other operands.
    fn with_children(&mut self, term: TermId, to: &FxHashMap<TermId, TermId>) -> TermId {
        let node = self[term];
        if node.children().iter().all(|child| to[child] == *child) {
            return term;
        }
        let new = |child: TermId| to[&child];
        // Operands of commutative operators are ordered anew.
        let node = match node {
            Term::Symbol(_) | Term::Bool(_) | Term::Bits { .. } => node,
            Term::Not(a) => Term::Not(new(a)),
            Term::And(a, b) => return self.and(new(a), new(b)),
            Term::Xor(a, b) => return self.xor(new(a), new(b)),
            Term::Ite(c, a, b) => Term::Ite(new(c), new(a), new(b)),
            Term::Eq(a, b) => return self.eq(new(a), new(b)),
            Term::Ult(a, b) => Term::Ult(new(a), new(b)),
            Term::Slt(a, b) => Term::Slt(new(a), new(b)),
            Term::UmulOverflow(a, b) => Term::UmulOverflow(new(a), new(b)),
            Term::SmulOverflow(a, b) => Term::SmulOverflow(new(a), new(b)),
            Term::BvNot(a) => Term::BvNot(new(a)),
            Term::BvAnd(a, b) => return self.bvand(new(a), new(b)),
            Term::BvXor(a, b) => return self.bvxor(new(a), new(b)),
            Term::Add(a, b) => return self.add(new(a), new(b)),
            Term::Mul(a, b) => return self.mul(new(a), new(b)),
            Term::Udiv(a, b) => Term::Udiv(new(a), new(b)),
            Term::Urem(a, b) => Term::Urem(new(a), new(b)),
            Term::Shl(a, b) => Term::Shl(new(a), new(b)),
            Term::Lshr(a, b) => Term::Lshr(new(a), new(b)),
            Term::Ashr(a, b) => Term::Ashr(new(a), new(b)),
            Term::Concat(a, b) => Term::Concat(new(a), new(b)),
            Term::Extract { high, low, of } => Term::Extract { high, low, of: new(of) },
            Term::SignExtend { by, of } => Term::SignExtend { by, of: new(of) },
            Term::Select(a, b) => Term::Select(new(a), new(b)),
            Term::Store(a, b, c) => Term::Store(new(a), new(b), new(c)),
            Term::ConstArray { index, element } => Term::ConstArray { index, element: new(element) },
        };
        self.make(node)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::term::Sort;

    #[test]
    fn symbols_are_replaced_at_once_and_what_results_is_simplified() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::BitVec(8)));
        let one = terms.bits(1, 8);
        let sum = terms.add(x, one);
        let less = terms.ult(sum, y);
        let swapped = terms.substitute(&[less], &[(x, y), (y, x)].into_iter().collect());
        let expected = {
            let sum = terms.add(y, one);
            terms.ult(sum, x)
        };
        assert_eq!(swapped, [expected]);
        let (three, four) = (terms.bits(3, 8), terms.bits(4, 8));
        let constant = terms.substitute(&[less, sum], &[(x, three), (y, four)].into_iter().collect());
        assert_eq!((terms.as_bool(constant[0]), terms.as_bits(constant[1])), (Some(false), Some(4)));
    }

    #[test]
    fn whole_subterms_are_replaced_too() {
        let mut terms = Terms::new();
        let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::BitVec(8)));
        let condition = terms.ult(x, y);
        let chosen = terms.ite(condition, x, y);
        let truth = terms.bool(true);
        assert_eq!(terms.substitute(&[chosen], &[(condition, truth)].into_iter().collect()), [x]);
    }
}
