//! What is known of the addresses of events beside their terms: the objects they may lie in.

use std::collections::BTreeSet;

use raddle_logic::term::{TermId, Terms};
use rustc_hash::FxHashMap;

use super::symbolic::{ObjectId, Origin, World, objects_of};
use crate::execution_graph::encode::Addresses;
use crate::execution_graph::events::Unrolling;

/// The objects that addresses may lie in.
#[derive(Debug)]
pub(crate) struct Known {
    /// For each address; an address that is not there may lie in any.
    objects: FxHashMap<TermId, BTreeSet<ObjectId>>,
    /// Those that every thread reaches from the beginning and that may be written.
    reached_by_all: BTreeSet<ObjectId>,
    /// Where an address tells its object: the lowest bit, and the highest.
    low: u32,
    high: u32,
}

impl Known {
    pub(crate) fn new(unrolling: &mut Unrolling, world: &World<'_>) -> Self {
        let mut objects = FxHashMap::default();
        let mut addresses: Vec<TermId> = unrolling
            .events
            .values()
            .filter_map(|event| {
                event.kind.accessed().map(|accessed| accessed.address).or(event.kind.lock_word())
            })
            .collect();
        addresses.extend(unrolling.accesses.iter().map(|access| access.address));
        for address in addresses {
            if objects.contains_key(&address) {
                continue;
            }
            if let Some(known) = objects_of(&mut unrolling.terms, world, address) {
                objects.insert(address, known);
            }
        }
        let is_reached = |object: &ObjectId| match world.origin(*object) {
            Origin::Global(global) => !world.program.globals[global].read_only,
            Origin::Nothing
            | Origin::Function(_)
            | Origin::ThreadLocal(..)
            | Origin::Alloc(_)
            | Origin::Nowhere => false,
        };
        let reached_by_all = objects.values().flatten().copied().filter(is_reached).collect();
        Self { objects, reached_by_all, low: world.addresses().offset_bits(), high: world.pointer_bits() - 1 }
    }
}

impl Known {
    /// The objects that an address may lie in; nothing if it may lie in any.
    pub(crate) fn objects(&self, address: TermId) -> Option<&BTreeSet<ObjectId>> {
        self.objects.get(&address)
    }
}

impl Addresses for Known {
    fn may_be_equal(&self, _: &Terms, a: TermId, b: TermId) -> bool {
        match (self.objects.get(&a), self.objects.get(&b)) {
            (Some(a), Some(b)) => !a.is_disjoint(b),
            (_, _) => true,
        }
    }

    fn is_reached_by_all(&self, _: &Terms, address: TermId) -> bool {
        let objects = self.objects.get(&address);
        objects.is_some_and(|objects| !objects.is_empty() && objects.is_subset(&self.reached_by_all))
    }

    fn same_object(&self, terms: &mut Terms, a: TermId, b: TermId) -> TermId {
        let (a, b) = (terms.extract(self.high, self.low, a), terms.extract(self.high, self.low, b));
        terms.eq(a, b)
    }
}
