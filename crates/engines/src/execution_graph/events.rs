//! The contract between those who make events and the encoder that turns them into a question.
//!
//! An [`Unrolling`] has for each thread a chain of *steps*, each of which happens atomically, and in each step the *events* by
//! which threads influence each other. It may be a whole program up to its bounds, or the events of one observed run. Everything
//! a thread does by itself is folded into terms: guards say under which conditions an event happens, value terms what it writes.
//! Producers write it through an [`Emitter`](super::emitter::Emitter) only; everybody reads it.
//!
//! # The rules that soundness hangs on
//! - Executions are prefix-closed. A guard is true exactly if its thread comes to that point; a thread that stops (an
//!   assumption, a bound, a wait that is never granted) has false guards from there on. Nothing else constrains anybody.
//! - A step that is an atomic block may not commit (`begun` but not `completes`). Then its reads have happened, and what
//!   they led to counts, but none of its writes, locks, unlocks or forks did: [`Unrolling::effective`] is the condition
//!   under which others notice an event.
//! - Two memory events overlap exactly if they are in the same space, of the same size, and have the same address: other
//!   overlaps were split up before.
//! - Within one step all reads read memory as it was before the step: what the step itself wrote before was already folded
//!   into terms, and a step writes each address at most once under any one valuation of the guards.
//!
//! # What holds of the tables
//! - A thread comes after the one that starts it. Its steps ascend in program order. The first and the last are marks.
//! - A step lists its events in program order, and each event is listed in its step, once. Ids of events need not ascend:
//!   paths of a thread are followed side by side, and events are split into bytes when all are known.
//!
//! # Happens-before
//! Where data races are asked for, all that orders accesses of different threads is noted in
//! [`Unrolling::synchronisations`]: those of one thread in program order. An access is made after as many of them as it says.

use std::ops::Deref;

use raddle_base::{Span, Table, define_id};
use raddle_ir::{Ordering, Property, Type};
use raddle_logic::term::{TermId, Terms};
use raddle_vm::code::Place;

define_id!(
    /// A thread of an unrolling: one for each thread creation that was followed. The main thread is the first.
    pub struct InstanceId, "thread"
);
define_id!(
    /// Something that happens atomically.
    pub struct StepId, "step"
);
define_id!(
    /// An event.
    pub struct EventId, "event"
);
define_id!(
    /// Something that orders accesses of different threads.
    pub struct SynchronisationId, "synchronisation"
);

/// A table that everybody reads, and that is written in this room only.
#[derive(Clone, Debug, Default)]
pub struct ReadOnly<T>(pub(in crate::execution_graph) T);

impl<T> Deref for ReadOnly<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Threads, steps and events: see the [module](self).
#[derive(Debug)]
pub struct Unrolling {
    /// Where all terms live.
    pub terms: Terms,
    /// The threads; one that creates another comes before it.
    pub threads: ReadOnly<Table<InstanceId, Instance>>,
    /// All steps. Those of one thread ascend in program order.
    pub steps: ReadOnly<Table<StepId, Step>>,
    /// All events. Each step lists its own, in program order.
    pub events: ReadOnly<Table<EventId, Event>>,
    /// Critical sections of locks.
    pub acquisitions: ReadOnly<Vec<Acquisition>>,
    /// Terms that hold in every execution: definitions of symbols.
    pub constraints: Vec<TermId>,
    /// Checks that may fail.
    pub checks: Vec<Check>,
    /// Where the unrolling ends before the program does.
    pub limits: Vec<Limit>,
    /// Where threads may wait for ever.
    pub blockings: Vec<Blocking>,
    /// Accesses that may race.
    pub accesses: Vec<Access>,
    /// What orders accesses, if data races are asked for. What a thread does comes in program order.
    pub synchronisations: ReadOnly<Table<SynchronisationId, Synchronisation>>,
    /// Values from outside.
    pub inputs: Vec<Input>,
    /// The condition under which the process is ended by `exit`, `abort` or the main thread's return.
    pub process_ends: TermId,
    /// Whether thread ids depend on the schedule. Then [`Instance::thread_id`] of every thread but the main one is
    /// a symbol, and the encoder says what it is: one more than the forks that take effect before this one's.
    pub dynamic_thread_ids: bool,
    /// Steps of which the first may be taken to come before the second: because threads that nobody can tell apart could be exchanged
    /// otherwise, or because it did so before the state that is asked about.
    pub ordered: Vec<(StepId, StepId)>,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The event that starts it; none for the main thread.
    pub fork: Option<EventId>,
    /// Whether it is started.
    pub started: TermId,
    /// Its thread id as the program sees it, 32 bits.
    pub thread_id: TermId,
    /// Its steps, in program order. The first and the last are there for their position in the order only: nothing happens
    /// in them. The last one stands for its end.
    pub steps: Vec<StepId>,
    /// Whether it comes to its end (returns or exits; not when it is stopped or waits for ever).
    pub ended: TermId,
    /// Its result, of pointer width.
    pub result: TermId,
    /// Whether an assumption, undefined behaviour or a bound stops it.
    pub stopped: TermId,
    /// How many operations it has made when it ends.
    pub operations: TermId,
}

/// Something that happens atomically: one instruction, or an atomic block.
#[derive(Clone, Debug)]
pub struct Step {
    /// Whose.
    pub thread: InstanceId,
    /// Whether its thread comes here.
    pub begun: TermId,
    /// Whether it commits: for a step of one instruction the same as having been granted.
    pub completes: TermId,
    /// Whether the process ends in the midst of it.
    pub exits: TermId,
    /// Its events.
    pub events: Vec<EventId>,
    /// How many operations (see `raddle_vm::code::is_operation`) its thread has made when it is complete.
    pub operations: TermId,
    /// Whether it must not move before the thread's earlier stores under weak memory models, nor later loads before it:
    /// atomic blocks, read-modify-writes, locks, fences, forks, joins.
    pub fence: bool,
    /// What it means for the order of its thread's stores under partial store order, if it is not such a fence anyway.
    pub stores: StoreOrder,
    /// The instruction that it begins with.
    pub place: Place,
}

/// What a step means for the order in which a thread's stores become visible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreOrder {
    /// Nothing beyond what it is itself.
    #[default]
    Free,
    /// A store that becomes visible after all earlier ones.
    Last,
    /// Nothing happens in it; stores before it become visible before those behind it.
    Fence,
}

/// Which memory an event is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// The program's.
    Data,
    /// Whether objects live: at an object's first address, one byte, zero while it lives.
    Life,
}

/// An event.
#[derive(Clone, Debug)]
pub struct Event {
    /// When it happens.
    pub step: StepId,
    /// Whether its thread comes to it. Others notice it under [`Unrolling::effective`].
    pub guard: TermId,
    /// What happens.
    pub kind: EventKind,
    /// For a write: the atomic store that makes it, if synchronisations are noted.
    pub store: Option<SynchronisationId>,
    /// The instruction.
    pub place: Place,
}

/// Bytes of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Location {
    /// Which memory.
    pub space: Space,
    /// Of pointer width.
    pub address: TermId,
    /// In bytes.
    pub size: u32,
}

/// What happens.
#[derive(Clone, Copy, Debug)]
pub enum EventKind {
    /// Reads or writes memory.
    Access {
        /// Where.
        location: Location,
        /// Which of the two.
        access: AccessKind,
    },
    /// Waits for others, or lets them go on.
    Sync(Sync),
    /// Nothing but a position in the order: fences, starts and ends of threads.
    Mark,
}

/// How memory is accessed.
#[derive(Clone, Copy, Debug)]
pub enum AccessKind {
    /// Reads it.
    Read {
        /// What is read: `8 * size` bits.
        value: TermId,
        /// What is read when no write came before; none if that cannot be.
        initial: Option<TermId>,
        /// If the initial contents are unwritten memory: the input that the VM asks for when it is read first.
        uninitialised: Option<Type>,
    },
    /// Writes it.
    Write {
        /// What is written.
        value: TermId,
    },
}

/// How threads wait for each other.
#[derive(Clone, Copy, Debug)]
pub enum Sync {
    /// Takes a lock. Only locks whose words are touched by nothing but lock events are events of this kind.
    Lock {
        /// The lock word's address.
        address: TermId,
        /// Whether it is granted: free to choose for the solver, as far as the locks of others let it. `completes` of
        /// its step implies it.
        granted: TermId,
    },
    /// Releases a lock.
    Unlock {
        /// The lock word's address.
        address: TermId,
    },
    /// Asks whether a lock is free.
    LockIsFree {
        /// The lock word's address.
        address: TermId,
        /// A Boolean symbol: the answer.
        free: TermId,
    },
    /// Starts a thread.
    Fork {
        /// Which.
        thread: InstanceId,
    },
    /// Waits for a thread's end.
    Join {
        /// The thread's id, 32 bits.
        thread_id: TermId,
        /// A Boolean symbol: whether it is granted. Only then does the joining thread go on.
        granted: TermId,
        /// A symbol of pointer width: the thread's result, if granted.
        result: TermId,
    },
    /// Asks whether a thread was started.
    ThreadExists {
        /// The thread's id, 32 bits.
        thread_id: TermId,
        /// A Boolean symbol: the answer.
        exists: TermId,
    },
}

impl EventKind {
    /// What is read, if something is.
    #[must_use]
    pub const fn read(&self) -> Option<Location> {
        match *self {
            Self::Access { location, access: AccessKind::Read { .. } } => Some(location),
            Self::Access { access: AccessKind::Write { .. }, .. } | Self::Sync(_) | Self::Mark => None,
        }
    }

    /// What is written, if something is.
    #[must_use]
    pub const fn written(&self) -> Option<Location> {
        match *self {
            Self::Access { location, access: AccessKind::Write { .. } } => Some(location),
            Self::Access { access: AccessKind::Read { .. }, .. } | Self::Sync(_) | Self::Mark => None,
        }
    }

    /// What is accessed, if something is.
    #[must_use]
    pub const fn accessed(&self) -> Option<Location> {
        match *self {
            Self::Access { location, .. } => Some(location),
            Self::Sync(_) | Self::Mark => None,
        }
    }

    /// The address of the lock that it is about, if it is about one.
    #[must_use]
    pub const fn lock_word(&self) -> Option<TermId> {
        match *self {
            Self::Sync(
                Sync::Lock { address, .. } | Sync::Unlock { address } | Sync::LockIsFree { address, .. },
            ) => Some(address),
            Self::Sync(Sync::Fork { .. } | Sync::Join { .. } | Sync::ThreadExists { .. })
            | Self::Access { .. }
            | Self::Mark => None,
        }
    }
}

/// A critical section: a lock event and what may release it. All in one thread.
#[derive(Clone, Debug)]
pub struct Acquisition {
    /// The lock event.
    pub lock: EventId,
    /// Unlock events, each with the condition under which its thread comes to it and it releases exactly this acquisition.
    pub releases: Vec<(EventId, TermId)>,
}

/// A check that may fail.
#[derive(Clone, Debug)]
pub struct Check {
    /// Whose.
    pub thread: InstanceId,
    /// Which property.
    pub property: Property,
    /// Whether its thread comes to it.
    pub reached: TermId,
    /// Whether it is reached and fails.
    pub violated: TermId,
    /// The step after (or in) which it happens.
    pub step: StepId,
    /// How many operations its thread has made by then.
    pub operations: TermId,
    /// Where.
    pub place: Place,
    /// What is wrong then.
    pub message: String,
}

/// Where the unrolling ends before the program does: what lies behind is not covered.
#[derive(Clone, Debug)]
pub struct Limit {
    /// Why.
    pub kind: LimitKind,
    /// Whether some thread comes there.
    pub reached: TermId,
    /// The step after (or in) which that is.
    pub step: StepId,
    /// Where.
    pub span: Span,
}

/// Why an unrolling ends.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LimitKind {
    /// A loop has more iterations: the function's index and the head's.
    Loop(raddle_ir::FunctionId, raddle_ir::BlockId),
    /// A recursion goes deeper.
    Recursion(raddle_ir::FunctionId),
    /// More threads are started.
    Threads,
    /// Something is not supported.
    Unsupported(String),
}

/// Where a thread may wait for ever.
#[derive(Clone, Debug)]
pub struct Blocking {
    /// Whose.
    pub thread: InstanceId,
    /// Where it waits.
    pub step: StepId,
    /// Whether it comes here and is not enabled, given what its step reads.
    pub blocked: TermId,
    /// What it waits for.
    pub blocked_on: BlockedOn,
    /// Where.
    pub place: Place,
}

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BlockedOn {
    /// A lock.
    Lock {
        /// Where it is waited for.
        event: EventId,
        /// Whether the thread has it itself. It may have taken it in the same atomic block, of which nobody reads anything.
        own: TermId,
    },
    /// The thread of this event.
    Join(EventId),
    /// A condition on what its step reads.
    Condition,
    /// Nothing that others can give: it spins, or what it does depends on inputs taken in the same atomic block. Such a thread
    /// is not stuck.
    Nothing,
}

/// An access that may race.
#[derive(Clone, Debug)]
pub struct Access {
    /// When.
    pub step: StepId,
    /// Whether its thread comes to it.
    pub guard: TermId,
    /// Of pointer width.
    pub address: TermId,
    /// In bytes; zero for all of the object (freeing it).
    pub size: u32,
    /// Whether it writes.
    pub writes: bool,
    /// Atomic or plain.
    pub ordering: Ordering,
    /// Whether it happens inside an atomic block of the program: two of those are always ordered.
    pub in_block: bool,
    /// How many synchronisations were noted before it, of all threads.
    pub synchronised: usize,
    /// The instruction.
    pub place: Place,
}

/// Something that orders accesses of different threads.
#[derive(Clone, Debug)]
pub struct Synchronisation {
    /// Whose.
    pub thread: InstanceId,
    /// Whether its thread comes to it.
    pub guard: TermId,
    /// What it does.
    pub kind: SynchronisationKind,
}

/// How accesses of different threads are ordered.
#[derive(Clone, Debug)]
pub enum SynchronisationKind {
    /// An atomic load, also that of a read-modify-write: of these bytes, from the reads of this step.
    Load {
        /// Whose reads.
        step: StepId,
        /// Of pointer width.
        address: TermId,
        /// In bytes.
        size: u32,
        /// How.
        ordering: Ordering,
    },
    /// An atomic store: its writes name it.
    Store {
        /// How.
        ordering: Ordering,
        /// Whether it is that of a read-modify-write. Its step then reads the same bytes.
        update: bool,
    },
    /// A fence.
    Fence(Ordering),
    /// A lock event that is granted.
    Lock(EventId),
    /// An unlock event.
    Unlock(EventId),
    /// A lock whose word is ordinary memory is taken.
    TakeWord {
        /// When.
        step: StepId,
        /// Where it is.
        address: TermId,
    },
    /// A lock whose word is ordinary memory is released.
    GiveWord {
        /// When.
        step: StepId,
        /// Where it is.
        address: TermId,
    },
    /// A thread is started.
    Fork(EventId),
    /// A wait for a thread's end is granted.
    Join(EventId),
    /// An atomic block of the program begins.
    Begin(StepId),
    /// It ends.
    End(StepId),
}

/// A value from outside.
#[derive(Clone, Debug)]
pub struct Input {
    /// Who asks.
    pub thread: InstanceId,
    /// Whether it is asked for.
    pub guard: TermId,
    /// What is given.
    pub value: TermId,
    /// Its type.
    pub ty: Type,
    /// How many operations the thread has made before it: inputs and first reads of unwritten memory are asked in this order.
    pub operations: TermId,
    /// What people call it.
    pub name: String,
}

impl Unrolling {
    /// Nothing happens yet.
    #[must_use]
    pub fn new(mut terms: Terms) -> Self {
        let process_ends = terms.bool(false);
        Self {
            terms,
            threads: ReadOnly::default(),
            steps: ReadOnly::default(),
            events: ReadOnly::default(),
            acquisitions: ReadOnly::default(),
            constraints: Vec::new(),
            checks: Vec::new(),
            limits: Vec::new(),
            blockings: Vec::new(),
            accesses: Vec::new(),
            synchronisations: ReadOnly::default(),
            inputs: Vec::new(),
            process_ends,
            dynamic_thread_ids: false,
            ordered: Vec::new(),
        }
    }

    /// The condition under which other threads notice an event.
    pub fn effective(&mut self, event: EventId) -> TermId {
        let event = &self.events[event];
        let completes = self.steps[event.step].completes;
        self.terms.and(event.guard, completes)
    }

    /// The thread of an event.
    #[must_use]
    pub fn thread_of(&self, event: EventId) -> InstanceId {
        self.steps[self.events[event].step].thread
    }

    /// What is wrong with the tables, if anything is: see the [module](self).
    #[must_use]
    pub fn flaw(&self) -> Option<String> {
        let is_mark = |step: StepId| {
            let mut events = self.steps[step].events.iter();
            events.all(|&event| matches!(self.events[event].kind, EventKind::Mark))
        };
        for (id, thread) in self.threads.iter() {
            if let Some(fork) = thread.fork
                && self.thread_of(fork) >= id
            {
                return Some(format!("{id} comes before the one that starts it"));
            }
            if !thread.steps.is_sorted() || thread.steps.iter().any(|&step| self.steps[step].thread != id) {
                return Some(format!("the steps of {id} do not ascend"));
            }
            let [first, .., last] = thread.steps[..] else { return Some(format!("{id} has no end")) };
            if !is_mark(first) || !is_mark(last) {
                return Some(format!("{id} does not begin and end with a mark"));
            }
        }
        let mut listed = 0;
        for (id, step) in self.steps.iter() {
            if step.events.iter().any(|&event| self.events[event].step != id) {
                return Some(format!("{id} lists an event of another step"));
            }
            listed += step.events.len();
        }
        (listed != self.events.len()).then(|| "an event is not listed in its step, or twice".to_owned())
    }
}
