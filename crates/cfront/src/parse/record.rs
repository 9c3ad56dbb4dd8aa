//! `struct`, `union` and `enum` specifiers, and `#pragma pack`, which governs them.

use raddle_base::Span;

use crate::ast::{Field, Item, RecordKind};
use crate::check::attribute::Attributes;
use crate::check::declaration::{Declarator, Specifiers};
use crate::check::record::{TagKind, TagUse};
use crate::check::scope::Tag;
use crate::names::Symbol;
use crate::parse::Parser;
use crate::parse::declarator::DeclaratorKind;
use crate::parse::specifier::SpecifierContext;
use crate::parse::tokens::TokenStream;
use crate::token::TokenKind;
use crate::types::TypeId;

/// `#pragma pack`: the value in force, and those pushed with their names.
#[derive(Debug, Default)]
pub(crate) struct PackState {
    current: Option<u64>,
    stack: Vec<(Option<String>, Option<u64>)>,
}

impl PackState {
    /// Obeys the arguments of one `pack`: `push`, `pop`, a name, a number, in the combinations gcc knows.
    fn obey(&mut self, arguments: &[&str]) {
        let number = |text: &str| text.parse::<u64>().ok();
        match arguments {
            [] | ["0"] => self.current = None,
            ["push", rest @ ..] => {
                let name = rest.first().filter(|text| number(text).is_none()).map(|text| (*text).to_owned());
                self.stack.push((name, self.current));
                if let Some(value) = rest.last().and_then(|text| number(text)) {
                    self.current = Some(value).filter(|&value| value > 0);
                }
            }
            ["pop", rest @ ..] => {
                let name = rest.first().filter(|text| number(text).is_none());
                let place = match name {
                    Some(name) => self.stack.iter().rposition(|(known, _)| known.as_deref() == Some(*name)),
                    None => self.stack.len().checked_sub(1),
                };
                if let Some(place) = place {
                    self.current = self.stack[place].1;
                    self.stack.truncate(place);
                }
            }
            [value, ..] => {
                if let Some(value) = number(value).filter(|value| value.is_power_of_two()) {
                    self.current = Some(value);
                }
            }
        }
    }
}

impl Parser<'_> {
    /// Takes a `#pragma pack` token and obeys it.
    pub(crate) fn pragma_pack(&mut self) {
        let token = self.tokens.bump();
        let text = String::from_utf8_lossy(self.sources.text(token.span)).into_owned();
        let inside = text.split_once('(').and_then(|(_, rest)| rest.split_once(')'));
        match inside {
            Some((arguments, _)) => {
                let arguments: Vec<&str> =
                    arguments.split(',').map(str::trim).filter(|text| !text.is_empty()).collect();
                self.pack.obey(&arguments);
            }
            None => self.check.tree.warning(token.span, "malformed `#pragma pack` has no effect"),
        }
    }

    /// Reads a `struct` or `union` specifier: its type, and whether it defines a record without a tag.
    pub(crate) fn record_specifier(&mut self) -> (TypeId, bool) {
        let keyword = self.tokens.bump();
        let kind = if keyword.kind == TokenKind::Struct { RecordKind::Struct } else { RecordKind::Union };
        let mut attributes = self.attributes();
        let (tag, span) = self.tokens.tag_name(keyword.span);
        if !self.tokens.at(TokenKind::LeftBrace) {
            let reference = self.tag_reference(TagKind::Record(kind), tag, span);
            return (self.check.records().tag_type(reference), false);
        }
        let (defined, fresh) =
            self.check.records().tag(TagKind::Record(kind), tag, TagUse::Define, span, &self.defining);
        let Tag::Record(id) = defined else { return (self.check.records().tag_type(defined), false) };
        self.check.tree.ast.records[id].span = span;
        let pending_before = self.pending.len();
        self.defining.push(defined);
        self.tokens.bump();
        let fields = self.deeper(Self::members).unwrap_or_default();
        self.expect(TokenKind::RightBrace);
        self.defining.pop();
        attributes.merge(&self.attributes());
        self.check.records().finish_record(id, fields, &attributes, self.pack.current, span);
        if fresh && tag.is_some() && self.pending.len() > pending_before {
            // What was declared inside stands before this and may mention it.
            self.pending.insert(pending_before, Item::Record { id, definition: false });
        }
        self.pending.push(Item::Record { id, definition: true });
        (self.check.records().tag_type(defined), tag.is_none())
    }

    /// `struct s` without members.
    fn tag_reference(&mut self, kind: TagKind, name: Option<Symbol>, span: Span) -> Tag {
        let usage = if self.tokens.at(TokenKind::Semicolon) { TagUse::Declare } else { TagUse::Mention };
        if name.is_none() {
            self.expected("an identifier or `{`");
        }
        let (tag, fresh) = self.check.records().tag(kind, name, usage, span, &self.defining);
        if let (Tag::Record(id), true, true) = (tag, fresh, name.is_some()) {
            self.pending.push(Item::Record { id, definition: false });
        }
        tag
    }

    /// The members, up to the closing brace.
    fn members(&mut self) -> Vec<Field> {
        let mut fields = Vec::new();
        loop {
            match self.tokens.kind() {
                TokenKind::RightBrace | TokenKind::Eof => return fields,
                TokenKind::Semicolon => {
                    self.tokens.bump();
                }
                TokenKind::StaticAssert => self.static_assertion(),
                TokenKind::PragmaPack => self.pragma_pack(),
                _ => {
                    let start = self.tokens.position();
                    if self.member_declaration(&mut fields).is_none() {
                        self.tokens.skip_to_semicolon();
                    }
                    if self.tokens.position() == start && !self.tokens.at(TokenKind::RightBrace) {
                        self.tokens.bump();
                    }
                }
            }
        }
    }

    /// One declaration of members, its semicolon included; `None` after a syntax error.
    fn member_declaration(&mut self, fields: &mut Vec<Field>) -> Option<()> {
        while self.tokens.eat(TokenKind::Extension).is_some() {}
        let specifiers = self.specifiers(SpecifierContext::Member);
        if !specifiers.has_type {
            let token = self.tokens.peek();
            match token.symbol {
                Some(symbol) if !specifiers.any && self.is_unknown_name(token) => {
                    self.unknown_type(symbol, token.span);
                    return None;
                }
                _ if !specifiers.any => {
                    self.expected("a member's type");
                    return None;
                }
                _ => self.check.tree.warning(specifiers.span, "the type of a member defaults to `int`"),
            }
        }
        if matches!(self.tokens.kind(), TokenKind::Semicolon | TokenKind::RightBrace) {
            self.member_without_declarator(&specifiers, fields);
        } else {
            loop {
                // Attributes may stand before each declarator after the first.
                let leading = self.attributes();
                let mut declarator = if self.tokens.at(TokenKind::Colon) {
                    unnamed(&specifiers, self.tokens.peek().span)
                } else {
                    self.declarator(&specifiers, DeclaratorKind::Named)?
                };
                let width = if self.tokens.eat(TokenKind::Colon).is_some() {
                    Some(self.constant_expression())
                } else {
                    None
                };
                declarator.attributes.merge(&leading);
                declarator.attributes.merge(&self.attributes());
                let field = self.check.records().field(&specifiers, &declarator, width);
                fields.push(field);
                if self.tokens.eat(TokenKind::Comma).is_none() {
                    break;
                }
            }
        }
        if self.tokens.at(TokenKind::RightBrace) {
            self.check.tree.warning(
                self.tokens.previous_span().after(),
                "no semicolon at the end of a member declaration",
            );
            return Some(());
        }
        let ended = self.expect(TokenKind::Semicolon).is_some() || self.tokens.begins_anew();
        ended.then_some(())
    }

    /// `struct { … };` inside a record is an anonymous member; anything else declares nothing.
    fn member_without_declarator(&mut self, specifiers: &Specifiers, fields: &mut Vec<Field>) {
        if !specifiers.untagged_record {
            self.check.tree.warning(specifiers.span, "this declaration declares nothing");
            return;
        }
        // It is written out inside of its record, so its own item goes.
        if let Some(&Item::Record { id, definition: true }) = self.pending.last()
            && self.check.tree.ast.records[id].tag.is_none()
        {
            self.pending.pop();
        }
        let declarator = unnamed(specifiers, specifiers.span);
        let field = self.check.records().field(specifiers, &declarator, None);
        fields.push(field);
    }

    /// Reads an `enum` specifier.
    pub(crate) fn enum_specifier(&mut self) -> TypeId {
        let keyword = self.tokens.bump();
        let mut attributes = self.attributes();
        let (tag, span) = self.tokens.tag_name(keyword.span);
        if !self.tokens.at(TokenKind::LeftBrace) {
            let reference = self.tag_reference(TagKind::Enum, tag, span);
            return self.check.records().tag_type(reference);
        }
        let (defined, _) = self.check.records().tag(TagKind::Enum, tag, TagUse::Define, span, &self.defining);
        let Tag::Enum(id) = defined else { return self.check.records().tag_type(defined) };
        self.check.tree.ast.enums[id].span = span;
        self.defining.push(defined);
        self.tokens.bump();
        if self.tokens.at(TokenKind::RightBrace) {
            self.check
                .tree
                .error(span.to(self.tokens.peek().span), "an enumeration needs at least one constant");
        }
        while !self.tokens.at(TokenKind::RightBrace) {
            let Some(name) = self.expect(TokenKind::Identifier) else {
                self.tokens.skip_to_brace();
                break;
            };
            self.skip_attributes();
            let value = if self.tokens.eat(TokenKind::Equal).is_some() {
                Some(self.constant_expression())
            } else {
                None
            };
            if let Some(symbol) = name.symbol {
                self.check.records().enum_constant(id, symbol, name.span, value);
            }
            if self.tokens.eat(TokenKind::Comma).is_none() && !self.tokens.at(TokenKind::RightBrace) {
                self.expected("`,` or `}`");
                self.tokens.skip_to_brace();
                break;
            }
        }
        self.expect(TokenKind::RightBrace);
        self.defining.pop();
        attributes.merge(&self.attributes());
        self.check.records().finish_enum(id, &attributes);
        self.pending.push(Item::Enum(id));
        self.check.records().tag_type(defined)
    }
}

impl TokenStream<'_> {
    /// The tag behind the keyword, if any, and the position to name in messages.
    fn tag_name(&mut self, keyword: Span) -> (Option<Symbol>, Span) {
        match self.eat(TokenKind::Identifier) {
            Some(token) => (token.symbol, token.span),
            None => (None, keyword),
        }
    }

    /// Skips up to the `}` of this depth.
    fn skip_to_brace(&mut self) {
        loop {
            match self.kind() {
                TokenKind::RightBrace | TokenKind::Eof | TokenKind::Semicolon => return,
                TokenKind::LeftBrace | TokenKind::LeftParen | TokenKind::LeftBracket => self.skip_group(),
                _ => {
                    self.bump();
                }
            }
        }
    }
}

/// The declarator of a member without a name.
fn unnamed(specifiers: &Specifiers, span: Span) -> Declarator {
    Declarator {
        name: None,
        span,
        ty: specifiers.ty,
        parameters: None,
        asm_name: None,
        attributes: Attributes::default(),
    }
}
