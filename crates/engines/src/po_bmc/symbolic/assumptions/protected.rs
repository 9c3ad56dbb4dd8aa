//! Locations that are assumed to be accessed under one lock only.

use std::collections::{BTreeMap, BTreeSet};

use crate::po_bmc::symbolic::world::World;
use raddle_semantics::ObjectId;

/// Locations that are accessed under one lock only, with its address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct LockProtected {
    /// By address and size.
    pub(crate) places: BTreeMap<(u128, u32), u128>,
    /// Whole objects.
    pub(crate) objects: BTreeMap<ObjectId, u128>,
    /// Whether this was refuted: then it is not assumed again.
    pub(crate) is_given_up: bool,
}

impl LockProtected {
    /// The lock of a place.
    pub(crate) fn lock_of(&self, place: (u128, u32), world: &World<'_>) -> Option<u128> {
        let of_object = world.object_at(place.0).and_then(|object| self.objects.get(&object));
        of_object.or_else(|| self.places.get(&place)).copied()
    }

    /// The lock of a whole object.
    pub(crate) fn lock_of_object(&self, object: ObjectId) -> Option<u128> {
        self.objects.get(&object).copied()
    }

    /// Whether a lock protects anything.
    pub(crate) fn protects_with(&self, lock: u128) -> bool {
        self.places.values().chain(self.objects.values()).any(|other| *other == lock)
    }

    /// Whether an access may touch something that a lock protects.
    pub(crate) fn may_touch(&self, lock: u128, target: &Target, size: u32, world: &World<'_>) -> bool {
        let meets = |&(start, bytes): &(u128, u32)| match target {
            Target::Constant(address) => {
                *address < start + u128::from(bytes) && start < address + u128::from(size)
            }
            Target::Objects(objects) => world.object_at(start).is_none_or(|object| objects.contains(&object)),
            Target::Anywhere => true,
        };
        let holds = |object: &ObjectId| match target {
            Target::Constant(address) => world.object_at(*address).is_none_or(|at| at == *object),
            Target::Objects(objects) => objects.contains(object),
            Target::Anywhere => true,
        };
        self.objects.iter().any(|(object, of)| *of == lock && holds(object))
            || self.places.iter().any(|(place, of)| *of == lock && meets(place))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty() && self.objects.is_empty()
    }

    /// Whether all that is claimed here is claimed there too, as far as it is accessed at all.
    pub(crate) fn is_confirmed_by(&self, other: &Self, accessed: &Accessed, world: &World<'_>) -> bool {
        self.places.iter().all(|(place, lock)| {
            other.lock_of(*place, world) == Some(*lock) || !accessed.places.contains(place)
        }) && self.objects.iter().all(|(object, lock)| {
            other.objects.get(object) == Some(lock) || !accessed.objects.contains(object)
        })
    }
}

/// What is accessed at all.
#[derive(Debug, Default)]
pub(crate) struct Accessed {
    pub(crate) places: BTreeSet<(u128, u32)>,
    pub(crate) objects: BTreeSet<ObjectId>,
}

/// Where an access may go.
#[derive(Debug)]
pub(crate) enum Target {
    Constant(u128),
    Objects(BTreeSet<ObjectId>),
    Anywhere,
}
