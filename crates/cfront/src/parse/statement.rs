//! The grammar of statements.
//!
//! `else if` chains and runs of labels are read in a loop and built from their end, so that only blocks and loops nest.

use raddle_base::Span;

use crate::ast::{ExprId, FunctionId, Item, StmtId, StmtKind, Storage};
use crate::check::shape::is_variably_modified;
use crate::parse::Parser;
use crate::parse::tokens::TokenStream;
use crate::token::{Token, TokenKind};

/// A label that waits for its statement.
enum Waiting {
    Case {
        first: ExprId,
        last: Option<ExprId>,
        values: (i128, i128),
        span: Span,
    },
    Default(Span),
    Label(crate::ast::LabelId, Span),
    /// One that may not stand here, which was reported.
    Dropped,
}

impl Parser<'_> {
    /// Reads the `{ … }` of a function whose parameters are in scope already (labels are checked at its end). The caller has
    /// opened the scope that holds the parameters and closes it: the outermost braces open none of their own, so that
    /// `int f(int a) { int a; }` is seen as a redeclaration. `Checker::function` is set by the caller too.
    pub(crate) fn function_body(&mut self, _function: FunctionId) -> StmtId {
        self.check.enter_body();
        let block = self.block_in_scope();
        self.check.statements().leave_body();
        block
    }

    /// Reads `{ … }` with a scope of its own.
    pub(crate) fn block(&mut self) -> StmtId {
        self.check.scopes.push();
        let block = self.block_in_scope();
        self.check.scopes.pop();
        block
    }

    /// Reads `{ … }` in the scope that is open.
    fn block_in_scope(&mut self) -> StmtId {
        let start = self.tokens.peek().span;
        let mut statements = Vec::new();
        if self.expect(TokenKind::LeftBrace).is_none() {
            return self.check.tree.stmt(StmtKind::Block(statements), start);
        }
        // What a statement expression declares is put inside it, not in front of the declaration around it.
        let outer = std::mem::take(&mut self.pending);
        let region = self.check.statements().enter_block();
        self.label_declarations(&mut statements);
        while !matches!(self.tokens.kind(), TokenKind::RightBrace | TokenKind::Eof) {
            let before = self.tokens.position();
            self.block_item(&mut statements);
            if self.tokens.position() == before {
                // Nothing here can begin a statement; it was reported.
                self.tokens.bump();
            }
        }
        self.check.statements().leave_block(region);
        self.pending = outer;
        if self.tokens.eat(TokenKind::RightBrace).is_none() {
            let end = self.tokens.peek().span;
            let diagnostic =
                raddle_base::Diagnostic::error(end, "expected `}` at the end of a block, found end of file")
                    .also(start, "the block begins here");
            self.check.tree.diagnostics.push(diagnostic);
        }
        let whole = start.to(self.tokens.previous_span());
        self.check.tree.stmt(StmtKind::Block(statements), whole)
    }

    /// Reads `__label__ a, b;` at the head of a block.
    fn label_declarations(&mut self, statements: &mut Vec<StmtId>) {
        while let Some(start) = self.tokens.eat(TokenKind::Label) {
            let mut items = Vec::new();
            loop {
                let name = self.tokens.peek();
                let (TokenKind::Identifier, Some(symbol)) = (name.kind, name.symbol) else {
                    self.expected("the name of a label");
                    break;
                };
                self.tokens.bump();
                items.extend(self.check.statements().declare_label(symbol, name.span).map(Item::Label));
                if self.tokens.eat(TokenKind::Comma).is_none() {
                    break;
                }
            }
            if self.expect(TokenKind::Semicolon).is_none() {
                self.tokens.skip_to_semicolon();
            }
            let span = start.span.to(self.tokens.previous_span());
            statements.push(self.check.tree.stmt(StmtKind::Declare(items), span));
            if self.tokens.at(TokenKind::RightBrace) {
                self.expected("a declaration or statement after `__label__`");
            }
        }
    }

    /// Reads a declaration or statement of a block, with what it declared on the way in front.
    fn block_item(&mut self, statements: &mut Vec<StmtId>) {
        let start = self.tokens.peek().span;
        if self.tokens.at_fallthrough() {
            self.skip_attributes();
            let end = self.tokens.bump().span;
            statements.push(self.check.tree.stmt(StmtKind::Empty, start.to(end)));
            return;
        }
        if self.starts_declaration() {
            let items = self.block_declaration();
            let span = start.to(self.tokens.previous_span());
            self.note_variable_lengths(&items);
            let mut all = std::mem::take(&mut self.pending);
            all.extend(items);
            if !all.is_empty() {
                statements.push(self.check.tree.stmt(StmtKind::Declare(all), span));
            }
            return;
        }
        let statement = self.statement_in(true);
        if !self.pending.is_empty() {
            let items = std::mem::take(&mut self.pending);
            statements.push(self.check.tree.stmt(StmtKind::Declare(items), start));
        }
        statements.push(statement);
    }

    fn note_variable_lengths(&mut self, items: &[Item]) {
        let ast = &self.check.tree.ast;
        let varies = |item: &Item| match *item {
            Item::Var { id, .. } => {
                let var = &ast.vars[id];
                var.storage != Storage::External && is_variably_modified(ast, var.ty.id)
            }
            Item::Typedef(id) => is_variably_modified(ast, ast.typedefs[id].ty.id),
            Item::Record { .. } | Item::Enum(_) | Item::Function { .. } | Item::Asm(_) | Item::Label(_) => {
                false
            }
        };
        if items.iter().any(varies) {
            self.check.statements().enter_variable_length();
        }
    }

    /// Reads a statement that is part of another.
    fn statement(&mut self) -> StmtId {
        self.statement_in(false)
    }

    /// Reads a statement; directly in a block, a label may stand before a declaration or `}`.
    fn statement_in(&mut self, block: bool) -> StmtId {
        let start = self.tokens.peek().span;
        let mut labels: Vec<Waiting> = Vec::new();
        while let Some(label) = self.label() {
            labels.push(label);
        }
        if labels.is_empty() {
            return self.unlabelled_statement();
        }
        let ends = self.tokens.at(TokenKind::RightBrace)
            || (self.starts_declaration() && !self.tokens.at_fallthrough());
        let mut body = if block && ends {
            let span = self.tokens.previous_span().after();
            self.check.tree.stmt(StmtKind::Empty, span)
        } else if self.tokens.at(TokenKind::RightBrace) {
            self.expected("a statement after the label");
            self.check.tree.stmt(StmtKind::Empty, start)
        } else {
            self.unlabelled_statement()
        };
        let end = self.tokens.previous_span();
        for label in labels.into_iter().rev() {
            let (kind, span) = match label {
                Waiting::Case { first, last, values, span } => {
                    (StmtKind::Case { first, last, values, body }, span)
                }
                Waiting::Default(span) => (StmtKind::Default(body), span),
                Waiting::Label(label, span) => (StmtKind::Label(label, body), span),
                Waiting::Dropped => continue,
            };
            body = self.check.tree.stmt(kind, span.to(end));
        }
        body
    }

    /// Reads one label with its colon, if there is one.
    fn label(&mut self) -> Option<Waiting> {
        let token = self.tokens.peek();
        match token.kind {
            TokenKind::Case => Some(self.case_label(token)),
            TokenKind::Default => {
                self.tokens.bump();
                self.expect(TokenKind::Colon);
                self.label_attributes();
                Some(if self.check.statements().default_label(token.span) {
                    Waiting::Default(token.span)
                } else {
                    Waiting::Dropped
                })
            }
            TokenKind::Identifier if self.tokens.peek_nth(1).kind == TokenKind::Colon => {
                let symbol = token.symbol?;
                self.tokens.bump();
                self.tokens.bump();
                self.label_attributes();
                Some(Waiting::Label(self.check.statements().define_label(symbol, token.span), token.span))
            }
            _ => None,
        }
    }

    /// Attributes behind a label belong to it, unless they stand alone before `;`.
    fn label_attributes(&mut self) {
        if self.tokens.at(TokenKind::Attribute) && !self.tokens.at_fallthrough() {
            self.skip_attributes();
        }
    }

    fn case_label(&mut self, token: Token) -> Waiting {
        self.tokens.bump();
        let first = self.constant_expression();
        let last = self.tokens.eat(TokenKind::Ellipsis).map(|_| self.constant_expression());
        let span = token.span.to(self.tokens.previous_span());
        if self.expect(TokenKind::Colon).is_none() {
            self.tokens.skip_case();
        }
        self.label_attributes();
        let values = self.check.statements().case_label(first, last, span);
        match values {
            Some(values) => {
                let first = self.check.tree.rvalue(first);
                let last = last.map(|last| self.check.tree.rvalue(last));
                Waiting::Case { first, last, values, span }
            }
            None => Waiting::Dropped,
        }
    }

    fn unlabelled_statement(&mut self) -> StmtId {
        let start = self.tokens.peek().span;
        match self.tokens.kind() {
            TokenKind::LeftBrace => self.nested_statement(Self::block),
            TokenKind::Semicolon => {
                self.tokens.bump();
                self.check.tree.stmt(StmtKind::Empty, start)
            }
            TokenKind::If => self.nested_statement(Self::if_statement),
            TokenKind::While => self.nested_statement(Self::while_statement),
            TokenKind::Do => self.nested_statement(Self::do_statement),
            TokenKind::For => self.nested_statement(Self::for_statement),
            TokenKind::Switch => self.nested_statement(Self::switch_statement),
            TokenKind::Goto => self.goto_statement(),
            TokenKind::Break | TokenKind::Continue => {
                let repeat = self.tokens.bump().kind == TokenKind::Continue;
                self.end_of_statement();
                let kind = self.check.statements().leave_or_repeat(repeat, start);
                self.check.tree.stmt(kind, start)
            }
            TokenKind::Return => self.return_statement(),
            TokenKind::Asm => {
                let asm = self.asm_statement();
                let whole = start.to(self.tokens.previous_span());
                self.check.tree.stmt(StmtKind::Asm(Box::new(asm)), whole)
            }
            TokenKind::Attribute => {
                self.skip_attributes();
                if self.tokens.at(TokenKind::RightBrace) {
                    self.expected("a statement");
                    return self.check.tree.stmt(StmtKind::Empty, start);
                }
                self.nested_statement(Self::statement)
            }
            TokenKind::PragmaPack => {
                self.pragma_pack();
                self.check.tree.stmt(StmtKind::Empty, start)
            }
            TokenKind::RightBrace | TokenKind::Eof => {
                self.expected("a statement");
                self.check.tree.stmt(StmtKind::Error, start)
            }
            TokenKind::Else => {
                self.check.tree.error(start, "`else` without `if`");
                self.tokens.bump();
                self.check.tree.stmt(StmtKind::Error, start)
            }
            _ if self.starts_declaration() && !self.tokens.at(TokenKind::Extension) => {
                self.misplaced_declaration(start)
            }
            _ => {
                let expr = self.expression();
                self.end_of_statement();
                let whole = start.to(self.tokens.previous_span());
                self.check.statements().expression_statement(expr, whole)
            }
        }
    }

    /// `if (c) int x;`: a declaration where only a statement may stand. It is read, so that its names are known.
    fn misplaced_declaration(&mut self, start: Span) -> StmtId {
        self.check.tree.error(start, "a declaration cannot stand here; a statement is expected");
        let before = self.tokens.position();
        let items = self.block_declaration();
        if self.tokens.position() == before {
            self.tokens.skip_to_semicolon();
        }
        let whole = start.to(self.tokens.previous_span());
        self.check.tree.stmt(StmtKind::Declare(items), whole)
    }

    fn nested_statement(&mut self, parse: impl FnOnce(&mut Self) -> StmtId) -> StmtId {
        match self.deeper(parse) {
            Some(statement) => statement,
            None => {
                let span = self.tokens.previous_span();
                self.check.tree.stmt(StmtKind::Error, span)
            }
        }
    }

    /// Takes the `;` of a statement; if it is missing, reports that and goes on at the next statement.
    fn end_of_statement(&mut self) {
        if self.expect(TokenKind::Semicolon).is_none() && !self.at_statement_start() {
            self.tokens.skip_to_semicolon();
        }
    }

    /// Whether the current token surely begins a statement, so that only a `;` was forgotten before it.
    fn at_statement_start(&self) -> bool {
        matches!(
            self.tokens.kind(),
            TokenKind::If
                | TokenKind::While
                | TokenKind::Do
                | TokenKind::For
                | TokenKind::Switch
                | TokenKind::Goto
                | TokenKind::Break
                | TokenKind::Continue
                | TokenKind::Return
                | TokenKind::Case
                | TokenKind::Default
                | TokenKind::LeftBrace
                | TokenKind::RightBrace
                | TokenKind::Else
                | TokenKind::Identifier
                | TokenKind::Eof
        ) || self.starts_declaration()
    }

    /// Reads `( condition )`.
    fn condition(&mut self) -> ExprId {
        let expr = self.bracketed_expression();
        self.check.tree.condition(expr)
    }

    fn bracketed_expression(&mut self) -> ExprId {
        if self.expect(TokenKind::LeftParen).is_none() {
            return self.check.tree.error_expr(self.tokens.previous_span());
        }
        let expr = self.expression();
        if self.expect(TokenKind::RightParen).is_none() {
            self.tokens.skip_to_bracket();
        }
        expr
    }

    /// Reads `if` with all its `else if`.
    fn if_statement(&mut self) -> StmtId {
        let mut arms: Vec<(ExprId, StmtId, Span)> = Vec::new();
        let mut last = None;
        loop {
            let start = self.tokens.bump().span;
            let condition = self.condition();
            let then = self.statement();
            arms.push((condition, then, start));
            if self.tokens.eat(TokenKind::Else).is_none() {
                break;
            }
            if !self.tokens.at(TokenKind::If) {
                last = Some(self.statement());
                break;
            }
        }
        let end = self.tokens.previous_span();
        while let Some((condition, then, start)) = arms.pop() {
            let kind = StmtKind::If { condition, then, otherwise: last };
            last = Some(self.check.tree.stmt(kind, start.to(end)));
        }
        match last {
            Some(statement) => statement,
            None => self.check.tree.stmt(StmtKind::Error, end),
        }
    }

    fn while_statement(&mut self) -> StmtId {
        let start = self.tokens.bump().span;
        let condition = self.condition();
        let mark = self.check.statements().enter_loop();
        let body = self.statement();
        self.check.statements().leave_loop(mark);
        let whole = start.to(self.tokens.previous_span());
        self.check.tree.stmt(StmtKind::While { condition, body }, whole)
    }

    fn do_statement(&mut self) -> StmtId {
        let start = self.tokens.bump().span;
        let mark = self.check.statements().enter_loop();
        let body = self.statement();
        self.check.statements().leave_loop(mark);
        if self.expect(TokenKind::While).is_none() {
            self.tokens.skip_to_semicolon();
            return self.check.tree.stmt(StmtKind::Error, start);
        }
        let condition = self.condition();
        self.end_of_statement();
        let whole = start.to(self.tokens.previous_span());
        self.check.tree.stmt(StmtKind::DoWhile { body, condition }, whole)
    }

    fn for_statement(&mut self) -> StmtId {
        let start = self.tokens.bump().span;
        if self.expect(TokenKind::LeftParen).is_none() {
            self.tokens.skip_to_semicolon();
            return self.check.tree.stmt(StmtKind::Error, start);
        }
        self.check.scopes.push();
        let region = self.check.statements().enter_block();
        let init = self.for_init();
        let condition = if self.tokens.at(TokenKind::Semicolon) {
            None
        } else {
            let condition = self.expression();
            Some(self.check.tree.condition(condition))
        };
        if self.expect(TokenKind::Semicolon).is_none() {
            self.tokens.skip_to_bracket();
        }
        let step = if self.tokens.at(TokenKind::RightParen) {
            None
        } else {
            let step = self.expression();
            Some(self.check.tree.rvalue(step))
        };
        if self.expect(TokenKind::RightParen).is_none() {
            self.tokens.skip_to_bracket();
        }
        let mark = self.check.statements().enter_loop();
        let body = self.statement();
        self.check.statements().leave_loop(mark);
        self.check.statements().leave_block(region);
        self.check.scopes.pop();
        let span = start.to(self.tokens.previous_span());
        self.check.tree.stmt(StmtKind::For { init, condition, step, body }, span)
    }

    /// Reads what stands before the first `;` of `for`, with that `;`.
    fn for_init(&mut self) -> Option<StmtId> {
        let start = self.tokens.peek().span;
        if self.tokens.eat(TokenKind::Semicolon).is_some() {
            return None;
        }
        if self.starts_declaration() {
            let mut items = self.block_declaration();
            self.check_for_declaration(&items);
            self.note_variable_lengths(&items);
            // A record without a tag may be defined here. It gets one when it is printed, so it stands before the loop.
            let is_record = |item: &Item| matches!(item, Item::Record { .. });
            self.pending.extend(items.iter().copied().filter(is_record));
            items.retain(|item| !is_record(item));
            return Some(
                self.check.tree.stmt(StmtKind::Declare(items), start.to(self.tokens.previous_span())),
            );
        }
        let expr = self.expression();
        if self.expect(TokenKind::Semicolon).is_none() {
            self.tokens.skip_to_bracket();
        }
        let whole = start.to(self.tokens.previous_span());
        Some(self.check.statements().expression_statement(expr, whole))
    }

    /// Only plain variables may be declared in the head of `for`.
    fn check_for_declaration(&mut self, items: &[Item]) {
        for item in items {
            let (what, span) = match *item {
                Item::Var { id, .. } => {
                    let var = &self.check.tree.ast.vars[id];
                    match var.storage {
                        Storage::External => ("an `extern` variable", var.span),
                        Storage::Static => ("a `static` variable", var.span),
                        Storage::Automatic | Storage::Register | Storage::Parameter => continue,
                    }
                }
                Item::Record { id, .. } if self.check.tree.ast.records[id].tag.is_none() => continue,
                Item::Record { id, .. } => ("a structure or union", self.check.tree.ast.records[id].span),
                Item::Enum(id) => ("an enumeration", self.check.tree.ast.enums[id].span),
                Item::Typedef(id) => ("a type", self.check.tree.ast.typedefs[id].span),
                Item::Function { id, .. } => ("a function", self.check.tree.ast.functions[id].span),
                Item::Asm(_) | Item::Label(_) => continue,
            };
            self.check.tree.error(span, format!("{what} is declared in the head of `for`"));
        }
    }

    fn switch_statement(&mut self) -> StmtId {
        let start = self.tokens.bump().span;
        let value = self.bracketed_expression();
        let (value, mark) = self.check.statements().enter_switch(value);
        let body = self.statement();
        self.check.statements().leave_switch(mark);
        let whole = start.to(self.tokens.previous_span());
        self.check.tree.stmt(StmtKind::Switch { value, body }, whole)
    }

    fn goto_statement(&mut self) -> StmtId {
        let start = self.tokens.bump().span;
        if self.tokens.eat(TokenKind::Star).is_some() {
            let target = self.expression();
            let target = self.check.statements().computed_goto(target);
            self.end_of_statement();
            let whole = start.to(self.tokens.previous_span());
            return self.check.tree.stmt(StmtKind::GotoComputed(target), whole);
        }
        let name = self.tokens.peek();
        let (TokenKind::Identifier, Some(symbol)) = (name.kind, name.symbol) else {
            self.expected("a label or `*`");
            self.tokens.skip_to_semicolon();
            return self.check.tree.stmt(StmtKind::Error, start);
        };
        self.tokens.bump();
        let label = self.check.statements().use_label(symbol, name.span, true);
        self.end_of_statement();
        let whole = start.to(self.tokens.previous_span());
        self.check.tree.stmt(StmtKind::Goto(label), whole)
    }

    fn return_statement(&mut self) -> StmtId {
        let start = self.tokens.bump().span;
        let value = if self.tokens.at(TokenKind::Semicolon) { None } else { Some(self.expression()) };
        self.end_of_statement();
        let span = start.to(self.tokens.previous_span());
        let value = self.check.statements().return_value(value, span);
        self.check.tree.stmt(StmtKind::Return(value), span)
    }
}

impl TokenStream<'_> {
    /// Whether an attribute stands alone before `;`, as in `__attribute__((fallthrough));`.
    fn at_fallthrough(&self) -> bool {
        self.at_attributes() && self.peek_nth(self.behind_attributes(0)).kind == TokenKind::Semicolon
    }

    /// After a broken case label: goes behind its colon if it stands before the statement ends.
    fn skip_case(&mut self) {
        let mut ahead = 0;
        loop {
            match self.peek_nth(ahead).kind {
                TokenKind::Colon => {
                    for _ in 0..=ahead {
                        self.bump();
                    }
                    return;
                }
                TokenKind::Semicolon | TokenKind::LeftBrace | TokenKind::RightBrace | TokenKind::Eof => {
                    return;
                }
                _ => ahead += 1,
            }
        }
    }

    /// Goes behind the `)` of this depth, or stops before what ends the statement.
    fn skip_to_bracket(&mut self) {
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
