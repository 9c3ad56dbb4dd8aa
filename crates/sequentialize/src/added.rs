//! C that passes bring along: read as one more unit, which is merged with the program.

use raddle_base::{Diagnostics, Span};
use raddle_cfront::ast::Ast;
use raddle_cfront::check::{Checker, TreeBuilder};
use raddle_cfront::link::{UnitRange, link};

use crate::pass::{Refusal, Values};
use crate::passes::merge;
use crate::program::Program;

/// Reads a text as one more unit, links it, and merges all units into one.
pub(crate) fn add_unit(program: &mut Program, name: &str, text: &str) -> Result<(), Refusal> {
    let model = program.ast().model;
    let Some(file) = program.sources.add(name, text.as_bytes().to_vec()) else {
        return Err(Refusal::new(Span::NONE, "the program's texts are too large"));
    };
    let before = UnitRange::starting(&Ast::new(model)).ending(program.ast());
    let start = UnitRange::starting(program.ast());
    let tree = std::mem::replace(&mut program.tree, TreeBuilder::over(Ast::new(model)));
    program.tree = raddle_cfront::parse_unit(&mut program.sources, file, Checker::over(tree)).tree;
    let added = start.ending(program.ast());
    let mut diagnostics = Diagnostics::new();
    link(&mut program.tree.ast, &[before, added], &mut diagnostics);
    program.tree.diagnostics.append(diagnostics);
    merge::run(program, &Values::default())
}
