//! Small sets of constants that reads can read.

use raddle_base::{Budget, Exhausted};
use raddle_logic::term::bits::mask;
use raddle_logic::term::eval::scalar_operation;
use raddle_logic::term::{Sort, Term};
use smallvec::{SmallVec, smallvec};

use super::cone::{Cone, Node};
use super::{Facts, Meeting, Place, meet_at, meet_somewhere};
use crate::po_bmc::addresses;

/// Larger sets are not kept.
const MOST: usize = 8;
/// Combinations of operands that are looked at for one term.
const MOST_COMBINATIONS: usize = 64;
/// Sets that still grow after so many iterations are given up.
const ITERATIONS: usize = 12;

/// Constants in ascending order, or everything.
pub(super) type Set = Option<SmallVec<[u128; 4]>>;

/// What was found.
pub(super) struct Sets {
    /// For each place, what those who read it can see.
    pub(super) seen: Vec<Set>,
    values: Vec<Set>,
}

impl Sets {
    /// The constants that an address may be.
    pub(super) fn address(&self, cone: &Cone, place: Place) -> Option<&[u128]> {
        self.values[cone.position(place.address)?].as_deref()
    }
}

/// Finds the least sets that fit all writes.
pub(super) fn find(
    facts: &Facts<'_>,
    cone: &Cone,
    addresses: &addresses::Known,
    budget: &Budget,
) -> Result<Sets, Exhausted> {
    let nothing: Set = Some(SmallVec::new());
    let mut sets =
        Sets { seen: vec![nothing.clone(); facts.places.len()], values: vec![nothing; cone.nodes.len()] };
    for iteration in 0.. {
        budget.check()?;
        evaluate(facts, cone, &sets.seen, &mut sets.values, iteration == 0);
        let mut changed = false;
        for (index, place) in facts.places.iter().enumerate() {
            if sets.seen[index].is_none() {
                continue;
            }
            budget.poll()?;
            let seen = look(facts, cone, addresses, *place, &sets);
            if seen != sets.seen[index] {
                sets.seen[index] = if iteration >= ITERATIONS { None } else { seen };
                changed = true;
            }
        }
        if !changed {
            return Ok(sets);
        }
    }
    unreachable!("sets grow a bounded number of times")
}

/// What those who read a place see, as far as is known now.
fn look(facts: &Facts<'_>, cone: &Cone, addresses: &addresses::Known, place: Place, sets: &Sets) -> Set {
    let value = |term| cone.position(term).and_then(|position| sets.values[position].clone());
    let mut seen: Set = Some(SmallVec::new());
    if let Some(initial) = place.initial {
        seen = union(seen, &value(initial));
    }
    for write in facts.candidates(place) {
        let write = &facts.writes[write];
        seen = match meet(facts, cone, addresses, sets, place, write.place) {
            Meeting::Never => continue,
            Meeting::Same => union(seen, &value(write.value)),
            Meeting::Partly => None,
        };
        seen.as_ref()?;
    }
    seen
}

/// How two accesses may meet, as far as is known now.
pub(super) fn meet(
    facts: &Facts<'_>,
    cone: &Cone,
    addresses: &addresses::Known,
    sets: &Sets,
    first: Place,
    second: Place,
) -> Meeting {
    if first.space != second.space {
        return Meeting::Never;
    }
    if first.address == second.address && first.size == second.size {
        return Meeting::Same;
    }
    let (Some(a), Some(b)) = (sets.address(cone, first), sets.address(cone, second)) else {
        return meet_somewhere(facts.terms, addresses, first, second);
    };
    let mut meeting = Meeting::Never;
    for &at in a {
        for &other in b {
            match meet_at((at, first.size), (other, second.size)) {
                Meeting::Never => {}
                Meeting::Same if meeting == Meeting::Never => meeting = Meeting::Same,
                Meeting::Same => {}
                Meeting::Partly => return Meeting::Partly,
            }
        }
    }
    meeting
}

/// The values of all terms, given what reads see. What is everything stays so.
fn evaluate(facts: &Facts<'_>, cone: &Cone, seen: &[Set], values: &mut [Set], all: bool) {
    for (index, node) in cone.nodes.iter().enumerate() {
        if !(all || node.varies && values[index].is_some()) {
            continue;
        }
        values[index] = match node.read {
            Some(place) => of_bytes(facts, node, &seen[place]),
            None => combine(facts, node, values),
        };
    }
}

/// The values of what is read, or of its bytes without their marks.
fn of_bytes(facts: &Facts<'_>, node: &Node, seen: &Set) -> Set {
    let mut values = seen.clone()?;
    if let Sort::BitVec(width) = facts.terms.sort(node.term) {
        values.iter_mut().for_each(|value| *value &= mask(width));
        values.sort_unstable();
        values.dedup();
    }
    Some(values)
}

/// The values of a term whose operands' values are known.
fn combine(facts: &Facts<'_>, node: &Node, values: &[Set]) -> Set {
    let terms = facts.terms;
    let term = node.term;
    if let Some(value) = terms.as_bits(term) {
        return Some(smallvec![value]);
    }
    if let Some(value) = terms.as_bool(term) {
        return Some(smallvec![u128::from(value)]);
    }
    let own: Set = match terms.sort(term) {
        Sort::Array { .. } => return None,
        // Truth values are two at most.
        Sort::Bool => Some(smallvec![0, 1]),
        Sort::BitVec(_) => None,
    };
    if node.children.is_empty() {
        return own;
    }
    let of = |child: usize| &values[node.children[child] as usize];
    if let Term::Ite(..) = terms[term] {
        let may = |value: u128| of(0).as_ref().is_none_or(|set| set.contains(&value));
        let mut both: Set = Some(SmallVec::new());
        if may(1) {
            both = union(both, of(1));
        }
        if may(0) {
            both = union(both, of(2));
        }
        return both;
    }
    let mut count = 1;
    for child in 0..node.children.len() {
        match of(child) {
            Some(set) => count *= set.len(),
            None => return own,
        }
    }
    if count > MOST_COMBINATIONS {
        return own;
    }
    let operands = terms[term].children();
    let mut results: SmallVec<[u128; 4]> = SmallVec::new();
    for number in 0..count {
        let mut rest = number;
        let mut chosen: SmallVec<[u128; 4]> = SmallVec::new();
        for child in 0..operands.len() {
            let set = of(child).as_ref().expect("all are known");
            chosen.push(set[rest % set.len()]);
            rest /= set.len();
        }
        let get = |operand| chosen[operands.iter().position(|child| *child == operand).expect("it is one")];
        let Some(value) = scalar_operation(terms, &terms[term], get) else { return own };
        results.push(value);
    }
    results.sort_unstable();
    results.dedup();
    (results.len() <= MOST).then_some(results)
}

fn union(first: Set, second: &Set) -> Set {
    let mut all = first?;
    let before = all.len();
    let more = second.as_ref()?.iter().filter(|value| !all[..before].contains(value));
    let more: SmallVec<[u128; 4]> = more.copied().collect();
    if !more.is_empty() {
        all.extend(more);
        all.sort_unstable();
    }
    (all.len() <= MOST).then_some(all)
}
