//! What the reads of an unrolled program can see, as sets of constants.
//!
//! Executing a program symbolically once tells all that may be written. If every write that a read may see writes one of a few
//! constants, the read sees one of those; knowing this, the next execution folds more: pointers lead to known objects,
//! function pointers to known functions, flags to two values. The sets are the least ones that fit all writes (an abstract
//! interpretation without regard to order), so they hold in every execution within the same bounds.

use std::collections::BTreeSet;

use raddle_base::{Budget, Exhausted};
use raddle_logic::term::eval::scalar_operation;
use raddle_logic::term::{Sort, TermId, Terms};
use rustc_hash::FxHashMap;

use super::encode::Addresses;
use super::events::{EventKind, Space, Unrolling};
use super::ranges::{Range, Ranges, join};
use super::symbolic::{Hints, Known, ReadKey, Report};

/// Larger sets are not kept.
const MOST: usize = 8;
/// Combinations of operands that are looked at for one term.
const MOST_COMBINATIONS: usize = 64;
/// Sets that still grow after so many rounds are given up.
const ROUNDS: usize = 12;

/// Ranges are not looked for where that would take more steps than this.
const MOST_WORK: usize = 4_000_000;

/// A set of constants, or everything.
type Set = Option<BTreeSet<u128>>;

/// Finds what the reads can see.
pub(crate) fn learn(
    unrolling: &mut Unrolling,
    report: &Report,
    addresses: &dyn Addresses,
    budget: &Budget,
) -> Result<Hints, Exhausted> {
    let mut reads = Vec::new();
    for &(key, event) in &report.reads {
        if let EventKind::Read { space, address, size, value, initial, .. } = unrolling.events[event].kind {
            reads.push(Read { key, place: Place { space, address, size }, value: Some(value), initial });
        }
    }
    for read in &report.constant_reads {
        let place = Place { space: read.space, address: read.address, size: read.size };
        reads.push(Read { key: read.key, place, value: None, initial: read.initial });
    }
    let mut writes = Vec::new();
    for event in unrolling.events.values() {
        if let EventKind::Write { space, address, size, value } = event.kind
            && unrolling.terms.as_bool(event.guard) != Some(false)
        {
            writes.push((Place { space, address, size }, value));
        }
    }
    let mut learner =
        Learner { terms: &unrolling.terms, symbols: FxHashMap::default(), memo: FxHashMap::default() };
    for value in reads.iter().filter_map(|read| read.value) {
        learner.symbols.insert(value, Some(BTreeSet::new()));
    }
    let mut seen_by_all: Vec<Set> = vec![Some(BTreeSet::new()); reads.len()];
    for round in 0.. {
        let mut changed = false;
        learner.memo.clear();
        for (read, before) in reads.iter().zip(&mut seen_by_all) {
            budget.check()?;
            let seen = learner.seen(read, &writes, addresses);
            let grown = if round >= ROUNDS && *before != seen { None } else { seen };
            if *before != grown {
                if let Some(value) = read.value {
                    learner.symbols.insert(value, grown.clone());
                }
                *before = grown;
                changed = true;
            }
        }
        if !changed {
            break;
        }
    }
    let ranges = learn_ranges(&mut learner, &reads, &writes, addresses, budget)?;
    let mut hints = Hints::default();
    for (index, (read, seen)) in reads.iter().zip(seen_by_all).enumerate() {
        let known = match (seen, ranges.get(index)) {
            (Some(set), _) if !set.is_empty() => Known::Values(set.into_iter().collect()),
            (_, Some(Some(range))) => match range.narrow(8 * read.place.size) {
                Some(known) => known,
                None => continue,
            },
            (_, _) => continue,
        };
        hints.reads.insert(read.key, known);
    }
    Ok(hints)
}

/// A read of shared memory.
struct Read {
    key: ReadKey,
    place: Place,
    /// The term of what it sees; none if that is a constant.
    value: Option<TermId>,
    initial: Option<TermId>,
}

/// The ranges of the reads that may see more than a few values.
///
/// What a read sees was computed from what other reads saw, and in one execution none of them can depend on itself: such a
/// chain has at most as many links as there are reads. So that many rounds of growing ranges, from nothing, cover every
/// execution, also where the ranges would go on growing.
fn learn_ranges(
    learner: &mut Learner<'_>,
    reads: &[Read],
    writes: &[(Place, TermId)],
    addresses: &dyn Addresses,
    budget: &Budget,
) -> Result<Vec<Option<Range>>, Exhausted> {
    let mut sources: Vec<Option<Vec<TermId>>> = Vec::new();
    for read in reads {
        budget.check()?;
        let mut list: Vec<TermId> = read.initial.iter().copied().collect();
        let mut whole = true;
        for (other, written) in writes {
            match learner.meet(&read.place, other, addresses) {
                Meeting::Never => {}
                Meeting::Same => list.push(*written),
                Meeting::Partly => whole = false,
            }
        }
        list.sort_unstable();
        list.dedup();
        sources.push(whole.then_some(list));
    }
    let work: usize = sources.iter().flatten().map(Vec::len).sum();
    let rounds = reads.len() + 1;
    if work.saturating_mul(rounds) > MOST_WORK {
        return Ok(Vec::new());
    }
    let mut ranges = Ranges { terms: learner.terms, reads: FxHashMap::default(), memo: FxHashMap::default() };
    for value in reads.iter().filter_map(|read| read.value) {
        ranges.reads.insert(value, None);
    }
    let mut all: Vec<Option<Range>> = vec![None; reads.len()];
    for _ in 0..rounds {
        budget.check()?;
        ranges.memo.clear();
        let next: Vec<Option<Range>> = reads
            .iter()
            .zip(&sources)
            .map(|(read, list)| match list {
                Some(list) => list.iter().fold(None, |seen, source| join(seen, ranges.of(*source))),
                None => Some(Range::all(8 * read.place.size)),
            })
            .collect();
        if next == all {
            break;
        }
        for (read, seen) in reads.iter().zip(&next) {
            if let Some(value) = read.value {
                ranges.reads.insert(value, *seen);
            }
        }
        all = next;
    }
    Ok(all)
}

/// What an access touches.
#[derive(Clone, Copy)]
struct Place {
    space: Space,
    address: TermId,
    size: u32,
}

/// Whether two accesses touch the same bytes.
enum Meeting {
    Never,
    /// If so, then all of them.
    Same,
    /// Some perhaps and others not.
    Partly,
}

struct Learner<'t> {
    terms: &'t Terms,
    /// What the reads see, by the term of the value.
    symbols: FxHashMap<TermId, Set>,
    memo: FxHashMap<TermId, Set>,
}

impl Learner<'_> {
    /// What a read sees, as far as is known now.
    fn seen(&mut self, read: &Read, writes: &[(Place, TermId)], addresses: &dyn Addresses) -> Set {
        let mut seen: Set = Some(BTreeSet::new());
        if let Some(initial) = read.initial {
            seen = union(seen, self.values(initial));
        }
        for (other, written) in writes {
            seen.as_ref()?;
            match self.meet(&read.place, other, addresses) {
                Meeting::Never => {}
                Meeting::Same => seen = union(seen, self.values(*written)),
                Meeting::Partly => return None,
            }
        }
        seen
    }

    /// How two accesses may meet, as far as is known now.
    fn meet(&mut self, first: &Place, second: &Place, addresses: &dyn Addresses) -> Meeting {
        if first.space != second.space {
            return Meeting::Never;
        }
        if first.address == second.address && first.size == second.size {
            return Meeting::Same;
        }
        let (a, b) = (self.values(first.address), self.values(second.address));
        let (Some(a), Some(b)) = (a, b) else {
            if !addresses.may_be_equal(self.terms, first.address, second.address) {
                return Meeting::Never;
            }
            let aligned = |place: &Place| {
                let facts = self.terms.facts(place.address);
                let low = u128::from(place.size) - 1;
                place.size.is_power_of_two()
                    && (facts.zeros | facts.ones) & low == low
                    && facts.ones & low == 0
            };
            let alike = first.size == second.size && aligned(first) && aligned(second);
            return if alike { Meeting::Same } else { Meeting::Partly };
        };
        let mut meeting = Meeting::Never;
        for &at in &a {
            for &other in &b {
                if at == other && first.size == second.size {
                    if matches!(meeting, Meeting::Never) {
                        meeting = Meeting::Same;
                    }
                } else if at < other + u128::from(second.size) && other < at + u128::from(first.size) {
                    meeting = Meeting::Partly;
                }
            }
        }
        meeting
    }

    /// The values that a term may have.
    fn values(&mut self, term: TermId) -> Set {
        // Sub-terms first: their ids are smaller. A plain loop keeps the stack small.
        let mut stack = vec![term];
        while let Some(&top) = stack.last() {
            if self.memo.contains_key(&top) {
                stack.pop();
                continue;
            }
            if let Some(known) = self.symbols.get(&top) {
                self.memo.insert(top, known.clone());
                stack.pop();
                continue;
            }
            let children = self.terms[top].children();
            let open: Vec<TermId> =
                children.iter().copied().filter(|child| !self.memo.contains_key(child)).collect();
            if open.is_empty() {
                let set = self.combine(top);
                self.memo.insert(top, set);
                stack.pop();
            } else {
                stack.extend(open);
            }
        }
        self.memo[&term].clone()
    }

    /// The values of a term whose operands' values are known.
    fn combine(&self, term: TermId) -> Set {
        if let Some(value) = self.terms.as_bits(term) {
            return Some(BTreeSet::from([value]));
        }
        if let Some(value) = self.terms.as_bool(term) {
            return Some(BTreeSet::from([u128::from(value)]));
        }
        if matches!(self.terms.sort(term), Sort::Array { .. }) {
            return None;
        }
        let children = self.terms[term].children();
        let own = self.bounded(term);
        if children.is_empty() {
            return own;
        }
        if let raddle_logic::term::Term::Ite(condition, then, otherwise) = self.terms[term] {
            let may = |value: u128| self.memo[&condition].as_ref().is_none_or(|set| set.contains(&value));
            let then = if may(1) { self.memo[&then].clone() } else { Some(BTreeSet::new()) };
            let otherwise = if may(0) { self.memo[&otherwise].clone() } else { Some(BTreeSet::new()) };
            return union(then, otherwise);
        }
        let mut combinations: Vec<Vec<u128>> = vec![Vec::new()];
        for child in &children {
            let Some(set) = &self.memo[child] else { return own };
            if combinations.len() * set.len() > MOST_COMBINATIONS {
                return own;
            }
            combinations = combinations
                .iter()
                .flat_map(|chosen| {
                    set.iter().map(move |value| {
                        let mut longer = chosen.clone();
                        longer.push(*value);
                        longer
                    })
                })
                .collect();
        }
        let mut values = BTreeSet::new();
        for combination in combinations {
            let of = |operand: TermId| {
                let place = children.iter().position(|child| *child == operand);
                combination[place.expect("it is an operand")]
            };
            let Some(value) = scalar_operation(self.terms, &self.terms[term], of) else { return own };
            values.insert(value);
        }
        (values.len() <= MOST).then_some(values)
    }

    /// Truth values are two at most.
    fn bounded(&self, term: TermId) -> Set {
        matches!(self.terms.sort(term), Sort::Bool).then(|| BTreeSet::from([0, 1]))
    }
}

fn union(first: Set, second: Set) -> Set {
    let mut all = first?;
    all.extend(second?);
    (all.len() <= MOST).then_some(all)
}
