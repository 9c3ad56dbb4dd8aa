//! Circuits for bit-vector operations. Vectors have the lowest bit first.
//!
//! The choices were measured (see `benches/bitvector.rs`): sums and products by adding up columns of bits with
//! full adders (Wallace 1964, Dadda 1965), whose carry is a single majority gate, so that two operands make a ripple-carry adder;
//! division by restoring steps, each only as wide as the remainder can be by then.

use super::gates::{Gates, Wire};
use crate::term::bits::to_u32;

/// How products are added up. [`Multiplier::Columns`] is what [`Circuits`] uses by default; the others are
/// for comparison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Multiplier {
    /// Row after row, each by a ripple-carry adder.
    ShiftAdd,
    /// Column by column: three bits of a column become one and a carry, oldest bits first (a Wallace tree).
    #[default]
    Columns,
    /// Column by column, newest bits first (a carry-save array).
    Array,
    /// Radix-4 Booth recoding of one factor, then columns.
    Booth,
}

/// How quotients are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Divider {
    /// Compare, subtract, choose.
    #[default]
    Restoring,
    /// Subtract or add, correct at the end.
    NonRestoring,
}

/// Builds circuits out of gates.
#[derive(Debug, Default)]
pub struct Circuits {
    /// The gates built so far.
    pub gates: Gates,
    /// How products are added up.
    pub multiplier: Multiplier,
    /// How quotients are computed.
    pub divider: Divider,
}

/// Bits from the lowest.
pub type Bits = Vec<Wire>;

impl Circuits {
    /// The bits of a constant.
    #[must_use]
    pub fn constant(value: u128, width: u32) -> Bits {
        (0..width).map(|position| Wire::constant(value >> position & 1 == 1)).collect()
    }

    /// All bits negated.
    #[must_use]
    pub fn not(a: &[Wire]) -> Bits {
        a.iter().map(|&wire| !wire).collect()
    }

    /// Bit by bit.
    pub fn zip(&mut self, a: &[Wire], b: &[Wire], gate: fn(&mut Gates, Wire, Wire) -> Wire) -> Bits {
        a.iter().zip(b).map(|(&a, &b)| gate(&mut self.gates, a, b)).collect()
    }

    /// If `condition` then `a` else `b`.
    pub fn choose(&mut self, condition: Wire, a: &[Wire], b: &[Wire]) -> Bits {
        a.iter().zip(b).map(|(&a, &b)| self.gates.mux(condition, a, b)).collect()
    }

    /// Whether all bits agree.
    pub fn equal(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let same: Bits = a.iter().zip(b).map(|(&a, &b)| !self.gates.xor(a, b)).collect();
        self.gates.and_all(&same)
    }

    /// Unsigned less-than: the borrow of a subtraction.
    pub fn less(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        // A borrow from bit to bit: at least two of "a is zero", "b is one" and "a borrow came from below".
        a.iter().zip(b).fold(Wire::FALSE, |below, (&a, &b)| self.gates.majority(!a, b, below))
    }

    /// Signed less-than: as unsigned, with the sign bits exchanged.
    pub fn signed_less(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let top = a.len() - 1;
        // Of two numbers of different signs the one with the sign bit is the smaller, which is a majority
        // with the roles exchanged.
        let below = self.less(&a[..top], &b[..top]);
        self.gates.majority(a[top], !b[top], below)
    }

    /// The sum and the carry out of it.
    pub fn add(&mut self, a: &[Wire], b: &[Wire], carry: Wire) -> (Bits, Wire) {
        let mut carry = carry;
        let sum = a
            .iter()
            .zip(b)
            .map(|(&a, &b)| {
                let (sum, next) = self.gates.full_adder(a, b, carry);
                carry = next;
                sum
            })
            .collect();
        (sum, carry)
    }

    /// The sum of some vectors, of which those with `true` are subtracted.
    pub fn sum(&mut self, width: usize, summands: &[(Bits, bool)]) -> Bits {
        // All summands go into the same columns: a carry-save tree over all bits is shorter than one adder
        // after the other.
        let mut columns = vec![Vec::new(); width];
        for (bits, subtract) in summands {
            for (column, wire) in columns.iter_mut().zip(bits) {
                column.push(wire.xor(*subtract));
            }
            // Minus x is the complement of x, plus one.
            if *subtract {
                columns[0].push(Wire::TRUE);
            }
        }
        self.add_columns(columns)
    }

    /// Two's complement negation.
    pub fn negate(&mut self, a: &[Wire]) -> Bits {
        let zero = vec![Wire::FALSE; a.len()];
        self.add(&zero, &Self::not(a), Wire::TRUE).0
    }

    /// The product, as wide as the factors.
    pub fn multiply(&mut self, a: &[Wire], b: &[Wire]) -> Bits {
        let constants = |wires: &[Wire]| wires.iter().filter(|wire| wire.is_constant()).count();
        // Rows are made from the factor of which more is known.
        let (a, b) = if constants(a) > constants(b) { (b, a) } else { (a, b) };
        if b.iter().all(|wire| wire.is_constant()) {
            return self.multiply_constant(a, b);
        }
        match self.multiplier {
            Multiplier::ShiftAdd => self.multiply_rows(a, b),
            Multiplier::Columns | Multiplier::Array => {
                let width = a.len();
                let mut columns = vec![Vec::new(); width];
                // A partial product per pair of bits; what would be above the width is dropped before it is
                // made.
                for (shift, &bit) in b.iter().enumerate() {
                    for (position, &wire) in a[..width - shift].iter().enumerate() {
                        columns[shift + position].push(self.gates.and(wire, bit));
                    }
                }
                self.add_columns(columns)
            }
            Multiplier::Booth => self.multiply_booth(a, b),
        }
    }

    fn multiply_rows(&mut self, a: &[Wire], b: &[Wire]) -> Bits {
        let width = a.len();
        let mut sum = vec![Wire::FALSE; width];
        for (shift, &bit) in b.iter().enumerate() {
            let row: Bits = a[..width - shift].iter().map(|&wire| self.gates.and(wire, bit)).collect();
            let (high, _) = self.add(&sum[shift..], &row, Wire::FALSE);
            sum.truncate(shift);
            sum.extend(high);
        }
        sum
    }

    /// By the signed digits of the constant, of which no two neighbours are both not zero.
    fn multiply_constant(&mut self, a: &[Wire], constant: &[Wire]) -> Bits {
        let width = a.len();
        let mut columns = vec![Vec::new(); width];
        // Non-adjacent form: a run of ones from i to j is 2^(j+1) - 2^i, so it takes two rows and not one for
        // each bit.
        let mut carry = false;
        for position in 0..width {
            let bit = constant[position] == Wire::TRUE;
            let next = position + 1 < width && constant[position + 1] == Wire::TRUE;
            // The digit is one, minus one or zero; minus one carries.
            let digit = bit != carry;
            let negative = digit && next;
            carry = if digit { next } else { bit && carry };
            if digit {
                // A digit of minus one adds the complement of the row, and a one at its lowest bit.
                for (offset, &wire) in a[..width - position].iter().enumerate() {
                    columns[position + offset].push(wire.xor(negative));
                }
                if negative {
                    columns[position].push(Wire::TRUE);
                    // The row is cut at the width, and the complement with it. Modulo two to the width that
                    // is the same.
                }
            }
        }
        self.add_columns(columns)
    }

    /// Radix-4 digits -2..2 of `b`, each of which selects a row.
    fn multiply_booth(&mut self, a: &[Wire], b: &[Wire]) -> Bits {
        let width = a.len();
        let mut columns = vec![Vec::new(); width];
        for position in (0..width).step_by(2) {
            // Three neighbouring bits, overlapping by one, make a digit: -2·high + low + below.
            let below = if position == 0 { Wire::FALSE } else { b[position - 1] };
            let (low, high) = (b[position], b.get(position + 1).copied().unwrap_or(Wire::FALSE));
            let one = self.gates.xor(low, below);
            let same = !one;
            let differs = self.gates.xor(high, low);
            let two = self.gates.and(same, differs);
            for offset in 0..width - position {
                let plain = self.gates.and(one, a[offset]);
                // Twice the row is the row shifted by one.
                let shifted = if offset == 0 { Wire::FALSE } else { self.gates.and(two, a[offset - 1]) };
                let size = self.gates.or(plain, shifted);
                // `high` says that the digit is negative (or that it is minus zero, which comes to zero too):
                // complement, and one added below.
                let wire = self.gates.xor(size, high);
                columns[position + offset].push(wire);
            }
            columns[position].push(high);
        }
        self.add_columns(columns)
    }

    /// The sum of bits given by the position they count for. The order in which they are given does not matter:
    /// the same bits give the same gates, however the sum or product was written.
    fn add_columns(&mut self, mut columns: Vec<Bits>) -> Bits {
        let width = columns.len();
        // Gates are hashed by their inputs. Sorted columns make the same adders of the same bits, whatever
        // the order of the operands was.
        columns.iter_mut().for_each(|column| column.sort_unstable());
        let newest_first = self.multiplier == Multiplier::Array;
        let mut sum = Vec::with_capacity(width);
        for position in 0..width {
            let mut column = std::mem::take(&mut columns[position]);
            // Constants are counted and not added: an adder with a known input is none.
            let ones = column.iter().filter(|&&wire| wire == Wire::TRUE).count();
            column.retain(|wire| !wire.is_constant());
            // Two ones are a one in the next column.
            column.extend(std::iter::repeat_n(Wire::TRUE, ones % 2));
            let mut carries: Bits = vec![Wire::TRUE; ones / 2];
            let mut start = 0;
            while column.len() - start > 1 {
                // Carries of this column go to the next one and what is left comes back to this one, until
                // there is one bit.
                let third = |column: &[Wire]| column.len() - start > 2;
                let (a, b, c);
                if newest_first {
                    c = if third(&column) { column.pop().expect("three are left") } else { Wire::FALSE };
                    b = column.pop().expect("two are left");
                    a = column.pop().expect("two are left");
                } else {
                    (a, b) = (column[start], column[start + 1]);
                    c = if third(&column) { column[start + 2] } else { Wire::FALSE };
                    start += if third(&column) { 3 } else { 2 };
                }
                let (bit, carry) = self.gates.full_adder(a, b, c);
                column.push(bit);
                carries.push(carry);
            }
            // What is carried out of the highest column is lost: sums wrap.
            sum.push(column.get(start).copied().unwrap_or(Wire::FALSE));
            if position + 1 < width {
                columns[position + 1].extend(carries);
            }
        }
        sum
    }

    /// Quotient and remainder; of a division by zero, all ones and the dividend.
    pub fn divide(&mut self, a: &[Wire], b: &[Wire]) -> (Bits, Bits) {
        match self.divider {
            Divider::Restoring => self.divide_restoring(a, b),
            Divider::NonRestoring => self.divide_non_restoring(a, b),
        }
    }

    fn divide_restoring(&mut self, a: &[Wire], b: &[Wire]) -> (Bits, Bits) {
        let width = a.len();
        // Whether all bits of the divisor from a position upwards are zero.
        let mut zero_above = vec![Wire::TRUE; width + 1];
        for position in (0..width).rev() {
            zero_above[position] = self.gates.and(zero_above[position + 1], !b[position]);
        }
        let mut quotient = vec![Wire::FALSE; width];
        let mut remainder: Bits = Vec::new();
        for step in 0..width {
            // After this many steps the remainder has at most this many bits.
            // The remainder is shifted up, and the next bit of the dividend comes in.
            remainder.insert(0, a[width - 1 - step]);
            let divisor = Self::not(&b[..=step]);
            // The carry out of the subtraction is one exactly if the part of the divisor that was looked at
            // fits.
            let (difference, fits) = self.add(&remainder, &divisor, Wire::TRUE);
            // The divisor may have ones further up, where the remainder has no bits yet: then it does not
            // fit.
            let bit = self.gates.and(fits, zero_above[step + 1]);
            quotient[width - 1 - step] = bit;
            remainder = self.choose(bit, &difference, &remainder);
        }
        (quotient, remainder)
    }

    fn divide_non_restoring(&mut self, a: &[Wire], b: &[Wire]) -> (Bits, Bits) {
        let width = a.len();
        let mut divisor = b.to_vec();
        divisor.push(Wire::FALSE);
        let mut quotient = vec![Wire::FALSE; width];
        // Signed, one bit wider than the divisor.
        let mut remainder = vec![Wire::FALSE; width + 1];
        let mut subtract = Wire::TRUE;
        // A negative remainder is not put right at once: the divisor is added in the next step instead of
        // subtracted, which comes to the same.
        for step in 0..width {
            remainder.pop();
            remainder.insert(0, a[width - 1 - step]);
            let operand: Bits = divisor.iter().map(|&wire| self.gates.xor(wire, subtract)).collect();
            (remainder, _) = self.add(&remainder, &operand, subtract);
            subtract = !remainder[width];
            quotient[width - 1 - step] = subtract;
        }
        // Only the last remainder must not be negative.
        let negative = remainder[width];
        let back: Bits = b.iter().map(|&wire| self.gates.and(wire, negative)).collect();
        let (remainder, _) = self.add(&remainder[..width], &back, Wire::FALSE);
        (quotient, remainder)
    }

    /// A shift by a variable amount: positions shifted by one, two, four … as the amount's bits say.
    ///
    /// `left` is the direction; `fill` comes in.
    pub fn shift(&mut self, a: &[Wire], amount: &[Wire], left: bool, fill: Wire) -> Bits {
        let width = a.len();
        let stages = (usize::BITS - (width - 1).leading_zeros()) as usize;
        let mut result = a.to_vec();
        for (stage, &bit) in amount.iter().enumerate().take(stages) {
            let distance = 1 << stage;
            result = (0..width)
                .map(|position| {
                    let source =
                        if left { position.checked_sub(distance) } else { Some(position + distance) };
                    let moved = source.and_then(|source| result.get(source)).copied().unwrap_or(fill);
                    self.gates.mux(bit, moved, result[position])
                })
                .collect();
        }
        // Any higher bit of the amount shifts everything out.
        let out = self.gates.or_all(amount.get(stages..).unwrap_or(&[]));
        result.iter().map(|&wire| self.gates.mux(out, fill, wire)).collect()
    }

    /// Whether a bit of `a` and a bit of `b` are set whose positions add up to `sum` at least.
    fn reaches(&mut self, a: &[Wire], b: &[Wire], sum: usize) -> Wire {
        let mut found = Vec::new();
        // Whether some bit of `b` from a position upwards is set.
        let mut above = vec![Wire::FALSE; b.len() + 1];
        for position in (0..b.len()).rev() {
            above[position] = self.gates.or(above[position + 1], b[position]);
        }
        for (position, &bit) in a.iter().enumerate() {
            if let Some(&rest) = above.get(sum.saturating_sub(position)) {
                found.push(self.gates.and(bit, rest));
            }
        }
        self.gates.or_all(&found)
    }

    /// Whether the unsigned product does not fit. Either two high bits give it away, or the product has one
    /// bit more than the factors at most.
    pub fn umul_overflows(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let width = a.len();
        let early = self.reaches(a, b, width);
        // No two high bits: then the product is below two to the width + 1, so one bit more is enough to see
        // it.
        let (mut wide_a, mut wide_b) = (a.to_vec(), b.to_vec());
        wide_a.push(Wire::FALSE);
        wide_b.push(Wire::FALSE);
        let product = self.multiply(&wide_a, &wide_b);
        self.gates.or(early, product[width])
    }

    /// Whether the signed product does not fit: as for unsigned, with bits that differ from the sign.
    pub fn smul_overflows(&mut self, a: &[Wire], b: &[Wire]) -> Wire {
        let width = a.len();
        let top = width - 1;
        // Of a negative number, the complement: bits that differ from the sign are those that make it large.
        let flip = |circuits: &mut Self, bits: &[Wire]| -> Bits {
            bits[..top].iter().map(|&wire| circuits.gates.xor(wire, bits[top])).collect()
        };
        let (size_a, size_b) = (flip(self, a), flip(self, b));
        let early = self.reaches(&size_a, &size_b, top);
        let (mut wide_a, mut wide_b) = (a.to_vec(), b.to_vec());
        wide_a.push(a[top]);
        wide_b.push(b[top]);
        let product = self.multiply(&wide_a, &wide_b);
        let late = self.gates.xor(product[width], product[top]);
        self.gates.or(early, late)
    }

    /// How wide a vector is.
    #[must_use]
    pub fn width(bits: &[Wire]) -> u32 {
        to_u32(bits.len())
    }
}
