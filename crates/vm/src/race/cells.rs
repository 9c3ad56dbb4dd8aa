//! What is remembered of each byte: the accesses that a later one could race with, and what an acquiring load of it acquires.

use std::collections::BTreeMap;
use std::num::NonZeroU32;

use smallvec::SmallVec;

use super::Access;
use super::clock::Clock;
use crate::state::ThreadId;

/// An access and when its thread made it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamped {
    pub(super) access: Access,
    pub(super) time: u32,
}

/// A range of bytes that were always touched together.
#[derive(Clone, Debug, Default)]
pub(super) struct Cell {
    pub(super) end: u32,
    /// The accesses that a later one could race with.
    pub(super) accesses: SmallVec<[Stamped; 2]>,
    /// What an acquiring load of these bytes acquires: for each thread what the release sequence gives that it began.
    pub(super) release: SmallVec<[(ThreadId, Box<Clock>); 1]>,
}

/// What is known about an object.
#[derive(Clone, Debug, Default)]
pub(super) struct Shadow {
    pub(super) generation: Option<NonZeroU32>,
    pub(super) cells: BTreeMap<u32, Cell>,
}

impl Cell {
    /// Compares an access with those before it and remembers it; gives one that it races with.
    pub(super) fn touch(&mut self, access: Access, now: &Clock) -> Option<Access> {
        let time = now.of(access.thread);
        let mut found = None;
        let mut keep = true;
        self.accesses.retain(|known| {
            let ordered = known.time <= now.of(known.access.thread);
            if !ordered && known.access.conflicts(&access) && found.is_none() {
                found = Some(known.access);
            }
            if known.access.thread == access.thread && known.time == time && known.access.covers(&access) {
                // As good as the new one, and already there.
                keep = false;
                return true;
            }
            !(ordered && access.covers(&known.access))
        });
        if keep {
            self.accesses.push(Stamped { access, time });
        }
        found
    }
}

/// Cuts cells so that the range consists of whole ones, and fills its gaps.
pub(super) fn split(cells: &mut BTreeMap<u32, Cell>, start: u32, end: u32) {
    if cells.get(&start).is_some_and(|cell| cell.end == end) {
        return;
    }
    for cut in [start, end] {
        if let Some((&from, cell)) = cells.range_mut(..cut).next_back()
            && cell.end > cut
        {
            let upper = cell.clone();
            cell.end = cut;
            debug_assert!(from < cut);
            cells.insert(cut, upper);
        }
    }
    let mut at = start;
    let present: SmallVec<[(u32, u32); 8]> =
        cells.range(start..end).map(|(&from, cell)| (from, cell.end)).collect();
    for (from, to) in present {
        if at < from {
            cells.insert(at, Cell { end: from, ..Cell::default() });
        }
        at = to;
    }
    if at < end {
        cells.insert(at, Cell { end, ..Cell::default() });
    }
}
