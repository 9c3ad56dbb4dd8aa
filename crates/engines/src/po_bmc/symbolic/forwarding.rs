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

use super::assumptions::{Location as Constant, WrittenRegion};
use super::context::Context;
use super::path::Path;
use super::split::objects_of;
use crate::execution_graph::events::{InstanceId, Location, Space};
use raddle_semantics::{Contents, ObjectId};

/// What a path knows of interference-free locations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Forwarded {
    values: Rc<BTreeMap<Constant, TermId>>,
    /// The threads that it has started.
    started: Rc<BTreeSet<InstanceId>>,
}

impl Forwarded {
    /// What both paths know where they meet.
    pub(crate) fn merge(&mut self, other: &Self, selector: TermId, terms: &mut Terms) {
        if !Rc::ptr_eq(&self.values, &other.values) {
            let mut merged = BTreeMap::new();
            for (location, own) in self.values.iter() {
                if let Some(theirs) = other.values.get(location) {
                    merged.insert(*location, terms.ite(selector, *own, *theirs));
                }
            }
            self.values = Rc::new(merged);
        }
        if !Rc::ptr_eq(&self.started, &other.started) {
            Rc::make_mut(&mut self.started).extend(other.started.iter());
        }
    }

    fn retain(&mut self, keeps: impl Fn(Constant) -> bool) {
        if self.values.keys().any(|location| !keeps(*location)) {
            Rc::make_mut(&mut self.values).retain(|location, _| keeps(*location));
        }
    }
}

/// What a location holds, if this path knows it.
pub(crate) fn forwarded(cx: &Context<'_, '_>, path: &Path, location: Location) -> Option<TermId> {
    let Location { space, address, size } = location;
    if space != Space::Data || path.forwarded.values.is_empty() {
        return None;
    }
    let address = cx.out.terms.as_bits(address)?;
    path.forwarded.values.get(&(address, size)).copied()
}

/// Whether nobody else writes a location from here on until this thread starts another.
fn is_interference_free(cx: &Context<'_, '_>, path: &Path, location: Constant) -> bool {
    let Some(writers) = &cx.assumed.interference.writers else { return false };
    let quiet =
        |region: Option<&WrittenRegion>| region.is_some_and(|region| !region.meets(location, cx.world));
    writers.read.contains(&location)
        && quiet(writers.disturbed.get(&cx.thread_name()))
        && path.forwarded.started.iter().all(|started| quiet(writers.written.get(started)))
}

/// The thread has read a location: if it is interference-free, it knows what is there.
pub(crate) fn forward_read(
    cx: &Context<'_, '_>,
    path: &mut Path,
    Location { space, address, size }: Location,
    value: TermId,
) {
    // What was never written looks different to each who reads it.
    if space != Space::Data || !cx.is_global(address) {
        return;
    }
    if let Some(address) = cx.out.terms.as_bits(address)
        && is_interference_free(cx, path, (address, size))
    {
        Rc::make_mut(&mut path.forwarded.values).insert((address, size), value);
    }
}

/// The thread writes a location, under a condition.
pub(crate) fn forward_write(
    cx: &mut Context<'_, '_>,
    path: &mut Path,
    Location { address, size, .. }: Location,
    (condition, value): (TermId, TermId),
) {
    if cx.assumed.interference.writers.is_none() {
        return;
    }
    let Some(constant) = cx.out.terms.as_bits(address) else {
        match objects_of(&mut cx.out.terms, cx.world, address) {
            Some(objects) => path.forwarded.retain(|(location, _)| {
                cx.world.object_at(location).is_some_and(|object| !objects.contains(&object))
            }),
            None => path.forwarded.retain(|_| false),
        }
        return;
    };
    let location = (constant, size);
    let before = path.forwarded.values.get(&location).copied();
    let end = constant + u128::from(size);
    path.forwarded.retain(|(start, bytes)| start >= end || start + u128::from(bytes) <= constant);
    let after = match (cx.out.terms.as_bool(condition), before) {
        (Some(true), _) => Some(value),
        (_, Some(before)) => Some(cx.out.terms.ite(condition, value, before)),
        (_, None) => None,
    };
    if let Some(after) = after
        && is_interference_free(cx, path, location)
    {
        Rc::make_mut(&mut path.forwarded.values).insert(location, after);
    }
}

/// The first thread is started: what memory holds is known until somebody else writes there.
pub(crate) fn forward_initial(
    cx: &mut Context<'_, '_>,
    path: &mut Path,
    contents: &BTreeMap<ObjectId, Rc<Contents>>,
) {
    let Some(writers) = &cx.assumed.interference.writers else { return };
    let mut values = BTreeMap::new();
    for &(address, size) in &writers.read {
        let Some(object) = cx.world.object_at(address) else { continue };
        let Some(known) = contents.get(&object) else { continue };
        let Ok(at) = u64::try_from(address.wrapping_sub(cx.world.base(object))) else { continue };
        let cell = known.peek(at, size, &mut cx.out.terms);
        if cell.unwritten.is_none() && is_interference_free(cx, path, (address, size)) {
            values.insert((address, size), cell.value);
        }
    }
    path.forwarded.values = Rc::new(values);
}

/// A thread is started. Gives what it knows from the start.
pub(crate) fn forward_to_thread(cx: &Context<'_, '_>, path: &mut Path, name: InstanceId) -> Forwarded {
    let Some(writers) = &cx.assumed.interference.writers else { return Forwarded::default() };
    let disturbed = writers.disturbed.get(&name);
    let written = writers.written.get(&name);
    let quiet = |region: Option<&WrittenRegion>, location: Constant| {
        region.is_some_and(|region| !region.meets(location, cx.world))
    };
    // A thread that is started inside an atomic block begins after it: what the block writes disturbs it.
    let mut known = Forwarded { values: Rc::clone(&path.forwarded.values), started: Rc::default() };
    known.retain(|location| quiet(disturbed, location));
    path.forwarded.retain(|location| quiet(written, location));
    Rc::make_mut(&mut path.forwarded.started).insert(name);
    known
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
        path.merge(&knows(&[(0, one), (4, two)]), selector, &mut terms);
        let both = terms.ite(selector, one, two);
        assert_eq!(*path.values, BTreeMap::from([((0, 4), one), ((4, 4), both)]));
    }
}
