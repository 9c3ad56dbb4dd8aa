//! `printf`'s conversions of numbers, as glibc prints them.
//!
//! The models read formats and arguments; what is left for here is a function of a number and its directive.

use crate::value::mask;

/// One conversion: `%-08.3lld`.
pub(crate) struct Directive {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    negative: bool,
    width: usize,
    precision: Option<usize>,
    conversion: u8,
}

/// Flags of a specification, above the conversion's letter; `models/print.c` has the same.
const LEFT: u128 = 0x100;
const PLUS: u128 = 0x200;
const SPACE: u128 = 0x400;
const ALTERNATE: u128 = 0x800;
const ZERO: u128 = 0x1000;
const NEGATIVE: u128 = 0x2000;

impl Directive {
    /// A directive from its specification; a negative width is one to the left, a negative precision is none.
    pub(crate) fn new(specification: u128, width: i128, precision: i128) -> Self {
        let has = |flag: u128| specification & flag != 0;
        Self {
            left: has(LEFT) || width < 0,
            plus: has(PLUS),
            space: has(SPACE),
            alternate: has(ALTERNATE),
            zero: has(ZERO),
            negative: has(NEGATIVE),
            width: usize::try_from(width.unsigned_abs()).unwrap_or(0).min(WIDEST),
            precision: usize::try_from(precision).ok().map(|digits| digits.min(WIDEST)),
            conversion: specification.to_le_bytes()[0],
        }
    }

    /// An integer, given by its magnitude.
    pub(crate) fn integer(&self, magnitude: u128) -> Vec<u8> {
        let magnitude = magnitude & mask(64);
        let signed = matches!(self.conversion, b'd' | b'i');
        self.number(if signed { sign(self.negative, self) } else { "" }, self.digits(magnitude))
    }

    /// A pointer.
    pub(crate) fn pointer(&self, address: u128) -> Vec<u8> {
        let shown = if address == 0 { "(nil)".to_owned() } else { format!("{address:#x}") };
        self.pad(shown.as_bytes())
    }

    fn digits(&self, value: u128) -> String {
        match self.conversion {
            b'o' => format!("{value:o}"),
            b'x' => format!("{}{value:x}", if self.alternate && value != 0 { "0x" } else { "" }),
            b'X' => format!("{}{value:X}", if self.alternate && value != 0 { "0X" } else { "" }),
            _ => value.to_string(),
        }
    }

    /// An integer: at least as many digits as the precision says; zeros fill the width unless a precision is given.
    fn number(&self, sign: &str, digits: String) -> Vec<u8> {
        let (prefix, digits) = match digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")) {
            Some(rest) if self.alternate => (&digits[..2], rest),
            _ => ("", digits.as_str()),
        };
        let digits = if self.precision == Some(0) && digits == "0" { "" } else { digits };
        let least = match self.precision {
            Some(precision) => precision,
            None if self.zero && !self.left => self.width.saturating_sub(sign.len() + prefix.len()),
            None => 0,
        };
        // An octal number that is to look like one begins with a zero.
        let marked = self.conversion == b'o' && self.alternate && !digits.starts_with('0');
        let least = if marked { least.max(digits.len() + 1) } else { least };
        self.pad(zero_filled(sign, prefix, digits, least).as_bytes())
    }

    /// A floating number.
    pub(crate) fn float(&self, value: f64) -> Vec<u8> {
        let upper = self.conversion.is_ascii_uppercase();
        let sign = sign(value.is_sign_negative(), self);
        let value = value.abs();
        if !value.is_finite() {
            let name = if value.is_nan() { "nan" } else { "inf" };
            let name = if upper { name.to_uppercase() } else { name.to_owned() };
            return self.pad(format!("{sign}{name}").as_bytes());
        }
        let mut digits = match self.conversion.to_ascii_lowercase() {
            b'f' => fixed(value, self.precision.unwrap_or(6), self.alternate),
            b'e' => exponential(value, self.precision.unwrap_or(6), self.alternate),
            b'a' => hexadecimal(value, self.precision),
            _ => general(value, self.precision.unwrap_or(6).max(1), self.alternate),
        };
        if upper {
            digits = digits.to_uppercase();
        }
        let least = if self.zero && !self.left { self.width.saturating_sub(sign.len()) } else { 0 };
        // The zeros of a hexadecimal number go behind its prefix.
        let (prefix, digits) = match self.conversion {
            b'a' | b'A' => digits.split_at(2),
            _ => ("", digits.as_str()),
        };
        let least = least.saturating_sub(prefix.len());
        self.pad(zero_filled(sign, prefix, digits, least).as_bytes())
    }

    fn pad(&self, bytes: &[u8]) -> Vec<u8> {
        let mut blanks = vec![b' '; self.width.saturating_sub(bytes.len())];
        if self.left {
            return [bytes, &blanks].concat();
        }
        blanks.extend_from_slice(bytes);
        blanks
    }
}

/// Rust's own formatting refuses widths that do not fit 16 bits, which C allows.
fn zero_filled(sign: &str, prefix: &str, digits: &str, least: usize) -> String {
    let zeros = "0".repeat(least.saturating_sub(digits.len()));
    format!("{sign}{prefix}{zeros}{digits}")
}

/// Wider fields are cut: what people look at is narrower, and a format from outside must not take all memory.
const WIDEST: usize = 1 << 20;

/// Digits of a double beyond this many are zeros: it has at most 1074 behind the point.
const DIGITS: usize = 1100;

fn sign(negative: bool, directive: &Directive) -> &'static str {
    match (negative, directive.plus, directive.space) {
        (true, ..) => "-",
        (false, true, _) => "+",
        (false, false, true) => " ",
        (false, false, false) => "",
    }
}

fn fixed(value: f64, precision: usize, point: bool) -> String {
    let exact = precision.min(DIGITS);
    let zeros = "0".repeat(precision - exact);
    format!("{value:.exact$}{zeros}{}", if point && precision == 0 { "." } else { "" })
}

fn exponential(value: f64, precision: usize, point: bool) -> String {
    let exact = precision.min(DIGITS);
    let zeros = "0".repeat(precision - exact);
    let text = format!("{value:.exact$e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let (sign, exponent) = exponent.strip_prefix('-').map_or(('+', exponent), |rest| ('-', rest));
    format!("{digits}{zeros}{}e{sign}{exponent:0>2}", if point && precision == 0 { "." } else { "" })
}

/// `%g`: the shorter of the two, without trailing zeros unless `#` asks for them.
fn general(value: f64, precision: usize, keep: bool) -> String {
    let rounded = format!("{value:.*e}", (precision - 1).min(DIGITS));
    let exponent: i64 = rounded.split_once('e').and_then(|(_, exponent)| exponent.parse().ok()).unwrap_or(0);
    let digits = i64::try_from(precision).unwrap_or(i64::MAX);
    let trim = |text: String| {
        if keep || !text.contains('.') {
            text
        } else {
            text.trim_end_matches('0').trim_end_matches('.').to_owned()
        }
    };
    if exponent < -4 || exponent >= digits {
        let text = exponential(value, precision - 1, keep);
        match text.split_once('e') {
            Some((mantissa, exponent)) => format!("{}e{exponent}", trim(mantissa.to_owned())),
            None => text,
        }
    } else {
        let decimals = usize::try_from(digits - 1 - exponent).unwrap_or(0);
        trim(fixed(value, decimals, keep))
    }
}

/// `%a`: the bits of the number, in hexadecimal.
fn hexadecimal(value: f64, precision: Option<usize>) -> String {
    const FRACTION_BITS: u32 = 52;
    let bits = value.to_bits();
    let mut fraction = bits & ((1 << FRACTION_BITS) - 1);
    let biased = bits >> FRACTION_BITS & 0x7ff;
    let mut lead = u64::from(biased != 0);
    let exponent = match (biased, fraction) {
        (0, 0) => 0,
        (0, _) => -1022,
        _ => i64::try_from(biased).unwrap_or(0) - 1023,
    };
    let mut digits = 13;
    if let Some(precision) = precision.filter(|&precision| precision < digits) {
        // Round half to even at the last digit kept.
        let dropped = u32::try_from((digits - precision) * 4).unwrap_or(FRACTION_BITS);
        let whole = (lead << FRACTION_BITS) | fraction;
        let (kept, rest, half) = (whole >> dropped, whole & ((1 << dropped) - 1), 1_u64 << (dropped - 1));
        let kept = kept + u64::from(rest > half || (rest == half && kept & 1 == 1));
        lead = kept >> (FRACTION_BITS - dropped);
        fraction = kept & ((1 << (FRACTION_BITS - dropped)) - 1);
        digits = precision;
    }
    let mut hex = if digits == 0 { String::new() } else { format!("{fraction:0digits$x}") };
    match precision {
        None => hex = hex.trim_end_matches('0').to_owned(),
        Some(precision) => hex.push_str(&"0".repeat(precision.saturating_sub(hex.len()))),
    }
    let point = if hex.is_empty() { "" } else { "." };
    format!("0x{lead}{point}{hex}p{exponent:+}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spec(conversion: char, flags: u128) -> u128 {
        u128::from(u32::from(conversion)) | flags
    }

    fn integer(conversion: char, flags: u128, width: i128, precision: i128, magnitude: u128) -> String {
        String::from_utf8(Directive::new(spec(conversion, flags), width, precision).integer(magnitude))
            .unwrap()
    }

    fn float(conversion: char, precision: i128, value: f64) -> String {
        String::from_utf8(Directive::new(spec(conversion, 0), 0, precision).float(value)).unwrap()
    }

    #[test]
    fn integers_look_as_in_c() {
        assert_eq!(integer('d', NEGATIVE, 0, -1, 7), "-7");
        assert_eq!(integer('d', 0, 5, -1, 42), "   42");
        assert_eq!(integer('d', LEFT, 5, -1, 42), "42   ");
        assert_eq!(integer('d', 0, -5, -1, 42), "42   ");
        assert_eq!(integer('d', ZERO | NEGATIVE, 5, -1, 42), "-0042");
        assert_eq!(integer('d', PLUS, 0, -1, 7), "+7");
        assert_eq!(integer('d', SPACE, 0, -1, 7), " 7");
        assert_eq!(integer('x', ALTERNATE, 0, -1, 255), "0xff");
        assert_eq!(integer('X', 0, 0, -1, 255), "FF");
        assert_eq!(integer('o', ALTERNATE, 0, -1, 8), "010");
        assert_eq!(integer('d', 0, 8, 3, 5), "     005");
        assert_eq!(integer('d', 0, 0, 0, 0), "");
        assert_eq!(integer('d', ZERO, 8, 3, 5), "     005");
        assert_eq!(integer('x', ZERO | ALTERNATE, 10, -1, 255), "0x000000ff");
    }

    #[test]
    fn octal_numbers_begin_with_a_zero_when_asked() {
        assert_eq!(integer('o', ALTERNATE, 0, 5, 8), "00010");
        assert_eq!(integer('o', ALTERNATE, 0, 2, 8), "010");
        assert_eq!(integer('o', ALTERNATE, 0, 0, 0), "0");
        assert_eq!(integer('o', ALTERNATE, 0, -1, 0), "0");
    }

    #[test]
    fn widths_that_no_one_reads_are_cut_and_nothing_panics() {
        assert_eq!(integer('d', 0, 70_000, -1, 1).len(), 70_000);
        assert_eq!(integer('d', 0, 0, 70_000, 1).len(), 70_000);
        assert_eq!(float('f', 70_000, 0.5).len(), 70_002);
        assert_eq!(float('e', 70_000, 0.5).len(), 70_006);
        assert_eq!(float('a', 70_000, 0.5).len(), 70_007);
        assert_eq!(float('g', 70_000, 0.5), "0.5");
        assert_eq!(integer('d', 0, 2_000_000_000, -1, 1).len(), WIDEST);
    }

    #[test]
    fn pointers_look_as_in_glibc() {
        assert_eq!(Directive::new(spec('p', 0), 0, -1).pointer(0), b"(nil)");
        assert_eq!(Directive::new(spec('p', 0), 6, -1).pointer(0x1f), b"  0x1f");
    }

    #[test]
    fn floating_numbers_look_as_in_c() {
        assert_eq!(fixed(2.5, 0, false), "2");
        assert_eq!(exponential(12345.678, 3, false), "1.235e+04");
        assert_eq!(exponential(1e-300, 2, false), "1.00e-300");
        assert_eq!(general(100_000.0, 6, false), "100000");
        assert_eq!(general(1_000_000.0, 6, false), "1e+06");
        assert_eq!(general(0.000_123_4, 6, false), "0.0001234");
        assert_eq!(general(0.0, 6, false), "0");
        assert_eq!(hexadecimal(1.0, None), "0x1p+0");
        assert_eq!(hexadecimal(3.5, None), "0x1.cp+1");
        assert_eq!(hexadecimal(1.999, Some(1)), "0x2.0p+0");
    }
}
