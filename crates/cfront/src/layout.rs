//! Sizes, alignments and offsets, as gcc 12 computes them on x86.
//!
//! Two data models: LP64 (x86-64) and ILP32 (i386 with SSE2, the System V ABI). The rules are those gcc follows, quirks
//! included: a type has its own alignment (`__alignof__`), which a field of it may undercut (`double` in a
//! record of the i386 ABI), `aligned` on a typedef replaces the alignment in either direction, and whether an
//! alignment was asked for by the user decides which rule applies next. Typedef names carry alignments,
//! so everything here goes by types as written ([`Types::written`](crate::types::Types::written)), never by
//! their canonical forms.
//!
//! Invariant: nothing overflows and nothing panics; a type too large for the address space says so. The
//! differential tests in `tests/layout_gcc.rs` hold this module against the compiler itself.

pub mod access;
mod enumeration;
mod model;
mod record;

pub use enumeration::{fitting_integer, lay_out_enum};
pub use model::{DataModel, wrap_bits};
pub use record::lay_out_record;

use crate::ast::{Ast, RecordId};
use crate::names::Symbol;
use crate::types::{ArrayLength, FloatKind, IntKind, QualType, Qualifiers, Type, TypeId};

/// Why a type has no size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoSize {
    /// An incomplete type, or a function or `void` (for which GNU C says 1: callers decide).
    Incomplete,
    /// A variable length array: known only when the program runs.
    Variable,
    /// Larger than the address space.
    TooLarge,
}

/// How the compiler would hold a value of the type: the i386 ABI makes field alignment depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// In memory only.
    #[default]
    Block,
    /// As an integer; so are records and arrays of the size of one.
    Integer,
    /// As a pair of integers.
    ComplexInteger,
    /// As a `double` or a pair of them.
    Double,
    /// As some other scalar: `float`, `long double`, a decimal, a vector.
    Other,
}

/// What the layout of a record says beyond its size and alignment. Computed by [`lay_out_record`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RecordLayout {
    /// Whether an `aligned` attribute had a say in its alignment.
    pub user_aligned: bool,
    /// How a value of it is held.
    pub mode: Mode,
    /// Why [`size`](crate::ast::Record::size) is not its size: a variable length array among its members, or too large.
    pub no_size: Option<NoSize>,
}

/// Size and alignment of a type, and what decides about them inside of records.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// In bytes.
    size: Result<u64, NoSize>,
    /// In bits; `__alignof__` says so many bytes.
    align: u64,
    /// Whether an `aligned` attribute had a say in it.
    user_aligned: bool,
    /// How a value is held.
    mode: Mode,
    /// The mode of the elements, arrays of arrays stripped; of anything else its own.
    element_mode: Mode,
    /// Whether it (for arrays: the element) is `_Atomic`.
    atomic: bool,
}

impl Shape {
    fn of(bytes: u64, align_bytes: u64, mode: Mode) -> Self {
        let align = align_bytes * 8;
        Self { size: Ok(bytes), align, user_aligned: false, mode, element_mode: mode, atomic: false }
    }

    /// The alignment in bits that a field of this type gets, if `computed` is what its type alone asks for: the
    /// i386 ABI aligns no field of integers or doubles to more than a word, unless it is atomic.
    fn field_align(&self, model: DataModel, computed: u64) -> u64 {
        let word_is_enough = match self.element_mode {
            Mode::Integer | Mode::ComplexInteger | Mode::Double => !self.atomic,
            Mode::Block | Mode::Other => false,
        };
        match model {
            DataModel::Ilp32 if word_is_enough => computed.min(32),
            DataModel::Ilp32 | DataModel::Lp64 => computed,
        }
    }
}

/// No type that the user did not align himself has a larger `_Alignof`, in bits.
const BIGGEST_ALIGNMENT: u64 = 128;

/// `sizeof(ty)` in bytes.
///
/// # Errors
/// When the type has no size, or none that is known before the program runs.
pub fn size_of(ast: &Ast, ty: QualType) -> Result<u64, NoSize> {
    match ast.types.written(ty.id) {
        Type::Int(kind) => Ok(ast.model.int_bytes(*kind)),
        Type::Pointer(_) => Ok(ast.model.pointer_bytes()),
        Type::Void
        | Type::Float(_)
        | Type::Complex(_)
        | Type::ComplexInt(_)
        | Type::Array { .. }
        | Type::Vector { .. }
        | Type::Function(_)
        | Type::Record(_)
        | Type::Enum(_)
        | Type::VaList
        | Type::Typedef(_)
        | Type::Error => shape(ast, ty)?.size,
    }
}

/// `_Alignof(ty)` in bytes. Arrays of unknown or variable length have one.
///
/// # Errors
/// When the type is incomplete otherwise, or a function or `void`.
pub fn align_of(ast: &Ast, ty: QualType) -> Result<u64, NoSize> {
    let shape = shape(ast, ty)?;
    let align = if shape.user_aligned {
        shape.align
    } else {
        let align = shape.align.min(BIGGEST_ALIGNMENT);
        shape.field_align(ast.model, align).min(align)
    };
    Ok(align / 8)
}

/// GNU `__alignof__(ty)`: the preferred alignment outside of records.
///
/// # Errors
/// As [`align_of`].
pub fn preferred_align_of(ast: &Ast, ty: QualType) -> Result<u64, NoSize> {
    Ok(shape(ast, ty)?.align / 8)
}

/// Whether the type has a size or is variable-length (so: neither incomplete nor a function nor void).
#[must_use]
pub fn is_complete(ast: &Ast, ty: QualType) -> bool {
    match ast.types.kind(ty.id) {
        Type::Void | Type::Function(_) => false,
        Type::Record(id) => ast.records[*id].fields.is_some(),
        Type::Enum(id) => ast.enums[*id].constants.is_some(),
        Type::Array { element, length } => match length {
            ArrayLength::Unknown => false,
            ArrayLength::Fixed(_) | ArrayLength::Variable(_) | ArrayLength::Star => {
                is_complete(ast, *element)
            }
        },
        Type::Int(_)
        | Type::Float(_)
        | Type::Complex(_)
        | Type::ComplexInt(_)
        | Type::Pointer(_)
        | Type::Vector { .. }
        | Type::VaList
        | Type::Error => true,
        // A canonical type is no typedef.
        Type::Typedef(_) => false,
    }
}

/// What is wrong with an array of `element`s, if their alignment does not fit their size (as `aligned` on a
/// typedef can bring about).
#[must_use]
pub fn array_element_problem(ast: &Ast, element: QualType) -> Option<&'static str> {
    let shape = element_shape(ast, element).ok()?;
    let (size, align) = (shape.size.ok()?, shape.align / 8);
    if size == 0 {
        None
    } else if size < align {
        Some("alignment of array elements is greater than element size")
    } else if size % align != 0 {
        Some("size of array element is not a multiple of its alignment")
    } else {
        None
    }
}

/// The way to the member `name`: the field itself, or anonymous members first.
#[must_use]
pub fn find_field(ast: &Ast, record: RecordId, name: Symbol) -> Option<Vec<(RecordId, u32)>> {
    let fields = ast.records[record].fields.as_ref()?;
    if let Some(index) = fields.iter().position(|field| field.name == Some(name)) {
        return Some(vec![(record, field_index(index))]);
    }
    for (index, field) in fields.iter().enumerate() {
        if field.name.is_none()
            && let Some(inner) = record_of(ast, field.ty.id)
            && let Some(mut way) = find_field(ast, inner, name)
        {
            way.insert(0, (record, field_index(index)));
            return Some(way);
        }
    }
    None
}

/// The record that a type is, if it is one.
#[must_use]
pub fn record_of(ast: &Ast, id: TypeId) -> Option<RecordId> {
    if let Type::Record(record) = ast.types.kind(id) { Some(*record) } else { None }
}

/// The index of a field as ids hold it.
fn field_index(index: usize) -> u32 {
    u32::try_from(index).expect("a record has fewer fields than its source has bytes")
}

/// Size and alignment of a type.
fn shape(ast: &Ast, ty: QualType) -> Result<Shape, NoSize> {
    let mut shape = unqualified_shape(ast, ty.id)?;
    // Any qualifier added to an atomic type makes it atomic anew, and so undoes a typedef's lower alignment.
    if !ty.qualifiers.is_empty() && ast.types.qualifiers(ty).contains(Qualifiers::ATOMIC) {
        shape.atomic = true;
        if let Ok(size @ (1 | 2 | 4 | 8 | 16)) = shape.size {
            shape.align = shape.align.max(size * 8);
        }
    }
    Ok(shape)
}

fn unqualified_shape(ast: &Ast, id: TypeId) -> Result<Shape, NoSize> {
    let model = ast.model;
    Ok(match ast.types.written(id) {
        Type::Void | Type::Function(_) => return Err(NoSize::Incomplete),
        Type::Int(kind) => int_shape(model, *kind),
        Type::Float(kind) => float_shape(model, *kind),
        Type::Complex(kind) => {
            let part = float_shape(model, *kind);
            // A pair of doubles is held as such; pairs of others are not special.
            Shape { size: part.size.map(|bytes| bytes * 2), ..part }
        }
        Type::ComplexInt(kind) => {
            let part = int_shape(model, *kind);
            let mode = Mode::ComplexInteger;
            Shape { size: part.size.map(|bytes| bytes * 2), mode, element_mode: mode, ..part }
        }
        Type::Pointer(_) => Shape::of(model.pointer_bytes(), model.pointer_bytes(), Mode::Integer),
        Type::Array { element, length } => array_shape(model, element_shape(ast, *element)?, *length),
        Type::Vector { element, lanes } => vector_shape(ast, *element, *lanes)?,
        Type::Record(id) => {
            let record = &ast.records[*id];
            if record.fields.is_none() {
                return Err(NoSize::Incomplete);
            }
            let layout = record.layout;
            Shape {
                size: layout.no_size.map_or(Ok(record.size), Err),
                // Zero only in a record that is still being laid out, inside of itself: an error already reported.
                align: record.alignment.max(1) * 8,
                user_aligned: layout.user_aligned,
                mode: layout.mode,
                element_mode: layout.mode,
                atomic: false,
            }
        }
        Type::Enum(id) => {
            let enumeration = &ast.enums[*id];
            if enumeration.constants.is_none() {
                return Err(NoSize::Incomplete);
            }
            int_shape(model, enumeration.underlying)
        }
        Type::VaList => match model {
            DataModel::Lp64 => Shape::of(24, 8, Mode::Block),
            DataModel::Ilp32 => Shape::of(4, 4, Mode::Integer),
        },
        Type::Typedef(id) => {
            let typedef = &ast.typedefs[*id];
            let shape = shape(ast, typedef.ty)?;
            match typedef.align {
                Some(align) => Shape { align: align.saturating_mul(8), user_aligned: true, ..shape },
                None => shape,
            }
        }
        Type::Error => int_shape(model, IntKind::Int),
    })
}

fn int_shape(model: DataModel, kind: IntKind) -> Shape {
    let bytes = model.int_bytes(kind);
    Shape::of(bytes, bytes, Mode::Integer)
}

fn float_shape(model: DataModel, kind: FloatKind) -> Shape {
    let bytes = model.float_bytes(kind);
    match kind {
        FloatKind::Double | FloatKind::Float32x | FloatKind::Float64 => Shape::of(bytes, bytes, Mode::Double),
        FloatKind::LongDouble | FloatKind::Float64x | FloatKind::Float80 => match model {
            DataModel::Lp64 => Shape::of(bytes, 16, Mode::Other),
            DataModel::Ilp32 => Shape::of(bytes, 4, Mode::Other),
        },
        FloatKind::Float16
        | FloatKind::Float
        | FloatKind::Float32
        | FloatKind::Float128
        | FloatKind::Decimal32
        | FloatKind::Decimal64
        | FloatKind::Decimal128 => Shape::of(bytes, bytes, Mode::Other),
    }
}

/// What an array's element brings to the array. An array is aligned as its unqualified elements are: `_Atomic` raises
/// nothing here, and a typedef that has qualifiers of its own loses the alignment it may have been given.
fn element_shape(ast: &Ast, element: QualType) -> Result<Shape, NoSize> {
    let qualifiers = ast.types.qualifiers(element);
    let own = ast.types.canonical(QualType::plain(element.id));
    let id = if own.qualifiers.is_empty() { element.id } else { own.id };
    let mut shape = unqualified_shape(ast, id)?;
    shape.atomic |= qualifiers.contains(Qualifiers::ATOMIC);
    Ok(shape)
}

fn array_shape(model: DataModel, element: Shape, length: ArrayLength) -> Shape {
    let size = match (length, element.size) {
        (ArrayLength::Unknown, Ok(_)) => Err(NoSize::Incomplete),
        (ArrayLength::Variable(_) | ArrayLength::Star, Ok(_)) => Err(NoSize::Variable),
        (ArrayLength::Fixed(count), Ok(bytes)) => match bytes.checked_mul(count) {
            Some(size) if size <= model.max_object_bytes() => Ok(size),
            Some(_) | None => Err(NoSize::TooLarge),
        },
        (_, Err(reason)) => Err(reason),
    };
    let mode = match size {
        Ok(_) if element.mode == Mode::Block => Mode::Block,
        Ok(_) if size == element.size => element.mode,
        Ok(bytes) => integer_mode(model, bytes),
        Err(_) => Mode::Block,
    };
    Shape { size, mode, ..element }
}

fn vector_shape(ast: &Ast, element: TypeId, lanes: u64) -> Result<Shape, NoSize> {
    let model = ast.model;
    let part = shape(ast, QualType::plain(element))?;
    let bytes = part.size?.checked_mul(lanes).filter(|&bytes| bytes <= model.max_object_bytes());
    let bytes = bytes.ok_or(NoSize::TooLarge)?;
    // Without the wider registers of later processors, larger vectors live in memory; the integer registers
    // hold small vectors of integers.
    let mode = match (part.mode, bytes) {
        (_, 16) => Mode::Other,
        (Mode::Integer, _) => integer_mode(model, bytes),
        (Mode::Block | Mode::ComplexInteger | Mode::Double | Mode::Other, 8) if model == DataModel::Lp64 => {
            Mode::Other
        }
        (Mode::Block | Mode::ComplexInteger | Mode::Double | Mode::Other, _) => Mode::Block,
    };
    Ok(Shape::of(bytes, bytes.max(1), mode))
}

/// The mode of an aggregate of so many bytes, none of whose parts must live in memory.
fn integer_mode(model: DataModel, bytes: u64) -> Mode {
    match (bytes, model) {
        (1 | 2 | 4 | 8, _) | (16, DataModel::Lp64) => Mode::Integer,
        _ => Mode::Block,
    }
}

#[cfg(test)]
mod tests;
