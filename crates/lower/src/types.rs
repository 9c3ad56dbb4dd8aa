//! C types as the IR sees them.

use raddle_cfront::ast::{Ast, Encoding, RecordId};
use raddle_cfront::layout;
use raddle_cfront::types::{
    ArrayLength, FloatKind, FunctionType, IntKind, QualType, Qualifiers, Type as CType, TypeId,
};
use raddle_ir::{ScalarStyle, Shape, Type};

use crate::refused::Refused;

/// What a C type is to lowering.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// Held in a register.
    Scalar(Type),
    /// Held in memory, copied as a whole.
    Aggregate,
    /// No value.
    Void,
    /// A function: only its address is used.
    Function,
    /// Something that has no meaning here.
    Unsupported(Refused),
}

/// The class of a type.
pub(crate) fn class(ast: &Ast, ty: QualType) -> Class {
    class_of_kind(ast, ast.types.kind(ty.id))
}

fn class_of_kind(ast: &Ast, kind: &CType) -> Class {
    match kind {
        CType::Void | CType::Error => Class::Void,
        CType::Int(kind) => Class::Scalar(int_type(ast, *kind)),
        CType::Enum(id) => Class::Scalar(int_type(ast, ast.enums[*id].underlying)),
        CType::Float(kind) => match kind {
            FloatKind::Float | FloatKind::Float32 => Class::Scalar(Type::F32),
            FloatKind::Double | FloatKind::Float64 | FloatKind::Float32x => Class::Scalar(Type::F64),
            FloatKind::LongDouble | FloatKind::Float64x | FloatKind::Float80 => {
                Class::Unsupported(Refused::LongDouble)
            }
            FloatKind::Float128 => Class::Unsupported(Refused::Float128),
            FloatKind::Float16 => Class::Unsupported(Refused::Float16),
            FloatKind::Decimal32 | FloatKind::Decimal64 | FloatKind::Decimal128 => {
                Class::Unsupported(Refused::Decimal)
            }
        },
        CType::Complex(_) | CType::ComplexInt(_) => Class::Unsupported(Refused::Complex),
        CType::Pointer(_) => Class::Scalar(Type::Ptr),
        CType::Array { .. } | CType::Record(_) => Class::Aggregate,
        // Where it is an array of one element (LP64) it behaves as an aggregate, else as the pointer it is.
        CType::VaList => {
            if ast.model == layout::DataModel::Lp64 {
                Class::Aggregate
            } else {
                Class::Scalar(Type::Ptr)
            }
        }
        CType::Vector { .. } => Class::Unsupported(Refused::Vector),
        CType::Function(_) => Class::Function,
        CType::Typedef(_) => unreachable!("a kind has its typedefs resolved"),
    }
}

/// The IR type of an integer type.
pub(crate) fn int_type(ast: &Ast, kind: IntKind) -> Type {
    Type::Int(int_bits(ast, kind))
}

/// The width of an integer type in memory.
pub(crate) fn int_bits(ast: &Ast, kind: IntKind) -> u8 {
    u8::try_from(ast.model.int_bytes(kind) * 8).expect("at most 128 bits")
}

/// The integer kind of an integer or enumeration type.
pub(crate) fn integer_kind(ast: &Ast, ty: TypeId) -> Option<IntKind> {
    match ast.types.kind(ty) {
        CType::Int(kind) => Some(*kind),
        CType::Enum(id) => Some(ast.enums[*id].underlying),
        CType::Void
        | CType::Float(_)
        | CType::Complex(_)
        | CType::ComplexInt(_)
        | CType::Pointer(_)
        | CType::Array { .. }
        | CType::Vector { .. }
        | CType::Function(_)
        | CType::Record(_)
        | CType::VaList
        | CType::Typedef(_)
        | CType::Error => None,
    }
}

/// Whether an integer type is signed; pointers and others are not.
pub(crate) fn is_signed(ast: &Ast, ty: TypeId) -> bool {
    integer_kind(ast, ty).is_some_and(|kind| ast.model.is_signed(kind))
}

/// The size of a complete type; flexible and variable arrays count as nothing.
pub(crate) fn size_of(ast: &Ast, ty: QualType) -> u64 {
    layout::size_of(ast, ty).unwrap_or(0)
}

/// Whether an object of this type is never written: it is `const`, or an array of such elements.
pub(crate) fn is_constant(ast: &Ast, ty: QualType) -> bool {
    ast.types.qualifiers(ty).contains(Qualifiers::CONST)
        || match ast.types.kind(ty.id) {
            CType::Array { element, .. } => is_constant(ast, *element),
            CType::Void
            | CType::Int(_)
            | CType::Float(_)
            | CType::Complex(_)
            | CType::ComplexInt(_)
            | CType::Pointer(_)
            | CType::Vector { .. }
            | CType::Function(_)
            | CType::Record(_)
            | CType::Enum(_)
            | CType::VaList
            | CType::Typedef(_)
            | CType::Error => false,
        }
}

/// Whether a type is `_Bool`.
pub(crate) fn is_bool(ast: &Ast, ty: TypeId) -> bool {
    matches!(ast.types.kind(ty), CType::Int(IntKind::Bool))
}

/// How the parts of an object of this type are named and shown.
pub(crate) fn shape(ast: &Ast, ty: QualType) -> Shape {
    match ast.types.kind(ty.id) {
        CType::Int(kind) => {
            let style = match kind {
                IntKind::Bool => ScalarStyle::Bool,
                IntKind::Char | IntKind::SignedChar => ScalarStyle::Char,
                IntKind::UnsignedChar
                | IntKind::Short
                | IntKind::UnsignedShort
                | IntKind::Int
                | IntKind::UnsignedInt
                | IntKind::Long
                | IntKind::UnsignedLong
                | IntKind::LongLong
                | IntKind::UnsignedLongLong
                | IntKind::Int128
                | IntKind::UnsignedInt128 => {
                    if ast.model.is_signed(*kind) {
                        ScalarStyle::Signed
                    } else {
                        ScalarStyle::Unsigned
                    }
                }
            };
            Shape::Scalar(int_type(ast, *kind), style)
        }
        CType::Enum(id) => {
            let kind = ast.enums[*id].underlying;
            let style = if ast.model.is_signed(kind) { ScalarStyle::Signed } else { ScalarStyle::Unsigned };
            Shape::Scalar(int_type(ast, kind), style)
        }
        CType::Pointer(_) => Shape::Scalar(Type::Ptr, ScalarStyle::Pointer),
        CType::Float(_) => match class(ast, ty) {
            Class::Scalar(scalar) => Shape::Scalar(scalar, ScalarStyle::Float),
            Class::Aggregate | Class::Void | Class::Function | Class::Unsupported(_) => Shape::Bytes,
        },
        CType::Array { element, length } => {
            let count = match length {
                ArrayLength::Fixed(count) => *count,
                ArrayLength::Unknown | ArrayLength::Variable(_) | ArrayLength::Star => return Shape::Bytes,
            };
            Shape::Array { element: Box::new(shape(ast, *element)), stride: size_of(ast, *element), count }
        }
        CType::Record(id) => record_shape(ast, *id),
        CType::Void
        | CType::Complex(_)
        | CType::ComplexInt(_)
        | CType::Vector { .. }
        | CType::Function(_)
        | CType::VaList
        | CType::Typedef(_)
        | CType::Error => Shape::Bytes,
    }
}

fn record_shape(ast: &Ast, id: RecordId) -> Shape {
    let fields = ast.records[id].fields.as_deref().unwrap_or_default();
    let part = |field: &raddle_cfront::ast::Field| {
        let name = field.name.map_or_else(String::new, |name| ast.text(name).to_owned());
        let shape = if field.width.is_some() { Shape::Bytes } else { shape(ast, field.ty) };
        (name, field.bit_offset / 8, shape)
    };
    Shape::Record(fields.iter().map(part).collect())
}

/// The type of a function.
pub(crate) fn function_type(ast: &Ast, ty: TypeId) -> Option<&FunctionType> {
    if let CType::Function(function) = ast.types.kind(ty) { Some(function) } else { None }
}

/// What a scalar becomes when it is passed without a prototype.
pub(crate) fn promoted(ty: Type) -> Type {
    match ty {
        Type::Int(bits) if bits < 32 => Type::Int(32),
        Type::F32 => Type::F64,
        Type::Int(_) | Type::F64 | Type::Ptr => ty,
    }
}

/// The type of a string literal's units.
pub(crate) fn unit_kind(ast: &Ast, encoding: Encoding) -> IntKind {
    match encoding {
        Encoding::Plain | Encoding::Utf8 => IntKind::Char,
        Encoding::Utf16 => IntKind::UnsignedShort,
        Encoding::Utf32 => IntKind::UnsignedInt,
        Encoding::Wide => ast.model.wide_char(),
    }
}
