//! Ranges of signed numbers that reads can read.
//!
//! Over-approximates: a term's value, taken as a signed number of its width, is in its range. An empty range (`None`) belongs
//! to a term that depends on a read of which nothing is known to be seen yet.

use raddle_base::{Budget, Exhausted};
use raddle_logic::term::{Sort, Term, TermId, Terms};
use rustc_hash::FxHashMap;

use super::cone::{Cone, Node};
use super::sets::{Sets, meet};
use super::{Facts, Meeting, Place, meet_somewhere, objects_of};
use crate::execution_graph::events::Space;
use crate::po_bmc::addresses;
use crate::po_bmc::symbolic::ObjectId;
use crate::po_bmc::symbolic::range::{Range, condition, join};

/// Ranges are not followed further where that would take more steps than this.
const MOST_WORK: usize = 100_000_000;

/// What was found.
pub(super) struct RangesFound {
    /// For each place; nothing if it was too much work.
    places: Vec<Option<Range>>,
    values: Vec<Option<Range>>,
}

impl RangesFound {
    /// The range of what is read from a place.
    pub(super) fn of_place(&self, place: usize) -> Option<Range> {
        self.places.get(place).copied().flatten()
    }

    /// The range of a term that something is written or found with.
    pub(super) fn of_term(&self, cone: &Cone, term: TermId) -> Option<Range> {
        self.values[cone.position(term)?]
    }
}

/// Something that is written.
#[derive(Clone, Copy)]
struct Source {
    value: usize,
    /// What the conditions of the write say of it.
    within: Option<Range>,
}

/// Places that the same writes may go to.
#[derive(PartialEq, Eq, Hash)]
enum Class {
    /// One address.
    At(Space, TermId, u32),
    /// Anywhere in some objects.
    In(Space, Option<Vec<ObjectId>>, u32),
}

/// Finds ranges of what reads read.
///
/// What a read sees was computed from what other reads saw, and in one execution none of them can depend on itself: such a
/// chain has at most as many links as there are reads, and goes through each write at most once. So that many rounds of growing
/// ranges, from nothing, cover every execution, also where the ranges would go on growing. The bound is often exact: a hundred
/// writes that add one each add a hundred at most, atomic or not.
pub(super) fn find(
    facts: &Facts<'_>,
    cone: &Cone,
    sets: &Sets,
    addresses: &addresses::Known,
    caps: &[Option<Range>],
    budget: &Budget,
) -> Result<RangesFound, Exhausted> {
    let (classes, sources) = sources(facts, cone, sets, addresses, budget)?;
    let initial: Vec<Option<usize>> =
        facts.places.iter().map(|place| place.initial.and_then(|initial| cone.position(initial))).collect();
    let whole = |place: usize| caps[place].unwrap_or_else(|| Range::all(facts.places[place].bits));
    let rounds = facts.reads.len().min(links(facts, cone, &initial)) + 1;
    let mut work = 0;
    let mut seen: Vec<Option<Range>> = vec![None; facts.places.len()];
    let mut news = vec![true; facts.places.len()];
    let mut values = Values::new(cone);
    let mut by_class: Vec<Option<Option<Range>>> =
        sources.iter().map(|sources| sources.as_ref().map(|_| None)).collect();
    for round in 0..rounds {
        budget.check()?;
        work += values.update(facts.terms, cone, &seen, &news);
        for (written, sources) in by_class.iter_mut().zip(&sources) {
            let Some(sources) = sources else { continue };
            if round == 0 || sources.iter().any(|source| values.changed[source.value]) {
                *written = Some(together(sources, &values.known));
                work += sources.len();
            }
        }
        let next: Vec<Option<Range>> = (0..seen.len())
            .map(|place| match by_class[classes[place]] {
                Some(written) => {
                    let all = join(initial[place].and_then(|initial| values.known[initial]), written);
                    grown(seen[place], all, caps[place], round)
                }
                None => Some(whole(place)),
            })
            .collect();
        if next == seen {
            return Ok(RangesFound { places: seen, values: values.known });
        }
        news = seen.iter().zip(&next).map(|(before, after)| before != after).collect();
        seen = next;
        if work > MOST_WORK {
            break;
        }
    }
    if work > MOST_WORK {
        // Given up: anything may be read.
        seen = (0..seen.len()).map(|place| Some(whole(place))).collect();
    }
    news.fill(true);
    values.update(facts.terms, cone, &seen, &news);
    Ok(RangesFound { places: seen, values: values.known })
}

/// How many places and moments there are where something that depends on a read can be found by another one.
fn links(facts: &Facts<'_>, cone: &Cone, initial: &[Option<usize>]) -> usize {
    let varies = |node: usize| cone.nodes[node].varies;
    let written = facts.writes.iter().filter_map(|write| cone.position(write.value));
    written.chain(initial.iter().copied().flatten()).filter(|&node| varies(node)).count()
}

/// The next range of what is read: what cannot be is left out, and what keeps growing goes to its end at once.
fn grown(before: Option<Range>, after: Option<Range>, cap: Option<Range>, round: usize) -> Option<Range> {
    /// Rounds in which ranges grow step by step.
    const PATIENCE: usize = 24;
    let Some(cap) = cap else { return after };
    let mut range = after?.and(cap)?;
    if let Some(before) = before
        && round > PATIENCE
    {
        range.low = if range.low < before.low { cap.low } else { range.low };
        range.high = if range.high > before.high { cap.high } else { range.high };
    }
    Some(range)
}

/// The ranges of all terms if reads could see anything.
pub(super) fn anything(facts: &Facts<'_>, cone: &Cone) -> RangesFound {
    let places: Vec<Option<Range>> = facts.places.iter().map(|place| Some(Range::all(place.bits))).collect();
    let mut values = Values::new(cone);
    values.update(facts.terms, cone, &places, &vec![true; places.len()]);
    RangesFound { places, values: values.known }
}

/// The range of all that is written.
fn together(sources: &[Source], values: &[Option<Range>]) -> Option<Range> {
    let mut whole = None;
    for source in sources {
        let value = match (values[source.value], source.within) {
            // A write whose conditions its value cannot meet does not happen.
            (Some(value), Some(within)) => value.and(within),
            (value, _) => value,
        };
        whole = join(whole, value);
    }
    whole
}

/// For each place its class, and for each class what may be written there; none if parts of it may be.
#[expect(clippy::type_complexity, reason = "two lists that belong together, used once")]
fn sources(
    facts: &Facts<'_>,
    cone: &Cone,
    sets: &Sets,
    addresses: &addresses::Known,
    budget: &Budget,
) -> Result<(Vec<usize>, Vec<Option<Vec<Source>>>), Exhausted> {
    let within: Vec<Option<Range>> =
        facts.writes.iter().map(|write| condition(facts.terms, write.guard, write.value)).collect();
    let mut numbers: FxHashMap<Class, usize> = FxHashMap::default();
    let mut lists: Vec<Option<Vec<Source>>> = Vec::new();
    let mut classes = Vec::new();
    for place in &facts.places {
        budget.spend(10)?;
        let class = class_of(facts, cone, sets, addresses, *place);
        if let Some(number) = numbers.get(&class) {
            classes.push(*number);
            continue;
        }
        let mut list = Some(Vec::new());
        for write in facts.candidates(*place) {
            match meet(facts, cone, addresses, sets, *place, facts.writes[write].place) {
                Meeting::Never => {}
                Meeting::Same => {
                    let value = cone.position(facts.writes[write].value).expect("it is a root");
                    list.get_or_insert_default().push(Source { value, within: within[write] });
                }
                Meeting::Partly => {
                    list = None;
                    break;
                }
            }
        }
        classes.push(lists.len());
        numbers.insert(class, lists.len());
        lists.push(list);
    }
    Ok((classes, lists))
}

/// The class of a place: accesses of one class meet the same writes.
fn class_of(
    facts: &Facts<'_>,
    cone: &Cone,
    sets: &Sets,
    addresses: &addresses::Known,
    place: Place,
) -> Class {
    if sets.address(cone, place).is_some() {
        return Class::At(place.space, place.address, place.size);
    }
    // Whether it is aligned shows when it meets itself somewhere.
    match meet_somewhere(facts.terms, addresses, place, place) {
        Meeting::Same => Class::In(place.space, objects_of(addresses, place), place.size),
        Meeting::Never | Meeting::Partly => Class::At(place.space, place.address, place.size),
    }
}

/// The ranges of all terms.
struct Values {
    known: Vec<Option<Range>>,
    /// Which of them are others than before the last update.
    changed: Vec<bool>,
    /// Whether there was an update.
    begun: bool,
}

impl Values {
    fn new(cone: &Cone) -> Self {
        Self { known: vec![None; cone.nodes.len()], changed: vec![false; cone.nodes.len()], begun: false }
    }

    /// Follows what is read: `news` says at which places that is something new. Gives how many terms it looked at.
    fn update(&mut self, terms: &Terms, cone: &Cone, seen: &[Option<Range>], news: &[bool]) -> usize {
        let mut looked = 0;
        for (index, node) in cone.nodes.iter().enumerate() {
            let concerned = !self.begun
                || match node.read {
                    Some(place) => news[place],
                    None => node.children.iter().any(|&child| self.changed[child as usize]),
                };
            if !concerned {
                self.changed[index] = false;
                continue;
            }
            let value = match node.read {
                Some(place) => seen[place].map(|range| range.of_bytes(terms, node.term)),
                None => combine(terms, node, &self.known),
            };
            self.changed[index] = value != self.known[index];
            self.known[index] = value;
            looked += 1;
        }
        self.begun = true;
        looked
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "what is not looked into is taken as unknown")]
fn combine(terms: &Terms, node: &Node, values: &[Option<Range>]) -> Option<Range> {
    let term = node.term;
    let Sort::BitVec(width) = terms.sort(term) else { return Some(Range::all(127)) };
    let of = |child: usize| values[node.children[child] as usize];
    let plain = || {
        let facts = terms.facts(term);
        match i128::try_from(facts.max) {
            Ok(high) if facts.max >> (width - 1) == 0 => {
                let low = i128::try_from(facts.min).unwrap_or(0);
                Range { low, high }
            }
            _ => Range::all(width),
        }
    };
    Some(match terms[term] {
        Term::Bits { value, .. } => {
            let number = raddle_logic::term::bits::signed(value, width);
            Range { low: number, high: number }
        }
        Term::Ite(..) => {
            let within = node.within.as_deref().copied().unwrap_or_default();
            // A side that its condition excludes is never taken.
            let side = |value: Option<Range>, within: Option<Range>| match (value, within) {
                (Some(value), Some(within)) => value.and(within),
                (value, _) => value,
            };
            return join(side(of(1), within[0]), side(of(2), within[1]));
        }
        Term::Add(..) => {
            let (a, b) = (of(0)?, of(1)?);
            Range::within(a.low.checked_add(b.low), a.high.checked_add(b.high), width)
        }
        Term::Mul(..) => {
            let (a, b) = (of(0)?, of(1)?);
            let products = [
                a.low.checked_mul(b.low),
                a.low.checked_mul(b.high),
                a.high.checked_mul(b.low),
                a.high.checked_mul(b.high),
            ];
            let all: Option<Vec<i128>> = products.into_iter().collect();
            let all = all.unwrap_or_default();
            Range::within(all.iter().copied().min(), all.iter().copied().max(), width)
        }
        Term::SignExtend { .. } => of(0)?,
        Term::Concat(high, _) if terms.as_bits(high) == Some(0) => match of(1)? {
            range if range.low >= 0 => range,
            _ => plain(),
        },
        Term::Extract { low: 0, .. } => {
            let range = of(0)?;
            Range::within(Some(range.low), Some(range.high), width)
        }
        _ => {
            for (index, child) in terms[term].children().into_iter().enumerate() {
                if matches!(terms.sort(child), Sort::BitVec(_)) {
                    of(index)?;
                }
            }
            plain()
        }
    })
}
