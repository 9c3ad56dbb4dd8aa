//! The recursive-descent parser: grammar only; what constructs mean is the checker's.
//!
//! It reads what gcc reads and rejects what gcc rejects. After an error it goes on at the next `;` or `}` of the
//! same depth; every loop takes a token or ends, so it always comes to the end of the file.

#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a grammar rule names the tokens it knows; any other is no part of it"
)]

use raddle_base::{Diagnostic, SourceMap, Span};

use crate::ast::Item;
use crate::check::Checker;
use crate::check::scope::Tag;
use crate::names::Symbol;
use crate::token::{Token, TokenKind};
use tokens::TokenStream;

mod asm;
mod attribute;
mod declaration;
mod declarator;
mod expression;
mod function;
mod initializer;
mod record;
mod specifier;
mod statement;
#[cfg(test)]
mod tests;
mod tokens;

/// The parser of one translation unit.
#[derive(Debug)]
pub struct Parser<'a> {
    /// The texts, for the spelling of literals.
    pub(crate) sources: &'a SourceMap,
    tokens: TokenStream<'a>,
    /// How deep brackets, statements and declarators are nested here.
    depth: u32,
    /// What the unit means.
    pub(crate) check: Checker,
    /// Record and enum declarations made inside the statement or declaration being read; they are put in front of
    /// it. (Implicitly declared functions have no item: the call declares them again when the text is read again.)
    pub(crate) pending: Vec<Item>,
    /// The unit's declarations so far.
    items: Vec<Item>,
    /// Where in `items` each file-scope variable is defined.
    definitions: declaration::Definitions,
    /// `#pragma pack`: the value in force, and those pushed below it with their names.
    pack: record::PackState,
    /// The tagged types whose `{ … }` is being read.
    defining: Vec<Tag>,
    /// Where `[*]` was met in the parameter list being read.
    star: Option<Span>,
}

/// Deeper nesting than this is refused.
const MAX_DEPTH: u32 = 2_000;

impl<'a> Parser<'a> {
    /// A parser at the first of `tokens`, which end with [`TokenKind::Eof`].
    pub(crate) fn new(sources: &'a SourceMap, tokens: &'a [Token], check: Checker) -> Self {
        Self {
            sources,
            tokens: TokenStream::new(tokens),
            depth: 0,
            check,
            pending: Vec::new(),
            items: Vec::new(),
            definitions: declaration::Definitions::default(),
            pack: record::PackState::default(),
            defining: Vec::new(),
            star: None,
        }
    }

    /// Takes a token of this kind, or reports that it is missing (just behind the previous token) and takes nothing.
    pub(crate) fn expect(&mut self, kind: TokenKind) -> Option<Token> {
        let found = self.tokens.eat(kind);
        if found.is_none() {
            let message = format!("expected {}, found {}", kind.describe(), self.found());
            let diagnostic = match kind {
                TokenKind::Semicolon => {
                    Diagnostic::error(self.tokens.previous_span().after(), message).label("add `;` here")
                }
                _ => Diagnostic::error(self.tokens.peek().span, message),
            };
            self.check.tree.diagnostics.push(diagnostic);
        }
        found
    }

    /// How a message calls the current token: names and keywords as they are written.
    fn found(&self) -> String {
        let token = self.tokens.peek();
        match token.symbol {
            Some(symbol) => format!("`{}`", self.text(symbol)),
            None => token.kind.describe().to_owned(),
        }
    }

    /// Runs `parse` one level deeper; at the limit reports an error, skips the rest of the file, and gives `None`.
    pub(crate) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.check.tree.error(self.tokens.peek().span, format!("nesting deeper than {MAX_DEPTH} levels"));
            self.tokens.skip_to_end();
            return None;
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        Some(result)
    }

    /// The text of the current token, for messages about a name.
    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        self.check.tree.ast.names.text(symbol)
    }

    /// Reports that something else was expected at the current token.
    pub(crate) fn expected(&mut self, what: &str) {
        let message = format!("expected {what}, found {}", self.found());
        self.check.tree.error(self.tokens.peek().span, message);
    }
}
