//! Sets of byte offsets: one offset, every n-th, or all.

/// The offsets `start + k * step` for all whole `k`; just `start` when the step is zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Offsets {
    start: i64,
    step: u64,
}

/// What two accesses may have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overlap {
    /// They may start at the same byte.
    pub same_start: bool,
    /// They may start at different bytes and still share some.
    pub partial: bool,
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Offsets {
    /// Any offset.
    pub const ANY: Self = Self { start: 0, step: 1 };

    /// One offset.
    #[must_use]
    pub const fn exactly(offset: i64) -> Self {
        Self { start: offset, step: 0 }
    }

    /// `start` and everything a multiple of `step` away from it.
    #[must_use]
    pub fn every(step: u64, start: i64) -> Self {
        match i64::try_from(step) {
            Ok(0) => Self::exactly(start),
            // In one normal form, so that equal sets are equal values.
            Ok(positive) => Self { start: start.rem_euclid(positive), step },
            Err(_) => Self::ANY,
        }
    }

    /// The offset, if there is only one.
    #[must_use]
    pub const fn exact(self) -> Option<i64> {
        if self.step == 0 { Some(self.start) } else { None }
    }

    /// The distance between neighbours; zero for a single offset.
    #[must_use]
    pub const fn step(self) -> u64 {
        self.step
    }

    /// A member of the set.
    #[must_use]
    pub const fn start(self) -> i64 {
        self.start
    }

    /// All sums of a member of each. Sums are taken not to wrap around; one that would becomes any offset.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        match self.start.checked_add(other.start) {
            Some(start) => Self::every(gcd(self.step, other.step), start),
            None => Self::ANY,
        }
    }

    /// All products with a number.
    #[must_use]
    pub fn times(self, factor: i64) -> Self {
        match (self.start.checked_mul(factor), self.step.checked_mul(factor.unsigned_abs())) {
            (Some(start), Some(step)) => Self::every(step, start),
            _ => Self::ANY,
        }
    }

    /// The smallest set of this kind with both.
    #[must_use]
    pub fn join(self, other: Self) -> Self {
        let distance = self.start.abs_diff(other.start);
        Self::every(gcd(gcd(self.step, other.step), distance), self.start)
    }

    /// What is left when values are cut to so many bits: a remainder only survives modulo a power of two, and no higher one
    /// than that of the width.
    #[must_use]
    pub fn wrapped(self, bits: u32) -> Self {
        match self.step {
            0 => Self::ANY,
            // Cut to 8 bits, 200 becomes -56. The two differ by 256, so they must be members of the same set.
            step => Self::every(1 << step.trailing_zeros().min(bits).min(62), self.start),
        }
    }

    /// Whether every member of `other` is one of this.
    #[must_use]
    pub fn contains(self, other: Self) -> bool {
        // A set is contained if joining it adds nothing.
        self.join(other) == self
    }

    /// What an access of `width` bytes here and one of `other_width` bytes there may share.
    #[must_use]
    pub fn overlap(self, width: u64, other: Self, other_width: u64) -> Overlap {
        // The difference of two members is the difference of the starts plus a multiple of the common step.
        let step = i128::from(gcd(self.step, other.step));
        let distance = i128::from(other.start) - i128::from(self.start);
        let possible = |candidate: i128| {
            if step == 0 { candidate == distance } else { (candidate - distance).rem_euclid(step) == 0 }
        };
        // All distances at which the two accesses touch.
        let partial = (1 - i128::from(other_width)..i128::from(width))
            .any(|candidate| candidate != 0 && possible(candidate));
        Overlap { same_start: possible(0), partial }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_of_offsets() {
        let four = Offsets::every(4, 0);
        assert_eq!(four.plus(Offsets::exactly(6)), Offsets::every(4, 2));
        assert_eq!(four.plus(Offsets::every(6, 1)), Offsets::every(2, 1));
        assert_eq!(Offsets::exactly(3).join(Offsets::exactly(11)), Offsets::every(8, 3));
        assert_eq!(Offsets::exactly(3).join(Offsets::exactly(3)), Offsets::exactly(3));
        assert_eq!(Offsets::every(12, 5).wrapped(32), Offsets::every(4, 1));
        assert!(Offsets::every(1024, 200).wrapped(8).contains(Offsets::exactly(-56)));
        assert_eq!(Offsets::exactly(i64::MAX).plus(Offsets::exactly(1)), Offsets::ANY);
        assert!(four.contains(Offsets::exactly(-8)) && !four.contains(Offsets::exactly(2)));
        assert!(Offsets::ANY.contains(four) && !four.contains(Offsets::ANY));
    }

    #[test]
    fn overlaps() {
        let overlap = |a: Offsets, wa, b: Offsets, wb| {
            let Overlap { same_start, partial } = a.overlap(wa, b, wb);
            (same_start, partial)
        };
        assert_eq!(overlap(Offsets::exactly(0), 4, Offsets::exactly(4), 4), (false, false));
        assert_eq!(overlap(Offsets::exactly(0), 8, Offsets::exactly(4), 4), (false, true));
        assert_eq!(overlap(Offsets::exactly(4), 4, Offsets::every(8, 0), 4), (false, false));
        assert_eq!(overlap(Offsets::every(16, 8), 8, Offsets::every(16, 8), 8), (true, false));
        assert_eq!(overlap(Offsets::every(16, 8), 8, Offsets::ANY, 1), (true, true));
    }
}
