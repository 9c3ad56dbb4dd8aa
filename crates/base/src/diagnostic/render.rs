//! Diagnostics as text in the manner of rustc, and as JSON.

use std::fmt;
use std::ops::Range;

use annotate_snippets::{Annotation, AnnotationKind, Element, Level, Renderer as Painter, Snippet};
use serde::Serialize;

use super::locate::{Originals, Shown, ShownSpan, locate};
use super::{Diagnostic, Label, Severity};
use crate::source::{SourceMap, Span};

/// Makes text of diagnostics.
pub struct Renderer<'a> {
    sources: &'a SourceMap,
    originals: Originals<'a>,
    colour: bool,
}

impl fmt::Debug for Renderer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Renderer").field("colour", &self.colour).finish_non_exhaustive()
    }
}

/// A span and its text.
struct Marked<'a> {
    shown_span: ShownSpan,
    text: &'a str,
    kind: AnnotationKind,
}

impl<'a> Renderer<'a> {
    /// Renders without colour. `read` gives the text of a file that a line marker names, if there is such a
    /// file; the lines shown are taken from it.
    pub fn new(sources: &'a SourceMap, read: impl FnMut(&str) -> Option<Vec<u8>> + 'a) -> Self {
        Self { sources, originals: Originals::new(read), colour: false }
    }

    /// With terminal colours, or without.
    #[must_use]
    pub fn colour(mut self, colour: bool) -> Self {
        self.colour = colour;
        self
    }

    /// The diagnostic in the manner of rustc. Several lines, without the last line's end.
    pub fn text(&mut self, diagnostic: &Diagnostic) -> String {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
        };
        let mut elements: Vec<Element<'_>> =
            self.snippets(diagnostic).into_iter().map(Element::from).collect();
        let notes = diagnostic.notes.iter().map(|note| Level::NOTE.message(note));
        let help = diagnostic.help.iter().map(|help| Level::HELP.message(help));
        elements.extend(notes.chain(help).map(Element::from));
        let painter = if self.colour { Painter::styled() } else { Painter::plain() };
        painter.render(&[level.primary_title(&diagnostic.message).elements(elements)])
    }

    /// The source excerpts: that of the primary label first, with whatever else lies in the same text.
    fn snippets<'d>(&mut self, diagnostic: &'d Diagnostic) -> Vec<Snippet<'d, Annotation<'d>>> {
        let primary = [(&diagnostic.primary, AnnotationKind::Primary)];
        let secondary = diagnostic.secondary.iter().map(|label| (label, AnnotationKind::Context));
        let mut groups: Vec<Vec<Marked<'d>>> = Vec::new();
        for (label, kind) in primary.into_iter().chain(secondary) {
            let Some(shown_span) = self.locate(label.span) else { continue };
            let same = |group: &&mut Vec<Marked<'d>>| {
                group[0].shown_span.file == shown_span.file && group[0].shown_span.shown == shown_span.shown
            };
            let group = groups.iter_mut().find(same);
            let marked = Marked { shown_span, text: &label.text, kind };
            match group {
                Some(group) => group.push(marked),
                None => groups.push(vec![marked]),
            }
        }
        groups.iter().map(|group| self.snippet(group)).collect()
    }

    /// One excerpt, with all lines from the first to the last that is marked.
    fn snippet<'d>(&mut self, group: &[Marked<'d>]) -> Snippet<'d, Annotation<'d>> {
        let lines = || group.iter().flat_map(|marked| [marked.shown_span.begin.0, marked.shown_span.end.0]);
        let (first, last) = (lines().min().unwrap_or(1), lines().max().unwrap_or(1));
        let mut source = String::new();
        // Where each line begins in the excerpt, and what it was before invalid UTF-8 was replaced.
        let mut starts: Vec<(usize, Vec<u8>)> = Vec::new();
        for number in first..=last {
            let line = self.line(&group[0].shown_span, number);
            starts.push((source.len(), line.clone()));
            source.push_str(&String::from_utf8_lossy(&line));
            source.push('\n');
        }
        let offset = |(line, column): (u32, usize)| {
            let (start, bytes) = &starts[(line - first) as usize];
            let before = String::from_utf8_lossy(&bytes[..column.min(bytes.len())]).len();
            (0..=start + before).rev().find(|&at| source.is_char_boundary(at)).unwrap_or(0)
        };
        let annotations: Vec<Annotation<'d>> = group
            .iter()
            .map(|marked| {
                let range: Range<usize> = offset(marked.shown_span.begin)..offset(marked.shown_span.end);
                let annotation = marked.kind.span(range);
                if marked.text.is_empty() { annotation } else { annotation.label(marked.text) }
            })
            .collect();
        let path = group[0].shown_span.file.to_string();
        Snippet::source(source).line_start(first as usize).path(path).annotations(annotations)
    }

    /// A line of the text that a span is shown in.
    fn line(&mut self, shown_span: &ShownSpan, number: u32) -> Vec<u8> {
        match shown_span.shown {
            Shown::Original => {
                let lines = self.originals.get(&shown_span.file);
                lines.and_then(|lines| lines.line(number).map(<[u8]>::to_vec)).unwrap_or_default()
            }
            Shown::Lexed { file, shift } => {
                let source = self.sources.file(file);
                let index = usize::try_from(i64::from(number) + shift - 1);
                index.map(|index| source.text[source.line_range(index)].to_vec()).unwrap_or_default()
            }
        }
    }

    fn locate(&mut self, span: Span) -> Option<ShownSpan> {
        locate(self.sources, &mut self.originals, span)
    }

    /// The diagnostic as one JSON object on one line, without the line's end.
    pub fn json(&mut self, diagnostic: &Diagnostic) -> String {
        let message = JsonDiagnostic {
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            message: &diagnostic.message,
            place: self.json_span(&diagnostic.primary),
            labels: diagnostic.secondary.iter().filter_map(|label| self.json_span(label)).collect(),
            notes: &diagnostic.notes,
            help: &diagnostic.help,
        };
        serde_json::to_string(&message).expect("strings and numbers always have a JSON form")
    }

    fn json_span<'d>(&mut self, label: &'d Label) -> Option<JsonSpan<'d>> {
        let shown_span = self.locate(label.span)?;
        let (line, column) = shown_span.begin;
        let end = JsonEnd { line: shown_span.end.0, column: self.characters(&shown_span, shown_span.end) };
        let column = self.characters(&shown_span, (line, column));
        Some(JsonSpan { file: shown_span.file.to_string(), line, column, end, label: &label.text })
    }

    /// A column in characters, from one.
    fn characters(&mut self, shown_span: &ShownSpan, (line, column): (u32, usize)) -> usize {
        let line = self.line(shown_span, line);
        String::from_utf8_lossy(&line[..column.min(line.len())]).chars().count() + 1
    }
}

/// Columns are in characters and, like lines, from one; `end` is one past the last.
#[derive(Serialize)]
struct JsonDiagnostic<'a> {
    severity: &'static str,
    message: &'a str,
    #[serde(flatten)]
    place: Option<JsonSpan<'a>>,
    labels: Vec<JsonSpan<'a>>,
    notes: &'a [String],
    help: &'a [String],
}

#[derive(Serialize)]
struct JsonSpan<'a> {
    file: String,
    line: u32,
    column: usize,
    end: JsonEnd,
    label: &'a str,
}

#[derive(Serialize)]
struct JsonEnd {
    line: u32,
    column: usize,
}

#[cfg(test)]
mod tests;
