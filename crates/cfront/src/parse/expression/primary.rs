//! Primary expressions: names, constants, brackets, and the forms with a grammar of their own.

use raddle_base::Span;
use smallvec::SmallVec;

use crate::ast::{Encoding, ExprId, PredefinedName, StringLiteral};
use crate::check::builtin::{Builtin, KnownBuiltin, Question};
use crate::check::expression::Association;
use crate::literal;
use crate::names::Symbol;
use crate::parse::Parser;
use crate::token::{Token, TokenKind};
use crate::types::QualType;

impl Parser<'_> {
    /// Reads a primary expression; reports what is none and takes nothing.
    pub(super) fn primary_expression(&mut self) -> ExprId {
        let token = self.tokens.peek();
        match token.kind {
            TokenKind::Identifier => match token.symbol {
                Some(symbol) => self.identifier(symbol, token),
                None => self.check.tree.error_expr(token.span),
            },
            TokenKind::Integer => self.integer_constant(),
            TokenKind::Float => self.float_constant(),
            TokenKind::Char => self.character_constant(),
            TokenKind::String => {
                let string = self.string_literal();
                let span = token.span.to(self.tokens.previous_span());
                self.check.tree.primaries().string_expr(string, span)
            }
            TokenKind::LeftParen => self.bracketed(),
            TokenKind::FuncName => self.predefined(PredefinedName::Func),
            TokenKind::FunctionName => self.predefined(PredefinedName::Function),
            TokenKind::PrettyFunctionName => self.predefined(PredefinedName::PrettyFunction),
            TokenKind::Generic => self.nested(Self::generic_selection),
            TokenKind::BuiltinVaArg => self.nested(Self::va_arg),
            TokenKind::BuiltinOffsetof => self.nested(Self::offset_of),
            TokenKind::BuiltinTypesCompatible => self.nested(Self::types_compatible),
            TokenKind::BuiltinChooseExpr => self.nested(Self::choose_expr),
            TokenKind::Unknown => {
                // The lexer has said what is wrong.
                self.tokens.bump();
                self.check.tree.error_expr(token.span)
            }
            _ => {
                self.expected("an expression");
                self.check.tree.error_expr(token.span)
            }
        }
    }

    fn identifier(&mut self, symbol: Symbol, token: Token) -> ExprId {
        self.tokens.bump();
        if let Some(expr) = self.check.identifiers().known_name(symbol, token.span) {
            return expr;
        }
        let called = self.tokens.at(TokenKind::LeftParen);
        if let Some(known) = self.check.identifiers().known_builtin(symbol) {
            if called {
                return self.nested(|parser| parser.builtin_call(symbol, token.span, known));
            }
            return self.check.identifiers().builtin_value(symbol, known, token.span);
        }
        if called {
            let function = self.check.identifiers().declare_implicitly(symbol, token.span);
            return self.check.identifiers().function_expr(function, token.span);
        }
        self.check.identifiers().undeclared(symbol, token.span)
    }

    fn builtin_call(&mut self, name: Symbol, name_span: Span, known: KnownBuiltin) -> ExprId {
        match known {
            KnownBuiltin::Generic(Builtin::ConvertVector) => return self.convert_vector(name_span),
            KnownBuiltin::Question(Question::HasAttribute) => {
                self.tokens.skip_group();
                let span = name_span.to(self.tokens.previous_span());
                self.check.tree.error(span, "`__builtin_has_attribute` is not supported");
                return self.check.tree.error_expr(span);
            }
            _ => {}
        }
        let Some(arguments) = self.arguments() else {
            return self.check.tree.error_expr(self.tokens.previous_span());
        };
        let span = name_span.to(self.tokens.previous_span());
        if let (KnownBuiltin::Question(question @ (Question::Line | Question::File)), true) =
            (known, arguments.is_empty())
        {
            let place = self.sources.locate(name_span.lo);
            let (file, line) = place.map_or((String::new(), 0), |place| (place.file.to_string(), place.line));
            return match question {
                Question::Line => self.check.tree.answer(i128::from(line), span),
                _ => self.check.builtins().made_up_string(&file, span),
            };
        }
        self.check.builtin_call((name, name_span), known, arguments, span)
    }

    fn convert_vector(&mut self, start: Span) -> ExprId {
        self.tokens.bump();
        let argument = self.assignment_expression();
        if self.expect(TokenKind::Comma).is_none() {
            return self.unfinished(start);
        }
        let ty = self.type_name();
        if self.expect(TokenKind::RightParen).is_none() {
            return self.unfinished(start);
        }
        let whole = start.to(self.tokens.previous_span());
        self.check.builtins().convert_vector(argument, ty, whole)
    }

    /// Goes behind a form whose brackets hold something unexpected, which was reported.
    fn unfinished(&mut self, start: Span) -> ExprId {
        self.tokens.skip_to_closing();
        self.check.tree.error_expr(start)
    }

    fn bad_literal(&mut self, span: Span, message: String) -> ExprId {
        self.check.tree.error(span, message);
        self.check.tree.error_expr(span)
    }

    fn integer_constant(&mut self) -> ExprId {
        let span = self.tokens.bump().span;
        match literal::integer(self.sources.text(span)) {
            Ok(literal) => self.check.tree.primaries().integer_literal(&literal, span),
            Err(message) => self.bad_literal(span, message),
        }
    }

    fn float_constant(&mut self) -> ExprId {
        let span = self.tokens.bump().span;
        match literal::float(self.sources.text(span)) {
            Ok(literal) => self.check.tree.primaries().float_literal(&literal, span),
            Err(message) => self.bad_literal(span, message),
        }
    }

    fn character_constant(&mut self) -> ExprId {
        let span = self.tokens.bump().span;
        match literal::character(self.sources.text(span), self.check.tree.ast.model) {
            Ok((encoding, value)) => self.check.tree.primaries().character_literal(encoding, value, span),
            Err(message) => self.bad_literal(span, message),
        }
    }

    /// Reads one or more adjacent string literals.
    pub(crate) fn string_literal(&mut self) -> StringLiteral {
        let start = self.tokens.peek().span;
        let sources = self.sources;
        let mut pieces: SmallVec<[&[u8]; 8]> = SmallVec::new();
        while self.tokens.at(TokenKind::String) {
            pieces.push(sources.text(self.tokens.bump().span));
        }
        if pieces.is_empty() {
            self.expected("a string literal");
            return StringLiteral { encoding: Encoding::Plain, units: Box::default() };
        }
        match literal::string(&pieces, self.check.tree.ast.model) {
            Ok(string) => string,
            Err(message) => {
                self.check.tree.error(start.to(self.tokens.previous_span()), message);
                StringLiteral { encoding: Encoding::Plain, units: Box::default() }
            }
        }
    }

    fn predefined(&mut self, name: PredefinedName) -> ExprId {
        let span = self.tokens.bump().span;
        self.check.identifiers().predefined_name(name, span)
    }

    /// Reads `( expression )` or `({ … })`.
    fn bracketed(&mut self) -> ExprId {
        self.nested(|parser| {
            let start = parser.tokens.bump().span;
            if parser.tokens.at(TokenKind::LeftBrace) {
                return parser.statement_expression(start);
            }
            let expr = parser.expression();
            if parser.expect(TokenKind::RightParen).is_none() {
                parser.tokens.skip_to_closing();
                return parser.check.tree.error_expr(start.to(parser.tokens.previous_span()));
            }
            expr
        })
    }

    fn statement_expression(&mut self, start: Span) -> ExprId {
        if self.check.function.is_none() {
            let span = self.tokens.peek().span;
            self.check.tree.error(span, "a block in an expression is allowed only inside a function");
            self.tokens.skip_group();
            self.tokens.eat(TokenKind::RightParen);
            return self.check.tree.error_expr(start);
        }
        let region = self.check.statements().enter_statement_expression();
        let block = self.block();
        self.check.statements().leave_statement_expression(region);
        if self.expect(TokenKind::RightParen).is_none() {
            return self.unfinished(start);
        }
        let whole = start.to(self.tokens.previous_span());
        self.check.tree.primaries().statement_expression(block, whole)
    }

    /// Reads the `{ … }` of a compound literal whose type was read.
    pub(super) fn compound_literal(&mut self, ty: QualType, start: Span) -> ExprId {
        let span = start.to(self.tokens.previous_span());
        if !self.check.tree.primaries().literal_type(ty, span) {
            self.tokens.skip_group();
            return self.check.tree.error_expr(span);
        }
        let static_storage = self.check.function.is_none();
        let (init, ty) = self.initializer(ty, static_storage);
        let whole = start.to(self.tokens.previous_span());
        self.check.tree.primaries().compound_literal(ty, init, static_storage, whole)
    }

    fn generic_selection(&mut self) -> ExprId {
        let start = self.tokens.bump().span;
        if self.expect(TokenKind::LeftParen).is_none() {
            return self.check.tree.error_expr(start);
        }
        let control = self.assignment_expression();
        let mut associations: SmallVec<[Association; 8]> = SmallVec::new();
        if !self.tokens.at(TokenKind::Comma) {
            self.expected("`,`");
            return self.unfinished(start);
        }
        while self.tokens.eat(TokenKind::Comma).is_some() {
            let place = self.tokens.peek().span;
            let ty = if self.tokens.eat(TokenKind::Default).is_some() {
                None
            } else if self.starts_type_name(0) {
                Some(self.type_name())
            } else {
                self.expected("a type or `default`");
                return self.unfinished(start);
            };
            let span = place.to(self.tokens.previous_span());
            if self.expect(TokenKind::Colon).is_none() {
                return self.unfinished(start);
            }
            let expr = self.assignment_expression();
            associations.push(Association { ty, expr, span });
        }
        if self.expect(TokenKind::RightParen).is_none() {
            return self.unfinished(start);
        }
        let whole = start.to(self.tokens.previous_span());
        self.check.tree.primaries().generic_selection(control, &associations, whole)
    }

    fn va_arg(&mut self) -> ExprId {
        let start = self.tokens.bump().span;
        if self.expect(TokenKind::LeftParen).is_none() {
            return self.check.tree.error_expr(start);
        }
        let list = self.assignment_expression();
        if self.expect(TokenKind::Comma).is_none() {
            return self.unfinished(start);
        }
        let ty = self.type_name();
        if self.expect(TokenKind::RightParen).is_none() {
            return self.unfinished(start);
        }
        let whole = start.to(self.tokens.previous_span());
        self.check.tree.primaries().va_arg(list, ty, whole)
    }

    fn types_compatible(&mut self) -> ExprId {
        let start = self.tokens.bump().span;
        if self.expect(TokenKind::LeftParen).is_none() {
            return self.check.tree.error_expr(start);
        }
        let left = self.type_name();
        if self.expect(TokenKind::Comma).is_none() {
            return self.unfinished(start);
        }
        let right = self.type_name();
        if self.expect(TokenKind::RightParen).is_none() {
            return self.unfinished(start);
        }
        let whole = start.to(self.tokens.previous_span());
        self.check.tree.primaries().types_compatible(left, right, whole)
    }

    fn choose_expr(&mut self) -> ExprId {
        let start = self.tokens.bump().span;
        if !self.tokens.at(TokenKind::LeftParen) {
            self.expected("`(`");
            return self.check.tree.error_expr(start);
        }
        let Some(arguments) = self.arguments() else { return self.check.tree.error_expr(start) };
        let &[condition, then, otherwise] = arguments.as_slice() else {
            let span = start.to(self.tokens.previous_span());
            let message = format!("`__builtin_choose_expr` takes 3 arguments, found {}", arguments.len());
            self.check.tree.error(span, message);
            return self.check.tree.error_expr(span);
        };
        self.check.tree.primaries().choose_expr(condition, then, otherwise)
    }

    /// Reads `__builtin_offsetof(type, member.member[index]…)`.
    fn offset_of(&mut self) -> ExprId {
        let start = self.tokens.bump().span;
        if self.expect(TokenKind::LeftParen).is_none() {
            return self.check.tree.error_expr(start);
        }
        let ty = self.type_name();
        if self.expect(TokenKind::Comma).is_none() {
            return self.unfinished(start);
        }
        let mut path = Vec::new();
        let mut current = Some(ty);
        let mut first = true;
        loop {
            match self.tokens.kind() {
                TokenKind::Identifier if first => {
                    let name = self.tokens.bump();
                    current = self.offset_step(current, name, &mut path);
                }
                TokenKind::Dot if !first => {
                    self.tokens.bump();
                    if !self.tokens.at(TokenKind::Identifier) {
                        self.expected("the name of a member");
                        return self.unfinished(start);
                    }
                    let name = self.tokens.bump();
                    current = self.offset_step(current, name, &mut path);
                }
                // `a->b` in the path means `a[0].b`.
                TokenKind::Arrow if !first => {
                    let arrow = self.tokens.bump().span;
                    if !self.tokens.at(TokenKind::Identifier) {
                        self.expected("the name of a member");
                        return self.unfinished(start);
                    }
                    let name = self.tokens.bump();
                    let zero = self.check.tree.answer(0, arrow);
                    let element =
                        current.and_then(|ty| self.check.tree.primaries().offset_index(ty, zero, &mut path));
                    current = self.offset_step(element, name, &mut path);
                }
                TokenKind::LeftBracket if !first => {
                    self.tokens.bump();
                    let index = self.expression();
                    if self.expect(TokenKind::RightBracket).is_none() {
                        return self.unfinished(start);
                    }
                    current =
                        current.and_then(|ty| self.check.tree.primaries().offset_index(ty, index, &mut path));
                }
                TokenKind::RightParen if !first => break,
                _ => {
                    self.expected(if first { "the name of a member" } else { "`)`" });
                    return self.unfinished(start);
                }
            }
            first = false;
        }
        self.tokens.bump();
        let span = start.to(self.tokens.previous_span());
        match current {
            Some(_) => self.check.tree.primaries().offset_of(ty, path, span),
            None => self.check.tree.error_expr(span),
        }
    }

    fn offset_step(
        &mut self,
        ty: Option<QualType>,
        name: Token,
        path: &mut Vec<crate::ast::OffsetStep>,
    ) -> Option<QualType> {
        let (ty, symbol) = (ty?, name.symbol?);
        self.check.tree.primaries().offset_member(ty, symbol, name.span, path)
    }
}
