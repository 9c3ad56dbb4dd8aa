//! What symbolic execution is asked for.

use std::sync::Arc;

use raddle_vm::MemoryModel;

use super::assumptions::Assumptions;
use super::follow::Seen;
use crate::deepening::UnrollBounds;
use crate::paths::Paths;

/// What to unroll, and how far.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// How far.
    pub(crate) bounds: UnrollBounds,
    /// Whether accesses, and what orders them, are noted for data races.
    pub(crate) races: bool,
    /// Whether racing accesses are co-enabled in some execution, as far as the program shows.
    pub(crate) co_enabled: bool,
    /// Which stores may be late.
    pub(crate) memory_model: MemoryModel,
    /// Whether the address of an object that has ended may come again.
    pub(crate) address_reuse: bool,
    /// Whether executions end at a signed overflow that does; otherwise they go on with what wraps around.
    pub(crate) ends_at_overflow: bool,
    /// The run that threads follow; without one they go all ways.
    pub(crate) paths: Option<Arc<Paths>>,
    /// Or the ways that were seen in several runs: each thread goes all of these, and no others.
    pub(crate) seen: Option<Arc<Seen>>,
    /// Whether they also go where they only look at something and then meet the run again.
    pub(crate) follows_looks: bool,
}

impl Options {
    /// Whether threads go only ways that were seen.
    pub(crate) fn is_narrowed(&self) -> bool {
        self.paths.is_some() || self.seen.is_some()
    }

    /// Whether accesses may race that are never co-enabled. Who finds a lock free that was overwritten learns of other threads, and
    /// nothing orders the two: so also where lock words are memory.
    pub(crate) fn may_race_apart(&self, assumed: &Assumptions) -> bool {
        self.races && !(self.co_enabled && assumed.lock_words_apart.0)
    }
}
