//! IEEE-754 arithmetic, spelled as bit-vector terms.
//!
//! A number is a bit-vector of its [`Format`]'s width; every function here takes such vectors and builds the
//! term that computes the result, in bit-vector operators alone, so whatever can evaluate, rewrite, print or
//! blast terms can also handle floats. Operands that are constants give a constant.
//!
//! | file | what it holds |
//! |---|---|
//! | `parts` | fields and classes of a number, and its normalised form |
//! | `shift` | logarithmic shifters, counting zeros by halving |
//! | `round` | the one rounding, to nearest, ties to even |
//! | `add`, `multiply`, `divide`, `root` | arithmetic |
//! | `compare` | comparisons |
//! | `convert` | to and from integers, and between formats |
//!
//! # What is exact
//! Everything, bit for bit, NaNs included. An operation with a NaN operand gives the first operand that is one,
//! with the quiet bit set; an operation on numbers that has no result gives the *negative* quiet NaN without
//! payload. A conversion to an integer that does not fit gives what the instructions that compilers emit for it
//! give. All of this is what x86-64 with SSE does. IEEE-754 leaves those bits open, so on another
//! processor a program may see others; in this direction alone the terms may differ from a real run.
//!
//! # Example
//! ```
//! use raddle_base::Budget;
//! use raddle_logic::float::{self, Format};
//! use raddle_logic::solver::{Answer, Embedded, Solver};
//! use raddle_logic::term::{Sort, Terms};
//!
//! // Is there a number that stays the same when one is added, apart from the infinities?
//! let mut terms = Terms::new();
//! let mut solver = Embedded::new();
//! let x = terms.symbol("x", Sort::BitVec(32));
//! let [one, infinity] = [1.0, f32::INFINITY].map(|number| terms.bits(number.to_bits().into(), 32));
//! let sum = float::add(&mut terms, Format::F32, x, one);
//! let same = float::equal(&mut terms, Format::F32, sum, x);
//! let size = float::abs(&mut terms, Format::F32, x);
//! let finite = float::less(&mut terms, Format::F32, size, infinity);
//! solver.assert(&mut terms, same);
//! solver.assert(&mut terms, finite);
//! assert_eq!(solver.check(&mut terms, &[], &Budget::unlimited()), Ok(Answer::Sat));
//! let bits = solver.value(&terms, x).and_then(|value| value.as_bits()).expect("there is a model");
//! let number = f32::from_bits(u32::try_from(bits).expect("x has 32 bits"));
//! assert!(number.is_finite() && number + 1.0 == number);
//! ```

mod add;
mod compare;
mod convert;
mod divide;
mod multiply;
mod parts;
mod root;
mod round;
mod shift;
#[cfg(test)]
mod tests;

pub use add::{add, sub};
pub use compare::{equal, is_nan, less, less_or_equal};
pub use convert::{convert, from_signed, from_unsigned, to_signed, to_unsigned};
pub use divide::div;
pub use multiply::mul;
pub use root::sqrt;

use crate::term::bits::{MAX_WIDTH, mask};
use crate::term::{TermId, Terms};

/// How a number is laid out: from the top, a sign, an exponent and a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    exponent: u32,
    fraction: u32,
}

impl Format {
    /// Single precision, C's `float`.
    pub const F32: Self = Self::new(8, 23);
    /// Double precision, C's `double`.
    pub const F64: Self = Self::new(11, 52);

    /// A format with this many bits of exponent and of stored fraction. Panics unless both are at least two,
    /// the exponent has at most 24, and a product of two significands fits the widest term.
    #[must_use]
    pub const fn new(exponent: u32, fraction: u32) -> Self {
        assert!(exponent >= 2 && exponent <= 24, "no sensible exponent");
        assert!(fraction >= 2 && 2 * (fraction + 2) <= MAX_WIDTH, "no sensible fraction");
        Self { exponent, fraction }
    }

    /// The bits of a number.
    #[must_use]
    pub const fn width(self) -> u32 {
        1 + self.exponent + self.fraction
    }

    /// The bits of a significand, with the one that is not stored.
    const fn precision(self) -> u32 {
        self.fraction + 1
    }

    /// What is added to an exponent before it is stored.
    const fn bias(self) -> u32 {
        (1 << (self.exponent - 1)) - 1
    }

    /// The stored exponent of infinities and NaNs.
    const fn special_exponent(self) -> u32 {
        (1 << self.exponent) - 1
    }

    /// How wide exponents are while computing: signed, with room for sums of two.
    const fn wide_exponent(self) -> u32 {
        self.exponent + 2
    }

    /// The bit that makes a NaN quiet.
    const fn quiet_bit(self) -> u128 {
        1 << (self.fraction - 1)
    }

    /// The bits of positive infinity.
    const fn infinity(self) -> u128 {
        mask(self.exponent) << self.fraction
    }

    /// The NaN of operations on numbers that have no result.
    const fn default_nan(self) -> u128 {
        mask(self.exponent + 1) << self.fraction | self.quiet_bit()
    }

    fn expect(self, terms: &Terms, number: TermId) {
        assert_eq!(terms.width(number), self.width(), "{number} does not have the width of its format");
    }
}

/// The number with the other sign; of a NaN, too.
pub fn neg(terms: &mut Terms, format: Format, number: TermId) -> TermId {
    format.expect(terms, number);
    let top = format.width() - 1;
    let (sign, size) = (terms.extract(top, top, number), terms.extract(top - 1, 0, number));
    let sign = terms.bvnot(sign);
    terms.concat(sign, size)
}

/// The number without its sign; of a NaN, too.
pub fn abs(terms: &mut Terms, format: Format, number: TermId) -> TermId {
    format.expect(terms, number);
    let size = terms.extract(format.width() - 2, 0, number);
    terms.zero_extend(1, size)
}
