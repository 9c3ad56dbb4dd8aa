//! Tokens.

use raddle_base::Span;

use crate::names::Symbol;

/// A token: what it is, where it stands, and its name if it is a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// The name of an identifier or keyword.
    pub symbol: Option<Symbol>,
    /// Where it stands.
    pub span: Span,
}

macro_rules! tokens {
    (
        other { $($(#[$doc:meta])* $other:ident = $what:literal,)* }
        punctuators { $($punctuator:ident = $text:literal,)* }
        keywords { $($keyword:ident = $($spelling:literal)|+,)* }
    ) => {
        /// The kinds of tokens. Alternate spellings of a keyword (`__const`) are one kind; digraphs are what they stand for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum TokenKind {
            $($(#[$doc])* $other,)*
            $(#[doc = concat!("`", $text, "`")] $punctuator,)*
            $(#[doc = concat!("`", $($spelling, " ",)+ "`")] $keyword,)*
        }

        /// Every spelling of every keyword.
        pub const KEYWORDS: &[(&str, TokenKind)] = &[$($(($spelling, TokenKind::$keyword),)+)*];

        impl TokenKind {
            /// How messages call it.
            #[must_use]
            pub const fn describe(self) -> &'static str {
                match self {
                    $(Self::$other => $what,)*
                    $(Self::$punctuator => concat!("`", $text, "`"),)*
                    $(Self::$keyword => first(&[$(concat!("`", $spelling, "`")),+]),)*
                }
            }
        }
    };
}

const fn first(spellings: &[&'static str]) -> &'static str {
    spellings[0]
}

tokens! {
    other {
        /// The end of the text.
        Eof = "end of file",
        /// A name that is no keyword (it may be a typedef name: the parser knows).
        Identifier = "identifier",
        /// An integer constant.
        Integer = "integer constant",
        /// A floating constant.
        Float = "floating constant",
        /// A character constant with any prefix.
        Char = "character constant",
        /// A string literal with any prefix; adjacent ones are joined by the parser.
        String = "string literal",
        /// `#pragma` or `_Pragma`: the rest of the line. The lexer drops it, except `pack`, which the parser must see.
        PragmaPack = "`#pragma pack`",
        /// A character that begins no token, or an unterminated literal; already reported.
        Unknown = "stray character",
    }
    punctuators {
        LeftParen = "(", RightParen = ")", LeftBracket = "[", RightBracket = "]", LeftBrace = "{", RightBrace = "}",
        Dot = ".", Arrow = "->", PlusPlus = "++", MinusMinus = "--", Ampersand = "&", Star = "*", Plus = "+", Minus = "-",
        Tilde = "~", Bang = "!", Slash = "/", Percent = "%", ShiftLeft = "<<", ShiftRight = ">>", Less = "<", Greater = ">",
        LessEqual = "<=", GreaterEqual = ">=", EqualEqual = "==", BangEqual = "!=", Caret = "^", Pipe = "|",
        AmpersandAmpersand = "&&", PipePipe = "||", Question = "?", Colon = ":", Semicolon = ";", Ellipsis = "...",
        Equal = "=", StarEqual = "*=", SlashEqual = "/=", PercentEqual = "%=", PlusEqual = "+=", MinusEqual = "-=",
        ShiftLeftEqual = "<<=", ShiftRightEqual = ">>=", AmpersandEqual = "&=", CaretEqual = "^=", PipeEqual = "|=",
        Comma = ",", Hash = "#", HashHash = "##", ColonColon = "::",
    }
    keywords {
        Auto = "auto",
        Break = "break",
        Case = "case",
        CharType = "char",
        Const = "const" | "__const" | "__const__",
        Continue = "continue",
        Default = "default",
        Do = "do",
        Double = "double",
        Else = "else",
        Enum = "enum",
        Extern = "extern",
        FloatType = "float",
        For = "for",
        Goto = "goto",
        If = "if",
        Inline = "inline" | "__inline" | "__inline__",
        Int = "int",
        Long = "long",
        Register = "register",
        Restrict = "restrict" | "__restrict" | "__restrict__",
        Return = "return",
        Short = "short",
        Signed = "signed" | "__signed" | "__signed__",
        Sizeof = "sizeof",
        Static = "static",
        Struct = "struct",
        Switch = "switch",
        Typedef = "typedef",
        Union = "union",
        Unsigned = "unsigned",
        Void = "void",
        Volatile = "volatile" | "__volatile" | "__volatile__",
        While = "while",
        Alignas = "_Alignas",
        Alignof = "_Alignof",
        GnuAlignof = "__alignof__" | "__alignof",
        Atomic = "_Atomic",
        Bool = "_Bool",
        Complex = "_Complex" | "__complex__" | "__complex",
        Generic = "_Generic",
        Noreturn = "_Noreturn",
        StaticAssert = "_Static_assert",
        ThreadLocal = "_Thread_local" | "__thread",
        Int128 = "__int128",
        Float16 = "_Float16",
        Float32 = "_Float32",
        Float32x = "_Float32x",
        Float64 = "_Float64",
        Float64x = "_Float64x",
        Float80 = "__float80",
        Float128 = "_Float128" | "__float128",
        Decimal32 = "_Decimal32",
        Decimal64 = "_Decimal64",
        Decimal128 = "_Decimal128",
        Asm = "asm" | "__asm" | "__asm__",
        Attribute = "__attribute__" | "__attribute",
        AutoType = "__auto_type",
        Extension = "__extension__",
        Label = "__label__",
        Real = "__real__" | "__real",
        Imag = "__imag__" | "__imag",
        Typeof = "typeof" | "__typeof__" | "__typeof",
        VaListType = "__builtin_va_list",
        BuiltinVaArg = "__builtin_va_arg",
        BuiltinOffsetof = "__builtin_offsetof",
        BuiltinTypesCompatible = "__builtin_types_compatible_p",
        BuiltinChooseExpr = "__builtin_choose_expr",
        FuncName = "__func__",
        FunctionName = "__FUNCTION__",
        PrettyFunctionName = "__PRETTY_FUNCTION__",
    }
}
