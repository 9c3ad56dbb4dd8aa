//! What a value keeps of the addresses that it was made of.
//!
//! Its origin is an object, if in every layout of memory it is that object's address and a fixed distance; [`LINEAR`], if it is a sum,
//! difference or exclusive or of several; a piece of an address, which knows which address it is of; [`MIXED`] for anything else.

use std::num::NonZeroU32;

use crate::layout::first_address;
use crate::value::Origin;

/// The origin of a sum, difference or exclusive or of addresses.
pub const LINEAR: Origin = Origin::new(u32::MAX, 0, NonZeroU32::MIN);
/// The origin of what was computed from an address in another way.
pub const MIXED: Origin = Origin::new(u32::MAX, 1, NonZeroU32::MIN);
/// The origin of a number that is longer than an address, in which addresses lie beside each other, and plain numbers.
pub const ADDRESSES: Origin = Origin::new(u32::MAX, 3, NonZeroU32::MIN);
/// The origin of the number of a function's address. Functions lie anywhere too, but none of them is an object.
pub const FUNCTION: Origin = Origin::new(u32::MAX, 2, NonZeroU32::MIN);

/// Why a run says nothing about other layouts.
pub type Look = &'static str;

/// A branch, a comparison or an index depends on where objects lie.
pub const LAYOUT: Look = "a result that depends on where objects lie in memory";
/// A pointer to an object that is gone is compared with another.
pub const REUSE: Look =
    "a comparison of a pointer to memory that was freed or has ended, whose address may be in use again";

/// Marks the arenas of origins that are no objects.
const SEVERAL: u32 = 1 << 31;
/// Above the arena, in the origin of a piece: at which byte of the address it begins.
const PIECE_SHIFT: u32 = 24;

/// Whether an origin stands for several objects, or for a piece of an address.
pub(crate) const fn is_several(origin: Origin) -> bool {
    origin.arena & SEVERAL != 0
}

/// The origin of some bytes of an address that has an origin, from this byte on. Who copies an address in pieces gets it back whole.
pub(crate) fn piece(origin: Origin, start: u32, address: u64, pointer_bytes: u64) -> Origin {
    match whole(origin) {
        Some((of, first)) if is_several(origin) => piece_of(of, first + start, origin.distance),
        Some((of, _)) => match u32::try_from(address.wrapping_sub(first_address(of.arena, pointer_bytes))) {
            Ok(distance) => piece_of(of, start, distance),
            Err(_) => MIXED,
        },
        None => MIXED,
    }
}

fn piece_of(of: Origin, start: u32, distance: u32) -> Origin {
    if of.arena < 1 << PIECE_SHIFT && start < 16 {
        Origin { arena: SEVERAL | start << PIECE_SHIFT | of.arena, distance, ..of }
    } else {
        MIXED
    }
}

/// The object whose address this is, or is a piece of, and at which byte of the address it begins.
pub(crate) fn whole(origin: Origin) -> Option<(Origin, u32)> {
    if origin.arena == u32::MAX {
        return None;
    }
    let arena = if is_several(origin) { origin.arena & ((1 << PIECE_SHIFT) - 1) } else { origin.arena };
    let start = if is_several(origin) { (origin.arena & !SEVERAL) >> PIECE_SHIFT } else { 0 };
    Some((Origin { arena, distance: 0, ..origin }, start))
}
