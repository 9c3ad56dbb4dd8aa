//! Accesses of different sizes to the same bytes are split into bytes, so that two accesses are to the same place or to
//! places that do not overlap.

use std::collections::{BTreeMap, BTreeSet};

use raddle_logic::term::{TermId, Terms};

use super::report::Report;
use super::world::World;
use crate::execution_graph::events::{AccessKind, EventId, EventKind, Location, Space, Unrolling};
use raddle_semantics::pointers::{overlap, overlap_in_part};
use raddle_semantics::{ObjectId, WordLayout};

/// The objects that an address may lie in; `None` if that is not known.
pub(crate) fn objects_of(
    terms: &mut Terms,
    world: &World<'_>,
    address: TermId,
) -> Option<BTreeSet<ObjectId>> {
    let list = world.addresses().targets(terms, address)?;
    Some(list.into_iter().map(|target| target.object).collect())
}

/// An access to an object.
#[derive(Clone, Copy)]
struct Touch {
    event: EventId,
    /// If it is a constant.
    address: Option<u128>,
    term: TermId,
    size: u32,
}

/// Splits; says whether there was anything to split.
pub(crate) fn split(out: &mut Unrolling, world: &World<'_>, report: &mut Report) -> bool {
    let mut by_object: BTreeMap<ObjectId, Vec<Touch>> = BTreeMap::new();
    let mut anywhere: Vec<Touch> = Vec::new();
    for event in out.events.ids() {
        let Some(Location { space: Space::Data, address, size }) = out.events[event].kind.accessed() else {
            continue;
        };
        let touch = Touch { event, address: out.terms.as_bits(address), term: address, size };
        match objects_of(&mut out.terms, world, address) {
            Some(objects) => {
                objects.into_iter().for_each(|object| by_object.entry(object).or_default().push(touch));
            }
            None => anywhere.push(touch),
        }
    }
    let mut mixed: BTreeSet<EventId> = BTreeSet::new();
    for touches in by_object.values_mut() {
        touches.extend(anywhere.iter().copied());
        find_mixed(&out.terms, touches, &mut mixed);
    }
    // An access that is split drags all it may overlap along.
    loop {
        let before = mixed.len();
        for touches in by_object.values() {
            let split: Vec<Touch> =
                touches.iter().copied().filter(|touch| mixed.contains(&touch.event)).collect();
            for touch in touches {
                if !mixed.contains(&touch.event) && split.iter().any(|other| may_overlap(touch, other)) {
                    mixed.insert(touch.event);
                }
            }
        }
        if mixed.len() == before {
            break;
        }
    }
    report.tears_pointers |= !world.is_torn() && tears_pointers(out, world, &mixed);
    report.reads.retain(|(_, event)| !mixed.contains(event));
    let any = !mixed.is_empty();
    for event in mixed {
        split_event(out, event, world.layout(), report);
    }
    any
}

/// Whether something may be written over a part of a pointer.
fn tears_pointers(out: &mut Unrolling, world: &World<'_>, mixed: &BTreeSet<EventId>) -> bool {
    let pointer = world.layout().pointer_bytes;
    let (mut pointers, mut parts) = (Vec::new(), Vec::new());
    for &event in mixed {
        let (address, size, is_pointer) = match out.events[event].kind {
            EventKind::Access {
                location: Location { address, size, .. },
                access: AccessKind::Write { value },
            } => {
                let is_pointer = size == pointer && {
                    let value = world.layout().bytes(&mut out.terms, value, size);
                    world.addresses().may_lead_somewhere(&mut out.terms, value)
                };
                (address, size, is_pointer)
            }
            EventKind::Access {
                location: Location { address, size, .. },
                access: AccessKind::Read { .. },
            } => (address, size, world.reads_pointer(out.events[event].place)),
            EventKind::Sync(_) | EventKind::Mark => continue,
        };
        if is_pointer {
            pointers.push(address);
        } else if out.events[event].kind.written().is_some() {
            parts.push((address, size));
        }
    }
    let terms = &mut out.terms;
    let mut cuts = |at: TermId, part: TermId, size: u32| {
        overlap_in_part(terms, (at, pointer), (part, size)) && share_object(terms, world, at, part)
    };
    pointers.into_iter().any(|at| parts.iter().any(|&(part, size)| cuts(at, part, size)))
}

/// Whether two addresses may lie in one object.
fn share_object(terms: &mut Terms, world: &World<'_>, first: TermId, second: TermId) -> bool {
    let (Some(first), Some(second)) = (objects_of(terms, world, first), objects_of(terms, world, second))
    else {
        return true;
    };
    !first.is_disjoint(&second)
}

fn may_overlap(first: &Touch, second: &Touch) -> bool {
    match (first.address, second.address) {
        (Some(a), Some(b)) => overlap((a, first.size), (b, second.size)),
        (_, _) => true,
    }
}

/// Finds accesses that may overlap others without being to the same place.
fn find_mixed(terms: &Terms, touches: &[Touch], mixed: &mut BTreeSet<EventId>) {
    let Some(first) = touches.first() else { return };
    let symbolic = touches.iter().any(|touch| touch.address.is_none());
    if symbolic {
        // All must have one size and be aligned alike.
        let size = first.size;
        let residue = |touch: &Touch| {
            let facts = terms.facts(touch.term);
            let low = u128::from(size) - 1;
            let known = (facts.zeros | facts.ones) & low == low;
            known.then_some(facts.ones & low)
        };
        let uniform = size.is_power_of_two()
            && touches.iter().all(|touch| touch.size == size && residue(touch).is_some())
            && touches.iter().all(|touch| residue(touch) == residue(first));
        if !uniform {
            // Those at constant places that nothing at another place or of another size can reach stay whole.
            mixed.extend(touches.iter().filter(|touch| touch.size > 1).map(|touch| touch.event));
        }
        return;
    }
    let mut places: Vec<(u128, u32)> =
        touches.iter().filter_map(|touch| Some((touch.address?, touch.size))).collect();
    places.sort_unstable();
    places.dedup();
    let clashes = |&(at, size): &(u128, u32)| {
        places
            .iter()
            .any(|&(other, others)| (other, others) != (at, size) && overlap((at, size), (other, others)))
    };
    let clashing: BTreeSet<(u128, u32)> = places.iter().copied().filter(|place| clashes(place)).collect();
    mixed.extend(
        touches
            .iter()
            .filter(|touch| touch.address.is_some_and(|at| clashing.contains(&(at, touch.size))))
            .filter(|touch| touch.size > 1)
            .map(|touch| touch.event),
    );
}

/// Makes one event of each byte.
fn split_event(out: &mut Unrolling, event: EventId, layout: WordLayout, report: &mut Report) {
    let unwritten_is = report.unwritten_is.remove(&event);
    let EventKind::Access { location: Location { address, size, .. }, access } = out.events[event].kind
    else {
        return;
    };
    let mut parts = Vec::new();
    for byte in 0..size {
        let terms = &mut out.terms;
        let width = terms.width(address);
        let offset = terms.bits(byte.into(), width);
        let address = terms.add(address, offset);
        let access = match access {
            AccessKind::Read { value, .. } => {
                let value = layout.part(terms, (value, size), byte, 1);
                AccessKind::Read { value, initial: None, uninitialised: None }
            }
            AccessKind::Write { value } => {
                AccessKind::Write { value: layout.part(terms, (value, size), byte, 1) }
            }
        };
        parts.push(EventKind::Access { location: Location { space: Space::Data, address, size: 1 }, access });
    }
    for (byte, part) in out.split_event(event, &parts).into_iter().enumerate() {
        report.unwritten_is.extend(unwritten_is.map(|number| (part, number >> (8 * byte) & 0xff)));
    }
}
