//! Other names for the program's own variables and functions.

use std::collections::{BTreeMap, BTreeSet};

use raddle_base::{Diagnostics, Span};
use raddle_cfront::lexer::lex;
use raddle_cfront::token::TokenKind;

use super::{Edit, Variant, VariantKind, VariantSource};

/// Every variable and function that only the program knows gets another name. Members of records that are called the same
/// go with them, everywhere alike.
pub(super) fn renamed(source: &VariantSource) -> Option<Variant> {
    let ast = &source.ast;
    let (mut sources, mut names) = (source.sources.clone(), ast.names.clone());
    let tokens = lex(&mut sources, source.file, &mut names, &mut Diagnostics::new());
    let mut used: Vec<(&str, Span, bool)> = Vec::new();
    for token in tokens.iter().filter(|token| token.kind == TokenKind::Identifier) {
        if let Some(symbol) = token.symbol {
            used.push((ast.text(symbol), token.span, source.is_own(token.span)));
        }
    }
    let in_headers: BTreeSet<&str> = used.iter().filter(|(.., own)| !own).map(|(name, ..)| *name).collect();
    let variables = ast.vars.values().filter(|var| source.is_own(var.span));
    let functions =
        ast.functions.values().filter(|function| function.body.is_some() && source.is_own(function.span));
    let mut declared: BTreeSet<&str> = variables
        .filter_map(|var| var.name)
        .chain(functions.map(|f| f.name))
        .map(|name| ast.text(name))
        .collect();
    // What is declared and not defined here is somebody else's.
    let foreign = ast.functions.values().filter(|function| function.body.is_none());
    for function in foreign {
        let name = ast.text(function.name);
        let defined = ast.functions.values().any(|other| other.name == function.name && other.body.is_some());
        if !defined {
            declared.remove(name);
        }
    }
    let is_free = |name: &&str| {
        !in_headers.contains(name) && !name.starts_with("__") && !matches!(*name, "main" | "reach_error")
    };
    let chosen: BTreeMap<&str, String> = declared
        .into_iter()
        .filter(is_free)
        .enumerate()
        // The order of the names turns around.
        .map(|(number, name)| (name, format!("q{}_{name}", 9_999 - number)))
        .collect();
    let edits: Vec<Edit> = used
        .iter()
        .filter(|(.., own)| *own)
        .filter_map(|(name, span, _)| Some(Edit { span: *span, text: chosen.get(name)?.clone() }))
        .collect();
    (!edits.is_empty()).then(|| source.variant(VariantKind::Names, 0, edits, ""))
}
