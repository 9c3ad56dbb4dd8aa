//! The values of literals, from their spelling.
//!
//! The text given is that of a token, so it may hold line splices. What gcc rejects is an error here, in words
//! close to gcc's; what gcc only warns about (a constant too large for every type, an escape out of range, a
//! constant of several characters) gets gcc's value.

use std::borrow::Cow;

use crate::ast::{Encoding, StringLiteral};
use crate::layout::DataModel;
use crate::lexer::{decode_utf8, without_splices};
use crate::types::FloatKind;

/// An integer constant, before its type is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerLiteral {
    /// The value, which fits in 64 bits.
    pub value: u128,
    /// Whether it is decimal (decides which types are tried).
    pub decimal: bool,
    /// `u`
    pub unsigned: bool,
    /// `l` is 1, `ll` is 2
    pub longs: u8,
    /// `i` or `j`
    pub imaginary: bool,
    /// The written value does not fit in 64 bits: gcc warns "integer constant is too large for its type" and
    /// keeps the low 64 bits, as `value` does.
    pub too_large: bool,
}

/// A floating constant.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatLiteral {
    /// Without suffix.
    pub spelling: String,
    /// Rounded to the nearest `double`; that of a `float` to the nearest `float`. Infinite when out of range.
    pub value: f64,
    /// Its type, from the suffix.
    pub kind: FloatKind,
    /// `i` or `j`
    pub imaginary: bool,
}

/// What is wrong with a literal: one line, lower case.
pub type LiteralError = String;

/// Reads an integer constant.
pub fn integer(text: &[u8]) -> Result<IntegerLiteral, LiteralError> {
    let text = without_splices(text);
    let (base, digits) = match &*text {
        [b'0', b'x' | b'X', rest @ ..] if starts_with(rest, u8::is_ascii_hexdigit) => (16, rest),
        [b'0', b'b' | b'B', rest @ ..] if starts_with(rest, |byte| matches!(byte, b'0' | b'1')) => (2, rest),
        [b'0', ..] => (8, &text[..]),
        _ => (10, &text[..]),
    };
    let count = digits
        .iter()
        .take_while(|byte| if base == 16 { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() })
        .count();
    let (digits, suffix) = digits.split_at(count);
    let (mut value, mut too_large) = (0_u64, false);
    for &byte in digits {
        let digit = hex_value(byte);
        if digit >= base {
            let kind = if base == 2 { "binary" } else { "octal" };
            return Err(format!("invalid digit \"{}\" in {kind} constant", char::from(byte)));
        }
        let next = value.checked_mul(u64::from(base)).and_then(|value| value.checked_add(u64::from(digit)));
        too_large |= next.is_none();
        value = value.wrapping_mul(u64::from(base)).wrapping_add(u64::from(digit));
    }
    let (unsigned, longs, imaginary) = integer_suffix(suffix).ok_or_else(|| {
        format!("invalid suffix \"{}\" on integer constant", String::from_utf8_lossy(suffix))
    })?;
    Ok(IntegerLiteral { value: value.into(), decimal: base == 10, unsigned, longs, imaginary, too_large })
}

fn starts_with(text: &[u8], class: impl Fn(&u8) -> bool) -> bool {
    text.first().is_some_and(class)
}

/// The value of a hexadecimal digit.
fn hex_value(byte: u8) -> u32 {
    char::from(byte).to_digit(16).unwrap_or(0)
}

/// Unsigned, how many `l`, imaginary. As gcc, in any order; two `l` stand together and have one case.
fn integer_suffix(suffix: &[u8]) -> Option<(bool, u8, bool)> {
    let (mut unsigned, mut longs, mut imaginary) = (0_u8, 0_u8, 0_u8);
    let mut previous = 0;
    for &byte in suffix {
        let count = match byte {
            b'u' | b'U' => &mut unsigned,
            b'l' | b'L' if longs == 1 && previous != byte => return None,
            b'l' | b'L' => &mut longs,
            b'i' | b'I' | b'j' | b'J' => &mut imaginary,
            _ => return None,
        };
        *count = count.saturating_add(1);
        previous = byte;
    }
    (unsigned <= 1 && longs <= 2 && imaginary <= 1).then_some((unsigned == 1, longs, imaginary == 1))
}

/// Reads a floating constant.
pub fn float(text: &[u8]) -> Result<FloatLiteral, LiteralError> {
    let text = without_splices(text);
    let hexadecimal = matches!(&*text, [b'0', b'x' | b'X', ..]);
    if matches!(&*text, [b'0', b'b' | b'B', ..]) {
        return Err("invalid prefix \"0b\" for floating constant".to_owned());
    }
    let end = float_end(&text, hexadecimal)?;
    let (number, suffix) = text.split_at(end);
    let (kind, imaginary) = float_suffix(suffix)?;
    let decimal_kind = matches!(kind, FloatKind::Decimal32 | FloatKind::Decimal64 | FloatKind::Decimal128);
    if hexadecimal && decimal_kind {
        let suffix = String::from_utf8_lossy(suffix);
        return Err(format!("invalid suffix \"{suffix}\" with hexadecimal floating constant"));
    }
    let spelling = String::from_utf8_lossy(number).into_owned();
    let single = matches!(kind, FloatKind::Float | FloatKind::Float32);
    let value = if hexadecimal {
        hexadecimal_value(number, if single { SINGLE } else { DOUBLE })
    } else if single {
        f64::from(spelling.parse::<f32>().map_err(|error| error.to_string())?)
    } else {
        spelling.parse().map_err(|error: std::num::ParseFloatError| error.to_string())?
    };
    Ok(FloatLiteral { spelling, value, kind, imaginary })
}

/// Two decimal constants of which one is below and one above what a decimal constant is as `long double`, close by: if both are the
/// same as `double`, so is it, though it is rounded twice.
#[must_use]
pub fn around_extended(spelling: &str) -> Option<(String, String)> {
    // One unit of the last digit is more than half of the last bit of 64.
    const DIGITS: usize = 19;
    let (mantissa, exponent) = spelling.split_once(['e', 'E']).unwrap_or((spelling, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    let digits = digits.trim_start_matches('0');
    let exponent = exponent.parse::<i64>().ok()?.checked_sub(i64::try_from(fraction.len()).ok()?)?;
    if digits.is_empty() {
        return Some(("0.0".to_owned(), "0.0".to_owned()));
    }
    let first: u64 = format!("{digits:0<DIGITS$.DIGITS$}").parse().ok()?;
    let exponent = exponent + i64::try_from(digits.len()).ok()? - i64::try_from(DIGITS).ok()?;
    Some((format!("{}e{exponent}", first - 1), format!("{}e{exponent}", first + 2)))
}

/// Where the number ends and the suffix begins.
fn float_end(text: &[u8], hexadecimal: bool) -> Result<usize, LiteralError> {
    let is_digit = |byte: &u8| if hexadecimal { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let begin = if hexadecimal { 2 } else { 0 };
    let mantissa = text[begin..].iter().take_while(|byte| is_digit(byte) || **byte == b'.').count();
    let mut end = begin + mantissa;
    let points = text[begin..end].iter().filter(|&&byte| byte == b'.').count();
    if points > 1 {
        return Err("too many decimal points in number".to_owned());
    }
    if hexadecimal && mantissa == points {
        return Err("no digits in hexadecimal floating constant".to_owned());
    }
    let marks: &[u8] = if hexadecimal { b"pP" } else { b"eE" };
    if text.get(end).is_some_and(|byte| marks.contains(byte)) {
        end += 1;
        if matches!(text.get(end), Some(b'+' | b'-')) {
            end += 1;
        }
        let digits = text[end..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if digits == 0 {
            return Err("exponent has no digits".to_owned());
        }
        end += digits;
    } else if hexadecimal {
        return Err("hexadecimal floating constants require an exponent".to_owned());
    }
    Ok(end)
}

fn float_suffix(suffix: &[u8]) -> Result<(FloatKind, bool), LiteralError> {
    let is_imaginary = |byte: &u8| matches!(byte, b'i' | b'I' | b'j' | b'J');
    let (rest, imaginary) = match suffix {
        [rest @ .., last] if is_imaginary(last) => (rest, true),
        [first, rest @ ..] if is_imaginary(first) => (rest, true),
        _ => (suffix, false),
    };
    let kind = match rest {
        b"" | b"d" | b"D" => FloatKind::Double,
        b"f" | b"F" => FloatKind::Float,
        b"l" | b"L" => FloatKind::LongDouble,
        b"w" | b"W" => FloatKind::Float80,
        b"q" | b"Q" | b"f128" | b"F128" => FloatKind::Float128,
        b"f16" | b"F16" => FloatKind::Float16,
        b"f32" | b"F32" => FloatKind::Float32,
        b"f64" | b"F64" => FloatKind::Float64,
        b"f32x" | b"F32x" => FloatKind::Float32x,
        b"f64x" | b"F64x" => FloatKind::Float64x,
        b"df" | b"DF" if !imaginary => FloatKind::Decimal32,
        b"dd" | b"DD" if !imaginary => FloatKind::Decimal64,
        b"dl" | b"DL" if !imaginary => FloatKind::Decimal128,
        b"f128x" | b"F128x" => return Err("unsupported suffix \"f128x\" on floating constant".to_owned()),
        b"k" | b"K" | b"r" | b"R" | b"hk" | b"HK" | b"hr" | b"HR" | b"lk" | b"LK" | b"lr" | b"LR" => {
            return Err("fixed-point types are not supported for this target".to_owned());
        }
        _ => {
            let suffix = String::from_utf8_lossy(suffix);
            return Err(format!("invalid suffix \"{suffix}\" on floating constant"));
        }
    };
    Ok((kind, imaginary))
}

/// A binary floating format: bits of precision, and the exponents of its smallest and largest normal numbers.
#[derive(Clone, Copy)]
struct Format {
    precision: i64,
    smallest: i64,
    largest: i64,
}

const SINGLE: Format = Format { precision: 24, smallest: -126, largest: 127 };
const DOUBLE: Format = Format { precision: 53, smallest: -1022, largest: 1023 };

/// The value of a well-formed hexadecimal constant, rounded to the nearest number of the format, ties to even.
fn hexadecimal_value(number: &[u8], format: Format) -> f64 {
    let (digits, exponent) = match number[2..].iter().position(|byte| matches!(byte, b'p' | b'P')) {
        Some(mark) => (&number[2..2 + mark], &number[3 + mark..]),
        None => (&number[2..], &[][..]),
    };
    let mut exponent = decimal_exponent(exponent);
    let (mut mantissa, mut sticky, mut fraction) = (0_u128, false, false);
    for &byte in digits {
        if byte == b'.' {
            fraction = true;
            continue;
        }
        let digit = u128::from(hex_value(byte));
        if mantissa >> 120 == 0 {
            mantissa = mantissa << 4 | digit;
            exponent -= if fraction { 4 } else { 0 };
        } else {
            sticky |= digit != 0;
            exponent += if fraction { 0 } else { 4 };
        }
    }
    if mantissa == 0 {
        return 0.0;
    }
    let bits = i64::from(u128::BITS - mantissa.leading_zeros());
    let top = exponent + bits - 1;
    if top > format.largest {
        return f64::INFINITY;
    }
    let precision = format.precision - (format.smallest - top).max(0);
    let Ok(precision) = u32::try_from(precision) else { return 0.0 };
    let width = u32::try_from(bits).expect("at most 128");
    if precision >= width {
        return scale(mantissa, exponent);
    }
    let shift = width - precision;
    let (kept, dropped) = (mantissa.checked_shr(shift).unwrap_or(0), mantissa << (u128::BITS - shift));
    let half = 1_u128 << (u128::BITS - 1);
    let up = dropped > half || dropped == half && (sticky || kept & 1 == 1);
    let rounded = kept + u128::from(up);
    let result = scale(rounded, exponent + i64::from(shift));
    if result > scale((1 << format.precision) - 1, format.largest + 1 - format.precision) {
        return f64::INFINITY;
    }
    result
}

/// A decimal exponent with its sign; held far from overflow, as any such exponent gives zero or infinity.
fn decimal_exponent(text: &[u8]) -> i64 {
    const BOUND: i64 = 1 << 40;
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    let value =
        digits.iter().fold(0_i64, |value, &byte| (value * 10 + i64::from(hex_value(byte))).min(BOUND));
    if negative { -value } else { value }
}

/// `mantissa * 2^exponent`, exact for the arguments it is given: at most 53 bits that a `double` can hold.
fn scale(mantissa: u128, exponent: i64) -> f64 {
    // Trailing zeros are moved to the exponent, so that the power of two is in range.
    let zeros = mantissa.trailing_zeros().min(127);
    let (mantissa, exponent) = (mantissa >> zeros, exponent + i64::from(zeros));
    let power = |exponent: i64| {
        let bits = if exponent >= -1022 { (exponent + 1023) << 52 } else { 1 << (exponent + 1074) };
        f64::from_bits(bits.unsigned_abs())
    };
    if mantissa == 0 {
        return 0.0;
    }
    if exponent > 1023 {
        return f64::INFINITY;
    }
    mantissa as f64 * power(exponent)
}

/// Reads a character constant, quotes and prefix included: its prefix, and its value in the constant's type
/// (multi-character constants as gcc).
pub fn character(text: &[u8], model: DataModel) -> Result<(Encoding, i128), LiteralError> {
    let text = without_splices(text);
    let (encoding, quoted) = split_prefix(&text);
    let body = quoted
        .strip_prefix(b"'")
        .and_then(|rest| rest.strip_suffix(b"'"))
        .ok_or_else(|| "malformed character constant".to_owned())?;
    let mut units = Vec::new();
    decode(body, encoding, model, &mut units)?;
    let Some(&last) = units.last() else { return Err("empty character constant".to_owned()) };
    let value = match encoding {
        Encoding::Plain if units.len() == 1 => i128::from(last.to_le_bytes()[0].cast_signed()),
        Encoding::Plain => {
            let joined = units.iter().fold(0_u32, |value, &unit| value << 8 | unit);
            i128::from(joined.cast_signed())
        }
        // Of several wide characters gcc takes the last.
        Encoding::Wide if wide_is_signed(model) => i128::from(last.cast_signed()),
        Encoding::Wide | Encoding::Utf8 | Encoding::Utf16 | Encoding::Utf32 => i128::from(last),
    };
    Ok((encoding, value))
}

/// `wchar_t` is `int` on LP64 and `long` on ILP32.
const fn wide_is_signed(model: DataModel) -> bool {
    match model {
        DataModel::Lp64 | DataModel::Ilp32 => true,
    }
}

/// Reads and joins adjacent string literals, quotes and prefixes included.
pub fn string(pieces: &[&[u8]], model: DataModel) -> Result<StringLiteral, LiteralError> {
    let mut encoding = Encoding::Plain;
    for piece in pieces {
        let (prefix, _) = split_prefix(&without_splices_in_prefix(piece));
        if encoding == Encoding::Plain {
            encoding = prefix;
        } else if prefix != Encoding::Plain && prefix != encoding {
            return Err("string literals of different prefixes cannot be joined".to_owned());
        }
    }
    let mut units = Vec::new();
    for piece in pieces {
        let plain = without_splices_in_prefix(piece);
        let (_, quoted) = split_prefix(&plain);
        if let Some(raw) = quoted.strip_prefix(b"R") {
            decode_raw(raw_body(raw)?, encoding, &mut units)?;
            continue;
        }
        let body = quoted
            .strip_prefix(b"\"")
            .and_then(|rest| rest.strip_suffix(b"\""))
            .ok_or_else(|| "malformed string literal".to_owned())?;
        decode(body, encoding, model, &mut units)?;
    }
    Ok(StringLiteral { encoding, units: units.into() })
}

/// The text without line splices; a raw string keeps those after its opening quote.
fn without_splices_in_prefix(text: &[u8]) -> Cow<'_, [u8]> {
    let Some(quote) = memchr::memchr(b'"', text) else { return without_splices(text) };
    let prefix = without_splices(&text[..quote]);
    if !prefix.ends_with(b"R") {
        return without_splices(text);
    }
    match prefix {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(prefix) => Cow::Owned([&prefix[..], &text[quote..]].concat()),
    }
}

/// The encoding a prefix asks for, and what follows it: `R` for a raw string, or the quote.
fn split_prefix(text: &[u8]) -> (Encoding, &[u8]) {
    match text {
        [b'u', b'8', rest @ ..] => (Encoding::Utf8, rest),
        [b'u', rest @ ..] => (Encoding::Utf16, rest),
        [b'U', rest @ ..] => (Encoding::Utf32, rest),
        [b'L', rest @ ..] => (Encoding::Wide, rest),
        _ => (Encoding::Plain, text),
    }
}

/// What stands between `"delimiter(` and `)delimiter"`.
fn raw_body(text: &[u8]) -> Result<&[u8], LiteralError> {
    let malformed = || "malformed raw string".to_owned();
    let open = memchr::memchr(b'(', text).ok_or_else(malformed)?;
    // The quote and the delimiter are as long at the end, with a parenthesis as well.
    let close = text.len().checked_sub(open + 1).filter(|&close| close > open).ok_or_else(malformed)?;
    Ok(&text[open + 1..close])
}

fn decode_raw(body: &[u8], encoding: Encoding, units: &mut Vec<u32>) -> Result<(), LiteralError> {
    let mut rest = body;
    while let Some(&byte) = rest.first() {
        // The end of a line is one character, however it is written.
        let used = if rest.starts_with(b"\r\n") { 1 } else { push_source(rest, byte, encoding, units)? };
        rest = &rest[used..];
    }
    Ok(())
}

/// Adds the code units of what stands between the quotes.
fn decode(
    body: &[u8],
    encoding: Encoding,
    model: DataModel,
    units: &mut Vec<u32>,
) -> Result<(), LiteralError> {
    units.reserve(body.len());
    let mut rest = body;
    while let Some(&byte) = rest.first() {
        let used = if byte == b'\\' {
            escape(rest, encoding, model, units)?
        } else {
            push_source(rest, byte, encoding, units)?
        };
        rest = &rest[used..];
    }
    Ok(())
}

/// Adds the source character at the start of `rest`, whose first byte is `byte`; gives its length.
fn push_source(
    rest: &[u8],
    byte: u8,
    encoding: Encoding,
    units: &mut Vec<u32>,
) -> Result<usize, LiteralError> {
    match encoding {
        // The source and execution character sets are both UTF-8: bytes go through, valid or not.
        _ if byte.is_ascii() => units.push(byte.into()),
        Encoding::Plain | Encoding::Utf8 => units.push(byte.into()),
        Encoding::Utf16 | Encoding::Utf32 | Encoding::Wide => {
            let character = decode_utf8(rest).ok_or_else(|| "invalid UTF-8 in a wide literal".to_owned())?;
            push_character(character, encoding, units);
            return Ok(character.len_utf8());
        }
    }
    Ok(1)
}

/// Adds the code units of a character.
fn push_character(character: char, encoding: Encoding, units: &mut Vec<u32>) {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => {
            units.extend(character.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
        Encoding::Utf16 => {
            units.extend(character.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit)));
        }
        Encoding::Utf32 | Encoding::Wide => units.push(character.into()),
    }
}

/// Adds the value of the escape sequence at the start of `rest`; gives its length.
fn escape(
    rest: &[u8],
    encoding: Encoding,
    model: DataModel,
    units: &mut Vec<u32>,
) -> Result<usize, LiteralError> {
    let Some(&letter) = rest.get(1) else { return Err("incomplete escape sequence".to_owned()) };
    let simple = match letter {
        b'a' => 7,
        b'b' => 8,
        b't' => 9,
        b'n' => 10,
        b'v' => 11,
        b'f' => 12,
        b'r' => 13,
        b'e' | b'E' => 27,
        b'0'..=b'7' => {
            let count = rest[1..].iter().take(3).take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            let value = rest[1..=count].iter().fold(0, |value, &byte| value * 8 + hex_value(byte));
            units.push(value & unit_mask(encoding, model));
            return Ok(1 + count);
        }
        b'x' => {
            let count = rest[2..].iter().take_while(|byte| byte.is_ascii_hexdigit()).count();
            if count == 0 {
                return Err("\\x used with no following hex digits".to_owned());
            }
            let value = rest[2..2 + count].iter().fold(0_u32, |value, &byte| value << 4 | hex_value(byte));
            units.push(value & unit_mask(encoding, model));
            return Ok(2 + count);
        }
        b'u' | b'U' => return universal(rest, encoding, units),
        // An unknown escape stands for its character, whole if that takes several bytes.
        _ => return Ok(1 + push_source(&rest[1..], letter, encoding, units)?),
    };
    units.push(simple);
    Ok(2)
}

/// `\u` with four hexadecimal digits or `\U` with eight.
fn universal(rest: &[u8], encoding: Encoding, units: &mut Vec<u32>) -> Result<usize, LiteralError> {
    let wanted = if rest[1] == b'u' { 4 } else { 8 };
    let count = rest[2..].iter().take(wanted).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let written = String::from_utf8_lossy(&rest[..2 + count]);
    if count < wanted {
        return Err(format!("incomplete universal character name {written}"));
    }
    let code = rest[2..2 + count].iter().fold(0_u32, |value, &byte| value << 4 | hex_value(byte));
    let basic = code < 0xA0 && !matches!(code, 0x24 | 0x40 | 0x60);
    match char::from_u32(code) {
        Some(character) if !basic => push_character(character, encoding, units),
        _ => return Err(format!("{written} is not a valid universal character")),
    }
    Ok(2 + count)
}

/// The bits of one code unit.
const fn unit_mask(encoding: Encoding, model: DataModel) -> u32 {
    match (encoding, model) {
        (Encoding::Plain | Encoding::Utf8, _) => 0xFF,
        (Encoding::Utf16, _) => 0xFFFF,
        (Encoding::Utf32, _) | (Encoding::Wide, DataModel::Lp64 | DataModel::Ilp32) => u32::MAX,
    }
}

#[cfg(test)]
mod tests;
