//! What a step depends on, and whether two steps depend on each other.
//!
//! Two steps of different threads are *independent* when making them in either order leads to the same state, with the same
//! accesses unordered by happens-before, and neither enables nor disables the other. [`Footprint::depends_on`] may say that steps depend
//! on each other which do not: then more executions are searched than needed. It never says that they do not where they do.

use raddle_ir::Program;

use crate::memory::{Memory, Spot};
use crate::observe::{Action, Event, InputReason};
use crate::step::{LOCK_BYTES, bytes};
use crate::value::Origin;

/// So far back is looked whether bytes are noted already.
const RECENT: usize = 16;

/// What a step depends on, and what it changes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Footprint {
    bytes: Vec<Bytes>,
    /// It takes or gives back a lock.
    locks: bool,
    /// It asks whether a thread or an object exists, or who holds a lock.
    queries: bool,
    /// It is an atomic block of the program: those are ordered among each other.
    block: bool,
    /// It starts a thread: thread ids are given in the order of time.
    forks: bool,
    /// It makes an object.
    allocates: bool,
    /// It ends an object.
    ends_object: bool,
    /// It makes a store, delayed or not.
    stores: bool,
    /// A thread comes to its end in it, or is stopped.
    pub(super) ends_thread: bool,
    /// The process ends in it.
    pub(super) exits: bool,
}

/// Bytes that a step reads or changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Bytes {
    origin: Origin,
    start: u64,
    /// Behind the last.
    end: u64,
    changes: bool,
}

impl Bytes {
    fn conflicts(&self, other: &Self) -> bool {
        let overlap = self.origin == other.origin && self.start < other.end && other.start < self.end;
        overlap && (self.changes || other.changes)
    }
}

/// What steps depend on beyond what they touch, by the VM's settings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// Whether objects may lie where others lay that were freed: then making one depends on those.
    pub(super) reuse: bool,
    /// Whether the memory model is weak: a store is delayed only while another thread runs.
    pub(super) weak: bool,
}

impl Footprint {
    fn touch(&mut self, spot: Spot, size: u64, changes: bool) {
        let start = u64::from(spot.offset);
        let touched = Bytes { origin: spot.origin, start, end: start.saturating_add(size), changes };
        // A thread that spins on a variable of its own touches it millions of times in one step.
        if !self.bytes.iter().rev().take(RECENT).any(|known| *known == touched) {
            self.bytes.push(touched);
        }
    }

    fn end_object(&mut self, origin: Origin) {
        self.ends_object = true;
        self.touch(Spot { origin, offset: 0 }, u64::MAX, true);
    }

    /// Takes down what an event of the step depends on.
    pub(super) fn add(&mut self, event: &Event, memory: &Memory, program: &Program) {
        let size = |ty| bytes(ty, memory.pointer_bits());
        match event.action {
            Action::Read { spot, ty, .. } => self.touch(spot, size(ty), false),
            Action::Write { spot, ty, .. }
            | Action::Delay { spot, ty, .. }
            | Action::Flush { spot, ty, .. }
            | Action::Update { spot, ty, .. } => {
                self.stores = true;
                self.touch(spot, size(ty), true);
            }
            Action::Lock(spot) | Action::Unlock(spot) => {
                self.locks = true;
                self.touch(spot, LOCK_BYTES, true);
            }
            Action::Free(Some(origin)) | Action::Ended(origin) => self.end_object(origin),
            Action::Query => self.queries = true,
            Action::AtomicBegin => self.block |= !program.functions[event.place.function].model,
            Action::Fork(_) => self.forks = true,
            Action::Alloc(_) | Action::Input(InputReason::Address(_), ..) => self.allocates = true,
            // A join is enabled when the other thread has ended, which nothing undoes; all else is the thread's own.
            Action::Join(_)
            | Action::Fence(_)
            | Action::AtomicEnd
            | Action::Free(None)
            | Action::EndLife
            | Action::Wait
            | Action::Input(
                InputReason::Havoc(_) | InputReason::Uninitialised(_) | InputReason::External,
                ..,
            )
            | Action::End(_) => {}
        }
    }

    /// The same step with other inputs may do this as well.
    pub(super) fn join(&mut self, other: Self) {
        self.bytes.extend(other.bytes);
        self.locks |= other.locks;
        self.queries |= other.queries;
        self.block |= other.block;
        self.forks |= other.forks;
        self.allocates |= other.allocates;
        self.ends_object |= other.ends_object;
        self.stores |= other.stores;
        self.ends_thread |= other.ends_thread;
        self.exits |= other.exits;
    }

    /// Whether two steps of different threads may depend on each other.
    pub(super) fn depends_on(&self, other: &Self, setting: Setting) -> bool {
        let one_way = |a: &Self, b: &Self| {
            let asked = b.locks || b.forks || b.ends_thread || b.ends_object || b.allocates;
            a.exits
                || a.queries && asked
                || setting.reuse && a.allocates && b.ends_object
                || setting.weak && a.stores && (b.ends_thread || b.forks)
        };
        one_way(self, other)
            || one_way(other, self)
            || self.block && other.block
            || self.forks && other.forks
            // Who takes which of the places that are free depends on the order.
            || setting.reuse && self.allocates && other.allocates
            || self.bytes.iter().any(|a| other.bytes.iter().any(|b| a.conflicts(b)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_base::Id as _;

    const PLAIN: Setting = Setting { reuse: false, weak: false };

    fn access(object: usize, offset: u32, size: u64, changes: bool) -> Footprint {
        let origin = crate::step::global_origin(raddle_ir::GlobalId::from_index(object));
        let mut footprint = Footprint::default();
        footprint.touch(Spot { origin, offset }, size, changes);
        footprint
    }

    #[test]
    fn accesses_depend_on_each_other_where_they_overlap_and_one_changes() {
        let depends = |a: &Footprint, b: &Footprint| {
            assert_eq!(a.depends_on(b, PLAIN), b.depends_on(a, PLAIN), "it is symmetric");
            a.depends_on(b, PLAIN)
        };
        let write = access(0, 4, 4, true);
        assert!(depends(&write, &access(0, 7, 1, false)) && depends(&write, &write));
        assert!(!depends(&write, &access(0, 8, 4, true)) && !depends(&write, &access(0, 0, 4, true)));
        assert!(!depends(&write, &access(1, 4, 4, true)));
        assert!(!depends(&access(0, 4, 4, false), &access(0, 4, 4, false)));
        assert!(depends(&Footprint { exits: true, ..Footprint::default() }, &Footprint::default()));
    }

    #[test]
    fn what_the_setting_makes_dependent_is_independent_elsewhere() {
        let store = Footprint { stores: true, ..Footprint::default() };
        let end = Footprint { ends_thread: true, ..Footprint::default() };
        let make = Footprint { allocates: true, ..Footprint::default() };
        let free = Footprint { ends_object: true, ..Footprint::default() };
        let weak = Setting { weak: true, ..PLAIN };
        let reuse = Setting { reuse: true, ..PLAIN };
        for (a, b, setting) in [(&store, &end, weak), (&make, &free, reuse), (&make, &make, reuse)] {
            assert!(a.depends_on(b, setting) && b.depends_on(a, setting));
            assert!(!a.depends_on(b, PLAIN));
        }
        let query = Footprint { queries: true, ..Footprint::default() };
        assert!(query.depends_on(&end, PLAIN) && free.depends_on(&query, PLAIN));
        assert!(!query.depends_on(&query, PLAIN) && !query.depends_on(&store, PLAIN));
    }
}
