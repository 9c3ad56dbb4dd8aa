//! Compatible and composite types (C11 6.2.7).
//!
//! Within one translation unit a record or enumeration is compatible with itself alone. Across units they are
//! compared by tag and members; records that lead to themselves are assumed equal while they are compared, as
//! usual for recursive types.

use rustc_hash::FxHashSet;

use crate::ast::{Ast, EnumId, RecordId};
use crate::types::{ArrayLength, FloatKind, FunctionType, IntKind, QualType, Type, TypeId, Types};

/// Whether two types are compatible; top qualifiers must agree.
#[must_use]
pub fn compatible(ast: &Ast, left: QualType, right: QualType) -> bool {
    Comparison { ast, across: None }.qualified(left, right)
}

/// Whether two types are compatible when their top qualifiers are left aside.
#[must_use]
pub fn compatible_unqualified(ast: &Ast, left: QualType, right: QualType) -> bool {
    Comparison { ast, across: None }.unqualified(left.id, right.id)
}

/// Compares types of different translation units, and remembers which records it found equal.
#[derive(Debug, Default)]
pub struct AcrossUnits {
    equal: FxHashSet<(RecordId, RecordId)>,
    /// The pairs added since the comparison began: equal only if it succeeds.
    assumed: Vec<(RecordId, RecordId)>,
}

impl AcrossUnits {
    /// Whether two types of different units are compatible; top qualifiers must agree.
    pub fn compatible(&mut self, ast: &Ast, left: QualType, right: QualType) -> bool {
        // Pairs that were only assumed are equal if the whole comparison succeeds, and unknown if it fails.
        let equal = Comparison { ast, across: Some(self) }.qualified(left, right);
        for pair in self.assumed.drain(..) {
            if !equal {
                self.equal.remove(&pair);
            }
        }
        equal
    }
}

struct Comparison<'a> {
    ast: &'a Ast,
    /// Across units: what is known or assumed about records. Within a unit: `None`.
    across: Option<&'a mut AcrossUnits>,
}

impl Comparison<'_> {
    fn qualified(&mut self, left: QualType, right: QualType) -> bool {
        let types = &self.ast.types;
        let (left, right) = (types.canonical(left), types.canonical(right));
        let is_error = |ty: QualType| ty.id == Types::error();
        // Errors agree with everything, so that one mistake gives one message.
        (left.qualifiers == right.qualifiers || is_error(left) || is_error(right))
            && self.unqualified(left.id, right.id)
    }

    fn unqualified(&mut self, left: TypeId, right: TypeId) -> bool {
        let ast = self.ast;
        // The same type is found at once in most cases; types are interned.
        if ast.types.same(left, right) {
            return true;
        }
        match (ast.types.kind(left), ast.types.kind(right)) {
            (Type::Error, _) | (_, Type::Error) => true,
            (Type::Enum(id), Type::Int(kind)) | (Type::Int(kind), Type::Enum(id)) => {
                ast.enums[*id].underlying == *kind
            }
            (Type::Enum(left), Type::Enum(right)) => self.across.is_some() && same_enum(ast, *left, *right),
            (Type::Pointer(left), Type::Pointer(right)) => self.qualified(*left, *right),
            (
                Type::Array { element: left, length: left_length },
                Type::Array { element: right, length: right_length },
            ) => same_length(*left_length, *right_length) && self.qualified(*left, *right),
            (
                Type::Vector { element: left, lanes: left_lanes },
                Type::Vector { element: right, lanes: right_lanes },
            ) => left_lanes == right_lanes && self.unqualified(*left, *right),
            (Type::Function(left), Type::Function(right)) => self.functions(left, right),
            (Type::Record(left), Type::Record(right)) => self.records(*left, *right),
            (
                Type::Void
                | Type::Int(_)
                | Type::Float(_)
                | Type::Complex(_)
                | Type::ComplexInt(_)
                | Type::Pointer(_)
                | Type::Array { .. }
                | Type::Vector { .. }
                | Type::Function(_)
                | Type::Record(_)
                | Type::Enum(_)
                | Type::VaList
                | Type::Typedef(_),
                _,
            ) => false,
        }
    }

    fn functions(&mut self, left: &FunctionType, right: &FunctionType) -> bool {
        if !self.qualified(left.result, right.result) {
            return false;
        }
        match (left.prototype, right.prototype) {
            (true, true) => {
                left.variadic == right.variadic
                    && left.parameters.len() == right.parameters.len()
                    && (left.parameters.iter().zip(&right.parameters))
                        .all(|(&left, &right)| self.parameter(left, right))
            }
            (true, false) => self.prototype_with_old_style(left, right),
            (false, true) => self.prototype_with_old_style(right, left),
            (false, false) => true,
        }
    }

    /// A parameter's qualifiers do not matter. A transparent union agrees with each of its members.
    fn parameter(&mut self, left: QualType, right: QualType) -> bool {
        self.unqualified(left.id, right.id)
            || self.transparent_member(left, right)
            || self.transparent_member(right, left)
    }

    fn transparent_member(&mut self, union: QualType, member: QualType) -> bool {
        let ast = self.ast;
        let Type::Record(record) = *ast.types.kind(union.id) else { return false };
        let record = &ast.records[record];
        let fields = record.fields.as_deref().unwrap_or_default();
        record.transparent && fields.iter().any(|field| self.unqualified(field.ty.id, member.id))
    }

    /// A function without a prototype is called with promoted arguments. If it is a definition, its parameters
    /// are known; GNU C lets the prototype name the narrow type of such a parameter.
    fn prototype_with_old_style(&mut self, prototype: &FunctionType, old: &FunctionType) -> bool {
        if prototype.variadic {
            return false;
        }
        if old.parameters.is_empty() {
            return prototype.parameters.iter().all(|parameter| promoted(self.ast, parameter.id).is_none());
        }
        prototype.parameters.len() == old.parameters.len()
            && prototype.parameters.iter().zip(&old.parameters).all(|(wanted, given)| {
                self.unqualified(wanted.id, given.id)
                    || promoted(self.ast, given.id).is_some_and(|wide| self.unqualified(wanted.id, wide))
            })
    }

    fn records(&mut self, left: RecordId, right: RecordId) -> bool {
        let ast = self.ast;
        // Within a unit each definition of a record makes a type of its own.
        let Some(across) = &mut self.across else { return false };
        if across.equal.contains(&(left, right)) {
            return true;
        }
        let (one, other) = (&ast.records[left], &ast.records[right]);
        if one.kind != other.kind || one.tag != other.tag {
            return false;
        }
        let (Some(one_fields), Some(other_fields)) = (&one.fields, &other.fields) else {
            // One of them is incomplete: they are compatible if the tags agree.
            return one.tag.is_some();
        };
        if one_fields.len() != other_fields.len()
            || one.size != other.size
            || one.alignment != other.alignment
        {
            return false;
        }
        // Assumed equal before their members are compared: a list leads back to itself.
        across.equal.insert((left, right));
        across.assumed.push((left, right));
        one_fields.iter().zip(other_fields).all(|(one, other)| {
            one.name == other.name
                && one.width == other.width
                && one.bit_offset == other.bit_offset
                && self.qualified(one.ty, other.ty)
        })
    }
}

fn same_length(left: ArrayLength, right: ArrayLength) -> bool {
    match (left, right) {
        (ArrayLength::Fixed(left), ArrayLength::Fixed(right)) => left == right,
        (ArrayLength::Fixed(_) | ArrayLength::Unknown | ArrayLength::Variable(_) | ArrayLength::Star, _) => {
            true
        }
    }
}

fn same_enum(ast: &Ast, left: EnumId, right: EnumId) -> bool {
    let (left, right) = (&ast.enums[left], &ast.enums[right]);
    let (Some(left_constants), Some(right_constants)) = (&left.constants, &right.constants) else {
        return left.tag.is_some() && left.tag == right.tag;
    };
    left.tag == right.tag
        && left_constants.len() == right_constants.len()
        && (left_constants.iter().zip(right_constants))
            .all(|(left, right)| left.name == right.name && left.value == right.value)
}

/// What the default argument promotions make of a type; `None` if it stays as it is.
#[must_use]
pub fn promoted(ast: &Ast, ty: TypeId) -> Option<TypeId> {
    let narrow = match ast.types.kind(ty) {
        Type::Float(FloatKind::Float) => return Some(Types::double()),
        Type::Int(kind) => *kind,
        Type::Enum(id) => ast.enums[*id].underlying,
        Type::Void
        | Type::Float(_)
        | Type::Complex(_)
        | Type::ComplexInt(_)
        | Type::Pointer(_)
        | Type::Array { .. }
        | Type::Vector { .. }
        | Type::Function(_)
        | Type::Record(_)
        | Type::VaList
        | Type::Typedef(_)
        | Type::Error => return None,
    };
    promotes_to_int(narrow).then(Types::int)
}

/// Whether the integer promotions turn the type into `int`, and it is not `int` already.
fn promotes_to_int(kind: IntKind) -> bool {
    match kind {
        IntKind::Bool
        | IntKind::Char
        | IntKind::SignedChar
        | IntKind::UnsignedChar
        | IntKind::Short
        | IntKind::UnsignedShort => true,
        IntKind::Int
        | IntKind::UnsignedInt
        | IntKind::Long
        | IntKind::UnsignedLong
        | IntKind::LongLong
        | IntKind::UnsignedLongLong
        | IntKind::Int128
        | IntKind::UnsignedInt128 => false,
    }
}

/// The composite of two compatible types: knows all that either knows. Where both know the same it is `left`, as
/// written there.
pub fn composite(ast: &mut Ast, left: QualType, right: QualType) -> QualType {
    if ast.types.same(left.id, right.id) {
        return left;
    }
    let qualifiers = ast.types.qualifiers(left);
    // The result knows the array lengths and parameters that either side knows.
    let merged = match (ast.types.kind(left.id).clone(), ast.types.kind(right.id).clone()) {
        (Type::Error, _) => return QualType { id: right.id, qualifiers },
        (Type::Pointer(one), Type::Pointer(other)) => Type::Pointer(composite(ast, one, other)),
        (Type::Array { element: one, length }, Type::Array { element: other, length: other_length }) => {
            Type::Array { element: composite(ast, one, other), length: better_length(length, other_length) }
        }
        (Type::Function(one), Type::Function(other)) => Type::Function(composite_function(ast, one, other)),
        _ => return left,
    };
    let id = ast.types.intern(merged);
    // A type that equals one of the two is kept as it was written, with its typedef names.
    let as_written = [left.id, right.id].into_iter().find(|&written| ast.types.same(id, written));
    match as_written {
        Some(written) if written == left.id => left,
        Some(written) => QualType { id: ast.types.unqualified(written.into()), qualifiers },
        None => QualType { id, qualifiers },
    }
}

fn better_length(left: ArrayLength, right: ArrayLength) -> ArrayLength {
    let rank = |length: ArrayLength| match length {
        ArrayLength::Fixed(_) => 3,
        ArrayLength::Variable(_) => 2,
        ArrayLength::Star => 1,
        ArrayLength::Unknown => 0,
    };
    if rank(right) > rank(left) { right } else { left }
}

fn composite_function(ast: &mut Ast, left: FunctionType, right: FunctionType) -> FunctionType {
    let result = composite(ast, left.result, right.result);
    match (left.prototype, right.prototype) {
        (true, true) => {
            let parameters = left
                .parameters
                .iter()
                .zip(&right.parameters)
                .map(|(&one, &other)| composite(ast, one, other));
            FunctionType {
                result,
                parameters: parameters.collect(),
                variadic: left.variadic,
                prototype: true,
            }
        }
        (true, false) => FunctionType { result, ..left },
        (false, true) => FunctionType { result, ..right },
        (false, false) => {
            let parameters = if left.parameters.is_empty() { right.parameters } else { left.parameters };
            FunctionType { result, parameters, variadic: false, prototype: false }
        }
    }
}
