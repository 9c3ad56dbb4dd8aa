//! What breaks a property, as data.

use raddle_base::Span;
use raddle_ir::Property;

use crate::code::Place;
use crate::layout::ThreadId;

/// A property was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which property.
    pub property: Property,
    /// What happened, for people.
    pub message: String,
    /// Who did it.
    pub thread: ThreadId,
    /// Where the thread's activations stood, the innermost first.
    pub stack: Vec<Place>,
    /// The place in the source.
    pub span: Span,
    /// Of a data race, both accesses.
    pub race: Option<Box<Race>>,
}

/// Two accesses that race, in the order in which they were made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Race {
    /// What both touch, by name.
    pub name: String,
    /// The earlier one.
    pub first: Access,
    /// The later one.
    pub second: Access,
}

/// An access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// Who made it.
    pub thread: ThreadId,
    /// What it did.
    pub kind: AccessKind,
    /// Whether it was atomic.
    pub atomic: bool,
    /// The instruction.
    pub place: Place,
    /// Where the program itself stood.
    pub user: Place,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Reads.
    Read,
    /// Writes, or reads and writes.
    Write,
    /// Frees the object.
    Free,
    /// Ends the local or thread-local object.
    End,
}

impl AccessKind {
    /// In one word.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
            Self::Free => "free",
            Self::End => "end of lifetime",
        }
    }

    pub(crate) const fn writes(self) -> bool {
        match self {
            Self::Read => false,
            Self::Write | Self::Free | Self::End => true,
        }
    }
}

impl Access {
    /// Whether two accesses of different threads to the same bytes need an order.
    #[must_use]
    pub const fn conflicts(&self, other: &Self) -> bool {
        (self.kind.writes() || other.kind.writes()) && !(self.atomic && other.atomic)
    }

    /// Whether everything that would race with `other` would race with this one, which comes later.
    pub(crate) const fn covers(&self, other: &Self) -> bool {
        (self.kind.writes() || !other.kind.writes()) && (!self.atomic || other.atomic)
    }
}
