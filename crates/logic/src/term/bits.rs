//! Arithmetic on bit-vectors of up to 128 bits, held in the low bits of a `u128`.
//!
//! Every function takes and gives values whose bits from `width` upwards are zero. Division by zero is what
//! SMT-LIB says: the quotient is all ones, the remainder is the dividend.

/// The widest bit-vector there is.
pub const MAX_WIDTH: u32 = 128;

/// All ones at this width.
#[must_use]
pub const fn mask(width: u32) -> u128 {
    if width >= MAX_WIDTH { u128::MAX } else { (1 << width) - 1 }
}

/// The value with its sign bit alone set.
#[must_use]
pub const fn sign_bit(width: u32) -> u128 {
    1 << (width - 1)
}

/// Whether the sign bit is set.
#[must_use]
pub const fn is_negative(value: u128, width: u32) -> bool {
    value >> (width - 1) & 1 == 1
}

/// The value read as two's complement.
#[must_use]
pub const fn signed(value: u128, width: u32) -> i128 {
    let shift = MAX_WIDTH - width;
    (value << shift).cast_signed() >> shift
}

/// The low bits of a two's complement number.
#[must_use]
pub const fn unsigned(value: i128, width: u32) -> u128 {
    value.cast_unsigned() & mask(width)
}

/// Two's complement negation.
#[must_use]
pub const fn neg(value: u128, width: u32) -> u128 {
    value.wrapping_neg() & mask(width)
}

/// The sum, modulo two to the width.
#[must_use]
pub const fn add(left: u128, right: u128, width: u32) -> u128 {
    left.wrapping_add(right) & mask(width)
}

/// The product, modulo two to the width.
#[must_use]
pub const fn mul(left: u128, right: u128, width: u32) -> u128 {
    left.wrapping_mul(right) & mask(width)
}

/// The unsigned quotient; all ones when the divisor is zero.
#[must_use]
pub const fn udiv(left: u128, right: u128, width: u32) -> u128 {
    match left.checked_div(right) {
        Some(quotient) => quotient,
        None => mask(width),
    }
}

/// The unsigned remainder; the dividend when the divisor is zero.
#[must_use]
pub const fn urem(left: u128, right: u128) -> u128 {
    match left.checked_rem(right) {
        Some(remainder) => remainder,
        None => left,
    }
}

/// Shift to the left; zero when the amount is not below the width.
#[must_use]
pub const fn shl(value: u128, amount: u128, width: u32) -> u128 {
    if amount >= width as u128 { 0 } else { value << amount & mask(width) }
}

/// Shift to the right, filling with zeros.
#[must_use]
pub const fn lshr(value: u128, amount: u128, width: u32) -> u128 {
    if amount >= width as u128 { 0 } else { value >> amount }
}

/// Shift to the right, filling with the sign.
#[must_use]
pub const fn ashr(value: u128, amount: u128, width: u32) -> u128 {
    let amount = if amount >= width as u128 { width as u128 - 1 } else { amount };
    unsigned(signed(value, width) >> amount, width)
}

/// Bits `high` down to `low`, both included.
#[must_use]
pub const fn extract(value: u128, high: u32, low: u32) -> u128 {
    value >> low & mask(high - low + 1)
}

/// `high` above `low`, which is `low_width` wide.
#[must_use]
pub const fn concat(high: u128, low: u128, low_width: u32) -> u128 {
    if low_width >= MAX_WIDTH { low } else { high << low_width | low }
}

/// Whether the unsigned product does not fit the width.
#[must_use]
pub const fn umul_overflows(left: u128, right: u128, width: u32) -> bool {
    match left.checked_mul(right) {
        Some(product) => product > mask(width),
        None => true,
    }
}

/// Whether the signed product does not fit the width.
#[must_use]
pub const fn smul_overflows(left: u128, right: u128, width: u32) -> bool {
    match signed(left, width).checked_mul(signed(right, width)) {
        Some(product) => signed(unsigned(product, width), width) != product,
        None => true,
    }
}

/// The number that times `odd` is one, modulo two to the width. The argument must be odd.
#[must_use]
pub const fn inverse(odd: u128, width: u32) -> u128 {
    // Newton's iteration doubles the number of right bits, from three.
    let mut result = odd;
    let mut right_bits = 3;
    while right_bits < MAX_WIDTH {
        result = result.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(result)));
        right_bits *= 2;
    }
    result & mask(width)
}

/// How many bits the value needs: one more than the position of its highest one, zero for zero.
#[must_use]
pub const fn significant(value: u128) -> u32 {
    MAX_WIDTH - value.leading_zeros()
}

/// Fewer than 2^32 things, counted in a `usize`.
#[must_use]
pub(crate) fn to_u32(count: usize) -> u32 {
    u32::try_from(count).expect("fewer than 2^32")
}

/// A number below 2^32, held in a value.
#[must_use]
pub(crate) fn small(value: u128) -> u32 {
    u32::try_from(value).expect("the caller has checked that the value is small")
}
