//! Which bytes of which objects a run accesses, and what they held before.
//!
//! Every object has a range of addresses of its own. Accesses that overlap without being to the same bytes are taken apart into
//! bytes, with all that overlap those, so that two locations are equal or have nothing in common.

use std::collections::BTreeSet;

use raddle_ir::Type;
use raddle_vm::memory::{Memory, Spot};
use raddle_vm::recording::{Entry, Recording};
use raddle_vm::value::{Origin, Value};
use raddle_vm::{Event, MemoryAccess};
use rustc_hash::{FxHashMap, FxHashSet};

/// The low bits of an address are the offset in its object.
pub(super) const OFFSET_BITS: u32 = 32;

/// A part of an access: address, bytes, and what they held or got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part {
    pub(super) address: u64,
    pub(super) size: u32,
    pub(super) bits: u128,
}

/// What is accessed in a run.
#[derive(Debug)]
pub(super) struct Locations {
    bases: FxHashMap<Origin, u64>,
    /// Offsets and sizes that are taken apart into bytes.
    mixed: FxHashSet<(Origin, u32, u32)>,
    /// What bytes held before the run accessed them, where that is known.
    initial: FxHashMap<u64, u8>,
    pointer_bits: u8,
}

impl Locations {
    /// `start` is memory when the program starts.
    pub(super) fn new(recording: &Recording, start: &Memory) -> Self {
        let mut locations = Self {
            bases: FxHashMap::default(),
            mixed: FxHashSet::default(),
            initial: FxHashMap::default(),
            pointer_bits: recording.pointer_bits(),
        };
        let mut ranges: FxHashMap<Origin, BTreeSet<(u32, u32)>> = FxHashMap::default();
        let mut seen: FxHashSet<u64> = FxHashSet::default();
        let mut order = Vec::new();
        for event in events(recording) {
            let Some((spot, ty, value, is_read)) = access(event) else { continue };
            let size = locations.bytes(ty);
            let base = locations.base(spot.origin);
            if ranges.entry(spot.origin).or_default().is_empty() {
                order.push(spot.origin);
            }
            ranges.entry(spot.origin).or_default().insert((spot.offset, size));
            let first = start.object(spot.origin);
            for byte in 0..size {
                let address = base + u64::from(spot.offset + byte);
                if !seen.insert(address) {
                    continue;
                }
                // Before the first access a byte held what it holds at the start, or what the first read reads.
                let at_start = first.and_then(|object| object.bytes.get((spot.offset + byte) as usize));
                let read = is_read.then(|| (value.bits >> (8 * byte)).to_le_bytes()[0]);
                if let Some(known) = at_start.copied().or(read) {
                    locations.initial.insert(address, known);
                }
            }
        }
        for origin in order {
            locations.find_mixed(origin, &ranges[&origin]);
        }
        locations
    }

    /// Finds ranges that overlap others without being equal, and what overlaps those.
    fn find_mixed(&mut self, origin: Origin, ranges: &BTreeSet<(u32, u32)>) {
        let overlap = |a: &(u32, u32), b: &(u32, u32)| a.0 < b.0 + b.1 && b.0 < a.0 + a.1;
        // Every range of a cluster of different ranges overlaps some other one, so one look is enough.
        for range in ranges.iter().filter(|(_, size)| *size > 1) {
            if ranges.iter().any(|other| other != range && overlap(range, other)) {
                self.mixed.insert((origin, range.0, range.1));
            }
        }
    }

    /// The size of a type.
    pub(super) fn bytes(&self, ty: Type) -> u32 {
        match ty {
            Type::Int(bits) => u32::from(bits).div_ceil(8),
            Type::F32 => 4,
            Type::F64 => 8,
            Type::Ptr => u32::from(self.pointer_bits) / 8,
        }
    }

    /// The first address of an object.
    pub(super) fn base(&mut self, origin: Origin) -> u64 {
        let next = (self.bases.len() as u64 + 1) << OFFSET_BITS;
        *self.bases.entry(origin).or_insert(next)
    }

    pub(super) fn address(&mut self, spot: Spot) -> u64 {
        self.base(spot.origin) + u64::from(spot.offset)
    }

    /// The parts of an access.
    pub(super) fn parts(&mut self, spot: Spot, size: u32, value: Value) -> Vec<Part> {
        let address = self.address(spot);
        if !self.mixed.contains(&(spot.origin, spot.offset, size)) {
            return vec![Part { address, size, bits: value.bits }];
        }
        let part = |byte: u32| Part {
            address: address + u64::from(byte),
            size: 1,
            bits: (value.bits >> (8 * byte)) & 0xff,
        };
        (0..size).map(part).collect()
    }

    /// What a location held at first, if that is known.
    pub(super) fn initial(&self, address: u64, size: u32) -> Option<u128> {
        let mut bits = 0;
        for byte in (0..size).rev() {
            bits = bits << 8 | u128::from(*self.initial.get(&(address + u64::from(byte)))?);
        }
        Some(bits)
    }
}

/// The events of a recording, in order.
fn events(recording: &Recording) -> impl Iterator<Item = &Event> {
    recording.entries().iter().filter_map(|entry| match entry {
        Entry::Event(recorded) => Some(&recorded.event),
        Entry::Output { .. } => None,
    })
}

/// Where memory is accessed, how, what was there or is there then, and whether it is read first.
fn access(event: &Event) -> Option<(Spot, Type, Value, bool)> {
    let MemoryAccess { spot, ty, read, written } = event.action.access()?;
    Some((spot, ty, read.or(written)?, read.is_some()))
}
