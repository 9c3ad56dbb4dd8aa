//! `raddle parse`: check C files, and print them.

use std::fmt::Write as _;

use raddle_base::{Diagnostic, Diagnostics, FileId, Severity, SourceMap};
use raddle_cfront::ast::{Ast, Item, Unit};
use raddle_cfront::print::PrintOptions;
use raddle_cfront::{dump, print};

use crate::arguments::{Emit, MessageArguments, ParseArguments};
use crate::load::{Loaded, load};
use crate::output::{self, Exit};

/// Runs the command.
pub(crate) fn run(arguments: &ParseArguments, messages: &MessageArguments) -> Exit {
    let Loaded { sources, ast, diagnostics, files } =
        load(&arguments.files, &arguments.preprocessor.options, None);
    output::report(&diagnostics, &sources, messages);
    if diagnostics.has_errors() {
        return Exit::InputError;
    }
    let text = match arguments.emit {
        Some(Emit::C) => {
            let options = PrintOptions { line_directives: arguments.line_directives };
            print::print(&ast, &options, &sources)
        }
        Some(Emit::Ast) => dump::dump(&ast),
        None => overview(&ast, &sources, &files, &diagnostics),
    };
    output::write(text.as_bytes(), arguments.output.as_deref())
}

/// What one unit, or all together, consists of.
#[derive(Clone, Copy, Default)]
struct Counts {
    functions: usize,
    lines: usize,
    warnings: usize,
}

/// One line for each unit, and one for all if there are several.
fn overview(ast: &Ast, sources: &SourceMap, files: &[FileId], diagnostics: &Diagnostics) -> String {
    let mut text = String::new();
    let mut all = Counts::default();
    for (unit, &file) in ast.units.iter().zip(files) {
        let counts = count(ast, unit, sources, file, diagnostics);
        all.functions += counts.functions;
        all.lines += counts.lines;
        all.warnings += counts.warnings;
        line(&mut text, &sources.file(file).name, counts);
    }
    if files.len() > 1 {
        line(&mut text, &format!("{} units", files.len()), all);
    }
    text
}

fn count(ast: &Ast, unit: &Unit, sources: &SourceMap, file: FileId, diagnostics: &Diagnostics) -> Counts {
    // Functions of system headers are not the user's.
    let is_own = |item: &&Item| match item {
        Item::Function { id, definition: true } => !sources.is_system(ast.functions[*id].span.lo),
        Item::Function { definition: false, .. }
        | Item::Record { .. }
        | Item::Enum(_)
        | Item::Typedef(_)
        | Item::Var { .. }
        | Item::Asm(_)
        | Item::Label(_) => false,
    };
    // The preprocessor's warnings point into a text of their own, of the same name.
    let name_of = |id: FileId| &sources.file(id).name;
    let is_warning_here = |known: &&Diagnostic| {
        let place = sources.file_at(known.primary.span.lo);
        known.severity == Severity::Warning && place.is_some_and(|place| name_of(place) == name_of(file))
    };
    Counts {
        functions: unit.items.iter().filter(is_own).count(),
        lines: sources.file(file).own_lines(),
        warnings: diagnostics.iter().filter(is_warning_here).count(),
    }
}

fn line(text: &mut String, name: &str, counts: Counts) {
    let counted = |count: usize, what: &str| match count {
        0 => format!("no {what}s"),
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    let functions = counted(counts.functions, "function");
    let lines = counted(counts.lines, "line");
    let warnings = counted(counts.warnings, "warning");
    writeln!(text, "{name}: {functions}, {lines}, {warnings}").expect("writing to a string cannot fail");
}
