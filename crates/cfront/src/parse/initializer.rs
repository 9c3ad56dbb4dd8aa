//! The grammar of initialisers, GNU's old forms included (`name: value`, `[3] value`).
//!
//! What is read here is as written; [`crate::check::initializer`] finds out which value goes where.

use raddle_base::Span;

use crate::ast::{ExprId, Init};
use crate::check::initializer::{Designator, Written, WrittenPart};
use crate::parse::Parser;
use crate::parse::tokens::TokenStream;
use crate::token::TokenKind;
use crate::types::QualType;

/// How a value must be joined to the designators before it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// By `=`.
    Equal,
    /// By `=` or, in the old form `[3] value`, by nothing.
    Optional,
    /// By the colon of the old form `name: value`, which is read already.
    Done,
}

impl Parser<'_> {
    /// Reads an initialiser for an object and normalises it; gives the object's type, completed where the
    /// initialiser gives the length of an array.
    pub(crate) fn initializer(&mut self, ty: QualType, static_storage: bool) -> (Init, QualType) {
        let start = self.tokens.peek().span;
        let written = self.written_initializer();
        let span = start.to(self.tokens.previous_span());
        self.check.tree.initializers(static_storage).initializer(written, ty, span)
    }

    /// Reads an initialiser: an assignment expression or a braced list.
    pub(crate) fn written_initializer(&mut self) -> Written {
        if self.tokens.at(TokenKind::LeftBrace) {
            let start = self.tokens.peek().span;
            match self.deeper(Self::initializer_list) {
                Some(list) => list,
                None => Written::List(Vec::new(), start),
            }
        } else {
            Written::Expr(self.assignment_expression())
        }
    }

    /// Reads `{ … }`.
    fn initializer_list(&mut self) -> Written {
        let start = self.tokens.bump().span;
        let mut parts = Vec::new();
        while !self.tokens.at(TokenKind::RightBrace) && !self.tokens.at(TokenKind::Eof) {
            parts.push(self.initializer_part());
            if self.tokens.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        if self.expect(TokenKind::RightBrace).is_none() {
            self.tokens.skip_initializer_list();
        }
        Written::List(parts, start.to(self.tokens.previous_span()))
    }

    /// Reads one part of a list: designators, if any, and the value.
    fn initializer_part(&mut self) -> WrittenPart {
        let (designators, joint) = self.designators();
        if !designators.is_empty() {
            match joint {
                Joint::Equal => drop(self.expect(TokenKind::Equal)),
                Joint::Optional => drop(self.tokens.eat(TokenKind::Equal)),
                Joint::Done => {}
            }
        }
        WrittenPart { designators, value: self.written_initializer() }
    }

    fn designators(&mut self) -> (Vec<(Designator, Span)>, Joint) {
        let mut designators = Vec::new();
        if self.tokens.at(TokenKind::Identifier) && self.tokens.peek_nth(1).kind == TokenKind::Colon {
            let name = self.tokens.bump();
            self.tokens.bump();
            let designator = name.symbol.map_or(Designator::Error, Designator::Field);
            return (vec![(designator, name.span)], Joint::Done);
        }
        let mut joint = Joint::Optional;
        loop {
            if let Some(dot) = self.tokens.eat(TokenKind::Dot) {
                let name = self.expect(TokenKind::Identifier);
                let designator =
                    name.and_then(|name| name.symbol).map_or(Designator::Error, Designator::Field);
                designators.push((designator, name.map_or(dot.span, |name| name.span)));
                joint = Joint::Equal;
            } else if self.tokens.at(TokenKind::LeftBracket) {
                if !designators.is_empty() {
                    joint = Joint::Equal;
                }
                designators.push(self.element_designator());
            } else {
                return (designators, joint);
            }
        }
    }

    /// Reads `[first]` or `[first ... last]`.
    fn element_designator(&mut self) -> (Designator, Span) {
        let start = self.tokens.bump().span;
        let first = self.constant_expression();
        let last = self.tokens.eat(TokenKind::Ellipsis).map(|_| self.constant_expression());
        self.expect(TokenKind::RightBracket);
        let span = start.to(self.tokens.previous_span());
        let first_index = self.element_index(first);
        let last_index = last.map_or(first_index, |last| self.element_index(last));
        let (Some(first_index), Some(last_index)) = (first_index, last_index) else {
            return (Designator::Error, span);
        };
        if first_index > last_index {
            self.check.tree.error(span, "empty index range in initializer");
            return (Designator::Error, span);
        }
        (Designator::Elements(first_index, last_index), span)
    }

    /// The value of an index; reports what is none.
    fn element_index(&mut self, index: ExprId) -> Option<u64> {
        let value = self.check.tree.integer_constant(index, "array index in initializer")?;
        let index_value = u64::try_from(value).ok().filter(|&value| value < u64::MAX / 2);
        if index_value.is_none() {
            let span = self.check.tree.span(index);
            self.check.tree.error(span, "array index in initializer exceeds array bounds");
        }
        index_value
    }
}

impl TokenStream<'_> {
    /// After an error: goes on behind the brace that closes the list, or stops where the declaration ends.
    fn skip_initializer_list(&mut self) {
        use TokenKind::{
            Eof, LeftBrace, LeftBracket, LeftParen, RightBrace, RightBracket, RightParen, Semicolon,
        };
        let mut open = 0_usize;
        while !self.at(Eof) && (open > 0 || !self.at(Semicolon)) {
            let kind = self.bump().kind;
            if matches!(kind, LeftBrace | LeftParen | LeftBracket) {
                open += 1;
            } else if kind == RightBrace && open == 0 {
                return;
            } else if matches!(kind, RightBrace | RightParen | RightBracket) {
                open = open.saturating_sub(1);
            }
        }
    }
}
