//! `printf`'s conversions, as glibc prints them.
//!
//! The arguments lie in an area of slots of eight bytes, in order. What a format asks for that was not passed is
//! outside of the area, and so a fault.

use crate::memory::{Fault, Memory};
use crate::value::{Value, mask, signed, to_f64};

/// The text of a format with its arguments.
pub(crate) fn format(
    memory: &Memory,
    pointer_bits: u8,
    format: Value,
    area: Value,
) -> Result<Vec<u8>, Fault> {
    let format = text(memory, pointer_bits, format, None)?;
    let mut arguments = Arguments { memory, pointer_bits, next: area };
    let mut out = Vec::new();
    let mut rest = format.as_slice();
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        if byte != b'%' {
            out.push(byte);
            continue;
        }
        let (directive, tail) = Directive::parse(rest, &mut arguments)?;
        rest = tail;
        directive.print(&mut arguments, &mut out)?;
    }
    Ok(out)
}

/// The bytes of a C string, at most `limit` of them.
fn text(memory: &Memory, pointer_bits: u8, pointer: Value, limit: Option<usize>) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    while limit.is_none_or(|limit| bytes.len() < limit) {
        let place = pointer.bits.wrapping_add(bytes.len() as u128) & mask(pointer_bits);
        let spot = memory.resolve(Value { bits: place, origin: pointer.origin }, 1)?;
        match memory.read(spot, 1).value.low().to_le_bytes()[0] {
            0 => break,
            byte => bytes.push(byte),
        }
    }
    Ok(bytes)
}

struct Arguments<'m> {
    memory: &'m Memory,
    pointer_bits: u8,
    next: Value,
}

impl Arguments<'_> {
    fn take(&mut self, bytes: u64) -> Result<Value, Fault> {
        let spot = self.memory.resolve(self.next, bytes)?;
        let value = self.memory.read(spot, bytes).value;
        self.next.bits = self.next.bits.wrapping_add(8) & mask(self.pointer_bits);
        Ok(value)
    }

    fn int(&mut self) -> Result<i128, Fault> {
        Ok(signed(self.take(4)?.bits, 32))
    }
}

/// One conversion: `%-08.3lld`.
#[derive(Default)]
struct Directive {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Bytes of an integer argument.
    bytes: u64,
    conversion: u8,
}

impl Directive {
    fn parse<'f>(mut rest: &'f [u8], arguments: &mut Arguments<'_>) -> Result<(Self, &'f [u8]), Fault> {
        let mut this = Self { bytes: 4, ..Self::default() };
        loop {
            match rest.first() {
                Some(b'-') => this.left = true,
                Some(b'+') => this.plus = true,
                Some(b' ') => this.space = true,
                Some(b'#') => this.alternate = true,
                Some(b'0') => this.zero = true,
                _ => break,
            }
            rest = &rest[1..];
        }
        let (width, tail) = number(rest, arguments)?;
        rest = tail;
        if let Some(width) = width {
            this.left |= width < 0;
            this.width = usize::try_from(width.unsigned_abs()).unwrap_or(0).min(WIDEST);
        }
        if let Some((b'.', tail)) = rest.split_first() {
            let (precision, tail) = number(tail, arguments)?;
            rest = tail;
            // A negative precision counts as none.
            this.precision = usize::try_from(precision.unwrap_or(0)).ok().map(|digits| digits.min(WIDEST));
        }
        let long = u64::from(arguments.pointer_bits / 8);
        for (prefix, bytes) in [
            (&b"hh"[..], 1),
            (b"h", 2),
            (b"ll", 8),
            (b"l", long),
            (b"q", 8),
            (b"j", 8),
            (b"z", long),
            (b"t", long),
        ] {
            if let Some(tail) = rest.strip_prefix(prefix) {
                this.bytes = bytes;
                rest = tail;
                break;
            }
        }
        if let Some((&conversion, tail)) = rest.split_first() {
            this.conversion = conversion;
            rest = tail;
        }
        Ok((this, rest))
    }

    fn print(&self, arguments: &mut Arguments<'_>, out: &mut Vec<u8>) -> Result<(), Fault> {
        match self.conversion {
            b'%' => out.push(b'%'),
            b'd' | b'i' => {
                let bits = self.bits();
                let value = signed(arguments.take(self.bytes.max(4))?.bits & mask(bits), bits);
                self.number(sign(value < 0, self), value.unsigned_abs().to_string(), out);
            }
            b'u' | b'o' | b'x' | b'X' => {
                let value = arguments.take(self.bytes.max(4))?.bits & mask(self.bits());
                self.number("", self.digits(value), out);
            }
            b'c' => {
                let byte = arguments.take(4)?.low().to_le_bytes()[0];
                self.pad(&[byte], out);
            }
            b's' => {
                let pointer = arguments.take(u64::from(arguments.pointer_bits / 8))?;
                let bytes = if pointer.bits == 0 {
                    b"(null)".to_vec()
                } else {
                    text(arguments.memory, arguments.pointer_bits, pointer, self.precision)?
                };
                self.pad(&bytes, out);
            }
            b'p' => {
                let pointer = arguments.take(u64::from(arguments.pointer_bits / 8))?;
                let shown =
                    if pointer.bits == 0 { "(nil)".to_owned() } else { format!("{:#x}", pointer.bits) };
                self.pad(shown.as_bytes(), out);
            }
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let value = to_f64(arguments.take(8)?.bits);
                self.float(value, out);
            }
            // glibc prints what it does not know as it stands.
            other => out.extend([b'%', other].iter().filter(|&&byte| byte != 0)),
        }
        Ok(())
    }

    fn bits(&self) -> u8 {
        u8::try_from(self.bytes * 8).unwrap_or(64)
    }

    fn digits(&self, value: u128) -> String {
        match self.conversion {
            b'o' => format!("{}{value:o}", if self.alternate && value != 0 { "0" } else { "" }),
            b'x' => format!("{}{value:x}", if self.alternate && value != 0 { "0x" } else { "" }),
            b'X' => format!("{}{value:X}", if self.alternate && value != 0 { "0X" } else { "" }),
            _ => value.to_string(),
        }
    }

    /// An integer: at least as many digits as the precision says; zeros fill the width unless a precision is given.
    fn number(&self, sign: &str, digits: String, out: &mut Vec<u8>) {
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
        self.pad(zero_filled(sign, prefix, digits, least).as_bytes(), out);
    }

    fn float(&self, value: f64, out: &mut Vec<u8>) {
        let upper = self.conversion.is_ascii_uppercase();
        let sign = sign(value.is_sign_negative(), self);
        let value = value.abs();
        if !value.is_finite() {
            let name = if value.is_nan() { "nan" } else { "inf" };
            let name = if upper { name.to_uppercase() } else { name.to_owned() };
            return self.pad(format!("{sign}{name}").as_bytes(), out);
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
        self.pad(zero_filled(sign, prefix, digits, least).as_bytes(), out);
    }

    fn pad(&self, bytes: &[u8], out: &mut Vec<u8>) {
        let missing = self.width.saturating_sub(bytes.len());
        if !self.left {
            out.extend(std::iter::repeat_n(b' ', missing));
        }
        out.extend_from_slice(bytes);
        if self.left {
            out.extend(std::iter::repeat_n(b' ', missing));
        }
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

/// A decimal number or `*`, which takes an argument.
fn number<'f>(rest: &'f [u8], arguments: &mut Arguments<'_>) -> Result<(Option<i128>, &'f [u8]), Fault> {
    if let Some((b'*', tail)) = rest.split_first() {
        return Ok((Some(arguments.int()?), tail));
    }
    let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (digits, tail) = rest.split_at(length);
    Ok((std::str::from_utf8(digits).ok().and_then(|digits| digits.parse().ok()), tail))
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
    use crate::code::Place;
    use crate::memory::{Creator, GLOBALS, Request};
    use raddle_base::Id;

    /// Formats with the given arguments, each in a slot of eight bytes.
    fn print(directive: &str, arguments: &[u128]) -> String {
        let mut memory = Memory::new(64);
        let mut object = |bytes: &[u8]| {
            let place = Place { function: Id::from_index(0), block: Id::from_index(0), index: 0 };
            let request = Request {
                size: bytes.len() as u64,
                align: 8,
                zeroed: true,
                read_only: false,
                shared: false,
                creator: Creator::Heap(place),
            };
            let (origin, address) = memory.allocate(GLOBALS, request, None).unwrap();
            for (&byte, offset) in bytes.iter().zip(0..) {
                memory.write(crate::memory::Spot { origin, offset }, 1, Value::plain(byte.into()));
            }
            Value { bits: address.into(), origin: Some(origin) }
        };
        let text = object(&[directive.as_bytes(), &[0]].concat());
        let area: Vec<u8> =
            arguments.iter().flat_map(|argument| argument.to_le_bytes()[..8].to_vec()).collect();
        let area = object(&area);
        String::from_utf8(format(&memory, 64, text, area).unwrap()).unwrap()
    }

    #[test]
    fn integers_look_as_in_c() {
        let minus = |value: i64| u128::from(value.cast_unsigned());
        assert_eq!(
            print("%d|%5d|%-5d|%05d|%+d|% d", &[minus(-7), 42, 42, minus(-42), 7, 7]),
            "-7|   42|42   |-0042|+7| 7"
        );
        assert_eq!(
            print("%u %x %X %#x %o %#o", &[minus(-1), 255, 255, 255, 8, 8]),
            "4294967295 ff FF 0xff 10 010"
        );
        assert_eq!(
            print("%ld %hhd %hd %lu", &[minus(-1), 300, 70_000, minus(-1)]),
            "-1 44 4464 18446744073709551615"
        );
        assert_eq!(
            print("%.3d|%8.3d|%.0d|%08.3d|%#010x", &[5, 5, 0, 5, 255]),
            "005|     005||     005|0x000000ff"
        );
        assert_eq!(print("%*d|%-*d|%.*d", &[4, 7, 4, 7, 3, 7]), "   7|7   |007");
        assert_eq!(print("%c%c %%", &[65, 66]), "AB %");
    }

    #[test]
    fn widths_that_no_one_reads_are_cut_and_nothing_panics() {
        assert_eq!(print("%70000d", &[1]).len(), 70_000);
        assert_eq!(print("%.70000d", &[1]).len(), 70_000);
        assert_eq!(print("%.70000f", &[u128::from(0.5_f64.to_bits())]).len(), 70_002);
        assert_eq!(print("%.70000e", &[u128::from(0.5_f64.to_bits())]).len(), 70_006);
        assert_eq!(print("%.70000a", &[u128::from(0.5_f64.to_bits())]).len(), 70_007);
        assert_eq!(print("%.70000g", &[u128::from(0.5_f64.to_bits())]), "0.5");
        assert_eq!(print("%99999999999999999999d", &[1]), "1");
        assert_eq!(print("%2000000000d", &[1]).len(), WIDEST);
        assert_eq!(print("%", &[]), "%");
    }

    #[test]
    fn what_was_not_passed_is_a_fault() {
        let mut memory = Memory::new(64);
        assert!(matches!(format(&memory, 64, Value::ZERO, Value::ZERO), Err(Fault::Null)));
        memory = Memory::new(32);
        assert!(format(&memory, 32, Value::plain(1 << 27), Value::ZERO).is_err());
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
