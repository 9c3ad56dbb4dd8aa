//! What programs are about: each topic has a range of seeds, so that a seed says it all.

use super::Feature;

/// What programs are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Everything, in the mix of the weights.
    Any,
    /// Memory orders.
    Orders,
    /// Atomic blocks that may not commit.
    AtomicBlocks,
    /// Objects whose lifetime ends while others may still use them.
    Lifetimes,
    /// Structures that are copied while others change them.
    Copies,
    /// Pointers to the middle of objects, with negative and unknown offsets.
    Offsets,
    /// Pointers with two targets in critical sections, to data and to locks.
    Targets,
    /// Locks as memory: initialised again, overwritten, copied, destroyed.
    LockWords,
    /// Threads joined twice, by themselves, after detach, or never created.
    Joins,
    /// Compare-exchange: weak, and with failure orders of all kinds.
    Exchanges,
    /// Library functions on shared memory.
    Library,
    /// Atomic blocks that are left by the end of the thread or of the process.
    Exits,
    /// Atomic blocks and critical sections that fail by an invalid pointer.
    Nulls,
    /// Locks misused beside assertions that fail.
    Misuse,
    /// Inputs of any value, where enumeration cannot answer.
    Inputs,
    /// Loads whose value is known between accesses whose order shows.
    Forwarding,
    /// Pointers that are copied piece by piece.
    Pieces,
    /// Memory orders that are values.
    Wrappers,
    /// Handles of threads and keys that are copied and compared.
    Handles,
    /// `setjmp` and `longjmp`
    Leaps,
    /// Locks of every kind that are only tried.
    Attempts,
    /// Addresses that come again.
    Reuse,
    /// Cleanup handlers, destructors of keys, cancellation.
    Endings,
    /// Threads that run one function, and may or may not be told apart.
    Symmetry,
    /// Loops without a bound, in which threads are created.
    Unbounded,
}

/// So many seeds each topic has.
const SEEDS: u64 = 1 << 40;

impl Topic {
    /// All of them, in the order of their seeds.
    pub const ALL: &'static [Self] = &[
        Self::Any,
        Self::Orders,
        Self::AtomicBlocks,
        Self::Lifetimes,
        Self::Copies,
        Self::Offsets,
        Self::Targets,
        Self::LockWords,
        Self::Joins,
        Self::Exchanges,
        Self::Library,
        Self::Exits,
        Self::Nulls,
        Self::Misuse,
        Self::Inputs,
        Self::Forwarding,
        Self::Pieces,
        Self::Wrappers,
        Self::Handles,
        Self::Leaps,
        Self::Attempts,
        Self::Reuse,
        Self::Endings,
        Self::Symmetry,
        Self::Unbounded,
    ];

    /// What people call it on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Any => "any",
            Self::Orders => "orders",
            Self::AtomicBlocks => "atomic-blocks",
            Self::Lifetimes => "lifetimes",
            Self::Copies => "copies",
            Self::Offsets => "offsets",
            Self::Targets => "targets",
            Self::LockWords => "lock-words",
            Self::Joins => "joins",
            Self::Exchanges => "exchanges",
            Self::Library => "library",
            Self::Exits => "exits",
            Self::Nulls => "nulls",
            Self::Misuse => "misuse",
            Self::Inputs => "inputs",
            Self::Forwarding => "forwarding",
            Self::Pieces => "pieces",
            Self::Wrappers => "wrappers",
            Self::Handles => "handles",
            Self::Leaps => "leaps",
            Self::Attempts => "attempts",
            Self::Reuse => "reuse",
            Self::Endings => "endings",
            Self::Symmetry => "symmetry",
            Self::Unbounded => "unbounded",
        }
    }

    /// The topic of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|topic| topic.name() == name)
    }

    /// The first of its seeds.
    #[must_use]
    pub fn first_seed(self) -> u64 {
        let position = Self::ALL.iter().position(|&topic| topic == self).unwrap_or(0);
        SEEDS * position as u64
    }

    /// What the program of a seed is about.
    #[must_use]
    pub fn of(seed: u64) -> Self {
        let position = usize::try_from(seed / SEEDS).unwrap_or(0);
        Self::ALL.get(position).copied().unwrap_or(Self::Any)
    }

    /// What all programs of a topic have in them.
    pub(super) const fn feature(self) -> Option<Feature> {
        match self {
            Self::Any | Self::Orders | Self::Symmetry | Self::Unbounded => None,
            Self::AtomicBlocks => Some(Feature::OpenAtomicBlock),
            Self::Lifetimes => Some(Feature::EarlyEnd),
            Self::Copies => Some(Feature::Copy),
            Self::Offsets => Some(Feature::Offset),
            Self::Targets => Some(Feature::TwoTargets),
            Self::LockWords => Some(Feature::LockWord),
            Self::Joins => Some(Feature::JoinMisuse),
            Self::Exchanges => Some(Feature::Exchange),
            Self::Library => Some(Feature::Library),
            Self::Exits => Some(Feature::LeftBlock),
            Self::Nulls => Some(Feature::NullInBlock),
            Self::Misuse => Some(Feature::MisuseBeside),
            Self::Inputs => Some(Feature::FreeInput),
            Self::Forwarding => Some(Feature::Forwarding),
            Self::Pieces => Some(Feature::Pieces),
            Self::Wrappers => Some(Feature::Wrapper),
            Self::Handles => Some(Feature::Handle),
            Self::Leaps => Some(Feature::Leap),
            Self::Attempts => Some(Feature::Attempt),
            Self::Reuse => Some(Feature::Reuse),
            Self::Endings => Some(Feature::Ending),
        }
    }
}
