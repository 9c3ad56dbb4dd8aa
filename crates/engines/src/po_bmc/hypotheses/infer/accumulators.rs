//! Places that are only ever counted up and down.
//!
//! If every write to a place adds something to what the same atomic step, or the same critical section of the lock that the place is
//! protected by, has read there, then what is there at any moment is what was there at first plus what was added
//! before. So a read reads at most the first value plus all that can have been added before it: by the same thread
//! earlier, and by other threads at all. This is closer than a range that fits all writes whatever their order: the k-th of a
//! thread's own increments cannot have seen more than k - 1 of them.

use std::collections::BTreeMap;

use raddle_logic::term::{Term, TermId, Terms};
use rustc_hash::FxHashMap;

use super::{Facts, Meeting, Place, bytes};
use crate::execution_graph::events::{EventId, InstanceId, StepId, Unrolling};
use crate::po_bmc::symbolic::Report;
use crate::po_bmc::symbolic::range::{Range, join};

/// How many conditional values deep a sum is looked for.
const MOST_NODES: usize = 64;

/// What is known so far.
pub(super) struct Numbers<'n> {
    /// The range of a term that is a part of something that is written or found.
    pub(super) range: &'n dyn Fn(TermId) -> Option<Range>,
    pub(super) meets: &'n dyn Fn(Place, Place) -> Meeting,
}

/// Something that is done at once: a step, or a critical section.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Unit {
    Step(StepId),
    Acquisition(usize),
}

/// What an atomic unit adds to a place.
struct Update {
    thread: InstanceId,
    step: StepId,
    unit: Unit,
    /// The least, at most zero, and the most, at least zero.
    adds: Range,
}

/// For each read the range of what it can read, if it is of a counted location.
pub(super) fn find(
    facts: &Facts<'_>,
    numbers: &Numbers<'_>,
    unrolling: &Unrolling,
    report: &Report,
) -> Vec<Option<Range>> {
    let mut found = vec![None; facts.reads.len()];
    let unit = |event: EventId| match report.acquisitions.get(&event) {
        Some(acquisition) => Unit::Acquisition(*acquisition),
        None => Unit::Step(unrolling.events[event].step),
    };
    // What each unit has read of each place.
    let mut read_by: FxHashMap<(Unit, usize), Vec<TermId>> = FxHashMap::default();
    let mut readers: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, read) in facts.reads.iter().enumerate() {
        if let Some((event, value)) = read.event {
            read_by.entry((unit(event), read.place)).or_default().push(value);
            readers.entry(read.place).or_default().push(index);
        }
    }
    for (place, reads) in readers {
        let info = facts.places[place];
        let (Some(_), Some(initial)) = (facts.terms.as_bits(info.address), info.initial) else { continue };
        let Some(first) = (numbers.range)(initial) else { continue };
        let Some(updates) = updates(facts, numbers, unrolling, place, &unit, &read_by) else { continue };
        for index in reads {
            let (event, _) = facts.reads[index].event.expect("these are events");
            let step = unrolling.events[event].step;
            let thread = unrolling.steps[step].thread;
            let own = unit(event);
            let before =
                |update: &&Update| update.unit != own && (update.thread != thread || update.step < step);
            let adds = updates.iter().filter(before).map(|update| update.adds);
            let (mut low, mut high) = (first.low, first.high);
            for adds in adds {
                low = low.saturating_add(adds.low);
                high = high.saturating_add(adds.high);
            }
            let mut width = Range::all(8 * info.size);
            if info.bits > 8 * info.size {
                // With marks above it, a number is positive.
                width.low = 0;
            }
            if low >= width.low && high <= width.high {
                found[index] = Some(Range { low, high });
            }
        }
    }
    found
}

/// What is added to a place, if nothing else is ever done to it.
fn updates(
    facts: &Facts<'_>,
    numbers: &Numbers<'_>,
    unrolling: &Unrolling,
    place: usize,
    unit: &impl Fn(EventId) -> Unit,
    read_by: &FxHashMap<(Unit, usize), Vec<TermId>>,
) -> Option<Vec<Update>> {
    let info = facts.places[place];
    let mut by_unit: BTreeMap<Unit, Update> = BTreeMap::new();
    for write in facts.candidates(info) {
        let write = &facts.writes[write];
        match (numbers.meets)(info, write.place) {
            Meeting::Never => continue,
            Meeting::Same if write.place.address == info.address => {}
            Meeting::Same | Meeting::Partly => return None,
        }
        let unit = unit(write.event);
        let reads = read_by.get(&(unit, place))?;
        let written = bytes(facts.terms, write.value, info.size);
        let adds = reads.iter().find_map(|read| difference(facts.terms, numbers, written, *read))?;
        let step = unrolling.events[write.event].step;
        let update = by_unit.entry(unit).or_insert(Update {
            thread: unrolling.steps[step].thread,
            step,
            unit,
            adds: Range { low: 0, high: 0 },
        });
        // Several writes of one unit exclude each other.
        update.adds.low = update.adds.low.min(adds.low);
        update.adds.high = update.adds.high.max(adds.high);
    }
    Some(by_unit.into_values().collect())
}

/// The range of what has to be added to one term to get another, if that can be told.
fn difference(terms: &Terms, numbers: &Numbers<'_>, sum: TermId, from: TermId) -> Option<Range> {
    let mut whole: Option<Range> = None;
    let mut open = vec![sum];
    let mut looked = 0;
    while let Some(term) = open.pop() {
        looked += 1;
        if looked > MOST_NODES {
            return None;
        }
        if let Term::Ite(_, then, otherwise) = terms[term]
            && term != from
        {
            open.extend([then, otherwise]);
            continue;
        }
        let one = addend(terms, numbers, term, from)?;
        whole = join(whole, Some(one));
    }
    whole
}

/// The same for a sum.
fn addend(terms: &Terms, numbers: &Numbers<'_>, sum: TermId, from: TermId) -> Option<Range> {
    let mut rest = Range { low: 0, high: 0 };
    let mut met = false;
    let mut open = vec![sum];
    while let Some(term) = open.pop() {
        if term == from && !met {
            met = true;
        } else if let Term::Add(left, right) = terms[term] {
            if open.len() > MOST_NODES {
                return None;
            }
            open.extend([left, right]);
        } else {
            let part = (numbers.range)(term)?;
            rest = Range { low: rest.low.checked_add(part.low)?, high: rest.high.checked_add(part.high)? };
        }
    }
    met.then_some(rest)
}
