//! Rules for Boolean connectives and if-then-else.

use super::super::{Sort, Term, TermId, Terms};

/// Whether one is the negation of the other.
fn complementary(terms: &Terms, a: TermId, b: TermId) -> bool {
    terms[a] == Term::Not(b) || terms[b] == Term::Not(a)
}

/// The operands of a conjunction.
fn as_and(terms: &Terms, a: TermId) -> Option<(TermId, TermId)> {
    if let Term::And(x, y) = terms[a] { Some((x, y)) } else { None }
}

/// The operands of a negated conjunction.
fn as_nand(terms: &Terms, a: TermId) -> Option<(TermId, TermId)> {
    if let Term::Not(inner) = terms[a] { as_and(terms, inner) } else { None }
}

/// `not not a` is `a`.
pub(super) fn not_not(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Not(a) = node else { return None };
    if let Term::Not(inner) = terms[a] { Some(inner) } else { None }
}

/// `false and a` is false, `true and a` is `a`.
pub(super) fn and_constant(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::And(a, b) = node else { return None };
    Some(if terms.as_bool(a)? { b } else { a })
}

/// `a and a` is `a`.
pub(super) fn and_same(_: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::And(a, b) = node else { return None };
    (a == b).then_some(a)
}

/// `a and not a` is false.
pub(super) fn and_complement(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::And(a, b) = node else { return None };
    complementary(terms, a, b).then(|| terms.bool(false))
}

/// `a and (a and x)` is `a and x`; with `not a` inside, it is false.
pub(super) fn and_absorb(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::And(a, b) = node else { return None };
    for (a, b) in [(a, b), (b, a)] {
        let Some((x, y)) = as_and(terms, b) else { continue };
        if a == x || a == y {
            return Some(b);
        }
        if complementary(terms, a, x) || complementary(terms, a, y) {
            return Some(terms.bool(false));
        }
    }
    None
}

/// `a and not (a and x)` is `a and not x`; `a and not (not a and x)` is `a`. The `a` may also be one of two
/// conjuncts.
pub(super) fn and_subsume(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::And(a, b) = node else { return None };
    for (a, b) in [(a, b), (b, a)] {
        let Some((x, y)) = as_nand(terms, b) else { continue };
        let known = as_and(terms, a).map_or([a, a], |(p, q)| [p, q]);
        for (x, y) in [(x, y), (y, x)] {
            if known.iter().any(|&fact| complementary(terms, fact, x)) {
                return Some(a);
            }
            if known.contains(&x) {
                let y = terms.not(y);
                return Some(terms.and(a, y));
            }
        }
    }
    None
}

/// `not (a and b) and not (a and not b)` is `not a`.
pub(super) fn and_resolve(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::And(a, b) = node else { return None };
    let ((p, q), (r, s)) = (as_nand(terms, a)?, as_nand(terms, b)?);
    for (p, q) in [(p, q), (q, p)] {
        for (r, s) in [(r, s), (s, r)] {
            if p == r && complementary(terms, q, s) {
                return Some(terms.not(p));
            }
        }
    }
    None
}

/// `(a and x) and (not a and y)` is false.
pub(super) fn and_clash(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::And(a, b) = node else { return None };
    let ((p, q), (r, s)) = (as_and(terms, a)?, as_and(terms, b)?);
    let clash = [(p, r), (p, s), (q, r), (q, s)].iter().any(|&(x, y)| complementary(terms, x, y));
    clash.then(|| terms.bool(false))
}

/// Two comparisons that cannot hold together: `a < b and b < a`, `x = 1 and x = 2`, `a < b and a = b`.
pub(super) fn and_exclusive_compare(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::And(p, q) = node else { return None };
    let exclusive = match (terms[p], terms[q]) {
        (Term::Ult(a, b), Term::Ult(c, d)) | (Term::Slt(a, b), Term::Slt(c, d)) => a == d && b == c,
        (Term::Eq(c, x), Term::Eq(d, y)) => {
            x == y && terms.as_bits(c).zip(terms.as_bits(d)).is_some_and(|(c, d)| c != d)
        }
        (Term::Eq(c, d), Term::Ult(a, b) | Term::Slt(a, b))
        | (Term::Ult(a, b) | Term::Slt(a, b), Term::Eq(c, d)) => (a, b) == (c, d) || (a, b) == (d, c),
        _ => false,
    };
    exclusive.then(|| terms.bool(false))
}

/// `a xor false` is `a`, `a xor true` is `not a`.
pub(super) fn xor_constant(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Xor(a, b) = node else { return None };
    Some(if terms.as_bool(a)? { terms.not(b) } else { b })
}

/// `a xor a` is false.
pub(super) fn xor_same(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Xor(a, b) = node else { return None };
    (a == b).then(|| terms.bool(false))
}

/// Negations come to the outside.
pub(super) fn xor_not(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Xor(a, b) = node else { return None };
    let (a, b) = match (terms[a], terms[b]) {
        (Term::Not(a), _) => (a, b),
        (_, Term::Not(b)) => (a, b),
        _ => return None,
    };
    let differ = terms.xor(a, b);
    Some(terms.not(differ))
}

/// `a xor (a xor b)` is `b`.
pub(super) fn xor_cancel(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Xor(a, b) = node else { return None };
    for (a, b) in [(a, b), (b, a)] {
        if let Term::Xor(x, y) = terms[b] {
            if a == x {
                return Some(y);
            }
            if a == y {
                return Some(x);
            }
        }
    }
    None
}

/// The condition is known.
pub(super) fn ite_constant_condition(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ite(condition, a, b) = node else { return None };
    Some(if terms.as_bool(condition)? { a } else { b })
}

/// Both branches are the same.
pub(super) fn ite_same(_: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ite(_, a, b) = node else { return None };
    (a == b).then_some(a)
}

/// A negated condition swaps the branches.
pub(super) fn ite_not_condition(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ite(condition, a, b) = node else { return None };
    let Term::Not(condition) = terms[condition] else { return None };
    Some(terms.ite(condition, b, a))
}

/// A Boolean branch is a constant: a conjunction or disjunction does.
pub(super) fn ite_boolean_constant(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ite(condition, a, b) = node else { return None };
    if let Some(a) = terms.as_bool(a) {
        return Some(if a {
            terms.or(condition, b)
        } else {
            let otherwise = terms.not(condition);
            terms.and(otherwise, b)
        });
    }
    Some(if terms.as_bool(b)? { terms.implies(condition, a) } else { terms.and(condition, a) })
}

/// A Boolean branch is the condition or its negation, or one branch the negation of the other.
pub(super) fn ite_boolean_condition(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ite(condition, a, b) = node else { return None };
    if terms.sort(a) != Sort::Bool {
        return None;
    }
    if a == condition {
        return Some(terms.or(condition, b));
    }
    if b == condition {
        return Some(terms.and(condition, a));
    }
    if complementary(terms, a, condition) {
        let otherwise = terms.not(condition);
        return Some(terms.and(otherwise, b));
    }
    if complementary(terms, b, condition) {
        return Some(terms.implies(condition, a));
    }
    complementary(terms, a, b).then(|| {
        let differ = terms.xor(condition, a);
        terms.not(differ)
    })
}

/// Both branches are negations: negate the whole.
pub(super) fn ite_boolean_not(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ite(condition, a, b) = node else { return None };
    let (Term::Not(a), Term::Not(b)) = (terms[a], terms[b]) else { return None };
    let chosen = terms.ite(condition, a, b);
    Some(terms.not(chosen))
}

/// A branch asks the same condition again.
pub(super) fn ite_nested_same_condition(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ite(condition, a, b) = node else { return None };
    if let Term::Ite(inner, then, _) = terms[a]
        && inner == condition
    {
        return Some(terms.ite(condition, then, b));
    }
    if let Term::Ite(inner, _, otherwise) = terms[b]
        && inner == condition
    {
        return Some(terms.ite(condition, a, otherwise));
    }
    None
}

/// Two nested choices between the same two values become one.
pub(super) fn ite_merge(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ite(condition, a, b) = node else { return None };
    if let Term::Ite(inner, x, y) = terms[b] {
        if x == a {
            let either = terms.or(condition, inner);
            return Some(terms.ite(either, a, y));
        }
        if y == a {
            let inner = terms.not(inner);
            let either = terms.or(condition, inner);
            return Some(terms.ite(either, a, x));
        }
    }
    if let Term::Ite(inner, x, y) = terms[a] {
        if y == b {
            let both = terms.and(condition, inner);
            return Some(terms.ite(both, x, b));
        }
        if x == b {
            let inner = terms.not(inner);
            let both = terms.and(condition, inner);
            return Some(terms.ite(both, y, b));
        }
    }
    None
}

/// `if a = b then a else b` is `b`.
pub(super) fn ite_equal_to_branch(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ite(condition, a, b) = node else { return None };
    let Term::Eq(x, y) = terms[condition] else { return None };
    ((a, b) == (x, y) || (a, b) == (y, x)).then_some(b)
}

/// Both branches apply the same operator to a common operand: choose between the others.
pub(super) fn ite_common_operand(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Ite(condition, a, b) = node else { return None };
    let shared = |a: (TermId, TermId), b: (TermId, TermId)| {
        [(a.0, a.1), (a.1, a.0)]
            .into_iter()
            .flat_map(|(s, x)| [(s, x, b.0, b.1), (s, x, b.1, b.0)])
            .find_map(|(s, x, t, y)| (s == t).then_some((s, x, y)))
    };
    match (terms[a], terms[b]) {
        (Term::Add(p, q), Term::Add(r, s)) => {
            let (common, x, y) = shared((p, q), (r, s))?;
            let choice = terms.ite(condition, x, y);
            Some(terms.add(common, choice))
        }
        (Term::Mul(p, q), Term::Mul(r, s)) => {
            let (common, x, y) = shared((p, q), (r, s))?;
            let choice = terms.ite(condition, x, y);
            Some(terms.mul(common, choice))
        }
        (Term::Concat(p, q), Term::Concat(r, s)) if p == r => {
            let choice = terms.ite(condition, q, s);
            Some(terms.concat(p, choice))
        }
        (Term::Concat(p, q), Term::Concat(r, s)) if q == s => {
            let choice = terms.ite(condition, p, r);
            Some(terms.concat(choice, q))
        }
        _ => None,
    }
}
