//! The tokens of a unit, and where the parser has come to: looking ahead, taking, and skipping what cannot be read.
//!
//! Nothing here knows grammar beyond brackets. What skips serves to go on after an error: it stops where something that the
//! parser knows may begin again, and always takes less than all that is left, or the rest of the file.

use raddle_base::Span;

use crate::token::{Token, TokenKind};

/// The tokens of a unit, and the current one.
#[derive(Clone, Debug)]
pub(crate) struct TokenStream<'a> {
    tokens: &'a [Token],
    /// Never behind the last token, which is [`TokenKind::Eof`].
    position: usize,
}

impl<'a> TokenStream<'a> {
    /// At the first of `tokens`, which end with [`TokenKind::Eof`].
    pub(crate) fn new(tokens: &'a [Token]) -> Self {
        debug_assert!(
            tokens.last().is_some_and(|token| token.kind == TokenKind::Eof),
            "the lexer ends with Eof"
        );
        Self { tokens, position: 0 }
    }

    /// How many tokens were taken. Whether that grew tells whether a rule took any.
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Goes back to where so many tokens were taken, to read on from there.
    pub(crate) fn go_back_to(&mut self, position: usize) {
        self.position = position.min(self.tokens.len() - 1);
    }

    /// Goes to the end of the file.
    pub(crate) fn skip_to_end(&mut self) {
        self.position = self.tokens.len() - 1;
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
