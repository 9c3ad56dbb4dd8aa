//! What a step does, taken down while it is made.

use raddle_ir::{Ordering, Program, Property};

use super::found::Passed;
use super::sleep_sets::Dependencies;
use crate::address::Look;
use crate::code::Place;
use crate::memory::{Memory, Spot};
use crate::observe::{Action, Event, Observer, Stream};
use crate::race::{Access, AccessKind};
use crate::state::ThreadId;
use crate::step::{LOCK_BYTES, Machine, bytes};

/// An access of a step that others could race with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Touch {
    spot: Spot,
    size: u64,
    pub(super) access: Access,
    /// Whether it is inside an atomic block of the program.
    in_block: bool,
}

impl Touch {
    /// Whether it races with an access of another thread that is co-enabled.
    pub(super) fn races(&self, other: &Self) -> bool {
        let overlap = self.spot.origin == other.spot.origin
            && u64::from(self.spot.offset) < u64::from(other.spot.offset) + other.size
            && u64::from(other.spot.offset) < u64::from(self.spot.offset) + self.size;
        overlap && self.access.conflicts(&other.access) && !(self.in_block && other.in_block)
    }
}

/// So far back is looked whether an access is noted already.
const RECENT: usize = 16;

/// Takes down what a step touches.
pub(super) struct Watcher<'p, 'b> {
    program: &'p Program,
    passed: &'b mut Passed,
    /// How many basic blocks were passed.
    pub(super) blocks: u64,
    /// Where it depended on the layout of memory how to go on.
    unsupported: &'b mut Vec<(String, Place)>,
    /// Only when races of co-enabled accesses are looked for.
    pub(super) enabled: bool,
    thread: ThreadId,
    /// The atomic blocks it is in: whether each is a model's.
    open_blocks: Vec<bool>,
    pub(super) touches: Vec<Touch>,
    /// The locks that it took.
    pub(super) locked: Vec<Spot>,
    /// What it wrote, and how many bytes, by whatever means but `Lock` and `Unlock`.
    pub(super) written: Vec<(Spot, u64)>,
    /// The threads whose ends it saw.
    pub(super) joined: Vec<ThreadId>,
    /// What it depends on and the clocks behind it, where executions are searched with sleep sets.
    pub(super) dependencies: Option<Dependencies<'p>>,
    /// What nobody checks and ended a thread.
    pub(super) undefined: Vec<Property>,
}

impl<'p, 'b> Watcher<'p, 'b> {
    pub(super) fn new(
        machine: &Machine<'p>,
        thread: ThreadId,
        (passed, unsupported): (&'b mut Passed, &'b mut Vec<(String, Place)>),
    ) -> Self {
        Self {
            program: machine.program(),
            passed,
            blocks: 0,
            unsupported,
            enabled: machine.checks(Property::DataRace),
            thread,
            open_blocks: Vec::new(),
            touches: Vec::new(),
            locked: Vec::new(),
            written: Vec::new(),
            joined: Vec::new(),
            dependencies: None,
            undefined: Vec::new(),
        }
    }

    /// Keeps clocks and takes down what the step depends on, instead of looking for co-enabled accesses.
    pub(super) fn with_dependencies(self, dependencies: Option<Dependencies<'p>>) -> Self {
        Self { enabled: self.enabled && dependencies.is_none(), dependencies, ..self }
    }

    fn touch(&mut self, event: &Event, spot: Spot, size: u64, kind: AccessKind, ordering: Ordering) {
        if kind == AccessKind::Write && self.written.last() != Some(&(spot, size)) {
            self.written.push((spot, size));
        }
        self.note(event, spot, size, kind, ordering);
    }

    fn note(&mut self, event: &Event, spot: Spot, size: u64, kind: AccessKind, ordering: Ordering) {
        if self.open_blocks.contains(&true) && ordering == Ordering::Plain {
            return;
        }
        let access = Access {
            thread: event.thread,
            kind,
            atomic: ordering != Ordering::Plain,
            place: event.place,
            user: event.user,
        };
        let touch = Touch { spot, size, access, in_block: !self.open_blocks.is_empty() };
        // A thread that spins on a variable of its own touches it millions of times in one step.
        if !self.touches.iter().rev().take(RECENT).any(|known| *known == touch) {
            self.touches.push(touch);
        }
    }
}

impl Watcher<'_, '_> {
    /// A lock is taken or given back, which writes its word. That is no overwriting.
    fn lock_word(&mut self, event: &Event, spot: Spot) {
        self.note(event, spot, LOCK_BYTES, AccessKind::Write, Ordering::SequentiallyConsistent);
    }
}

impl Observer for Watcher<'_, '_> {
    fn looked(&mut self, place: Place, what: Look) {
        if !self.unsupported.iter().any(|known| known.1 == place) {
            self.unsupported.push((what.to_owned(), place));
        }
    }

    fn event(&mut self, event: &Event, memory: &Memory) {
        if let Some(dependencies) = &mut self.dependencies {
            dependencies.event(event, memory);
        }
        if let Action::Join(other) = event.action {
            self.joined.push(other);
        }
        if !self.enabled || event.thread != self.thread {
            return;
        }
        let size = |ty| bytes(ty, memory.pointer_bits());
        match event.action {
            Action::Read { spot, ty, ordering, .. } => {
                self.touch(event, spot, size(ty), AccessKind::Read, ordering);
            }
            // A delayed store is one access all the time; whoever comes upon it while it is delayed is not ordered with it.
            Action::Write { spot, ty, ordering, .. }
            | Action::Delay { spot, ty, ordering, .. }
            | Action::Flush { spot, ty, ordering, .. } => {
                self.touch(event, spot, size(ty), AccessKind::Write, ordering);
            }
            Action::Update { spot, ty, new, ordering, .. } => {
                let kind = if new.is_some() { AccessKind::Write } else { AccessKind::Read };
                self.touch(event, spot, size(ty), kind, ordering);
            }
            Action::Free(Some(origin)) => {
                let spot = Spot { origin, offset: 0 };
                self.touch(event, spot, u64::from(u32::MAX), AccessKind::Free, Ordering::Plain);
            }
            Action::Ended(origin) => {
                let spot = Spot { origin, offset: 0 };
                self.touch(event, spot, u64::from(u32::MAX), AccessKind::End, Ordering::Plain);
            }
            Action::Lock(spot) => {
                self.locked.push(spot);
                self.lock_word(event, spot);
            }
            Action::Unlock(spot) => self.lock_word(event, spot),
            Action::AtomicBegin => self.open_blocks.push(self.program.functions[event.place.function].model),
            Action::AtomicEnd => {
                self.open_blocks.pop();
            }
            Action::Free(None)
            | Action::EndLife
            | Action::Fence(_)
            | Action::Wait
            | Action::Fork(_)
            | Action::Join(_)
            | Action::Alloc(_)
            | Action::Query
            | Action::Input(..)
            | Action::End(_) => {}
        }
    }

    fn passed(&mut self, place: Place) {
        self.blocks += 1;
        self.passed.insert(place.function, place.block);
    }

    fn undone(&mut self) {
        if let Some(dependencies) = &mut self.dependencies {
            dependencies.undone();
        }
        self.touches.clear();
        self.locked.clear();
        self.written.clear();
        self.open_blocks.clear();
        self.joined.clear();
    }

    fn undefined(&mut self, property: Property) {
        self.undefined.push(property);
    }

    fn exited(&mut self, memory: &Memory) {
        if let Some(dependencies) = &mut self.dependencies {
            dependencies.exited(memory);
        }
    }

    fn output(&mut self, _: Stream, _: &[u8]) {}
}
