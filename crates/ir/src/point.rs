//! Program points of a thread: where it stands, through which calls it came there.
//!
//! A thread runs its first function; each call leads into another activation. So a point is the call sites that led there, outermost
//! first, and the instruction that comes next. Without recursion there are finitely many. Whoever analyses threads with all calls
//! inlined names points, activations and what they hold by these.

use serde::{Deserialize, Serialize};

use crate::program::{BlockId, FunctionId};

/// An instruction of a function; the index behind the last one is the terminator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Site {
    /// Where it stands.
    pub function: FunctionId,
    /// In which block.
    pub block: BlockId,
    /// Its position there.
    pub index: usize,
}

/// An activation of a function: the call sites that led to it, outermost first. The first function of a thread has none.
pub type Frame = Vec<Site>;

/// Where a thread stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Point {
    /// The activation.
    pub frame: Frame,
    /// What comes next there.
    pub site: Site,
}
