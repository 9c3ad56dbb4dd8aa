//! Which bytes of an object hold addresses, or pieces of them.
//!
//! What is read carries the mark of every address that a bit of it comes from ([`crate::mark`]), whatever its size: an
//! address that was copied, at once or in pieces, is that address again; a piece is a piece, and knows which address it is of; a
//! longer number of whole addresses beside each other is [`ADDRESSES`], which may be copied and compared for equality; anything
//! else is [`MIXED`].
//!
//! Which address lies somewhere is in the bytes of the object: who asks gives them.

use super::{fetch, range};
use crate::mark::{ADDRESSES, MIXED, is_several, piece, whole};
use crate::value::Origin;

/// See the [module](self).
#[derive(Clone, Debug, Default)]
pub(crate) struct Addresses {
    /// By offset, in order. They do not overlap.
    stored: Vec<Stored>,
}

/// Bytes that hold an address, or a piece of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stored {
    pub(crate) at: u32,
    pub(crate) bytes: u32,
    pub(crate) origin: Origin,
}

impl Stored {
    const fn end(&self) -> u32 {
        self.at + self.bytes
    }

    /// What its bytes hold from one of them on: a piece.
    fn piece(&self, bytes: &[u8], start: u32, pointer_bytes: u64) -> Origin {
        let address = range(self.at, u64::from(self.bytes).min(pointer_bytes));
        let address = u64::try_from(fetch(&bytes[address])).expect("an address has at most eight bytes");
        piece(self.origin, start, address, pointer_bytes)
    }

    /// What some of its bytes hold, from one of them on.
    fn part(&self, bytes: &[u8], start: u32, size: u64, pointer_bytes: u64) -> Option<Origin> {
        if self.origin == ADDRESSES {
            // Which of them one is shows when memory is looked at.
            let is_one = u64::from(start).is_multiple_of(pointer_bytes) && size == pointer_bytes;
            return Some(if is_one { ADDRESSES } else { MIXED });
        }
        // An address in a longer number: its lower bytes are that address.
        if !is_several(self.origin) && start == 0 && size >= pointer_bytes {
            return Some(self.origin);
        }
        Some(self.piece(bytes, start, pointer_bytes))
    }
}

/// What a value of so many bytes still is of what it was made of: an address in fewer bytes is not that address any more.
pub(crate) fn kept(origin: Option<Origin>, size: u64, pointer_bytes: u64) -> Option<Origin> {
    origin.map(|origin| if size < pointer_bytes && !is_several(origin) { MIXED } else { origin })
}

impl Addresses {
    pub(crate) fn is_empty(&self) -> bool {
        self.stored.is_empty()
    }

    /// All of them, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Stored> {
        self.stored.iter()
    }

    /// The objects that addresses, or pieces of them, belong to, in order of their offsets.
    pub(crate) fn origins(&self) -> impl Iterator<Item = Origin> {
        self.stored.iter().filter_map(|stored| Some(whole(stored.origin)?.0))
    }

    /// The same for those that lie, wholly or in part, in a range.
    pub(crate) fn origins_in(&self, offset: u32, size: u64) -> impl Iterator<Item = Origin> {
        let end = u64::from(offset) + size;
        let hit = move |stored: &&Stored| u64::from(stored.at) < end && stored.end() > offset;
        self.stored.iter().filter(hit).filter_map(|stored| Some(whole(stored.origin)?.0))
    }

    /// The objects whose addresses are there whole, perhaps in pieces beside each other.
    pub(crate) fn whole(&self, bytes: &[u8], pointer_bytes: u64) -> impl Iterator<Item = Origin> {
        let found = move |stored: &Stored| self.at(bytes, stored.at, pointer_bytes, pointer_bytes);
        self.stored.iter().filter_map(found).filter(|origin| !is_several(*origin))
    }

    /// These bytes will hold something else, which was made of an address, or was not.
    #[inline]
    pub(crate) fn write(
        &mut self,
        bytes: &[u8],
        offset: u32,
        size: u64,
        origin: Option<Origin>,
        pointer_bytes: u64,
    ) {
        if !self.stored.is_empty() {
            self.forget(bytes, offset, size, pointer_bytes);
        }
        if let Some(origin) = kept(origin, size, pointer_bytes) {
            let place = self.stored.partition_point(|stored| stored.at < offset);
            let length = u32::try_from(size).expect("an access is at most 16 bytes");
            self.stored.insert(place, Stored { at: offset, bytes: length, origin });
        }
    }

    /// These bytes will hold no address any more. Of addresses that lie partly in them, pieces are left.
    pub(crate) fn forget(&mut self, bytes: &[u8], offset: u32, size: u64, pointer_bytes: u64) {
        let end = u32::try_from(u64::from(offset) + size).unwrap_or(u32::MAX);
        let first = self.stored.partition_point(|stored| stored.end() <= offset);
        let last = self.stored.partition_point(|stored| stored.at < end);
        if first >= last {
            return;
        }
        let (low, high) = (self.stored[first], self.stored[last - 1]);
        let below = (low.at < offset).then(|| Stored {
            at: low.at,
            bytes: offset - low.at,
            origin: low.piece(bytes, 0, pointer_bytes),
        });
        let above = (high.end() > end).then(|| Stored {
            at: end,
            bytes: high.end() - end,
            origin: high.piece(bytes, end - high.at, pointer_bytes),
        });
        self.stored.splice(first..last, below.into_iter().chain(above));
    }

    /// What the number in some bytes was made of.
    pub(crate) fn at(&self, bytes: &[u8], offset: u32, size: u64, pointer_bytes: u64) -> Option<Origin> {
        let end = u64::from(offset) + size;
        let first = self.stored.partition_point(|stored| stored.end() <= offset);
        let last = self.stored.partition_point(|stored| u64::from(stored.at) < end);
        let parts = self.stored.get(first..last).filter(|parts| !parts.is_empty())?;
        let stored = parts[0];
        if stored.at == offset && u64::from(stored.bytes) == size {
            return Some(stored.origin);
        }
        if stored.at <= offset && u64::from(stored.end()) >= end {
            return stored.part(bytes, offset - stored.at, size, pointer_bytes);
        }
        if let Some(larger) = joined(bytes, parts, (offset, end), pointer_bytes) {
            let of = whole(larger).filter(|(_, start)| *start == 0 && size >= pointer_bytes);
            return Some(of.map_or(larger, |(of, _)| of));
        }
        let is_whole = |stored: &Stored| {
            u64::from(stored.bytes) == pointer_bytes
                && !is_several(stored.origin)
                && stored.at >= offset
                && u64::from(stored.end()) <= end
                && u64::from(stored.at - offset).is_multiple_of(pointer_bytes)
        };
        Some(if size > pointer_bytes && parts.iter().all(is_whole) { ADDRESSES } else { MIXED })
    }
}

/// Pieces beside each other of one address are a larger piece of it.
fn joined(bytes: &[u8], parts: &[Stored], (offset, end): (u32, u64), pointer_bytes: u64) -> Option<Origin> {
    let first = parts[0].piece(bytes, 0, pointer_bytes);
    whole(first)?;
    let mut at = offset;
    for next in parts {
        let wanted = piece(first, at - offset, 0, pointer_bytes);
        let fits = next.at == at && u64::from(next.end()) <= end && wanted != MIXED;
        if !fits || next.piece(bytes, 0, pointer_bytes) != wanted {
            return None;
        }
        at = next.end();
    }
    (u64::from(at) == end).then_some(first)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    const OBJECT: Origin = Origin::new(1, 3, NonZeroU32::MIN);
    const OTHER: Origin = Origin::new(2, 0, NonZeroU32::MIN);
    /// All addresses are zero here, unless a test says otherwise.
    const ZERO: &[u8] = &[0; 16];

    /// A piece of the address zero.
    fn piece(origin: Origin, start: u32) -> Origin {
        super::piece(origin, start, 0, 4)
    }

    /// Whole addresses of four bytes at some offsets.
    fn at(addresses: &[(u32, Origin)]) -> Addresses {
        let mut list = Addresses::default();
        for (offset, origin) in addresses {
            list.write(ZERO, *offset, 4, Some(*origin), 4);
        }
        list
    }

    #[test]
    fn an_address_is_whole_until_a_byte_of_it_is_another() {
        let mut list = at(&[(4, OBJECT)]);
        assert_eq!(list.at(ZERO, 4, 4, 4), Some(OBJECT));
        assert_eq!(list.at(ZERO, 5, 1, 4), Some(piece(OBJECT, 1)));
        assert_eq!((list.at(ZERO, 0, 4, 4), list.at(ZERO, 8, 2, 4)), (None, None));
        let byte = list.at(ZERO, 6, 1, 4);
        list.write(ZERO, 6, 1, None, 4);
        assert_eq!((list.at(ZERO, 4, 4, 4), list.at(ZERO, 4, 2, 4)), (Some(MIXED), Some(piece(OBJECT, 0))));
        list.write(ZERO, 6, 1, byte, 4);
        assert_eq!(list.at(ZERO, 4, 4, 4), Some(OBJECT));
    }

    #[test]
    fn pieces_of_two_addresses_are_none() {
        let mut list = at(&[(0, OBJECT), (4, OTHER)]);
        let half = list.at(ZERO, 4, 2, 4);
        list.write(ZERO, 0, 2, half, 4);
        assert_eq!(list.at(ZERO, 0, 4, 4), Some(MIXED));
        assert_eq!(list.at(ZERO, 2, 4, 4), Some(MIXED), "the end of one and the beginning of another");
    }

    #[test]
    fn pieces_of_two_addresses_in_one_object_are_none() {
        let bytes = [0, 1, 0, 0, 44, 2, 0, 0];
        let mut list = at(&[(0, OBJECT), (4, OBJECT)]);
        let byte = list.at(&bytes, 4, 1, 4);
        list.write(&bytes, 0, 1, byte, 4);
        assert_eq!(list.at(&bytes, 0, 4, 4), Some(MIXED));
        list.write(&bytes, 0, 1, Some(super::piece(OBJECT, 0, 256, 4)), 4);
        assert_eq!(list.at(&bytes, 0, 4, 4), Some(OBJECT), "the byte that was there");
    }

    #[test]
    fn a_longer_number_keeps_what_it_was_made_of() {
        let list = at(&[(0, OBJECT), (4, OTHER)]);
        assert_eq!(list.at(ZERO, 0, 8, 4), Some(ADDRESSES));
        assert_eq!(list.at(ZERO, 0, 16, 4), Some(ADDRESSES), "numbers may be beside them");
        assert_eq!(list.at(ZERO, 2, 8, 4), Some(MIXED), "parts of addresses");
        assert_eq!(at(&[(4, OTHER)]).at(ZERO, 0, 8, 4), Some(ADDRESSES));
        assert_eq!(at(&[(2, OTHER)]).at(ZERO, 0, 8, 4), Some(MIXED), "not where a pointer is read from");
        assert_eq!(at(&[]).at(ZERO, 0, 8, 4), None);
    }

    #[test]
    fn addresses_in_a_longer_number_come_out_again() {
        let mut list = Addresses::default();
        list.write(ZERO, 0, 8, Some(OBJECT), 4);
        assert_eq!((list.at(ZERO, 0, 8, 4), list.at(ZERO, 0, 4, 4)), (Some(OBJECT), Some(OBJECT)));
        assert_eq!(list.at(ZERO, 4, 4, 4), Some(piece(OBJECT, 4)));
        list.write(ZERO, 0, 8, Some(ADDRESSES), 4);
        assert_eq!(
            (list.at(ZERO, 0, 4, 4), list.at(ZERO, 4, 4, 4)),
            (Some(ADDRESSES), Some(ADDRESSES)),
            "they are to be found by what lives there"
        );
        assert_eq!((list.at(ZERO, 0, 2, 4), list.at(ZERO, 2, 4, 4)), (Some(MIXED), Some(MIXED)));
    }

    #[test]
    fn an_address_in_fewer_bytes_is_none() {
        let mut list = Addresses::default();
        list.write(ZERO, 0, 2, Some(OBJECT), 4);
        assert_eq!(list.at(ZERO, 0, 2, 4), Some(MIXED));
        assert_eq!(list.origins().count(), 0);
    }
}
