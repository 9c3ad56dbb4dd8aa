//! Locations that are accessed under one lock only.

use std::collections::{BTreeMap, BTreeSet};

use raddle_logic::term::{TermId, Terms};

use super::{Hypothesis, Seen};
use crate::execution_graph::events::{EventId, Location, Space, Unrolling};
use crate::po_bmc::symbolic::{Accessed, LockProtected, Locks, ObjectId, Report, World, objects_of};

impl Hypothesis for LockProtected {
    fn covers(&self, seen: &mut Seen<'_, '_>) -> bool {
        if self.is_empty() {
            return true;
        }
        let (found, accessed) = protected(seen.unrolling, seen.report, seen.world);
        self.is_confirmed_by(&found, &accessed, seen.world)
    }

    fn weaken(&mut self, _: &mut Seen<'_, '_>) {
        *self = Self { is_given_up: true, ..Self::default() };
    }

    /// Races are about single accesses: critical sections as a whole are of no use there.
    fn infer(&mut self, seen: &mut Seen<'_, '_>) -> bool {
        if self.is_given_up || !self.is_empty() || seen.options.races {
            return false;
        }
        *self = protected(seen.unrolling, seen.report, seen.world).0;
        !self.is_empty()
    }
}

/// An access to shared memory.
struct Touch {
    objects: BTreeSet<ObjectId>,
    address: Option<u128>,
    size: u32,
    /// The address modulo the size, if that is known.
    residue: Option<u128>,
    locks: Locks,
}

/// Finds the places that an execution accesses under one lock only.
fn protected(out: &mut Unrolling, report: &Report, world: &World<'_>) -> (LockProtected, Accessed) {
    let mut touches = Vec::new();
    let mut accessed = Accessed::default();
    let mut unknown = false;
    for event in out.events.ids().collect::<Vec<EventId>>() {
        let Some(Location { space: Space::Data, address, size }) = out.events[event].kind.accessed() else {
            continue;
        };
        let Some(objects) = objects_of(&mut out.terms, world, address) else {
            unknown = true;
            continue;
        };
        let locks = report.locks.get(&event).cloned().unwrap_or_default();
        let residue = residue(&out.terms, address, size);
        let address = out.terms.as_bits(address);
        accessed.objects.extend(&objects);
        accessed.places.extend(address.map(|address| (address, size)));
        touches.push(Touch { objects, address, size, residue, locks });
    }
    if unknown {
        return (LockProtected::default(), accessed);
    }
    let mut by_object: BTreeMap<ObjectId, Vec<&Touch>> = BTreeMap::new();
    for touch in &touches {
        touch.objects.iter().for_each(|object| by_object.entry(*object).or_default().push(touch));
    }
    let mut found = LockProtected::default();
    for (object, touches) in by_object {
        if let Some(lock) = common(touches.iter().copied())
            && touches.iter().all(|touch| touch.is_like(touches[0]))
        {
            found.objects.insert(object, lock);
            // All who access it go through one region, whether they name a place or not.
            continue;
        }
        for touch in &touches {
            let Some(address) = touch.address else { continue };
            let meets = |other: &&&Touch| match other.address {
                Some(place) => {
                    address < place + u128::from(other.size) && place < address + u128::from(touch.size)
                }
                None => true,
            };
            let alike = touches.iter().filter(meets).all(|other| other.is_like(touch));
            if let Some(lock) = common(touches.iter().filter(meets).copied())
                && alike
            {
                found.places.insert((address, touch.size), lock);
            }
        }
    }
    (found, accessed)
}

impl Touch {
    /// Whether both are to the same bytes or to none in common, wherever they are.
    fn is_like(&self, other: &Self) -> bool {
        self.size == other.size && self.residue.is_some() && self.residue == other.residue
    }
}

/// An address modulo a size, if that is known.
fn residue(terms: &Terms, address: TermId, size: u32) -> Option<u128> {
    let facts = terms.facts(address);
    let low = u128::from(size) - 1;
    (size.is_power_of_two() && (facts.zeros | facts.ones) & low == low).then_some(facts.ones & low)
}

/// The lowest lock that is held in all of these.
fn common<'t>(touches: impl Iterator<Item = &'t Touch>) -> Option<u128> {
    let mut all: Option<Locks> = None;
    for touch in touches {
        match &mut all {
            None => all = Some(touch.locks.clone()),
            Some(all) => all.retain(|lock| touch.locks.contains(lock)),
        }
    }
    all?.into_iter().min()
}
