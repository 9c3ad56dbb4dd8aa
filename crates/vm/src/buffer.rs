//! Stores that their thread has made and others do not see yet.
//!
//! The buffer keeps them in program order. Which of them may become visible next is for [`StoreBuffer::may_leave`] to say; what
//! a load of the same thread sees, for [`StoreBuffer::newest`] and `write_into`. The rules are in [`crate::memory_model`].

use raddle_base::Id;
use raddle_ir::{FunctionId, Ordering, Type};

use crate::code::Place;
use crate::memory::{Memory, Object, Spot};
use crate::memory_model::{MemoryModel, keeps_stores_before};
use crate::mixer::Mixer;
use crate::value::Value;

/// No thread delays more stores than this: the next one waits for room.
pub(crate) const MOST_DELAYED: usize = 1 << 16;

/// A store that is not visible to others yet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DelayedStore {
    /// Where.
    pub spot: Spot,
    /// In bytes.
    pub size: u64,
    /// How.
    pub ty: Type,
    /// What.
    pub value: Value,
    /// Atomic or plain.
    pub ordering: Ordering,
    /// Which of its thread's operations it is; the first is 1. Names it in a trace.
    pub operation: u64,
    /// The instruction.
    pub place: Place,
    /// Where the program itself stood, as in [`crate::Event`].
    pub user: Place,
    /// The API function that the program called there.
    pub api: Option<FunctionId>,
    /// Whether a fence between this store and the one before it keeps those before from those behind.
    fenced: bool,
}

impl DelayedStore {
    /// A store, made when the buffer was as it is told to [`StoreBuffer::push`].
    #[must_use]
    pub(crate) fn new(
        (spot, size): (Spot, u64),
        (ty, value, ordering): (Type, Value, Ordering),
        operation: u64,
        (place, user, api): (Place, Place, Option<FunctionId>),
    ) -> Self {
        Self { spot, size, ty, value, ordering, operation, place, user, api, fenced: false }
    }

    fn overlaps(&self, spot: Spot, size: u64) -> bool {
        self.spot.origin == spot.origin
            && u64::from(self.spot.offset) < u64::from(spot.offset) + size
            && u64::from(spot.offset) < u64::from(self.spot.offset) + self.size
    }
}

/// The delayed stores of a thread.
#[derive(Clone, Debug, Default)]
pub struct StoreBuffer {
    /// In program order. The first is never marked as fenced: there is nothing before it.
    stores: Vec<DelayedStore>,
    /// Whether a fence comes between the last store and the next one.
    fence: bool,
}

impl StoreBuffer {
    /// Whether there are none.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.stores.is_empty()
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.stores.len()
    }

    /// The stores, in program order.
    #[must_use]
    pub fn stores(&self) -> &[DelayedStore] {
        &self.stores
    }

    pub(crate) fn push(&mut self, mut store: DelayedStore) {
        store.fenced = std::mem::replace(&mut self.fence, false);
        self.stores.push(store);
    }

    /// A fence that keeps the stores made so far before those to come.
    pub(crate) fn fence(&mut self) {
        self.fence = !self.is_empty();
    }

    pub(crate) fn remove(&mut self, index: usize) -> DelayedStore {
        let removed = self.stores.remove(index);
        // The fence in front of it still lies between its neighbours.
        match self.stores.get_mut(index) {
            Some(next) => next.fenced |= removed.fenced,
            None => self.fence |= removed.fenced,
        }
        match self.stores.first_mut() {
            Some(first) => first.fenced = false,
            None => self.fence = false,
        }
        removed
    }

    /// Whether a store may become visible before all others that are here.
    #[must_use]
    pub fn may_leave(&self, model: MemoryModel, index: usize) -> bool {
        let Some((store, earlier)) = self.stores.get(..=index).and_then(<[_]>::split_last) else {
            return false;
        };
        match model {
            MemoryModel::Sc | MemoryModel::Tso => earlier.is_empty(),
            MemoryModel::Pso => {
                let held = keeps_stores_before(store.ordering) && !earlier.is_empty();
                let fenced = store.fenced || earlier.iter().any(|earlier| earlier.fenced);
                !held && !fenced && !earlier.iter().any(|earlier| earlier.overlaps(store.spot, store.size))
            }
        }
    }

    /// The newest store that touches any of these bytes.
    #[must_use]
    pub fn newest(&self, spot: Spot, size: u64) -> Option<&DelayedStore> {
        self.stores.iter().rev().find(|store| store.overlaps(spot, size))
    }

    /// Writes the stores that touch these bytes into a copy of their object, in order: so a load of the same thread sees it.
    pub(crate) fn write_into(&self, object: &mut Object, (spot, size): (Spot, u64), pointer_bits: u8) {
        for store in self.stores.iter().filter(|store| store.overlaps(spot, size)) {
            object.write(store.spot.offset, store.size, store.value, pointer_bits);
        }
    }

    /// What the future may depend on. Which operation a store was is not among it.
    pub(crate) fn feed(&self, memory: &Memory, mixer: &mut Mixer<'_>) {
        /// Told apart from what is fed of a thread without delayed stores, for which this is not called.
        const MARK: u64 = 0x6465_6c61_7965_6421;
        mixer.word(MARK);
        mixer.word(self.stores.len() as u64);
        for store in &self.stores {
            mixer.word(memory.canonical(Some(store.spot.origin), mixer.renaming()));
            mixer.word(u64::from(store.spot.offset) << 32 | store.size);
            memory.feed_value(store.value, mixer);
            mixer.word((store.ordering as u64) << 1 | u64::from(store.fenced));
            // Two accesses that race are told apart by where they are made.
            mixer.word((store.place.function.index() as u64) << 32 | store.place.block.index() as u64);
            mixer.word(store.place.index.into());
        }
        mixer.word(self.fence.into());
    }
}

#[cfg(test)]
mod tests;
