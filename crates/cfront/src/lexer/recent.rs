//! The names met lately in a text, so that most need not go through [`Names`].
//!
//! Half of all tokens are names, and most of them were met before. A name of up to sixteen bytes is identified by its
//! first and its last eight bytes and its length; a longer one is compared with the text where it stood before.
//! The table is direct-mapped: a name that falls on another's entry replaces it, and nothing is lost but time.

use crate::names::{Names, Symbol};

/// A power of two; fits the second-level cache of most machines.
const PLACES: usize = 2048;
const WORD: usize = 8;

#[derive(Clone, Copy)]
struct RecentName {
    first: u64,
    last: u64,
    begin: usize,
    length: usize,
    symbol: Option<Symbol>,
}

const EMPTY: RecentName = RecentName { first: 0, last: 0, begin: 0, length: 0, symbol: None };

/// The table, for names of one text.
pub(super) struct RecentNames {
    entries: Box<[RecentName]>,
}

impl RecentNames {
    pub(super) fn new() -> Self {
        Self { entries: vec![EMPTY; PLACES].into_boxed_slice() }
    }

    /// The symbol of the name at `begin..end`, which is ASCII and not empty.
    pub(super) fn symbol(&mut self, text: &[u8], begin: usize, end: usize, names: &mut Names) -> Symbol {
        let length = end - begin;
        let first = word_at(text, begin, length.min(WORD));
        let last = if length > WORD { word_at(text, end - WORD, WORD) } else { 0 };
        let entry = &mut self.entries[place(first, last, length)];
        if let Some(symbol) = entry.symbol
            && entry.first == first
            && entry.last == last
            && entry.length == length
            && (length <= 2 * WORD || text[entry.begin..entry.begin + length] == text[begin..end])
        {
            return symbol;
        }
        let spelling = std::str::from_utf8(&text[begin..end]).expect("the bytes are all ASCII");
        let symbol = names.intern(spelling);
        *entry = RecentName { first, last, begin, length, symbol: Some(symbol) };
        symbol
    }
}

/// Up to eight bytes from `begin` as a number.
fn word_at(text: &[u8], begin: usize, length: usize) -> u64 {
    if let Some(bytes) = text[begin..].first_chunk::<WORD>() {
        // The shift drops the bytes behind the name.
        let unused = (WORD - length) * 8;
        return u64::from_le_bytes(*bytes) << unused;
    }
    let mut bytes = [0; WORD];
    bytes[WORD - length..].copy_from_slice(&text[begin..begin + length]);
    u64::from_le_bytes(bytes)
}

/// Where a name belongs: the top bits of a product that all its bits have a part in.
fn place(first: u64, last: u64, length: usize) -> usize {
    const ODD: u64 = 0x9E37_79B9_7F4A_7C15;
    let mixed = (first ^ last.rotate_left(29) ^ length as u64).wrapping_mul(ODD);
    usize::try_from(mixed >> (u64::BITS - PLACES.ilog2())).expect("a few bits") % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_table_of_names() {
        // Names of all lengths around the limits, that differ in one byte only; more of them than entries.
        let mut text = Vec::new();
        let mut ranges = Vec::new();
        for round in 0..2 {
            for length in 1..40_usize {
                for changed in 0..length {
                    for letter in [b'b', b'c', b'd'] {
                        let mut name = vec![b'a'; length];
                        name[changed] = letter;
                        ranges.push((text.len(), text.len() + length));
                        text.extend_from_slice(&name);
                        text.push(if round == 0 { b' ' } else { b'z' });
                    }
                }
            }
        }
        let mut names = Names::new();
        let mut recent = RecentNames::new();
        for _ in 0..2 {
            for &(begin, end) in &ranges {
                let symbol = recent.symbol(&text, begin, end, &mut names);
                assert_eq!(names.text(symbol).as_bytes(), &text[begin..end]);
            }
        }
        // The last name, with no byte behind it.
        text.pop();
        let symbol = recent.symbol(&text, text.len() - 1, text.len(), &mut names);
        assert_eq!(names.text(symbol).as_bytes(), &text[text.len() - 1..]);
    }
}
