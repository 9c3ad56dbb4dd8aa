//! What the tool has to say about its input: errors and warnings with labelled spans.
//!
//! Diagnostics are data. A [`Renderer`] makes text of them in the manner of rustc, or JSON; only the command
//! line prints.

use crate::source::{SourceMap, Span};

mod locate;
mod render;

pub use render::Renderer;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The input cannot be used.
    Error,
    /// The input is doubtful.
    Warning,
}

/// A span and what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What; may be empty.
    pub text: String,
}

/// One message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// One line, lower case, no full stop.
    pub message: String,
    /// The span it is about.
    pub primary: Label,
    /// Other spans that matter ("first defined here").
    pub secondary: Vec<Label>,
    /// Facts that help to understand it.
    pub notes: Vec<String>,
    /// What to do about it.
    pub help: Vec<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Error, span, message.into())
    }

    /// A warning at `span`.
    pub fn warning(span: Span, message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, span, message.into())
    }

    fn new(severity: Severity, span: Span, message: String) -> Self {
        let primary = Label { span, text: String::new() };
        Self { severity, message, primary, secondary: Vec::new(), notes: Vec::new(), help: Vec::new() }
    }

    /// Says something right under the span.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.primary.text = text.into();
        self
    }

    /// Points at another span.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a fact.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(text.into());
        self
    }
}

/// All messages about one input, in the order they came up.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
    suppressed: usize,
}

/// After this many errors the rest is only counted.
const MAX_ERRORS: usize = 50;

impl Diagnostics {
    /// Nothing to say yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a message. A second error at the same span is dropped: it follows from the first.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.severity == Severity::Error {
            let same_span = |known: &Diagnostic| {
                known.severity == Severity::Error
                    && known.primary.span == diagnostic.primary.span
                    && (known.primary.span != Span::NONE || known.message == diagnostic.message)
            };
            if self.list.iter().rev().take(8).any(same_span) {
                return;
            }
            self.errors += 1;
        }
        if self.errors > MAX_ERRORS {
            self.suppressed += 1;
        } else {
            self.list.push(diagnostic);
        }
    }

    /// Whether any error was added.
    #[must_use]
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many errors were added, shown or not.
    #[must_use]
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// How many messages were left out after too many errors.
    #[must_use]
    pub fn suppressed(&self) -> usize {
        self.suppressed
    }

    /// Adds all messages of another list behind these.
    pub fn append(&mut self, other: Self) {
        let hidden = other.errors - other.shown(Severity::Error);
        for diagnostic in other.list {
            self.push(diagnostic);
        }
        self.errors += hidden;
        self.suppressed += other.suppressed;
    }

    /// Drops warnings about system headers, which concern nobody.
    pub fn drop_system_warnings(&mut self, sources: &SourceMap) {
        self.list.retain(|diagnostic| {
            diagnostic.severity == Severity::Error || !sources.is_system(diagnostic.primary.span.lo)
        });
    }

    /// How many messages of this severity are in the list.
    #[must_use]
    pub fn shown(&self, severity: Severity) -> usize {
        self.list.iter().filter(|diagnostic| diagnostic.severity == severity).count()
    }

    /// One line that counts the messages: `3 errors, 1 warning; 12 more messages not shown`. `None` if there are none.
    #[must_use]
    pub fn summary(&self) -> Option<String> {
        let (errors, warnings) = (self.shown(Severity::Error), self.shown(Severity::Warning));
        let counts: Vec<String> = [(errors, "error"), (warnings, "warning")]
            .into_iter()
            .filter(|&(count, _)| count > 0)
            .map(|(count, what)| counted(count, what))
            .collect();
        let mut summary = counts.join(", ");
        if self.suppressed > 0 {
            let more = counted(self.suppressed, "more message");
            summary = format!("{summary}; {more} not shown");
        }
        (!summary.is_empty()).then_some(summary)
    }

    /// The messages, in the order they came up.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }
}

/// `1 error`, `2 errors`.
fn counted(count: usize, what: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {what}{plural}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(position: u32) -> Span {
        Span::new(position, position + 1)
    }

    #[test]
    fn a_second_error_at_the_same_span_is_dropped() {
        let mut list = Diagnostics::new();
        list.push(Diagnostic::error(at(1), "first"));
        list.push(Diagnostic::error(at(1), "second"));
        list.push(Diagnostic::warning(at(1), "third"));
        assert_eq!(list.summary().unwrap(), "1 error, 1 warning");
        // What has no span is distinguished by what it says.
        for message in ["no such file: `a.c`", "no such file: `b.c`", "no such file: `a.c`"] {
            list.push(Diagnostic::error(Span::NONE, message));
        }
        assert_eq!(list.summary().unwrap(), "3 errors, 1 warning");
    }

    #[test]
    fn too_many_errors_are_only_counted() {
        let mut list = Diagnostics::new();
        assert_eq!(list.summary(), None);
        for position in 1..=62 {
            list.push(Diagnostic::error(at(position), "again"));
        }
        assert_eq!(list.summary().unwrap(), "50 errors; 12 more messages not shown");
        let mut both = Diagnostics::new();
        both.push(Diagnostic::warning(at(1), "doubtful"));
        both.append(list);
        assert_eq!(both.error_count(), 62);
        assert_eq!(both.summary().unwrap(), "50 errors, 1 warning; 12 more messages not shown");
    }
}
