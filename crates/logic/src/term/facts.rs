//! What is known of a bit-vector term whatever the model: bits and an unsigned range.
//!
//! Computed once per term from the facts of its operands, in constant time. Over-approximates: a fact that
//! is stated holds in every model, a fact that holds may go unstated.

use super::bits::{self, MAX_WIDTH, mask};
use super::{Term, TermId, Terms};

/// Bits known to be zero or one, and an unsigned range that the value lies in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TermFacts {
    /// The bits that are zero in every model.
    pub zeros: u128,
    /// The bits that are one in every model.
    pub ones: u128,
    /// The value is never below this.
    pub min: u128,
    /// The value is never above this.
    pub max: u128,
}

impl TermFacts {
    /// What is known of any bit-vector of this width.
    #[must_use]
    pub const fn nothing(width: u32) -> Self {
        Self { zeros: 0, ones: 0, min: 0, max: mask(width) }
    }

    /// What is known of a constant: everything.
    #[must_use]
    pub const fn constant(value: u128, width: u32) -> Self {
        Self { zeros: !value & mask(width), ones: value, min: value, max: value }
    }

    /// What is known of a number that is never above another.
    #[must_use]
    pub(super) fn up_to(most: u128, width: u32) -> Self {
        Self::with_range(0, most, width).refined(width)
    }

    /// The value, when only one is possible.
    #[must_use]
    pub const fn as_constant(&self) -> Option<u128> {
        if self.min == self.max { Some(self.min) } else { None }
    }

    /// The sign bit, when it is known.
    #[must_use]
    pub const fn sign(&self, width: u32) -> Option<bool> {
        if bits::is_negative(self.ones, width) {
            Some(true)
        } else if bits::is_negative(self.zeros, width) {
            Some(false)
        } else {
            None
        }
    }

    /// How many bits suffice to hold the value.
    #[must_use]
    pub const fn significant(&self) -> u32 {
        bits::significant(self.max)
    }

    /// Whether no value fits both.
    #[must_use]
    pub const fn disjoint(&self, other: &Self) -> bool {
        self.zeros & other.ones != 0
            || self.ones & other.zeros != 0
            || self.max < other.min
            || other.max < self.min
    }

    /// How many of the lowest bits are all known.
    const fn known_low(&self) -> u32 {
        (self.zeros | self.ones).trailing_ones()
    }

    /// How many of the lowest bits are known to be zero.
    const fn low_zeros(&self) -> u32 {
        self.zeros.trailing_ones()
    }

    /// Lets bits and range sharpen each other.
    fn refined(mut self, width: u32) -> Self {
        self.min = self.min.max(self.ones);
        self.max = self.max.min(!self.zeros & mask(width));
        // Above the highest bit in which the ends of the range differ, all values between agree.
        let agreed = mask(width) & !mask(bits::significant(self.min ^ self.max));
        self.ones |= self.min & agreed;
        self.zeros |= !self.min & agreed;
        self
    }

    fn with_range(min: u128, max: u128, width: u32) -> Self {
        Self { min, max, ..Self::nothing(width) }
    }

    /// The facts of a node from those of its operands.
    pub(super) fn of(terms: &Terms, term: &Term, width: u32) -> Self {
        let get = |id: TermId| terms.facts(id);
        let result = match *term {
            Term::Bits { value, .. } => return Self::constant(value, width),
            Term::Ite(_, a, b) => {
                let (a, b) = (get(a), get(b));
                Self {
                    zeros: a.zeros & b.zeros,
                    ones: a.ones & b.ones,
                    min: a.min.min(b.min),
                    max: a.max.max(b.max),
                }
            }
            Term::BvNot(a) => {
                let a = get(a);
                Self { zeros: a.ones, ones: a.zeros, min: mask(width) - a.max, max: mask(width) - a.min }
            }
            Term::BvAnd(a, b) => {
                let (a, b) = (get(a), get(b));
                Self { zeros: a.zeros | b.zeros, ones: a.ones & b.ones, min: 0, max: a.max.min(b.max) }
            }
            Term::BvXor(a, b) => {
                let (a, b) = (get(a), get(b));
                Self {
                    zeros: a.zeros & b.zeros | a.ones & b.ones,
                    ones: a.zeros & b.ones | a.ones & b.zeros,
                    ..Self::nothing(width)
                }
            }
            Term::Add(a, b) => Self::of_sum(get(a), get(b), width),
            Term::Mul(a, b) => Self::of_product(get(a), get(b), width),
            Term::Udiv(a, b) => {
                let (a, b) = (get(a), get(b));
                if b.min == 0 {
                    return Self::nothing(width);
                }
                Self::with_range(a.min / b.max, a.max / b.min, width)
            }
            Term::Urem(a, b) => {
                let (a, b) = (get(a), get(b));
                let max = if b.min == 0 { a.max } else { a.max.min(b.max - 1) };
                Self::with_range(0, max, width)
            }
            Term::Shl(a, b) => {
                let least = get(b).min.min(u128::from(width));
                let low = (get(a).low_zeros() + bits::small(least)).min(width);
                Self { zeros: mask(low), ..Self::nothing(width) }
            }
            Term::Lshr(a, b) => Self::with_range(0, bits::lshr(get(a).max, get(b).min, width), width),
            Term::Ashr(a, b) => match get(a).sign(width) {
                Some(false) => Self::with_range(0, bits::lshr(get(a).max, get(b).min, width), width),
                Some(true) => Self { ones: bits::sign_bit(width), ..Self::nothing(width) },
                None => return Self::nothing(width),
            },
            Term::Concat(a, b) => {
                let low = terms.width(b);
                let (a, b) = (get(a), get(b));
                Self {
                    zeros: bits::concat(a.zeros, b.zeros, low),
                    ones: bits::concat(a.ones, b.ones, low),
                    min: bits::concat(a.min, b.min, low),
                    max: bits::concat(a.max, b.max, low),
                }
            }
            Term::Extract { high, low, of } => {
                let a = get(of);
                // The range survives when nothing is cut off above.
                let (min, max) =
                    if a.max <= mask(high + 1) { (a.min >> low, a.max >> low) } else { (0, mask(width)) };
                let (zeros, ones) = (bits::extract(a.zeros, high, low), bits::extract(a.ones, high, low));
                Self { zeros, ones, min, max }
            }
            Term::SignExtend { by, of } => {
                let a = get(of);
                let narrow = width - by;
                let above = mask(width) & !mask(narrow);
                match a.sign(narrow) {
                    Some(false) => Self { zeros: a.zeros | above, ..a },
                    Some(true) => {
                        Self { ones: a.ones | above, zeros: a.zeros, min: a.min | above, max: a.max | above }
                    }
                    None => Self { zeros: a.zeros, ones: a.ones, ..Self::nothing(width) },
                }
            }
            Term::Symbol(_) | Term::Select(..) => return Self::nothing(width),
            Term::Bool(_)
            | Term::Not(_)
            | Term::And(..)
            | Term::Xor(..)
            | Term::Eq(..)
            | Term::Ult(..)
            | Term::Slt(..)
            | Term::UmulOverflow(..)
            | Term::SmulOverflow(..)
            | Term::Store(..)
            | Term::ConstArray { .. } => unreachable!("{term:?} is no bit-vector"),
        };
        result.refined(width)
    }

    fn of_sum(a: Self, b: Self, width: u32) -> Self {
        let known = mask(a.known_low().min(b.known_low()).min(width));
        let low = bits::add(a.ones, b.ones, width) & known;
        let above = |sum: Option<u128>| sum.is_none_or(|sum| sum > mask(width));
        let (least, most) = (a.min.checked_add(b.min), a.max.checked_add(b.max));
        // Either no sum wraps around, or all do.
        let (min, max) = if above(least) == above(most) {
            (bits::add(a.min, b.min, width), bits::add(a.max, b.max, width))
        } else {
            (0, mask(width))
        };
        Self { zeros: known & !low, ones: low, min, max }
    }

    fn of_product(a: Self, b: Self, width: u32) -> Self {
        let known = mask(a.known_low().min(b.known_low()).min(width));
        let low = bits::mul(a.ones, b.ones, width) & known;
        let low_zeros = mask((a.low_zeros().min(MAX_WIDTH) + b.low_zeros().min(MAX_WIDTH)).min(width));
        let (min, max) = if bits::umul_overflows(a.max, b.max, width) {
            (0, mask(width))
        } else {
            (a.min * b.min, a.max * b.max)
        };
        Self { zeros: known & !low | low_zeros, ones: low, min, max }
    }
}
