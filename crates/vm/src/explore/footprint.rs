//! What a step depends on, and whether two steps depend on each other.
//!
//! Two steps of different threads are *independent* when making them in either order leads to the same state, with the same
//! accesses unordered by happens-before, and neither enables nor disables the other. [`Footprint::depends_on`] may say that steps depend
//! on each other which do not: then more executions are searched than needed. It never says that they do not where they do.

use raddle_ir::{InstKind, Program};
use smallvec::SmallVec;

use super::commuting::{Class, Commuting};
use crate::memory::{Memory, Spot};
use crate::observe::{Action, Event, InputReason, Question};
use crate::state::ThreadId;
use crate::step::{LOCK_BYTES, bytes};
use crate::value::Origin;

/// So far back is looked whether bytes are noted already.
const RECENT: usize = 16;

/// What a step depends on, and what it changes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Footprint {
    bytes: SmallVec<[Bytes; 2]>,
    /// It asks whether a thread or an object exists.
    queries: bool,
    /// What it is about to ask is a read of memory, or cannot change.
    is_answered: bool,
    /// It is an atomic block of the program: those are ordered among each other.
    block: bool,
    /// The threads that it starts. Their ids are given in the order of time.
    forks: SmallVec<[ThreadId; 1]>,
    /// The threads whose ends it saw.
    joins: SmallVec<[ThreadId; 1]>,
    /// It took an input.
    asks: bool,
    /// What it touches may depend on what it reads.
    varies: bool,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Bytes {
    origin: Origin,
    start: u64,
    /// Behind the last.
    end: u64,
    effect: Effect,
}

/// What is done to bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Effect {
    Reads,
    Changes,
    /// Changed by an operation that commutes with others on just these bytes.
    Commutes(Class),
}

impl Bytes {
    fn conflicts(&self, other: &Self) -> bool {
        if self.origin != other.origin || self.start >= other.end || other.start >= self.end {
            return false;
        }
        match (self.effect, other.effect) {
            (Effect::Reads, Effect::Reads) => false,
            (Effect::Commutes(a), Effect::Commutes(b)) => {
                a != b || (self.start, self.end) != (other.start, other.end)
            }
            (Effect::Reads | Effect::Changes | Effect::Commutes(_), _) => true,
        }
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
    fn touch(&mut self, spot: Spot, size: u64, effect: Effect) {
        let start = u64::from(spot.offset);
        let touched = Bytes { origin: spot.origin, start, end: start.saturating_add(size), effect };
        // A thread that spins on a variable of its own touches it millions of times in one step.
        if !self.bytes.iter().rev().take(RECENT).any(|known| *known == touched) {
            self.bytes.push(touched);
        }
    }

    fn end_object(&mut self, origin: Origin) {
        self.ends_object = true;
        self.touch(Spot { origin, offset: 0 }, u64::MAX, Effect::Changes);
    }

    /// Somebody holds this lock, which is why the step cannot be made.
    pub(super) fn refused(&mut self, lock: Spot) {
        self.touch(lock, LOCK_BYTES, Effect::Reads);
    }

    /// The step failed: what it wanted to touch is not told. It may have been there before it ended, or be there later.
    pub(super) const fn fails(&mut self) {
        (self.queries, self.varies) = (true, true);
    }

    /// What is asked next others cannot change.
    pub(super) const fn settled(&mut self) {
        self.is_answered = true;
    }

    /// What a lock word holds is asked.
    pub(super) fn ask(&mut self, question: Question) {
        match question {
            Question::Holds(spot) | Question::IsFree(spot) | Question::Word(spot) => {
                self.is_answered = true;
                self.touch(spot, LOCK_BYTES, Effect::Reads);
            }
            Question::OwnId => {}
        }
    }

    /// Takes down what an event of the step depends on.
    pub(super) fn add(
        &mut self,
        event: &Event,
        memory: &Memory,
        program: &Program,
        commuting: Option<&Commuting>,
    ) {
        // What others cannot reach they cannot have touched before either.
        let is_shared = |spot: Spot| memory.object(spot.origin).is_none_or(|object| object.shared);
        let size = |ty| bytes(ty, memory.pointer_bits());
        match event.action {
            Action::Read { spot, ty, .. } => {
                if is_shared(spot) {
                    self.touch(spot, size(ty), Effect::Reads);
                }
            }
            Action::Write { spot, ty, .. }
            | Action::Delay { spot, ty, .. }
            | Action::Flush { spot, ty, .. } => {
                self.stores = true;
                if is_shared(spot) {
                    self.touch(spot, size(ty), Effect::Changes);
                }
            }
            Action::Update { spot, ty, old, new, .. } => {
                self.stores = true;
                let is_number = old.origin.is_none() && new.is_some_and(|new| new.origin.is_none());
                let class = commuting.filter(|_| is_number).and_then(|known| known.class(event.place));
                let changes = class.map_or(Effect::Changes, Effect::Commutes);
                let inst = event.place.inst(program).map(|inst| &inst.kind);
                self.varies |= matches!(inst, Some(InstKind::CompareExchange { .. }));
                if is_shared(spot) {
                    self.touch(spot, size(ty), if new.is_some() { changes } else { Effect::Reads });
                }
            }
            Action::Lock(spot) | Action::Unlock(spot) => self.touch(spot, LOCK_BYTES, Effect::Changes),
            Action::Free(Some(origin)) | Action::Ended(origin) => self.end_object(origin),
            Action::Query => self.queries |= !std::mem::take(&mut self.is_answered),
            Action::AtomicBegin => {
                self.varies = true;
                self.block |= !program.functions[event.place.function].model;
            }
            Action::Fork(child) => self.forks.push(child),
            Action::Join(joined) => self.joins.push(joined),
            Action::Alloc(_) => self.allocates = true,
            Action::Input(InputReason::Address(_), ..) => {
                (self.allocates, self.asks, self.varies) = (true, true, true)
            }
            // Whoever looks first says what was there.
            Action::Input(InputReason::Uninitialised(spot), _, ty) => {
                (self.asks, self.varies) = (true, true);
                if is_shared(spot) {
                    self.touch(spot, size(ty), Effect::Changes);
                }
            }
            Action::Input(InputReason::Havoc(_) | InputReason::External, ..) => {
                (self.asks, self.varies) = (true, true);
            }
            Action::Fence(_)
            | Action::AtomicEnd
            | Action::Free(None)
            | Action::EndLife
            | Action::Wait
            | Action::End(_) => {}
        }
    }

    /// Whether the thread only looks at what others reach: nobody can tell that it did.
    pub(super) fn only_reads(&self) -> bool {
        let changes = self.stores
            || self.asks
            || self.allocates
            || self.ends_object
            || self.ends_thread
            || self.exits
            || self.block;
        let concerns = self.forks.is_empty() && self.joins.is_empty() && !self.queries;
        !changes && concerns && self.bytes.iter().all(|bytes| bytes.effect == Effect::Reads)
    }

    /// Whether a step that looks at no more than this, and cannot be made, may be let on by undoing the one at hand.
    pub(super) fn may_hold_up(&self, waiting: &Self) -> bool {
        let holds = |a: &Bytes| a.effect != Effect::Reads && waiting.bytes.iter().any(|b| a.conflicts(b));
        let answers = !self.forks.is_empty() || self.ends_thread || self.ends_object || self.allocates;
        self.bytes.iter().any(holds) || waiting.queries && answers
    }

    /// Whether, from another state, the same step may touch something else.
    pub(super) const fn varies(&self) -> bool {
        self.varies
    }

    /// Whether it asks what may depend on things that steps do besides what they touch.
    pub(super) const fn queries(&self) -> bool {
        self.queries
    }

    /// The threads whose ends it saw.
    pub(super) fn joins(&self) -> &[ThreadId] {
        &self.joins
    }

    /// The threads that it started.
    pub(super) fn forks(&self) -> &[ThreadId] {
        &self.forks
    }

    /// The same step with other inputs may do this as well.
    pub(super) fn join(&mut self, other: Self) {
        self.bytes.extend(other.bytes);
        self.queries |= other.queries;
        self.block |= other.block;
        self.forks.extend(other.forks);
        self.joins.extend(other.joins);
        self.asks |= other.asks;
        self.varies |= other.varies;
        self.allocates |= other.allocates;
        self.ends_object |= other.ends_object;
        self.stores |= other.stores;
        self.ends_thread |= other.ends_thread;
        self.exits |= other.exits;
    }

    /// Whether two steps of different threads may depend on each other.
    pub(super) fn depends_on(&self, other: &Self, setting: Setting) -> bool {
        let one_way = |a: &Self, b: &Self| {
            let asked = !b.forks.is_empty() || b.ends_thread || b.ends_object || b.allocates;
            a.exits
                || a.queries && asked
                || setting.reuse && a.allocates && b.ends_object
                || setting.weak && a.stores && (b.ends_thread || !b.forks.is_empty())
        };
        one_way(self, other)
            || one_way(other, self)
            || self.block && other.block
            || !self.forks.is_empty() && !other.forks.is_empty()
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
        let effect = if changes { Effect::Changes } else { Effect::Reads };
        footprint.touch(Spot { origin, offset }, size, effect);
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
