//! The C front end: preprocess, lex, parse and type-check C11 with GNU extensions, as gcc reads it.
//!
//! Text goes in, one fully typed [`ast::Ast`] and a list of diagnostics come out. The parser calls the
//! checker as it goes, so there is one tree and one pass: each expression is born with its type. Nothing here
//! panics on any input, and nothing stops at the first error.

pub mod asked;
pub mod ast;
pub mod check;
pub mod dump;
pub mod layout;
pub mod lexer;
pub mod library;
pub mod link;
pub mod literal;
pub mod names;
pub mod opaque;
pub mod parse;
pub mod preprocess;
pub mod primitive;
pub mod print;
pub mod spelling;
pub mod token;
pub mod types;
pub mod visit;

use raddle_base::{Diagnostics, FileId, SourceMap, on_large_stack};

use crate::ast::{Ast, Unit};
use crate::check::Checker;
use crate::layout::DataModel;
use crate::link::{UnitRange, link};
use crate::parse::Parser;

/// A program and what there is to say about it. If any diagnostic is an error, the tree is what could be made of
/// the rest.
#[derive(Debug)]
pub struct Parsed {
    /// The typed tree of all units, linked.
    pub ast: Ast,
    /// What was found wrong, warnings in system headers left out.
    pub diagnostics: Diagnostics,
}

/// Lexes, parses, checks and links the preprocessed `files`, each a translation unit.
pub fn parse_program(sources: &mut SourceMap, files: &[FileId], model: DataModel) -> Parsed {
    on_large_stack(|| {
        let mut checker = Checker::new(model);
        let mut ranges = Vec::with_capacity(files.len());
        for &file in files {
            let start = UnitRange::starting(&checker.tree.ast);
            checker = parse_unit(sources, file, checker);
            ranges.push(start.ending(&checker.tree.ast));
        }
        let check::TreeBuilder { mut ast, mut diagnostics } = checker.tree;
        link(&mut ast, &ranges, &mut diagnostics);
        diagnostics.drop_system_warnings(sources);
        Parsed { ast, diagnostics }
    })
}

/// Adds one translation unit to the checker's tree. It is not linked to those before it.
pub fn parse_unit(sources: &mut SourceMap, file: FileId, mut checker: Checker) -> Checker {
    let tokens = lexer::lex(sources, file, &mut checker.tree.ast.names, &mut checker.tree.diagnostics);
    let name = sources.file(file).name.to_string();
    // About one node a token in code; growing so large a table bit by bit would copy it many times over. Room that stays
    // unused (headers hold few expressions) is never touched, and so costs nothing.
    checker.tree.ast.exprs.reserve(tokens.len());
    checker.begin_unit();
    let (items, mut checker) = Parser::new(sources, &tokens, checker).translation_unit();
    checker.tree.ast.units.push(Unit { name, items });
    checker
}

#[cfg(test)]
pub(crate) mod testing {
    //! What the unit tests of all modules share.

    use raddle_base::{Severity, SourceMap};

    use crate::layout::DataModel;
    use crate::{Parsed, parse_program};

    /// Parses texts, each a translation unit, for LP64.
    pub(crate) fn parse_units(units: &[&str]) -> Parsed {
        let mut sources = SourceMap::new();
        let add = |text: &&str| sources.add("test.i", text.as_bytes().to_vec()).expect("the text is small");
        let files: Vec<_> = units.iter().map(add).collect();
        parse_program(&mut sources, &files, DataModel::Lp64)
    }

    /// Parses one text.
    pub(crate) fn parse_str(text: &str) -> Parsed {
        parse_units(&[text])
    }

    /// The messages of one severity.
    pub(crate) fn messages(parsed: &Parsed, severity: Severity) -> Vec<String> {
        let of_severity = parsed.diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity);
        of_severity.map(|diagnostic| diagnostic.message.clone()).collect()
    }

    /// The errors in `text`.
    pub(crate) fn errors(text: &str) -> Vec<String> {
        messages(&parse_str(text), Severity::Error)
    }

    /// The warnings about `text`, which has no errors.
    pub(crate) fn warnings(text: &str) -> Vec<String> {
        let parsed = parse_str(text);
        assert_eq!(messages(&parsed, Severity::Error), Vec::<String>::new(), "in {text}");
        messages(&parsed, Severity::Warning)
    }
}
