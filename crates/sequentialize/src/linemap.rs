//! The printed program with a table that says where each of its lines came from.

use std::fmt::Write as _;

use raddle_base::{SourceMap, Span};
use raddle_cfront::print::{Mark, print_unit_marked};

use crate::origin::{Context, CopyId};
use crate::program::Program;
use crate::sequential::Point;

/// A printed program.
#[derive(Clone, Debug, Default)]
pub struct Printed {
    /// C text.
    pub text: String,
    /// Of those lines of the text that came from somewhere, in order.
    pub lines: Vec<MappedLine>,
}

/// Where a line of printed text came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MappedLine {
    /// The line of the printed text, from one.
    pub line: u32,
    /// The source location in the input.
    pub span: Span,
    /// Which copy of it.
    pub copy: Option<CopyId>,
}

/// Prints all units, one after the other.
#[must_use]
pub fn print(program: &Program) -> Printed {
    let mut printed = Printed::default();
    let mut before = 0;
    for unit in 0..program.ast().units.len() {
        if unit > 0 {
            printed.text.push('\n');
            before += 1;
        }
        let (text, marks) = print_unit_marked(program.ast(), unit);
        let newlines = text.bytes().filter(|&byte| byte == b'\n').count();
        for mark in marks {
            add(program, &mut printed.lines, before, mark);
        }
        printed.text.push_str(&text);
        before += u32::try_from(newlines).unwrap_or(u32::MAX);
    }
    printed
}

/// A line may have several marks: a declaration's own and that of its statement, which knows more.
fn add(program: &Program, lines: &mut Vec<MappedLine>, before: u32, mark: Mark) {
    let line = before.saturating_add(mark.line);
    let copy = mark.stmt.and_then(|stmt| program.origins.stmt(stmt));
    match lines.last_mut() {
        Some(last) if last.line == line => {
            if last.span == Span::NONE {
                last.span = mark.span;
            }
            last.copy = last.copy.or(copy);
        }
        _ => lines.push(MappedLine { line, span: mark.span, copy }),
    }
}

/// The table as text: the printed line, the source location in the input, and which copy of it.
#[must_use]
pub fn table(program: &Program, printed: &Printed) -> String {
    let mut text = String::new();
    for line in &printed.lines {
        let place = place(&program.sources, line.span).unwrap_or_else(|| "-".to_owned());
        let _ = write!(text, "{}\t{place}", line.line);
        let contexts = describe(program, line.copy);
        if !contexts.is_empty() {
            let _ = write!(text, "\t{}", contexts.join(", "));
        }
        text.push('\n');
    }
    text
}

fn place(sources: &SourceMap, span: Span) -> Option<String> {
    let place = sources.locate(span.lo)?;
    Some(format!("{}:{}", place.file, place.line))
}

/// The labels of the threads of a sequential program as text: the thread, the number of the label, the source location in the input
/// where the thread stands, and which copy of it; nothing if the program is not sequential.
#[must_use]
pub fn points(program: &Program) -> String {
    let mut text = String::new();
    for (number, thread) in program.sequential.iter().flat_map(|found| &found.threads).enumerate() {
        let name = if number == 0 { "main".to_owned() } else { format!("t{number}") };
        for (label, point) in thread.points.iter().enumerate() {
            let (span, mut words) = point_words(program, *point);
            if label + 1 == thread.points.len() {
                words = vec!["end".to_owned()];
            } else if label == 0 {
                words = vec!["beginning".to_owned()];
            }
            let place = place(&program.sources, span).unwrap_or_else(|| "-".to_owned());
            let _ = write!(text, "{name}\t{label}\t{place}");
            if !words.is_empty() {
                let _ = write!(text, "\t{}", words.join(", "));
            }
            text.push('\n');
        }
    }
    text
}

/// The source location of a label in the user's files, and which iteration and call it is, outermost first. What lies in a model of
/// the API stands where the API is called.
fn point_words(program: &Program, point: Point) -> (Span, Vec<String>) {
    let is_model =
        |span: Span| program.sources.locate(span.lo).is_some_and(|place| place.file.starts_with('<'));
    let line = |span: Span| program.sources.locate(span.lo).map_or(0, |place| place.line);
    let mut span = point.span;
    let mut words = Vec::new();
    for context in program.origins.contexts(point.copy) {
        match context {
            Context::Thread { .. } => break,
            Context::Iteration { place, .. } if is_model(place) => {}
            Context::Iteration { place, number } => {
                words.push(format!("iteration {number} of the loop at line {}", line(place)));
            }
            Context::Call { place, function } => {
                let name = program.function_text(function);
                let name = name.strip_prefix("__model_").unwrap_or(name);
                if is_model(span) {
                    span = place;
                    if !is_model(place) {
                        words.push(format!("in {name}"));
                    }
                } else if is_model(place) {
                    words.push(format!("call of {name}"));
                } else if line(place) > 0 {
                    words.push(format!("call of {name} at line {}", line(place)));
                }
            }
        }
    }
    words.reverse();
    (span, words)
}

/// What a copy is, outermost first, in words.
#[must_use]
pub fn describe(program: &Program, copy: Option<CopyId>) -> Vec<String> {
    let line = |span: Span| program.sources.locate(span.lo).map_or(0, |place| place.line);
    let mut words: Vec<String> = program
        .origins
        .contexts(copy)
        .map(|context| match context {
            Context::Iteration { place, number } => {
                format!("iteration {number} of the loop at line {}", line(place))
            }
            Context::Call { place, function } => {
                format!("call of {} at line {}", program.function_text(function), line(place))
            }
            Context::Thread { place, function, number } => match number {
                0 => format!("thread 0 ({})", program.function_text(function)),
                _ => format!(
                    "thread {number} ({}) started at line {}",
                    program.function_text(function),
                    line(place)
                ),
            },
        })
        .collect();
    words.reverse();
    words
}
