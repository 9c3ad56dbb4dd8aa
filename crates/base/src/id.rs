//! Typed 32-bit ids and the dense tables they index.
//!
//! Whatever refers to something else does so by an id of its own type, declared with [`define_id!`](crate::define_id):
//! ids of different tables cannot be mixed up, and a table is a plain `Vec` underneath.

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// What [`define_id!`](crate::define_id) implements.
pub trait Id: Copy + Eq + Ord + Hash + fmt::Debug {
    /// The id of the entry at `index`. Panics when the table has outgrown 32 bits.
    fn from_index(index: usize) -> Self;
    /// The entry's place in its table.
    fn index(self) -> usize;
}

/// Declares an id type: `define_id!(pub struct BlockId, "b");` prints as `b7`.
///
/// `Option<BlockId>` takes no more room than `BlockId`. In files it is its index.
#[macro_export]
macro_rules! define_id {
    ($(#[$meta:meta])* $vis:vis struct $name:ident, $prefix:literal) => {
        $(#[$meta])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $vis struct $name(::std::num::NonZeroU32);

        impl $crate::Id for $name {
            fn from_index(index: usize) -> Self {
                let raw = u32::try_from(index + 1).ok().and_then(::std::num::NonZeroU32::new);
                Self(raw.expect("a table holds at most 2^32 - 2 entries"))
            }
            fn index(self) -> usize {
                self.0.get() as usize - 1
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, to: S) -> ::std::result::Result<S::Ok, S::Error> {
                $crate::serde::Serialize::serialize(&(self.0.get() - 1), to)
            }
        }

        impl<'de> $crate::serde::Deserialize<'de> for $name {
            fn deserialize<D: $crate::serde::Deserializer<'de>>(from: D) -> ::std::result::Result<Self, D::Error> {
                let index: u32 = $crate::serde::Deserialize::deserialize(from)?;
                let raw = index.checked_add(1).and_then(::std::num::NonZeroU32::new);
                raw.map(Self).ok_or_else(|| <D::Error as $crate::serde::de::Error>::custom("an id is too large"))
            }
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                write!(f, concat!($prefix, "{}"), $crate::Id::index(*self))
            }
        }

        impl ::std::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                ::std::fmt::Display::fmt(self, f)
            }
        }
    };
}

/// A dense table from ids to entries. Entries are added at the end and never removed.
#[derive(Clone, PartialEq, Eq)]
pub struct Table<I, T> {
    entries: Vec<T>,
    ids: PhantomData<fn(I) -> I>,
}

impl<I: Id, T> Table<I, T> {
    /// An empty table.
    #[must_use]
    pub const fn new() -> Self {
        Self { entries: Vec::new(), ids: PhantomData }
    }

    /// A table with one entry, made by `entry`, for each id of a table of `len` entries.
    pub fn filled(len: usize, entry: impl FnMut() -> T) -> Self {
        Self { entries: std::iter::repeat_with(entry).take(len).collect(), ids: PhantomData }
    }

    /// Adds an entry and gives its id.
    pub fn push(&mut self, entry: T) -> I {
        let id = self.next_id();
        self.entries.push(entry);
        id
    }

    /// Makes room for so many more entries.
    pub fn reserve(&mut self, more: usize) {
        self.entries.reserve(more);
    }

    /// The id that the next [`push`](Self::push) will give.
    #[must_use]
    pub fn next_id(&self) -> I {
        I::from_index(self.entries.len())
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry of `id`, if the table has it.
    #[must_use]
    pub fn get(&self, id: I) -> Option<&T> {
        self.entries.get(id.index())
    }

    /// All ids, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + ExactSizeIterator + use<I, T> {
        (0..self.entries.len()).map(I::from_index)
    }

    /// All entries with their ids, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.entries.iter().enumerate().map(|(index, entry)| (I::from_index(index), entry))
    }

    /// All entries with their ids, in order, to change them.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (I, &mut T)> + ExactSizeIterator {
        self.entries.iter_mut().enumerate().map(|(index, entry)| (I::from_index(index), entry))
    }

    /// All entries, in order.
    pub fn values(&self) -> std::slice::Iter<'_, T> {
        self.entries.iter()
    }
}

impl<I: Id, T> Default for Table<I, T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;
    fn index(&self, id: I) -> &T {
        &self.entries[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.entries[id.index()]
    }
}

impl<I: Id, T> FromIterator<T> for Table<I, T> {
    fn from_iter<A: IntoIterator<Item = T>>(entries: A) -> Self {
        Self { entries: entries.into_iter().collect(), ids: PhantomData }
    }
}

impl<I: Id, T: fmt::Debug> fmt::Debug for Table<I, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    define_id!(struct AppleId, "apple");

    #[test]
    fn ids_come_back_in_order_and_print_with_their_prefix() {
        let mut apples: Table<AppleId, &str> = Table::new();
        let first = apples.push("cox");
        let second = apples.push("boskoop");
        assert_eq!((apples[first], apples[second]), ("cox", "boskoop"));
        assert_eq!(format!("{first} {second:?}"), "apple0 apple1");
        assert_eq!(apples.ids().collect::<Vec<_>>(), [first, second]);
        assert_eq!(apples.get(apples.next_id()), None);
    }

    #[test]
    fn an_optional_id_is_as_small_as_an_id() {
        assert_eq!(size_of::<Option<AppleId>>(), size_of::<u32>());
    }
}
