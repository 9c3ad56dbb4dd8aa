//! Attributes that mean something to us, and what they do to types.

use raddle_base::Span;

use crate::ast::Attribute;
use crate::check::DerivedTypes;
use crate::layout;
use crate::types::{FloatKind, IntKind, QualType, Qualifiers, Type, Types};

/// The attributes of a declaration or type that mean something to us. Most have none, so this is small.
#[derive(Clone, Debug, Default)]
pub struct Attributes {
    set: Option<Box<AttributeSet>>,
}

/// What [`Attributes`] are made of.
#[derive(Clone, Debug, Default)]
pub struct AttributeSet {
    /// `packed`
    pub packed: bool,
    /// `aligned(n)` in bytes, the largest.
    pub aligned: Option<u64>,
    /// `mode(…)`
    pub mode: Option<(Mode, Span)>,
    /// `vector_size(n)` in bytes.
    pub vector_size: Option<(u64, Span)>,
    /// `transparent_union`
    pub transparent_union: bool,
    /// `noreturn`
    pub noreturn: bool,
    /// `gnu_inline`
    pub gnu_inline: bool,
    /// Those kept in the tree.
    pub kept: Vec<Attribute>,
}

static NO_ATTRIBUTES: AttributeSet = AttributeSet {
    packed: false,
    aligned: None,
    mode: None,
    vector_size: None,
    transparent_union: false,
    noreturn: false,
    gnu_inline: false,
    kept: Vec::new(),
};

impl std::ops::Deref for Attributes {
    type Target = AttributeSet;

    fn deref(&self) -> &AttributeSet {
        self.set.as_deref().unwrap_or(&NO_ATTRIBUTES)
    }
}

/// The machine modes that `mode` may name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// An integer of so many bytes.
    Integer(u8),
    /// An integer as wide as a machine word or pointer.
    Word,
    /// A floating type.
    Float(FloatKind),
    /// A complex type.
    Complex(FloatKind),
}

impl Attributes {
    /// The set, to add to it.
    pub fn set(&mut self) -> &mut AttributeSet {
        self.set.get_or_insert_default()
    }

    /// Adds those of `more`.
    pub fn merge(&mut self, more: &Self) {
        let Some(more) = &more.set else { return };
        let Some(set) = &mut self.set else {
            self.set = Some(more.clone());
            return;
        };
        set.packed |= more.packed;
        set.align(more.aligned);
        set.mode = more.mode.or(set.mode);
        set.vector_size = more.vector_size.or(set.vector_size);
        set.transparent_union |= more.transparent_union;
        set.noreturn |= more.noreturn;
        set.gnu_inline |= more.gnu_inline;
        set.kept.extend_from_slice(&more.kept);
    }

    /// Takes out those that are kept in the tree.
    pub fn take_kept(&mut self) -> Vec<Attribute> {
        self.set.as_mut().map(|set| std::mem::take(&mut set.kept)).unwrap_or_default()
    }
}

impl AttributeSet {
    /// Asks for an alignment in bytes; the largest counts.
    pub fn align(&mut self, bytes: Option<u64>) {
        self.aligned = self.aligned.max(bytes);
    }
}

impl DerivedTypes<'_> {
    /// The type that `mode` and `vector_size` make of `ty`.
    pub fn apply_type_attributes(&mut self, ty: QualType, attributes: &Attributes) -> QualType {
        let mut ty = ty;
        // Most types have no attributes, and this is asked of each.
        if attributes.set.is_none() {
            return ty;
        }
        if let Some((mode, span)) = attributes.mode {
            ty = self.with_mode(ty, mode, span);
        }
        if let Some((bytes, span)) = attributes.vector_size {
            ty = self.with_vector_size(ty, bytes, span);
        }
        ty
    }

    fn with_mode(&mut self, ty: QualType, mode: Mode, span: Span) -> QualType {
        let model = self.tree.ast.model;
        let qualifiers = self.tree.ast.types.qualifiers(ty);
        let bytes = match mode {
            Mode::Integer(bytes) => Some(u64::from(bytes)),
            Mode::Word => Some(model.pointer_bytes()),
            Mode::Float(_) | Mode::Complex(_) => None,
        };
        let kind = match (self.tree.ast.types.kind(ty.id), mode) {
            // Only the kind of type changes; qualifiers stay.
            (Type::Float(_), Mode::Float(kind)) => return self.of_mode(Type::Float(kind), qualifiers),
            (Type::Complex(_), Mode::Complex(kind)) => return self.of_mode(Type::Complex(kind), qualifiers),
            (Type::Error, _) => return ty,
            (Type::Pointer(_), _) if bytes == Some(model.pointer_bytes()) => return ty,
            (Type::Int(kind), _) if *kind != IntKind::Bool => Some(*kind),
            (Type::Enum(id), _) => Some(self.tree.ast.enums[*id].underlying),
            _ => None,
        };
        let (Some(bytes), Some(kind)) = (bytes, kind) else {
            self.tree.error(span, "this machine mode does not fit the type");
            return Types::error().into();
        };
        let signed = model.is_signed(kind);
        // Plain `int` and `long long` rather than `long`, as gcc names them, except for the word itself.
        let wide = if model.int_bytes(IntKind::Long) == bytes {
            (IntKind::Long, IntKind::UnsignedLong)
        } else {
            (IntKind::LongLong, IntKind::UnsignedLongLong)
        };
        let (signed_kind, unsigned_kind) = match bytes {
            1 => (IntKind::SignedChar, IntKind::UnsignedChar),
            2 => (IntKind::Short, IntKind::UnsignedShort),
            4 => (IntKind::Int, IntKind::UnsignedInt),
            8 => wide,
            _ => (IntKind::Int128, IntKind::UnsignedInt128),
        };
        self.of_mode(Type::Int(if signed { signed_kind } else { unsigned_kind }), qualifiers)
    }

    fn of_mode(&mut self, ty: Type, qualifiers: Qualifiers) -> QualType {
        QualType { id: self.tree.ast.types.intern(ty), qualifiers }
    }

    /// Vectors go to the innermost type: `float *p` becomes a pointer to vectors.
    fn with_vector_size(&mut self, ty: QualType, bytes: u64, span: Span) -> QualType {
        let qualifiers = self.tree.ast.types.qualifiers(ty);
        // From the outside in, since the attribute belongs to the base type and stands in front of the
        // declarator.
        let rebuilt = match self.tree.ast.types.kind(ty.id).clone() {
            Type::Pointer(target) => Type::Pointer(self.with_vector_size(target, bytes, span)),
            Type::Array { element, length } => {
                Type::Array { element: self.with_vector_size(element, bytes, span), length }
            }
            Type::Function(mut function) => {
                function.result = self.with_vector_size(function.result, bytes, span);
                Type::Function(function)
            }
            Type::Int(IntKind::Bool) => return self.no_vector(span),
            Type::Int(_) | Type::Float(_) | Type::Enum(_) => {
                let element = self.tree.ast.types.unqualified(ty);
                let size = layout::size_of(&self.tree.ast, element.into()).unwrap_or(1).max(1);
                if !bytes.is_multiple_of(size) || !(bytes / size).is_power_of_two() {
                    self.tree
                        .error(span, "the vector size is not a power of two times the size of its elements");
                    return Types::error().into();
                }
                Type::Vector { element, lanes: bytes / size }
            }
            Type::Void
            | Type::Complex(_)
            | Type::ComplexInt(_)
            | Type::Vector { .. }
            | Type::Record(_)
            | Type::VaList
            | Type::Typedef(_) => return self.no_vector(span),
            Type::Error => return ty,
        };
        QualType { id: self.tree.ast.types.intern(rebuilt), qualifiers }
    }

    fn no_vector(&mut self, span: Span) -> QualType {
        self.tree.error(span, "`vector_size` needs an integer or floating type");
        Types::error().into()
    }
}
