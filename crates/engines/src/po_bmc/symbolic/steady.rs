//! Shared memory that a thread knows the contents of, because nobody else writes there while it looks.
//!
//! A place is *steady* for a thread as long as every write to it by another thread has happened before the thread was
//! started, or is made by a thread that this one has not started yet. What the place held when the thread was started, or what the thread
//! itself wrote or read there last, is then what it still holds: reading it is no event, and the value folds into what
//! is computed from it. A queue's tail that only the producer moves is a constant in each round of the producer's loop,
//! and so is the index that it is used as.
//!
//! Who writes what is learnt from an execution ([`steady`]) and taken for granted in the next, which confirms it
//! ([`Steady::is_covered_by`]): by induction along any execution, a read that was folded does see what it was taken to see. This holds
//! under weak memory models too: a thread sees its own late stores, and starting a thread waits for them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use raddle_base::Id;
use raddle_logic::term::{TermId, Terms};

use super::execute::{Executor, Report};
use super::memory::Contents;
use super::path::Path;
use super::split::objects_of;
use super::world::{ObjectId, World};
use crate::po_bmc::events::{EventKind, InstanceId, Space, StepId, Unrolling};

/// No access has more bytes.
const LARGEST_ACCESS: u128 = 16;

/// A constant address, and a number of bytes.
type Place = (u128, u32);

/// A part of memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Places {
    everywhere: bool,
    objects: BTreeSet<ObjectId>,
    places: BTreeSet<Place>,
}

impl Places {
    fn everywhere() -> Self {
        Self { everywhere: true, ..Self::default() }
    }

    fn add(&mut self, other: &Self) {
        self.everywhere |= other.everywhere;
        self.objects.extend(&other.objects);
        self.places.extend(&other.places);
    }

    /// Whether a byte of a place may be in it.
    fn meets(&self, (address, size): Place, world: &World<'_>) -> bool {
        self.everywhere
            || world.object_at(address).is_none_or(|object| self.objects.contains(&object))
            || overlapping(&self.places, (address, size)).next().is_some()
    }

    fn covers(&self, other: &Self, world: &World<'_>) -> bool {
        let has = |place: &Place| {
            self.places.contains(place)
                || world.object_at(place.0).is_some_and(|object| self.objects.contains(&object))
        };
        self.everywhere
            || !other.everywhere && other.objects.is_subset(&self.objects) && other.places.iter().all(has)
    }
}

/// The places of a set that share bytes with one.
fn overlapping(places: &BTreeSet<Place>, (address, size): Place) -> impl Iterator<Item = Place> {
    let end = address + u128::from(size);
    let near = places.range((address.saturating_sub(LARGEST_ACCESS), 0)..(end, 0));
    near.copied().filter(move |(start, size)| start + u128::from(*size) > address)
}

/// Who writes where.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Steady {
    /// For each thread, what others may write while it runs, except those that it starts itself.
    disturbed: BTreeMap<InstanceId, Places>,
    /// For each thread, what it and those that it starts may write.
    written: BTreeMap<InstanceId, Places>,
    /// What is read at constant addresses: nothing else is worth knowing.
    read: BTreeSet<Place>,
}

impl Steady {
    /// Whether all writes that are told here are told there too.
    pub(crate) fn is_covered_by(&self, other: &Self, world: &World<'_>) -> bool {
        let covered = |own: &BTreeMap<InstanceId, Places>, others: &BTreeMap<InstanceId, Places>| {
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

    /// Whether some read of an execution could be folded that could not with what was known before.
    pub(crate) fn helps(
        &self,
        before: Option<&Self>,
        out: &Unrolling,
        report: &Report,
        world: &World<'_>,
    ) -> bool {
        let quiet = |steady: &Self, name: InstanceId, place: Place| {
            steady.disturbed.get(&name).is_some_and(|disturbed| !disturbed.meets(place, world))
        };
        report.reads.iter().any(|&(_, event)| {
            let Some(place) = place_of_read(out, event) else { return false };
            let name = report.names[out.steps[out.events[event].step].thread.index()];
            quiet(self, name, place) && !before.is_some_and(|before| quiet(before, name, place))
        })
    }
}

fn place_of_read(out: &Unrolling, event: crate::po_bmc::events::EventId) -> Option<Place> {
    match out.events[event].kind {
        EventKind::Read { space: Space::Data, address, size, .. } => {
            out.terms.as_bits(address).map(|address| (address, size))
        }
        EventKind::Read { .. }
        | EventKind::Write { .. }
        | EventKind::Lock { .. }
        | EventKind::Unlock { .. }
        | EventKind::LockIsFree { .. }
        | EventKind::Fork { .. }
        | EventKind::Join { .. }
        | EventKind::ThreadExists { .. }
        | EventKind::Mark => None,
    }
}

/// Finds out who writes where.
pub(crate) fn steady(out: &mut Unrolling, report: &Report, world: &World<'_>) -> Steady {
    let mut writes: Vec<Vec<(StepId, Places)>> = vec![Vec::new(); out.threads.len()];
    let mut read = BTreeSet::new();
    for event in out.events.ids().collect::<Vec<_>>() {
        let step = out.events[event].step;
        if let Some(place) = place_of_read(out, event) {
            read.insert(place);
        } else if let EventKind::Write { space: Space::Data, address, size, .. } = out.events[event].kind
            && out.terms.as_bool(out.events[event].guard) != Some(false)
        {
            let mut target = Places::default();
            match out.terms.as_bits(address) {
                Some(address) => _ = target.places.insert((address, size)),
                None => match objects_of(&mut out.terms, world, address) {
                    Some(objects) => target.objects = objects,
                    None => target = Places::everywhere(),
                },
            }
            writes[out.steps[step].thread.index()].push((step, target));
        }
    }
    let forks: Vec<Option<StepId>> =
        out.threads.values().map(|thread| thread.fork.map(|fork| out.events[fork].step)).collect();
    let parent = |thread: usize| forks[thread].map(|fork| out.steps[fork].thread.index());
    // A thread comes after the one that starts it.
    let mut written: Vec<Places> = writes
        .iter()
        .map(|writes| {
            let mut all = Places::default();
            writes.iter().for_each(|(_, target)| all.add(target));
            all
        })
        .collect();
    let own = written.clone();
    for thread in (1..written.len()).rev() {
        if let Some(parent) = parent(thread) {
            let places = written[thread].clone();
            written[parent].add(&places);
        }
    }
    let ancestors = |thread: usize| {
        let mut chain = Vec::new();
        let mut at = thread;
        while let (Some(fork), Some(parent)) = (forks[at], parent(at)) {
            chain.push((parent, fork));
            at = parent;
        }
        chain
    };
    let chains: Vec<Vec<(usize, StepId)>> = (0..own.len()).map(ancestors).collect();
    let mut found = Steady { read, ..Steady::default() };
    for thread in 0..own.len() {
        let mut disturbed = Places::default();
        for other in 0..own.len() {
            if other == thread || chains[other].iter().any(|(ancestor, _)| *ancestor == thread) {
                continue;
            }
            match chains[thread].iter().find(|(ancestor, _)| *ancestor == other) {
                // What it wrote before it started this one, or one that did, is done.
                Some((_, fork)) => {
                    let later = writes[other].iter().filter(|(step, _)| step >= fork);
                    later.for_each(|(_, target)| disturbed.add(target));
                }
                None => disturbed.add(&own[other]),
            }
        }
        let name = report.names[thread];
        found.disturbed.entry(name).or_default().add(&disturbed);
        found.written.entry(name).or_default().add(&written[thread]);
    }
    found
}

/// What a path knows of steady places.
#[derive(Clone, Debug, Default)]
pub(crate) struct Familiar {
    values: Rc<BTreeMap<Place, TermId>>,
    /// The threads that it has started.
    started: Rc<BTreeSet<InstanceId>>,
}

impl Familiar {
    /// What both paths know where they meet.
    pub(crate) fn join(&mut self, other: &Self, selector: TermId, terms: &mut Terms) {
        if !Rc::ptr_eq(&self.values, &other.values) {
            let mut joined = BTreeMap::new();
            for (place, own) in self.values.iter() {
                if let Some(theirs) = other.values.get(place) {
                    joined.insert(*place, terms.ite(selector, *own, *theirs));
                }
            }
            self.values = Rc::new(joined);
        }
        if !Rc::ptr_eq(&self.started, &other.started) {
            Rc::make_mut(&mut self.started).extend(other.started.iter());
        }
    }

    fn retain(&mut self, keeps: impl Fn(Place) -> bool) {
        if self.values.keys().any(|place| !keeps(*place)) {
            Rc::make_mut(&mut self.values).retain(|place, _| keeps(*place));
        }
    }
}

impl Executor<'_, '_> {
    /// What a place holds, if this path knows it.
    pub(crate) fn familiar(&self, path: &Path, space: Space, address: TermId, size: u32) -> Option<TermId> {
        if space != Space::Data || path.familiar.values.is_empty() {
            return None;
        }
        let address = self.out.terms.as_bits(address)?;
        path.familiar.values.get(&(address, size)).copied()
    }

    /// Whether nobody else writes a place from here on until this thread starts another.
    fn is_steady(&self, path: &Path, place: Place) -> bool {
        let Some(steady) = &self.hints.steady else { return false };
        let quiet = |places: Option<&Places>| places.is_some_and(|places| !places.meets(place, self.world));
        steady.read.contains(&place)
            && quiet(steady.disturbed.get(&self.thread_name))
            && path.familiar.started.iter().all(|started| quiet(steady.written.get(started)))
    }

    /// The thread has read a place: if that is steady, it knows what is there.
    pub(crate) fn familiarise(
        &self,
        path: &mut Path,
        space: Space,
        address: TermId,
        size: u32,
        value: TermId,
    ) {
        // What was never written looks different to each who reads it.
        if space != Space::Data || !self.is_global(address) {
            return;
        }
        if let Some(address) = self.out.terms.as_bits(address)
            && self.is_steady(path, (address, size))
        {
            Rc::make_mut(&mut path.familiar.values).insert((address, size), value);
        }
    }

    /// The thread writes a place, under a condition.
    pub(crate) fn rewrite(
        &mut self,
        path: &mut Path,
        address: TermId,
        (size, condition): (u32, TermId),
        value: TermId,
    ) {
        if self.hints.steady.is_none() {
            return;
        }
        let Some(constant) = self.out.terms.as_bits(address) else {
            match objects_of(&mut self.out.terms, self.world, address) {
                Some(objects) => path.familiar.retain(|(place, _)| {
                    self.world.object_at(place).is_some_and(|object| !objects.contains(&object))
                }),
                None => path.familiar.retain(|_| false),
            }
            return;
        };
        let place = (constant, size);
        let before = path.familiar.values.get(&place).copied();
        let end = constant + u128::from(size);
        path.familiar.retain(|(start, bytes)| start >= end || start + u128::from(bytes) <= constant);
        let after = match (self.out.terms.as_bool(condition), before) {
            (Some(true), _) => Some(value),
            (_, Some(before)) => Some(self.out.terms.ite(condition, value, before)),
            (_, None) => None,
        };
        if let Some(after) = after
            && self.is_steady(path, place)
        {
            Rc::make_mut(&mut path.familiar.values).insert(place, after);
        }
    }

    /// The first thread is started: what memory holds is known until somebody else writes there.
    pub(crate) fn recall(&mut self, path: &mut Path, contents: &BTreeMap<ObjectId, Rc<Contents>>) {
        let Some(steady) = &self.hints.steady else { return };
        let mut values = BTreeMap::new();
        for &(address, size) in &steady.read {
            let Some(object) = self.world.object_at(address) else { continue };
            let Some(known) = contents.get(&object) else { continue };
            let Ok(at) = u64::try_from(address.wrapping_sub(self.world.base(object))) else { continue };
            // Looking may cut cells: that is for the copy only.
            let cell = match known.cells.get(&at) {
                Some(cell) if cell.size == size => *cell,
                _ => Contents::clone(known).cell_at(at, size, &mut self.out.terms),
            };
            if cell.unwritten.is_none() && self.is_steady(path, (address, size)) {
                values.insert((address, size), cell.value);
            }
        }
        path.familiar.values = Rc::new(values);
    }

    /// A thread is started. Gives what it knows from the start.
    pub(crate) fn part(&self, path: &mut Path, name: InstanceId) -> Familiar {
        let Some(steady) = &self.hints.steady else { return Familiar::default() };
        let disturbed = steady.disturbed.get(&name);
        let written = steady.written.get(&name);
        let quiet = |places: Option<&Places>, place: Place| {
            places.is_some_and(|places| !places.meets(place, self.world))
        };
        // A thread that is started inside a section begins after it: what the section writes disturbs it.
        let mut known = Familiar { values: Rc::clone(&path.familiar.values), started: Rc::default() };
        known.retain(|place| quiet(disturbed, place));
        path.familiar.retain(|place| quiet(written, place));
        Rc::make_mut(&mut path.familiar.started).insert(name);
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_overlap_by_bytes() {
        let places = BTreeSet::from([(16, 4), (32, 8)]);
        let meets = |address, size| overlapping(&places, (address, size)).next().is_some();
        assert!(meets(16, 4) && meets(19, 1) && meets(12, 8) && meets(39, 1) && meets(0, 64));
        assert!(!meets(20, 4) && !meets(12, 4) && !meets(40, 4) && !meets(31, 1));
    }

    #[test]
    fn paths_that_meet_know_what_both_know() {
        let mut terms = Terms::new();
        let (one, two) = (terms.bits(1, 32), terms.bits(2, 32));
        let selector = terms.symbol("first", raddle_logic::term::Sort::Bool);
        let knows = |values: &[(u128, TermId)]| Familiar {
            values: Rc::new(values.iter().map(|&(address, value)| ((address, 4), value)).collect()),
            started: Rc::default(),
        };
        let mut path = knows(&[(0, one), (4, one), (8, one)]);
        path.join(&knows(&[(0, one), (4, two)]), selector, &mut terms);
        let both = terms.ite(selector, one, two);
        assert_eq!(*path.values, BTreeMap::from([((0, 4), one), ((4, 4), both)]));
    }
}
