//! Memory models: which stores may be late, and what waits for them.
//!
//! Under a weak model a thread's store goes into a *buffer* of its own ([`crate::buffer`]) and becomes visible to others by a
//! later step, the *flush*; its own loads see it at once. Loads are never delayed. This is the operational form of SPARC's
//! TSO, which x86 has (Sewell et al.: x86-TSO, CACM 2010), and of its PSO.
//!
//! # Which stores are delayed
//! Plain, relaxed and release stores to memory that others can reach, outside of atomic blocks. Not delayed, because
//! nobody could tell: stores to objects that only their own thread can reach, and stores of a thread that is alone (no other
//! thread runs or has delayed stores) and has no delayed store itself. Under PSO an object that is private now may be published
//! by a store that overtakes the ones that filled it; so there its stores are delayed too, unless it never gets out at all.
//!
//! # In which order they become visible
//! Under TSO in the order they were made. Under PSO those to overlapping bytes in the order they were made, and otherwise:
//! none before an earlier one if a release fence lies between them, and a release store behind all earlier ones.
//!
//! # What waits until its thread's buffer is empty
//! A sequentially consistent store (which then goes to memory at once) or fence, read-modify-write, compare-exchange, lock,
//! unlock, fork, join, atomic block, wait, free, a question about a lock, the end of the thread and of the process.
//! That is decided by the instruction alone, never by what it touches, so that engines and the VM agree without
//! knowing what the other takes for private. `po_bmc` states the same rule a second time (`po_bmc/symbolic/store_order`): an error in
//! what both shared would not show in a replay. Within an atomic block everything goes to memory at once.
//!
//! Every execution of a model is one of the next weaker: sc, tso, pso.

use raddle_ir::{InstKind, Lifetime, Ordering, Rvalue, Terminator};
use serde::{Deserialize, Serialize};

/// Which reorderings of memory accesses are possible.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryModel {
    /// Sequential consistency: none.
    #[default]
    Sc,
    /// Total store order: a store may be delayed behind later loads of other locations.
    Tso,
    /// Partial store order: and behind later stores to other locations.
    Pso,
}

impl MemoryModel {
    /// All of them, each weaker than the one before.
    pub const ALL: &'static [Self] = &[Self::Sc, Self::Tso, Self::Pso];

    /// What people call it on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sc => "sc",
            Self::Tso => "tso",
            Self::Pso => "pso",
        }
    }

    /// The model of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|model| model.name() == name)
    }

    /// Whether stores may be delayed at all.
    #[must_use]
    pub const fn is_weak(self) -> bool {
        match self {
            Self::Sc => false,
            Self::Tso | Self::Pso => true,
        }
    }

    /// Whether it is what traces that do not name a model are of.
    pub(crate) fn is_sc(&self) -> bool {
        !self.is_weak()
    }
}

/// Whether an ordering keeps earlier stores before the store that has it, or before the stores behind the fence that has it.
#[must_use]
pub const fn keeps_stores_before(ordering: Ordering) -> bool {
    match ordering {
        Ordering::Plain | Ordering::Relaxed | Ordering::Acquire => false,
        Ordering::Release | Ordering::AcquireRelease | Ordering::SequentiallyConsistent => true,
    }
}

/// Whether an instruction, outside of atomic blocks, waits until its thread has no delayed stores.
#[must_use]
pub fn waits_for_stores(kind: &InstKind) -> bool {
    match kind {
        InstKind::Store { ordering, .. } | InstKind::Fence(ordering) => {
            *ordering == Ordering::SequentiallyConsistent
        }
        InstKind::AtomicRmw { .. }
        | InstKind::CompareExchange { .. }
        | InstKind::Free { .. }
        | InstKind::WaitUntil(_)
        | InstKind::Fork { .. }
        | InstKind::Join { .. }
        | InstKind::Lock { .. }
        | InstKind::Unlock { .. }
        | InstKind::AtomicBegin => true,
        InstKind::Assign { value, .. } => {
            matches!(value, Rvalue::HoldsLock(_) | Rvalue::LockIsFree(_) | Rvalue::Peek(..))
        }
        InstKind::EndLife(lifetime) => match lifetime {
            Lifetime::Thread | Lifetime::Contents { .. } => true,
            Lifetime::Object(_) | Lifetime::Activation | Lifetime::Activations => false,
        },
        InstKind::Load { .. }
        | InstKind::Alloc { .. }
        | InstKind::Call { .. }
        | InstKind::Intrinsic { .. }
        | InstKind::Havoc { .. }
        | InstKind::Assume(_)
        | InstKind::Check { .. }
        | InstKind::AtomicEnd => false,
    }
}

/// The same for the end of a block; `outermost` in the function that the thread was started with.
#[must_use]
pub fn end_waits_for_stores(terminator: &Terminator, outermost: bool) -> bool {
    match terminator {
        Terminator::ExitThread(_) | Terminator::ExitProcess(_) | Terminator::Abort => true,
        Terminator::Return(_) => outermost,
        Terminator::Jump(_)
        | Terminator::Branch(..)
        | Terminator::Switch { .. }
        | Terminator::Unreachable
        | Terminator::Unsupported(_) => false,
    }
}
