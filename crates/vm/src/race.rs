//! Data races, by happens-before.
//!
//! Two accesses to the same bytes race when at least one writes, they are not both atomic, different threads make them, and
//! neither happens before the other. Happens-before is kept as vector clocks (Mattern 1989) and compared by epochs (Flanagan
//! and Freund: FastTrack, PLDI 2009). What orders:
//!
//! - starting and joining a thread; a lock taken after it was released, both of which write its word atomically; memory given out again after it was freed (C11, 7.22.3p2);
//! - an acquiring load that sees a releasing store, also through what is behind it in its release sequence: read-modify-writes,
//!   and stores of the thread that began it (C11 and C17, 5.1.2.4p10; C++20 and C23 have the first only). Any other store
//!   ends the sequence. Fences lend their strength to relaxed accesses as in C11;
//! - atomic blocks of the program order each other. Those of the API models order nothing: the locks and atomics in
//!   them do. Plain accesses inside of a model's block never race; atomic ones there race with plain ones, so that a lock is
//!   used after it was initialised, but not with what happens before that which they acquire. Other accesses of models are
//!   the program's.
//!
//! Under weak memory models a store is an access when it is made, and gives what it releases when it becomes visible: what its
//! thread had done when it made it. A load that sees a delayed store of its own thread acquires nothing.
//!
//! What is done in an atomic block counts when the block commits (`commit`). A block that does not has not happened.
//!
//! The end of an object counts as a write to all of it. A race that is reported is one of this execution; others may exist in other
//! executions.

use std::collections::BTreeMap;
use std::sync::Arc;

use raddle_ir::{Ordering, Program, Property};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

mod canonical;
mod cells;
pub(crate) mod clock;
mod commit;

pub(crate) use self::canonical::Knowledge;
use self::cells::{Cell, Shadow, split};
use self::clock::Clock;
use self::commit::{Counts, OpenBlock};
use crate::describe;
use crate::memory::{Memory, Spot};
use crate::observe::{Action, Event, Observer, Stream};
use crate::state::{State, ThreadId};
use crate::step::{LOCK_BYTES, bytes};
use crate::value::Origin;
use crate::violation::Violation;
pub use crate::violation::{Access, AccessKind, Race};

impl Race {
    /// The race as a violation, for the later access.
    #[must_use]
    pub fn violation(&self, program: &Program, state: &State) -> Violation {
        let name = |id| describe::thread(program, state, id);
        let word =
            |access: &Access| format!("{}{}", if access.atomic { "atomic " } else { "" }, access.kind.word());
        let message = format!(
            "data race on `{}`: {} by {} and {} by {} are not ordered",
            self.name,
            word(&self.first),
            name(self.first.thread),
            word(&self.second),
            name(self.second.thread),
        );
        let mut stack = vec![self.second.place];
        if self.second.user != self.second.place {
            stack.push(self.second.user);
        }
        Violation {
            property: Property::DataRace,
            message,
            thread: self.second.thread,
            stack,
            span: self.second.user.span(program),
            race: Some(Box::new(self.clone())),
        }
    }
}

/// What is known about a thread.
#[derive(Clone, Debug, Default)]
struct ThreadClocks {
    now: Clock,
    /// What a relaxed store after a release fence releases.
    released: Option<Clock>,
    /// What an acquire fence after relaxed loads acquires.
    pending: Clock,
    /// The atomic blocks it is in: whether each is a model's.
    blocks: SmallVec<[bool; 4]>,
    /// Its delayed stores, with what they will release, in the order in which they were made.
    delayed: Vec<Delayed>,
}

/// A delayed store.
#[derive(Clone, Debug)]
struct Delayed {
    operation: u64,
    spot: Spot,
    size: u64,
    clock: Option<Clock>,
    continues: Continues,
}

/// Which release sequences go on at a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Continues {
    /// All: it is that of a read-modify-write.
    All,
    /// Those that its own thread began.
    Own,
    /// None: it is not atomic.
    None,
}

impl Continues {
    const fn of(ordering: Ordering) -> Self {
        match ordering {
            Ordering::Plain => Self::None,
            Ordering::Relaxed
            | Ordering::Acquire
            | Ordering::Release
            | Ordering::AcquireRelease
            | Ordering::SequentiallyConsistent => Self::Own,
        }
    }
}

impl ThreadClocks {
    /// Where its delayed stores to an object are, and how large.
    fn delayed_in(&self, origin: Origin) -> impl Iterator<Item = (u32, u64)> {
        let inside = self.delayed.iter().filter(move |delayed| delayed.spot.origin == origin);
        inside.map(|delayed| (delayed.spot.offset, delayed.size))
    }
}

/// Watches a run for data races and keeps the first one.
#[derive(Clone, Debug)]
pub struct RaceDetector<'p> {
    program: &'p Program,
    threads: Vec<ThreadClocks>,
    shadows: FxHashMap<(u32, u32), Arc<Shadow>>,
    locks: FxHashMap<Spot, Clock>,
    /// What whoever is given memory again learns from whoever freed it last, by where that is.
    freed: FxHashMap<(u32, u32), Clock>,
    /// What the atomic blocks of the program that have committed give to the next one.
    blocks: Clock,
    race: Option<Race>,
    open: OpenBlock,
}

impl<'p> RaceDetector<'p> {
    /// Nothing has happened yet.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            threads: Vec::new(),
            shadows: FxHashMap::default(),
            locks: FxHashMap::default(),
            freed: FxHashMap::default(),
            blocks: Clock::default(),
            race: None,
            open: OpenBlock::default(),
        }
    }

    /// The first race that was found.
    #[must_use]
    pub fn race(&self) -> Option<&Race> {
        self.race.as_ref()
    }

    /// The same, to look for further ones.
    pub(crate) fn take_race(&mut self) -> Option<Race> {
        self.race.take()
    }

    fn thread(&mut self, thread: ThreadId) -> &mut ThreadClocks {
        let index = thread as usize;
        while self.threads.len() <= index {
            let mut clocks = ThreadClocks::default();
            let id = u32::try_from(self.threads.len()).expect("fewer than 2^32 threads");
            clocks.now.set(id, 1);
            self.threads.push(clocks);
        }
        &mut self.threads[index]
    }

    /// What the thread has done so far is given away: later accesses of it are told apart from earlier ones.
    fn release(&mut self, thread: ThreadId) -> Clock {
        let clocks = self.thread(thread);
        let given = clocks.now.clone();
        let time = clocks.now.of(thread);
        clocks.now.set(thread, time + 1);
        given
    }

    fn commit(&mut self, events: &[Event], memory: &Memory) {
        for event in events {
            self.handle(event, memory);
        }
    }

    fn handle(&mut self, event: &Event, memory: &Memory) {
        let thread = event.thread;
        match event.action {
            Action::Read { spot, ty, ordering, .. } => {
                let size = bytes(ty, memory.pointer_bits());
                self.load(event, memory, (spot, size), AccessKind::Read, ordering);
            }
            Action::Write { spot, ty, ordering, .. } => {
                let size = bytes(ty, memory.pointer_bits());
                self.access(event, memory, (spot, size), AccessKind::Write, ordering);
                let clock = self.released_by(thread, ordering);
                self.release_to(spot, size, (thread, clock), Continues::of(ordering));
            }
            Action::Delay { operation, spot, ty, ordering, .. } => {
                let size = bytes(ty, memory.pointer_bits());
                self.access(event, memory, (spot, size), AccessKind::Write, ordering);
                let clock = self.released_by(thread, ordering);
                let continues = Continues::of(ordering);
                self.thread(thread).delayed.push(Delayed { operation, spot, size, clock, continues });
            }
            Action::Flush { operation, .. } => {
                let delayed = &mut self.thread(thread).delayed;
                if let Some(index) = delayed.iter().position(|delayed| delayed.operation == operation) {
                    let Delayed { spot, size, clock, continues, .. } = delayed.remove(index);
                    self.release_to(spot, size, (thread, clock), continues);
                }
            }
            Action::Update { spot, ty, new, ordering, .. } => {
                let size = bytes(ty, memory.pointer_bits());
                let kind = if new.is_some() { AccessKind::Write } else { AccessKind::Read };
                self.load(event, memory, (spot, size), kind, ordering);
                if new.is_some() {
                    let clock = self.released_by(thread, ordering);
                    self.release_to(spot, size, (thread, clock), Continues::All);
                }
            }
            Action::Fence(ordering) => self.fence(thread, ordering),
            Action::Lock(spot) => {
                if let Some(clock) = self.locks.get(&spot).cloned() {
                    self.thread(thread).now.join(&clock);
                }
                self.lock_word(event, memory, spot);
            }
            Action::Unlock(spot) => {
                self.lock_word(event, memory, spot);
                let clock = self.release(thread);
                self.locks.entry(spot).or_default().join(&clock);
            }
            Action::Fork(child) => {
                let clock = self.release(thread);
                self.thread(child).now.join(&clock);
            }
            Action::Join(joined) => {
                let clock = self.thread(joined).now.clone();
                self.thread(thread).now.join(&clock);
            }
            Action::AtomicBegin => self.begin(event),
            Action::AtomicEnd => self.end(thread),
            Action::Free(Some(origin)) => {
                self.end_object(event, memory, origin, AccessKind::Free);
                let clock = self.release(thread);
                self.freed.insert((origin.arena, origin.slot), clock);
            }
            Action::Alloc(origin) => {
                if let Some(clock) = self.freed.get(&(origin.arena, origin.slot)).cloned() {
                    self.thread(thread).now.join(&clock);
                }
            }
            Action::Ended(origin) => self.end_object(event, memory, origin, AccessKind::End),
            Action::Free(None) | Action::EndLife | Action::Wait | Action::Query | Action::Input(..) => {}
            // A thread's end is the end of its atomic blocks.
            Action::End(_) => {
                while !self.thread(thread).blocks.is_empty() {
                    self.end(thread);
                }
            }
        }
    }

    /// Locks are memory: taking one and giving it back are atomic writes of its word.
    fn lock_word(&mut self, event: &Event, memory: &Memory, spot: Spot) {
        let ordering = Ordering::SequentiallyConsistent;
        self.access(event, memory, (spot, LOCK_BYTES), AccessKind::Write, ordering);
    }

    fn begin(&mut self, event: &Event) {
        let is_model = self.program.functions[event.place.function].model;
        let clock = (!is_model).then(|| self.blocks.clone());
        let clocks = self.thread(event.thread);
        clocks.blocks.push(is_model);
        if let Some(clock) = clock {
            clocks.now.join(&clock);
        }
    }

    fn end(&mut self, thread: ThreadId) {
        if self.thread(thread).blocks.pop() == Some(false) {
            let clock = self.release(thread);
            self.blocks.join(&clock);
        }
    }

    fn fence(&mut self, thread: ThreadId, ordering: Ordering) {
        if acquires(ordering) {
            let clocks = self.thread(thread);
            let pending = std::mem::take(&mut clocks.pending);
            clocks.now.join(&pending);
        }
        if releases(ordering) {
            let clock = self.release(thread);
            self.thread(thread).released = Some(clock);
        }
    }

    /// The object's bytes are touched from now on in cells that end where the access does.
    fn cells(&mut self, origin: Origin) -> &mut BTreeMap<u32, Cell> {
        let shadow = Arc::make_mut(self.shadows.entry((origin.arena, origin.slot)).or_default());
        if shadow.generation != Some(origin.generation) {
            shadow.generation = Some(origin.generation);
            shadow.cells.clear();
        }
        &mut shadow.cells
    }

    fn access(
        &mut self,
        event: &Event,
        memory: &Memory,
        (spot, size): (Spot, u64),
        kind: AccessKind,
        ordering: Ordering,
    ) {
        if self.thread(event.thread).blocks.contains(&true) && ordering == Ordering::Plain {
            return;
        }
        let access = Access {
            thread: event.thread,
            kind,
            atomic: ordering != Ordering::Plain,
            place: event.place,
            user: event.user,
        };
        let now = std::mem::take(&mut self.thread(event.thread).now);
        let end = spot.offset.saturating_add(u32::try_from(size).unwrap_or(u32::MAX));
        let cells = self.cells(spot.origin);
        split(cells, spot.offset, end);
        let mut found = None;
        for cell in cells.range_mut(spot.offset..end).map(|(_, cell)| cell) {
            found = found.or(cell.touch(access, &now));
        }
        self.thread(event.thread).now = now;
        if let Some(first) = found
            && self.race.is_none()
        {
            let name = describe::spot(self.program, memory, spot);
            self.race = Some(Race { name, first, second: access });
        }
    }

    /// An access that reads. Whether it could also have been made before what it acquires nobody knows, so it does not happen after
    /// that; but in an atomic block of a model, which waits until what it acquires is there, it does.
    fn load(
        &mut self,
        event: &Event,
        memory: &Memory,
        (spot, size): (Spot, u64),
        kind: AccessKind,
        ordering: Ordering,
    ) {
        let acquires_first = self.thread(event.thread).blocks.contains(&true);
        if !acquires_first {
            self.access(event, memory, (spot, size), kind, ordering);
        }
        if ordering != Ordering::Plain {
            self.acquire_from(event.thread, spot, size, ordering);
        }
        if acquires_first {
            self.access(event, memory, (spot, size), kind, ordering);
        }
    }

    fn end_object(&mut self, event: &Event, memory: &Memory, origin: Origin, kind: AccessKind) {
        if self.thread(event.thread).blocks.contains(&true) {
            self.cells(origin).clear();
            return;
        }
        let access =
            Access { thread: event.thread, kind, atomic: false, place: event.place, user: event.user };
        let now = self.thread(event.thread).now.clone();
        let mut found = None;
        for cell in self.cells(origin).values_mut() {
            found = found.or(cell.touch(access, &now));
        }
        if let Some(first) = found
            && self.race.is_none()
        {
            let name = describe::ended(self.program, memory, origin);
            self.race = Some(Race { name, first, second: access });
        }
    }

    fn acquire_from(&mut self, thread: ThreadId, spot: Spot, size: u64, ordering: Ordering) {
        let mut clock = Clock::default();
        let end = spot.offset.saturating_add(u32::try_from(size).unwrap_or(u32::MAX));
        let own: SmallVec<[(u32, u64); 4]> = self.thread(thread).delayed_in(spot.origin).collect();
        let is_own = |from: u32, to: u32| {
            own.iter().any(|&(start, size)| start <= from && u64::from(to) <= u64::from(start) + size)
        };
        for (&start, cell) in self.cells(spot.origin).range(spot.offset..end) {
            if !is_own(start, cell.end) {
                cell.release.iter().for_each(|(_, release)| clock.join(release));
            }
        }
        let clocks = self.thread(thread);
        if acquires(ordering) {
            clocks.now.join(&clock);
        } else {
            clocks.pending.join(&clock);
        }
    }

    /// What a store releases that a thread makes now: by its ordering, or by an earlier fence.
    fn released_by(&mut self, thread: ThreadId, ordering: Ordering) -> Option<Clock> {
        if ordering == Ordering::Plain {
            None
        } else if releases(ordering) {
            Some(self.release(thread))
        } else {
            self.thread(thread).released.clone()
        }
    }

    /// A store gives what it releases, beside what the release sequences give that it continues.
    fn release_to(
        &mut self,
        spot: Spot,
        size: u64,
        (thread, clock): (ThreadId, Option<Clock>),
        continues: Continues,
    ) {
        let end = spot.offset.saturating_add(u32::try_from(size).unwrap_or(u32::MAX));
        let cells = self.cells(spot.origin);
        if clock.is_some() {
            split(cells, spot.offset, end);
        }
        for cell in cells.range_mut(spot.offset..end).map(|(_, cell)| cell) {
            match continues {
                Continues::All => {}
                Continues::Own => cell.release.retain(|(head, _)| *head == thread),
                Continues::None => cell.release.clear(),
            }
            let Some(clock) = &clock else { continue };
            match cell.release.iter_mut().find(|(head, _)| *head == thread) {
                Some((_, known)) => known.join(clock),
                None => cell.release.push((thread, Box::new(clock.clone()))),
            }
        }
    }
}

const fn acquires(ordering: Ordering) -> bool {
    match ordering {
        Ordering::Plain | Ordering::Relaxed | Ordering::Release => false,
        Ordering::Acquire | Ordering::AcquireRelease | Ordering::SequentiallyConsistent => true,
    }
}

const fn releases(ordering: Ordering) -> bool {
    match ordering {
        Ordering::Plain | Ordering::Relaxed | Ordering::Acquire => false,
        Ordering::Release | Ordering::AcquireRelease | Ordering::SequentiallyConsistent => true,
    }
}

impl Observer for RaceDetector<'_> {
    fn event(&mut self, event: &Event, memory: &Memory) {
        match self.open.event(event) {
            Counts::Later => {}
            Counts::Now => self.handle(event, memory),
            Counts::Block(events) => self.commit(&events, memory),
        }
    }

    fn undone(&mut self) {
        self.open.drop_it();
    }

    fn exited(&mut self, memory: &Memory) {
        let events = self.open.end();
        self.commit(&events, memory);
    }

    fn output(&mut self, _: Stream, _: &[u8]) {}
}

#[cfg(test)]
mod tests;
