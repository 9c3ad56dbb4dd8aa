//! `__attribute__((…))` and `[[…]]`: those with a meaning for us are gathered, the rest is read and dropped.

use raddle_base::{Diagnostic, Span};

use crate::ast::{Attribute, ExprId, ForeignReads};
use crate::check::attribute::{Attributes, Mode};
use crate::check::constant::{Constant, evaluate};
use crate::check::scope::Name;
use crate::names::Symbol;
use crate::parse::Parser;
use crate::parse::tokens::TokenStream;
use crate::token::TokenKind;
use crate::types::FloatKind;

/// What `aligned` without a number asks for: the largest alignment of any basic type on x86.
const BIGGEST_ALIGNMENT: u64 = 16;

/// No object aligns to as much as this, as with gcc.
const MAX_ALIGNMENT: u64 = 1 << 29;

/// What an attribute's name means to us.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum KnownAttribute {
    Packed,
    Aligned,
    Mode,
    VectorSize,
    TransparentUnion,
    Noreturn,
    GnuInline,
    Weak,
    Alias,
    Constructor,
    Destructor,
    Cleanup,
    ReturnsTwice,
    AlwaysInline,
    NoInline,
    ForeignReads,
    Other,
}

fn known(text: &str) -> KnownAttribute {
    let text = text.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).unwrap_or(text);
    match text {
        "packed" => KnownAttribute::Packed,
        "aligned" => KnownAttribute::Aligned,
        "mode" => KnownAttribute::Mode,
        "vector_size" => KnownAttribute::VectorSize,
        "transparent_union" => KnownAttribute::TransparentUnion,
        "noreturn" => KnownAttribute::Noreturn,
        "gnu_inline" => KnownAttribute::GnuInline,
        "weak" => KnownAttribute::Weak,
        "alias" => KnownAttribute::Alias,
        "constructor" => KnownAttribute::Constructor,
        "destructor" => KnownAttribute::Destructor,
        "cleanup" => KnownAttribute::Cleanup,
        "returns_twice" => KnownAttribute::ReturnsTwice,
        "always_inline" => KnownAttribute::AlwaysInline,
        "noinline" => KnownAttribute::NoInline,
        "raddle_reads" => KnownAttribute::ForeignReads,
        _ => KnownAttribute::Other,
    }
}

/// How many arguments an attribute that gcc knows takes, at least and at most.
fn argument_count(text: &str) -> Option<(usize, usize)> {
    let text = text.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).unwrap_or(text);
    Some(match text {
        "always_inline"
        | "artificial"
        | "cdecl"
        | "cold"
        | "common"
        | "const"
        | "designated_init"
        | "externally_visible"
        | "fallthrough"
        | "fastcall"
        | "flatten"
        | "force_align_arg_pointer"
        | "gnu_inline"
        | "hot"
        | "leaf"
        | "may_alias"
        | "ms_abi"
        | "noclone"
        | "nocommon"
        | "noicf"
        | "noinline"
        | "noipa"
        | "no_instrument_function"
        | "no_profile_instrument_function"
        | "no_reorder"
        | "no_sanitize_address"
        | "no_sanitize_thread"
        | "no_sanitize_undefined"
        | "no_stack_limit"
        | "no_stack_protector"
        | "nonstring"
        | "noplt"
        | "noreturn"
        | "nothrow"
        | "packed"
        | "pure"
        | "retain"
        | "returns_twice"
        | "stack_protect"
        | "stdcall"
        | "sysv_abi"
        | "thiscall"
        | "transparent_union"
        | "uninitialized"
        | "unused"
        | "used"
        | "volatile"
        | "warn_unused_result"
        | "weak" => (0, 0),
        "aligned"
        | "constructor"
        | "deprecated"
        | "destructor"
        | "sentinel"
        | "simd"
        | "unavailable"
        | "warn_if_not_aligned"
        | "weakref" => (0, 1),
        "malloc" => (0, 2),
        "alias"
        | "alloc_align"
        | "cleanup"
        | "copy"
        | "error"
        | "format_arg"
        | "ifunc"
        | "mode"
        | "regparm"
        | "scalar_storage_order"
        | "section"
        | "tls_model"
        | "vector_size"
        | "visibility"
        | "warning"
        | "zero_call_used_regs" => (1, 1),
        "alloc_size" | "assume_aligned" | "patchable_function_entry" => (1, 2),
        "access" => (1, 3),
        "format" => (3, 3),
        "no_sanitize" | "optimize" | "target" => (1, usize::MAX),
        _ => return None,
    })
}

fn machine_mode(text: &str) -> Option<Mode> {
    let text = text.strip_prefix("__").and_then(|rest| rest.strip_suffix("__")).unwrap_or(text);
    Some(match text {
        "QI" | "byte" => Mode::Integer(1),
        "HI" => Mode::Integer(2),
        "SI" => Mode::Integer(4),
        "DI" => Mode::Integer(8),
        "TI" => Mode::Integer(16),
        "word" | "pointer" | "unwind_word" | "libgcc_cmp_return" | "libgcc_shift_count" => Mode::Word,
        "HF" => Mode::Float(FloatKind::Float16),
        "SF" => Mode::Float(FloatKind::Float),
        "DF" => Mode::Float(FloatKind::Double),
        "XF" => Mode::Float(FloatKind::LongDouble),
        "TF" => Mode::Float(FloatKind::Float128),
        "SC" => Mode::Complex(FloatKind::Float),
        "DC" => Mode::Complex(FloatKind::Double),
        "XC" => Mode::Complex(FloatKind::LongDouble),
        "TC" => Mode::Complex(FloatKind::Float128),
        _ => return None,
    })
}

impl Parser<'_> {
    /// Reads and drops attribute lists where they mean nothing to us (before statements, after labels).
    pub(crate) fn skip_attributes(&mut self) {
        if self.tokens.at_attributes() {
            self.attributes();
        }
    }

    /// Reads any number of attribute lists.
    pub(crate) fn attributes(&mut self) -> Attributes {
        let mut gathered = Attributes::default();
        while self.tokens.at_attributes() {
            let gnu = self.tokens.at(TokenKind::Attribute);
            let start = self.tokens.position() + usize::from(gnu);
            let read = if gnu {
                self.gnu_attributes(&mut gathered)
            } else {
                self.standard_attributes(&mut gathered)
            };
            if read.is_none() {
                self.tokens.go_back_to(start);
                self.tokens.skip_group();
            }
        }
        gathered
    }

    /// `__attribute__((name, name(arguments), …))`; `None` after a syntax error.
    fn gnu_attributes(&mut self, gathered: &mut Attributes) -> Option<()> {
        self.tokens.bump();
        self.expect(TokenKind::LeftParen)?;
        self.expect(TokenKind::LeftParen)?;
        loop {
            while self.tokens.eat(TokenKind::Comma).is_some() {}
            if self.tokens.at(TokenKind::RightParen) {
                break;
            }
            let (name, span) = self.attribute_name()?;
            self.attribute(name, span, gathered)?;
            if !self.tokens.at(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightParen)?;
        self.expect(TokenKind::RightParen)?;
        Some(())
    }

    /// `[[name, vendor::name(arguments), …]]`; `None` after a syntax error.
    fn standard_attributes(&mut self, gathered: &mut Attributes) -> Option<()> {
        self.tokens.bump();
        self.tokens.bump();
        loop {
            while self.tokens.eat(TokenKind::Comma).is_some() {}
            if self.tokens.at(TokenKind::RightBracket) {
                break;
            }
            let (name, span) = self.attribute_name()?;
            let mut vendor = None;
            let mut name = name;
            if self.tokens.at_double_colon() {
                vendor = Some(name);
                name = self.attribute_name()?.0;
            }
            let ours = match vendor {
                Some(vendor) => matches!(self.text(vendor), "gnu" | "__gnu__"),
                None => matches!(self.text(name), "noreturn" | "__noreturn__" | "_Noreturn"),
            };
            if ours {
                self.attribute(name, span, gathered)?;
            } else if self.tokens.at(TokenKind::LeftParen) {
                self.tokens.skip_group();
            }
            if !self.tokens.at(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::RightBracket)?;
        self.expect(TokenKind::RightBracket)?;
        Some(())
    }

    /// An attribute's name: an identifier, or a keyword that may stand in a declaration.
    fn attribute_name(&mut self) -> Option<(Symbol, Span)> {
        let token = self.tokens.peek();
        let allowed = token.kind == TokenKind::Identifier || is_attribute_keyword(token.kind);
        match token.symbol {
            Some(symbol) if allowed => {
                self.tokens.bump();
                Some((symbol, token.span))
            }
            _ => {
                self.expected("the name of an attribute");
                None
            }
        }
    }

    /// One attribute, its name taken already; `None` after a syntax error.
    fn attribute(&mut self, name: Symbol, span: Span, gathered: &mut Attributes) -> Option<()> {
        let known = known(self.text(name));
        let arguments = if self.tokens.eat(TokenKind::LeftParen).is_some() {
            let arguments = self.attribute_arguments(known)?;
            self.expect(TokenKind::RightParen)?;
            arguments
        } else {
            AttributeArguments::default()
        };
        let count = arguments.count();
        if argument_count(self.text(name)).is_some_and(|(least, most)| count < least || count > most) {
            let message = format!("wrong number of arguments for attribute `{}`", self.text(name));
            self.check.tree.error(span, message);
            return Some(());
        }
        match known {
            KnownAttribute::Packed => gathered.set().packed = true,
            KnownAttribute::Aligned => {
                let bytes = match arguments.values.first() {
                    Some(&value) => self.alignment(value, span),
                    None => Some(BIGGEST_ALIGNMENT),
                };
                gathered.set().align(bytes);
            }
            KnownAttribute::Mode => self.mode_attribute(&arguments, span, gathered),
            KnownAttribute::VectorSize => {
                let size =
                    arguments.values.first().and_then(|&value| self.attribute_number(value, "vector size"));
                match size.and_then(|size| u64::try_from(size).ok()).filter(|&size| size > 0) {
                    Some(size) => gathered.set().vector_size = Some((size, span)),
                    None => self.check.tree.error(span, "`vector_size` needs a positive number of bytes"),
                }
            }
            KnownAttribute::TransparentUnion => gathered.set().transparent_union = true,
            KnownAttribute::Noreturn => gathered.set().noreturn = true,
            KnownAttribute::GnuInline => gathered.set().gnu_inline = true,
            KnownAttribute::Weak => gathered.set().kept.push(Attribute::Weak),
            KnownAttribute::Alias => match arguments.string {
                Some(target) => gathered.set().kept.push(Attribute::Alias(target)),
                None => self.check.tree.error(span, "`alias` needs the name of its target as a string"),
            },
            KnownAttribute::Constructor => {
                let priority = self.priority(&arguments);
                gathered.set().kept.push(Attribute::Constructor(priority));
            }
            KnownAttribute::Destructor => {
                let priority = self.priority(&arguments);
                gathered.set().kept.push(Attribute::Destructor(priority));
            }
            KnownAttribute::Cleanup => self.cleanup_attribute(&arguments, span, gathered),
            KnownAttribute::ReturnsTwice => gathered.set().kept.push(Attribute::ReturnsTwice),
            KnownAttribute::AlwaysInline => gathered.set().kept.push(Attribute::AlwaysInline),
            KnownAttribute::NoInline => gathered.set().kept.push(Attribute::NoInline),
            KnownAttribute::ForeignReads => self.reads_attribute(&arguments, span, gathered),
            KnownAttribute::Other => {}
        }
        Some(())
    }

    /// What stands between an attribute's parentheses: a leading name alone, then expressions.
    fn attribute_arguments(&mut self, known: KnownAttribute) -> Option<AttributeArguments> {
        let mut arguments = AttributeArguments::default();
        if self.tokens.at(TokenKind::RightParen) {
            return Some(arguments);
        }
        let lone = matches!(self.tokens.peek_nth(1).kind, TokenKind::Comma | TokenKind::RightParen);
        let takes_name = matches!(
            known,
            KnownAttribute::Mode
                | KnownAttribute::Cleanup
                | KnownAttribute::ForeignReads
                | KnownAttribute::Other
        );
        let first = self.tokens.peek();
        if lone && takes_name && (first.kind == TokenKind::Identifier || is_attribute_keyword(first.kind)) {
            self.tokens.bump();
            arguments.name = first.symbol.map(|symbol| (symbol, first.span));
            if self.tokens.eat(TokenKind::Comma).is_none() {
                return Some(arguments);
            }
        } else if known == KnownAttribute::Alias && self.tokens.at(TokenKind::String) {
            arguments.string = Some(self.string_literal());
            return Some(arguments);
        }
        loop {
            let before = self.tokens.position();
            let value = self.assignment_expression();
            arguments.values.push(value);
            if self.tokens.position() == before {
                return None;
            }
            if self.tokens.eat(TokenKind::Comma).is_none() {
                return Some(arguments);
            }
        }
    }

    fn attribute_number(&mut self, value: ExprId, what: &str) -> Option<i128> {
        let value = self.check.tree.rvalue(value);
        self.check.tree.integer_constant(value, what)
    }

    /// The value of `aligned(value)` or `_Alignas(value)`: a positive power of two.
    pub(crate) fn alignment(&mut self, value: ExprId, span: Span) -> Option<u64> {
        let number = self.attribute_number(value, "alignment")?;
        match u64::try_from(number).ok().filter(|bytes| bytes.is_power_of_two() && *bytes < MAX_ALIGNMENT) {
            Some(bytes) => Some(bytes),
            None => {
                let message = format!("requested alignment {number} is not a positive power of two");
                self.check.tree.error(span, message);
                None
            }
        }
    }

    /// The value of `_Alignas(value)`; zero has no effect.
    pub(crate) fn alignas_value(&mut self, value: ExprId, span: Span) -> Option<u64> {
        let converted = self.check.tree.rvalue(value);
        if evaluate(&self.check.tree.ast, converted) == Some(Constant::Integer(0)) {
            return None;
        }
        self.alignment(value, span)
    }

    fn mode_attribute(&mut self, arguments: &AttributeArguments, span: Span, gathered: &mut Attributes) {
        let Some((name, name_span)) = arguments.name else {
            self.check.tree.error(span, "`mode` needs the name of a machine mode");
            return;
        };
        match machine_mode(self.text(name)) {
            Some(mode) => gathered.set().mode = Some((mode, name_span)),
            None => {
                let message = format!("unknown machine mode `{}`", self.text(name));
                self.check.tree.error(name_span, message);
            }
        }
    }

    fn priority(&mut self, arguments: &AttributeArguments) -> Option<u32> {
        let value = *arguments.values.first()?;
        let number = self.attribute_number(value, "priority")?;
        u32::try_from(number).ok()
    }

    fn reads_attribute(&mut self, arguments: &AttributeArguments, span: Span, gathered: &mut Attributes) {
        let word = arguments.name.map(|(name, _)| self.text(name));
        match ForeignReads::ALL.iter().find(|reads| Some(reads.word()) == word) {
            Some(&reads) => gathered.set().kept.push(Attribute::ForeignReads(reads)),
            None => {
                let known: Vec<&str> = ForeignReads::ALL.iter().map(|reads| reads.word()).collect();
                let message = format!("`raddle_reads` needs one of {}", known.join(", "));
                self.check.tree.error(span, message);
            }
        }
    }

    fn cleanup_attribute(&mut self, arguments: &AttributeArguments, span: Span, gathered: &mut Attributes) {
        let Some((name, name_span)) = arguments.name else {
            self.check.tree.error(span, "`cleanup` needs the name of a function");
            return;
        };
        match self.check.scopes.lookup(name) {
            Some(Name::Function(function)) => gathered.set().kept.push(Attribute::Cleanup(function)),
            Some(Name::Var(_) | Name::EnumConstant(..) | Name::Typedef(_)) | None => {
                let message = format!("`cleanup` names `{}`, which is not a function", self.text(name));
                self.check.tree.diagnostics.push(Diagnostic::error(name_span, message));
            }
        }
    }
}

impl TokenStream<'_> {
    /// Whether `__attribute__` or `[[` stands here.
    pub(crate) fn at_attributes(&self) -> bool {
        self.attributes_at(0)
    }

    /// Whether `__attribute__` or `[[` stands `ahead` tokens on.
    pub(crate) fn attributes_at(&self, ahead: usize) -> bool {
        match self.peek_nth(ahead).kind {
            TokenKind::Attribute => true,
            TokenKind::LeftBracket => self.peek_nth(ahead + 1).kind == TokenKind::LeftBracket,
            _ => false,
        }
    }

    /// The position behind the attribute lists that stand `ahead` tokens on.
    pub(crate) fn behind_attributes(&self, mut ahead: usize) -> usize {
        while self.attributes_at(ahead) {
            if self.peek_nth(ahead).kind == TokenKind::Attribute {
                ahead += 1;
            }
            ahead = self.behind_group(ahead);
        }
        ahead
    }

    /// Takes `::`, which is one token or two.
    fn at_double_colon(&mut self) -> bool {
        if self.eat(TokenKind::ColonColon).is_some() {
            return true;
        }
        let two = self.at(TokenKind::Colon) && self.peek_nth(1).kind == TokenKind::Colon;
        if two {
            self.bump();
            self.bump();
        }
        two
    }
}

/// The arguments of one attribute.
#[derive(Debug, Default)]
struct AttributeArguments {
    name: Option<(Symbol, Span)>,
    string: Option<crate::ast::StringLiteral>,
    values: Vec<ExprId>,
}

impl AttributeArguments {
    fn count(&self) -> usize {
        usize::from(self.name.is_some()) + usize::from(self.string.is_some()) + self.values.len()
    }
}

/// The keywords that may name an attribute, as gcc has them.
fn is_attribute_keyword(kind: TokenKind) -> bool {
    matches!(
        kind,
        TokenKind::Static
            | TokenKind::Unsigned
            | TokenKind::Long
            | TokenKind::Int128
            | TokenKind::Const
            | TokenKind::Extern
            | TokenKind::Register
            | TokenKind::Typedef
            | TokenKind::Short
            | TokenKind::Inline
            | TokenKind::Noreturn
            | TokenKind::Volatile
            | TokenKind::Signed
            | TokenKind::Auto
            | TokenKind::Restrict
            | TokenKind::Complex
            | TokenKind::ThreadLocal
            | TokenKind::Int
            | TokenKind::CharType
            | TokenKind::FloatType
            | TokenKind::Double
            | TokenKind::Void
            | TokenKind::Decimal32
            | TokenKind::Decimal64
            | TokenKind::Decimal128
            | TokenKind::Bool
            | TokenKind::Atomic
            | TokenKind::AutoType
    )
}
