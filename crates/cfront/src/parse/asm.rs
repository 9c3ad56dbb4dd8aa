//! Inline assembly.

use raddle_base::Span;

use crate::ast::{Asm, AsmOperand, Encoding, ExprId, LabelId, StringLiteral};
use crate::check::shape::Shape;
use crate::parse::Parser;
use crate::parse::tokens::TokenStream;
use crate::token::TokenKind;

impl Parser<'_> {
    /// Reads from `asm` up to and including `;` at file scope or in a function.
    pub(crate) fn asm_statement(&mut self) -> Asm {
        let start = self.tokens.bump().span;
        let mut asm = Asm {
            volatile: false,
            inline: false,
            goto: false,
            template: StringLiteral { encoding: Encoding::Plain, units: Box::default() },
            extended: false,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
        };
        self.asm_qualifiers(&mut asm);
        if self.expect(TokenKind::LeftParen).is_none() {
            self.tokens.skip_to_semicolon();
            return asm;
        }
        if !self.tokens.at(TokenKind::String) {
            self.expected("a string literal");
            self.tokens.skip_to_semicolon();
            return asm;
        }
        asm.template = self.asm_string();
        self.asm_sections(&mut asm);
        if self.expect(TokenKind::RightParen).is_none() {
            self.tokens.skip_to_semicolon();
            return asm;
        }
        self.check_operand_names(&asm, start);
        if asm.extended && self.check.function.is_none() {
            self.check.tree.error(start, "assembly with operands outside of any function");
        }
        if self.expect(TokenKind::Semicolon).is_none() && self.check.function.is_none() {
            self.tokens.skip_to_semicolon();
        }
        asm
    }

    fn check_operand_names(&mut self, asm: &Asm, span: Span) {
        let names: Vec<_> =
            asm.outputs.iter().chain(&asm.inputs).filter_map(|operand| operand.name).collect();
        let twice = names.iter().enumerate().find(|(place, name)| names[..*place].contains(name));
        if let Some((_, &name)) = twice {
            let message = format!("two operands of `asm` are named `{}`", self.text(name));
            self.check.tree.error(span, message);
        }
    }

    fn asm_qualifiers(&mut self, asm: &mut Asm) {
        loop {
            let token = self.tokens.peek();
            let (flag, name) = match token.kind {
                TokenKind::Volatile => (&mut asm.volatile, "volatile"),
                TokenKind::Inline => (&mut asm.inline, "inline"),
                TokenKind::Goto => (&mut asm.goto, "goto"),
                TokenKind::Const | TokenKind::Restrict => {
                    let what = token.kind.describe();
                    self.check.tree.error(token.span, format!("{what} is no qualifier of `asm`"));
                    self.tokens.bump();
                    continue;
                }
                _ => return,
            };
            let again = std::mem::replace(flag, true);
            if again {
                self.check.tree.error(token.span, format!("`{name}` twice on one `asm`"));
            }
            if self.check.function.is_none() && token.kind != TokenKind::Volatile {
                self.check.tree.error(token.span, format!("`{name}` on `asm` outside of any function"));
            }
            self.tokens.bump();
        }
    }

    /// Reads what follows the template: up to four parts behind colons (`::` is two of them).
    fn asm_sections(&mut self, asm: &mut Asm) {
        let mut part = 0_u32;
        loop {
            let token = self.tokens.peek();
            match token.kind {
                TokenKind::Colon => part += 1,
                TokenKind::ColonColon => part += 2,
                _ => break,
            }
            self.tokens.bump();
            asm.extended = true;
            let limit = if asm.goto { 4 } else { 3 };
            if part > limit {
                self.check.tree.error(token.span, "too many colons in `asm`");
                self.tokens.skip_to_closing_colon();
                continue;
            }
            if matches!(self.tokens.kind(), TokenKind::Colon | TokenKind::ColonColon | TokenKind::RightParen)
            {
                continue;
            }
            match part {
                1 => asm.outputs = self.asm_operands(true),
                2 => asm.inputs = self.asm_operands(false),
                3 => asm.clobbers = self.asm_clobbers(),
                _ => asm.labels = self.asm_labels(),
            }
        }
        if asm.goto && part < 4 {
            let span = self.tokens.peek().span;
            self.check.tree.error(span, "`asm goto` without labels");
        }
    }

    fn asm_operands(&mut self, outputs: bool) -> Vec<AsmOperand> {
        let mut operands = Vec::new();
        loop {
            let mut name = None;
            if self.tokens.eat(TokenKind::LeftBracket).is_some() {
                let token = self.tokens.peek();
                if token.symbol.is_none() {
                    self.expected("the name of an operand");
                    break;
                }
                self.tokens.bump();
                name = token.symbol;
                if self.expect(TokenKind::RightBracket).is_none() {
                    break;
                }
            }
            if !self.tokens.at(TokenKind::String) {
                self.expected("a constraint");
                break;
            }
            let constraint_span = self.tokens.peek().span;
            let constraint = self.asm_string();
            if self.expect(TokenKind::LeftParen).is_none() {
                break;
            }
            let value = self.expression();
            if self.expect(TokenKind::RightParen).is_none() {
                break;
            }
            let value = if outputs {
                self.asm_output(value, &constraint, constraint_span)
            } else {
                self.asm_input(value, &constraint, constraint_span)
            };
            operands.push(AsmOperand { name, constraint, value });
            if self.tokens.eat(TokenKind::Comma).is_none() {
                return operands;
            }
        }
        self.tokens.skip_to_closing_colon();
        operands
    }

    fn asm_output(&mut self, value: ExprId, constraint: &StringLiteral, constraint_span: Span) -> ExprId {
        let starts = |letter: char| constraint.units.contains(&u32::from(letter));
        if !starts('=') && !starts('+') {
            self.check.tree.error(constraint_span, "the constraint of an output lacks `=`");
        }
        if !self.check.tree.is_erroneous(value) {
            self.check.tree.operators().modifiable(value, "assembly output");
        }
        value
    }

    /// A string of assembly, which has no prefix.
    fn asm_string(&mut self) -> StringLiteral {
        let start = self.tokens.peek().span;
        let string = self.string_literal();
        if string.encoding != Encoding::Plain {
            let span = start.to(self.tokens.previous_span());
            self.check.tree.error(span, "a string with a prefix cannot stand in `asm`");
        }
        string
    }

    fn asm_input(&mut self, value: ExprId, constraint: &StringLiteral, constraint_span: Span) -> ExprId {
        // An operand that may only be in memory stays an object.
        let letters = |set: &str| {
            constraint.units.iter().any(|unit| set.chars().any(|letter| u32::from(letter) == *unit))
        };
        if letters("=+&") {
            self.check.tree.error(constraint_span, "the constraint of an input contains `=`, `+` or `&`");
        }
        let memory = letters("moV") && !letters("rginsqQabcdSDAXpIJKLMNOEFG0123456789[");
        if memory
            && self.check.tree.ast.exprs[value].lvalue
            && self.check.tree.shape_of(value) != Shape::Function
        {
            return value;
        }
        let value = self.check.tree.rvalue(value);
        if self.check.tree.shape_of(value) == Shape::Void {
            return self.check.tree.void_use(value);
        }
        value
    }

    fn asm_clobbers(&mut self) -> Vec<StringLiteral> {
        let mut clobbers = Vec::new();
        loop {
            if !self.tokens.at(TokenKind::String) {
                self.expected("a clobber");
                self.tokens.skip_to_closing_colon();
                return clobbers;
            }
            let clobber = self.asm_string();
            clobbers.push(clobber);
            if self.tokens.eat(TokenKind::Comma).is_none() {
                return clobbers;
            }
        }
    }

    fn asm_labels(&mut self) -> Vec<LabelId> {
        let mut labels = Vec::new();
        loop {
            let token = self.tokens.peek();
            let (TokenKind::Identifier, Some(symbol)) = (token.kind, token.symbol) else {
                self.expected("a label");
                self.tokens.skip_to_closing_colon();
                return labels;
            };
            self.tokens.bump();
            labels.push(self.check.statements().use_label(symbol, token.span, true));
            if self.tokens.eat(TokenKind::Comma).is_none() {
                return labels;
            }
        }
    }
}

impl TokenStream<'_> {
    fn skip_to_closing_colon(&mut self) {
        while !matches!(
            self.kind(),
            TokenKind::Colon
                | TokenKind::ColonColon
                | TokenKind::RightParen
                | TokenKind::Semicolon
                | TokenKind::RightBrace
                | TokenKind::Eof
        ) {
            if matches!(self.kind(), TokenKind::LeftParen | TokenKind::LeftBracket) {
                self.skip_group();
            } else {
                self.bump();
            }
        }
    }
}
