//! What the preprocessor says, as our own diagnostics.
//!
//! Understands the form that gcc and clang share, `file:line:column: error: text`. Other lines (excerpts,
//! carets) are passed over; lines that give the chain of inclusions become notes.

use std::ops::Range;

use raddle_base::{Diagnostic, FileId, Severity, SourceMap, Span};

/// Gcc counts columns as a terminal shows them.
const TAB_STOP: usize = 8;

/// Reads the messages. Files they point into are added to the source map.
pub(super) fn read(sources: &mut SourceMap, said: &[u8]) -> Vec<Diagnostic> {
    let said = String::from_utf8_lossy(said);
    let mut files: Vec<(String, Option<FileId>)> = Vec::new();
    let mut inclusions: Vec<String> = Vec::new();
    let mut diagnostics = Vec::new();
    for line in said.lines() {
        let through =
            line.strip_prefix("In file included from ").or_else(|| line.trim_start().strip_prefix("from "));
        if let Some(place) = through {
            inclusions.push(place.trim_end_matches([',', ':']).to_owned());
            continue;
        }
        let Some((place, severity, text)) = split(line) else { continue };
        let span = place_of(place).map_or(Span::NONE, |(file, line, column)| {
            let known = files.iter().find(|(name, _)| name == file).map(|&(_, id)| id);
            let id = known.unwrap_or_else(|| {
                let id = read_file(file).and_then(|text| sources.add(file, text));
                files.push((file.to_owned(), id));
                id
            });
            id.map_or(Span::NONE, |id| span_at(sources, id, line, column))
        });
        let message = if span == Span::NONE && !place.is_empty() {
            format!("{place}: {text}")
        } else {
            text.to_owned()
        };
        let mut diagnostic = match severity {
            Severity::Error => Diagnostic::error(span, message),
            Severity::Warning => Diagnostic::warning(span, message),
        };
        for place in inclusions.drain(..) {
            diagnostic = diagnostic.note(format!("included from {place}"));
        }
        if text.ends_with("No such file or directory") && span != Span::NONE {
            diagnostic = diagnostic.help("name the directory that holds it with `-I`");
        }
        diagnostics.push(diagnostic);
    }
    diagnostics
}

/// Splits a line into position, severity and text.
fn split(line: &str) -> Option<(&str, Severity, &str)> {
    let marks = [
        (": fatal error: ", Severity::Error),
        (": error: ", Severity::Error),
        (": warning: ", Severity::Warning),
    ];
    marks
        .into_iter()
        .filter_map(|(mark, severity)| line.split_once(mark).map(|(place, text)| (place, severity, text)))
        .min_by_key(|(place, _, _)| place.len())
}

/// `file:line:column` or `file:line`.
fn place_of(place: &str) -> Option<(&str, usize, usize)> {
    let (rest, last) = place.rsplit_once(':')?;
    let last: usize = last.parse().ok()?;
    match rest.rsplit_once(':').and_then(|(file, line)| Some((file, line.parse().ok()?))) {
        Some((file, line)) => Some((file, line, last)),
        None => Some((rest, last, 1)),
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the messages point into files that only the preprocessor read"
)]
fn read_file(file: &str) -> Option<Vec<u8>> {
    std::fs::read(file).ok()
}

/// The token at a line and column, both from one; just the line's end if there is none.
fn span_at(sources: &SourceMap, file: FileId, line: usize, column: usize) -> Span {
    let source = sources.file(file);
    let range = source.line_range(line.saturating_sub(1));
    let token = token_at(&source.text[range.clone()], column.saturating_sub(1));
    let global = |local: usize| source.start + u32::try_from(range.start + local).unwrap_or(0);
    Span::new(global(token.start), global(token.end))
}

/// What stands at a column as shown on a terminal: a name, something in quotes or angle brackets, or a character.
fn token_at(line: &[u8], column: usize) -> Range<usize> {
    let mut shown = 0;
    let mut start = line.len();
    for (index, &byte) in line.iter().enumerate() {
        // Bytes inside a UTF-8 sequence take no room of their own.
        if byte & 0xC0 == 0x80 {
            continue;
        }
        if shown >= column {
            start = index;
            break;
        }
        shown += if byte == b'\t' { TAB_STOP - shown % TAB_STOP } else { 1 };
    }
    let rest = &line[start..];
    let closed = |close: u8| rest[1..].iter().position(|&byte| byte == close).map_or(1, |end| end + 2);
    let length = match rest.first() {
        None => 0,
        Some(b'<') => closed(b'>'),
        Some(b'"') => closed(b'"'),
        Some(byte) if byte.is_ascii_alphanumeric() || *byte == b'_' => {
            rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count()
        }
        Some(_) => 1,
    };
    start..start + length
}
