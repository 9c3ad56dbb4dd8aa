//! Store-to-load forwarding: shared memory that a thread knows the contents of, because nobody else writes there while it looks.
//!
//! A location is *interference-free* for a thread as long as every write to it by another thread has happened before the thread
//! was started, or is made by a thread that this one has not started yet. What it held when the thread was started, or what the
//! thread itself wrote or read there last, is then what it still holds: reading it is no event, and the value folds into what
//! is computed from it. A queue's tail that only the producer moves is a constant in each iteration of the producer's loop,
//! and so is the index that it is used as.
//!
//! Who writes where is an assumption ([`Interference`](super::assumptions::Interference)) that the execution confirms or refutes. Under weak memory models this is right
//! too: a thread reads its own late stores, and starting a thread waits for them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use raddle_logic::term::{TermId, Terms};

use super::assumptions::{Location, WrittenRegion};
use super::execute::Executor;
use super::path::Path;
use super::split::objects_of;
use crate::execution_graph::events::{InstanceId, Space};
use crate::semantics::{Contents, ObjectId};

/// What a path knows of interference-free locations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forwarded {
    values: Rc<BTreeMap<Location, TermId>>,
    /// The threads that it has started.
    started: Rc<BTreeSet<InstanceId>>,
}

impl Forwarded {
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

    fn retain(&mut self, keeps: impl Fn(Location) -> bool) {
        if self.values.keys().any(|place| !keeps(*place)) {
            Rc::make_mut(&mut self.values).retain(|place, _| keeps(*place));
        }
    }
}

impl Executor<'_, '_> {
    /// What a place holds, if this path knows it.
    pub(crate) fn forwarded(&self, path: &Path, space: Space, address: TermId, size: u32) -> Option<TermId> {
        if space != Space::Data || path.forwarded.values.is_empty() {
            return None;
        }
        let address = self.out.terms.as_bits(address)?;
        path.forwarded.values.get(&(address, size)).copied()
    }

    /// Whether nobody else writes a place from here on until this thread starts another.
    fn is_interference_free(&self, path: &Path, place: Location) -> bool {
        let Some(writers) = &self.assumed.interference.writers else { return false };
        let quiet =
            |places: Option<&WrittenRegion>| places.is_some_and(|places| !places.meets(place, self.world));
        writers.read.contains(&place)
            && quiet(writers.disturbed.get(&self.thread_name))
            && path.forwarded.started.iter().all(|started| quiet(writers.written.get(started)))
    }

    /// The thread has read a place: if it is interference-free, it knows what is there.
    pub(crate) fn forward_read(
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
            && self.is_interference_free(path, (address, size))
        {
            Rc::make_mut(&mut path.forwarded.values).insert((address, size), value);
        }
    }

    /// The thread writes a place, under a condition.
    pub(crate) fn forward_write(
        &mut self,
        path: &mut Path,
        address: TermId,
        (size, condition): (u32, TermId),
        value: TermId,
    ) {
        if self.assumed.interference.writers.is_none() {
            return;
        }
        let Some(constant) = self.out.terms.as_bits(address) else {
            match objects_of(&mut self.out.terms, self.world, address) {
                Some(objects) => path.forwarded.retain(|(place, _)| {
                    self.world.object_at(place).is_some_and(|object| !objects.contains(&object))
                }),
                None => path.forwarded.retain(|_| false),
            }
            return;
        };
        let place = (constant, size);
        let before = path.forwarded.values.get(&place).copied();
        let end = constant + u128::from(size);
        path.forwarded.retain(|(start, bytes)| start >= end || start + u128::from(bytes) <= constant);
        let after = match (self.out.terms.as_bool(condition), before) {
            (Some(true), _) => Some(value),
            (_, Some(before)) => Some(self.out.terms.ite(condition, value, before)),
            (_, None) => None,
        };
        if let Some(after) = after
            && self.is_interference_free(path, place)
        {
            Rc::make_mut(&mut path.forwarded.values).insert(place, after);
        }
    }

    /// The first thread is started: what memory holds is known until somebody else writes there.
    pub(crate) fn forward_initial(&mut self, path: &mut Path, contents: &BTreeMap<ObjectId, Rc<Contents>>) {
        let Some(writers) = &self.assumed.interference.writers else { return };
        let mut values = BTreeMap::new();
        for &(address, size) in &writers.read {
            let Some(object) = self.world.object_at(address) else { continue };
            let Some(known) = contents.get(&object) else { continue };
            let Ok(at) = u64::try_from(address.wrapping_sub(self.world.base(object))) else { continue };
            let cell = known.peek(at, size, &mut self.out.terms);
            if cell.unwritten.is_none() && self.is_interference_free(path, (address, size)) {
                values.insert((address, size), cell.value);
            }
        }
        path.forwarded.values = Rc::new(values);
    }

    /// A thread is started. Gives what it knows from the start.
    pub(crate) fn forward_to_thread(&self, path: &mut Path, name: InstanceId) -> Forwarded {
        let Some(writers) = &self.assumed.interference.writers else { return Forwarded::default() };
        let disturbed = writers.disturbed.get(&name);
        let written = writers.written.get(&name);
        let quiet = |places: Option<&WrittenRegion>, place: Location| {
            places.is_some_and(|places| !places.meets(place, self.world))
        };
        // A thread that is started inside a section begins after it: what the section writes disturbs it.
        let mut known = Forwarded { values: Rc::clone(&path.forwarded.values), started: Rc::default() };
        known.retain(|place| quiet(disturbed, place));
        path.forwarded.retain(|place| quiet(written, place));
        Rc::make_mut(&mut path.forwarded.started).insert(name);
        known
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_meet_know_what_both_know() {
        let mut terms = Terms::new();
        let (one, two) = (terms.bits(1, 32), terms.bits(2, 32));
        let selector = terms.symbol("first", raddle_logic::term::Sort::Bool);
        let knows = |values: &[(u128, TermId)]| Forwarded {
            values: Rc::new(values.iter().map(|&(address, value)| ((address, 4), value)).collect()),
            started: Rc::default(),
        };
        let mut path = knows(&[(0, one), (4, one), (8, one)]);
        path.join(&knows(&[(0, one), (4, two)]), selector, &mut terms);
        let both = terms.ite(selector, one, two);
        assert_eq!(*path.values, BTreeMap::from([((0, 4), one), ((4, 4), both)]));
    }
}
