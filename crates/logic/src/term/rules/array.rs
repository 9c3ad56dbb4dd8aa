//! Rules for arrays: what can be read or written without knowing the whole.

#![expect(clippy::wildcard_enum_match_arm, reason = "what a rule does not list, it does not apply to")]

use super::super::{Term, TermId, Terms};

/// How many stores a read may look through.
const READ_DEPTH: usize = 256;

/// Reading a constant array.
pub(super) fn select_constant_array(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Select(array, _) = node else { return None };
    if let Term::ConstArray { element, .. } = terms[array] { Some(element) } else { None }
}

/// Reading what was stored at this index, or past stores at indices that certainly differ.
pub(super) fn select_store(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Select(array, index) = node else { return None };
    let mut below = array;
    for _ in 0..READ_DEPTH {
        let Term::Store(next, at, element) = terms[below] else { break };
        if at == index {
            return Some(element);
        }
        let differ = terms.ne(at, index);
        if terms.as_bool(differ) != Some(true) {
            break;
        }
        below = next;
    }
    (below != array).then(|| terms.select(below, index))
}

/// Reading a choice of which one branch is a constant array, or both have this index on top.
pub(super) fn select_ite(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Select(array, index) = node else { return None };
    let Term::Ite(condition, a, b) = terms[array] else { return None };
    let direct = |id: TermId| match terms[id] {
        Term::ConstArray { element, .. } => Some(element),
        Term::Store(_, at, element) if at == index => Some(element),
        _ => None,
    };
    let (x, y) = (direct(a)?, direct(b)?);
    Some(terms.ite(condition, x, y))
}

/// The second store to one index hides the first.
pub(super) fn store_store(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Store(array, index, element) = node else { return None };
    let Term::Store(below, at, _) = terms[array] else { return None };
    (at == index).then(|| terms.store(below, index, element))
}

/// Storing what is there already.
pub(super) fn store_same(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Store(array, index, element) = node else { return None };
    (terms[element] == Term::Select(array, index)).then_some(array)
}

/// Storing its own element in a constant array.
pub(super) fn store_constant_array(terms: &mut Terms, node: &Term) -> Option<TermId> {
    let &Term::Store(array, _, element) = node else { return None };
    let Term::ConstArray { element: everywhere, .. } = terms[array] else { return None };
    (everywhere == element).then_some(array)
}
