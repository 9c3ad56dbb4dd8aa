//! Memory under a lock.
//!
//! Where every access to a place is made with the same lock held, nobody else touches the place from the moment the lock
//! is taken to the moment it is released. So what is there can be read when the lock is taken, and what is written there
//! can be seen when it is released, at once: in between the thread knows what the place holds. A critical section that uses
//! a variable ten times makes one read and one write of it.
//!
//! Which places are protected so is learnt from an execution and taken for granted in the next, which confirms it
//! ([`protected`]). Races are about single accesses: when they are looked for, this is not done.
//!
//! Invariant: what a region knows is what memory would hold if all its writes had happened. So an access goes through the region
//! that knows all of what it may touch; if there is none, every region that knows any of it writes down what it has and is given
//! up. The same happens at an unlock that may be of its lock.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use raddle_base::Id;
use raddle_logic::term::{TermId, Terms};
use smallvec::SmallVec;

use super::access::Request;
use super::execute::{Executor, Report};
use super::path::{Path, Section, Written};
use super::pointer::targets;
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
    /// The lock of a place.
    fn lock_of(&self, place: (u128, u32), world: &World<'_>) -> Option<u128> {
        let of_object = world.object_at(place.0).and_then(|object| self.objects.get(&object));
        of_object.or_else(|| self.places.get(&place)).copied()
    }

    /// Whether an access may touch something that a lock protects.
    fn may_touch(&self, lock: u128, target: &Target, size: u32, world: &World<'_>) -> bool {
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
    places: BTreeSet<(u128, u32)>,
    objects: BTreeSet<ObjectId>,
}

/// Where an access may go.
enum Target {
    Constant(u128),
    Objects(BTreeSet<ObjectId>),
    Anywhere,
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
    /// The address modulo the size, if that is known.
    residue: Option<u128>,
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
        let residue = residue(&out.terms, address, size);
        let address = out.terms.as_bits(address);
        accessed.objects.extend(&objects);
        accessed.places.extend(address.map(|address| (address, size)));
        touches.push(Touch { objects, address, size, residue, locks });
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
        // An atomic block of the program knows what it has written, and goes on knowing it behind the unlock.
        if path.section.as_ref().is_some_and(|section| !section.model) {
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

    /// The region that knows what an access is about. Regions that know only a part of it are given up.
    pub(crate) fn region(&mut self, path: &mut Path, request: &Request) -> Option<usize> {
        if path.regions.is_empty() {
            return None;
        }
        let target = match self.out.terms.as_bits(request.address) {
            Some(address) => Target::Constant(address),
            None => match objects_of(&mut self.out.terms, self.world, request.address) {
                Some(objects) => Target::Objects(objects),
                None => Target::Anywhere,
            },
        };
        let touches =
            |region: &Region| self.hints.protected.may_touch(region.lock, &target, request.size, self.world);
        let touched: Vec<usize> =
            (0..path.regions.len()).filter(|&index| touches(&path.regions[index])).collect();
        if let [only] = *touched
            && self.is_known_to(path.regions[only].lock, request)
        {
            return Some(only);
        }
        let given_up = touched.into_iter().rev().map(|index| path.regions.remove(index)).collect();
        self.give_up(path, given_up);
        None
    }

    /// Whether all that an access may touch is protected by a lock.
    fn is_known_to(&mut self, lock: u128, request: &Request) -> bool {
        let Some(list) = targets(&mut self.out.terms, self.world, request.address) else { return false };
        // An access goes on only where its pointer is no number.
        list.into_iter().filter(|target| target.object.index() > 0).all(|target| {
            let protector = match self.out.terms.as_bits(target.address) {
                Some(address) => self.hints.protected.lock_of((address, request.size), self.world),
                None => self.hints.protected.objects.get(&target.object).copied(),
            };
            protector == Some(lock)
        })
    }

    /// What regions have written is written down, before anything else is done.
    fn give_up(&mut self, path: &mut Path, regions: Vec<Region>) {
        if regions.is_empty() {
            return;
        }
        if path.section.is_some() {
            regions.iter().for_each(|region| hand_over(path, region));
            return;
        }
        let step = self.step(path, true);
        for region in regions {
            self.flush(path, &region.section.writes(), step, Some(region.acquisition));
        }
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

    /// A lock is released: what was written under it can be seen.
    pub(crate) fn end_regions(&mut self, path: &mut Path, lock: TermId, step: StepId) {
        for index in (0..path.regions.len()).rev() {
            let own = self.pointer(path.regions[index].lock);
            let same = self.out.terms.eq(own, lock);
            if self.out.terms.as_bool(same) == Some(false) {
                continue;
            }
            let region = path.regions.remove(index);
            // An atomic block of the program goes on behind the unlock, and reads what is in its own log.
            if path.section.as_ref().is_some_and(|section| !section.model) {
                hand_over(path, &region);
            } else {
                self.flush(path, &region.section.writes(), step, Some(region.acquisition));
            }
        }
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
            let regions = std::mem::take(&mut path.regions);
            self.give_up(path, regions);
        }
    }
}

/// What a region has written becomes what the atomic block at hand has written: the block wrote nothing of that itself.
fn hand_over(path: &mut Path, region: &Region) {
    let Some(section) = &mut path.section else { return };
    for written in region.section.writes() {
        let before = section.log.take();
        let depth = before.as_ref().map_or(0, |written| written.depth) + 1;
        section.log = Some(Rc::new(Written { before, depth, ..Written::clone(&written) }));
    }
}
