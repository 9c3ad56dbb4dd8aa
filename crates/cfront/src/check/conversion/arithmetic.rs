//! The types that arithmetic is carried out in: integer promotions and the usual arithmetic conversions
//! (C11 6.3.1), as gcc extends them to `__int128`, `_FloatN`, decimal and complex types.

use crate::ast::{Ast, CastKind, ExprId, ExprKind, UnaryOp};
use crate::check::TreeBuilder;
use crate::check::shape::{Shape, shape};
use crate::layout::DataModel;
use crate::types::{FloatKind, IntKind, Type, TypeId, Types};

/// An arithmetic type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// An integer type.
    Int(IntKind),
    /// A real floating type.
    Float(FloatKind),
    /// A complex floating type.
    Complex(FloatKind),
    /// A complex integer type.
    ComplexInt(IntKind),
}

impl Arithmetic {
    /// The arithmetic type of that shape; enumerations are their integer type.
    #[must_use]
    pub fn of(shape: Shape) -> Option<Self> {
        match shape {
            Shape::Int(kind) | Shape::Enum(_, kind) => Some(Self::Int(kind)),
            Shape::Float(kind) => Some(Self::Float(kind)),
            Shape::Complex(kind) => Some(Self::Complex(kind)),
            Shape::ComplexInt(kind) => Some(Self::ComplexInt(kind)),
            Shape::Void
            | Shape::Pointer(_)
            | Shape::Array(..)
            | Shape::Vector(..)
            | Shape::Function
            | Shape::Record(_)
            | Shape::VaList
            | Shape::Error => None,
        }
    }

    /// The type of the parts of a complex type; a real type is its own.
    #[must_use]
    pub fn part(self) -> Self {
        match self {
            Self::Complex(kind) => Self::Float(kind),
            Self::ComplexInt(kind) => Self::Int(kind),
            Self::Int(_) | Self::Float(_) => self,
        }
    }

    fn is_complex(self) -> bool {
        self.part() != self
    }

    fn complex(self) -> Self {
        match self {
            Self::Float(kind) => Self::Complex(kind),
            Self::Int(kind) => Self::ComplexInt(kind),
            Self::Complex(_) | Self::ComplexInt(_) => self,
        }
    }
}

/// The integer type that a value of type `kind` is promoted to; `width` is that of a bit-field.
#[must_use]
pub fn promoted(model: DataModel, kind: IntKind, width: Option<u32>) -> IntKind {
    let int_bits = 8 * model.int_bytes(IntKind::Int);
    let declared = 8 * model.int_bytes(kind);
    let bits = width.map_or(declared, u64::from);
    // A `_Bool` bit-field or a narrow one has only values that `int` has.
    if kind == IntKind::Bool || bits < int_bits {
        IntKind::Int
    } else if bits == int_bits && declared != bits {
        // A bit-field as wide as `int` of a wider type.
        if model.is_signed(kind) { IntKind::Int } else { IntKind::UnsignedInt }
    } else {
        kind
    }
}

/// The unsigned type that goes with an integer type.
#[must_use]
pub const fn unsigned_of(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Bool => IntKind::Bool,
        IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar => IntKind::UnsignedChar,
        IntKind::Short | IntKind::UnsignedShort => IntKind::UnsignedShort,
        IntKind::Int | IntKind::UnsignedInt => IntKind::UnsignedInt,
        IntKind::Long | IntKind::UnsignedLong => IntKind::UnsignedLong,
        IntKind::LongLong | IntKind::UnsignedLongLong => IntKind::UnsignedLongLong,
        IntKind::Int128 | IntKind::UnsignedInt128 => IntKind::UnsignedInt128,
    }
}

/// The signed type that goes with an integer type.
#[must_use]
pub const fn signed_of(kind: IntKind) -> IntKind {
    match kind {
        IntKind::Bool => IntKind::Bool,
        IntKind::Char | IntKind::SignedChar | IntKind::UnsignedChar => IntKind::SignedChar,
        IntKind::Short | IntKind::UnsignedShort => IntKind::Short,
        IntKind::Int | IntKind::UnsignedInt => IntKind::Int,
        IntKind::Long | IntKind::UnsignedLong => IntKind::Long,
        IntKind::LongLong | IntKind::UnsignedLongLong => IntKind::LongLong,
        IntKind::Int128 | IntKind::UnsignedInt128 => IntKind::Int128,
    }
}

fn common_integer(model: DataModel, left: IntKind, right: IntKind) -> IntKind {
    let (left_bytes, right_bytes) = (model.int_bytes(left), model.int_bytes(right));
    if left_bytes != right_bytes {
        return if left_bytes > right_bytes { left } else { right };
    }
    // Of the same size: the higher rank, unsigned if either is.
    let rank = left.max(right);
    let unsigned = !model.is_signed(left) || !model.is_signed(right);
    if unsigned { unsigned_of(rank) } else { rank }
}

/// Bits as gcc orders the floating types by.
const fn precision(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Float16 => 16,
        FloatKind::Float | FloatKind::Float32 | FloatKind::Decimal32 => 32,
        FloatKind::Double | FloatKind::Float32x | FloatKind::Float64 | FloatKind::Decimal64 => 64,
        FloatKind::LongDouble | FloatKind::Float64x | FloatKind::Float80 => 80,
        FloatKind::Float128 | FloatKind::Decimal128 => 128,
    }
}

/// Among types of one precision: interchange types first, then the standard ones, then the extended ones.
const fn preference(kind: FloatKind) -> u32 {
    match kind {
        FloatKind::Float16 | FloatKind::Float32 | FloatKind::Float64 | FloatKind::Float128 => 3,
        FloatKind::Float
        | FloatKind::Double
        | FloatKind::LongDouble
        | FloatKind::Decimal32
        | FloatKind::Decimal64
        | FloatKind::Decimal128 => 2,
        FloatKind::Float32x | FloatKind::Float64x => 1,
        FloatKind::Float80 => 0,
    }
}

const fn is_decimal(kind: FloatKind) -> bool {
    matches!(kind, FloatKind::Decimal32 | FloatKind::Decimal64 | FloatKind::Decimal128)
}

fn common_float(left: FloatKind, right: FloatKind) -> Option<FloatKind> {
    if is_decimal(left) != is_decimal(right) {
        return None;
    }
    let order = |kind| (precision(kind), preference(kind));
    Some(if order(left) >= order(right) { left } else { right })
}

/// The type two operands are brought to; `None` for a decimal and a binary floating type, which do not mix.
/// Integers must have been promoted.
#[must_use]
pub fn common(model: DataModel, left: Arithmetic, right: Arithmetic) -> Option<Arithmetic> {
    // Whether the result is complex and how precise it is are decided apart.
    if left.is_complex() || right.is_complex() {
        return common(model, left.part(), right.part()).map(Arithmetic::complex);
    }
    Some(match (left.part(), right.part()) {
        (Arithmetic::Int(left), Arithmetic::Int(right)) => {
            Arithmetic::Int(common_integer(model, left, right))
        }
        (Arithmetic::Float(left), Arithmetic::Float(right)) => Arithmetic::Float(common_float(left, right)?),
        (Arithmetic::Float(kind), _) | (_, Arithmetic::Float(kind)) => Arithmetic::Float(kind),
        // Neither is complex here.
        (Arithmetic::Complex(_) | Arithmetic::ComplexInt(_), _)
        | (_, Arithmetic::Complex(_) | Arithmetic::ComplexInt(_)) => return None,
    })
}

/// The id of an integer type.
#[must_use]
pub fn int_type(kind: IntKind) -> TypeId {
    match kind {
        IntKind::Bool => Types::bool(),
        IntKind::Char => Types::char(),
        IntKind::SignedChar => Types::signed_char(),
        IntKind::UnsignedChar => Types::unsigned_char(),
        IntKind::Short => Types::short(),
        IntKind::UnsignedShort => Types::unsigned_short(),
        IntKind::Int => Types::int(),
        IntKind::UnsignedInt => Types::unsigned_int(),
        IntKind::Long => Types::long(),
        IntKind::UnsignedLong => Types::unsigned_long(),
        IntKind::LongLong => Types::long_long(),
        IntKind::UnsignedLongLong => Types::unsigned_long_long(),
        IntKind::Int128 => Types::int128(),
        IntKind::UnsignedInt128 => Types::unsigned_int128(),
    }
}

/// The width of the bit-field that the value was read from or written to, if it is one: its type then has
/// only that many bits, which matters when it is promoted.
#[must_use]
pub fn bit_field_width(ast: &Ast, mut expr: ExprId) -> Option<u32> {
    loop {
        expr = match &ast.exprs[expr].kind {
            ExprKind::Member { record, field, .. } => {
                let fields = ast.records[*record].fields.as_ref()?;
                return fields.get(*field as usize)?.width;
            }
            // Only what the checker has added itself: an explicit cast gives a value of the type it names.
            ExprKind::Cast { kind: CastKind::Load | CastKind::NoOp, operand, explicit: false } => *operand,
            ExprKind::Assign(target, _) | ExprKind::CompoundAssign { target, .. } => *target,
            ExprKind::Comma(_, last) => *last,
            ExprKind::Unary(
                UnaryOp::PreIncrement
                | UnaryOp::PreDecrement
                | UnaryOp::PostIncrement
                | UnaryOp::PostDecrement,
                operand,
            ) => *operand,
            _ => return None,
        };
    }
}

impl TreeBuilder {
    /// The id of an arithmetic type.
    pub fn arithmetic_type(&mut self, arithmetic: Arithmetic) -> TypeId {
        match arithmetic {
            Arithmetic::Int(kind) => int_type(kind),
            Arithmetic::Float(FloatKind::Float) => Types::float(),
            Arithmetic::Float(FloatKind::Double) => Types::double(),
            Arithmetic::Float(FloatKind::LongDouble) => Types::long_double(),
            Arithmetic::Float(kind) => self.ast.types.intern(Type::Float(kind)),
            Arithmetic::Complex(kind) => self.ast.types.intern(Type::Complex(kind)),
            Arithmetic::ComplexInt(kind) => self.ast.types.intern(Type::ComplexInt(kind)),
        }
    }

    /// The integer promotions; other values stay as they are. `value` is an rvalue.
    pub fn promote(&mut self, value: ExprId) -> ExprId {
        let ty = self.type_of(value).id;
        let Some(kind) = shape(&self.ast, ty).integer() else { return value };
        let width = bit_field_width(&self.ast, value);
        let target = int_type(promoted(self.ast.model, kind, width));
        self.convert(value, target)
    }

    /// The common type of two arithmetic values; `None` if there is none.
    pub fn common_type(&mut self, left: ExprId, right: ExprId) -> Option<TypeId> {
        let (left, right) = (promoted_arithmetic(&self.ast, left)?, promoted_arithmetic(&self.ast, right)?);
        let target = if left == right { left } else { common(self.ast.model, left, right)? };
        Some(self.arithmetic_type(target))
    }

    /// Brings two arithmetic values to their common type; `None` if there is none.
    pub fn usual_conversions(&mut self, left: ExprId, right: ExprId) -> Option<(ExprId, ExprId, TypeId)> {
        let target = self.common_type(left, right)?;
        Some((self.convert(left, target), self.convert(right, target), target))
    }
}

/// What arithmetic on the value is carried out in, if it stands alone.
fn promoted_arithmetic(ast: &Ast, value: ExprId) -> Option<Arithmetic> {
    match Arithmetic::of(shape(ast, ast.exprs[value].ty.id))? {
        Arithmetic::Int(kind) => {
            Some(Arithmetic::Int(promoted(ast.model, kind, bit_field_width(ast, value))))
        }
        other => Some(other),
    }
}
