//! The values that the reads of an unrolled program can read, as sets of constants and ranges of numbers.
//!
//! Executing a program symbolically once tells all that may be written. If every write that a read may read from writes one of a few
//! constants, the read reads one of those; knowing this, the next execution folds more: pointers lead to known objects,
//! function pointers to known functions, flags to two values. Both the sets ([`sets`]) and the ranges ([`ranges`]) are the least ones
//! that fit all writes (an abstract interpretation without regard to order), and numbers that are only ever counted up and down are
//! followed more closely ([`accumulators`]). So all of it holds in every execution within the same bounds.

mod accumulators;
mod cone;
mod ranges;
mod sets;

use std::collections::BTreeMap;

use raddle_base::{Budget, Exhausted};
use raddle_logic::term::{Term, TermId, Terms};
use rustc_hash::FxHashMap;

use self::accumulators::Numbers;
use self::cone::Cone;
use crate::execution_graph::access_index::AccessIndex;
use crate::execution_graph::events::{AccessKind, EventId, EventKind, Location, Space, Unrolling};
use crate::po_bmc::addresses;
use crate::po_bmc::symbolic::range::join;
use crate::po_bmc::symbolic::{ConstantRead, ObjectId, ReadKey, ReadValues, Report, ValueSet};

/// Finds what the reads can read.
pub(super) fn read_values(
    unrolling: &Unrolling,
    report: &Report,
    addresses: &addresses::Known,
    budget: &Budget,
) -> Result<ReadValues, Exhausted> {
    let facts = Facts::collect(unrolling, report);
    let roots = facts.places.iter().flat_map(|place| [Some(place.address), place.initial]);
    let written = facts.writes.iter().flat_map(|write| [Some(write.place.address), Some(write.value)]);
    let cone = Cone::new(facts.terms, roots.chain(written).flatten(), &facts.values);
    let sets = sets::find(&facts, &cone, addresses, budget)?;
    let meets = |first, second| sets::meet(&facts, &cone, addresses, &sets, first, second);
    let anything = ranges::anything(&facts, &cone);
    let range = |term| anything.of_term(&cone, term);
    let counted = accumulators::find(&facts, &Numbers { range: &range, meets: &meets }, unrolling, report);
    // What all who read a counted place can see.
    let mut caps = vec![None; facts.places.len()];
    for (read, counted) in facts.reads.iter().zip(&counted) {
        caps[read.place] = join(caps[read.place], *counted);
    }
    for (read, counted) in facts.reads.iter().zip(&counted) {
        if counted.is_none() {
            caps[read.place] = None;
        }
    }
    let ranges = ranges::find(&facts, &cone, &sets, addresses, &caps, budget)?;
    // An instruction may make several reads of one name: what is known holds for all of them.
    let mut seen: BTreeMap<ReadKey, Option<ValueSet>> = BTreeMap::new();
    for (index, read) in facts.reads.iter().enumerate() {
        let place = facts.places[read.place];
        let range = match (ranges.of_place(read.place), counted[index]) {
            (Some(general), Some(counted)) => general.and(counted),
            (general, counted) => general.or(counted),
        };
        let known = match (&sets.seen[read.place], range) {
            (Some(set), _) if !set.is_empty() => Some(ValueSet::OneOf(set.to_vec())),
            (_, range) => range.and_then(|range| range.narrow(place.bits)),
        };
        let known = match seen.remove(&read.key) {
            None => known,
            Some(before) => before.zip(known).and_then(|(before, known)| before.either(known)),
        };
        seen.insert(read.key, known);
    }
    let known = seen.into_iter().filter_map(|(key, known)| Some((key, known?))).collect();
    Ok(ReadValues { known, ..ReadValues::default() })
}

/// What an access touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Place {
    space: Space,
    address: TermId,
    size: u32,
    /// Bits of what is there: those of the bytes, perhaps with marks above them.
    bits: u32,
    /// What is there at first, for those who read it.
    initial: Option<TermId>,
}

impl Place {
    const fn location(&self) -> Location {
        Location { space: self.space, address: self.address, size: self.size }
    }
}

/// A read of shared memory.
struct Read {
    key: ReadKey,
    /// Which of the places.
    place: usize,
    /// The event, and the term of the bytes it sees; none if that is a constant.
    event: Option<(EventId, TermId)>,
}

/// A write to shared memory.
struct Write {
    event: EventId,
    place: Place,
    value: TermId,
    guard: TermId,
}

/// All reads and writes.
struct Facts<'t> {
    terms: &'t Terms,
    reads: Vec<Read>,
    /// What they read, each once.
    places: Vec<Place>,
    writes: Vec<Write>,
    /// For the value of each read, and its bytes without their marks, which place it is from.
    values: FxHashMap<TermId, usize>,
    /// The writes by location.
    index: AccessIndex<usize>,
}

impl<'t> Facts<'t> {
    fn collect(unrolling: &'t Unrolling, report: &Report) -> Self {
        let mut facts = Facts {
            terms: &unrolling.terms,
            reads: Vec::new(),
            places: Vec::new(),
            writes: Vec::new(),
            values: FxHashMap::default(),
            index: AccessIndex::default(),
        };
        let mut numbers: FxHashMap<Place, usize> = FxHashMap::default();
        let mut number = |place: Place, places: &mut Vec<Place>| {
            *numbers.entry(place).or_insert_with(|| {
                places.push(place);
                places.len() - 1
            })
        };
        for &(key, event) in &report.reads {
            if let EventKind::Access {
                location: Location { space, address, size },
                access: AccessKind::Read { value, initial, .. },
            } = unrolling.events[event].kind
            {
                let bits = unrolling.terms.width(value);
                let place = number(Place { space, address, size, bits, initial }, &mut facts.places);
                let bytes = report.bytes.get(&event).copied().unwrap_or(value);
                facts.reads.push(Read { key, place, event: Some((event, bytes)) });
                for value in [value, bytes] {
                    if unrolling.terms.as_bits(value).is_none() {
                        facts.values.insert(value, place);
                    }
                }
            }
        }
        for read in &report.constant_reads {
            let ConstantRead { space, address, size, bits, initial, .. } = *read;
            let place = Place { space, address, size, bits, initial };
            let place = number(place, &mut facts.places);
            facts.reads.push(Read { key: read.key, place, event: None });
        }
        for (event, info) in unrolling.events.iter() {
            if let EventKind::Access {
                location: Location { space, address, size },
                access: AccessKind::Write { value },
            } = info.kind
                && unrolling.terms.as_bool(info.guard) != Some(false)
            {
                let bits = unrolling.terms.width(value);
                let place = Place { space, address, size, bits, initial: None };
                facts.index.add(&unrolling.terms, place.location(), facts.writes.len());
                facts.writes.push(Write { event, place, value, guard: info.guard });
            }
        }
        facts
    }

    /// The writes that may touch a place, and perhaps some others.
    fn candidates(&self, place: Place) -> impl Iterator<Item = usize> {
        self.index.overlapping(self.terms, place.location()).copied()
    }
}

/// The bytes of a number in memory, without the marks that it does not have.
fn bytes(terms: &Terms, value: TermId, size: u32) -> TermId {
    if let Term::Concat(high, low) = terms[value]
        && terms.as_bits(high) == Some(0)
        && terms.width(low) == 8 * size
    {
        return low;
    }
    value
}

/// Whether two accesses touch the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meeting {
    Never,
    /// If so, then all of them.
    Same,
    /// Some perhaps and others not.
    Partly,
}

/// How accesses at two constants meet.
fn meet_at((first, size): (u128, u32), (second, other): (u128, u32)) -> Meeting {
    if first == second && size == other {
        Meeting::Same
    } else if first < second + u128::from(other) && second < first + u128::from(size) {
        Meeting::Partly
    } else {
        Meeting::Never
    }
}

/// How two accesses may meet of whose addresses only the objects are known.
fn meet_somewhere(terms: &Terms, addresses: &addresses::Known, first: Place, second: Place) -> Meeting {
    let objects = |place: Place| addresses.objects(place.address);
    match (objects(first), objects(second)) {
        (Some(a), Some(b)) if a.is_disjoint(b) => return Meeting::Never,
        (_, _) => {}
    }
    let aligned = |place: Place| {
        let facts = terms.facts(place.address);
        let low = u128::from(place.size) - 1;
        place.size.is_power_of_two() && (facts.zeros | facts.ones) & low == low && facts.ones & low == 0
    };
    let alike = first.size == second.size && aligned(first) && aligned(second);
    if alike { Meeting::Same } else { Meeting::Partly }
}

/// The objects that a place may lie in, as something to compare by.
fn objects_of(addresses: &addresses::Known, place: Place) -> Option<Vec<ObjectId>> {
    addresses.objects(place.address).map(|objects| objects.iter().copied().collect())
}
