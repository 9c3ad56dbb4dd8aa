//! What must be known of all paths before one can be followed: found by following all of them until nothing more is learnt.
//!
//! Each of these starts with the claim that is worth most and is only ever weakened: nothing escapes, everything lives, templates are started once. When a
//! round over all locations weakens none, each claim is kept by all paths, so that it holds of all executions by induction.

use std::collections::{BTreeMap, BTreeSet};

use raddle_ir::{Site, Type};
use raddle_semantics::ObjectId;

use super::state::{FrameId, Slot, State};

/// As what some memory is accessed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) pointer: bool,
    pub(super) number: bool,
}

impl Kind {
    /// One access.
    pub(super) fn of(ty: Type) -> Self {
        Self { pointer: ty == Type::Ptr, number: ty != Type::Ptr }
    }
}

/// What is claimed of all paths.
#[derive(Debug, Default)]
pub(super) struct Facts {
    /// Objects whose addresses others may have, or that the checker lost sight of.
    pub(super) escaped: BTreeSet<ObjectId>,
    own_kinds: BTreeMap<Slot, Kind>,
    cell_kinds: BTreeMap<usize, Kind>,
    /// Objects that are freed somewhere.
    pub(super) freed: BTreeSet<ObjectId>,
    /// Whether something is freed that is not known.
    pub(super) frees_anything: bool,
    forgotten: BTreeSet<ObjectId>,
    forgets_anything: bool,
    /// How large objects are; none if they are not all of one size.
    pub(super) sizes: BTreeMap<ObjectId, Option<u64>>,
    /// Of each location, the thread's local objects that live while it stands there; none: no path came there yet.
    pub(super) live: Vec<Option<BTreeSet<ObjectId>>>,
    /// Of each location, templates of which a thread was started whenever a thread stands there; none: no path came there yet.
    pub(super) started: Vec<Option<BTreeSet<usize>>>,
    /// Of each location, what may be read from there on.
    pub(super) needed: Vec<BTreeSet<Slot>>,
    /// Of each template, whether at most one thread of it is ever started.
    pub(super) single: Vec<bool>,
    /// Where threads are started and objects made, by the location from which a path leads there: also on paths that end in a failing check, or in
    /// an atomic block that does not commit.
    happens: BTreeSet<(usize, FrameId, Site)>,
    /// Of these, what one path does twice.
    happens_twice: BTreeSet<(FrameId, Site)>,
    /// Whether a claim was weakened since this was last reset.
    pub(super) changed: bool,
    /// Whether something else lives than before.
    pub(super) changed_life: bool,
}

impl Facts {
    pub(super) fn escape(&mut self, object: ObjectId) {
        self.changed |= self.escaped.insert(object);
    }

    pub(super) fn free(&mut self, object: ObjectId) {
        self.changed |= self.freed.insert(object);
    }

    pub(super) fn free_anything(&mut self) {
        self.changed |= !self.frees_anything;
        self.frees_anything = true;
    }

    pub(super) fn forget(&mut self, object: ObjectId) {
        self.changed |= self.forgotten.insert(object);
    }

    pub(super) fn forget_anything(&mut self) {
        self.changed |= !self.forgets_anything;
        self.forgets_anything = true;
    }

    /// Whether bytes of an object may count as never written although they were.
    pub(super) fn is_forgotten(&self, object: ObjectId) -> bool {
        self.forgets_anything || self.forgotten.contains(&object)
    }

    pub(super) fn has_size(&mut self, object: ObjectId, size: Option<u64>) {
        match self.sizes.get(&object).copied() {
            None => {
                self.changed = true;
                self.sizes.insert(object, size);
            }
            Some(known) if known != size && known.is_some() => {
                self.changed = true;
                self.sizes.insert(object, None);
            }
            Some(_) => {}
        }
    }

    /// Whether a private range holds pointers at one time and numbers at another.
    pub(super) fn is_mixed_slot(&mut self, slot: Slot, is_pointer: bool) -> bool {
        note(self.own_kinds.entry(slot).or_default(), is_pointer, &mut self.changed)
    }

    /// The same of a followed cell.
    pub(super) fn is_mixed_cell(&mut self, cell: usize, is_pointer: bool) -> bool {
        note(self.cell_kinds.entry(cell).or_default(), is_pointer, &mut self.changed)
    }

    /// A path from a location comes to where a thread is started, or an object made.
    pub(super) fn happens(&mut self, state: &mut State, frame: FrameId, site: Site) {
        if state.happened.contains(&(frame, site)) {
            self.happens_twice.insert((frame, site));
        }
        self.happens.insert((state.from, frame, site));
        state.happened.push((frame, site));
    }

    /// Whether some path from a location comes to where this happens.
    pub(super) fn may_happen_from(&self, location: usize, (frame, site): (FrameId, Site)) -> bool {
        self.happens.contains(&(location, frame, site))
    }

    /// Whether a path does this twice.
    pub(super) fn may_happen_twice(&self, at: (FrameId, Site)) -> bool {
        self.happens_twice.contains(&at)
    }

    /// As what a private range is accessed, anywhere.
    pub(super) fn kind_of_slot(&self, slot: Slot) -> Kind {
        self.own_kinds.get(&slot).copied().unwrap_or_default()
    }

    /// The same of a followed cell.
    pub(super) fn kind_of_cell(&self, cell: usize) -> Kind {
        self.cell_kinds.get(&cell).copied().unwrap_or_default()
    }

    /// A path comes to a location with these objects alive.
    pub(super) fn arrives(&mut self, location: usize, alive: &BTreeSet<ObjectId>) {
        self.changed |= meet(&mut self.live[location], alive);
    }

    /// A path comes to a location with threads of these templates started.
    pub(super) fn has_started(&mut self, location: usize, started: &BTreeSet<usize>) {
        self.changed |= meet(&mut self.started[location], started);
    }

    pub(super) fn needs(&mut self, location: usize, slot: Slot) -> bool {
        let is_new = self.needed[location].insert(slot);
        self.changed |= is_new;
        is_new
    }
}

/// What is common to all paths; says whether that is less than before.
fn meet<T: Ord + Clone>(known: &mut Option<BTreeSet<T>>, new: &BTreeSet<T>) -> bool {
    let Some(known) = known else {
        *known = Some(new.clone());
        return true;
    };
    let before = known.len();
    known.retain(|item| new.contains(item));
    known.len() != before
}

fn note(kind: &mut Kind, is_pointer: bool, changed: &mut bool) -> bool {
    let flag = if is_pointer { &mut kind.pointer } else { &mut kind.number };
    *changed |= !*flag;
    *flag = true;
    kind.pointer && kind.number
}
