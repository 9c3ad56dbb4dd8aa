//! Declarators: the part of a declaration that wraps a type around a name.
//!
//! C writes them inside out. They are read into a list of wrappings, the one nearest to the name first, and
//! applied to the type of the specifiers from the far end.

use raddle_base::Span;
use smallvec::SmallVec;

use crate::check::attribute::Attributes;
use crate::check::declaration::{Declarator, ParameterList, Parameters, Specifiers};
use crate::check::scope::Declared;
use crate::names::Symbol;
use crate::parse::Parser;
use crate::parse::specifier::{SpecifierContext, is_specifier_keyword, qualifier_of};
use crate::token::{Token, TokenKind};
use crate::types::{ArrayLength, FunctionType, QualType, Qualifiers, Types};

/// Whether a declarator has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeclaratorKind {
    /// It must have one.
    Named,
    /// It may have one: a parameter.
    Parameter,
    /// It must have none: a type name.
    Abstract,
}

/// One level of a declarator.
#[derive(Debug)]
enum Wrapping {
    Pointer(Qualifiers, Span),
    Array { length: ArrayLength, qualifiers: Qualifiers, decorated: Option<Span>, span: Span },
    Function(Box<Parameters>, Span),
}

/// A declarator as written.
#[derive(Debug)]
struct Raw {
    name: Option<(Symbol, Span)>,
    /// Whether a type came before, so that a typedef name here is a name declared anew.
    type_seen: bool,
    /// Nearest to the name first.
    wrappings: SmallVec<[Wrapping; 4]>,
    attributes: Attributes,
}

impl Parser<'_> {
    /// Reads a type name (specifiers and an abstract declarator).
    pub(crate) fn type_name(&mut self) -> QualType {
        let start = self.tokens.peek().span;
        let specifiers = self.specifiers(SpecifierContext::TypeName);
        if !specifiers.has_type {
            if specifiers.any {
                self.check.tree.warning(start, "type defaults to `int` in a type name");
            } else {
                let token = self.tokens.peek();
                match token.symbol {
                    Some(symbol) if self.is_unknown_name(token) => {
                        self.tokens.bump();
                        self.unknown_type(symbol, token.span);
                    }
                    _ => self.expected("a type name"),
                }
                return Types::error().into();
            }
        }
        if specifiers.auto_type {
            self.check.tree.error(start, "`__auto_type` in a type name");
            return Types::error().into();
        }
        let Some(declarator) = self.declarator(&specifiers, DeclaratorKind::Abstract) else {
            return Types::error().into();
        };
        let mut all = specifiers.attributes;
        all.merge(&declarator.attributes);
        self.check.tree.derived_types().apply_type_attributes(declarator.ty, &all)
    }

    /// Reads a declarator around the type of the specifiers; `None` after a syntax error.
    pub(crate) fn declarator(
        &mut self,
        specifiers: &Specifiers,
        place: DeclaratorKind,
    ) -> Option<Declarator> {
        let start = self.tokens.peek().span;
        // The commonest declarator by far is a plain name.
        if place != DeclaratorKind::Abstract
            && let Token { kind: TokenKind::Identifier, symbol: Some(name), span } = self.tokens.peek()
            && !matches!(self.tokens.peek_nth(1).kind, TokenKind::LeftParen | TokenKind::LeftBracket)
            && (specifiers.has_type || !self.is_typedef_name(self.tokens.peek()))
        {
            self.tokens.bump();
            return Some(Declarator {
                name: Some(name),
                span,
                ty: specifiers.ty,
                parameters: None,
                asm_name: None,
                attributes: Attributes::default(),
            });
        }
        let mut raw = Raw {
            name: None,
            type_seen: specifiers.has_type,
            wrappings: SmallVec::new(),
            attributes: Attributes::default(),
        };
        self.declarator_into(place, &mut raw)?;
        Some(self.apply(specifiers.ty, raw, place, start))
    }

    fn declarator_into(&mut self, place: DeclaratorKind, raw: &mut Raw) -> Option<()> {
        let mut pointers: SmallVec<[(Qualifiers, Span); 4]> = SmallVec::new();
        while let Some(star) = self.tokens.eat(TokenKind::Star) {
            let mut qualifiers = Qualifiers::NONE;
            loop {
                if let Some(qualifier) = qualifier_of(self.tokens.kind()) {
                    self.tokens.bump();
                    qualifiers = qualifiers.with(qualifier);
                } else if self.tokens.at_attributes() {
                    let attributes = self.attributes();
                    raw.attributes.merge(&attributes);
                } else {
                    break;
                }
            }
            pointers.push((qualifiers, star.span));
        }
        self.direct_declarator(place, raw)?;
        raw.wrappings
            .extend(pointers.into_iter().rev().map(|(qualifiers, span)| Wrapping::Pointer(qualifiers, span)));
        Some(())
    }

    /// The name or the inner declarator, and the brackets behind it.
    fn direct_declarator(&mut self, place: DeclaratorKind, raw: &mut Raw) -> Option<()> {
        let token = self.tokens.peek();
        match token.kind {
            TokenKind::Identifier
                if place != DeclaratorKind::Abstract && (raw.type_seen || !self.is_typedef_name(token)) =>
            {
                self.tokens.bump();
                raw.name = token.symbol.map(|symbol| (symbol, token.span));
                // Standard attributes may follow the name itself; GNU ones follow the whole declarator.
                if self.tokens.at(TokenKind::LeftBracket) && self.tokens.at_attributes() {
                    let attributes = self.attributes();
                    raw.attributes.merge(&attributes);
                }
            }
            TokenKind::LeftParen if place == DeclaratorKind::Named || !self.starts_parameters() => {
                self.tokens.bump();
                let attributes = self.attributes();
                raw.attributes.merge(&attributes);
                self.deeper(|parser| parser.declarator_into(place, raw))??;
                self.expect(TokenKind::RightParen)?;
            }
            _ if place == DeclaratorKind::Named => {
                self.expected("an identifier or `(`");
                return None;
            }
            _ => {}
        }
        loop {
            match self.tokens.kind() {
                TokenKind::LeftBracket if self.tokens.at_attributes() => {
                    let attributes = self.attributes();
                    raw.attributes.merge(&attributes);
                }
                TokenKind::LeftBracket => {
                    let wrapping = self.array_brackets()?;
                    raw.wrappings.push(wrapping);
                }
                TokenKind::LeftParen => {
                    let open = self.tokens.bump().span;
                    let parameters = self.deeper(Self::parameters)??;
                    let span = open.to(self.tokens.previous_span());
                    raw.wrappings.push(Wrapping::Function(Box::new(parameters), span));
                }
                _ => return Some(()),
            }
        }
    }

    /// Whether the `(` here opens a parameter list rather than an inner declarator, where a name need not come.
    fn starts_parameters(&self) -> bool {
        let place = self.tokens.behind_attributes(1);
        let token = self.tokens.peek_nth(place);
        match token.kind {
            TokenKind::RightParen | TokenKind::Ellipsis => place == 1,
            TokenKind::Identifier => self.is_typedef_name(token),
            kind => is_specifier_keyword(kind),
        }
    }

    /// `[ … ]`
    fn array_brackets(&mut self) -> Option<Wrapping> {
        let open = self.tokens.bump().span;
        let mut qualifiers = Qualifiers::NONE;
        let mut decorated = None;
        loop {
            let token = self.tokens.peek();
            if let Some(qualifier) = qualifier_of(token.kind) {
                qualifiers = qualifiers.with(qualifier);
            } else if token.kind == TokenKind::Attribute {
                self.skip_attributes();
                continue;
            } else if token.kind != TokenKind::Static {
                break;
            }
            decorated = Some(token.span);
            self.tokens.bump();
        }
        let length = if self.tokens.at(TokenKind::RightBracket) {
            ArrayLength::Unknown
        } else if self.tokens.at(TokenKind::Star) && self.tokens.peek_nth(1).kind == TokenKind::RightBracket {
            let star = self.tokens.bump().span;
            if !self.check.scopes.at_prototype_scope() {
                self.check.tree.error(star, "`[*]` outside of a function prototype");
            }
            self.star = Some(star);
            ArrayLength::Star
        } else {
            let bound = self.deeper(Self::assignment_expression)?;
            let at_file_scope = self.check.scopes.at_file_scope();
            self.check.tree.derived_types().array_length(bound, at_file_scope)
        };
        self.expect(TokenKind::RightBracket)?;
        Some(Wrapping::Array { length, qualifiers, decorated, span: open.to(self.tokens.previous_span()) })
    }

    /// Wraps the type of the specifiers as the declarator says.
    fn apply(&mut self, base: QualType, raw: Raw, place: DeclaratorKind, start: Span) -> Declarator {
        let (name, span) = match raw.name {
            Some((name, span)) => (Some(name), span),
            None => (None, start.to(self.tokens.previous_span())),
        };
        let mut ty = base;
        let mut parameters = None;
        let count = raw.wrappings.len();
        for (index, wrapping) in raw.wrappings.into_iter().enumerate().rev() {
            match wrapping {
                Wrapping::Pointer(qualifiers, star) => {
                    ty = self.check.tree.derived_types().derive_pointer(ty, qualifiers, star)
                }
                Wrapping::Array { length, qualifiers, decorated, span: brackets } => {
                    let outermost = index == 0 && place == DeclaratorKind::Parameter;
                    if let Some(word) = decorated.filter(|_| !outermost) {
                        self.check
                            .tree
                            .error(word, "`static` or qualifiers in an array that is no parameter");
                    }
                    let place = if count == 1 { span } else { brackets };
                    ty = self.check.tree.derived_types().derive_array(ty, length, name, place);
                    if outermost {
                        // The parameter becomes a pointer at once, with the qualifiers of the brackets.
                        ty = self.check.tree.derived_types().adjust_array(ty, qualifiers);
                    }
                }
                Wrapping::Function(mut list, list_span) => {
                    let function = FunctionType {
                        result: ty,
                        parameters: std::mem::take(&mut list.types).into_boxed_slice(),
                        variadic: list.variadic,
                        prototype: list.prototype,
                    };
                    ty = self.check.tree.derived_types().derive_function(function, name, list_span);
                    parameters = (index == 0).then_some(*list);
                }
            }
        }
        Declarator { name, span, ty, parameters, asm_name: None, attributes: raw.attributes }
    }

    /// Reads parameters behind `(`, up to and including `)`; `None` after a syntax error.
    fn parameters(&mut self) -> Option<Parameters> {
        self.check.scopes.push_prototype();
        let star_outside = self.star.take();
        let parameters = self.parameters_in_scope();
        let star = std::mem::replace(&mut self.star, star_outside);
        // Only a body can need them again.
        let ends = matches!(
            self.tokens.kind(),
            TokenKind::Semicolon | TokenKind::Comma | TokenKind::Attribute | TokenKind::Asm
        );
        let declared: Vec<Declared> =
            if ends { Vec::new() } else { self.check.scopes.declared_here().collect() };
        self.check.scopes.pop();
        let mut parameters = parameters?;
        parameters.declared = declared;
        parameters.star = star;
        Some(parameters)
    }

    fn parameters_in_scope(&mut self) -> Option<Parameters> {
        if self.tokens.eat(TokenKind::RightParen).is_some() {
            return Some(Parameters::default());
        }
        if self.at_name_list() {
            return self.name_list();
        }
        let mut list = ParameterList::default();
        let mut variadic = false;
        loop {
            if let Some(dots) = self.tokens.eat(TokenKind::Ellipsis) {
                if list.is_empty() {
                    self.check.tree.error(dots.span, "a parameter is needed before `...`");
                }
                variadic = true;
                break;
            }
            self.parameter(&mut list)?;
            if self.tokens.at(TokenKind::Semicolon) {
                // GNU: what came so far only gave the names' types in advance.
                self.tokens.bump();
                list.make_forward();
                continue;
            }
            if self.tokens.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect(TokenKind::RightParen)?;
        let (vars, types) = self.check.declarations().finish_parameters(list, variadic);
        Some(Parameters { vars, types, variadic, prototype: true, ..Parameters::default() })
    }

    /// Whether names without types stand here: the parameters of an old-style definition.
    fn at_name_list(&self) -> bool {
        let token = self.tokens.peek();
        token.kind == TokenKind::Identifier
            && !self.is_typedef_name(token)
            && matches!(self.tokens.peek_nth(1).kind, TokenKind::Comma | TokenKind::RightParen)
    }

    fn name_list(&mut self) -> Option<Parameters> {
        let mut names = Vec::new();
        loop {
            let token = self.expect(TokenKind::Identifier)?;
            if let Some(symbol) = token.symbol {
                names.push((symbol, token.span));
            }
            if self.tokens.eat(TokenKind::Comma).is_none() {
                break;
            }
        }
        self.expect(TokenKind::RightParen)?;
        Some(Parameters { names, ..Parameters::default() })
    }

    /// One parameter of a prototype.
    fn parameter(&mut self, list: &mut ParameterList) -> Option<()> {
        let specifiers = self.specifiers(SpecifierContext::Declaration);
        if !specifiers.any || specifiers.only_attributes {
            let token = self.tokens.peek();
            match token.symbol {
                Some(symbol) if self.is_unknown_name(token) => {
                    self.tokens.bump();
                    self.unknown_type(symbol, token.span);
                }
                _ => self.expected("a parameter or `...`"),
            }
            return None;
        }
        let mut declarator = self.declarator(&specifiers, DeclaratorKind::Parameter)?;
        let attributes = self.attributes();
        declarator.attributes.merge(&attributes);
        self.check.declarations().declare_parameter(&specifiers, &declarator, list);
        Some(())
    }
}
