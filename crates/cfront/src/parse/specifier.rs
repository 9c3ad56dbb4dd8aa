//! Declaration specifiers: storage classes, qualifiers, and the words that make a type.

use raddle_base::{Diagnostic, Span};

use crate::check::attribute::Attributes;
use crate::check::declaration::{Specifiers, StorageClass};
use crate::check::scope::Name;
use crate::layout::DataModel;
use crate::names::Symbol;
use crate::parse::Parser;
use crate::token::{Token, TokenKind};
use crate::types::{FloatKind, IntKind, QualType, Qualifiers, Type, TypeId, Types};

/// Which specifiers a context allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SpecifierContext {
    /// A declaration or parameter: all of them.
    Declaration,
    /// A member of a record: no storage class, no `inline`.
    Member,
    /// A type name: no `_Alignas` either.
    TypeName,
}

/// The words of a basic type.
#[derive(Clone, Copy, Debug, Default)]
struct Words {
    base: Option<Base>,
    signed: bool,
    unsigned: bool,
    short: bool,
    longs: u8,
    complex: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Base {
    Void,
    Bool,
    Char,
    Int,
    Int128,
    Float,
    Double,
    Extended(FloatKind),
    VaList,
    /// A typedef name, tag, `typeof` or `_Atomic(…)`.
    Other(QualType),
    AutoType,
}

impl Base {
    fn word(self) -> &'static str {
        match self {
            Self::Void => "void",
            Self::Bool => "_Bool",
            Self::Char => "char",
            Self::Int => "int",
            Self::Int128 => "__int128",
            Self::Float => "float",
            Self::Double => "double",
            Self::VaList => "__builtin_va_list",
            Self::AutoType => "__auto_type",
            Self::Extended(_) | Self::Other(_) => "the type before it",
        }
    }
}

impl Words {
    fn any(self) -> bool {
        self.base.is_some() || self.signed || self.unsigned || self.short || self.longs > 0 || self.complex
    }

    /// Whether the words may stand together.
    fn valid(self) -> bool {
        let signs = self.signed || self.unsigned;
        let lengths = self.short || self.longs > 0;
        if (self.signed && self.unsigned) || (self.short && self.longs > 0) || self.longs > 2 {
            return false;
        }
        match self.base {
            None | Some(Base::Int) => true,
            Some(Base::Void | Base::Bool | Base::VaList | Base::Other(_) | Base::AutoType) => {
                !signs && !lengths && !self.complex
            }
            Some(Base::Char | Base::Int128) => !lengths,
            Some(Base::Float) => !signs && !lengths,
            Some(Base::Double) => !signs && !self.short && self.longs < 2,
            Some(Base::Extended(kind)) => {
                let decimal =
                    matches!(kind, FloatKind::Decimal32 | FloatKind::Decimal64 | FloatKind::Decimal128);
                !(signs || lengths || (self.complex && decimal))
            }
        }
    }

    /// Which of these words does not go with the one that was added in `combined`.
    fn conflict(self, combined: Self) -> &'static str {
        let candidates = [
            (self.signed, "signed", Self { signed: false, ..combined }),
            (self.unsigned, "unsigned", Self { unsigned: false, ..combined }),
            (self.short, "short", Self { short: false, ..combined }),
            (self.longs > 0, "long", Self { longs: 0, ..combined }),
            (self.complex, "_Complex", Self { complex: false, ..combined }),
        ];
        let culprit = candidates.iter().find(|(present, _, without)| *present && without.valid());
        match (culprit, self.base) {
            (Some((_, word, _)), _) => word,
            (None, Some(base)) => base.word(),
            (None, None) => "the words before it",
        }
    }

    fn integer(self) -> IntKind {
        match (self.base, self.unsigned, self.short, self.longs) {
            (Some(Base::Char), true, ..) => IntKind::UnsignedChar,
            (Some(Base::Char), false, ..) if self.signed => IntKind::SignedChar,
            (Some(Base::Char), ..) => IntKind::Char,
            (Some(Base::Int128), true, ..) => IntKind::UnsignedInt128,
            (Some(Base::Int128), ..) => IntKind::Int128,
            (_, true, true, _) => IntKind::UnsignedShort,
            (_, false, true, _) => IntKind::Short,
            (_, true, false, 0) => IntKind::UnsignedInt,
            (_, false, false, 0) => IntKind::Int,
            (_, true, false, 1) => IntKind::UnsignedLong,
            (_, false, false, 1) => IntKind::Long,
            (_, true, false, _) => IntKind::UnsignedLongLong,
            (_, false, false, _) => IntKind::LongLong,
        }
    }

    /// The type the words make; they are valid.
    fn ty(self, types: &mut Types) -> QualType {
        let floating = match self.base {
            Some(Base::Void) => return Types::void().into(),
            Some(Base::Bool) => return Types::bool().into(),
            Some(Base::VaList) => return Types::va_list().into(),
            Some(Base::Other(ty)) => return ty,
            Some(Base::AutoType) => return Types::int().into(),
            Some(Base::Float) => FloatKind::Float,
            Some(Base::Double) if self.longs == 1 => FloatKind::LongDouble,
            Some(Base::Double) => FloatKind::Double,
            Some(Base::Extended(kind)) => kind,
            // `_Complex` alone is `_Complex double`.
            None if self.complex && !self.signed && !self.unsigned && !self.short && self.longs == 0 => {
                FloatKind::Double
            }
            None | Some(Base::Char | Base::Int | Base::Int128) => {
                let kind = self.integer();
                let ty = if self.complex { Type::ComplexInt(kind) } else { Type::Int(kind) };
                return types.intern(ty).into();
            }
        };
        let ty = if self.complex { Type::Complex(floating) } else { Type::Float(floating) };
        types.intern(ty).into()
    }
}

/// The type that a keyword alone names.
fn base_of(kind: TokenKind) -> Option<Base> {
    Some(match kind {
        TokenKind::Void => Base::Void,
        TokenKind::Bool => Base::Bool,
        TokenKind::CharType => Base::Char,
        TokenKind::Int => Base::Int,
        TokenKind::Int128 => Base::Int128,
        TokenKind::FloatType => Base::Float,
        TokenKind::Double => Base::Double,
        TokenKind::Float16 => Base::Extended(FloatKind::Float16),
        TokenKind::Float32 => Base::Extended(FloatKind::Float32),
        TokenKind::Float32x => Base::Extended(FloatKind::Float32x),
        TokenKind::Float64 => Base::Extended(FloatKind::Float64),
        TokenKind::Float64x => Base::Extended(FloatKind::Float64x),
        TokenKind::Float80 => Base::Extended(FloatKind::Float80),
        TokenKind::Float128 => Base::Extended(FloatKind::Float128),
        TokenKind::Decimal32 => Base::Extended(FloatKind::Decimal32),
        TokenKind::Decimal64 => Base::Extended(FloatKind::Decimal64),
        TokenKind::Decimal128 => Base::Extended(FloatKind::Decimal128),
        TokenKind::VaListType => Base::VaList,
        TokenKind::AutoType => Base::AutoType,
        _ => return None,
    })
}

/// The qualifier that a keyword is; `_Atomic` with parentheses is none.
pub(crate) fn qualifier_of(kind: TokenKind) -> Option<Qualifiers> {
    match kind {
        TokenKind::Const => Some(Qualifiers::CONST),
        TokenKind::Volatile => Some(Qualifiers::VOLATILE),
        TokenKind::Restrict => Some(Qualifiers::RESTRICT),
        TokenKind::Atomic => Some(Qualifiers::ATOMIC),
        _ => None,
    }
}

fn storage_of(kind: TokenKind) -> Option<StorageClass> {
    match kind {
        TokenKind::Typedef => Some(StorageClass::Typedef),
        TokenKind::Extern => Some(StorageClass::Extern),
        TokenKind::Static => Some(StorageClass::Static),
        TokenKind::Auto => Some(StorageClass::Auto),
        TokenKind::Register => Some(StorageClass::Register),
        _ => None,
    }
}

/// Whether a keyword begins a type name: a type word or a qualifier.
pub(crate) fn is_type_keyword(kind: TokenKind) -> bool {
    base_of(kind).is_some()
        || qualifier_of(kind).is_some()
        || matches!(
            kind,
            TokenKind::Signed
                | TokenKind::Unsigned
                | TokenKind::Short
                | TokenKind::Long
                | TokenKind::Complex
                | TokenKind::Struct
                | TokenKind::Union
                | TokenKind::Enum
                | TokenKind::Typeof
        )
}

/// Whether a keyword begins declaration specifiers.
pub(crate) fn is_specifier_keyword(kind: TokenKind) -> bool {
    is_type_keyword(kind)
        || storage_of(kind).is_some()
        || matches!(
            kind,
            TokenKind::Inline | TokenKind::Noreturn | TokenKind::ThreadLocal | TokenKind::Alignas
        )
}

impl Parser<'_> {
    /// Whether the name is a typedef name here.
    pub(crate) fn is_typedef_name(&self, token: Token) -> bool {
        token.kind == TokenKind::Identifier
            && token
                .symbol
                .is_some_and(|symbol| matches!(self.check.scopes.lookup(symbol), Some(Name::Typedef(_))))
    }

    /// Whether the token is an identifier that stands for nothing at all.
    pub(crate) fn is_unknown_name(&self, token: Token) -> bool {
        token.kind == TokenKind::Identifier
            && token.symbol.is_some_and(|symbol| self.check.scopes.lookup(symbol).is_none())
    }

    /// Reads specifiers, as many as there are.
    pub(crate) fn specifiers(&mut self, place: SpecifierContext) -> Specifiers {
        let start = self.tokens.peek().span;
        let first = self.tokens.position();
        let mut read = Specifiers {
            ty: Types::int().into(),
            span: start.before(),
            storage: None,
            thread_local: None,
            inline: None,
            noreturn: None,
            alignas: None,
            attributes: Attributes::default(),
            auto_type: false,
            has_type: false,
            any: false,
            only_attributes: true,
            tagged: false,
            untagged_record: false,
            defines: false,
        };
        let mut words = Words::default();
        let mut qualifiers = Qualifiers::NONE;
        while self.specifier(place, &mut read, &mut words, &mut qualifiers) {}
        read.any = self.tokens.position() > first;
        read.only_attributes &= read.any;
        if read.any {
            read.span = start.to(self.tokens.previous_span());
        }
        read.has_type = words.any();
        read.auto_type = words.base == Some(Base::AutoType);
        let ty = words.ty(&mut self.check.tree.ast.types);
        read.ty = self.check.tree.derived_types().qualify(ty, qualifiers, read.span);
        read
    }

    /// Reads one specifier; `false` if none stands here.
    fn specifier(
        &mut self,
        place: SpecifierContext,
        read: &mut Specifiers,
        words: &mut Words,
        qualifiers: &mut Qualifiers,
    ) -> bool {
        let token = self.tokens.peek();
        if self.tokens.at_attributes() {
            let attributes = self.attributes();
            read.attributes.merge(&attributes);
            return true;
        }
        let found = self.specifier_word(token, place, read, words, qualifiers);
        read.only_attributes &= !found;
        found
    }

    /// Reads one specifier that is no attribute; `false` if none stands here.
    fn specifier_word(
        &mut self,
        token: Token,
        place: SpecifierContext,
        read: &mut Specifiers,
        words: &mut Words,
        qualifiers: &mut Qualifiers,
    ) -> bool {
        if token.kind == TokenKind::Identifier {
            return self.typedef_specifier(token, words);
        }
        if read.defines && is_type_keyword(token.kind) && qualifier_of(token.kind).is_none() {
            // Behind the `}` of a definition a second type means that its `;` was forgotten.
            return false;
        }
        if token.kind == TokenKind::Atomic && self.tokens.peek_nth(1).kind == TokenKind::LeftParen {
            self.atomic_specifier(words);
            return true;
        }
        if let Some(qualifier) = qualifier_of(token.kind) {
            self.tokens.bump();
            *qualifiers = qualifiers.with(qualifier);
            return true;
        }
        if let Some(base) = base_of(token.kind) {
            self.tokens.bump();
            self.add_base(base, token.span, words);
            return true;
        }
        match token.kind {
            TokenKind::Signed
            | TokenKind::Unsigned
            | TokenKind::Short
            | TokenKind::Long
            | TokenKind::Complex => {
                self.tokens.bump();
                self.add_modifier(token, words);
            }
            TokenKind::Struct | TokenKind::Union => {
                let (id, untagged) = self.record_specifier();
                (read.tagged, read.untagged_record) = (true, untagged);
                read.defines = self.tokens.previous_kind() == Some(TokenKind::RightBrace);
                self.add_type(id, token.span, words);
            }
            TokenKind::Enum => {
                let id = self.enum_specifier();
                read.tagged = true;
                read.defines = self.tokens.previous_kind() == Some(TokenKind::RightBrace);
                self.add_type(id, token.span, words);
            }
            TokenKind::Typeof => {
                let ty = self.typeof_specifier();
                self.add_base(Base::Other(ty), token.span, words);
            }
            TokenKind::Alignas if place != SpecifierContext::TypeName => self.alignas_specifier(read),
            _ if place == SpecifierContext::Declaration => return self.storage_specifier(token, read),
            _ => return false,
        }
        true
    }

    /// A storage class or function specifier.
    fn storage_specifier(&mut self, token: Token, read: &mut Specifiers) -> bool {
        if let Some(storage) = storage_of(token.kind) {
            self.tokens.bump();
            match read.storage {
                None => read.storage = Some((storage, token.span)),
                Some((first, first_span)) => {
                    let message = if first == storage {
                        format!("duplicate {}", token.kind.describe())
                    } else {
                        "more than one storage class in a declaration".to_owned()
                    };
                    let diagnostic =
                        Diagnostic::error(token.span, message).also(first_span, "first storage class here");
                    self.check.tree.diagnostics.push(diagnostic);
                }
            }
            return true;
        }
        let slot = match token.kind {
            TokenKind::Inline => &mut read.inline,
            TokenKind::Noreturn => &mut read.noreturn,
            TokenKind::ThreadLocal => &mut read.thread_local,
            _ => return false,
        };
        let again = slot.replace(token.span).is_some() && token.kind == TokenKind::ThreadLocal;
        self.tokens.bump();
        if again {
            self.check.tree.error(token.span, "duplicate `_Thread_local`");
        }
        true
    }

    /// A typedef name, if no type was read yet; or a name that was meant to be one.
    fn typedef_specifier(&mut self, token: Token, words: &mut Words) -> bool {
        let Some(symbol) = token.symbol else { return false };
        if words.any() {
            return false;
        }
        match self.check.scopes.lookup(symbol) {
            Some(Name::Typedef(id)) => {
                self.tokens.bump();
                let meaning = self.check.tree.ast.typedefs[id].ty;
                let ty = self.check.tree.ast.types.typedef(id, meaning);
                words.base = Some(Base::Other(ty.into()));
                true
            }
            None if self.looks_like_unknown_type() => {
                self.tokens.bump();
                self.unknown_type(symbol, token.span);
                words.base = Some(Base::Other(Types::error().into()));
                true
            }
            Some(Name::Var(_) | Name::Function(_) | Name::EnumConstant(..)) | None => false,
        }
    }

    /// Whether an unknown name stands where only a type makes sense: `T x`, `T *x`.
    pub(crate) fn looks_like_unknown_type(&self) -> bool {
        self.is_unknown_name(self.tokens.peek())
            && match self.tokens.peek_nth(1).kind {
                TokenKind::Identifier => true,
                TokenKind::Star => {
                    let mut ahead = 2;
                    while self.tokens.peek_nth(ahead).kind == TokenKind::Star
                        || qualifier_of(self.tokens.peek_nth(ahead).kind).is_some()
                    {
                        ahead += 1;
                    }
                    self.tokens.peek_nth(ahead).kind == TokenKind::Identifier
                }
                kind => is_specifier_keyword(kind) && storage_of(kind).is_none(),
            }
    }

    /// Reports a name that should be a type's.
    pub(crate) fn unknown_type(&mut self, symbol: Symbol, span: Span) {
        let name = self.text(symbol).to_owned();
        let mut diagnostic = Diagnostic::error(span, format!("unknown type name `{name}`"));
        if let Some(tag) = self.check.scopes.lookup_tag(symbol) {
            let keyword = self.check.records().tag_keyword(tag);
            diagnostic = diagnostic.help(format!("write `{keyword} {name}`"));
        }
        self.check.tree.diagnostics.push(diagnostic);
    }

    fn add_type(&mut self, id: TypeId, span: Span, words: &mut Words) {
        self.add_base(Base::Other(id.into()), span, words);
    }

    fn add_base(&mut self, base: Base, span: Span, words: &mut Words) {
        let combined = Words { base: Some(base), ..*words };
        if base == Base::Int128 && self.check.tree.ast.model == DataModel::Ilp32 {
            self.check.tree.error(span, "`__int128` does not exist in the ILP32 data model");
        }
        if words.base.is_some() {
            self.check.tree.error(span, "two or more data types in one declaration");
        } else if combined.valid() {
            *words = combined;
        } else {
            let message = format!("this type cannot be combined with `{}`", words.conflict(combined));
            self.check.tree.error(span, message);
        }
    }

    fn add_modifier(&mut self, token: Token, words: &mut Words) {
        let mut combined = *words;
        let mut again = false;
        match token.kind {
            TokenKind::Signed => again = std::mem::replace(&mut combined.signed, true),
            TokenKind::Unsigned => again = std::mem::replace(&mut combined.unsigned, true),
            TokenKind::Short => again = std::mem::replace(&mut combined.short, true),
            TokenKind::Complex => again = std::mem::replace(&mut combined.complex, true),
            _ => combined.longs += 1,
        }
        let what = token.kind.describe();
        if again {
            self.check.tree.error(token.span, format!("duplicate {what}"));
        } else if combined.longs > 2 {
            self.check.tree.error(token.span, "`long long long` is too long");
        } else if combined.valid() {
            *words = combined;
        } else {
            let message = format!("{what} cannot be combined with `{}`", words.conflict(combined));
            self.check.tree.error(token.span, message);
        }
    }

    /// `_Atomic(type)`
    fn atomic_specifier(&mut self, words: &mut Words) {
        let span = self.tokens.bump().span;
        self.tokens.bump();
        let ty = self.type_name();
        self.expect(TokenKind::RightParen);
        let whole = span.to(self.tokens.previous_span());
        let ty = self.check.tree.derived_types().atomic_type(ty, whole);
        self.add_base(Base::Other(ty), span, words);
    }

    /// `typeof(type)` or `typeof(expression)`
    fn typeof_specifier(&mut self) -> QualType {
        self.tokens.bump();
        if self.expect(TokenKind::LeftParen).is_none() {
            return Types::error().into();
        }
        let ty = if self.starts_type_name(0) {
            self.type_name()
        } else {
            let operand = self.expression();
            self.check.tree.derived_types().type_of_operand(operand)
        };
        self.expect(TokenKind::RightParen);
        ty
    }

    /// `_Alignas(type)` or `_Alignas(constant)`
    fn alignas_specifier(&mut self, read: &mut Specifiers) {
        let span = self.tokens.bump().span;
        if self.expect(TokenKind::LeftParen).is_none() {
            return;
        }
        let bytes = if self.starts_type_name(0) {
            let ty = self.type_name();
            self.check.tree.derived_types().alignment_of_type(ty, span)
        } else {
            let value = self.constant_expression();
            self.alignas_value(value, span)
        };
        self.expect(TokenKind::RightParen);
        if let Some(bytes) = bytes {
            let strictest = read.alignas.map_or(bytes, |(known, _)| known.max(bytes));
            read.alignas = Some((strictest, span));
        }
    }
}
