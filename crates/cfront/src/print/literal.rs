//! Constants and string literals, spelled so that they have the same value and the same type again.

use std::fmt::Write as _;

use crate::ast::{Encoding, StringLiteral};
use crate::types::{FloatKind, IntKind};

/// An integer constant of the given type. What no constant can express comes out as a parenthesised expression.
pub(crate) fn integer(value: i128, kind: IntKind) -> String {
    let suffix = match kind {
        IntKind::Int => {
            return match u32::try_from(value) {
                Ok(value) => value.to_string(),
                Err(_) => negative_character(value),
            };
        }
        IntKind::UnsignedInt => "U",
        IntKind::Long => "L",
        IntKind::UnsignedLong => "UL",
        IntKind::LongLong => "LL",
        IntKind::UnsignedLongLong => "ULL",
        IntKind::Int128 | IntKind::UnsignedInt128 => return wide_integer(value, kind),
        IntKind::UnsignedShort => return format!("u'\\x{value:x}'"),
        IntKind::Bool | IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar | IntKind::Short => {
            return format!("({})({value})", super::types::integer_name(kind));
        }
    };
    if value < 0 { format!("({value}{suffix})") } else { format!("{value}{suffix}") }
}

/// Whether constants of this type can be written without a cast.
pub(crate) const fn has_constants(kind: IntKind) -> bool {
    !matches!(
        kind,
        IntKind::Bool | IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar | IntKind::Short
    )
}

/// A negative `int` constant: only character constants are such.
fn negative_character(value: i128) -> String {
    let mut text = "'".to_owned();
    let bytes = value.to_be_bytes();
    let shown = if value >= -128 { 1 } else { 4 };
    for byte in &bytes[bytes.len() - shown..] {
        // Writing to a String cannot fail.
        let _ = write!(text, "\\{byte:03o}");
    }
    text.push('\'');
    text
}

/// A constant of 128 bits. gcc gives that type only to decimal constants that `long long` cannot hold.
fn wide_integer(value: i128, kind: IntKind) -> String {
    const LONG_LONG_MAX: i128 = i64::MAX as i128;
    const UNSIGNED_LONG_LONG_MAX: i128 = u64::MAX as i128;
    if kind == IntKind::Int128 && value > LONG_LONG_MAX && value <= UNSIGNED_LONG_LONG_MAX {
        return value.to_string();
    }
    let name = super::types::integer_name(kind);
    let (high, low) = (value >> 64, value & UNSIGNED_LONG_LONG_MAX);
    format!("(({name})({high}) << 64 | {low}ULL)")
}

/// The suffix of a floating constant.
pub(crate) const fn float_suffix(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float16 => "f16",
        FloatKind::Float => "f",
        FloatKind::Float32 => "f32",
        FloatKind::Double => "",
        FloatKind::Float32x => "f32x",
        FloatKind::Float64 => "f64",
        FloatKind::LongDouble => "L",
        FloatKind::Float64x => "f64x",
        FloatKind::Float80 => "w",
        FloatKind::Float128 => "f128",
        FloatKind::Decimal32 => "df",
        FloatKind::Decimal64 => "dd",
        FloatKind::Decimal128 => "dl",
    }
}

/// A string literal with its prefix and quotes.
pub(crate) fn string(literal: &StringLiteral) -> String {
    let prefix = match literal.encoding {
        Encoding::Plain => "",
        Encoding::Utf8 => "u8",
        Encoding::Utf16 => "u",
        Encoding::Utf32 => "U",
        Encoding::Wide => "L",
    };
    let mut writer = StringWriter { text: format!("{prefix}\""), prefix, last: Last::Other };
    match literal.encoding {
        Encoding::Plain | Encoding::Utf8 => writer.bytes(&literal.units),
        Encoding::Utf16 => writer.utf16(&literal.units),
        Encoding::Utf32 | Encoding::Wide => {
            for &unit in &literal.units {
                writer.wide(unit);
            }
        }
    }
    writer.text.push('"');
    writer.text
}

/// What stands just before, for what may not follow it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// A hexadecimal escape, which would swallow a digit.
    HexEscape,
    /// A question mark, which could begin a trigraph.
    Question,
    Other,
}

struct StringWriter {
    text: String,
    prefix: &'static str,
    last: Last,
}

impl StringWriter {
    /// Code units of one byte: what is UTF-8 stays readable, the rest is escaped byte by byte.
    fn bytes(&mut self, units: &[u32]) {
        let bytes: Vec<u8> = units.iter().map(|&unit| u8::try_from(unit & 0xff).unwrap_or(0)).collect();
        for chunk in bytes.utf8_chunks() {
            for character in chunk.valid().chars() {
                self.character(character);
            }
            for byte in chunk.invalid() {
                // Three digits, so a digit may follow.
                let _ = write!(self.text, "\\{byte:03o}");
                self.last = Last::Other;
            }
        }
    }

    fn utf16(&mut self, units: &[u32]) {
        let units = units.iter().map(|&unit| u16::try_from(unit & 0xffff).unwrap_or(0));
        for decoded in char::decode_utf16(units) {
            match decoded {
                Ok(character) => self.character(character),
                Err(lone) => self.hex(u32::from(lone.unpaired_surrogate())),
            }
        }
    }

    fn wide(&mut self, unit: u32) {
        match char::from_u32(unit) {
            Some(character) => self.character(character),
            None => self.hex(unit),
        }
    }

    fn hex(&mut self, unit: u32) {
        let _ = write!(self.text, "\\x{unit:x}");
        self.last = Last::HexEscape;
    }

    fn character(&mut self, character: char) {
        let escape = match character {
            '\n' => "\\n",
            '\t' => "\\t",
            '\r' => "\\r",
            '"' => "\\\"",
            '\\' => "\\\\",
            '?' if self.last == Last::Question => "\\?",
            _ => "",
        };
        if !escape.is_empty() {
            self.text += escape;
        } else if character == ' ' || character.is_ascii_graphic() {
            if self.last == Last::HexEscape && character.is_ascii_hexdigit() {
                self.text += "\" ";
                self.text += self.prefix;
                self.text.push('"');
            }
            self.text.push(character);
        } else if character.is_alphanumeric() {
            self.text.push(character);
        } else if self.prefix.is_empty() || self.prefix == "u8" || character.is_ascii() {
            // In a string of bytes a character is the bytes of its UTF-8 form.
            for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                let _ = write!(self.text, "\\{byte:03o}");
            }
        } else {
            // C1 controls have no universal character name, so the value is written itself.
            match u32::from(character) {
                code if code < 0xa0 => return self.hex(code),
                code => drop(write!(self.text, "\\U{code:08x}")),
            }
        }
        self.last = if character == '?' { Last::Question } else { Last::Other };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(encoding: Encoding, units: &[u32]) -> String {
        string(&StringLiteral { encoding, units: units.into() })
    }

    fn plain(bytes: &[u8]) -> String {
        text(Encoding::Plain, &bytes.iter().map(|&byte| u32::from(byte)).collect::<Vec<_>>())
    }

    #[test]
    fn strings_are_escaped_so_that_nothing_runs_together() {
        assert_eq!(plain(b"a\"\\\n\x001"), r#""a\"\\\n\0001""#);
        assert_eq!(plain(b"??=??"), r#""?\?=?\?""#);
        assert_eq!(plain(b"\xff1\x80"), r#""\3771\200""#);
        assert_eq!(plain("gr\u{fc}n".as_bytes()), "\"gr\u{fc}n\"");
        assert_eq!(text(Encoding::Wide, &[0x11_0000, 0x41, 0x47]), "L\"\\x110000\" L\"AG\"");
        assert_eq!(text(Encoding::Wide, &[0xffff_ffff, 0x47]), "L\"\\xffffffffG\"");
        assert_eq!(text(Encoding::Utf16, &[0xd800, 0x31]), "u\"\\xd800\" u\"1\"");
        assert_eq!(text(Encoding::Utf16, &[0xd83d, 0xde00]), "u\"\\U0001f600\"");
        assert_eq!(text(Encoding::Wide, &[0x85, 0x31]), "L\"\\x85\" L\"1\"");
    }

    #[test]
    fn integers_keep_their_type() {
        assert_eq!(integer(5, IntKind::Int), "5");
        assert_eq!(integer(-1, IntKind::Int), r"'\377'");
        assert_eq!(integer(-129, IntKind::Int), r"'\377\377\377\177'");
        assert_eq!(integer(5, IntKind::UnsignedLongLong), "5ULL");
        assert_eq!(integer(0x20ac, IntKind::UnsignedShort), r"u'\x20ac'");
        assert_eq!(integer(1 << 63, IntKind::Int128), "9223372036854775808");
        assert_eq!(integer(1 << 64, IntKind::UnsignedInt128), "((unsigned __int128)(1) << 64 | 0ULL)");
    }
}
