//! A thread on a path between two locations: registers, own memory, and what it did to the rest.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::Span;
use raddle_ir::{BlockId, FunctionId, Point, RegisterId, Site};
use raddle_logic::term::TermId;
use raddle_semantics::ObjectId;

use super::races::Blocks;

/// An activation, by its number among all that were met.
pub(super) type FrameId = usize;

/// Something that a thread has of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Slot {
    /// A register of an activation.
    Register(FrameId, RegisterId),
    /// Bytes of a private object: which, where, how many.
    Own(ObjectId, u64, u64),
}

impl Slot {
    /// Whether what is known of one says something of the other.
    pub(super) fn overlaps(self, other: Self) -> bool {
        match (self, other) {
            (Self::Own(object, offset, bytes), Self::Own(other, second, size)) => {
                object == other && overlap((offset, bytes), (second, size))
            }
            (Self::Register(..), Self::Register(..)) => self == other,
            (Self::Register(..), Self::Own(..)) | (Self::Own(..), Self::Register(..)) => false,
        }
    }
}

/// Whether two ranges of bytes share one.
pub(super) fn overlap((first, size): (u64, u64), (second, other): (u64, u64)) -> bool {
    first < second.saturating_add(other) && second < first.saturating_add(size)
}

/// An activation that runs, or that waits for a call to return.
#[derive(Clone, Debug)]
pub(super) struct Activation {
    pub(super) frame: FrameId,
    pub(super) function: FunctionId,
    pub(super) block: BlockId,
    pub(super) index: usize,
}

impl Activation {
    pub(super) fn site(&self) -> Site {
        Site { function: self.function, block: self.block, index: self.index }
    }
}

/// What a private object holds, as far as the path knows.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnObject {
    /// Whether nothing is known of it but the slots; else what is not written holds what it held at the start of the path.
    pub(super) is_new: bool,
    /// Values of ranges.
    pub(super) slots: BTreeMap<(u64, u64), TermId>,
    /// Ranges that were written on the path.
    pub(super) written: Vec<(u64, u64)>,
}

/// A thread that the path starts.
#[derive(Clone, Debug)]
pub(super) struct Fork {
    /// What it does: an index of templates.
    pub(super) starts: usize,
    /// Its id.
    pub(super) id: TermId,
    pub(super) argument: TermId,
}

/// A thread on a path.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) template: usize,
    /// Where the path started: an index of locations.
    pub(super) from: usize,
    pub(super) stack: Vec<Activation>,
    pub(super) registers: BTreeMap<(FrameId, RegisterId), TermId>,
    /// Activations that began on the path: their registers held nothing before.
    pub(super) entered: BTreeSet<FrameId>,
    pub(super) own: BTreeMap<ObjectId, OwnObject>,
    /// What the followed cells hold.
    pub(super) shared: Vec<TermId>,
    pub(super) tallies: Vec<u64>,
    /// When the path is taken.
    pub(super) guards: Vec<TermId>,
    /// The visible step of the path.
    pub(super) visible: Option<Span>,
    pub(super) atomic_depth: u32,
    /// Where the last atomic block began.
    pub(super) block: Option<(FrameId, Site)>,
    /// Whether the atomic block that is open is the visible step.
    pub(super) block_is_visible: bool,
    pub(super) blocks: Blocks,
    pub(super) made: BTreeSet<ObjectId>,
    pub(super) dead: BTreeSet<ObjectId>,
    /// Which instructions of interest were executed, in order.
    pub(super) happened: Vec<(FrameId, Site)>,
    pub(super) forks: Vec<Fork>,
    pub(super) joins: Vec<TermId>,
    /// Which threads were asked for.
    pub(super) asked: Vec<Asked>,
    /// What was read of the values at the start.
    pub(super) reads: BTreeSet<Slot>,
    /// Whether it has left the location where it started.
    pub(super) moved: bool,
    pub(super) steps: u32,
    /// Which instructions were executed, in order, where that is asked for.
    pub(super) trail: Vec<(FrameId, Site)>,
    /// The last instruction.
    pub(super) span: Span,
}

/// A question whether a thread was started.
#[derive(Clone, Copy, Debug)]
pub(super) struct Asked {
    /// The answer, any truth value where threads have no numbers.
    pub(super) holds: TermId,
    /// The id.
    pub(super) thread: TermId,
    /// How many threads the path itself has started by then.
    pub(super) forks: usize,
}

/// Where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    At(usize),
    Ended,
    Stuck,
}

/// A path from a location to the next one: a step of a thread.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub(super) to: Target,
    /// The thread behind it.
    pub(super) end: State,
    /// The visible step, else the last instruction.
    pub(super) span: Span,
}

/// Something that must not happen on a path.
#[derive(Clone, Debug)]
pub(super) struct Check {
    /// When it happens.
    pub(super) guards: Vec<TermId>,
    pub(super) joins: Vec<TermId>,
    /// The threads that it starts.
    pub(super) forks: Vec<Fork>,
    pub(super) asked: Vec<Asked>,
    /// That it does not, as a clause behind "that".
    pub(super) what: String,
    pub(super) at: Span,
    /// The other place that matters.
    pub(super) other: Option<Span>,
    /// Which instructions lead there, where that is asked for.
    pub(super) trail: Vec<(FrameId, Site)>,
    /// A location without which it may happen.
    pub(super) missing: Option<(usize, Point)>,
}
