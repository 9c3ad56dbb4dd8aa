//! What happened in an execution, kept: whoever wants to know later reads it instead of executing again.
//!
//! A [`Recorder`] watches a run. It keeps accesses to memory that several threads can reach, synchronisation, lifetimes that
//! end where others could see it, inputs and output, in order. Of each read it keeps which step it reads from. What a thread
//! does to its own memory is left out, since a single step may hold millions of such accesses; only which step wrote each
//! byte is followed, because the memory may be shared later.
//!
//! Memory itself is not kept. Of every object that an event is about, the recording keeps what does not change while the
//! object lives ([`Known`]), and with the event whether it was alive then. That is enough to name locations and values.
//!
//! What an atomic block did that does not commit is not in the recording.

use rustc_hash::FxHashMap;

use crate::describe::{Known, Objects};
use crate::memory::{Creator, Memory, Spot};
use crate::observe::{Action, Event, InputReason, MemoryAccess, Observer, Stream};
use crate::state::ThreadId;
use crate::step::{LOCK_BYTES, bytes};
use crate::value::{Origin, Value};

/// What happened in an execution, in order.
#[derive(Clone, Debug, Default)]
pub struct Recording {
    entries: Vec<Entry>,
    /// The objects that events are about. No two objects of an execution have the same origin.
    objects: FxHashMap<Origin, Known>,
    /// What the objects were made for whose ends are in the recording.
    endings: FxHashMap<Origin, Creator>,
    pointer_bits: u8,
}

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub enum Entry {
    /// A thread did something.
    Event(Recorded),
    /// The program printed something.
    Output {
        /// In which step.
        step: u64,
        /// What.
        bytes: Vec<u8>,
    },
}

impl Entry {
    /// The step in which it happened; 0 is what happens before the first choice.
    #[must_use]
    pub const fn step(&self) -> u64 {
        match self {
            Self::Event(recorded) => recorded.step,
            Self::Output { step, .. } => *step,
        }
    }
}

/// An event that was kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Recorded {
    /// The step in which it happened; 0 is what happens before the first choice.
    pub step: u64,
    /// What happened.
    pub event: Event,
    /// How many operations its thread has made, this one included if it is one.
    pub operations: u64,
    /// Of a read: the last step that wrote a byte of what it reads. None: it reads the first value.
    pub reads_from: Option<u64>,
    /// Of the objects that the event is about ([`subjects`]), which ones were alive.
    alive: [bool; SUBJECTS],
}

/// An event is about at most so many objects.
const SUBJECTS: usize = 3;

/// The objects that an event is about: where it happens, and where its values point to.
fn subjects(action: &Action) -> [Option<Origin>; SUBJECTS] {
    if let Some(MemoryAccess { spot, read, written, .. }) = action.access() {
        let origin = |value: Option<Value>| value.and_then(|value| value.origin);
        return [Some(spot.origin), origin(read), origin(written)];
    }
    if let Action::Lock(spot) | Action::Unlock(spot) = *action {
        return [Some(spot.origin), None, None];
    }
    if let Action::Input(reason, value, _) = *action {
        let at = if let InputReason::Uninitialised(spot) = reason { Some(spot.origin) } else { None };
        return [at, value.origin, None];
    }
    if let Action::End(value) = *action { [None, value.origin, None] } else { [None; SUBJECTS] }
}

impl Recording {
    /// All of it, in order.
    #[must_use]
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Bits of a pointer.
    #[must_use]
    pub const fn pointer_bits(&self) -> u8 {
        self.pointer_bits
    }

    /// What memory knew of objects when an event happened.
    #[must_use]
    pub const fn at<'r>(&'r self, recorded: &'r Recorded) -> Moment<'r> {
        Moment { recording: self, recorded }
    }
}

/// What memory knew when an event happened, of the objects that it is about.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'r> {
    recording: &'r Recording,
    recorded: &'r Recorded,
}

impl Objects for Moment<'_> {
    fn known(&self, origin: Origin) -> Option<Known> {
        let subjects = subjects(&self.recorded.event.action);
        let place = subjects.iter().position(|&subject| subject == Some(origin))?;
        self.recorded.alive[place].then(|| self.recording.objects.get(&origin).copied()).flatten()
    }

    fn made_for(&self, ended: Origin) -> Option<Creator> {
        self.recording.endings.get(&ended).copied()
    }
}

/// Watches a run and makes a recording.
#[derive(Debug)]
pub struct Recorder {
    recording: Recording,
    step: u64,
    /// Where the entries of the current step begin.
    step_begin: usize,
    writers: Writers,
    /// The delayed stores, in the order they were made.
    delayed: Vec<Delayed>,
    /// How many operations each thread has made.
    operations: Vec<u64>,
    /// Whose step it is, and how many operations it had made before.
    begun: (ThreadId, u64),
}

/// A delayed store: who made it as which operation, where, and in which step.
#[derive(Clone, Copy, Debug)]
struct Delayed {
    thread: ThreadId,
    operation: u64,
    spot: Spot,
    size: u64,
    step: u64,
}

impl Delayed {
    fn covers(&self, thread: ThreadId, origin: Origin, byte: u64) -> bool {
        let start = u64::from(self.spot.offset);
        self.thread == thread && self.spot.origin == origin && (start..start + self.size).contains(&byte)
    }
}

impl Recorder {
    /// For a run of a program with pointers of so many bits.
    #[must_use]
    pub fn new(pointer_bits: u8) -> Self {
        Self {
            recording: Recording { pointer_bits, ..Recording::default() },
            step: 0,
            step_begin: 0,
            writers: Writers::default(),
            delayed: Vec::new(),
            operations: Vec::new(),
            begun: (0, 0),
        }
    }

    /// What was recorded.
    #[must_use]
    pub fn finish(self) -> Recording {
        self.recording
    }

    fn operations(&mut self, thread: ThreadId) -> &mut u64 {
        let index = thread as usize;
        if self.operations.len() <= index {
            self.operations.resize(index + 1, 0);
        }
        &mut self.operations[index]
    }

    /// The latest step that wrote any of the bytes, as a thread sees them: its own delayed stores hide what others wrote.
    fn writer(&self, thread: ThreadId, spot: Spot, size: u64) -> Option<u64> {
        let start = u64::from(spot.offset);
        if self.delayed.is_empty() {
            return self.writers.latest(spot, size);
        }
        let writer = |byte: u64| {
            let own = self.delayed.iter().rev().find(|delayed| delayed.covers(thread, spot.origin, byte));
            let offset = u32::try_from(byte).unwrap_or(u32::MAX);
            own.map(|delayed| delayed.step).or_else(|| self.writers.latest(Spot { offset, ..spot }, 1))
        };
        (start..start + size).filter_map(writer).max()
    }

    /// Follows who wrote what, and says which step the event reads from.
    fn follow(&mut self, event: &Event, memory: &Memory) -> Option<u64> {
        let size = |ty| bytes(ty, memory.pointer_bits());
        match event.action {
            Action::Read { spot, ty, .. } => return self.writer(event.thread, spot, size(ty)),
            Action::Write { spot, ty, .. } => self.writers.write(spot, size(ty), self.step),
            Action::Delay { operation, spot, ty, .. } => {
                let (thread, step) = (event.thread, self.step);
                self.delayed.push(Delayed { thread, operation, spot, size: size(ty), step });
            }
            Action::Flush { operation, spot, ty, .. } => {
                self.delayed
                    .retain(|delayed| (delayed.thread, delayed.operation) != (event.thread, operation));
                self.writers.write(spot, size(ty), self.step);
            }
            Action::Update { spot, ty, new, .. } => {
                let from = self.writer(event.thread, spot, size(ty));
                if new.is_some() {
                    self.writers.write(spot, size(ty), self.step);
                }
                return from;
            }
            Action::Lock(spot) | Action::Unlock(spot) => self.writers.write(spot, LOCK_BYTES, self.step),
            Action::Fence(_)
            | Action::Wait
            | Action::Fork(_)
            | Action::Join(_)
            | Action::AtomicBegin
            | Action::AtomicEnd
            | Action::Alloc(_)
            | Action::Free(_)
            | Action::EndLife
            | Action::Ended(_)
            | Action::Query
            | Action::Input(..)
            | Action::End(_) => {}
        }
        None
    }

    fn keep(&mut self, event: &Event, memory: &Memory, reads_from: Option<u64>) {
        let mut alive = [false; SUBJECTS];
        for (origin, alive) in subjects(&event.action).into_iter().zip(&mut alive) {
            let Some((origin, known)) = origin.and_then(|origin| Some((origin, memory.known(origin)?)))
            else {
                continue;
            };
            *alive = true;
            self.recording.objects.insert(origin, known);
        }
        if let Action::Ended(origin) = event.action
            && let Some(creator) = memory.made_for(origin)
        {
            self.recording.endings.insert(origin, creator);
        }
        let operations = *self.operations(event.thread);
        let recorded = Recorded { step: self.step, event: *event, operations, reads_from, alive };
        self.recording.entries.push(Entry::Event(recorded));
    }
}

/// Whether an event is kept: others could notice it, or people want to see it.
fn is_kept(event: &Event, memory: &Memory) -> bool {
    if let Some(MemoryAccess { spot, .. }) = event.action.access() {
        return memory.object(spot.origin).is_some_and(|object| object.shared && !object.read_only);
    }
    // Objects are private when they are made, and most are when they end: `Ended` tells of the others.
    !matches!(event.action, Action::Alloc(_) | Action::EndLife | Action::Free(None))
}

impl Observer for Recorder {
    fn operation(&mut self, thread: ThreadId) {
        *self.operations(thread) += 1;
    }

    fn event(&mut self, event: &Event, memory: &Memory) {
        // Who is read from is asked only where the answer is kept; writes are followed everywhere.
        let kept = is_kept(event, memory);
        let is_read = matches!(event.action, Action::Read { .. });
        let reads_from = if kept || !is_read { self.follow(event, memory) } else { None };
        if kept {
            self.keep(event, memory, reads_from);
        }
    }

    fn step(&mut self, thread: ThreadId, number: u64) {
        if number == self.step {
            // The step before was refused: what its thread did does not count.
            let (refused, made) = self.begun;
            *self.operations(refused) = made;
        }
        self.begun = (thread, *self.operations(thread));
        self.step = number;
        self.step_begin = self.recording.entries.len();
        self.writers.begin();
    }

    fn undone(&mut self) {
        self.recording.entries.truncate(self.step_begin);
        self.writers.undo();
    }

    fn output(&mut self, _: Stream, bytes: &[u8]) {
        self.recording.entries.push(Entry::Output { step: self.step, bytes: bytes.to_vec() });
    }
}

/// The step that last wrote each byte.
#[derive(Debug, Default)]
struct Writers {
    words: FxHashMap<(Origin, u32), Word>,
    /// What the words held that were written in the current step, before it.
    before: Vec<((Origin, u32), Word)>,
    /// Words that were written in the current step are noted once.
    current: u64,
}

const WORD: u32 = 8;

/// Eight bytes: for each, one more than the step that wrote it; zero if none did.
#[derive(Clone, Copy, Debug, Default)]
struct Word {
    bytes: [u64; WORD as usize],
    /// The step, counted by [`Writers::begin`], in which it was last noted.
    noted: u64,
}

impl Writers {
    /// A step begins: what it writes can be undone.
    fn begin(&mut self) {
        self.before.clear();
        self.current += 1;
    }

    /// What was written since the step began was not.
    fn undo(&mut self) {
        for (key, word) in self.before.drain(..) {
            self.words.insert(key, word);
        }
    }

    fn write(&mut self, spot: Spot, size: u64, step: u64) {
        for (number, bytes) in words(spot, size) {
            let key = (spot.origin, number);
            let word = self.words.entry(key).or_default();
            if word.noted != self.current {
                self.before.push((key, *word));
                word.noted = self.current;
            }
            word.bytes[bytes].fill(step + 1);
        }
    }

    fn latest(&self, spot: Spot, size: u64) -> Option<u64> {
        let latest = |(number, bytes): (u32, std::ops::Range<usize>)| {
            self.words.get(&(spot.origin, number))?.bytes[bytes].iter().max()?.checked_sub(1)
        };
        words(spot, size).filter_map(latest).max()
    }
}

/// The words that bytes lie in: the number of each, and which of its bytes.
fn words(spot: Spot, size: u64) -> impl Iterator<Item = (u32, std::ops::Range<usize>)> {
    let start = spot.offset;
    let end = start.saturating_add(u32::try_from(size).unwrap_or(0));
    (start / WORD..end.div_ceil(WORD)).map(move |number| {
        let first = number * WORD;
        let (from, to) = (start.max(first) - first, (end - first).min(WORD));
        (number, from as usize..to as usize)
    })
}

#[cfg(test)]
mod tests;
