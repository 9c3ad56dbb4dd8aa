//! What the VM tells about a run while it happens, and what it asks.

use raddle_ir::{BlockId, FunctionId, HavocId, Ordering, Property, Type};

use crate::code::Place;
use crate::layout::ThreadId;
use crate::mark::Look;
use crate::memory::{Memory, Spot};
use crate::value::{Origin, Value};

/// A nondeterministic value is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputRequest {
    /// By this thread.
    pub thread: ThreadId,
    /// Why.
    pub reason: InputReason,
    /// Of this type.
    pub ty: Type,
    /// The instruction that wants it.
    pub place: Place,
}

/// Why a nondeterministic value is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InputReason {
    /// A `Havoc` instruction.
    Havoc(HavocId),
    /// A load of bytes that were never written.
    Uninitialised(Spot),
    /// The result of a function without a body.
    External,
    /// Where an object of the heap lies: at an address that nothing had before if the value is 0, or where the object of that
    /// number among so many lay that have ended. See `vm/reuse`.
    Address(u32),
}

/// Where nondeterministic values come from.
pub trait Inputs {
    /// Gives a value; bits beyond the type's width are dropped.
    fn input(&mut self, request: &InputRequest) -> u128;
}

impl<I: Inputs + ?Sized> Inputs for &mut I {
    fn input(&mut self, request: &InputRequest) -> u128 {
        (**self).input(request)
    }
}

/// Zero, always.
#[derive(Clone, Copy, Debug, Default)]
pub struct ZeroInputs;

impl Inputs for ZeroInputs {
    fn input(&mut self, _: &InputRequest) -> u128 {
        0
    }
}

/// Something a thread did that others could notice, or that a person would want to see.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Who.
    pub thread: ThreadId,
    /// The instruction.
    pub place: Place,
    /// Where the program itself stands: the same, or the call that led into an API model.
    pub user: Place,
    /// The API function that the program called there, if this happened inside its model.
    pub api: Option<FunctionId>,
    /// What.
    pub action: Action,
}

/// What a thread did.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Read memory.
    Read {
        /// Where.
        spot: Spot,
        /// How.
        ty: Type,
        /// What it saw.
        value: Value,
        /// Atomic or plain.
        ordering: Ordering,
    },
    /// Wrote memory.
    Write {
        /// Where.
        spot: Spot,
        /// How.
        ty: Type,
        /// What it wrote.
        value: Value,
        /// Atomic or plain.
        ordering: Ordering,
    },
    /// Made a store that others do not see yet; see [`crate::memory_model`].
    Delay {
        /// Which of the thread's operations it is; the first is 1.
        operation: u64,
        /// Where.
        spot: Spot,
        /// How.
        ty: Type,
        /// What it will write.
        value: Value,
        /// Atomic or plain.
        ordering: Ordering,
    },
    /// A store that the thread made before became visible. The event's place is that of the store.
    Flush {
        /// Which of the thread's operations it was.
        operation: u64,
        /// Where.
        spot: Spot,
        /// How.
        ty: Type,
        /// What it wrote.
        value: Value,
        /// Atomic or plain.
        ordering: Ordering,
    },
    /// Read and wrote memory in one step; a failed compare-exchange wrote nothing.
    Update {
        /// Where.
        spot: Spot,
        /// How.
        ty: Type,
        /// What it saw.
        old: Value,
        /// What it wrote.
        new: Option<Value>,
        /// Its ordering.
        ordering: Ordering,
    },
    /// A fence.
    Fence(Ordering),
    /// Was let past a condition it waited for.
    Wait,
    /// Took a lock.
    Lock(Spot),
    /// Released a lock.
    Unlock(Spot),
    /// Started a thread.
    Fork(ThreadId),
    /// Saw a thread's end.
    Join(ThreadId),
    /// Entered an atomic block.
    AtomicBegin,
    /// Left it.
    AtomicEnd,
    /// Made an object.
    Alloc(Origin),
    /// Ended a heap object; `free` of null ends none.
    Free(Option<Origin>),
    /// Ended the lives of objects that are not on the heap; [`Action::Ended`] follows for each that others could reach.
    EndLife,
    /// An object ended that others could reach.
    Ended(Origin),
    /// Asked whether a thread or an object exists, or who holds a lock: that is no access and orders nothing.
    Query,
    /// Took a nondeterministic value.
    Input(InputReason, Value, Type),
    /// Ended with a result.
    End(Value),
}

impl Action {
    /// Whether a schedule counts it; see [`crate::code::is_operation`].
    #[must_use]
    pub fn is_operation(&self) -> bool {
        !matches!(self, Self::Flush { .. } | Self::Ended(_) | Self::Input(..) | Self::End(_))
    }

    /// The access to memory that it is. Locks are none: their words belong to them alone.
    #[must_use]
    pub const fn access(&self) -> Option<MemoryAccess> {
        match *self {
            Self::Read { spot, ty, value, .. } => {
                Some(MemoryAccess { spot, ty, read: Some(value), written: None })
            }
            Self::Write { spot, ty, value, .. }
            | Self::Delay { spot, ty, value, .. }
            | Self::Flush { spot, ty, value, .. } => {
                Some(MemoryAccess { spot, ty, read: None, written: Some(value) })
            }
            Self::Update { spot, ty, old, new, .. } => {
                Some(MemoryAccess { spot, ty, read: Some(old), written: new })
            }
            Self::Fence(_)
            | Self::Wait
            | Self::Lock(_)
            | Self::Unlock(_)
            | Self::Fork(_)
            | Self::Join(_)
            | Self::AtomicBegin
            | Self::AtomicEnd
            | Self::Alloc(_)
            | Self::Free(_)
            | Self::EndLife
            | Self::Ended(_)
            | Self::Query
            | Self::Input(..)
            | Self::End(_) => None,
        }
    }
}

/// An access to memory: of a thread's own eyes, so a store counts when it is made and again when it becomes visible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemoryAccess {
    /// Where.
    pub spot: Spot,
    /// How.
    pub ty: Type,
    /// What was there, if it was looked at.
    pub read: Option<Value>,
    /// What is there then, if it was changed.
    pub written: Option<Value>,
}

/// What a thread asks for that is no access, and may tell threads apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Its own thread id.
    OwnId,
    /// Whether it holds the lock there.
    Holds(Spot),
    /// Whether nobody holds the lock there.
    IsFree(Spot),
    /// The number in a lock word.
    Word(Spot),
}

/// Where a thread goes where its code leaves that open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// To this block, from a branch or a switch.
    Block(BlockId),
    /// Into this function, by a call through a pointer.
    Function(FunctionId),
    /// It was started, and begins with this function.
    Begin(FunctionId),
}

/// Watches a run.
pub trait Observer {
    /// Whether [`event`](Self::event) wants to be called at all.
    const WATCHES: bool = true;
    /// Whether it wants [`event`](Self::event)s just now; inputs are told in any case.
    fn is_watching(&self) -> bool {
        true
    }
    /// A thread made an operation; told before the event.
    fn operation(&mut self, _thread: ThreadId) {}
    /// Something happened; the memory is as it was just after.
    fn event(&mut self, event: &Event, memory: &Memory);
    /// A thread has come to the end of a block of code, and leaves it. Told only to those who [`WATCH`](Self::WATCHES).
    fn passed(&mut self, _thread: ThreadId, _place: Place) {}
    /// A thread goes one of several ways from a place. Told only to those who [`WATCH`](Self::WATCHES).
    fn went(&mut self, _thread: ThreadId, _place: Place, _way: Way) {}
    /// A thread has executed so many instructions since this was last told.
    fn executed(&mut self, _instructions: u64) {}
    /// A thread asks for what may tell threads apart; the memory is as it was then.
    fn asked(&mut self, _thread: ThreadId, _question: Question, _memory: &Memory) {}
    /// What a thread asks next, as a [`Query`](Action::Query), others cannot change.
    fn settled(&mut self) {}
    /// A thread cannot go on because somebody holds the lock there.
    fn refused(&mut self, _lock: Spot) {}
    /// What a thread did at a place depends on where objects lie, and other layouts of memory may lead elsewhere.
    fn looked(&mut self, _place: Place, _what: Look) {}
    /// A thread is about to make the step of this number, or one of its delayed stores is about to become visible in it; the
    /// first is 1. A step that is refused is begun again.
    fn step(&mut self, _thread: ThreadId, _number: u64) {}
    /// What was told since the step began did not happen: an atomic block could not be brought to its end.
    fn undone(&mut self) {}
    /// A thread ends because what it does next has no meaning, for a reason that this property is about and nobody checks.
    fn undefined(&mut self, _property: Property) {}
    /// The process ended, perhaps in the midst of an atomic block; the memory is as it was then.
    fn exited(&mut self, _memory: &Memory) {}
    /// The program printed something.
    fn output(&mut self, stream: Stream, bytes: &[u8]);
}

impl<O: Observer> Observer for &mut O {
    const WATCHES: bool = O::WATCHES;
    fn is_watching(&self) -> bool {
        (**self).is_watching()
    }
    fn operation(&mut self, thread: ThreadId) {
        (**self).operation(thread);
    }
    fn event(&mut self, event: &Event, memory: &Memory) {
        (**self).event(event, memory);
    }
    fn passed(&mut self, thread: ThreadId, place: Place) {
        (**self).passed(thread, place);
    }
    fn went(&mut self, thread: ThreadId, place: Place, way: Way) {
        (**self).went(thread, place, way);
    }
    fn executed(&mut self, instructions: u64) {
        (**self).executed(instructions);
    }
    fn asked(&mut self, thread: ThreadId, question: Question, memory: &Memory) {
        (**self).asked(thread, question, memory);
    }
    fn settled(&mut self) {
        (**self).settled();
    }
    fn refused(&mut self, lock: Spot) {
        (**self).refused(lock);
    }
    fn looked(&mut self, place: Place, what: Look) {
        (**self).looked(place, what);
    }
    fn step(&mut self, thread: ThreadId, number: u64) {
        (**self).step(thread, number);
    }
    fn undone(&mut self) {
        (**self).undone();
    }
    fn undefined(&mut self, property: Property) {
        (**self).undefined(property);
    }
    fn exited(&mut self, memory: &Memory) {
        (**self).exited(memory);
    }
    fn output(&mut self, stream: Stream, bytes: &[u8]) {
        (**self).output(stream, bytes);
    }
}

/// Both watch; output is told to both.
impl<A: Observer, B: Observer> Observer for (A, B) {
    const WATCHES: bool = A::WATCHES || B::WATCHES;
    fn is_watching(&self) -> bool {
        self.0.is_watching() || self.1.is_watching()
    }
    fn operation(&mut self, thread: ThreadId) {
        self.0.operation(thread);
        self.1.operation(thread);
    }
    fn event(&mut self, event: &Event, memory: &Memory) {
        self.0.event(event, memory);
        self.1.event(event, memory);
    }
    fn executed(&mut self, instructions: u64) {
        self.0.executed(instructions);
        self.1.executed(instructions);
    }
    fn passed(&mut self, thread: ThreadId, place: Place) {
        self.0.passed(thread, place);
        self.1.passed(thread, place);
    }
    fn went(&mut self, thread: ThreadId, place: Place, way: Way) {
        self.0.went(thread, place, way);
        self.1.went(thread, place, way);
    }
    fn asked(&mut self, thread: ThreadId, question: Question, memory: &Memory) {
        self.0.asked(thread, question, memory);
        self.1.asked(thread, question, memory);
    }
    fn settled(&mut self) {
        self.0.settled();
        self.1.settled();
    }
    fn refused(&mut self, lock: Spot) {
        self.0.refused(lock);
        self.1.refused(lock);
    }
    fn looked(&mut self, place: Place, what: Look) {
        self.0.looked(place, what);
        self.1.looked(place, what);
    }
    fn step(&mut self, thread: ThreadId, number: u64) {
        self.0.step(thread, number);
        self.1.step(thread, number);
    }
    fn undone(&mut self) {
        self.0.undone();
        self.1.undone();
    }
    fn undefined(&mut self, property: Property) {
        self.0.undefined(property);
        self.1.undefined(property);
    }
    fn exited(&mut self, memory: &Memory) {
        self.0.exited(memory);
        self.1.exited(memory);
    }
    fn output(&mut self, stream: Stream, bytes: &[u8]) {
        self.0.output(stream, bytes);
        self.1.output(stream, bytes);
    }
}

/// Where output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// Standard output.
    Out,
    /// Standard error.
    Error,
}

/// Watches nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Observer for Unwatched {
    const WATCHES: bool = false;
    fn event(&mut self, _: &Event, _: &Memory) {}
    fn output(&mut self, _: Stream, _: &[u8]) {}
}
