//! What of memory makes states differ, for fingerprints.
//!
//! Under a [`Renaming`] the memory is fed that it would be if the threads had the other names: their arenas are in another order and
//! at other addresses, so pointers into them have other bits, and lock words name other owners. A value of which that is not
//! known is fed as it is, and the mixer takes down that it was not exact.

use super::{Arena, Creator, Memory, Object, fetch, range, store};
use crate::layout::{ArenaIndex, LOCK_BYTES};
use crate::mark::{FUNCTION, is_several, whole};
use crate::mixer::Mixer;
use crate::renaming::Renaming;
use crate::value::{Origin, Value, mask};

/// Arenas of threads begin at multiples of this: an object that asks for more lies differently in each.
const COARSEST: u64 = 1 << 20;

impl Memory {
    /// Which object an origin means, in a number that does not depend on how many objects lived in its place before. All
    /// origins whose objects are gone are alike, but for how they went.
    pub(crate) fn canonical(&self, origin: Option<Origin>, renaming: Option<&Renaming>) -> u64 {
        const GONE: u64 = 1 << 63;
        const SEVERAL: u64 = 1 << 62;
        // Spreads distances over all bits.
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        match origin {
            None => 0,
            Some(origin) if is_several(origin) => match whole(origin) {
                Some((of, start)) => {
                    let piece = SEVERAL | u64::from(start) << 56;
                    self.canonical(Some(of), renaming) ^ piece ^ u64::from(origin.distance).wrapping_mul(ODD)
                }
                None => SEVERAL | u64::from(origin.slot),
            },
            Some(origin) if self.object(origin).is_some() => {
                let arena = renaming.map_or(origin.arena, |renaming| renaming.arena(origin.arena));
                1 + (u64::from(arena) << 32 | u64::from(origin.slot))
            }
            Some(origin) => GONE | u64::from(origin.arena % 2),
        }
    }

    /// The bits that a value has under other names; nothing if they are not known.
    pub(crate) fn renamed(&self, value: Value, renaming: &Renaming) -> Option<u128> {
        let Some(origin) = value.origin else { return Some(value.bits) };
        if origin == FUNCTION {
            return Some(value.bits);
        }
        let (object, _) = whole(origin)?;
        if renaming.arena(object.arena) == object.arena {
            return Some(value.bits);
        }
        // A piece of an address, or an address that was extended by its sign.
        if is_several(origin) || value.bits > mask(self.pointer_bits) {
            return None;
        }
        let moved = self.moved(value.low(), object.arena, Some(renaming));
        Some(u128::from(moved) & mask(self.pointer_bits))
    }

    /// Where an address of an arena is under other names.
    fn moved(&self, address: u64, arena: ArenaIndex, renaming: Option<&Renaming>) -> u64 {
        let Some(renaming) = renaming else { return address };
        let to = renaming.arena(arena);
        if to == arena {
            return address;
        }
        address.wrapping_sub(self.bounds(arena).0).wrapping_add(self.bounds(to).0)
    }

    /// Feeds a value, as it is under other names.
    #[expect(clippy::cast_possible_truncation, reason = "both halves are used")]
    pub(crate) fn feed_value(&self, value: Value, mixer: &mut Mixer<'_>) {
        let renamed = mixer.renaming().map_or(Some(value.bits), |renaming| self.renamed(value, renaming));
        if renamed.is_none() {
            mixer.not_exact();
        }
        let bits = renamed.unwrap_or(value.bits);
        mixer.word(bits as u64);
        mixer.word((bits >> 64) as u64);
        mixer.word(self.canonical(value.origin, mixer.renaming()));
    }

    /// Feeds all that the future may depend on.
    pub(crate) fn feed(&self, mixer: &mut Mixer<'_>) {
        match mixer.renaming() {
            None => (0..).zip(&self.arenas).for_each(|(index, arena)| self.feed_arena(index, arena, mixer)),
            Some(renaming) => renaming.arenas().for_each(|index| self.feed_arena_of(index, mixer)),
        }
        mixer.word(self.missed.into());
    }

    /// Feeds an arena; one that was not needed yet is an empty one.
    pub(crate) fn feed_arena_of(&self, index: ArenaIndex, mixer: &mut Mixer<'_>) {
        if let Some(arena) = self.arenas.get(index as usize) {
            self.feed_arena(index, arena, mixer);
        } else {
            mixer.word(0);
            mixer.word(self.moved(self.bounds(index).0, index, mixer.renaming()));
        }
    }

    fn feed_arena(&self, index: ArenaIndex, arena: &Arena, mixer: &mut Mixer<'_>) {
        mixer.word(arena.slots.len() as u64);
        mixer.word(self.moved(arena.next, index, mixer.renaming()));
        for (slot, place) in arena.slots.iter().zip(0..) {
            match slot.object.as_deref() {
                // Constants are what they always were.
                Some(object) if object.read_only => mixer.word(2),
                Some(object) => self.feed_object(Origin::new(index, place, slot.generation), object, mixer),
                // Its address may come again.
                None if slot.is_heap => {
                    mixer.word(3);
                    mixer.word(self.moved(slot.address, index, mixer.renaming()));
                    mixer.word(slot.room << 2 | u64::from(slot.exposed) << 1 | u64::from(slot.may_stay));
                }
                None => mixer.word(1),
            }
        }
    }

    fn feed_object(&self, origin: Origin, object: &Object, mixer: &mut Mixer<'_>) {
        let is_heap = matches!(object.creator, Creator::Heap(_));
        mixer.word(4 | u64::from(is_heap) | u64::from(object.shared) << 1);
        mixer.word(self.moved(object.address, origin.arena, mixer.renaming()));
        match mixer.renaming() {
            Some(renaming) => self.feed_renamed_bytes(origin, object, renaming, mixer),
            None => mixer.bytes(&object.bytes),
        }
        match &object.unwritten {
            Some(unwritten) => unwritten.flags.chunks(63).for_each(|chunk| {
                mixer.word(chunk.iter().fold(1, |word, &flag| word << 1 | u64::from(flag)));
            }),
            None => mixer.word(0),
        }
        mixer.word(object.addresses.iter().count() as u64);
        for stored in object.addresses.iter() {
            mixer.word(u64::from(stored.at) << 32 | u64::from(stored.bytes));
            mixer.word(self.canonical(Some(stored.origin), mixer.renaming()));
        }
    }

    /// Feeds the bytes that an object has under other names.
    fn feed_renamed_bytes(
        &self,
        origin: Origin,
        object: &Object,
        renaming: &Renaming,
        mixer: &mut Mixer<'_>,
    ) {
        if object.align > COARSEST && renaming.arena(origin.arena) != origin.arena {
            mixer.not_exact();
        }
        let mut bytes = std::borrow::Cow::Borrowed(&object.bytes);
        for stored in object.addresses.iter() {
            let place = range(stored.at, u64::from(stored.bytes));
            let value = Value { bits: fetch(&object.bytes[place.clone()]), origin: Some(stored.origin) };
            match self.renamed(value, renaming) {
                Some(bits) if bits != value.bits => store(&mut bytes.to_mut()[place], bits),
                Some(_) => {}
                None => mixer.not_exact(),
            }
        }
        for held in self.held.iter().filter(|held| held.spot.origin == origin) {
            let owner = u128::from(renaming.thread(held.owner)) + 1;
            store(&mut bytes.to_mut()[range(held.spot.offset, LOCK_BYTES)], owner);
        }
        mixer.bytes(&bytes);
    }
}
