//! The characters beyond ASCII that names may hold.

/// `\uXXXX` or `\UXXXXXXXX` at `at`: the character, and where it ends.
pub(super) fn universal_character_name(text: &[u8], at: usize) -> Option<(char, usize)> {
    let digits = match text.get(at + 1)? {
        b'u' => 4,
        b'U' => 8,
        _ => return None,
    };
    let end = at + 2 + digits;
    let code = std::str::from_utf8(text.get(at + 2..end)?).ok()?;
    let hexadecimal = code.bytes().all(|byte| byte.is_ascii_hexdigit());
    let character = u32::from_str_radix(code, 16).ok().and_then(char::from_u32)?;
    hexadecimal.then_some((character, end))
}

/// The first character of a text, if it begins with valid UTF-8.
pub(crate) fn decode_utf8(text: &[u8]) -> Option<char> {
    let longest = &text[..text.len().min(4)];
    match std::str::from_utf8(longest) {
        Ok(valid) => valid.chars().next(),
        Err(error) => std::str::from_utf8(&longest[..error.valid_up_to()]).ok()?.chars().next(),
    }
}

/// The characters beyond ASCII that identifiers may hold: C11 annex D.1.
const IDENTIFIER_RANGES: &[(u32, u32)] = &[
    (0xA8, 0xA8),
    (0xAA, 0xAA),
    (0xAD, 0xAD),
    (0xAF, 0xAF),
    (0xB2, 0xB5),
    (0xB7, 0xBA),
    (0xBC, 0xBE),
    (0xC0, 0xD6),
    (0xD8, 0xF6),
    (0xF8, 0x167F),
    (0x1681, 0x180D),
    (0x180F, 0x1FFF),
    (0x200B, 0x200D),
    (0x202A, 0x202E),
    (0x203F, 0x2040),
    (0x2054, 0x2054),
    (0x2060, 0x218F),
    (0x2460, 0x24FF),
    (0x2776, 0x2793),
    (0x2C00, 0x2DFF),
    (0x2E80, 0x2FFF),
    (0x3004, 0x3007),
    (0x3021, 0x302F),
    (0x3031, 0xD7FF),
    (0xF900, 0xFD3D),
    (0xFD40, 0xFDCF),
    (0xFDF0, 0xFE44),
    (0xFE47, 0xFFFD),
];

/// Those among them that may not be the first: C11 annex D.2.
const NOT_FIRST_RANGES: &[(u32, u32)] =
    &[(0x300, 0x36F), (0x1DC0, 0x1DFF), (0x20D0, 0x20FF), (0xFE20, 0xFE2F)];

pub(super) fn may_continue_identifier(character: char) -> bool {
    /// From here on each plane of 65,536 characters is allowed but for its last two.
    const FIRST_PLANE: u32 = 0x1_0000;
    const LAST: u32 = 0xE_FFFD;
    let code = u32::from(character);
    if code >= FIRST_PLANE {
        return code <= LAST && code % FIRST_PLANE <= 0xFFFD;
    }
    IDENTIFIER_RANGES.iter().any(|&(first, last)| (first..=last).contains(&code))
}

pub(super) fn may_begin_identifier(character: char) -> bool {
    let code = u32::from(character);
    !character.is_ascii_digit()
        && !NOT_FIRST_RANGES.iter().any(|&(first, last)| (first..=last).contains(&code))
}
