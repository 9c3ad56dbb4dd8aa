//! What reads of shared memory are assumed to read.

use std::collections::{BTreeMap, BTreeSet};

use crate::po_bmc::symbolic::world::SiteKey;

/// Names a read of shared memory: the instruction, and which read of it.
pub(crate) type ReadKey = (SiteKey, u32);

/// The values that a read may read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ValueSet {
    /// One of these, ascending.
    OneOf(Vec<u128>),
    /// A signed number from one to another.
    Between {
        /// The least.
        low: i128,
        /// The most.
        high: i128,
    },
}

/// What is assumed of reads.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReadValues {
    pub(crate) known: BTreeMap<ReadKey, ValueSet>,
    /// Reads of which nothing is assumed any more.
    pub(crate) banned: BTreeSet<ReadKey>,
}

impl ValueSet {
    /// Whether all that the other allows is allowed.
    pub(crate) fn covers(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::OneOf(own), Self::OneOf(others)) => others.iter().all(|value| own.contains(value)),
            (Self::OneOf(_), Self::Between { .. }) => false,
            // Which bit is the sign of a constant is not known here; small ones are not negative.
            (Self::Between { low, high }, Self::OneOf(others)) => others
                .iter()
                .all(|value| i128::try_from(*value).is_ok_and(|value| (*low..=*high).contains(&value))),
            (Self::Between { low, high }, Self::Between { low: least, high: most }) => {
                low <= least && most <= high
            }
        }
    }

    /// What one of two reads may read.
    pub(crate) fn either(self, other: Self) -> Option<Self> {
        if self.covers(&other) {
            Some(self)
        } else if other.covers(&self) {
            Some(other)
        } else {
            self.join(&other)
        }
    }

    /// What either allows, if that is still worth knowing.
    pub(crate) fn join(&self, other: &Self) -> Option<Self> {
        const MOST: usize = 8;
        match (self, other) {
            (Self::OneOf(own), Self::OneOf(others)) => {
                let mut all: Vec<u128> = own.iter().chain(others).copied().collect();
                all.sort_unstable();
                all.dedup();
                (all.len() <= MOST).then_some(Self::OneOf(all))
            }
            (Self::Between { .. }, Self::Between { .. }) if other.covers(self) => Some(other.clone()),
            (_, _) => None,
        }
    }
}

/// How many bits hold the numbers from one to another, the sign included if there are negative ones.
pub(crate) fn bits_between(low: i128, high: i128) -> u32 {
    let bits = |number: i128| 128 - number.leading_zeros();
    if low >= 0 { bits(high).max(1) } else { bits(high.max(!low)) + 1 }
}
