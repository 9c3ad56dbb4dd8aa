//! The tokens of a text, and the next one: taking what is expected, or saying what stands there instead.

use raddle_base::{Id, Span};

use super::lex::{Lexed, Token};
use super::parse::{ParseError, Parsed, parse_id};
use crate::program::Type;

/// The tokens of a text, and how many were taken.
pub(super) struct Tokens<'t> {
    text: &'t str,
    tokens: Vec<Lexed<'t>>,
    /// Never behind the last token, which is the end.
    next: usize,
}

impl<'t> Tokens<'t> {
    pub(super) fn new(text: &'t str, tokens: Vec<Lexed<'t>>) -> Self {
        Self { text, tokens, next: 0 }
    }

    pub(super) fn peek(&self) -> &Token<'t> {
        &self.tokens[self.next].token
    }

    /// The token after the next one.
    pub(super) fn peek_second(&self) -> &Token<'t> {
        &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].token
    }

    pub(super) fn advance(&mut self) -> Token<'t> {
        let token = self.peek().clone();
        // The last token is the end, which is met again and again.
        self.next = (self.next + 1).min(self.tokens.len() - 1);
        token
    }

    pub(super) fn error<T>(&self, expected: impl Into<String>) -> Parsed<T> {
        let lexed = &self.tokens[self.next];
        let before = &self.text[..lexed.offset];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let (expected, found) = if let Token::Bad(better, found) = &lexed.token {
            ((*better).to_owned(), found.clone())
        } else {
            (expected.into(), lexed.token.to_string())
        };
        Err(ParseError {
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            expected,
            found,
        })
    }

    pub(super) fn eat_punct(&mut self, punct: &str) -> bool {
        let found = matches!(self.peek(), Token::Punct(next) if *next == punct);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn punct(&mut self, punct: &str) -> Parsed<()> {
        if self.eat_punct(punct) { Ok(()) } else { self.error(punct) }
    }

    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), Token::Word(next) if *next == word);
        if found {
            self.advance();
        }
        found
    }

    pub(super) fn word(&mut self, word: &str) -> Parsed<()> {
        if self.eat_word(word) { Ok(()) } else { self.error(word) }
    }

    /// A word that `read` understands.
    pub(super) fn read_word<T>(&mut self, expected: &str, read: impl Fn(&str) -> Option<T>) -> Parsed<T> {
        let value = if let Token::Word(word) = self.peek() { read(word) } else { None };
        match value {
            Some(value) => {
                self.advance();
                Ok(value)
            }
            None => self.error(expected),
        }
    }

    pub(super) fn id<I: Id>(&mut self, prefix: char, expected: &str) -> Parsed<I> {
        self.read_word(expected, |word| parse_id(word, prefix).map(I::from_index))
    }

    /// The id of the next definition in a table.
    pub(super) fn defined_id<I: Id + std::fmt::Display>(&mut self, prefix: char, next: I) -> Parsed<()> {
        self.read_word(&next.to_string(), |word| (parse_id(word, prefix) == Some(next.index())).then_some(()))
    }

    pub(super) fn quoted(&mut self) -> Parsed<String> {
        let Token::Text(text) = self.peek() else { return self.error("a quoted text") };
        let text = text.clone();
        self.advance();
        Ok(text)
    }

    /// An unsigned number, decimal or hexadecimal.
    pub(super) fn number(&mut self) -> Parsed<u128> {
        let Token::Number(digits) = *self.peek() else { return self.error("an integer") };
        let value = match digits.strip_prefix("0x") {
            Some(hex) => u128::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        match value {
            Ok(value) => {
                self.advance();
                Ok(value)
            }
            Err(_) => self.error("an integer of at most 128 bits"),
        }
    }

    pub(super) fn small_number<N: TryFrom<u128>>(&mut self, expected: &str) -> Parsed<N> {
        let start = self.next;
        let number = self.number()?;
        N::try_from(number).or_else(|_| {
            self.next = start;
            self.error(expected)
        })
    }

    pub(super) fn offset(&mut self) -> Parsed<u64> {
        self.small_number("a number of bytes")
    }

    pub(super) fn span(&mut self) -> Span {
        let Token::Span(lo, hi) = *self.peek() else { return Span::NONE };
        self.advance();
        Span::new(lo, hi)
    }

    pub(super) fn ty(&mut self) -> Parsed<Type> {
        self.read_word("a type", |word| match word {
            "ptr" => Some(Type::Ptr),
            "f32" => Some(Type::F32),
            "f64" => Some(Type::F64),
            _ => parse_id(word, 'i').and_then(|bits| u8::try_from(bits).ok()).map(Type::Int),
        })
    }
}
