//! Memory under a lock.
//!
//! Where every access to a place is made with the same lock held, nobody else touches the place from the moment the lock
//! is taken to the moment it is released. So what is there can be read when the lock is taken, and what is written there
//! can be seen when it is released, at once: in between the thread knows what the place holds. A critical section that uses
//! a variable ten times makes one read and one write of it.
//!
//! Which places are protected so is learnt from an execution and taken for granted in the next, which confirms it
//! ([`protected`]). Races are about single accesses: when they are looked for, this is not done.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use raddle_logic::term::TermId;
use smallvec::SmallVec;

use super::access::Request;
use super::execute::{Executor, Report};
use super::path::{Path, Section};
use super::pointer::known_object;
use super::split::objects_of;
use super::world::{ObjectId, World};
use crate::po_bmc::events::{EventId, EventKind, Space, StepId, Unrolling};

/// The addresses of the locks that were held for sure.
pub(crate) type Locks = SmallVec<[u128; 2]>;

/// Places that are accessed under a lock only, with its address.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Protected {
    /// By address and size.
    places: BTreeMap<(u128, u32), u128>,
    /// Whole objects.
    objects: BTreeMap<ObjectId, u128>,
}

impl Protected {
    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty() && self.objects.is_empty()
    }

    /// Whether all that is claimed here is claimed there too, as far as it is accessed at all.
    pub(crate) fn is_confirmed_by(&self, other: &Self, accessed: &Accessed) -> bool {
        self.places
            .iter()
            .all(|(place, lock)| other.places.get(place) == Some(lock) || !accessed.places.contains(place))
            && self.objects.iter().all(|(object, lock)| {
                other.objects.get(object) == Some(lock) || !accessed.objects.contains(object)
            })
    }
}

/// What is accessed at all.
#[derive(Debug, Default)]
pub(crate) struct Accessed {
    places: BTreeSet<(u128, u32)>,
    objects: BTreeSet<ObjectId>,
}

/// A critical section that is under way.
#[derive(Clone, Debug)]
pub(crate) struct Region {
    /// The lock's address.
    pub(crate) lock: u128,
    pub(crate) acquisition: usize,
    /// What was read since the lock was taken, and what was written.
    pub(crate) section: Section,
}

/// An access to shared memory.
struct Touch {
    objects: BTreeSet<ObjectId>,
    address: Option<u128>,
    size: u32,
    locks: Locks,
}

/// Finds the places that an execution accesses under one lock only.
pub(crate) fn protected(out: &mut Unrolling, report: &Report, world: &World<'_>) -> (Protected, Accessed) {
    let mut touches = Vec::new();
    let mut accessed = Accessed::default();
    let mut unknown = false;
    for event in out.events.ids().collect::<Vec<EventId>>() {
        let (address, size) = match out.events[event].kind {
            EventKind::Read { space: Space::Data, address, size, .. }
            | EventKind::Write { space: Space::Data, address, size, .. } => (address, size),
            EventKind::Read { .. }
            | EventKind::Write { .. }
            | EventKind::Lock { .. }
            | EventKind::Unlock { .. }
            | EventKind::LockIsFree { .. }
            | EventKind::Fork { .. }
            | EventKind::Join { .. }
            | EventKind::ThreadExists { .. }
            | EventKind::Mark => continue,
        };
        let Some(objects) = objects_of(&mut out.terms, world, address) else {
            unknown = true;
            continue;
        };
        let locks = report.locks.get(&event).cloned().unwrap_or_default();
        let address = out.terms.as_bits(address);
        accessed.objects.extend(&objects);
        accessed.places.extend(address.map(|address| (address, size)));
        touches.push(Touch { objects, address, size, locks });
    }
    if unknown {
        return (Protected::default(), accessed);
    }
    let mut by_object: BTreeMap<ObjectId, Vec<&Touch>> = BTreeMap::new();
    for touch in &touches {
        touch.objects.iter().for_each(|object| by_object.entry(*object).or_default().push(touch));
    }
    let mut found = Protected::default();
    for (object, touches) in by_object {
        let size = touches[0].size;
        let uniform = touches.iter().all(|touch| touch.size == size);
        if let Some(lock) = common(touches.iter().copied())
            && uniform
        {
            found.objects.insert(object, lock);
        }
        for touch in &touches {
            let Some(address) = touch.address else { continue };
            let meets = |other: &&&Touch| match other.address {
                Some(place) => {
                    address < place + u128::from(other.size) && place < address + u128::from(touch.size)
                }
                None => true,
            };
            let alike = touches.iter().filter(meets).all(|other| other.size == touch.size);
            if let Some(lock) = common(touches.iter().filter(meets).copied())
                && alike
            {
                found.places.insert((address, touch.size), lock);
            }
        }
    }
    (found, accessed)
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

impl Executor<'_, '_> {
    /// The locks that the thread holds for sure.
    pub(crate) fn locks(&self, path: &Path) -> Locks {
        path.held
            .iter()
            .filter(|held| self.out.terms.as_bool(held.held) == Some(true) || path.guard.implies(held.held))
            .filter_map(|held| self.out.terms.as_bits(held.address))
            .collect()
    }

    /// A lock was taken: from here on what it protects is known.
    pub(crate) fn begin_region(&mut self, path: &mut Path, lock: TermId, acquisition: usize, step: StepId) {
        let Some(lock) = self.out.terms.as_bits(lock) else { return };
        let protects = self.hints.protected.places.values().chain(self.hints.protected.objects.values());
        if !path.forked || self.options.races || !protects.into_iter().any(|other| *other == lock) {
            return;
        }
        let section = Section {
            step,
            depth: 0,
            model: true,
            inputs: false,
            acquisition: Some(acquisition),
            log: None,
            reads: Rc::default(),
        };
        path.regions.push(Region { lock, acquisition, section });
    }

    /// The region that knows what an access is about.
    pub(crate) fn region(&self, path: &Path, request: &Request) -> Option<usize> {
        if path.regions.is_empty() {
            return None;
        }
        let protected = &self.hints.protected;
        let lock = match self.out.terms.as_bits(request.address) {
            Some(address) => *protected.places.get(&(address, request.size))?,
            None => {
                let object = known_object(&self.out.terms, self.world, request.address)?;
                *protected.objects.get(&object)?
            }
        };
        path.regions.iter().position(|region| region.lock == lock)
    }

    /// Does something with what a region knows in the place of what an atomic section would.
    pub(crate) fn in_region<T>(
        &mut self,
        path: &mut Path,
        index: usize,
        work: impl FnOnce(&mut Self, &mut Path, StepId) -> T,
    ) -> T {
        let section = path.regions[index].section.clone();
        let step = section.step;
        let outer = path.section.replace(section);
        let result = work(self, path, step);
        if let Some(section) = std::mem::replace(&mut path.section, outer) {
            path.regions[index].section = section;
        }
        result
    }

    /// The lock is released: what was written can be seen.
    pub(crate) fn end_region(&mut self, path: &mut Path, lock: TermId, step: StepId) {
        let Some(lock) = self.out.terms.as_bits(lock) else { return };
        let Some(index) = path.regions.iter().rposition(|region| region.lock == lock) else { return };
        let region = path.regions.remove(index);
        self.flush(path, &region.section.writes(), step, Some(region.acquisition));
    }

    /// What only some of the paths that meet know is written down.
    pub(crate) fn align_regions(&mut self, paths: &mut [&mut Path]) {
        let names =
            |path: &Path| -> Vec<usize> { path.regions.iter().map(|region| region.acquisition).collect() };
        let first = names(paths[0]);
        if paths.iter().all(|path| names(path) == first) {
            return;
        }
        for path in paths.iter_mut() {
            if path.regions.is_empty() {
                continue;
            }
            let step = self.step(path, true);
            for region in std::mem::take(&mut path.regions) {
                self.flush(path, &region.section.writes(), step, Some(region.acquisition));
            }
        }
    }
}
