//! Declarations: at file scope and in blocks.

use raddle_base::{Diagnostic, Span};
use rustc_hash::FxHashMap;

use crate::ast::{Item, Stmt, StmtKind, Storage, VarId};
use crate::check::Checker;
use crate::check::declaration::{Declarator, Specifiers, StorageClass};
use crate::check::initializer::Written;
use crate::layout;
use crate::parse::Parser;
use crate::parse::declarator::DeclaratorKind;
use crate::parse::specifier::{SpecifierContext, is_specifier_keyword, is_type_keyword};
use crate::parse::tokens::TokenStream;
use crate::token::TokenKind;
use crate::types::{ArrayLength, Type, Types};

impl Parser<'_> {
    /// Whether a declaration starts here (a specifier keyword, a typedef name not followed by `:`, `_Static_assert`,
    /// `__extension__` before one, attributes before one).
    pub(crate) fn starts_declaration(&self) -> bool {
        let kind = self.tokens.kind();
        match kind {
            TokenKind::Identifier => {
                if self.tokens.peek_nth(1).kind == TokenKind::Colon {
                    return false;
                }
                self.is_typedef_name(self.tokens.peek()) || self.looks_like_unknown_type()
            }
            TokenKind::StaticAssert => true,
            TokenKind::Extension => {
                let mut ahead = 1;
                while self.tokens.peek_nth(ahead).kind == TokenKind::Extension {
                    ahead += 1;
                }
                self.declaration_at(ahead)
            }
            // GNU attributes before anything but `;` make it a declaration, if only of `int`.
            TokenKind::Attribute => {
                self.tokens.peek_nth(self.tokens.behind_attributes(0)).kind != TokenKind::Semicolon
            }
            TokenKind::LeftBracket if self.tokens.at_attributes() => {
                self.declaration_at(self.tokens.behind_attributes(0))
            }
            _ => is_specifier_keyword(kind),
        }
    }

    /// Whether specifiers stand `ahead` tokens on.
    fn declaration_at(&self, ahead: usize) -> bool {
        let token = self.tokens.peek_nth(ahead);
        match token.kind {
            TokenKind::StaticAssert => true,
            TokenKind::Extension => self.declaration_at(ahead + 1),
            TokenKind::Identifier => {
                self.is_typedef_name(token) && self.tokens.peek_nth(ahead + 1).kind != TokenKind::Colon
            }
            TokenKind::Attribute => self.declaration_at(self.tokens.behind_attributes(ahead)),
            kind => is_specifier_keyword(kind),
        }
    }

    /// Whether a type name starts at the token `ahead` tokens further (after `(`, `sizeof(` …).
    pub(crate) fn starts_type_name(&self, ahead: usize) -> bool {
        let token = self.tokens.peek_nth(ahead);
        match token.kind {
            TokenKind::Identifier => self.is_typedef_name(token),
            TokenKind::Attribute => true,
            TokenKind::Extension => self.starts_type_name(ahead + 1),
            kind => is_type_keyword(kind),
        }
    }

    /// Reads a whole translation unit: its items in order, and the checker that knows what they mean.
    pub(crate) fn translation_unit(mut self) -> (Vec<Item>, Checker) {
        while !self.tokens.at(TokenKind::Eof) {
            let start = self.tokens.position();
            self.external_declaration();
            self.flush_pending();
            if self.tokens.position() == start {
                self.tokens.bump();
            }
        }
        self.finish_tentative_definitions();
        (self.items, self.check)
    }

    pub(super) fn flush_pending(&mut self) {
        self.items.append(&mut self.pending);
    }

    fn external_declaration(&mut self) {
        match self.tokens.kind() {
            TokenKind::Semicolon => {
                self.tokens.bump();
            }
            TokenKind::StaticAssert => self.static_assertion(),
            TokenKind::PragmaPack => self.pragma_pack(),
            TokenKind::Extension => {
                self.tokens.bump();
                self.external_declaration();
            }
            TokenKind::Asm => {
                let start = self.tokens.peek().span;
                let asm = self.asm_statement();
                let span = start.to(self.tokens.previous_span());
                let stmt = self.check.tree.ast.stmts.push(Stmt { kind: StmtKind::Asm(Box::new(asm)), span });
                self.items.push(Item::Asm(stmt));
            }
            TokenKind::RightBrace => {
                self.expected("a declaration");
                self.tokens.bump();
            }
            _ => {
                if self.declaration().is_none() {
                    self.tokens.skip_external();
                }
            }
        }
    }

    /// Reads a declaration inside a function up to and including its `;`; nested function definitions too.
    pub(crate) fn block_declaration(&mut self) -> Vec<Item> {
        while self.tokens.eat(TokenKind::Extension).is_some() {}
        if self.tokens.at(TokenKind::StaticAssert) {
            self.static_assertion();
            return Vec::new();
        }
        let pending = std::mem::take(&mut self.pending);
        let items = std::mem::replace(&mut self.items, pending);
        if self.deeper(Self::declaration).flatten().is_none() {
            self.tokens.skip_to_semicolon();
        }
        self.flush_pending();
        std::mem::replace(&mut self.items, items)
    }

    /// A declaration or function definition. Its items go to `self.items`; `None` after a syntax error.
    fn declaration(&mut self) -> Option<()> {
        let specifiers = self.specifiers(SpecifierContext::Declaration);
        if self.tokens.at(TokenKind::Semicolon) && specifiers.any {
            self.tokens.bump();
            self.empty_declaration(&specifiers);
            return Some(());
        }
        if specifiers.defines && self.tokens.begins_anew() {
            let place = self.tokens.previous_span().after();
            let diagnostic = Diagnostic::error(place, "expected `;` behind the definition of a type");
            self.check.tree.diagnostics.push(diagnostic.label("add `;` here"));
            self.empty_declaration(&specifiers);
            return Some(());
        }
        if !specifiers.any && !self.tokens.starts_declarator() {
            self.expected("a declaration");
            return None;
        }
        let mut first = true;
        loop {
            let leading = if first { None } else { Some(self.attributes()) };
            let mut declarator = self.declarator(&specifiers, DeclaratorKind::Named)?;
            if let Some(leading) = leading {
                declarator.attributes.merge(&leading);
            }
            if first && self.at_function_body(&declarator) {
                return self.function_definition(&specifiers, declarator);
            }
            first = false;
            self.init_declarator(&specifiers, declarator)?;
            if self.tokens.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        if self.tokens.at(TokenKind::Semicolon) {
            self.tokens.bump();
            return Some(());
        }
        self.expect(TokenKind::Semicolon);
        self.tokens.begins_anew().then_some(())
    }

    /// Whether the body of a function, or the declarations of its old-style parameters, follows.
    fn at_function_body(&self, declarator: &Declarator) -> bool {
        let Some(parameters) = &declarator.parameters else { return false };
        self.tokens.at(TokenKind::LeftBrace) || (!parameters.prototype && self.starts_old_style_parameters())
    }

    fn starts_old_style_parameters(&self) -> bool {
        let kind = self.tokens.kind();
        is_specifier_keyword(kind) || self.is_typedef_name(self.tokens.peek())
    }

    /// A declaration without declarators: it must declare a tag to make sense.
    fn empty_declaration(&mut self, specifiers: &Specifiers) {
        if specifiers.auto_type {
            self.check.tree.error(specifiers.span, "`__auto_type` in an empty declaration");
        } else if !specifiers.tagged {
            self.check.tree.warning(specifiers.span, "this declaration declares nothing");
        } else if let Some((_, span)) = specifiers.storage {
            self.check.tree.warning(span, "this storage class has no effect");
        }
        if let Some(span) = specifiers.inline {
            self.check.tree.error(span, "`inline` in an empty declaration");
        }
    }

    /// What follows a declarator: `asm("name")`, attributes, an initialiser.
    fn init_declarator(&mut self, specifiers: &Specifiers, mut declarator: Declarator) -> Option<()> {
        if self.tokens.at(TokenKind::Asm) {
            declarator.asm_name = Some(self.asm_name()?);
        }
        declarator.attributes.merge(&self.attributes());
        if !matches!(self.tokens.kind(), TokenKind::Equal | TokenKind::Comma | TokenKind::Semicolon) {
            self.expect(TokenKind::Semicolon);
            // What cannot contradict anything is declared all the same, so that its uses are not reported.
            let fresh = declarator.name.is_some_and(|name| self.check.scopes.lookup_here(name).is_none());
            if fresh {
                self.declare(specifiers, declarator, false);
            }
            return self.tokens.begins_anew().then_some(());
        }
        let initialized = self.tokens.at(TokenKind::Equal);
        self.declare(specifiers, declarator, initialized);
        Some(())
    }

    /// Declares what a declarator names, and reads its initialiser.
    fn declare(&mut self, specifiers: &Specifiers, declarator: Declarator, initialized: bool) {
        if !specifiers.auto_type {
            self.check.declarations().warn_implicit_int(specifiers, &declarator);
        }
        let function = matches!(self.check.tree.ast.types.kind(declarator.ty.id), Type::Function(_));
        if specifiers.storage_class() == Some(StorageClass::Typedef) {
            if initialized {
                let message = format!("typedef {} is initialised", self.check.tree.subject(declarator.name));
                self.check.tree.error(declarator.span, message);
                self.dropped_initializer();
            }
            let item = self.check.declarations().declare_typedef(specifiers, &declarator);
            self.flush_pending();
            self.items.extend(item);
        } else if function {
            if initialized {
                let message = format!(
                    "function {} is initialised like a variable",
                    self.check.tree.subject(declarator.name)
                );
                self.check.tree.error(declarator.span, message);
                self.dropped_initializer();
            }
            if declarator.parameters.as_ref().is_some_and(|list| !list.names.is_empty()) {
                self.check.tree.warning(declarator.span, "parameter names without types in a declaration");
            }
            let id = self.check.declarations().declare_function(specifiers, declarator, false);
            self.flush_pending();
            self.items.push(Item::Function { id, definition: false });
        } else {
            self.variable(specifiers, declarator, initialized);
        }
    }

    /// Reads an initialiser where none may be.
    fn dropped_initializer(&mut self) {
        self.tokens.bump();
        self.written_initializer();
    }

    /// `asm("name")` behind a declarator.
    fn asm_name(&mut self) -> Option<crate::ast::StringLiteral> {
        self.tokens.bump();
        self.expect(TokenKind::LeftParen)?;
        if !self.tokens.at(TokenKind::String) {
            self.expected("a string literal");
            return None;
        }
        let name = self.string_literal();
        self.expect(TokenKind::RightParen)?;
        Some(name)
    }

    /// A variable and its initialiser.
    fn variable(&mut self, specifiers: &Specifiers, declarator: Declarator, initialized: bool) {
        let file_scope = self.check.scopes.at_file_scope();
        let span = declarator.span;
        if specifiers.auto_type {
            self.auto_variable(specifiers, declarator, initialized);
            return;
        }
        let id = self.check.declarations().declare_variable(specifiers, declarator, initialized);
        if initialized {
            self.tokens.bump();
            self.initialize(id, span);
        }
        if !file_scope {
            self.check.declarations().require_complete_variable(id);
        }
        self.variable_item(id, specifiers, initialized);
    }

    /// Reads the initialiser of a variable that is declared already.
    fn initialize(&mut self, id: VarId, span: Span) {
        let var = &self.check.tree.ast.vars[id];
        let ty = var.ty;
        let static_storage = match var.storage {
            Storage::External | Storage::Static => true,
            Storage::Automatic | Storage::Register | Storage::Parameter => false,
        };
        let array = match self.check.tree.ast.types.kind(ty.id) {
            Type::Array { length, .. } => Some(*length),
            _ => None,
        };
        let message = match array {
            Some(ArrayLength::Variable(_) | ArrayLength::Star) => {
                Some("a variable length array cannot be initialised")
            }
            Some(ArrayLength::Unknown) => None,
            _ if self.check.tree.is_error(ty) || layout::is_complete(&self.check.tree.ast, ty) => None,
            _ => Some("a variable of incomplete type cannot be initialised"),
        };
        if let Some(message) = message {
            self.check.tree.error(span, message);
            self.check.tree.ast.vars[id].ty = Types::error().into();
            self.written_initializer();
            return;
        }
        let (init, ty) = self.initializer(ty, static_storage);
        let var = &mut self.check.tree.ast.vars[id];
        var.init = Some(init);
        var.ty = ty;
    }

    /// `__auto_type x = value;`
    fn auto_variable(&mut self, specifiers: &Specifiers, mut declarator: Declarator, initialized: bool) {
        if !initialized || declarator.ty != specifiers.ty {
            let what = if initialized { "a plain name" } else { "an initialiser" };
            self.check.tree.error(declarator.span, format!("`__auto_type` needs {what}"));
            declarator.ty = Types::error().into();
            if initialized {
                self.dropped_initializer();
            }
            let id = self.check.declarations().declare_variable(specifiers, declarator, false);
            self.variable_item(id, specifiers, false);
            return;
        }
        self.tokens.bump();
        let value = match self.written_initializer() {
            Written::Expr(value) => self.check.tree.rvalue(value),
            Written::List(_, list_span) => {
                self.check.tree.error(list_span, "`__auto_type` needs an expression as initialiser");
                self.check.tree.error_expr(list_span)
            }
        };
        let qualifiers = specifiers.ty.qualifiers;
        let ty = self.check.tree.type_of(value);
        let ty = if self.check.tree.is_void(ty) {
            self.check.tree.error(declarator.span, "`__auto_type` of a `void` value");
            Types::error().into()
        } else {
            self.check.tree.derived_types().qualify(ty, qualifiers, specifiers.span)
        };
        let span = declarator.span;
        declarator.ty = ty;
        let id = self.check.declarations().declare_variable(specifiers, declarator, true);
        let static_storage = self.is_static(id);
        let (init, _) =
            self.check.tree.initializers(static_storage).initializer(Written::Expr(value), ty, span);
        self.check.tree.ast.vars[id].init = Some(init);
        self.variable_item(id, specifiers, true);
    }

    fn is_static(&self, id: VarId) -> bool {
        matches!(self.check.tree.ast.vars[id].storage, Storage::External | Storage::Static)
    }

    /// Adds the item of a variable's declaration. Of several tentative definitions the first counts, unless one has
    /// an initialiser.
    fn variable_item(&mut self, id: VarId, specifiers: &Specifiers, initialized: bool) {
        self.flush_pending();
        let is_extern = specifiers.storage_class() == Some(StorageClass::Extern);
        let mut definition = initialized || !is_extern;
        if self.check.scopes.at_file_scope() && definition {
            let place = self.items.len();
            match self.definitions.insert(id, place) {
                Some(earlier) if initialized => {
                    if let Item::Var { definition, .. } = &mut self.items[earlier] {
                        *definition = false;
                    }
                }
                Some(earlier) => {
                    self.definitions.insert(id, earlier);
                    definition = false;
                }
                None => {}
            }
        }
        self.items.push(Item::Var { id, definition });
    }

    /// At the end of the unit, what was only tentatively defined is defined; it must have a size by now.
    fn finish_tentative_definitions(&mut self) {
        let items = std::mem::take(&mut self.items);
        for item in &items {
            if let Item::Var { id, definition: true } = *item {
                self.check.declarations().finish_tentative(id);
            }
        }
        self.items = items;
    }

    /// `_Static_assert(condition, "message");`
    pub(crate) fn static_assertion(&mut self) {
        let start = self.tokens.bump().span;
        if self.static_assertion_rest(start).is_none() {
            self.tokens.skip_to_semicolon();
        }
    }

    fn static_assertion_rest(&mut self, start: Span) -> Option<()> {
        self.expect(TokenKind::LeftParen)?;
        let condition = self.constant_expression();
        let message = if self.tokens.eat(TokenKind::Comma).is_some() {
            if !self.tokens.at(TokenKind::String) {
                self.expected("a string literal");
                return None;
            }
            Some(self.string_literal())
        } else {
            None
        };
        self.expect(TokenKind::RightParen)?;
        let whole = start.to(self.tokens.previous_span());
        self.check.declarations().static_assertion(condition, message.as_ref(), whole);
        self.expect(TokenKind::Semicolon)?;
        Some(())
    }
}

impl TokenStream<'_> {
    /// Goes on behind a broken declaration at file scope: behind its `;` or its `{ … }`.
    fn skip_external(&mut self) {
        loop {
            match self.kind() {
                TokenKind::Eof => return,
                TokenKind::Semicolon => {
                    self.bump();
                    return;
                }
                TokenKind::RightBrace => {
                    self.bump();
                    self.eat(TokenKind::Semicolon);
                    return;
                }
                TokenKind::LeftBrace => {
                    self.skip_group();
                    self.eat(TokenKind::Semicolon);
                    return;
                }
                TokenKind::LeftParen | TokenKind::LeftBracket => self.skip_group(),
                _ => {
                    self.bump();
                }
            }
        }
    }

    /// Whether a keyword stands here that can only begin a declaration or statement: then what is missing before it
    /// is just a `;`.
    pub(super) fn begins_anew(&self) -> bool {
        let kind = self.kind();
        is_specifier_keyword(kind)
            || matches!(
                kind,
                TokenKind::Eof
                    | TokenKind::Break
                    | TokenKind::Case
                    | TokenKind::Continue
                    | TokenKind::Default
                    | TokenKind::Do
                    | TokenKind::For
                    | TokenKind::Goto
                    | TokenKind::If
                    | TokenKind::Return
                    | TokenKind::StaticAssert
                    | TokenKind::Switch
                    | TokenKind::While
            )
    }

    fn starts_declarator(&self) -> bool {
        matches!(self.kind(), TokenKind::Identifier | TokenKind::Star | TokenKind::LeftParen)
    }
}

/// The positions of the defining items of file-scope variables, in the unit's items.
pub(super) type Definitions = FxHashMap<VarId, usize>;
