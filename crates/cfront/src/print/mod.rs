//! The C printer: a typed tree as C that gcc accepts and that means the same.
//!
//! What is printed is what was written, as far as the tree still knows it: typedef names are kept, implicit
//! conversions are left out (reading the text again makes them anew), explicit ones are printed, and no
//! parenthesis stands where precedence does not ask for it. The invariant, checked by the round-trip tests:
//! parsing the printed text gives a tree with the same dump ([`crate::dump`]).
//!
//! Definitions of records and enumerations are declarations of their own. A record without a tag gets one,
//! `__anon_1` and so on, which the parser reads as no tag; only an anonymous member is printed in place.
//!
//! Where it may be wrong: a tag hidden by an inner tag of the same name cannot be named, so a declaration that
//! needs the outer one there (only `typeof` can make it) would get the inner one. What the tree does not keep is
//! gone: attributes without a meaning for us (sections, visibility, hints for the optimiser) and `#pragma GCC
//! target`, without which gcc refuses the vector intrinsics of newer processors.

use raddle_base::{SourceMap, Span, on_large_stack};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::{Ast, RecordId, StmtId};
use crate::types::TypeId;

mod expression;
mod initializer;
mod item;
mod line;
pub(crate) mod literal;
pub(crate) mod scope;
mod statement;
pub(crate) mod survey;
mod types;

pub(crate) use expression::{binary_text, predefined_text, query_text, unary_text};
use line::Lines;
pub use line::Mark;
use line::Marks;
use scope::PrintScope;
pub(crate) use statement::head_types;
use survey::Survey;
pub(crate) use types::{integer_name, lengths, record_keyword};

/// What the printed text shall look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct PrintOptions {
    /// Put `#line` directives so that each declaration and statement keeps its file and line.
    pub line_directives: bool,
}

/// Prints all units, one after the other. Several units in one text need not be valid C (two may have a
/// static of the same name): to compile them, print each with [`print_unit`].
#[must_use]
pub fn print(ast: &Ast, options: &PrintOptions, sources: &SourceMap) -> String {
    let units: Vec<String> =
        (0..ast.units.len()).map(|unit| print_unit(ast, unit, options, sources)).collect();
    units.join("\n")
}

/// Prints one unit, by its position in [`Ast::units`].
#[must_use]
pub fn print_unit(ast: &Ast, unit: usize, options: &PrintOptions, sources: &SourceMap) -> String {
    on_large_stack(|| {
        let survey = Survey::of_unit(ast, unit);
        let lines = options.line_directives.then(|| Lines::new(sources));
        let mut printer = Printer::new(ast, &survey, lines);
        for &item in ast.units.get(unit).map_or(&[][..], |unit| &unit.items) {
            printer.item(item);
        }
        printer.text
    })
}

/// Prints one unit, and lists what each of its lines stands for, in order of the lines.
#[must_use]
pub fn print_unit_marked(ast: &Ast, unit: usize) -> (String, Vec<Mark>) {
    on_large_stack(|| {
        let survey = Survey::of_unit(ast, unit);
        let mut printer = Printer::new(ast, &survey, None);
        printer.marks = Some(Marks::default());
        for &item in ast.units.get(unit).map_or(&[][..], |unit| &unit.items) {
            printer.item(item);
        }
        (printer.text, printer.marks.map_or_else(Vec::new, |marks| marks.list))
    })
}

/// The text made so far, and what must be known to go on.
pub(crate) struct Printer<'a> {
    pub(crate) ast: &'a Ast,
    survey: &'a Survey,
    text: String,
    indent: usize,
    lines: Option<Lines<'a>>,
    marks: Option<Marks>,
    /// Which typedef names mean what here.
    pub(crate) scope: PrintScope,
    /// How many declarations of each were met.
    declarations: FxHashMap<survey::Declared, usize>,
    /// Records that are known by their tag here or further out.
    known_records: FxHashSet<RecordId>,
    /// For each variable length array type declared so far, an expression or typedef name of that type: where the
    /// type comes back (through `typeof`), the length must not be evaluated again.
    variable_types: FxHashMap<TypeId, String>,
}

impl<'a> Printer<'a> {
    pub(crate) fn new(ast: &'a Ast, survey: &'a Survey, lines: Option<Lines<'a>>) -> Self {
        Self {
            ast,
            survey,
            text: String::new(),
            indent: 0,
            lines,
            marks: None,
            scope: PrintScope::default(),
            declarations: FxHashMap::default(),
            known_records: FxHashSet::default(),
            variable_types: FxHashMap::default(),
        }
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Starts a line; the text that follows comes from `span`.
    fn start_line(&mut self, span: Span) {
        if let Some(lines) = &mut self.lines {
            lines.direct(span, &mut self.text);
        }
        self.mark(span, None);
        self.indentation();
    }

    /// Starts a line with a statement.
    fn start_stmt_line(&mut self, id: StmtId) {
        let span = self.ast.stmts[id].span;
        self.start_line(span);
        self.mark(span, Some(id));
    }

    /// Notes what the current line stands for.
    fn mark(&mut self, span: Span, stmt: Option<StmtId>) {
        if let Some(marks) = &mut self.marks {
            marks.add(span, stmt, &self.text);
        }
    }

    fn indentation(&mut self) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
    }

    fn end_line(&mut self) {
        self.text.push('\n');
    }
}

#[cfg(test)]
mod tests;
