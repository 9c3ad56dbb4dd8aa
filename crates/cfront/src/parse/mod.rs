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

/// The parser of one translation unit.
#[derive(Debug)]
pub struct Parser<'a> {
    /// The texts, for the spelling of literals.
    pub(crate) sources: &'a SourceMap,
    tokens: &'a [Token],
    position: usize,
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
        debug_assert!(
            tokens.last().is_some_and(|token| token.kind == TokenKind::Eof),
            "the lexer ends with Eof"
        );
        Self {
            sources,
            tokens,
            position: 0,
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

    /// The current token.
    pub(crate) fn peek(&self) -> Token {
        self.tokens[self.position]
    }
    /// The kind of the current token.
    pub(crate) fn kind(&self) -> TokenKind {
        self.peek().kind
    }
    /// The token `ahead` tokens further.
    pub(crate) fn peek_nth(&self, ahead: usize) -> Token {
        self.tokens[(self.position + ahead).min(self.tokens.len() - 1)]
    }
    /// Takes the current token; stays at the end of the file.
    pub(crate) fn bump(&mut self) -> Token {
        let token = self.peek();
        if token.kind != TokenKind::Eof {
            self.position += 1;
        }
        token
    }
    /// The span of the token before the current one.
    pub(crate) fn previous_span(&self) -> Span {
        self.position.checked_sub(1).map_or(Span::NONE, |last| self.tokens[last].span)
    }
    /// The kind of the token before the current one.
    pub(crate) fn previous_kind(&self) -> Option<TokenKind> {
        self.position.checked_sub(1).map(|last| self.tokens[last].kind)
    }
    /// Whether the current token is of this kind.
    pub(crate) fn at(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }
    /// Takes the current token if it is of this kind.
    pub(crate) fn eat(&mut self, kind: TokenKind) -> Option<Token> {
        self.at(kind).then(|| self.bump())
    }
    /// Takes a token of this kind, or reports that it is missing (just behind the previous token) and takes nothing.
    pub(crate) fn expect(&mut self, kind: TokenKind) -> Option<Token> {
        let found = self.eat(kind);
        if found.is_none() {
            let message = format!("expected {}, found {}", kind.describe(), self.found());
            let diagnostic = match kind {
                TokenKind::Semicolon => {
                    Diagnostic::error(self.previous_span().after(), message).label("add `;` here")
                }
                _ => Diagnostic::error(self.peek().span, message),
            };
            self.check.diagnostics.push(diagnostic);
        }
        found
    }
    /// How a message calls the current token: names and keywords as they are written.
    fn found(&self) -> String {
        let token = self.peek();
        match token.symbol {
            Some(symbol) => format!("`{}`", self.text(symbol)),
            None => token.kind.describe().to_owned(),
        }
    }
    /// Runs `parse` one level deeper; at the limit reports an error, skips the rest of the file, and gives `None`.
    pub(crate) fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> Option<T> {
        if self.depth >= MAX_DEPTH {
            self.check.error(self.peek().span, format!("nesting deeper than {MAX_DEPTH} levels"));
            self.position = self.tokens.len() - 1;
            return None;
        }
        self.depth += 1;
        let result = parse(self);
        self.depth -= 1;
        Some(result)
    }

    /// The text of the current token, for messages about a name.
    pub(crate) fn text(&self, symbol: Symbol) -> &str {
        self.check.ast.names.text(symbol)
    }

    /// Reports that something else was expected at the current token.
    pub(crate) fn expected(&mut self, what: &str) {
        let message = format!("expected {what}, found {}", self.found());
        self.check.error(self.peek().span, message);
    }

    /// Skips to just behind the next `;` of this depth, or up to a `}` that closes what is around. A braced group
    /// met on the way is skipped as a whole.
    pub(crate) fn skip_to_semicolon(&mut self) {
        loop {
            match self.kind() {
                TokenKind::Semicolon => {
                    self.bump();
                    return;
                }
                TokenKind::RightBrace | TokenKind::Eof => return,
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => self.skip_group(),
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Skips the bracket at the current token with all it encloses. A `}` ends round and square brackets that
    /// nobody closed; so does a `;`, unless braces stand between.
    pub(crate) fn skip_group(&mut self) {
        let mut open: Vec<TokenKind> = Vec::new();
        loop {
            match self.kind() {
                TokenKind::Eof => return,
                kind @ (TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace) => {
                    open.push(kind)
                }
                TokenKind::RightParen if open.last() == Some(&TokenKind::LeftParen) => {
                    open.pop();
                }
                TokenKind::RightBracket if open.last() == Some(&TokenKind::LeftBracket) => {
                    open.pop();
                }
                TokenKind::RightBrace => {
                    let Some(brace) = open.iter().rposition(|&kind| kind == TokenKind::LeftBrace) else {
                        return;
                    };
                    open.truncate(brace);
                }
                TokenKind::Semicolon if !open.contains(&TokenKind::LeftBrace) => return,
                _ => {}
            }
            self.bump();
            if open.is_empty() {
                return;
            }
        }
    }

    /// How many tokens ahead the group ends that opens `ahead` tokens on: the position behind its closing bracket.
    pub(crate) fn behind_group(&self, ahead: usize) -> usize {
        let mut depth = 0_u32;
        let mut place = ahead;
        loop {
            match self.peek_nth(place).kind {
                TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => depth += 1,
                TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace => {
                    depth = depth.saturating_sub(1);
                }
                TokenKind::Eof => return place,
                _ => {}
            }
            place += 1;
            if depth == 0 {
                return place;
            }
        }
    }
}
