//! What symbolic execution makes of a program, and what the encoder turns into a question.
//!
//! An [`Unrolling`] is the whole program up to its bounds: for each thread a chain of *steps*, each of which happens at one
//! moment, and in each step the *events* by which threads influence each other. Everything a thread does by itself is
//! folded into terms: guards say under which conditions an event happens, value terms what it writes.
//!
//! # The rules that soundness hangs on
//! - Executions are prefix-closed. A guard is true exactly if its thread comes to that point; a thread that stops (an
//!   assumption, a bound, a wait that is never granted) has false guards from there on. Nothing else constrains anybody.
//! - A step that is an atomic section may stop half-way (`begun` but not `completes`). Then its reads have happened, and what
//!   they led to counts, but none of its writes, locks, unlocks or forks did: [`Unrolling::effective`] is the condition
//!   under which others notice an event.
//! - Two memory events overlap exactly if they are in the same space, of the same size, and have the same address: other
//!   overlaps were split up before.
//! - Within one step all reads see memory as it was before the step: what the step itself wrote before was already folded
//!   into terms, and a step writes each address at most once under any one valuation of the guards.
//!
//! # Happens-before
//! Where two accesses can be unordered without ever being possible at the same moment, [`Unrolling::happens_before`] is set,
//! and all that orders accesses of different threads is noted in [`Unrolling::synchronisations`]: those of one thread in
//! program order. An access is made after as many of them as it says.

use raddle_base::{Span, Table, define_id};
use raddle_ir::{Ordering, Property, Type};
use raddle_logic::term::{TermId, Terms};
use raddle_vm::code::Place;

define_id!(
    /// A thread of the unrolled program: one for each thread creation that was followed. The main thread is the first.
    pub struct InstanceId, "thread"
);
define_id!(
    /// Something that happens at one moment.
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

/// A program, unrolled up to its bounds.
#[derive(Debug)]
pub struct Unrolling {
    /// Where all terms live.
    pub terms: Terms,
    /// The threads; one that creates another comes before it.
    pub threads: Table<InstanceId, Instance>,
    /// All steps. Those of one thread ascend in program order.
    pub steps: Table<StepId, Step>,
    /// All events. Those of one step are together, in program order.
    pub events: Table<EventId, Event>,
    /// Critical sections of locks.
    pub acquisitions: Vec<Acquisition>,
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
    /// Whether accesses race that nothing orders, rather than those that can be made at the same moment.
    pub happens_before: bool,
    /// What orders accesses, if that is needed. What a thread does comes in program order.
    pub synchronisations: Table<SynchronisationId, Synchronisation>,
    /// Values from outside.
    pub inputs: Vec<Input>,
    /// The condition under which the process is ended by `exit`, `abort` or the main thread's return.
    pub process_ends: TermId,
    /// Whether the numbers of threads depend on the schedule. Then [`Instance::number`] of every thread but the main one is
    /// a symbol, and the encoder says what it is: one more than the forks that take effect before this one's.
    pub dynamic_numbers: bool,
    /// Steps of threads that nobody can tell apart: the first may be taken to come before the second, because otherwise the
    /// threads could be exchanged.
    pub symmetric: Vec<(StepId, StepId)>,
}

/// A thread.
#[derive(Clone, Debug)]
pub struct Instance {
    /// The event that starts it; none for the main thread.
    pub fork: Option<EventId>,
    /// Whether it is started.
    pub started: TermId,
    /// Its number as the program sees it, 32 bits.
    pub number: TermId,
    /// Its steps, in program order. The first and the last are there for their place in the order only: nothing happens
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

/// Something that happens at one moment.
#[derive(Clone, Debug)]
pub struct Step {
    /// Whose.
    pub thread: InstanceId,
    /// Whether its thread comes here.
    pub begun: TermId,
    /// Whether it is brought to its end: for a step of one instruction the same as having been granted.
    pub completes: TermId,
    /// Whether the process ends in the midst of it.
    pub exits: TermId,
    /// Its events.
    pub events: Vec<EventId>,
    /// How many operations (see `raddle_vm::code::is_operation`) its thread has made when it is complete.
    pub operations: TermId,
    /// Whether it must not move before the thread's earlier stores under weak memory models, nor later loads before it:
    /// atomic sections, read-modify-writes, locks, fences, forks, joins.
    pub fence: bool,
    /// What it means for the order of its thread's stores under partial store order, if it is not such a fence anyway.
    pub stores: StoreOrder,
    /// The instruction it begins with.
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

/// What happens.
#[derive(Clone, Debug)]
pub enum EventKind {
    /// Reads memory.
    Read {
        /// Which memory.
        space: Space,
        /// Of pointer width.
        address: TermId,
        /// In bytes.
        size: u32,
        /// What is seen: `8 * size` bits.
        value: TermId,
        /// What is seen when no write came before; none if that cannot be.
        initial: Option<TermId>,
        /// If the initial contents are unwritten memory: the input that a machine asks for when it is read first.
        uninitialised: Option<Type>,
    },
    /// Writes memory.
    Write {
        /// Which memory.
        space: Space,
        /// Of pointer width.
        address: TermId,
        /// In bytes.
        size: u32,
        /// What is written.
        value: TermId,
    },
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
    /// Looks whether a lock is free.
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
        /// The number of the thread, 32 bits.
        number: TermId,
        /// A Boolean symbol: whether it is granted. Only then does the joining thread go on.
        granted: TermId,
        /// A symbol of pointer width: the thread's result, if granted.
        result: TermId,
    },
    /// Asks whether a thread was started.
    ThreadExists {
        /// The number of the thread, 32 bits.
        number: TermId,
        /// A Boolean symbol: the answer.
        exists: TermId,
    },
    /// Nothing but a place in the order: fences, thread starts and ends.
    Mark,
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
    /// When it looks whether it can go on.
    pub step: StepId,
    /// Whether it comes here and cannot go on, given what its step reads.
    pub blocked: TermId,
    /// What it waits for.
    pub wish: Wish,
    /// Where.
    pub place: Place,
}

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A lock.
    Lock {
        /// Where it is waited for.
        event: EventId,
        /// Whether the thread has it itself. It may have taken it in the same atomic section, of which nobody sees anything.
        own: TermId,
    },
    /// The thread of this event.
    Join(EventId),
    /// A condition on what its step reads.
    Condition,
    /// Nothing that others can give: it spins, or what it does depends on inputs taken in the same section. Such a thread is
    /// not stuck.
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
    /// Whether it happens inside an atomic section of the program.
    pub in_section: bool,
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
    /// An atomic section of the program begins.
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
    /// The condition under which other threads notice an event.
    pub fn effective(&mut self, event: EventId) -> TermId {
        let event = &self.events[event];
        let completes = self.steps[event.step].completes;
        self.terms.and(event.guard, completes)
    }
}
