//! Who is assumed to write where (interference: Miné, "Static analysis of run-time errors in embedded critical parallel C
//! programs", 2011).

use std::collections::{BTreeMap, BTreeSet};

use crate::execution_graph::events::InstanceId;
use crate::po_bmc::symbolic::world::World;
use raddle_semantics::ObjectId;

/// No access has more bytes.
const LARGEST_ACCESS: u128 = 16;

/// A constant address, and a number of bytes.
pub(crate) type Location = (u128, u32);

/// A part of memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct WrittenRegion {
    pub(crate) everywhere: bool,
    pub(crate) objects: BTreeSet<ObjectId>,
    pub(crate) places: BTreeSet<Location>,
}

impl WrittenRegion {
    pub(crate) fn everywhere() -> Self {
        Self { everywhere: true, ..Self::default() }
    }

    pub(crate) fn add(&mut self, other: &Self) {
        self.everywhere |= other.everywhere;
        self.objects.extend(&other.objects);
        self.places.extend(&other.places);
    }

    /// Whether a byte of a place may be in it.
    pub(crate) fn meets(&self, (address, size): Location, world: &World<'_>) -> bool {
        self.everywhere
            || world.object_at(address).is_none_or(|object| self.objects.contains(&object))
            || overlapping(&self.places, (address, size)).next().is_some()
    }

    fn covers(&self, other: &Self, world: &World<'_>) -> bool {
        let has = |place: &Location| {
            self.places.contains(place)
                || world.object_at(place.0).is_some_and(|object| self.objects.contains(&object))
        };
        self.everywhere
            || !other.everywhere && other.objects.is_subset(&self.objects) && other.places.iter().all(has)
    }
}

/// The places of a set that share bytes with one.
fn overlapping(places: &BTreeSet<Location>, (address, size): Location) -> impl Iterator<Item = Location> {
    let end = address + u128::from(size);
    let near = places.range((address.saturating_sub(LARGEST_ACCESS), 0)..(end, 0));
    near.copied().filter(move |(start, size)| start + u128::from(*size) > address)
}

/// Who is assumed to write where, if anything is assumed of that.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interference {
    pub(crate) writers: Option<Writers>,
}

/// Who writes where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Writers {
    /// For each thread, what others may write while it runs, except those that it starts itself.
    pub(crate) disturbed: BTreeMap<InstanceId, WrittenRegion>,
    /// For each thread, what it and those that it starts may write.
    pub(crate) written: BTreeMap<InstanceId, WrittenRegion>,
    /// What is read at constant addresses: nothing else is worth knowing.
    pub(crate) read: BTreeSet<Location>,
}

impl Writers {
    /// Whether all writes that are told here are told there too.
    pub(crate) fn is_covered_by(&self, other: &Self, world: &World<'_>) -> bool {
        let covered = |own: &BTreeMap<InstanceId, WrittenRegion>,
                       others: &BTreeMap<InstanceId, WrittenRegion>| {
            // A thread of which nothing was told was taken to write everything.
            own.iter().all(|(name, own)| others.get(name).is_none_or(|other| other.covers(own, world)))
        };
        covered(&self.disturbed, &other.disturbed) && covered(&self.written, &other.written)
    }

    /// Takes in further writes.
    pub(crate) fn add(&mut self, other: &Self) {
        for (own, others) in [(&mut self.disturbed, &other.disturbed), (&mut self.written, &other.written)] {
            for (name, places) in own.iter_mut() {
                if let Some(other) = others.get(name) {
                    places.add(other);
                }
            }
        }
        self.read.extend(&other.read);
    }

    /// What was worth knowing before still is, though reading it is no event any more.
    pub(crate) fn keep_reads_of(&mut self, before: Option<&Self>) {
        if let Some(before) = before {
            self.read.extend(&before.read);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn locations_overlap_by_bytes() {
        let places = BTreeSet::from([(16, 4), (32, 8)]);
        let meets = |address, size| overlapping(&places, (address, size)).next().is_some();
        assert!(meets(16, 4) && meets(19, 1) && meets(12, 8) && meets(39, 1) && meets(0, 64));
        assert!(!meets(20, 4) && !meets(12, 4) && !meets(40, 4) && !meets(31, 1));
    }
}
