//! The source map: every text that was read, and where a position in it came from.
//!
//! All texts lie one after the other in one space of 32-bit positions, so a [`Span`] is two numbers and
//! needs no file id. A preprocessed text carries *line markers* (`# 12 "queue.h" 1 3`); [`SourceMap::locate`]
//! follows them, so that people are always shown their own file, line and column.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use crate::define_id;
use crate::id::{Id, Table};

define_id!(
    /// A text in the source map.
    pub struct FileId, "file"
);

/// A range of bytes in the source map. Positions are global: they identify the file as well.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Span {
    /// No position at all: for things the tool makes up. Position 0 belongs to no file.
    pub const NONE: Self = Self { lo: 0, hi: 0 };

    /// The bytes from `lo` up to `hi`.
    #[must_use]
    pub const fn new(lo: u32, hi: u32) -> Self {
        Self { lo, hi }
    }

    /// The smallest span that covers both. [`Span::NONE`] covers nothing.
    #[must_use]
    pub fn to(self, end: Self) -> Self {
        if self == Self::NONE {
            return end;
        }
        if end == Self::NONE {
            return self;
        }
        Self { lo: self.lo.min(end.lo), hi: self.hi.max(end.hi) }
    }

    /// The empty span just behind this one: where something is missing.
    #[must_use]
    pub const fn after(self) -> Self {
        Self { lo: self.hi, hi: self.hi }
    }

    /// The empty span at the start of this one.
    #[must_use]
    pub const fn before(self) -> Self {
        Self { lo: self.lo, hi: self.lo }
    }
}

/// `# line "file" flags`: from the next line on, the text comes from `line` of `file`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineMarker {
    /// Global position of the first byte after the marker's own line.
    pub position: u32,
    /// The line number that the marker gives to that byte's line.
    pub line: u32,
    /// The file it names.
    pub file: Arc<str>,
    /// Whether it is a system header (flag 3): warnings there concern nobody.
    pub system: bool,
}

/// A source location as people write it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The file, as the line markers or the command line name it.
    pub file: Arc<str>,
    /// From one.
    pub line: u32,
    /// In bytes, from one.
    pub column: u32,
}

/// One text.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// As given on the command line.
    pub name: Arc<str>,
    /// The text itself; need not be UTF-8.
    pub text: Arc<[u8]>,
    /// The global position of its first byte.
    pub start: u32,
    markers: Vec<LineMarker>,
    /// Where each line begins, found when first asked for.
    line_starts: OnceLock<Box<[usize]>>,
}

/// Every text that was read.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Table<FileId, SourceFile>,
    end: u32,
}

impl SourceMap {
    /// No texts yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text. `None` when all texts together exceed 4 GiB.
    pub fn add(&mut self, name: &str, text: impl Into<Arc<[u8]>>) -> Option<FileId> {
        let text = text.into();
        // One position lies between two texts, so that an end never is another's start.
        let start = self.end.checked_add(1)?;
        self.end = start.checked_add(u32::try_from(text.len()).ok()?)?;
        let line_starts = OnceLock::new();
        Some(self.files.push(SourceFile { name: name.into(), text, start, markers: Vec::new(), line_starts }))
    }

    /// Gives the line markers that the lexer met in `file`, in order.
    pub fn set_markers(&mut self, file: FileId, markers: Vec<LineMarker>) {
        self.files[file].markers = markers;
    }

    /// One text.
    #[must_use]
    pub fn file(&self, file: FileId) -> &SourceFile {
        &self.files[file]
    }

    /// The text that holds a position.
    #[must_use]
    pub fn file_at(&self, position: u32) -> Option<FileId> {
        let index = self.files.values().as_slice().partition_point(|file| file.start <= position);
        let id = FileId::from_index(index.checked_sub(1)?);
        let file = &self.files[id];
        (position as usize - file.start as usize <= file.text.len()).then_some(id)
    }

    /// The bytes of a span, empty for [`Span::NONE`].
    #[must_use]
    pub fn text(&self, span: Span) -> &[u8] {
        let Some(id) = self.file_at(span.lo) else { return &[] };
        let file = &self.files[id];
        file.text.get(file.local(span)).unwrap_or_default()
    }

    /// The source location of a position: line markers are followed. `None` for a position in no text.
    #[must_use]
    pub fn locate(&self, position: u32) -> Option<Location> {
        let file = &self.files[self.file_at(position)?];
        let local = (position - file.start) as usize;
        let line = file.line_at(local);
        let column = number(local - file.line_range(line).start) + 1;
        let location = match file.marker_at(position) {
            Some(marker) => {
                let first = file.line_at((marker.position - file.start) as usize);
                let line = marker.line.saturating_add(number(line - first));
                Location { file: Arc::clone(&marker.file), line, column }
            }
            None => Location { file: Arc::clone(&file.name), line: number(line) + 1, column },
        };
        Some(location)
    }

    /// Whether a position is in a system header, where warnings concern nobody.
    #[must_use]
    pub fn is_system(&self, position: u32) -> bool {
        let file = self.file_at(position).map(|id| &self.files[id]);
        file.and_then(|file| file.marker_at(position)).is_some_and(|marker| marker.system)
    }
}

impl SourceFile {
    /// The span's range in this text.
    #[must_use]
    pub fn local(&self, span: Span) -> Range<usize> {
        let start = self.start as usize;
        (span.lo as usize).saturating_sub(start)..(span.hi as usize).saturating_sub(start)
    }

    /// The number of the line, from zero, that holds the byte at `local`.
    #[must_use]
    pub fn line_at(&self, local: usize) -> usize {
        self.line_starts().partition_point(|&start| start <= local) - 1
    }

    /// The bytes of a line, from zero, without its end.
    #[must_use]
    pub fn line_range(&self, line: usize) -> Range<usize> {
        let starts = self.line_starts();
        let Some(&start) = starts.get(line) else { return self.text.len()..self.text.len() };
        let end = starts.get(line + 1).map_or(self.text.len(), |&next| next - 1);
        let carriage_return = self.text[start..end].ends_with(b"\r");
        start..end - usize::from(carriage_return)
    }

    /// How many lines the user wrote: neither blank, nor line markers, nor in system headers. A line that the
    /// preprocessor broke into pieces counts once.
    #[must_use]
    pub fn own_lines(&self) -> usize {
        let mut count = 0;
        let mut previous = None;
        for (line, &start) in self.line_starts().iter().enumerate() {
            let text = self.text[self.line_range(line)].trim_ascii_start();
            if text.is_empty() || text.starts_with(b"#") {
                continue;
            }
            let location = match self.marker_at(self.start.saturating_add(number(start))) {
                Some(marker) if marker.system => continue,
                Some(marker) => {
                    let first = self.line_at((marker.position - self.start) as usize);
                    (Some(&marker.file), marker.line as usize + line - first)
                }
                None => (None, line),
            };
            count += usize::from(previous != Some(location));
            previous = Some(location);
        }
        count
    }

    fn line_starts(&self) -> &[usize] {
        self.line_starts.get_or_init(|| {
            std::iter::once(0).chain(memchr::memchr_iter(b'\n', &self.text).map(|end| end + 1)).collect()
        })
    }

    /// The line marker that rules a position.
    fn marker_at(&self, position: u32) -> Option<&LineMarker> {
        let after = self.markers.partition_point(|marker| marker.position <= position);
        after.checked_sub(1).map(|index| &self.markers[index])
    }
}

/// A count of bytes or lines of one text, which is less than 4 GiB long.
fn number(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(sources: &SourceMap, position: u32) -> String {
        let Location { file, line, column } = sources.locate(position).unwrap();
        format!("{file}:{line}:{column}")
    }

    #[test]
    fn locations_without_markers() {
        let mut sources = SourceMap::new();
        let first = sources.add("a.c", "int x;\r\n\n  y".as_bytes()).unwrap();
        let second = sources.add("b.c", "".as_bytes()).unwrap();
        let start = sources.file(first).start;
        assert_eq!(location(&sources, start), "a.c:1:1");
        assert_eq!(location(&sources, start + 5), "a.c:1:6");
        assert_eq!(location(&sources, start + 8), "a.c:2:1");
        assert_eq!(location(&sources, start + 11), "a.c:3:3");
        assert_eq!(location(&sources, start + 12), "a.c:3:4");
        assert_eq!(location(&sources, sources.file(second).start), "b.c:1:1");
        assert_eq!(sources.locate(0), None);
        assert_eq!(sources.locate(1000), None);
        assert_eq!(sources.file(first).line_range(0), 0..6);
    }

    #[test]
    fn locations_follow_markers() {
        let mut sources = SourceMap::new();
        let text = "a\n# 10 \"h.h\" 1 3\nb\nc\n# 2 \"m.c\" 2\nd";
        let file = sources.add("m.i", text.as_bytes()).unwrap();
        let start = sources.file(file).start;
        let at = |letter: &str| start + u32::try_from(text.find(letter).unwrap()).unwrap();
        let marker = |line: u32, name: &str, next: &str, system| LineMarker {
            position: at(next),
            line,
            file: name.into(),
            system,
        };
        sources.set_markers(file, vec![marker(10, "h.h", "b\nc", true), marker(2, "m.c", "d", false)]);
        assert_eq!(location(&sources, at("a")), "m.i:1:1");
        assert_eq!(location(&sources, at("b\nc")), "h.h:10:1");
        assert_eq!(location(&sources, at("c\n#")), "h.h:11:1");
        assert_eq!(location(&sources, at("d")), "m.c:2:1");
        assert_eq!(sources.file(file).own_lines(), 2);
        assert!(sources.is_system(at("c\n#")) && !sources.is_system(at("d")) && !sources.is_system(at("a")));
    }
}
