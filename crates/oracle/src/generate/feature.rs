//! What a generated program may have in it.
//!
//! A program draws a few of these and uses them often, so that each is met in many combinations.

/// One thing that programs may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feature {
    /// A structure with members that share words.
    Struct,
    /// An array, with constant and variable indices.
    Array,
    /// A shared pointer to shared variables.
    Pointer,
    /// A shared pointer to functions.
    FunctionPointer,
    /// Nodes on the heap.
    Heap,
    /// A union, whose members overlap.
    Union,
    /// Bit-fields.
    BitField,
    /// A variable of which each thread has its own.
    ThreadLocal,
    /// Loops of known length.
    ConstantLoop,
    /// Loops whose length depends on data.
    DataLoop,
    /// `switch`
    Switch,
    /// `goto`
    Goto,
    /// Calls of functions, also recursive.
    Call,
    /// Waiting by looking again and again.
    Spin,
    /// Locks made of a spin loop.
    SpinLock,
    /// Two-thread mutual exclusion by plain variables.
    Exclusion,
    /// Mutexes.
    Mutex,
    /// Two mutexes, nested.
    TwoMutexes,
    /// `pthread_mutex_trylock`
    TryLock,
    /// Recursive and error-checking mutexes.
    MutexKind,
    /// Condition variables.
    Condition,
    /// Semaphores.
    Semaphore,
    /// Barriers.
    Barrier,
    /// Readers-writer locks.
    RwLock,
    /// `pthread_once`
    Once,
    /// C11 atomics.
    C11Atomic,
    /// `__atomic_…`
    GccAtomic,
    /// `__sync_…`
    SyncAtomic,
    /// Memory orders other than sequential consistency.
    WeakOrder,
    /// `__VERIFIER_atomic_begin` and `…_end`
    AtomicBlock,
    /// atomic blocks that wait, stop, end the process, or take locks.
    OpenAtomicBlock,
    /// Functions called `__VERIFIER_atomic_…`
    AtomicFunction,
    /// `__VERIFIER_assume`
    Assume,
    /// `abort`, `exit`, `pthread_exit`, an early `return`
    Termination,
    /// Nondeterministic values.
    Input,
    /// Variables that nobody has set.
    Uninitialised,
    /// Two stores, two loads: what the order of memory accesses shows.
    Litmus,
    /// Threads that increment a counter.
    Counter,
    /// Data published by a flag or a pointer.
    Publish,
    /// Threads created in a loop.
    CreateInLoop,
    /// A thread that creates another one.
    NestedCreate,
    /// Threads that are detached, or that nobody joins.
    NeverJoined,
    /// One thread joined before the next is created.
    OneByOne,
    /// A thread that is joined by another one than main.
    JoinedElsewhere,
    /// What a thread returns is looked at.
    Result,
    /// Threads and locks of C11.
    C11Threads,
    /// An index that may lie outside.
    OutOfBounds,
    /// A pointer that may be null.
    NullPointer,
    /// Memory that may have been freed.
    Freed,
    /// Signed overflow, division by zero, wide shifts.
    Overflow,
    /// Locks used against their rules.
    LockMisuse,
    /// Objects whose lifetime ends while others may still use them.
    EarlyEnd,
    /// Structures that are copied while others change them.
    Copy,
    /// Pointers to the middle of objects.
    Offset,
    /// Pointers with two targets in critical sections.
    TwoTargets,
    /// Locks that are initialised again, overwritten, copied, destroyed.
    LockWord,
    /// Threads joined against the rules.
    JoinMisuse,
    /// Compare-exchange of all forms.
    Exchange,
    /// Library functions on shared memory.
    Library,
    /// Atomic blocks that are left by the end of the thread or of the process.
    LeftBlock,
    /// AtomicBlocks that fail by an invalid pointer.
    NullInBlock,
    /// Locks misused beside assertions.
    MisuseBeside,
    /// Inputs of any value.
    FreeInput,
    /// Loads whose value is known between accesses whose order shows.
    Forwarding,
    /// Pointers that are copied piece by piece.
    Pieces,
    /// Memory orders that are values.
    Wrapper,
    /// Handles of threads and keys that are copied and compared.
    Handle,
    /// `setjmp` and `longjmp`
    Leap,
    /// Locks of every kind that are only tried.
    Attempt,
    /// Addresses that come again.
    Reuse,
    /// Cleanup handlers, destructors of keys, cancellation.
    Ending,
}

/// How likely each is drawn, compared with the others. Inputs of any value are in all programs of their topic, and in no
/// others: enumeration cannot answer for them.
pub(super) const WEIGHTS: &[(Feature, usize)] = &[
    (Feature::Struct, 6),
    (Feature::Array, 8),
    (Feature::Pointer, 7),
    (Feature::FunctionPointer, 4),
    (Feature::Heap, 6),
    (Feature::Union, 3),
    (Feature::BitField, 3),
    (Feature::ThreadLocal, 2),
    (Feature::ConstantLoop, 7),
    (Feature::DataLoop, 7),
    (Feature::Switch, 3),
    (Feature::Goto, 3),
    (Feature::Call, 5),
    (Feature::Spin, 9),
    (Feature::SpinLock, 6),
    (Feature::Exclusion, 4),
    (Feature::Mutex, 10),
    (Feature::TwoMutexes, 7),
    (Feature::TryLock, 5),
    (Feature::MutexKind, 4),
    (Feature::Condition, 8),
    (Feature::Semaphore, 7),
    (Feature::Barrier, 5),
    (Feature::RwLock, 4),
    (Feature::Once, 2),
    (Feature::C11Atomic, 6),
    (Feature::GccAtomic, 6),
    (Feature::SyncAtomic, 5),
    (Feature::WeakOrder, 5),
    (Feature::AtomicBlock, 7),
    (Feature::AtomicFunction, 5),
    (Feature::Assume, 6),
    (Feature::Termination, 6),
    (Feature::Input, 9),
    (Feature::Uninitialised, 2),
    (Feature::Litmus, 6),
    (Feature::Counter, 7),
    (Feature::Publish, 6),
    (Feature::CreateInLoop, 6),
    (Feature::NestedCreate, 6),
    (Feature::NeverJoined, 5),
    (Feature::OneByOne, 3),
    (Feature::JoinedElsewhere, 3),
    (Feature::Result, 5),
    (Feature::C11Threads, 3),
    (Feature::OutOfBounds, 6),
    (Feature::NullPointer, 6),
    (Feature::Freed, 8),
    (Feature::Overflow, 6),
    (Feature::LockMisuse, 7),
    (Feature::OpenAtomicBlock, 3),
    (Feature::EarlyEnd, 8),
    (Feature::Copy, 6),
    (Feature::Offset, 5),
    (Feature::TwoTargets, 5),
    (Feature::LockWord, 5),
    (Feature::JoinMisuse, 4),
    (Feature::Exchange, 6),
    (Feature::Library, 8),
    (Feature::LeftBlock, 3),
    (Feature::NullInBlock, 3),
    (Feature::MisuseBeside, 3),
    (Feature::Forwarding, 8),
    (Feature::Pieces, 6),
    (Feature::Wrapper, 6),
    (Feature::Handle, 5),
    (Feature::Leap, 4),
    (Feature::Attempt, 6),
    (Feature::Reuse, 6),
    (Feature::Ending, 4),
];
