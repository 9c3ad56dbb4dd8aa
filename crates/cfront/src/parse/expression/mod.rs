//! The grammar of expressions.
//!
//! Binary operators are read by precedence climbing; chains of `?:` and of assignments are read in a loop and built from their
//! end, so that only brackets and prefix operators nest.

mod primary;

use crate::ast::{BinaryOp, ExprId, TypeQuery, UnaryOp};
use crate::parse::Parser;
use crate::parse::tokens::TokenStream;
use crate::token::{Token, TokenKind};

/// A binary operator and how tightly it binds.
const fn binary_operator(kind: TokenKind) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        TokenKind::PipePipe => (BinaryOp::Or, 1),
        TokenKind::AmpersandAmpersand => (BinaryOp::And, 2),
        TokenKind::Pipe => (BinaryOp::BitOr, 3),
        TokenKind::Caret => (BinaryOp::BitXor, 4),
        TokenKind::Ampersand => (BinaryOp::BitAnd, 5),
        TokenKind::EqualEqual => (BinaryOp::Equal, 6),
        TokenKind::BangEqual => (BinaryOp::NotEqual, 6),
        TokenKind::Less => (BinaryOp::Less, 7),
        TokenKind::Greater => (BinaryOp::Greater, 7),
        TokenKind::LessEqual => (BinaryOp::LessEqual, 7),
        TokenKind::GreaterEqual => (BinaryOp::GreaterEqual, 7),
        TokenKind::ShiftLeft => (BinaryOp::Shl, 8),
        TokenKind::ShiftRight => (BinaryOp::Shr, 8),
        TokenKind::Plus => (BinaryOp::Add, 9),
        TokenKind::Minus => (BinaryOp::Sub, 9),
        TokenKind::Star => (BinaryOp::Mul, 10),
        TokenKind::Slash => (BinaryOp::Div, 10),
        TokenKind::Percent => (BinaryOp::Rem, 10),
        _ => return None,
    })
}

/// What stands before `=` in an assignment operator; `Some(None)` for plain `=`.
#[expect(clippy::option_option, reason = "the outer level says whether it is an assignment at all")]
const fn assignment_operator(kind: TokenKind) -> Option<Option<BinaryOp>> {
    Some(match kind {
        TokenKind::Equal => None,
        TokenKind::StarEqual => Some(BinaryOp::Mul),
        TokenKind::SlashEqual => Some(BinaryOp::Div),
        TokenKind::PercentEqual => Some(BinaryOp::Rem),
        TokenKind::PlusEqual => Some(BinaryOp::Add),
        TokenKind::MinusEqual => Some(BinaryOp::Sub),
        TokenKind::ShiftLeftEqual => Some(BinaryOp::Shl),
        TokenKind::ShiftRightEqual => Some(BinaryOp::Shr),
        TokenKind::AmpersandEqual => Some(BinaryOp::BitAnd),
        TokenKind::CaretEqual => Some(BinaryOp::BitXor),
        TokenKind::PipeEqual => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

const fn prefix_operator(kind: TokenKind) -> Option<UnaryOp> {
    Some(match kind {
        TokenKind::PlusPlus => UnaryOp::PreIncrement,
        TokenKind::MinusMinus => UnaryOp::PreDecrement,
        TokenKind::Ampersand => UnaryOp::AddressOf,
        TokenKind::Star => UnaryOp::Deref,
        TokenKind::Plus => UnaryOp::Plus,
        TokenKind::Minus => UnaryOp::Negate,
        TokenKind::Tilde => UnaryOp::BitNot,
        TokenKind::Bang => UnaryOp::Not,
        TokenKind::Real => UnaryOp::Real,
        TokenKind::Imag => UnaryOp::Imag,
        _ => return None,
    })
}

impl Parser<'_> {
    /// Reads a whole expression (with commas). Not yet an rvalue: arrays and lvalues are as written.
    pub(crate) fn expression(&mut self) -> ExprId {
        let mut expr = self.assignment_expression();
        while self.tokens.eat(TokenKind::Comma).is_some() {
            let right = self.assignment_expression();
            expr = self.check.tree.primaries().comma(expr, right);
        }
        expr
    }

    /// Reads an expression without top-level comma.
    pub(crate) fn assignment_expression(&mut self) -> ExprId {
        let mut value = self.constant_expression();
        let Some(mut operator) = assignment_operator(self.tokens.kind()) else { return value };
        // `a = b = c`: the targets wait until their value is known.
        let mut targets: Vec<(ExprId, Option<BinaryOp>, Token)> = Vec::new();
        loop {
            let token = self.tokens.bump();
            targets.push((value, operator, token));
            value = self.constant_expression();
            match assignment_operator(self.tokens.kind()) {
                Some(next) => operator = next,
                None => break,
            }
        }
        for (target, operator, token) in targets.into_iter().rev() {
            value = match operator {
                None => self.check.tree.operators().assign(target, value, token.span),
                Some(op) => self.check.tree.operators().compound_assign(op, target, value, token.span),
            };
        }
        value
    }

    /// Reads a conditional expression, as array bounds, enum values, bit-field widths and case labels are.
    pub(crate) fn constant_expression(&mut self) -> ExprId {
        let mut condition = self.binary_expression(1);
        if !self.tokens.at(TokenKind::Question) {
            return condition;
        }
        // `a ? b : c ? d : e`: the conditions wait until their last branch is known.
        let mut waiting: Vec<(ExprId, Option<ExprId>)> = Vec::new();
        while self.tokens.eat(TokenKind::Question).is_some() {
            let then = if self.tokens.at(TokenKind::Colon) {
                None
            } else {
                let then = self.deeper(Self::expression);
                Some(then.unwrap_or_else(|| self.check.tree.error_expr(self.tokens.previous_span())))
            };
            if self.expect(TokenKind::Colon).is_none() {
                return self.check.tree.error_expr(self.tokens.previous_span());
            }
            waiting.push((condition, then));
            condition = self.binary_expression(1);
        }
        let mut value = condition;
        for (condition, then) in waiting.into_iter().rev() {
            value = self.check.tree.operators().conditional(condition, then, value);
        }
        value
    }

    /// Reads operands joined by operators that bind at least as tightly as `level`.
    fn binary_expression(&mut self, level: u8) -> ExprId {
        let mut left = self.cast_expression();
        while let Some((op, binds)) = binary_operator(self.tokens.kind()) {
            if binds < level {
                break;
            }
            let token = self.tokens.bump();
            let right = self.binary_expression(binds + 1);
            left = self.check.tree.operators().binary(op, left, right, token.span);
        }
        left
    }

    /// Reads a cast or a unary expression.
    pub(super) fn cast_expression(&mut self) -> ExprId {
        match self.tokens.kind() {
            TokenKind::LeftParen => {
                if self.starts_type_name(1) {
                    self.nested(Self::cast_or_literal)
                } else {
                    self.postfix_expression()
                }
            }
            TokenKind::Sizeof => self.nested(|parser| parser.type_query(TypeQuery::Size)),
            TokenKind::Alignof => self.nested(|parser| parser.type_query(TypeQuery::Align)),
            TokenKind::GnuAlignof => self.nested(|parser| parser.type_query(TypeQuery::PreferredAlign)),
            TokenKind::AmpersandAmpersand => self.label_address(),
            TokenKind::Extension => {
                self.tokens.bump();
                self.nested(Self::cast_expression)
            }
            kind => match prefix_operator(kind) {
                Some(op) => self.nested(|parser| parser.prefix_expression(op)),
                None => self.postfix_expression(),
            },
        }
    }

    /// Runs `parse` one level deeper; at the limit gives an error expression.
    pub(super) fn nested(&mut self, parse: impl FnOnce(&mut Self) -> ExprId) -> ExprId {
        match self.deeper(parse) {
            Some(expr) => expr,
            None => self.check.tree.error_expr(self.tokens.previous_span()),
        }
    }

    fn prefix_expression(&mut self, op: UnaryOp) -> ExprId {
        let start = self.tokens.bump().span;
        let operand = self.cast_expression();
        let span = start.to(self.check.tree.span(operand));
        self.check.tree.operators().unary(op, operand, span)
    }

    /// Reads `(type) operand` or `(type){ … }` with what follows it.
    fn cast_or_literal(&mut self) -> ExprId {
        let start = self.tokens.bump().span;
        let ty = self.type_name();
        if self.expect(TokenKind::RightParen).is_none() {
            self.tokens.skip_to_closing();
            return self.check.tree.error_expr(start);
        }
        if self.tokens.at(TokenKind::LeftBrace) {
            let literal = self.compound_literal(ty, start);
            return self.postfix_operators(literal);
        }
        let operand = self.cast_expression();
        let span = start.to(self.check.tree.span(operand));
        self.check.tree.explicit_cast(operand, ty, span)
    }

    /// Reads `sizeof`, `_Alignof` or `__alignof__` with its operand.
    fn type_query(&mut self, query: TypeQuery) -> ExprId {
        let start = self.tokens.bump().span;
        if self.tokens.at(TokenKind::LeftParen) && self.starts_type_name(1) {
            let open = self.tokens.bump().span;
            let ty = self.type_name();
            if self.expect(TokenKind::RightParen).is_none() {
                self.tokens.skip_to_closing();
                return self.check.tree.error_expr(start);
            }
            if self.tokens.at(TokenKind::LeftBrace) {
                // `sizeof (type){ … }.member` is the size of an object.
                let literal = self.compound_literal(ty, open);
                let operand = self.postfix_operators(literal);
                let whole = start.to(self.tokens.previous_span());
                return self.check.tree.primaries().expr_query(query, operand, whole);
            }
            let whole = start.to(self.tokens.previous_span());
            return self.check.tree.primaries().type_query(query, ty, whole);
        }
        let operand = self.unary_expression();
        let whole = start.to(self.tokens.previous_span());
        self.check.tree.primaries().expr_query(query, operand, whole)
    }

    /// Reads a unary expression: `sizeof (a)` ends there, even if something follows that could be cast.
    fn unary_expression(&mut self) -> ExprId {
        match self.tokens.kind() {
            TokenKind::LeftParen => self.postfix_expression(),
            _ => self.cast_expression(),
        }
    }

    /// Reads `&&label`.
    fn label_address(&mut self) -> ExprId {
        let start = self.tokens.bump().span;
        let name = self.tokens.peek();
        let (TokenKind::Identifier, Some(symbol)) = (name.kind, name.symbol) else {
            self.expected("a label");
            return self.check.tree.error_expr(start);
        };
        self.tokens.bump();
        let span = start.to(name.span);
        if self.check.function.is_none() {
            self.check.tree.error(span, "the address of a label outside of any function");
            return self.check.tree.error_expr(span);
        }
        let label = self.check.statements().use_label(symbol, name.span, false);
        self.check.tree.operators().label_address(label, span)
    }

    /// Reads a primary expression with the operators behind it.
    fn postfix_expression(&mut self) -> ExprId {
        let primary = self.primary_expression();
        self.postfix_operators(primary)
    }

    /// Reads the operators behind a primary expression.
    pub(super) fn postfix_operators(&mut self, mut expr: ExprId) -> ExprId {
        loop {
            expr = match self.tokens.kind() {
                TokenKind::LeftBracket => {
                    self.tokens.bump();
                    let index = self.nested(Self::expression);
                    if self.expect(TokenKind::RightBracket).is_none() {
                        return self.check.tree.error_expr(self.tokens.previous_span());
                    }
                    let span = self.check.tree.span(expr).to(self.tokens.previous_span());
                    self.check.tree.primaries().index(expr, index, span)
                }
                TokenKind::LeftParen => {
                    let Some(arguments) = self.arguments() else {
                        return self.check.tree.error_expr(self.tokens.previous_span());
                    };
                    let span = self.check.tree.span(expr).to(self.tokens.previous_span());
                    self.check.tree.primaries().call(expr, arguments, span)
                }
                kind @ (TokenKind::Dot | TokenKind::Arrow) => {
                    self.tokens.bump();
                    let name = self.tokens.peek();
                    let (TokenKind::Identifier, Some(symbol)) = (name.kind, name.symbol) else {
                        self.expected("the name of a member");
                        return self.check.tree.error_expr(self.tokens.previous_span());
                    };
                    self.tokens.bump();
                    self.check.tree.primaries().member(expr, symbol, name.span, kind == TokenKind::Arrow)
                }
                TokenKind::PlusPlus => self.postfix_increment(UnaryOp::PostIncrement, expr),
                TokenKind::MinusMinus => self.postfix_increment(UnaryOp::PostDecrement, expr),
                _ => return expr,
            };
        }
    }

    fn postfix_increment(&mut self, op: UnaryOp, expr: ExprId) -> ExprId {
        let end = self.tokens.bump().span;
        let span = self.check.tree.span(expr).to(end);
        self.check.tree.operators().increment(op, expr, span)
    }

    /// Reads `( … )` behind a callee; `None` if it is not closed.
    pub(super) fn arguments(&mut self) -> Option<Vec<ExprId>> {
        self.tokens.bump();
        let mut arguments = Vec::new();
        if self.tokens.eat(TokenKind::RightParen).is_some() {
            return Some(arguments);
        }
        loop {
            let argument = self.nested(Self::assignment_expression);
            arguments.push(argument);
            if self.tokens.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        if self.expect(TokenKind::RightParen).is_none() {
            self.tokens.skip_to_closing();
            return None;
        }
        Some(arguments)
    }
}

impl TokenStream<'_> {
    /// Goes behind the `)` of this depth, or stops before what ends the statement.
    pub(super) fn skip_to_closing(&mut self) {
        loop {
            match self.kind() {
                TokenKind::RightParen => {
                    self.bump();
                    return;
                }
                TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::Eof => {
                    return;
                }
                TokenKind::LeftParen | TokenKind::LeftBracket => self.skip_group(),
                _ => {
                    self.bump();
                }
            }
        }
    }
}
