//! What symbolic execution is asked for.

use raddle_ir::{BlockId, FunctionId};
use raddle_vm::MemoryModel;
use rustc_hash::FxHashMap;

use super::assumptions::Assumptions;

/// What to unroll, and how far.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    /// Rounds of a loop, and depth of a recursion, unless `loops` says otherwise.
    pub(crate) unwind: u32,
    /// Rounds of single loops.
    pub(crate) loops: FxHashMap<(FunctionId, BlockId), u32>,
    /// Depth of single recursions.
    pub(crate) recursions: FxHashMap<FunctionId, u32>,
    /// Rounds of a loop that go on whatever happens.
    pub(crate) constant_rounds: u32,
    pub(crate) max_threads: u32,
    /// Beyond so many events no loop goes on: the unrolling is only to see that it is large.
    pub(crate) event_cap: usize,
    /// The same for visits of blocks.
    pub(crate) visit_cap: usize,
    /// The same for threads.
    pub(crate) thread_cap: usize,
    /// Whether accesses are noted for data races.
    pub(crate) races: bool,
    /// Whether what orders accesses is noted too.
    pub(crate) happens_before: bool,
    /// Which stores may be late.
    pub(crate) memory_model: MemoryModel,
    /// Whether the address of an object that has ended may come again.
    pub(crate) address_reuse: bool,
    /// Whether executions end at a signed overflow that does; otherwise they go on with what wraps around.
    pub(crate) ends_at_overflow: bool,
}

impl Options {
    /// Whether what orders accesses is noted. Who finds a lock free that was overwritten learns of other threads, and nothing orders
    /// the two: so also where lock words are memory.
    pub(crate) fn needs_happens_before(&self, assumed: &Assumptions) -> bool {
        self.happens_before || self.races && !assumed.lock_words_apart.0
    }
}
