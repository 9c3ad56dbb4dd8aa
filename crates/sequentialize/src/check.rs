//! The check after every pass: the tree must print as C that reads back as the same tree.
//!
//! That is much in one question. A type that does not hold, a conversion that is missing or too many, a name that is captured
//! by another of another type, a label that is gone, a declaration behind its first use: each of them makes the two trees
//! differ, or makes the text unreadable. Before that, names are looked up as C would, so that each leads to what the tree means. What it cannot see is a change of meaning; that is what running the programs is for.

use raddle_base::{Severity, SourceMap};
use raddle_cfront::ast::{Ast, ExprKind};
use raddle_cfront::print::{PrintOptions, print_unit};
use raddle_cfront::{dump, parse_program};

use crate::program::Program;

mod scope;

/// Prints the program, reads it back, and compares.
///
/// # Errors
/// What differs, as a text for the developer.
pub fn check(program: &Program) -> Result<(), String> {
    let ast = program.ast();
    if let Some(error) = program.tree.diagnostics.iter().find(|found| found.severity == Severity::Error) {
        let text = String::from_utf8_lossy(program.sources.text(error.primary.span)).into_owned();
        return Err(format!("a node was made that does not hold: {}: {text}", error.message));
    }
    scope::check(ast)?;
    let mut sources = SourceMap::new();
    let options = PrintOptions::default();
    let mut files = Vec::with_capacity(ast.units.len());
    for unit in 0..ast.units.len() {
        let text = print_unit(ast, unit, &options, &program.sources);
        let Some(file) = sources.add(&ast.units[unit].name, text.into_bytes()) else {
            return Err("the printed text is too large".to_owned());
        };
        files.push(file);
    }
    let read = parse_program(&mut sources, &files, ast.model);
    if let Some(error) = read.diagnostics.iter().find(|found| found.severity == Severity::Error) {
        let place = sources.locate(error.primary.span.lo);
        let line = place.as_ref().map_or(0, |place| place.line);
        let context = place.map_or_else(String::new, |_| lines_around(&sources, error.primary.span.lo));
        return Err(format!("line {line} cannot be read back: {}\n{context}", error.message));
    }
    let (before, after) = (dump::dump(&without_typedefs(ast)), dump::dump(&without_typedefs(&read.ast)));
    if before == after {
        return Ok(());
    }
    Err(format!("it reads back as another tree\n{}", first_difference(&before, &after)))
}

/// The same program with every type spelled out. Which of several names of a type an expression got from a declaration that
/// has moved is of no concern.
fn without_typedefs(ast: &Ast) -> Ast {
    let mut plain = ast.clone();
    let types = &ast.types;
    for (_, expr) in plain.exprs.iter_mut() {
        expr.ty = types.canonical(expr.ty);
        match &mut expr.kind {
            ExprKind::CompoundAssign { computation, .. } => {
                *computation = types.canonical((*computation).into()).id
            }
            ExprKind::TypeQuery(_, ty) | ExprKind::Offsetof { ty, .. } => *ty = types.canonical(*ty),
            _ => {}
        }
    }
    for (_, var) in plain.vars.iter_mut() {
        var.ty = types.canonical(var.ty);
    }
    for (_, function) in plain.functions.iter_mut() {
        function.ty = types.canonical(function.ty);
    }
    for (_, record) in plain.records.iter_mut() {
        for field in record.fields.iter_mut().flatten() {
            // An anonymous member is known by its type as written.
            if field.name.is_some() {
                field.ty = types.canonical(field.ty);
            }
        }
    }
    plain
}

/// A few lines of the text around a position.
fn lines_around(sources: &SourceMap, position: u32) -> String {
    let Some(file) = sources.file_at(position).map(|file| sources.file(file)) else { return String::new() };
    let line = file.line_at((position - file.start) as usize);
    let shown = (line.saturating_sub(6)..=line + 1).map(|line| {
        let text = file.text.get(file.line_range(line)).unwrap_or_default();
        String::from_utf8_lossy(text).into_owned()
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// Where two texts part, with the lines before.
fn first_difference(left: &str, right: &str) -> String {
    let equal = left.lines().zip(right.lines()).take_while(|(left, right)| left == right).count();
    let common: Vec<&str> = left.lines().skip(equal.saturating_sub(12)).take(equal.min(12)).collect();
    let rest = |text: &str| text.lines().skip(equal).take(4).collect::<Vec<_>>().join("\n");
    format!("{}\n--- it was\n{}\n--- it became\n{}", common.join("\n"), rest(left), rest(right))
}
