//! What a type is, in a small copyable form.
//!
//! [`crate::types::Types::kind`] borrows the table; checks that go on to build types and nodes cannot hold that borrow. A
//! [`Shape`] says the same one level deep, with typedefs resolved and enumerations already traced to their
//! integer type.

use crate::ast::{Ast, EnumId, RecordId};
use crate::types::{ArrayLength, FloatKind, IntKind, QualType, Type, TypeId};

/// What a type is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// `void`
    Void,
    /// An integer type, `_Bool` included.
    Int(IntKind),
    /// An enumeration, with the integer type it is represented by.
    Enum(EnumId, IntKind),
    /// A real floating type.
    Float(FloatKind),
    /// A complex floating type.
    Complex(FloatKind),
    /// GNU complex integer type.
    ComplexInt(IntKind),
    /// A pointer and what it points to.
    Pointer(QualType),
    /// An array of these.
    Array(QualType, ArrayLength),
    /// A vector.
    Vector(TypeId, u64),
    /// A function type.
    Function,
    /// A structure or union.
    Record(RecordId),
    /// `__builtin_va_list`
    VaList,
    /// The type of an erroneous construct.
    Error,
}

impl Shape {
    /// The integer type, enumerations included.
    #[must_use]
    pub fn integer(self) -> Option<IntKind> {
        match self {
            Self::Int(kind) | Self::Enum(_, kind) => Some(kind),
            Self::Void
            | Self::Float(_)
            | Self::Complex(_)
            | Self::ComplexInt(_)
            | Self::Pointer(_)
            | Self::Array(..)
            | Self::Vector(..)
            | Self::Function
            | Self::Record(_)
            | Self::VaList
            | Self::Error => None,
        }
    }

    /// Whether it is an integer or enumeration type.
    #[must_use]
    pub fn is_integer(self) -> bool {
        self.integer().is_some()
    }

    /// Whether it is a real floating type.
    #[must_use]
    pub fn is_float(self) -> bool {
        matches!(self, Self::Float(_))
    }

    /// Whether it is a complex type.
    #[must_use]
    pub fn is_complex(self) -> bool {
        matches!(self, Self::Complex(_) | Self::ComplexInt(_))
    }

    /// Whether it is an arithmetic type.
    #[must_use]
    pub fn is_arithmetic(self) -> bool {
        self.is_integer() || self.is_float() || self.is_complex()
    }

    /// Whether it is a pointer. `__builtin_va_list` counts: its values are pointers.
    #[must_use]
    pub fn is_pointer(self) -> bool {
        matches!(self, Self::Pointer(_) | Self::VaList)
    }

    /// Whether a condition may have it.
    #[must_use]
    pub fn is_scalar(self) -> bool {
        self.is_arithmetic() || self.is_pointer()
    }
}

/// What the type `id` is.
#[must_use]
pub fn shape(ast: &Ast, id: TypeId) -> Shape {
    match ast.types.kind(id) {
        Type::Void => Shape::Void,
        Type::Int(kind) => Shape::Int(*kind),
        Type::Float(kind) => Shape::Float(*kind),
        Type::Complex(kind) => Shape::Complex(*kind),
        Type::ComplexInt(kind) => Shape::ComplexInt(*kind),
        // The written form keeps the typedef names of what is pointed to.
        Type::Pointer(target) => Shape::Pointer(ast.types.pointee(id).unwrap_or(*target)),
        Type::Array { element, length } => {
            if let Type::Array { element, length } = ast.types.written(id) {
                Shape::Array(*element, *length)
            } else {
                Shape::Array(*element, *length)
            }
        }
        Type::Vector { element, lanes } => Shape::Vector(*element, *lanes),
        Type::Function(_) => Shape::Function,
        Type::Record(record) => Shape::Record(*record),
        Type::Enum(id) => Shape::Enum(*id, ast.enums[*id].underlying),
        Type::VaList => Shape::VaList,
        // A canonical type is never a typedef name.
        Type::Typedef(_) | Type::Error => Shape::Error,
    }
}

/// Whether the type, anywhere inside it, depends on a length known only when the program runs.
#[must_use]
pub fn is_variably_modified(ast: &Ast, id: TypeId) -> bool {
    let mut id = id;
    loop {
        id = match ast.types.kind(id) {
            Type::Array { length: ArrayLength::Variable(_) | ArrayLength::Star, .. } => return true,
            Type::Array { element, .. } => element.id,
            Type::Pointer(target) => target.id,
            Type::Function(function) => function.result.id,
            Type::Void
            | Type::Int(_)
            | Type::Float(_)
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Vector { .. }
            | Type::Record(_)
            | Type::Enum(_)
            | Type::VaList
            | Type::Typedef(_)
            | Type::Error => return false,
        };
    }
}

/// Whether the size of the type itself is known only when the program runs.
#[must_use]
pub fn is_variable_length(ast: &Ast, id: TypeId) -> bool {
    let mut id = id;
    while let Type::Array { element, length } = ast.types.kind(id) {
        if matches!(length, ArrayLength::Variable(_) | ArrayLength::Star) {
            return true;
        }
        id = element.id;
    }
    false
}
