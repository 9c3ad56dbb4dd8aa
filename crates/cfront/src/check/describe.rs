//! Types in words, for messages: as the user wrote them, and what a typedef name stands for.

use std::fmt::Write;

use crate::ast::{Ast, RecordKind};
use crate::check::TreeBuilder;
use crate::types::{ArrayLength, FloatKind, IntKind, QualType, Type};

/// The C spelling of a type, between backquotes; for a typedef name with its meaning: `` `size_t` (that is, `unsigned long`) ``.
#[must_use]
pub fn describe(ast: &Ast, ty: QualType) -> String {
    let written = spell(ast, ty);
    let canonical = spell(ast, ast.types.canonical(ty));
    if written == canonical {
        format!("`{written}`")
    } else {
        format!("`{written}` (that is, `{canonical}`)")
    }
}

/// The C spelling of a type, typedef names kept.
#[must_use]
pub fn spell(ast: &Ast, ty: QualType) -> String {
    spell_around(ast, ty, String::new())
}

/// The spelling of a type around a declarator.
fn spell_around(ast: &Ast, ty: QualType, declarator: String) -> String {
    // From the inside out, as C declarators are written: each step puts something around the declarator so
    // far.
    match ast.types.written(ty.id) {
        Type::Pointer(target) => {
            let mut inner = String::from("*");
            for keyword in ty.qualifiers.keywords() {
                inner.push_str(keyword);
                inner.push(' ');
            }
            inner.push_str(&declarator);
            let inner = inner.trim_end().to_owned();
            let brackets = matches!(ast.types.written(target.id), Type::Array { .. } | Type::Function(_));
            spell_around(ast, *target, if brackets { format!("({inner})") } else { inner })
        }
        Type::Array { element, length } => {
            let bound = match length {
                ArrayLength::Fixed(length) => length.to_string(),
                ArrayLength::Unknown => String::new(),
                ArrayLength::Variable(_) | ArrayLength::Star => "*".to_owned(),
            };
            spell_around(ast, element.with(ty.qualifiers), format!("{declarator}[{bound}]"))
        }
        Type::Function(function) => {
            let mut parameters: Vec<String> =
                function.parameters.iter().map(|&parameter| spell(ast, parameter)).collect();
            if function.variadic {
                parameters.push("...".to_owned());
            }
            if parameters.is_empty() && function.prototype {
                parameters.push("void".to_owned());
            }
            spell_around(ast, function.result, format!("{declarator}({})", parameters.join(", ")))
        }
        base @ (Type::Void
        | Type::Int(_)
        | Type::Float(_)
        | Type::Complex(_)
        | Type::ComplexInt(_)
        | Type::Vector { .. }
        | Type::Record(_)
        | Type::Enum(_)
        | Type::VaList
        | Type::Typedef(_)
        | Type::Error) => {
            let mut text = String::new();
            for keyword in ty.qualifiers.keywords() {
                text.push_str(keyword);
                text.push(' ');
            }
            spell_base(ast, base, &mut text);
            if !declarator.is_empty() {
                text.push(' ');
                text.push_str(&declarator);
            }
            text
        }
    }
}

fn spell_base(ast: &Ast, base: &Type, text: &mut String) {
    let tagged = |text: &mut String, keyword: &str, tag: Option<crate::names::Symbol>| {
        text.push_str(keyword);
        text.push(' ');
        text.push_str(tag.map_or("<unnamed>", |tag| ast.text(tag)));
    };
    match base {
        Type::Void => text.push_str("void"),
        Type::Int(kind) => text.push_str(int_name(*kind)),
        Type::Float(kind) => text.push_str(float_name(*kind)),
        Type::Complex(kind) => {
            let _ = write!(text, "_Complex {}", float_name(*kind));
        }
        Type::ComplexInt(kind) => {
            let _ = write!(text, "_Complex {}", int_name(*kind));
        }
        Type::Vector { element, lanes } => {
            let element = spell(ast, QualType::plain(*element));
            let _ = write!(text, "vector of {lanes} {element}");
        }
        Type::Record(id) => {
            let record = &ast.records[*id];
            let keyword = match record.kind {
                RecordKind::Struct => "struct",
                RecordKind::Union => "union",
            };
            tagged(text, keyword, record.tag);
        }
        Type::Enum(id) => tagged(text, "enum", ast.enums[*id].tag),
        Type::VaList => text.push_str("__builtin_va_list"),
        Type::Typedef(id) => text.push_str(ast.text(ast.typedefs[*id].name)),
        Type::Error => text.push_str("<error>"),
        Type::Pointer(_) | Type::Array { .. } | Type::Function(_) => {}
    }
}

/// The usual spelling of an integer type.
#[must_use]
pub const fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Bool => "_Bool",
        IntKind::Char => "char",
        IntKind::SignedChar => "signed char",
        IntKind::UnsignedChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UnsignedShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UnsignedInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::UnsignedLong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::UnsignedLongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UnsignedInt128 => "unsigned __int128",
    }
}

/// The usual spelling of a floating type.
#[must_use]
pub const fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float16 => "_Float16",
        FloatKind::Float => "float",
        FloatKind::Float32 => "_Float32",
        FloatKind::Double => "double",
        FloatKind::Float32x => "_Float32x",
        FloatKind::Float64 => "_Float64",
        FloatKind::LongDouble => "long double",
        FloatKind::Float64x => "_Float64x",
        FloatKind::Float80 => "__float80",
        FloatKind::Float128 => "_Float128",
        FloatKind::Decimal32 => "_Decimal32",
        FloatKind::Decimal64 => "_Decimal64",
        FloatKind::Decimal128 => "_Decimal128",
    }
}

impl TreeBuilder {
    /// The type in words, for a message.
    #[must_use]
    pub fn describe(&self, ty: impl Into<QualType>) -> String {
        describe(&self.ast, ty.into())
    }
}
