//! `#line` directives: the printed text says which line of the user's file each of its lines stands for. And marks, which
//! give the same beside the text.

use std::fmt::Write as _;
use std::sync::Arc;

use raddle_base::{SourceMap, Span};

use crate::ast::StmtId;

/// Where the next printed line is taken to stand.
pub(crate) struct Lines<'a> {
    sources: &'a SourceMap,
    /// The file and line a compiler would give to the text behind `scanned`.
    current: Option<(Arc<str>, u32)>,
    /// How much of the text is counted in `current`.
    scanned: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(sources: &'a SourceMap) -> Self {
        Self { sources, current: None, scanned: 0 }
    }

    /// Called at the start of a line: adds a directive unless the line already counts as that of `span`.
    pub(crate) fn direct(&mut self, span: Span, text: &mut String) {
        let Some(location) = self.sources.locate(span.lo) else { return };
        let behind = text.as_bytes().get(self.scanned..).unwrap_or_default();
        let newlines =
            u32::try_from(behind.iter().filter(|&&byte| byte == b'\n').count()).unwrap_or(u32::MAX);
        self.scanned = text.len();
        if let Some((_, line)) = &mut self.current {
            *line = line.saturating_add(newlines);
        }
        let wanted = (location.file, location.line);
        if self.current.as_ref() == Some(&wanted) {
            return;
        }
        text.push_str("#line ");
        // Writing to a String cannot fail.
        let _ = write!(text, "{} \"", wanted.1);
        for character in wanted.0.chars() {
            if matches!(character, '"' | '\\') {
                text.push('\\');
            }
            text.push(character);
        }
        text.push_str("\"\n");
        self.scanned = text.len();
        self.current = Some(wanted);
    }
}

/// What a line of the printed text stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The line, from one.
    pub line: u32,
    /// Where what stands there came from.
    pub span: Span,
    /// The statement, if it is one.
    pub stmt: Option<StmtId>,
}

/// The marks made so far.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    pub(crate) list: Vec<Mark>,
    /// How much of the text is counted, and the newlines in it.
    scanned: usize,
    newlines: u32,
}

impl Marks {
    /// Marks the line that the text ends with.
    pub(crate) fn add(&mut self, span: Span, stmt: Option<StmtId>, text: &str) {
        let behind = text.as_bytes().get(self.scanned..).unwrap_or_default();
        let newlines = behind.iter().filter(|&&byte| byte == b'\n').count();
        self.newlines = self.newlines.saturating_add(u32::try_from(newlines).unwrap_or(u32::MAX));
        self.scanned = text.len();
        self.list.push(Mark { line: self.newlines.saturating_add(1), span, stmt });
    }
}
