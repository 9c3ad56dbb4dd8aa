//! Which bytes of memory hold values that were never written, as far as anybody asks: see `taint`.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::{Memory, Spot};
use crate::mixer::Mixer;
use crate::value::Origin;

/// The bytes of memory that hold tainted values, with the bits that are.
#[derive(Clone, Debug, Default)]
pub(crate) struct TaintedBytes(Arc<BTreeMap<(Origin, u32), u8>>);

impl TaintedBytes {
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether one of some bytes is.
    pub(crate) fn has(&self, spot: Spot, size: u64) -> bool {
        let end = spot.offset.saturating_add(u32::try_from(size).unwrap_or(u32::MAX));
        self.0.range((spot.origin, spot.offset)..(spot.origin, end)).next().is_some()
    }

    /// The bits that are, of a value of at most 16 bytes.
    pub(crate) fn bits(&self, spot: Spot, size: u64) -> u128 {
        let end = spot.offset.saturating_add(u32::try_from(size).unwrap_or(u32::MAX));
        let bytes = self.0.range((spot.origin, spot.offset)..(spot.origin, end));
        bytes.fold(0, |bits, (&(_, at), &byte)| bits | u128::from(byte) << (8 * (at - spot.offset)))
    }

    /// A value of at most 16 bytes was written.
    pub(crate) fn set(&mut self, spot: Spot, size: u64, tainted: u128) {
        if tainted == 0 && !self.has(spot, size) {
            return;
        }
        let bytes = Arc::make_mut(&mut self.0);
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        for (offset, byte) in (spot.offset..).zip(tainted.to_le_bytes()).take(size) {
            if byte == 0 {
                bytes.remove(&(spot.origin, offset));
            } else {
                bytes.insert((spot.origin, offset), byte);
            }
        }
    }

    /// Feeds what the future may depend on.
    pub(crate) fn feed(&self, memory: &Memory, mixer: &mut Mixer<'_>) {
        let alive = self.0.iter().filter(|((origin, _), _)| memory.object(*origin).is_some());
        let renaming = mixer.renaming();
        let mut words: Vec<(u64, u64)> = alive
            .map(|(&(origin, offset), &bits)| {
                (memory.canonical(Some(origin), renaming), u64::from(offset) << 8 | u64::from(bits))
            })
            .collect();
        // Objects with other names are in another order.
        words.sort_unstable();
        for (object, byte) in words {
            mixer.word(object);
            mixer.word(byte);
        }
    }
}
