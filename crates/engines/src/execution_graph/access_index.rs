//! Accesses by location: the one index for all who ask which accesses may touch the same bytes.
//!
//! An access at a constant address is found by that address; one at any other is among the answers to every query about its
//! kind of memory. So there may be accesses among them that touch something else, and none is missed that touches the same. What is
//! known of addresses beside their terms is the business of whoever asks.
//!
//! Two things are asked: who is to the *same* bytes, where accesses that overlap were split up (see [`events`](super::events)), and
//! who *overlaps*, where they were not yet.

use std::collections::BTreeMap;

use raddle_logic::term::Terms;
use rustc_hash::FxHashMap;

use super::events::{Location, Space};

/// Bytes of the largest access.
const LARGEST: u128 = 16;

/// Accesses that carry something. See the [module](self).
#[derive(Debug)]
pub struct AccessIndex<T> {
    /// In the order in which they were added.
    all: Vec<(Location, T)>,
    /// Those at constant addresses.
    constant: BTreeMap<(Space, u128), Vec<usize>>,
    /// All others.
    symbolic: Vec<usize>,
    /// All of one kind of memory and one size.
    alike: FxHashMap<(Space, u32), Vec<usize>>,
}

impl<T> Default for AccessIndex<T> {
    fn default() -> Self {
        Self { all: Vec::new(), constant: BTreeMap::new(), symbolic: Vec::new(), alike: FxHashMap::default() }
    }
}

impl<T> AccessIndex<T> {
    /// Of all of these.
    pub fn new(terms: &Terms, accesses: impl IntoIterator<Item = (Location, T)>) -> Self {
        let mut index = Self::default();
        for (location, access) in accesses {
            index.add(terms, location, access);
        }
        index
    }

    /// One more.
    pub fn add(&mut self, terms: &Terms, location: Location, access: T) {
        let number = self.all.len();
        let Location { space, address, size } = location;
        self.alike.entry((space, size)).or_default().push(number);
        match terms.as_bits(address) {
            Some(address) => self.constant.entry((space, address)).or_default().push(number),
            None => self.symbolic.push(number),
        }
        self.all.push((location, access));
    }

    /// Those that may be to exactly these bytes, in the order in which they were added.
    pub fn same<'i>(
        &'i self,
        terms: &'i Terms,
        location: Location,
    ) -> impl Iterator<Item = (Location, &'i T)> {
        let alike = self.alike.get(&(location.space, location.size)).map_or(&[][..], |list| list);
        let is_constant = terms.as_bits(location.address).is_some();
        let all = alike.iter().map(|&number| (self.all[number].0, &self.all[number].1));
        // Two constants are equal if they are the same term.
        all.filter(move |(other, _)| {
            !is_constant || other.address == location.address || terms.as_bits(other.address).is_none()
        })
    }

    /// Those that may touch some of these bytes: first those at constant addresses, in ascending order of these.
    pub fn overlapping(&self, terms: &Terms, location: Location) -> impl Iterator<Item = &T> {
        let Location { space, address, size } = location;
        let range = match terms.as_bits(address) {
            Some(address) => address.saturating_sub(LARGEST)..address + u128::from(size),
            None => 0..u128::MAX,
        };
        let near = self.constant.range((space, range.start)..(space, range.end));
        near.flat_map(|(_, list)| list).chain(&self.symbolic).map(|&number| &self.all[number].1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_logic::term::Sort;

    #[test]
    fn what_is_elsewhere_for_sure_is_not_found() {
        let mut terms = Terms::new();
        let somewhere = terms.symbol("p", Sort::BitVec(32));
        let mut at = |address: u128, size: u32| {
            let address = terms.bits(address, 32);
            Location { space: Space::Data, address, size }
        };
        let (low, high, wide, byte) = (at(8, 4), at(12, 4), at(8, 8), at(11, 1));
        let (other, behind) = (Location { space: Space::Life, ..low }, at(16, 4));
        let symbolic = Location { address: somewhere, ..low };
        let all = [low, high, wide, byte, other, symbolic];
        let index = AccessIndex::new(&terms, all.into_iter().zip(0..));
        let same = |location| index.same(&terms, location).map(|(_, &number)| number).collect::<Vec<_>>();
        assert_eq!(same(low), [0, 5]);
        assert_eq!(same(high), [1, 5]);
        assert_eq!(same(symbolic), [0, 1, 5]);
        assert_eq!(same(other), [4]);
        assert_eq!(same(behind), [5]);
        let overlapping = |location| index.overlapping(&terms, location).copied().collect::<Vec<_>>();
        assert_eq!(overlapping(byte), [0, 2, 3, 5]);
        assert_eq!(overlapping(symbolic), [0, 2, 3, 1, 5]);
        // Whoever asks compares sizes.
        assert_eq!(overlapping(behind), [0, 2, 3, 1, 5]);
    }
}
