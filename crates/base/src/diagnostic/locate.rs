//! From a span in preprocessed text to the line that the user wrote.
//!
//! Line markers give the file and the line. The column must be found: macro expansion moves and replaces
//! tokens, so the token is looked for on the user's own line. This may point at the wrong one of several equal
//! tokens on a line, never at the wrong line; where the token is not there, the whole line is meant.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use crate::source::{FileId, SourceMap, Span};

/// Gives the text of a file, if there is such a file.
type ReadFile<'a> = dyn FnMut(&str) -> Option<Vec<u8>> + 'a;

/// The user's own files, read when they are needed.
pub(super) struct Originals<'a> {
    read: Box<ReadFile<'a>>,
    files: BTreeMap<Arc<str>, Option<Arc<Lines>>>,
}

/// A text and where its lines are.
pub(super) struct Lines {
    text: Vec<u8>,
    ends: Vec<usize>,
}

/// Where the lines shown come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Shown {
    /// The user's own file.
    Original,
    /// The text that was lexed; its line that is shown first as the given number.
    Lexed {
        file: FileId,
        /// The number in the text less the number shown.
        shift: i64,
    },
}

/// A span as people see it. Lines from one; columns in bytes from zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ShownSpan {
    pub(super) file: Arc<str>,
    pub(super) shown: Shown,
    pub(super) begin: (u32, usize),
    pub(super) end: (u32, usize),
}

impl<'a> Originals<'a> {
    pub(super) fn new(read: impl FnMut(&str) -> Option<Vec<u8>> + 'a) -> Self {
        Self { read: Box::new(read), files: BTreeMap::new() }
    }

    pub(super) fn get(&mut self, file: &Arc<str>) -> Option<Arc<Lines>> {
        if let Some(known) = self.files.get(file) {
            return known.clone();
        }
        let lines = (self.read)(file).map(|text| Arc::new(Lines::new(text)));
        self.files.insert(Arc::clone(file), lines.clone());
        lines
    }
}

impl Lines {
    fn new(text: Vec<u8>) -> Self {
        let mut ends: Vec<usize> = memchr::memchr_iter(b'\n', &text).collect();
        if ends.last().map_or(!text.is_empty(), |&last| last + 1 < text.len()) {
            ends.push(text.len());
        }
        Self { text, ends }
    }

    /// A line, from one, without its end.
    pub(super) fn line(&self, line: u32) -> Option<&[u8]> {
        let index = (line as usize).checked_sub(1)?;
        let end = *self.ends.get(index)?;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before] + 1);
        let text = &self.text[start..end];
        Some(text.strip_suffix(b"\r").unwrap_or(text))
    }
}

/// One end of a span.
struct End {
    file: Arc<str>,
    shown: Shown,
    line: u32,
    /// Where on its line the token is, if it was found there.
    token: Option<Range<usize>>,
    /// The line shown.
    text: Vec<u8>,
}

/// Finds where a span is shown; `None` for a span in no text.
pub(super) fn locate(sources: &SourceMap, originals: &mut Originals<'_>, span: Span) -> Option<ShownSpan> {
    let source = sources.file(sources.file_at(span.lo)?);
    let local = source.local(span);
    let text = &source.text[..];
    let local = local.start..local.end.clamp(local.start, text.len());
    if local.is_empty() {
        return empty_span(sources, originals, local.start, span);
    }
    let first = token_at(text, local.start).start..token_at(text, local.start).end.min(local.end);
    let last = token_before(text, local.end);
    let last = last.start.max(local.start)..last.end;
    let begin = end_of(sources, originals, span.lo, first)?;
    let one_line = !text[local.clone()].contains(&b'\n');
    if one_line && let Some(whole) = whole_on_line(sources, &begin, &text[local.clone()], span.lo) {
        return Some(begin.covering(whole));
    }
    let position = span.lo + number(last.start - local.start);
    let end = end_of(sources, originals, position, last)?;
    let same_text = begin.file == end.file && begin.shown == end.shown;
    if same_text
        && (begin.line, begin.start()) <= (end.line, end.start())
        && let (Some(from), Some(to)) = (&begin.token, &end.token)
    {
        let (from, to) = ((begin.line, from.start), (end.line, to.end));
        return Some(ShownSpan { file: begin.file, shown: begin.shown, begin: from, end: to });
    }
    let range = begin.token.clone().unwrap_or_else(|| trimmed(&begin.text));
    Some(begin.covering(range))
}

/// Where an empty span is shown: just behind the token before it, or at the token that follows it.
fn empty_span(
    sources: &SourceMap,
    originals: &mut Originals<'_>,
    local: usize,
    span: Span,
) -> Option<ShownSpan> {
    let text = &sources.file(sources.file_at(span.lo)?).text[..];
    let before = token_before(text, local);
    if before.is_empty() {
        let end = end_of(sources, originals, span.lo, token_at(text, local))?;
        let at = end.token.as_ref().map_or_else(|| trimmed(&end.text).start, |token| token.start);
        return Some(end.covering(at..at));
    }
    let position = span.lo - number(local - before.start);
    let end = end_of(sources, originals, position, before)?;
    let at = end.token.as_ref().map_or_else(|| trimmed(&end.text).end, |token| token.end);
    Some(end.covering(at..at))
}

impl End {
    fn start(&self) -> usize {
        self.token.as_ref().map_or(0, |token| token.start)
    }

    fn covering(self, range: Range<usize>) -> ShownSpan {
        ShownSpan {
            file: self.file,
            shown: self.shown,
            begin: (self.line, range.start),
            end: (self.line, range.end),
        }
    }
}

/// Finds the line that the token at `position` stands on, and the token there.
fn end_of(
    sources: &SourceMap,
    originals: &mut Originals<'_>,
    position: u32,
    token: Range<usize>,
) -> Option<End> {
    let id = sources.file_at(position)?;
    let source = sources.file(id);
    let location = sources.locate(position)?;
    let line_index = source.line_at(token.start);
    let lexed_range = source.line_range(line_index);
    let lexed = &source.text[lexed_range.clone()];
    let column = token.start.saturating_sub(lexed_range.start);
    let token_end = token.end.saturating_sub(lexed_range.start).min(lexed.len()).max(column);
    let original =
        originals.get(&location.file).and_then(|lines| lines.line(location.line).map(<[u8]>::to_vec));
    let (text, shown, found) = match original {
        Some(text) if text.trim_ascii_end() == lexed.trim_ascii_end() => {
            (text, Shown::Original, Some(column..token_end))
        }
        Some(text) => {
            let needle = &source.text[token];
            let found = nearest(&text, needle, column).map(|start| start..start + needle.len());
            (text, Shown::Original, found)
        }
        None => {
            let shift = i64::try_from(line_index).ok()? + 1 - i64::from(location.line);
            (lexed.to_vec(), Shown::Lexed { file: id, shift }, Some(column..token_end))
        }
    };
    Some(End { file: location.file, shown, line: location.line, token: found, text })
}

/// Where the whole text of a span stands on the line where it begins.
fn whole_on_line(sources: &SourceMap, begin: &End, text: &[u8], position: u32) -> Option<Range<usize>> {
    let expected = match &begin.token {
        Some(token) => token.start,
        None => sources.locate(position)?.column as usize - 1,
    };
    let exact = begin.text.get(expected..).is_some_and(|rest| rest.starts_with(text)).then_some(expected);
    exact.or_else(|| nearest(&begin.text, text, expected)).map(|start| start..start + text.len())
}

/// The occurrence of `needle` on `line` that is nearest to `expected`, names being taken whole.
fn nearest(line: &[u8], needle: &[u8], expected: usize) -> Option<usize> {
    if needle.is_empty() {
        return None;
    }
    let whole = |start: usize| {
        let before = start.checked_sub(1).map(|index| line[index]);
        let after = line.get(start + needle.len()).copied();
        let joined = |left: Option<u8>, right: Option<u8>| {
            left.is_some_and(is_name_byte) && right.is_some_and(is_name_byte)
        };
        !joined(before, needle.first().copied()) && !joined(needle.last().copied(), after)
    };
    memchr::memmem::find_iter(line, needle)
        .filter(|&start| whole(start))
        .min_by_key(|start| start.abs_diff(expected))
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | 0x80..)
}

/// The name, number or single character at `start`.
fn token_at(text: &[u8], start: usize) -> Range<usize> {
    let rest = text.get(start..).unwrap_or_default();
    let name = rest.iter().take_while(|&&byte| is_name_byte(byte)).count();
    let length = if name == 0 { rest.first().map_or(0, |&byte| usize::from(byte != b'\n')) } else { name };
    start..start + length
}

/// The name, number or single character that ends at `end`, on the same line; empty when there is none.
fn token_before(text: &[u8], end: usize) -> Range<usize> {
    let rest = text.get(..end).unwrap_or_default();
    let name = rest.iter().rev().take_while(|&&byte| is_name_byte(byte)).count();
    let length = if name == 0 { rest.last().map_or(0, |&byte| usize::from(byte != b'\n')) } else { name };
    end - length..end
}

/// The line without white space around it.
fn trimmed(line: &[u8]) -> Range<usize> {
    let start = line.len() - line.trim_ascii_start().len();
    start..line.trim_ascii_end().len().max(start)
}

/// A distance within one text, which is less than 4 GiB long.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}
